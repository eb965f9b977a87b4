"""Backward induction on nested data, written without the library: what searches are tested against.

A node is a tuple of payoffs or (mover, list of nodes), as `games.Tree` reads it.
"""

import random
from itertools import product


def is_leaf(node):
    return not isinstance(node[1], list) if len(node) == 2 else True


def grown(rng, players, depth, draw, most_moves=3, stop=0.15):
    """A random tree of uneven depth and branching; any player may move anywhere."""
    if depth == 0 or rng.random() < stop:
        return draw()
    children = [grown(rng, players, depth - 1, draw, most_moves, stop) for _ in range(rng.randint(1, most_moves))]
    return rng.randrange(players), children


def divided(rng, players, total):
    """`total` points among the players."""
    cuts = sorted(rng.randint(0, total) for _ in range(players - 1))
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, total], strict=True))


def random_trees(count, seed=0, players=3, kind="independent", depth=4):
    rng = random.Random(seed)

    def winner():
        alone = rng.randrange(players)
        return tuple(3 * (i == alone) for i in range(players))

    draw = {
        "independent": lambda: tuple(rng.randrange(4) for _ in range(players)),
        "constant": lambda: divided(rng, players, 6),
        "winner": winner,
        "negative": lambda: tuple(rng.randint(-3, 2) for _ in range(players)),
    }[kind]
    for _ in range(count):
        yield rng.randrange(players), [grown(rng, players, depth, draw) for _ in range(rng.randint(1, 3))]


def backward(node, pick):
    """The value and path of moves when each mover picks, of the list of (value, path), one by `pick(mover, list)`."""
    if is_leaf(node):
        return node, ()
    mover, children = node
    options = [(value, (i, *path)) for i, child in enumerate(children) for value, path in [backward(child, pick)]]
    return pick(mover, options)


def picks_first(mover, options):
    top = max(value[mover] for value, _ in options)
    return next(option for option in options if option[0][mover] == top)


def picks_last(mover, options):
    top = max(value[mover] for value, _ in options)
    return [option for option in options if option[0][mover] == top][-1]


def picks_for_root(root, sign):
    def pick(mover, options):
        top = max(value[mover] for value, _ in options)
        tied = [option for option in options if option[0][mover] == top]
        extreme = max(sign * value[root] for value, _ in tied)
        return next(option for option in tied if sign * option[0][root] == extreme)

    return pick


def picks_as_foes(us):
    """Paranoid: the others take what is worst for `us`."""

    def pick(mover, options):
        wanted = (max if mover == us else min)(value[us] for value, _ in options)
        return next(option for option in options if option[0][us] == wanted)

    return pick


def every_value(node):
    """All values by trying every rule: one choice for every node and every combination of the choices below."""
    if is_leaf(node):
        return {node}
    mover, children = node
    found = set()
    for values in product(*map(every_value, children)):
        top = max(value[mover] for value in values)
        found |= {value for value in values if value[mover] == top}
    return found


def size(node):
    """All nodes and the leaves among them."""
    if is_leaf(node):
        return 1, 1
    sizes = [size(child) for child in node[1]]
    return 1 + sum(n for n, _ in sizes), sum(m for _, m in sizes)


def cut_off(node, depth, estimates):
    """The tree above a depth, with `estimates[path]` at its inner nodes there."""

    def walk(node, path):
        if is_leaf(node):
            return node
        if len(path) == depth:
            return estimates[path]
        return node[0], [walk(child, (*path, i)) for i, child in enumerate(node[1])]

    return walk(node, ())
