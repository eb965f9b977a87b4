"""The check before every simulation, and the plain simulator that plays what the fast one cannot."""

import warnings
from functools import cache
from itertools import product
from unittest.mock import Mock

import numpy as np
import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, LINEUPS, Lineup, Rules, play, simulate, simulation, targets
from gamebalance.sanguosha.kernels import fit, plain, rule_tables
from gamebalance.sanguosha.turn import turn_codes
from tests.sanguosha.test_replay import RULES

#: Rules that no other test has, so that what is kept for them is forgotten with this file.
OWN = Rules(deck=(7, 5, 3, 2, 1, 11))


@pytest.fixture
def forced(monkeypatch):
    """Play with the plain simulator, or after `forced(False)` with the fast one, unasked."""

    def choose(plainly=True):
        monkeypatch.setattr(fit, "misfit", lambda *_: fit.Misfit("", "forced" * plainly))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", simulation.SlowSimulation)
        yield choose


@pytest.mark.parametrize("name", RULES)
def test_the_fast_simulator_fits_every_reading(name):
    """Of the report's line-ups, and of two with a single kind of enemy; targets are chosen in two ways only."""
    assert fit.turn_misfit(RULES[name]) == ""
    large = (LINEUPS[-1], Lineup(0, 4, 4)) if name in ("coded", "written") else ()
    for lineup in (LINEUPS[0], Lineup(0, 3, 0), Lineup(2, 0, 1), *large):
        assert fit.target_misfit(lineup, RULES[name]) == ""


@pytest.mark.thorough
@pytest.mark.parametrize("lineup", ["1-1-1-1", "1-2-2-1", "1-0-5-2"])
@pytest.mark.parametrize("name", RULES)
def test_the_plain_simulator_plays_the_games_of_the_fast_one(forced, lineup, name):
    forced(False)
    fast = simulate(lineup, 40, 21, RULES[name])
    forced()
    assert simulate(lineup, 40, 21, RULES[name]) == fast


def test_the_plain_simulator_does_not_depend_on_workers_and_chunks(forced, monkeypatch):
    expected = simulate("1-1-2-1", 2000, 22)
    forced()
    monkeypatch.setattr(plain, "BATCH", 700)
    for chunk, workers in ((999, 1), (640, 3), (10**9, 2)):
        monkeypatch.setattr(simulation, "CHUNK", chunk)
        assert simulate("1-1-2-1", 2000, 22, workers=workers) == expected


@pytest.mark.parametrize(
    "picks",
    [
        lambda seat, health, others: [other for other in others if health[other] == max(health)],
        lambda seat, health, others: [] if health[seat] < 3 else others,
        lambda seat, health, others: sorted(sorted(others, key=health.__getitem__)[:1]),
        lambda seat, health, others: others if sum(health) % 2 else others[:1],
        lambda seat, health, others: others[: health.count(health[0])],
        lambda seat, health, others: others[: 1 + (1 in health)],
        lambda seat, health, others: others[: len(set(health))],
    ],
)
def test_the_plain_simulator_follows_rules_that_look_at_health(monkeypatch, forced, picks):
    """However they look: it asks first without telling it."""

    def candidates(seat, roles, health, weapon, rules):
        return picks(seat, health, targets.in_reach(seat, [points > 0 for points in health], weapon))

    monkeypatch.setattr(targets, "candidates", candidates)
    forced()
    played = [play("1-1-2-0", 7, number) for number in range(20)]
    alive = [game.table.alive for game in played]
    found = simulate("1-1-2-0", 20, 7)
    assert found.counts == {ending: alive.count(ending) for ending in sorted(set(alive))}
    assert found.turns == sum(len(game.moves) for game in played) / 20


def test_any_changed_entry_of_the_turn_table_is_noticed(monkeypatch):
    """One bit at random in 300 of the entries; a change that makes no turn another is left out."""
    table, rng, noticed = rule_tables.turn_table(OWN), np.random.default_rng(5), 0
    near, pair, actor, target = np.indices((2, 21, 28, 29))
    for place in rng.choice(np.flatnonzero(table), 300, replace=False):
        changed = table.copy()
        changed[place] ^= np.uint32(1 << rng.choice([0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13]))
        turns = fit._turns_by_table(changed, 4, near, pair, actor, target)
        monkeypatch.setattr(fit, "turn_table", lambda _, changed=changed: changed)
        differs = (turns != turn_codes(OWN)).any()
        assert bool(fit.turn_misfit.__wrapped__(OWN)) == differs
        noticed += differs
    assert noticed > 200


@pytest.mark.parametrize("lineup", [Lineup(1, 1, 1), Lineup(2, 2, 2)], ids=str)
def test_any_changed_permission_is_noticed(monkeypatch, lineup):
    """In every situation of the line-up, for every role that another player has; and whether health decides."""
    words, changes, states = rule_tables.permission_words(AS_WRITTEN), [], list(fit.states(lineup))
    monkeypatch.setattr(fit, "states", lambda _: states)  # made once, and the rule is asked once about each
    monkeypatch.setattr(fit, "picked", cache(targets.picked))
    for situation in sorted({_situation(state) for state in states}):
        role, others = situation & 3, {kind for kind in (1, 2, 3) if situation >> kind + 1 & 1}
        changes += [(rule_tables.FIRST + kind, situation) for kind in others | ({0} if role else set())]
        if role == 3 and len(others) > 1:
            changes.append((rule_tables.HEALTHIEST, situation))
        if role == 2 and others == {2, 3}:  # revealed rebels turn on renegades when the lord is out of reach
            changes.append((rule_tables.SECOND + 3, situation))
    assert len(changes) > 30
    for word, situation in changes:
        changed = words.copy()
        changed[word] ^= np.uint32(1 << situation)
        monkeypatch.setattr(fit, "answer_lists", lambda _, changed=changed: rule_tables.listed(changed))
        reason = fit.target_misfit.__wrapped__(lineup, AS_WRITTEN)
        assert reason.startswith("seat ") and "picks among" in reason, (word, situation)


def _situation(state):
    """The bit of `permission_words` for a state."""
    others = {role for seat, role in enumerate(state.roles) if state.health[seat] and seat != state.seat}
    return state.roles[state.seat] + sum((role in others) << role + 1 for role in (1, 2, 3))


def test_any_changed_reach_is_noticed(monkeypatch):
    """Another reach than the rule's, a weapon that shortens it, another distance 1, and more in reach than fit."""
    assert rule_tables.reach_both_ways(AS_CODED.reach).tolist() == [1, 3]
    assert fit.reach_misfit((1, 3), 10) == fit.reach_misfit((4, 9), 8) == ""
    assert fit.reach_misfit((1, 4), 9) == "more than 7 players in reach"
    assert fit.reach_misfit((3, 1), 5) == "a weapon that shortens the reach"
    for reach in ([1, 2], [2, 3], [0, 3]):
        monkeypatch.setattr(fit, "reach_both_ways", lambda _, reach=reach: np.array(reach))
        assert fit.reach_misfit(AS_CODED.reach, 6).endswith("live")
    monkeypatch.undo()
    monkeypatch.setattr(fit, "distances", lambda *_: {1: 1})
    assert fit.reach_misfit(AS_CODED.reach, 4).endswith("live")


@pytest.mark.parametrize("reach", [(2, 3), (3, 3), (1, 4)])
def test_another_reach_is_played_fast(reach):
    """The same games as the readable engine plays; with seven in reach, too."""
    rules, lineup = Rules(reach=reach), Lineup(1, 4, 2)
    assert fit.misfit(lineup, rules) == ("", "")
    played = [play(lineup, 25, game, rules) for game in range(30)]
    found = simulate(lineup, 30, 25, rules)
    assert found.turns == sum(len(game.moves) for game in played) / 30
    alive = [game.table.alive for game in played]
    assert found.probability == {ending: alive.count(ending) / 30 for ending in set(alive)}


def test_states_are_complete_up_to_four_players():
    """Every seating, health, mover and weapon with the lord and an enemy alive, counted by hand: 1-0-1-1."""
    states = list(fit.states(Lineup(0, 1, 1)))
    # Two seatings; the lord's health; both enemies' (three may move) or that of one of them (two may); armed or not.
    assert len(states) == len(set(states)) == 2 * 4 * (16 * 3 + 8 * 2) * 2


def test_states_of_larger_tables_have_every_combination():
    lineup = Lineup(2, 3, 2)
    seen = set()
    for seat, roles, health, weapon in fit.states(lineup):
        alive = tuple(
            sum(points > 0 for points, role in zip(health, roles, strict=True) if role == kind) for kind in range(4)
        )
        seen.add((alive, roles[seat], weapon))
        assert health[seat] > 0 and max(health) <= 4
    going = [alive for alive in product((1,), range(3), range(4), range(3)) if alive[2] + alive[3]]
    assert seen == {
        (alive, role, weapon) for alive in going for role in range(4) if alive[role] for weapon in (False, True)
    }


def test_a_game_without_end_is_refused(monkeypatch, forced):
    """Nobody attacks: `play` says so, and both simulators do."""
    endless = Rules(deck=(1, 1, 1, 1, 1, 13))
    monkeypatch.setattr(targets, "candidates", lambda *_: [])
    with pytest.raises(ValueError, match=r"^rules: a game has not ended after 100000 turns$"):
        simulate("1-0-1-0", 70, 1, endless)
    forced()
    monkeypatch.setattr(plain, "MOST_TURNS", 1000)  # 100 000 plain or readable ones take seconds
    with pytest.raises(ValueError, match=r"^rules: a game has not ended after 100000 turns$"):
        simulate("1-0-1-0", 70, 1, endless)
    monkeypatch.setattr("gamebalance.sanguosha.table.MOST_TURNS", 1000)
    with pytest.raises(ValueError, match=r"^policies: the game has not ended after 1000 turns$"):
        play("1-0-1-0", 1, 0, endless)


def test_games_without_number_are_begun_at_once():
    """Chunks are made as they are needed: 2^63 - 1 games take no more memory than a few, and can be stopped."""
    stop_at_the_second = Mock(side_effect=[None, InterruptedError])
    with pytest.raises(InterruptedError):
        simulate("1-0-0-1", 2**63 - 1, 1, workers=2, progress=stop_at_the_second)
