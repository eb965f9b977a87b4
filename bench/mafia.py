"""The published program of the study (jouets, from PyPI) against our tables and probabilities, each from scratch."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.timing import Comparison, call_seconds, in_turn
from gamebalance import mafia

#: Balance tables: our range of detectives, and the peer's, which ends before its second number.
TABLES = {"no detective": ((0, 0), (0, 1)), "1 or 2": ((1, 2), (1, 3)), "any number": ((0, None), (0, 102))}
#: Players and detectives of single probabilities, with a number of mafiosi near balance.
SINGLE = ((100, 2, 8), (1000, 2, 27))
TOWN = mafia.Setup.of_players(20)


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons that this machine can make; says why one cannot be made."""
    mafia.balance_table(10, (0, None))
    yield from _against_readable(rounds)
    try:
        from jouets import mafia as peer
        from jouets.mafia.equilibre.__main__ import equilibre
    except ImportError:
        print("left out: the published program of Mafia (make bench installs it when PyPI can be reached)")
        return
    sys.setrecursionlimit(20_000)
    for name, (ours, theirs) in TABLES.items():
        yield in_turn(
            f"balance table to 100 players, {name}",
            "table",
            (lambda theirs=theirs: _afresh(peer, lambda: equilibre((2, 101), theirs)), 1),
            (lambda ours=ours: call_seconds(lambda: mafia.balance_table(100, ours)), 1),
            min(rounds, 3),
        )
    for players, detectives, mafiosi in SINGLE:
        town = mafiosi, players - mafiosi - detectives, detectives
        yield in_turn(
            f"{players} players, {detectives} detectives, {mafiosi} mafiosi",
            "chance",
            (lambda town=town: _afresh(peer, lambda: peer.proba_soir(*town)), 1),
            (lambda town=town: call_seconds(lambda: mafia.win_probability(*town)), 1),
            min(rounds, 3),
        )


def _against_readable(rounds: int) -> Iterator[Comparison]:
    """Our compiled solver against our plain one."""
    yield in_turn(
        f"{TOWN.players} players, exact fraction against float",
        "chance",
        (lambda: call_seconds(lambda: mafia.solve(TOWN, exact=True)), 1),
        (lambda: call_seconds(lambda: mafia.solve(TOWN)), 1),
        min(rounds, 3),
    )


def _afresh(peer, call: Callable[[], object]) -> float:
    """Seconds of a call of the peer with its caches empty: ours keeps none."""
    peer.proba_soir.cache_clear()
    peer.proba_matin.cache_clear()
    return call_seconds(call)
