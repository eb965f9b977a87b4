"""The study's claims about 7,7, about which numbers are lucky, and about a game that was played."""

from collections.abc import Iterable

from .facts import CLAIMS, Facts, Statement, claim, plies_text, texts
from .graphs import backward_graph, longest_line_back
from .lines import thrown_away
from .positions import SEVENS, can_occur, showing, sign

#: The labels in the study's line of play.
_LABELS = {"WIN": 1, "UNKNOWN": 0, "LOSE": -1}


@claim
def _narrow_three(facts: Facts) -> Statement:
    pairs = facts.with_number(3, but=[1])
    kept = [
        option.value for pair in pairs for option in facts.solution.options(pair, SEVENS) if option.move.hands == (1, 3)
    ]
    alone = facts.solution.options((3, None), SEVENS)
    return Statement(
        "narrow three",
        "Against 7,7: keep a 3, make the other hand 1, and win (1,3 excepted)",
        {
            "with two live hands": len(kept) == len(pairs) and min(kept) > 0,
            "with one": any(option.value > 0 and 3 in option.move.hands for option in alone),
        },
        {"pairs": texts(pairs), "plies": plies_text(facts, pairs)},
        "With one hand withdrawn the 3 has to move and cannot be kept; it wins all the same."
        if alone[0].value > 0
        else "",
    )


@claim
def _broad_three(facts: Facts) -> Statement:
    table = showing(facts.solution)
    sides = ("to move", "not to move")
    luckier = {side: table.index[table[side, "% won"] > table.loc[3, (side, "% won")]].tolist() for side in sides}
    return Statement(
        "broad three",
        "A 3 is lucky",
        {
            f"wins more and loses less than average, {side}": bool(
                table.loc[3, (side, "% won")] > table.loc["any", (side, "% won")]
                and table.loc[3, (side, "% lost")] < table.loc["any", (side, "% lost")]
            )
            for side in sides
        },
        {
            f"won and lost with a 3, {side}": f"{table.loc[3, (side, '% won')]:.0f} % and "
            f"{table.loc[3, (side, '% lost')]:.0f} % ({table.loc['any', (side, '% won')]:.0f} % and "
            f"{table.loc['any', (side, '% lost')]:.0f} % with any hands)"
            for side in sides
        },
        "A 7 wins more often still." if all(found == [7] for found in luckier.values()) else "",
    )


@claim
def _impossible(facts: Facts) -> Statement:
    pairs = [(2, 3), (3, 3)]
    own = [can_occur(facts.solution, pair, SEVENS) for pair in pairs]
    other = [can_occur(facts.solution, SEVENS, pair) for pair in pairs]
    backward = backward_graph(facts.solution.game)
    back = max(longest_line_back(backward, position) for pair in pairs for position in ((pair, SEVENS), (SEVENS, pair)))
    return Statement(
        "impossible",
        "2,3 v 7,7 and 3,3 v 7,7 cannot occur",
        {"their owner to move": not any(own), "7,7 to move": not any(other)},
        {
            "of these reachable": sum(own) + sum(other),
            "longest line back to them": f"{back} plies" if back != 1 else "1 ply",
        },
    )


@claim
def _one_three(facts: Facts) -> Statement:
    return Statement(
        "1,3 v 7,7",
        "1,3 v 7,7 loses",
        {"its owner to move": facts.solution.value((1, 3), SEVENS) < 0},
        {"plies": facts.solution.distance((1, 3), SEVENS)},
        "With 7,7 to move it wins." if facts.solution.value(SEVENS, (1, 3)) < 0 else "",
    )


def _rule(key: str, claim: str, numbers: Iterable[int], but: Iterable[int], outcome: int) -> None:
    """A rule of thumb about hands with one of `numbers` and none of some others, to move against 7,7."""

    def decide(facts: Facts) -> Statement:
        pairs = sorted({pair for number in numbers for pair in facts.with_number(number, but)})
        alone = [(number, None) for number in numbers if can_occur(facts.solution, (number, None), SEVENS)]
        return Statement(
            key,
            claim,
            {
                "with two live hands": set(facts.worth(pairs)) == {outcome},
                "with one": set(facts.worth(alone)) == {outcome},
            },
            {"pairs": texts(pairs), "plies": plies_text(facts, pairs), "one hand alone": texts(alone)},
            "One hand alone wins." if outcome <= 0 and set(facts.worth(alone)) == {1} else "",
        )

    CLAIMS.append(decide)


_rule("four", "Otherwise, against 7,7, a 4 is lucky", [4], [1, 3], 1)
_rule("two", "A 2 is undecided", [2], [1, 3, 4], 0)
_rule("five to seven", "5, 6 and 7 are dangerous", [5, 6, 7], [1, 2, 3, 4], -1)


@claim
def _with_one(facts: Facts) -> Statement:
    good, bad = [(1, number) for number in (1, 2, 5, 7)], [(1, number) for number in (3, 4, 6)]
    other = {pair: -sign(facts.solution.value(SEVENS, pair)) for pair in sorted([*good, *bad])}
    won, drawn = ([pair for pair, value in other.items() if value == wanted] for wanted in (1, 0))
    return Statement(
        "one",
        "Beside a 1, the hands 1, 2, 5 and 7 win against 7,7, and 3, 4 and 6 lose",
        {"all of them": set(facts.worth(good)) == {1} and set(facts.worth(bad)) == {-1}},
        {"plies of the wins": plies_text(facts, good), "of the losses": plies_text(facts, bad)},
        f"With 7,7 to move, {texts(won)} win, {texts(drawn)} draws and the others lose.",
    )


@claim
def _labels(facts: Facts) -> Statement:
    labelled = facts.line.dropna(subset="label")
    right = labelled["label"].map(_LABELS) == labelled["value"].map(sign)
    return Statement(
        "labels",
        "The labels WIN, UNKNOWN and LOSE of the played line",
        {"all are right": bool(right.all())},
        {"positions": len(facts.line), "labelled": len(labelled), "right": int(right.sum())},
    )


@claim
def _no_seven(facts: Facts) -> Statement:
    (made,) = [option for option in facts.solution.options((2, 6), (1, 1)) if 7 in option.move.hands]
    return Statement(
        "no seven",
        "At 2,6 v 1,1 the author had better not make a 7",
        {"it loses": made.value < 0},
        {"plies to the loss": made.distance, "moves": len(facts.solution.options((2, 6), (1, 1)))},
    )


@claim
def _first_miss(facts: Facts) -> Statement:
    return _miss("first miss", "When the cycle began, ycy could have won", facts, "left")


@claim
def _second_miss(facts: Facts) -> Statement:
    found = _miss("second miss", "Halfway the author could have won", facts, "right")
    slip = thrown_away(facts.line).query("value == 0")
    nuance = "".join(
        f"Only because {row.left} v {row.right} had been misplayed: {row.best} drew." for row in slip.itertuples()
    )
    return Statement(found.key, found.claim, found.readings, found.numbers, nuance)


def _miss(key: str, claim: str, facts: Facts, side: str) -> Statement:
    """That a side had a win, once, and let it go."""
    missed = thrown_away(facts.line).query("value > 0 and `to move` == @side")
    shown = {f"move {row.Index + 1}": f"{row.best} wins in {row.plies:.0f} plies" for row in missed.itertuples()}
    return Statement(key, claim, {"a win was missed": len(missed) == 1}, shown)
