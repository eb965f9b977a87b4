"""Check a drawing certificate of Count-N: python checker.py FILE…  Needs nothing but Python, not even gamebalance.

A file begins with ``count-n 8 one``: the number to count to, and what a hand shows after more, ``one`` or
``rollover``. Each further line is a position with the mover's hands first, and the mover's hands after the move, as in
``1,7 v 2,6 > 1,1``. Who plays these moves must never lose from ``1,1 v 1,1``, neither as the first player nor as the
second; the other player may do whatever the rules allow. Then neither can force a win, and the game is a draw.
"""

import sys


def hands(text):
    """Two hands, 0 for a withdrawn one, the greater first."""
    return tuple(sorted((0 if hand == "-" else int(hand) for hand in text.split(",")), reverse=True))


def moves(n, rollover, own, other):
    """What the hands may be after a move."""
    for i in (0, 1):
        for added in other:
            if own[i] and added:
                total = own[i] + added
                total = total if total < n else 0 if total == n else total - n if rollover else 1
                yield tuple(sorted((total, own[1 - i]), reverse=True))


def check(lines):
    """The number to count to, the overflow and the number of positions met; ValueError if the certificate is wrong."""
    (name, n, overflow), *rest = [line.split() for line in lines]
    if name != "count-n" or overflow not in ("one", "rollover"):
        raise ValueError("the first line is not: count-n, a number, one or rollover")
    n = int(n)
    strategy = {(hands(mover), hands(other)): hands(after) for mover, _, other, _, after in rest}
    met = {
        ((1, 1), (1, 1))
    }  # positions with the strategy to move: as the first player, and after any move as the second
    pending = [((1, 1), (1, 1))] + [((1, 1), after) for after in moves(n, overflow == "rollover", (1, 1), (1, 1))]
    met.update(pending)
    while pending:
        mine, other = pending.pop()
        if not any(other):
            raise ValueError(f"the strategy has lost with {mine} v {other}")
        after = strategy.get((mine, other))
        if after not in moves(n, overflow == "rollover", mine, other):
            raise ValueError(f"{mine} v {other}: no legal move is given")
        if any(after):  # else the strategy has won
            for reply in moves(n, overflow == "rollover", other, after):
                if (after, reply) not in met:
                    met.add((after, reply))
                    pending.append((after, reply))
    return n, overflow, len(met)


if __name__ == "__main__":
    for file in sys.argv[1:]:
        try:
            with open(file, encoding="ascii") as lines:
                number, rule, positions = check(lines)
        except (OSError, ValueError) as error:
            sys.exit(f"{file}: {error}")
        print(f"{file}: Count-{number} (overflow: {rule}) is a draw, {positions} positions checked")
