"""The fewest leaves that a search with pruning can do with, in a tree of equal branching and depth.

Each count is exact for the trees that suit the method best. For the two-sided methods these are the trees in which the
best move always comes first; shallow pruning also needs payoffs by which every cut that it allows is made. Unpruned
searches value all ``branching ** depth`` leaves.
"""


def shallow_leaves(branching: int, depth: int) -> int:
    """Leaves of MaxN with shallow pruning, at best (Korf, 1991): F(d) = F(d - 1) + (b - 1) F(d - 2).

    The first move is searched in full; after every other one the next player needs a single move to show that it is
    not wanted, and below that move no bound is left. So the growth rate is ``(1 + sqrt(4 b - 3)) / 2`` for each ply,
    whatever the number of players. Immediate pruning, which can save more, is left out.
    """
    before, leaves = 1, branching if depth else 1
    for _ in range(1, depth):
        before, leaves = leaves, leaves + (branching - 1) * before
    return leaves


def paranoid_leaves(branching: int, depth: int, players: int) -> int:
    """Leaves of Paranoid search with alpha-beta, at best: of the order ``branching ** (depth (n - 1) / n)``.

    To show that our side gets at least so much takes one of our moves and all of theirs wherever they are to move; to
    show that it gets no more, the other way round (Knuth and Moore, 1975; Sturtevant and Korf, 2000). The players move
    in turn, beginning with the searching one.
    """
    return _two_sides([(branching, ply % players == 0) for ply in range(depth)])


def best_reply_leaves(branching: int, depth: int, players: int) -> int:
    """Leaves of Best-Reply Search with alpha-beta, at best: b^ceil(d / 2) + (b (n - 1))^floor(d / 2) - 1.

    Every player has b moves in each state; every second one of the plies is the opponents'.
    """
    return _two_sides([(branching * (1 if ply % 2 == 0 else players - 1), ply % 2 == 0) for ply in range(depth)])


def _two_sides(plies: list[tuple[int, bool]]) -> int:
    """Leaves of the minimal alpha-beta tree, from (number of moves, whether ours) of each ply."""
    exact = at_least = at_most = 1
    for moves, ours in reversed(plies):
        # After the first move, siblings have to be shown to be no better for the side that moves.
        exact += (moves - 1) * (at_most if ours else at_least)
        at_most, at_least = (at_most * moves, at_least) if ours else (at_most, at_least * moves)
    return exact
