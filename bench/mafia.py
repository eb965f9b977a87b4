"""The published program of the study (jouets, from PyPI) against our tables and probabilities, each from scratch."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from bench.timing import Comparison, call_seconds, in_turn
from gamebalance import mafia
from gamebalance.mafia.exact import following
from tests.oracles.mafia_town import PlainTown

#: Balance tables: our range of detectives, and the peer's, which ends before its second number.
TABLES = {"no detective": ((0, 0), (0, 1)), "1 or 2": ((1, 2), (1, 3)), "any number": ((0, None), (0, 102))}
#: Players and detectives of single probabilities, with a number of mafiosi near balance.
SINGLE = ((100, 2, 8), (1000, 2, 27))
TOWN = mafia.Setup.of_players(20)
#: A table with roles, and one with a don and a sheriff who tells; for fractions and for games.
ROLES = {
    "12 with doctor, witch, hunter": (mafia.Setup(3, 5, 1, 1, 1, 1), mafia.Rules("always")),
    "10 with don and sheriff": (
        mafia.Setup.read("10: don, 2 mafiosi, sheriff, 6 citizens"),
        mafia.Rules("always", tells="at a find"),
    ),
}
#: Simulated games of the compiled side and of the plain one.
GAMES, PLAIN_GAMES = 200_000, 2000


def comparisons(_peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons that this machine can make; says why one cannot be made."""
    mafia.balance_table(10, (0, None))
    for setup, rules in ROLES.values():
        mafia.solve(setup, rules)
        mafia.simulate(setup, 1, 1, rules)
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
    """Our compiled solver against our plain one, and our simulator against its twin in the tests."""
    yield in_turn(
        f"{TOWN.players} players, exact fraction against float",
        "chance",
        (lambda: call_seconds(lambda: mafia.solve(TOWN, exact=True)), 1),
        (lambda: call_seconds(lambda: mafia.solve(TOWN)), 1),
        min(rounds, 3),
    )
    for name, (setup, rules) in ROLES.items():
        yield in_turn(
            f"{name}, exact fraction against float",
            "chance",
            (lambda setup=setup, rules=rules: call_seconds(lambda: _fraction(setup, rules)), 1),
            (lambda setup=setup, rules=rules: call_seconds(lambda: mafia.solve(setup, rules)), 1),
            min(rounds, 3),
        )
        yield in_turn(
            f"{name}, games in plain Python against compiled",
            "game",
            (lambda setup=setup, rules=rules: call_seconds(lambda: _plain_games(setup, rules)), PLAIN_GAMES),
            (lambda setup=setup, rules=rules: call_seconds(lambda: mafia.simulate(setup, GAMES, 1, rules)), GAMES),
            min(rounds, 3),
        )


def _fraction(setup: mafia.Setup, rules: mafia.Rules) -> None:
    """Solve from nothing: what may follow a town is forgotten first."""
    following.cache_clear()
    mafia.solve(setup, rules, exact=True)


def _plain_games(setup: mafia.Setup, rules: mafia.Rules) -> None:
    for game in range(PLAIN_GAMES):
        PlainTown(setup, 1, game, rules).play("evening")


def _afresh(peer, call: Callable[[], object]) -> float:
    """Seconds of a call of the peer with its caches empty: ours keeps none."""
    peer.proba_soir.cache_clear()
    peer.proba_matin.cache_clear()
    return call_seconds(call)
