"""Tables of formulas beside exact numbers."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from math import factorial, isqrt, sqrt

import numpy as np
import pandas as pd

from chapters.mafia.theory.exact_numbers import exact_chances, fair_number
from chapters.mafia.theory.formulas import fair_share, fair_shift, fluid_exponent, limit
from gamebalance.base.checks import shown, whole_number


def fair_numbers(players: Iterable[int]) -> pd.DataFrame:
    """Fair numbers of mafiosi without detectives, exactly and as the square-root law has them.

    One row for each number of players, 3 or more: the whole number of mafiosi nearest to an even game and the
    innocents' chance with it, the fair number (see `fair_number`), its prediction by `fair_share` and `fair_shift`, its
    share of the square root of the players, and the limit of this share.
    """
    tables = _tables(list(players), 0)
    rows = []
    for number, (chances,) in tables.items():
        parity, best = _parity(number), int(np.nanargmin(abs(chances - 0.5)))
        share, fair = fair_share(0, parity), fair_number(chances)
        predicted = share * sqrt(number) - fair_shift(parity)
        rows.append([number, best, chances[best], fair, predicted, fair / sqrt(number), share])
    names = ["players", "best whole number", "chance", "fair number", "predicted", "share", "limit of the share"]
    return pd.DataFrame(rows, columns=names)


def fair_shares(players: Sequence[int], detectives: Sequence[int]) -> pd.DataFrame:
    """Fair shares of mafiosi with a fixed number of detectives, exactly and in the limit; rows for none are added.

    The fair number by the square root of the players, for each of them (even numbers; in the row for odd ones, one
    player more) and in the limit; the square of the limit per detective; and the innocents' chance with as many mafiosi
    as the square root of the largest number of players, rounded down, there and in the limit.
    """
    largest = max(players)
    tables = _tables([number + odd for number in players for odd in (0, 1)], max(detectives, default=0))
    rows = []
    for d, parity in [(0, "even"), (0, "odd"), *((d, "even") for d in detectives)]:
        odd, share = int(parity == "odd"), fair_share(d, parity)
        found = [fair_number(tables[number + odd][d]) / sqrt(number + odd) for number in players]
        chances = tables[largest + odd][d, isqrt(largest)], limit(1, d, parity)
        rows.append([_case(d, parity), *found, share, share**2 / d if d else None, *chances])
    names = [("fair number / √players", name) for name in [*(f"{number:,}" for number in players), "limit"]]
    names += [("", "limit² / d")] + [("chance, √players mafiosi", name) for name in (f"{largest:,}", "limit")]
    return pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples([("", "detectives"), *names]))


def distances(players: Iterable[int], cases: Iterable[tuple[int, str]]) -> pd.DataFrame:
    """How far exact fair shares are below their limits, in mafiosi per square root of the players, case after case.

    `players` are even numbers; a case is a number of detectives and a parity: for the odd one there is one player more.
    """
    cases, players = list(cases), list(players)
    tables = _tables([number + odd for number in players for odd in (0, 1)], max(d for d, _ in cases))
    rows = []
    for d, parity in cases:
        share = fair_share(d, parity)
        for number in (number + (parity == "odd") for number in players):
            rows.append([_case(d, parity), number, share - fair_number(tables[number][d]) / sqrt(number)])
    return pd.DataFrame(rows, columns=["case", "players", "distance"])


def parity_gaps(players: int, detectives: Iterable[int]) -> pd.DataFrame:
    r"""How much better an even number of players is for the innocents than its neighbours, with its root in mafiosi.

    While detectives live, each arrest turns the parity of the living round. Until a fraction x of the players is left,
    an even number of arrests is more likely than an odd one by :math:`e^{-\lambda\sqrt N(1-x)}`; with the density
    :math:`d(1-x)^{d-1}` of x, this leaves :math:`d!/(\lambda\sqrt N)^d` of the effect without detectives.

    `players` is N, an even number. Columns detectives, exact and argued, in probability.
    """
    if whole_number("players", players, 2) % 2:
        raise ValueError(f"players = {players}: an even number is needed")
    detectives = list(detectives)
    mafiosi = isqrt(players)
    tables = exact_chances([players - 1, players, players + 1], mafiosi, max(detectives))
    before, here, after = (tables[players + more] for more in (-1, 0, 1))
    exact = (here - (before + after) / 2)[detectives, mafiosi]
    without = limit(mafiosi / sqrt(players)) - limit(mafiosi / sqrt(players), parity="odd")
    argued = [factorial(d) / mafiosi**d * without for d in detectives]
    return pd.DataFrame({"detectives": detectives, "exact": exact, "argued": argued})


def fixed_shares(percents: Sequence[int], tables: Mapping[int, np.ndarray]) -> pd.DataFrame:
    """Games in which a fixed share of the players are detectives, around as many mafiosi as detectives.

    `tables` are from `exact_chances`, by number of players; each share must give a multiple of five detectives. Columns
    of two levels: share (as text), players, detectives, the innocents' chance with 0.8, 1 and 1.2 times as many mafiosi
    as detectives, the fair number of mafiosi per detective, and from the fluid limit at as many mafiosi as detectives,
    `fluid_exponent` and how many times smaller a town is when an imbalance has doubled.
    """
    rows = []
    for percent, (players, table) in product(percents, tables.items()):
        d, rest = divmod(players * percent, 100)
        if rest or d % 5:
            raise ValueError(f"percents = {shown(percents)}: of {players} players, multiples of five are needed")
        kappa = fluid_exponent(percent / (100 - percent))
        chances = [table[d, d * fifths // 5] for fifths in (4, 5, 6)]
        rows.append([f"{percent}%", players, d, *chances, fair_number(table[d]) / d, kappa, 2 ** (1 / kappa)])
    names = [("", "share"), ("", "players"), ("", "detectives"), ("chance", "m = 0.8 d"), ("chance", "m = d")]
    names += [("chance", "m = 1.2 d"), ("", "fair m / d"), ("imbalance", "exponent κ"), ("imbalance", "doubled at")]
    return pd.DataFrame(rows, columns=pd.MultiIndex.from_tuples(names))


def _tables(players: Sequence[int], detectives: int) -> dict[int, np.ndarray]:
    """Exact chances as far as fair numbers go: up to the larger of the limit and the number of detectives."""
    most = max(fair_share(detectives) * sqrt(max(players)), detectives)
    return exact_chances(players, int(most) + 2, detectives)


def _parity(players: int) -> str:
    return "odd" if players % 2 else "even"


def _case(detectives: int, parity: str) -> str:
    return str(detectives) if detectives else f"0, {parity} N"
