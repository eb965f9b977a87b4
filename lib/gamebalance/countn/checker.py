"""Check a drawing certificate of Count-N: python checker.py FILE…  Needs nothing but Python, not even gamebalance.

A file begins with ``count-n 8 one``: the number to count to, and what a hand shows after more, ``one`` or
``rollover``. Each further line is a position with the mover's hands first, and the mover's hands after the move, as in
``1,7 v 2,6 > 1,1``. Who plays these moves must never lose from ``1,1 v 1,1``, neither as the first player nor as the
second; the other player may do whatever the rules allow. Then neither can force a win, and the game is a draw.
"""

import re
import sys

HANDS = r"([1-9]\d*|-),([1-9]\d*|-)"


def hands(first, second):
    """Two hands, 0 for a withdrawn one, the greater first."""
    return tuple(sorted((0 if hand == "-" else int(hand) for hand in (first, second)), reverse=True))


def moves(n, rollover, own, other):
    """What the hands may be after a move."""
    for i in (0, 1):
        for added in other:
            if own[i] and added:
                total = own[i] + added
                total = total if total < n else 0 if total == n else total - n if rollover else 1
                yield tuple(sorted((total, own[1 - i]), reverse=True))


def read(lines):
    """The number to count to, the overflow, and the strategy: position to hands; ValueError for a line amiss."""
    first, *rest = [line.strip() for line in lines] or [""]
    head = re.fullmatch(r"count-n (\d+) (one|rollover)", first)
    if not head or int(head[1]) < 2:
        raise ValueError("line 1: count-n, a number from 2 on and one or rollover are needed")
    strategy = {}
    for number, line in enumerate(rest, 2):
        found = re.fullmatch(f"{HANDS} v {HANDS} > {HANDS}", line)
        if not found:
            raise ValueError(f"line {number}: a position and hands are needed, such as 1,7 v 2,6 > 1,1")
        texts = found.groups()
        position = hands(*texts[:2]), hands(*texts[2:4])
        if position in strategy:
            raise ValueError(f"line {number}: this position stands in the file twice")
        strategy[position] = hands(*texts[4:])
    return int(head[1]), head[2], strategy


def check(lines):
    """The number to count to, the overflow and the number of positions met; ValueError if the certificate is wrong."""
    n, overflow, strategy = read(lines)
    rollover, start = overflow == "rollover", (1, 1)
    # With the strategy to move: as the first player, and as the second after any move of the first.
    pending = [(start, start), *((start, after) for after in moves(n, rollover, start, start))]
    met = set(pending)
    while pending:
        mine, other = pending.pop()
        if not any(other):
            raise ValueError(f"the strategy has lost with {mine} v {other}")
        after = strategy.get((mine, other))
        if after not in moves(n, rollover, mine, other):
            raise ValueError(f"{mine} v {other}: no legal move is given")
        if any(after):  # else the strategy has won
            for reply in moves(n, rollover, other, after):
                if (after, reply) not in met:
                    met.add((after, reply))
                    pending.append((after, reply))
    return n, overflow, len(met)


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("usage: python checker.py FILE…")
    for file in sys.argv[1:]:
        try:
            with open(file, encoding="ascii") as lines:
                number, rule, positions = check(lines)
        except (OSError, ValueError) as error:
            sys.exit(f"{file}: {error}")
        print(f"{file}: Count-{number} (overflow: {rule}) is a draw, {positions} positions checked")
