"""The study's claims about the states of Count-8, its ends, its draws and its first moves."""

import networkx as nx

from gamebalance.countn.graph import START_STATE, mover_first, on_cycles
from gamebalance.countn.notation import hands_text
from gamebalance.countn.rules import START, WITHDRAWN

from .facts import Facts, Statement, claim
from .graphs import missing_ends, potential_states
from .lines import reply_risks
from .positions import care, live_pairs

#: A loss in so many plies is called quick here, five moves of each side.
_QUICK = 10

#: How many moves of a careless player are followed.
_FOLLOWED = 10


@claim
def _asymmetric(facts: Facts) -> Statement:
    unmirrored = [
        (first, second, turn) for first, second, turn in facts.graph if (second, first, not turn) not in facts.graph
    ]
    return Statement(
        "asymmetric",
        "The two players do not meet the same positions",
        {"a state has no mirror image": bool(unmirrored)},
        {"states without a mirror image": len(unmirrored)},
        "Only the first two states of a game, before and after the first move, have no mirror image."
        if max(nx.shortest_path_length(facts.graph, START_STATE, state) for state in unmirrored) == 1
        else "",
    )


@claim
def _start(facts: Facts) -> Statement:
    once = len(facts.graph) - len(on_cycles(facts.graph))
    return Statement(
        "start",
        "1,1 v 1,1 never comes back, and only the first player has it",
        {"neither": facts.graph.in_degree(START_STATE) == 0 and (*START, True) not in facts.graph},
        {"states that cannot recur": once, "states": len(facts.graph)},
        "It is not alone: many states cannot recur.",
    )


@claim
def _potential(facts: Facts) -> Statement:
    return Statement(
        "potential",
        "The number of potential states (the formula is lost)",
        {},
        {"pairs of hands": len(facts.solution.game.pairs), "states on paper": potential_states(facts.solution.game)},
        "The description in words gives (N(N+1)/2)² · 2.",
    )


@claim
def _reachable(facts: Facts) -> Statement:
    count = len(facts.graph)
    positions = {mover_first(state) for state in facts.graph}
    return Statement(
        "reachable",
        "Play reaches 1934 states",
        {"so many": count == 1934},
        {"states": count, "positions": len(positions)},
    )


@claim
def _trivial(facts: Facts) -> Statement:
    idle = [state for state in facts.graph if state[state[2]] == WITHDRAWN]
    return Statement(
        "trivial",
        "Nobody is ever to move with both hands withdrawn",
        {"none reachable": not idle},
        {"such states on paper": 2 * len(facts.solution.game.pairs), "reachable": len(idle)},
    )


@claim
def _ends(facts: Facts) -> Statement:
    ends = [state for state, after in facts.graph.out_degree() if not after]
    mirrored = all((second, first, not turn) in ends for first, second, turn in ends)
    return Statement(
        "ends",
        "There are 46 ends, the same for both players",
        {"so many, and the same": len(ends) == 46 and mirrored},
        {"ends": len(ends), "loser's pairs": len(ends) // 2, "pairs with a live hand": len(live_pairs(facts.solution))},
    )


@claim
def _missing(facts: Facts) -> Statement:
    missing = missing_ends(facts.solution)
    back, shared = missing["plies back"], missing["divisor"] > 1
    few = 3
    return Statement(
        "missing",
        "Going back a few plies from a missing end meets no contradiction soon",
        {
            f"for none of them within {few} plies": not bool((back <= few).any()),
            f"for some of them not within {few} plies": not bool((back <= few).all()),
        },
        {
            "missing pairs": len(missing),
            "contradiction after one ply": int((back == 1).sum()),
            "after the longest line back": f"{back.max():.0f} plies",
            "explained by parity": int(shared.sum()),
        },
        "All are contradicted in the end, and two arguments without search explain all: one ply back, and parity."
        if back.notna().all() and ((back == 1) | shared).all()
        else "",
    )


@claim
def _big(facts: Facts) -> Statement:
    labels = {kind: facts.solution.label_counts(kind) for kind in ("published", "principled")}
    return Statement(
        "big",
        "A big win is harder to get than a small one",
        {f"by the {kind} labels": count[2] < count[1] for kind, count in labels.items()},
        {f"big and small wins, {kind} labels": f"{count[2]} and {count[1]}" for kind, count in labels.items()},
        "The study's split of the wins depends on the order of its loop.",
    )


@claim
def _decided(facts: Facts) -> Statement:
    drawn, decided = len(facts.drawn), len(facts.graph) - len(facts.drawn)
    return Statement(
        "decided",
        "1466 states are decided and 468 are not, the start among these",
        {"so many, and the start": (decided, drawn) == (1466, 468) and START_STATE in facts.drawn},
        {"decided": decided, "not decided": drawn},
    )


@claim
def _connected(facts: Facts) -> Statement:
    weak, strong = nx.number_weakly_connected_components(facts.drawn), nx.strongly_connected_components(facts.drawn)
    return Statement(
        "connected",
        "The undecided states form a connected graph",
        {
            "if arrows are ignored": weak == 1,
            "each from each along the arrows": nx.is_strongly_connected(facts.drawn),
        },
        {"components without arrows": weak, "states in the largest strong component": max(map(len, strong))},
    )


@claim
def _cycle(facts: Facts) -> Statement:
    cycling = on_cycles(facts.drawn)
    return Statement(
        "cycle",
        "The undecided states contain cycles",
        {"some": bool(cycling)},
        {"states on cycles": len(cycling), "undecided states": len(facts.drawn)},
        "" if START_STATE in cycling else "The start lies on none of them.",
    )


@claim
def _no_loss(facts: Facts) -> Statement:
    return Statement(
        "no loss",
        "Both players have a strategy that never loses",
        {"the start is a draw": facts.solution.start_value == "draw"},
        {"value of the start": facts.solution.start_value},
        "It follows from the value of the start. Cycles alone prove nothing, as the study says further on.",
    )


@claim
def _replies(facts: Facts) -> Statement:
    replies = list(facts.replies)
    values = [facts.solution.value((1, 2), hands) for hands in replies]
    return Statement(
        "replies",
        "The second player can begin with 1,2 or 1,3",
        {"both draw": values == [0, 0] and replies == [(1, 2), (1, 3)]},
        {"replies": len(replies), "of them drawn": values.count(0)},
        "These are all his moves: no reply loses." if len(replies) == 2 else "",
    )


@claim
def _quarter(facts: Facts) -> Statement:
    lost = {reply: [option for option in options if option.value < 0] for reply, options in facts.replies.items()}
    plies = {reply: max(option.distance for option in options) for reply, options in lost.items()}
    quarter = all(4 * len(options) == len(facts.replies[reply]) for reply, options in lost.items())
    shares = {reply: f"{len(options)} of {len(facts.replies[reply])}" for reply, options in lost.items()}
    longest = int(care(facts.solution)["distance"].max())
    slowest = [hands_text(reply) for reply, distance in plies.items() if distance == longest + 1]
    return Statement(
        "quarter",
        "After either reply, a quarter of the first player's second moves is sudden death",
        {
            "a quarter loses, however late": quarter,
            **{
                f"a quarter loses, after {hands_text(reply)} within {_QUICK} plies": quarter and plies[reply] <= _QUICK
                for reply in lost
            },
        },
        {f"losing after {hands_text(reply)}": f"{shares[reply]}, in {plies[reply]} plies" for reply in lost},
        f"After {' and '.join(slowest)} it is the slowest loss there is: no win takes longer than its {longest} plies."
        if slowest
        else "",
    )


@claim
def _better(facts: Facts) -> Statement:
    risks = reply_risks(facts.solution, _FOLLOWED)
    trap, own = risks["first careless"], risks["second careless"]
    other, liked = trap.columns
    mixed = (trap[liked] > trap[other]).any() and (trap[liked] < trap[other]).any()
    safer = (own[liked] <= own[other]).all() and (own[liked] < own[other]).any()
    return Statement(
        "better",
        "Nothing tells which of the two replies is better; the author likes 1,3",
        {
            "same value": facts.solution.value((1, 2), (1, 2)) == facts.solution.value((1, 2), (1, 3)),
            "as traps": bool(mixed),
        },
        {f"careless second player errs at once after {hands}": f"{own.loc[1, hands]:.0f} %" for hands in own},
        f"For a second player who may err, {liked} is the safer one." if safer else "",
    )


@claim
def _even(facts: Facts) -> Statement:
    return Statement(
        "even",
        "No cycle has an odd length",
        {"the graph has two sides": nx.is_bipartite(facts.graph)},
        {"states with the second player to move": sum(turn for *_, turn in facts.graph)},
    )
