"""The equilibria of Kuhn poker for three players that are known in closed form, and what they are worth."""

from collections.abc import Mapping
from itertools import product

from gamebalance.base.checks import shown
from gamebalance.base.kinds import Real
from gamebalance.games.kuhn import BET, PASS


def szafron_profile(
    b11: float, b21: float, *, b32: float | None = None, c33: float | None = None, c34: float = 0.0
) -> dict[str, dict[str, float]]:
    """An equilibrium of three-player Kuhn poker, from the first sub-family (c11 = 0) of Szafron and others.

    A letter names the player (a, b, c), the first digit the card (1 lowest, 4 highest) and the second the situation: 1
    nobody has bet, 2 the bet came from the seat before (for the first player: from the last, after two passes), 3 the
    seat before folded to the bet, 4 it called. Arguments are chances to bet or call. The last player never bluffs with
    the lowest card and bets half the time with the second; the first player never bets. How often the second player
    bluffs, beta = max(b11, b21) = b21, decides how much goes from the first player to the third: the values are (-(1/2
    + beta) / 24, -1/48, (1 + beta) / 24).

    The bounds are 0 <= b11 <= b21 <= 1/4; b32 <= 1/2 + (3 b11 + 4 b21) / 4; and c33 from 1/2 - b32 to 1/2 - b32 + (3
    b11 + 4 b21) / 4. By default b32 is half of its bound, c33 in the middle of its own, cut at 0 and 1.

    D. Szafron, R. Gibson and N. Sturtevant, "A parameterized family of equilibrium profiles for three-player Kuhn
    poker", AAMAS 2013.
    """
    b21 = _probability("b21", b21, 1 / 4)
    b11 = _probability("b11", b11, b21)
    bluffs = (3 * b11 + 4 * b21) / 4
    b32 = 1 / 4 + bluffs / 2 if b32 is None else _probability("b32", b32, min(1, 1 / 2 + bluffs))
    lowest = max(0.0, 1 / 2 - b32)
    highest = max(lowest, min(1.0, 1 / 2 - b32 + bluffs))  # rounding may put it below
    c33 = (lowest + highest) / 2 if c33 is None else _probability("c33", c33, highest, lowest)
    c34 = _probability("c34", c34)
    situations = {
        "a": ("", "ppb", "pbp", "pbb"),
        "b": ("p", "b", "ppbp", "ppbb"),
        "c": ("pp", "pb", "bp", "bb"),
    }
    # The highest card bets or calls, the two lowest neither, unless said otherwise.
    chances = {(seat, card, k): float(card == 4) for seat, card, k in product("abc", range(1, 5), range(1, 5))}
    chances |= {("a", 4, 1): 0.0, ("a", 3, 3): 1 / 2}
    chances |= {("b", 1, 1): b11, ("b", 2, 1): b21, ("b", 4, 1): 2 * (b11 + b21)}
    chances |= {("b", 3, 2): b32, ("b", 3, 3): (1 + b11 + 2 * b21) / 2}
    chances |= {("c", 2, 1): 1 / 2, ("c", 3, 3): c33, ("c", 3, 4): c34}
    return _of_bets({f"{card - 1}{situations[seat][k - 1]}": bet for (seat, card, k), bet in chances.items()})


def szafron_values(beta: float) -> tuple[float, float, float]:
    """What the three players get in the equilibria of `szafron_profile` with b21 = beta, in antes."""
    beta = _probability("beta", beta, 1 / 4)
    return -(1 / 2 + beta) / 24, -1 / 48, (1 + beta) / 24


def _of_bets(bets: Mapping[str, float]) -> dict[str, dict[str, float]]:
    return {information: {PASS: 1 - bet, BET: bet} for information, bet in bets.items()}


def _probability(name: str, value: float, most: float = 1.0, least: float = 0.0) -> float:
    # A rounding error at the end of a range is not an error of the caller.
    if isinstance(value, bool) or not isinstance(value, Real) or not least - 1e-12 <= value <= most + 1e-12:
        raise ValueError(f"{name} = {shown(value)}: a number from {least:.6g} to {most:.6g} is needed")
    return float(min(max(value, least), most))
