"""The report's own two programs against solver, simulator and their emulation; the simulator's two forms."""

import shutil
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from unittest.mock import patch

from bench.timing import Comparison, call_seconds, command_seconds, in_turn
from chapters.the_renegade_of_real_life_games import Behaviour, play, simulate
from gamebalance import as_published, sanguosha
from gamebalance.sanguosha.kernels import fit
from gamebalance.sanguosha.replies.best import payoff
from gamebalance.sanguosha.replies.values import Values
from gamebalance.sanguosha.states import theorem_bound

#: Games per round that are replayed with the report's own random numbers: (line-up, peer's games, our games).
REPLAYED = (("1-1-1-1", 150_000, 600_000), ("1-3-4-2", 40_000, 200_000))

#: Games per round: (line-up, peer's games, our games), about a second each.
MONTE_CARLO = (("1-1-1-1", 150_000, 2_000_000), ("1-1-2-1", 120_000, 2_000_000), ("1-3-4-2", 40_000, 800_000))

#: The same with exact endgames, which count as the games that would leave the same error of the lord's survival.
ENDGAMES = (("1-1-2-1", 120_000, 2_000_000), ("1-3-4-2", 40_000, 1_000_000))

#: Seatings of five and six players, solved once; the latter, which takes minutes, only if there are so many rounds. The
#: report's program is for four, so both count by the states of the report's Theorem 7.1, over which its loop runs.
LARGE, MANY = ("01223", "012223"), 10


def comparisons(peers: Path, rounds: int) -> Iterator[Comparison]:
    """All comparisons that this machine can make; says why one cannot be made."""
    sanguosha.simulate("1-1-1-1", 1000, seed=1)
    sanguosha.solve("02")
    as_published.replay("1-1-1-1", 1000)
    as_published.transfer_table("0123")
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not (peers / "mc_report.c").is_file():
        print(f"left out: the report's programs (need a C compiler and their sources in {peers})")
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield from _against_report(compiler, peers, Path(folder), rounds)
    yield _against_readable(rounds)
    yield _fast_against_plain(rounds)
    yield _behaviours(rounds)
    yield _settling()


def _against_report(compiler: str, peers: Path, folder: Path, rounds: int) -> Iterator[Comparison]:
    for name in ("mc_report", "exact_report"):
        flags = ["-O3", "-march=native", "-w", "-o", str(folder / name), str(peers / f"{name}.c"), "-lm"]
        subprocess.run([compiler, *flags], check=True)
    for what, ours, cases in (("simulate", _simulate, MONTE_CARLO), ("replay", _replay, REPLAYED)):
        for lineup, peer_games, our_games in cases:
            peer = [str(folder / "mc_report"), *lineup.split("-"), str(peer_games), "0"]
            yield in_turn(
                f"{what} {lineup}, against the report's program",
                "game",
                (lambda peer=peer: command_seconds(peer), peer_games),
                (lambda ours=ours, lineup=lineup, games=our_games: ours(lineup, games), our_games),
                rounds,
            )
    for lineup, peer_games, our_games in ENDGAMES:
        peer = [str(folder / "mc_report"), *lineup.split("-"), str(peer_games), "0"]
        worth = _games_worth(lineup, our_games)
        yield in_turn(
            f"simulate {lineup} with endgames, to the same error",
            "game",
            (lambda peer=peer: command_seconds(peer), peer_games),
            (lambda lineup=lineup, games=our_games: _simulate(lineup, games, endgame=True), worth),
            rounds,
        )
    peer = [str(folder / "exact_report"), "0123", "1", "1", "1"]
    for what, ours in (
        ("transfer 0123 with its defects", as_published.transfer_table),
        ("solve 0123", sanguosha.solve),
    ):
        yield in_turn(
            f"{what}, against the report's program",
            "seating",
            (lambda: command_seconds(peer), 1),
            (lambda ours=ours: call_seconds(lambda: ours("0123")), 1),
            rounds,
        )
    for seating in LARGE if rounds >= MANY else LARGE[:1]:
        yield in_turn(
            f"solve {seating}, against the report's program with 0123",
            "state",
            (lambda: command_seconds(peer), theorem_bound(4)),
            (lambda seating=seating: call_seconds(lambda: sanguosha.solve(seating)), theorem_bound(len(seating))),
            1,
        )


def _simulate(lineup: str, games: int, endgame: bool = False) -> float:
    return call_seconds(lambda: sanguosha.simulate(lineup, games, seed=7, endgame=endgame))


def _games_worth(lineup: str, games: int) -> float:
    """Games played to their end that leave the same standard error of the lord's survival as so many with endgames."""
    found = sanguosha.simulate(lineup, games, seed=7, endgame=True)
    share, error = found.survival[sanguosha.Role.LORD], found.survival_error[sanguosha.Role.LORD]
    return share * (1 - share) / error**2


def _replay(lineup: str, games: int) -> float:
    return call_seconds(lambda: as_published.replay(lineup, games))


def _against_readable(rounds: int) -> Comparison:
    """The compiled simulator against the readable engine, which plays the same games."""
    games = 100
    return in_turn(
        "simulate 1-1-2-1, against the readable engine",
        "game",
        (lambda: call_seconds(lambda: [sanguosha.play("1-1-2-1", 7, game) for game in range(games)]), games),
        (lambda: _simulate("1-1-2-1", 1_000_000), 1_000_000),
        rounds,
    )


def _behaviours(rounds: int) -> Comparison:
    """Eight people with habits of their own, compiled, against the readable rule, which plays the same games."""
    habits = Behaviour(rush=0.3, kin=0.2, suspicion=0.5, duel=0.5)
    simulate(habits, 100, 7)
    return in_turn(
        "eight players with habits, against the readable rule",
        "game",
        (lambda: call_seconds(lambda: [play(habits, 7, game) for game in range(50)]), 50),
        (lambda: call_seconds(lambda: simulate(habits, 50_000, 7)), 50_000),
        rounds,
    )


def _settling(rounds: int) -> Comparison:
    """A round gone back, for all endings and for what each of four players gets by leaving, against one player's sweep.

    A sweep is one of value iteration for the lord's best reply to the report's play.
    """
    lord = frozenset({sanguosha.Role.LORD})
    reply = partial(Values, "0123", payoff("0123", lord), lord)
    return in_turn(
        "settle 0123, against sweeps of one player's best reply",
        "round",
        (lambda: call_seconds(reply), reply().sweeps),
        (lambda: call_seconds(lambda: sanguosha.settle("0123", 10)), 10),
        min(rounds, 3),
    )


def _fast_against_plain(rounds: int) -> Comparison:
    """The fast simulator against the plain one, which plays rules that do not fit it."""
    return in_turn(
        "simulate 1-1-2-1, against the plain simulator",
        "game",
        (lambda: _simulate_plainly("1-1-2-1", 20_000), 20_000),
        (lambda: _simulate("1-1-2-1", 1_000_000), 1_000_000),
        rounds,
    )


def _simulate_plainly(lineup: str, games: int) -> float:
    """Seconds with the plain simulator, whatever the rules."""
    wrong = fit.Misfit("", "bench")
    with patch.object(fit, "misfit", lambda *_: wrong), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _simulate(lineup, games)
