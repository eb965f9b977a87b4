"""The readable engine: what holds in every move; and that the compiled simulator plays the same, however divided."""

import multiprocessing
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.sanguosha import (
    AS_CODED,
    AS_WRITTEN,
    LINEUPS,
    Lineup,
    Role,
    Rules,
    play,
    simulate,
    simulation,
    solve_lineup,
    transcript,
)
from gamebalance.sanguosha.kernels import fit
from tests.sanguosha.reference import around, c_targets, over, seat_after

GOLDEN = Path(__file__).parent / "golden"
LEGAL = st.tuples(*[st.integers(0, 9)] * 3).filter(lambda n: sum(n) < 10 and n[1] + n[2]).map(lambda n: Lineup(*n))

#: The two readings, and each of their differences alone; another first hand; other decks.
RULES = {
    "coded": AS_CODED,
    "written": AS_WRITTEN,
    "snatch near only": replace(AS_CODED, snatch_any_distance=False),
    "stolen weapon in hand": replace(AS_CODED, stolen_weapon_equipped=False),
    "rebels attack renegades": replace(AS_CODED, rebels_attack_renegades=True),
    "four cards": replace(AS_CODED, opening="four cards"),
    "no peach, many weapons": Rules(deck=(3, 0, 9, 4, 2, 6)),
    "only slashes": replace(AS_WRITTEN, deck=(0, 0, 0, 0, 0, 1)),
}


@pytest.fixture(scope="module", autouse=True)
def fast():
    """The fast simulator plays, whatever the check before it would say, which is tested in test_fit."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fit, "misfit", lambda *_: fit.Misfit("", ""))
        yield


def replayed(lineup, games, seed, rules=AS_CODED):
    played = [play(lineup, seed, number, rules) for number in range(games)]
    return Counter(game.table.alive for game in played), sum(len(game.moves) for game in played)


def simulated(lineup, games, seed, rules=AS_CODED):
    outcomes = simulate(lineup, games, seed, rules)
    return outcomes.counts, round(outcomes.turns * games)


@pytest.mark.parametrize("lineup", LINEUPS, ids=str)
def test_line_ups_of_the_report(lineup):
    """More games than lanes, so that lanes are used again."""
    assert replayed(lineup, 70, 11) == simulated(lineup, 70, 11)


@settings(max_examples=40)
@given(LEGAL, st.integers(0, 2**63 - 1), st.sampled_from(list(RULES)))
def test_any_line_up(lineup, seed, name):
    assert replayed(lineup, 5, seed, RULES[name]) == simulated(lineup, 5, seed, RULES[name])


def test_one_by_one():
    """Each single game, not only their sum."""
    before = Counter()
    for games in range(1, 41):
        counts = Counter(simulate("1-1-2-1", games, 14).counts)
        assert list((counts - before).elements()) == [play("1-1-2-1", 14, games - 1).table.alive]
        before = counts


def test_standard_error_of_the_length():
    """The spread of the lengths of the very games that were simulated, over the root of their number."""
    lengths = [len(play("1-1-2-1", 4, number).moves) for number in range(150)]
    outcomes = simulate("1-1-2-1", 150, 4)
    assert outcomes.turns == pytest.approx(np.mean(lengths), rel=1e-12)
    assert outcomes.turns_error == pytest.approx(np.std(lengths) / 150**0.5, rel=1e-9)


READINGS = st.sampled_from([AS_CODED, AS_WRITTEN]).flatmap(
    lambda rules: st.sampled_from([rules, replace(rules, opening="four cards")])
)


@settings(max_examples=120)
@given(LEGAL, st.integers(0, 2**63 - 1), st.integers(0, 10**6), READINGS)
def test_every_move_of_every_game(lineup, seed, number, rules):
    game = play(lineup, seed, number, rules)
    table, role = game.opening, [int(role) for role in game.opening.roles]
    assert game.seating.lineup == lineup and table.seat == 0 and role[0] == Role.LORD
    assert all(player.health == 4 and not player.weapon for player in table.players)
    for move in game.moves:
        assert move.before == table and table.winner is None
        actor, health = table.seat, [player.health for player in table.players]
        assert health[actor] > 0
        if move.target is not None:
            assert move.target != actor and health[move.target] > 0
            assert move.target in around(actor, health, 3 if table.players[actor].weapon else 1)
        allowed = c_targets(actor, role, health, table.players[actor].weapon, rules.rebels_attack_renegades)
        assert move.target in (allowed or [None])
        table = move.table
        for seat, (before, after) in enumerate(zip(move.before.players, table.players, strict=True)):
            assert 0 <= after.dodges <= after.health <= 4
            assert after == before or seat in (actor, move.target)
            assert after.alive or after == (0, 0, False)
        assert sum(before.alive for before in move.before.players) - sum(after.alive for after in table.players) <= 1
        assert table.winner or table.seat == seat_after(actor, [player.health for player in table.players])
    assert table == game.table and over(table.alive) and table.winner in ("lord", "rebels", "renegade")


def test_transcript_is_the_one_checked_by_hand():
    """golden/seed-3.txt was read turn by turn against the rules; a change of wording must change it on purpose."""
    assert transcript(play("1-1-1-1", 3)) + "\n" == (GOLDEN / "seed-3.txt").read_text(encoding="utf-8")


GAMES = 20_000
LINEUP = "1-2-3-1"


@pytest.mark.parametrize(
    ("workers", "chunk"), [(1, 1), (3, 1), (1, 63), (2, 64), (3, 1000), (2, GAMES - 1), (1, GAMES), (3, 10**9)]
)
def test_workers_and_chunks(monkeypatch, workers, chunk):
    games = 500 if chunk == 1 else GAMES
    expected = simulate(LINEUP, games, 71)
    monkeypatch.setattr(simulation, "CHUNK", chunk)
    assert simulate(LINEUP, games, 71, workers=workers) == expected


def test_an_executor_of_other_processes(monkeypatch):
    expected = simulate(LINEUP, GAMES, 71)
    monkeypatch.setattr(simulation, "CHUNK", 7000)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert simulate(LINEUP, GAMES, 71, executor=pool) == expected
        assert solve_lineup("1-0-1-1", executor=pool) == solve_lineup("1-0-1-1")
        assert pool.submit(int, "3").result() == 3  # still open
