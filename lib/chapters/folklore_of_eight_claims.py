"""Chapter A.5: the study's claims about Count-8 and their verdicts, and the facts that decide them.

What is said stands in ``folklore_of_eight.yaml``: each claim, the readings that its wording allows, and its numbers.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import networkx as nx
import yaml

from chapters import folklore_of_eight as tables
from chapters.folklore_of_eight import SEVENS, can_occur, live_pairs, sign
from chapters.who_wins_small import on_cycles, state_graph
from gamebalance.countn import START, START_STATE, WITHDRAWN, Solution
from gamebalance.countn.rules import Hands
from gamebalance.countn.solution import KINDS
from gamebalance.countn.states import hands_text, mover_first

Facts = dict[str, dict[str, Any]]

#: All readings of the wording hold; all hold, but something must be added; some hold; none; there is none.
VERDICTS = ("true", "true, with a nuance", "depends on the reading", "false", "cannot be decided")


def statements(eight: Solution) -> list[dict[str, Any]]:
    """The study's claims about N = 8 in its order: `claim`, `readings`, `numbers` and `nuance`, with a `verdict`."""
    known = _states(eight) | _draws(eight) | _first_moves(eight) | _against_sevens(eight) | _played_line(eight)
    claims = yaml.safe_load(Path(__file__).with_name("folklore_of_eight.yaml").read_text(encoding="utf-8"))
    return [_decided(claim, known[claim["key"]]) for claim in claims]


def _decided(claim: dict[str, Any], facts: dict[str, Any]) -> dict[str, Any]:
    """One claim: its texts, filled in with facts, and whether its readings hold."""
    readings = {text.format(**facts): facts[name] for text, name in claim["readings"].items()}
    added = "nuance if" not in claim or facts[claim["nuance if"]]
    nuance = claim.get("nuance", "").format(**facts) if added else ""
    return {
        "key": claim["key"],
        "claim": claim["claim"],
        "readings": readings,
        "numbers": {text.format(**facts): number.format(**facts) for text, number in claim["numbers"].items()},
        "nuance": nuance,
        "verdict": verdict(list(readings.values()), nuance),
    }


def verdict(holds: list[bool], nuance: str) -> str:
    """One of `VERDICTS`, from what the readings of a claim come to."""
    if not holds:
        return "cannot be decided"
    if all(holds):
        return "true, with a nuance" if nuance else "true"
    return "depends on the reading" if any(holds) else "false"


def _texts(pairs: Iterable[Hands]) -> str:
    return " ".join(map(hands_text, pairs))


def _states(eight: Solution) -> Facts:
    """About the states that play can reach, and the ends."""
    graph, pairs = state_graph(eight.game), len(eight.game.pairs)
    alone = [state for state in graph if (state[1], state[0], not state[2]) not in graph]
    latest = max(nx.shortest_path_length(graph, START_STATE, state) for state in alone)
    idle = sum(mover_first(state)[0] == WITHDRAWN for state in graph)
    ends = {state for state, after in graph.out_degree() if not after}
    mirrored = all((second, first, not turn) in ends for first, second, turn in ends)
    missing, few = tables.missing_ends(eight), 3
    back, shared = missing["plies back"], missing["divisor"] > 1
    counts = {kind: eight.label_counts(kind) for kind in KINDS}
    return {
        "asymmetric": {"some": bool(alone), "unmirrored": len(alone), "only_the_first_two": latest == 1},
        "start": {
            "neither": graph.in_degree(START_STATE) == 0 and (*START, True) not in graph,
            "once": len(graph) - len(on_cycles(graph)),
            "states": len(graph),
        },
        "potential": {"pairs": pairs, "potential": 2 * pairs**2},
        "reachable": {
            "as_many": len(graph) == 1934,
            "states": len(graph),
            "positions": len({mover_first(state) for state in graph}),
        },
        "trivial": {"none": not idle, "on_paper": 2 * pairs, "idle": idle},
        "ends": {
            "as_many_and_the_same": len(ends) == 46 and mirrored,
            "ends": len(ends),
            "pairs": len(ends) // 2,
            "live": len(live_pairs(eight.game)),
        },
        "missing": {
            "few": few,
            "none_soon": not (back <= few).any(),
            "not_all_soon": not (back <= few).all(),
            "missing": len(missing),
            "one_ply": (back == 1).sum(),
            "longest": back.max(),
            "parity": shared.sum(),
            "all_explained": back.notna().all() and ((back == 1) | shared).all(),
        },
        "big": {kind: count[2] < count[1] for kind, count in counts.items()}
        | {f"{kind}_{size}": counts[kind][label] for kind in KINDS for size, label in (("big", 2), ("small", 1))},
    }


def _draws(eight: Solution) -> Facts:
    """About the states that are draws."""
    graph = state_graph(eight.game)
    drawn = graph.subgraph(state for state in graph if eight.value(*mover_first(state)) == 0)
    largest = max(map(len, nx.strongly_connected_components(drawn)))
    parts, cycling, decided = nx.number_weakly_connected_components(drawn), on_cycles(drawn), len(graph) - len(drawn)
    return {
        "decided": {
            "as_many_and_the_start": (decided, len(drawn)) == (1466, 468) and START_STATE in drawn,
            "decided": decided,
            "drawn": len(drawn),
        },
        "connected": {"weakly": parts == 1, "strongly": largest == len(drawn), "components": parts, "largest": largest},
        "cycle": {
            "some": bool(cycling),
            "cycling": len(cycling),
            "drawn": len(drawn),
            "without_the_start": START_STATE not in cycling,
        },
        "no loss": {"draw": eight.start_value == "draw", "value": eight.start_value},
        "even": {"two_sides": nx.is_bipartite(graph), "second": sum(turn for *_, turn in graph)},
    }


def _first_moves(eight: Solution) -> Facts:
    """About the second player's replies to the only first move, and how the first player can go on after each."""
    (first,) = eight.options(*START)
    replies = sorted(option.move.hands for option in eight.options(START[1], first.move.hands))
    values = [eight.value((1, 2), hands) for hands in replies]
    longest, quick, quarters = int(tables.care(eight)["distance"].max()), 10, {}
    options = {hands: eight.options((1, 2), hands) for hands in replies}
    lost = {hands: [option for option in options[hands] if option.value < 0] for hands in replies}
    quarter = all(4 * len(lost[hands]) == len(options[hands]) for hands in replies)
    for hands in replies:
        plies, name = max(option.distance for option in lost[hands]), "{}{}".format(*hands)
        quarters |= {f"lost_{name}": len(lost[hands]), f"moves_{name}": len(options[hands]), f"plies_{name}": plies}
        quarters |= {f"soon_{name}": quarter and plies <= quick, f"slowest_{name}": plies == longest + 1}
    risks = tables.reply_risks(eight, 10)
    trap, own = risks["first careless"], risks["second careless"]
    return {
        "replies": {
            "both_draw": values == [0, 0] and replies == [(1, 2), (1, 3)],
            "replies": len(replies),
            "drawn": values.count(0),
            "no_others": len(replies) == 2,
        },
        "quarter": {"quick": quick, "quarter": quarter, "longest": longest} | quarters,
        "better": {
            "same_value": values[0] == values[1],
            "mixed": (trap["1,3"] > trap["1,2"]).any() and (trap["1,3"] < trap["1,2"]).any(),
            "errs_12": own.loc[1, "1,2"],
            "errs_13": own.loc[1, "1,3"],
            "safer_13": (own["1,3"] <= own["1,2"]).all() and (own["1,3"] < own["1,2"]).any(),
        },
    }


def _signs(eight: Solution, pairs: Iterable[Hands]) -> set[int]:
    """Signs of the values of pairs that are to move against 7,7."""
    return {sign(eight.value(pair, SEVENS)) for pair in pairs}


def _plies(eight: Solution, pairs: Iterable[Hands]) -> str:
    """Plies to the end for pairs that are to move against 7,7: ``8``, ``6 to 8`` or ``none``."""
    plies = sorted({eight.distance(pair, SEVENS) for pair in pairs} - {None})
    return " to ".join(map(str, dict.fromkeys([plies[0], plies[-1]]))) if plies else "none"


def _rule_of_thumb(eight: Solution, numbers: set[int], but: set[int], outcome: int) -> dict[str, Any]:
    """What hands with one of some numbers and none of some others come to, of those that can occur."""
    occurring = [pair for pair in live_pairs(eight.game) if numbers & {*pair} and can_occur(eight, pair, SEVENS)]
    pairs = [pair for pair in occurring if None not in pair and not but & {*pair}]
    alone = [pair for pair in occurring if None in pair]
    signs, of_one = _signs(eight, pairs), _signs(eight, alone)
    facts = {"two_hands": signs == {outcome}, "one_hand": of_one == {outcome}, "alone_wins": of_one == {1}}
    return facts | {"hands": pairs, "pairs": _texts(pairs), "plies": _plies(eight, pairs), "alone": _texts(alone)}


def _against_sevens(eight: Solution) -> Facts:
    """About hands that are to move against 7,7, with one live hand or two."""
    three, table = _rule_of_thumb(eight, {3}, {1}, 1), tables.showing(eight)
    made = [option for pair in three["hands"] for option in eight.options(pair, SEVENS) if option.move.hands == (1, 3)]
    narrow = {
        "two_hands": len(made) == len(three["hands"]) and all(option.value > 0 for option in made),
        "one_hand": any(option.value > 0 and 3 in option.move.hands for option in eight.options((3, None), SEVENS)),
    }
    broad: dict[str, Any] = {"only_seven_wins_more": True}
    for side, name in (("to move", "to_move"), ("not to move", "waiting")):
        won, lost = table[side, "% won"], table[side, "% lost"]
        broad |= {f"won_{name}": won[3], f"lost_{name}": lost[3]}
        broad |= {f"any_won_{name}": won["any"], f"any_lost_{name}": lost["any"]}
        broad[f"luckier_{name}"] = won[3] > won["any"] and lost[3] < lost["any"]
        broad["only_seven_wins_more"] &= won.index[won > won[3]].tolist() == [7]
    backward = tables.backward_graph(eight.game)
    places = [place for pair in ((2, 3), (3, 3)) for place in ((pair, SEVENS), (SEVENS, pair))]
    occur = [can_occur(eight, *place) for place in places]
    back = max(tables.longest_line_back(backward, place) for place in places)
    good, bad = [(1, number) for number in (1, 2, 5, 7)], [(1, number) for number in (3, 4, 6)]
    waiting = {pair: eight.value(SEVENS, pair) for pair in sorted([*good, *bad])}
    return {
        "narrow three": three | narrow,
        "broad three": broad,
        "impossible": {
            "not_to_move": not any(occur[::2]),
            "not_waiting": not any(occur[1::2]),
            "reachable": sum(occur),
            "longest": f"{back} plies" if back != 1 else "1 ply",
        },
        "1,3 v 7,7": {
            "loses": eight.value((1, 3), SEVENS) < 0,
            "plies": eight.distance((1, 3), SEVENS),
            "wins_waiting": eight.value(SEVENS, (1, 3)) < 0,
        },
        "four": _rule_of_thumb(eight, {4}, {1, 3}, 1),
        "two": _rule_of_thumb(eight, {2}, {1, 3, 4}, 0),
        "five to seven": _rule_of_thumb(eight, {5, 6, 7}, {1, 2, 3, 4}, -1),
        "one": {
            "all": _signs(eight, good) == {1} and _signs(eight, bad) == {-1},
            "winning": _plies(eight, good),
            "losing": _plies(eight, bad),
            "won": _texts(pair for pair, value in waiting.items() if value < 0),
            "drawn": _texts(pair for pair, value in waiting.items() if value == 0),
        },
    }


def _played_line(eight: Solution) -> Facts:
    """About the game that the study's author lost: that a side had a win, once, and let it go."""
    line = tables.replay(eight)
    labelled, away = line.dropna(subset="label"), tables.thrown_away(line)
    right = labelled["label"].map({"WIN": 1, "UNKNOWN": 0, "LOSE": -1}) == labelled["value"].map(sign)
    options = eight.options((2, 6), (1, 1))
    (made,) = [option for option in options if 7 in option.move.hands]
    slip, misses = away.query("value == 0").iloc[0], {}
    for key, side in (("first miss", "left"), ("second miss", "right")):
        missed = away[(away["value"] > 0) & (away["to move"] == side)]
        move, row = missed.index[0] + 1, missed.iloc[0]
        misses[key] = {"once": len(missed) == 1, "move": move, "best": row["best"], "plies": row["plies"]}
    misses["second miss"] |= {"slip": f"{slip['left']} v {slip['right']}", "drew": slip["best"]}
    return misses | {
        "labels": {"all_right": right.all(), "positions": len(line), "labelled": len(labelled), "right": right.sum()},
        "no seven": {"loses": made.value < 0, "plies": made.distance, "moves": len(options)},
    }
