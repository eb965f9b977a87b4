"""What the study's claims about N = 8 are decided from, and for each entry of ``claims.yaml`` the function that does.

A function answers with facts by name: truths for the readings of the claim, and what its texts are filled in with.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

import networkx as nx
import pandas as pd

from chapters.countn import graph
from chapters.countn.folklore import ends as unreached
from chapters.countn.folklore.lines import replay, reply_risks, thrown_away
from chapters.countn.folklore.positions import SEVENS, can_occur, care, live_pairs, showing, sign
from gamebalance.countn.notation import hands_text
from gamebalance.countn.rules import START, WITHDRAWN, Hands
from gamebalance.countn.solution import Option, Solution, solve
from gamebalance.countn.states import START_STATE, mover_first


class Facts:
    """What the claims are decided from, computed once: attributes for N = 8 under the study's rules."""

    @cached_property
    def solution(self) -> Solution:
        return solve(8)

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The reachable states."""
        return graph.state_graph(self.solution.game)

    @cached_property
    def drawn(self) -> nx.DiGraph:
        """The drawn ones among them."""
        return self.graph.subgraph(state for state in self.graph if self.solution.value(*mover_first(state)) == 0)

    @cached_property
    def line(self) -> pd.DataFrame:
        """The study's line of play beside the solution."""
        return replay(self.solution)

    @cached_property
    def replies(self) -> dict[Hands, list[Option]]:
        """The second player's first moves, and how the first player can go on after each."""
        (first,) = self.solution.options(*START)
        answers = self.solution.options(START[1], first.move.hands)
        return {
            answer.move.hands: self.solution.options(first.move.hands, answer.move.hands)
            for answer in sorted(answers, key=lambda answer: answer.move.hands)
        }

    def with_number(self, number: int, but: Iterable[int] = ()) -> list[Hands]:
        """The pairs of two live hands that can occur against 7,7 to move, with one number and none of some others."""
        pairs = [pair for pair in live_pairs(self.solution) if None not in pair and number in pair]
        return [pair for pair in pairs if not set(pair) & set(but) and can_occur(self.solution, pair, SEVENS)]

    def worth(self, pairs: Iterable[Hands]) -> list[int]:
        """Signs of the values of pairs that are to move against 7,7."""
        return [sign(self.solution.value(pair, SEVENS)) for pair in pairs]

    def plies(self, pairs: Iterable[Hands]) -> str:
        """Plies to the end for pairs that are to move against 7,7: ``8``, ``6 to 8`` or ``none``."""
        plies = {self.solution.distance(pair, SEVENS) for pair in pairs} - {None}
        return " to ".join(map(str, sorted({min(plies), max(plies)}))) if plies else "none"


#: By name.
DECIDERS: dict[str, Callable[..., dict[str, Any]]] = {}


def _decides(function: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    DECIDERS[function.__name__] = function
    return function


def _texts(pairs: Iterable[Hands]) -> str:
    return " ".join(map(hands_text, pairs))


# ---- States, ends and draws


@_decides
def mirror_images(facts: Facts) -> dict[str, Any]:
    alone = [state for state in facts.graph if (state[1], state[0], not state[2]) not in facts.graph]
    latest = max(nx.shortest_path_length(facts.graph, START_STATE, state) for state in alone)
    return {"some": bool(alone), "unmirrored": len(alone), "only_the_first_two": latest == 1}


@_decides
def start(facts: Facts) -> dict[str, Any]:
    neither = facts.graph.in_degree(START_STATE) == 0 and (*START, True) not in facts.graph
    return {
        "neither": neither,
        "once": len(facts.graph) - len(graph.on_cycles(facts.graph)),
        "states": len(facts.graph),
    }


@_decides
def potential_states(facts: Facts) -> dict[str, Any]:
    """Both players' pairs and who is to move, reachable or not."""
    pairs = len(facts.solution.game.pairs)
    return {"pairs": pairs, "potential": 2 * pairs**2}


@_decides
def reachable_states(facts: Facts) -> dict[str, Any]:
    states, positions = len(facts.graph), {mover_first(state) for state in facts.graph}
    return {"as_many": states == 1934, "states": states, "positions": len(positions)}


@_decides
def nobody_without_hands(facts: Facts) -> dict[str, Any]:
    idle = sum(mover_first(state)[0] == WITHDRAWN for state in facts.graph)
    return {"none": not idle, "on_paper": 2 * len(facts.solution.game.pairs), "idle": idle}


@_decides
def ends(facts: Facts) -> dict[str, Any]:
    found = {state for state, after in facts.graph.out_degree() if not after}
    mirrored = all((second, first, not turn) in found for first, second, turn in found)
    return {
        "as_many_and_the_same": len(found) == 46 and mirrored,
        "ends": len(found),
        "pairs": len(found) // 2,
        "live": len(live_pairs(facts.solution)),
    }


@_decides
def missing_ends(facts: Facts, few: int) -> dict[str, Any]:
    missing = unreached.missing_ends(facts.solution)
    back, shared = missing["plies back"], missing["divisor"] > 1
    return {
        "none_soon": not bool((back <= few).any()),
        "not_all_soon": not bool((back <= few).all()),
        "missing": len(missing),
        "one_ply": int((back == 1).sum()),
        "longest": back.max(),
        "parity": int(shared.sum()),
        "all_explained": bool(back.notna().all() and ((back == 1) | shared).all()),
    }


@_decides
def big_wins(facts: Facts) -> dict[str, Any]:
    counts = {kind: facts.solution.label_counts(kind) for kind in ("published", "principled")}
    harder = {kind: count[2] < count[1] for kind, count in counts.items()}
    sizes = {
        f"{kind}_{size}": count[label] for kind, count in counts.items() for size, label in (("big", 2), ("small", 1))
    }
    return harder | sizes


@_decides
def undecided(facts: Facts) -> dict[str, Any]:
    drawn, decided = len(facts.drawn), len(facts.graph) - len(facts.drawn)
    as_said = (decided, drawn) == (1466, 468) and START_STATE in facts.drawn
    return {"as_many_and_the_start": as_said, "decided": decided, "drawn": drawn}


@_decides
def connected(facts: Facts) -> dict[str, Any]:
    parts, strong = nx.number_weakly_connected_components(facts.drawn), nx.strongly_connected_components(facts.drawn)
    largest = max(map(len, strong))
    return {"weakly": parts == 1, "strongly": largest == len(facts.drawn), "components": parts, "largest": largest}


@_decides
def drawn_cycles(facts: Facts) -> dict[str, Any]:
    cycling, drawn = graph.on_cycles(facts.drawn), len(facts.drawn)
    return {
        "some": bool(cycling),
        "cycling": len(cycling),
        "drawn": drawn,
        "without_the_start": START_STATE not in cycling,
    }


@_decides
def never_losing(facts: Facts) -> dict[str, Any]:
    return {"draw": facts.solution.start_value == "draw", "value": facts.solution.start_value}


@_decides
def even_cycles(facts: Facts) -> dict[str, Any]:
    return {"two_sides": nx.is_bipartite(facts.graph), "second": sum(turn for *_, turn in facts.graph)}


# ---- First moves


@_decides
def replies(facts: Facts) -> dict[str, Any]:
    found = list(facts.replies)
    values = [facts.solution.value((1, 2), hands) for hands in found]
    return {
        "both_draw": values == [0, 0] and found == [(1, 2), (1, 3)],
        "replies": len(found),
        "drawn": values.count(0),
        "no_others": len(found) == 2,
    }


@_decides
def quarter_loses(facts: Facts, quick: int) -> dict[str, Any]:
    longest, known = int(care(facts.solution)["distance"].max()), {}
    lost = {reply: [option for option in options if option.value < 0] for reply, options in facts.replies.items()}
    quarter = all(4 * len(options) == len(facts.replies[reply]) for reply, options in lost.items())
    for reply, options in lost.items():
        plies, name = max(option.distance for option in options), "{}{}".format(*reply)
        known |= {f"lost_{name}": len(options), f"moves_{name}": len(facts.replies[reply]), f"plies_{name}": plies}
        known |= {f"soon_{name}": quarter and plies <= quick, f"slowest_{name}": plies == longest + 1}
    return {"quarter": quarter, "longest": longest} | known


@_decides
def better_reply(facts: Facts, followed: int) -> dict[str, Any]:
    """The author likes 1,3; both players are taken to be careless, in so many moves."""
    risks = reply_risks(facts.solution, followed)
    trap, own = risks["first careless"], risks["second careless"]
    return {
        "same_value": facts.solution.value((1, 2), (1, 2)) == facts.solution.value((1, 2), (1, 3)),
        "mixed": bool((trap["1,3"] > trap["1,2"]).any() and (trap["1,3"] < trap["1,2"]).any()),
        "errs_12": own.loc[1, "1,2"],
        "errs_13": own.loc[1, "1,3"],
        "safer_13": bool((own["1,3"] <= own["1,2"]).all() and (own["1,3"] < own["1,2"]).any()),
    }


# ---- Against 7,7


@_decides
def kept_three(facts: Facts) -> dict[str, Any]:
    pairs, alone = facts.with_number(3, but=[1]), facts.solution.options((3, None), SEVENS)
    options = [option for pair in pairs for option in facts.solution.options(pair, SEVENS)]
    kept = [option.value for option in options if option.move.hands == (1, 3)]
    return {
        "two_hands": len(kept) == len(pairs) and min(kept) > 0,
        "one_hand": any(option.value > 0 and 3 in option.move.hands for option in alone),
        "pairs": _texts(pairs),
        "plies": facts.plies(pairs),
        "alone_wins": alone[0].value > 0,
    }


@_decides
def lucky_three(facts: Facts) -> dict[str, Any]:
    table, known, more = showing(facts.solution), {}, []
    for side, name in (("to move", "to_move"), ("not to move", "waiting")):
        won, lost = table[side, "% won"], table[side, "% lost"]
        known |= {f"won_{name}": won[3], f"lost_{name}": lost[3]}
        known |= {f"any_won_{name}": won["any"], f"any_lost_{name}": lost["any"]}
        known[f"luckier_{name}"] = bool(won[3] > won["any"] and lost[3] < lost["any"])
        more.append(won.index[won > won[3]].tolist())
    return known | {"only_seven_wins_more": more == [[7], [7]]}


@_decides
def cannot_occur(facts: Facts) -> dict[str, Any]:
    pairs, backward = [(2, 3), (3, 3)], unreached.backward_graph(facts.solution.game)
    own = [can_occur(facts.solution, pair, SEVENS) for pair in pairs]
    other = [can_occur(facts.solution, SEVENS, pair) for pair in pairs]
    places = [place for pair in pairs for place in ((pair, SEVENS), (SEVENS, pair))]
    back = max(unreached.longest_line_back(backward, place) for place in places)
    return {
        "not_to_move": not any(own),
        "not_waiting": not any(other),
        "reachable": sum(own) + sum(other),
        "longest": f"{back} plies" if back != 1 else "1 ply",
    }


@_decides
def one_three(facts: Facts) -> dict[str, Any]:
    return {
        "loses": facts.solution.value((1, 3), SEVENS) < 0,
        "plies": facts.solution.distance((1, 3), SEVENS),
        "wins_waiting": facts.solution.value(SEVENS, (1, 3)) < 0,
    }


@_decides
def rule_of_thumb(facts: Facts, numbers: list[int], but: list[int], outcome: int) -> dict[str, Any]:
    """Hands with one of `numbers` and none of some others, to move against 7,7."""
    pairs = sorted({pair for number in numbers for pair in facts.with_number(number, but)})
    alone = [(number, None) for number in numbers if can_occur(facts.solution, (number, None), SEVENS)]
    return {
        "two_hands": set(facts.worth(pairs)) == {outcome},
        "one_hand": set(facts.worth(alone)) == {outcome},
        "pairs": _texts(pairs),
        "plies": facts.plies(pairs),
        "alone": _texts(alone),
        "alone_wins": set(facts.worth(alone)) == {1},
    }


@_decides
def beside_a_one(facts: Facts) -> dict[str, Any]:
    good, bad = [(1, number) for number in (1, 2, 5, 7)], [(1, number) for number in (3, 4, 6)]
    waiting = {pair: -sign(facts.solution.value(SEVENS, pair)) for pair in sorted([*good, *bad])}
    return {
        "all": set(facts.worth(good)) == {1} and set(facts.worth(bad)) == {-1},
        "winning": facts.plies(good),
        "losing": facts.plies(bad),
        "won": _texts(pair for pair, value in waiting.items() if value == 1),
        "drawn": _texts(pair for pair, value in waiting.items() if value == 0),
    }


# ---- The played line


@_decides
def labels_of_the_line(facts: Facts) -> dict[str, Any]:
    labelled = facts.line.dropna(subset="label")
    right = labelled["label"].map({"WIN": 1, "UNKNOWN": 0, "LOSE": -1}) == labelled["value"].map(sign)
    return {
        "all_right": bool(right.all()),
        "positions": len(facts.line),
        "labelled": len(labelled),
        "right": int(right.sum()),
    }


@_decides
def made_seven(facts: Facts) -> dict[str, Any]:
    options = facts.solution.options((2, 6), (1, 1))
    (made,) = [option for option in options if 7 in option.move.hands]
    return {"loses": made.value < 0, "plies": made.distance, "moves": len(options)}


@_decides
def missed_win(facts: Facts, side: str) -> dict[str, Any]:
    """That a side had a win, once, and let it go; and which draw had been let go before."""
    away = thrown_away(facts.line)
    missed, drawn = away.query("value > 0 and `to move` == @side"), away.query("value == 0").iloc[0]
    first = missed.iloc[0]
    return {
        "once": len(missed) == 1,
        "move": first.name + 1,
        "best": first["best"],
        "plies": first["plies"],
        "slip": f"{drawn['left']} v {drawn['right']}",
        "drew": drawn["best"],
    }
