"""Other hearts, first hands, draws, reach and first turns: against a plain chain, and all engines alike."""

import pytest

from gamebalance.sanguosha import Rules, Seating, play, simulate, solve
from gamebalance.sanguosha.kernels import fit
from tests.sanguosha.reference import Chain
from tests.sanguosha.reference import fit as p_value

#: Nothing that gives anybody anything: few states. The same with weapons. And a deck that has peaches and weapons.
LOSSES, ARMS, GAINS = (0, 0, 0, 0, 1, 2), (0, 0, 1, 0, 1, 2), (1, 1, 1, 0, 0, 4)

#: Each change by itself, and all together; with the seating.
CHANGES = [
    (Rules(deck=LOSSES, health=(4, 3, 2, 1)), "01233"),
    (Rules(deck=GAINS, health=(4, 2, 3, 1)), "023"),
    (Rules(deck=GAINS, health=(3, 3, 3, 3)), "013"),
    (Rules(deck=LOSSES, opening=(0, 1, 4, 3)), "02132"),
    (Rules(deck=GAINS, opening=(4, 0, 3, 1)), "023"),
    (Rules(deck=LOSSES, draws=1), "0132"),
    (Rules(deck=GAINS, draws=3), "023"),
    (Rules(deck=(1, 1, 0, 1, 0, 3), draws=4), "02"),
    (Rules(deck=LOSSES, reach=(2, 2)), "032132"),
    (Rules(deck=ARMS, reach=(1, 1)), "0223"),
    (Rules(deck=LOSSES, first="after the lord"), "02313"),
    (Rules(deck=GAINS, first="after the lord"), "023"),
    (
        Rules(False, False, True, (1, 2, 4, 0), GAINS, (3, 4, 4, 2), 3, (2, 3), "after the lord"),
        "023",
    ),
]


def plain_chain(rules, seating):
    """The reference for rules with fixed first hands."""
    dodges = (2,) * 4 if rules.opening == "two dodges" else rules.opening
    dodges = tuple(map(min, dodges, rules.health))
    begins = rules.first_seat(len(seating))
    written = rules.rebels_attack_renegades
    return Chain(seating, written, rules.deck, rules.health, dodges, rules.draws, rules.reach, begins)


@pytest.mark.thorough
@pytest.mark.parametrize(("rules", "seating"), CHANGES)
def test_by_pushing_the_distribution(rules, seating):
    """Nothing is shared with the solver."""
    plain = plain_chain(rules, seating)
    assert len(plain.states) > 80
    endings, turns = plain.solve()
    found = solve(seating, rules)
    assert found.probability == pytest.approx({e: p for e, p in endings.items() if p}, abs=1e-11)
    assert found.turns == pytest.approx(turns, abs=1e-8) and found.error_bound < 1e-12


@pytest.mark.thorough
@pytest.mark.parametrize(("rules", "seating"), CHANGES)
def test_games_follow_the_chain(rules, seating):
    """By chance one of these 13 tests would fail in 7,700 runs with other seeds."""
    lineup = Seating(seating).lineup
    assert not any(fit.misfit(lineup, rules))
    played = simulate(lineup, 40_000, 3, rules, seating=seating)
    assert p_value(played.counts, solve(seating, rules).probability) > 1e-5


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::gamebalance.sanguosha.simulation.SlowSimulation")
@pytest.mark.parametrize(("rules", "seating"), CHANGES)
def test_every_engine_plays_the_same_games(rules, seating, monkeypatch):
    """The readable engine, and each simulator that can."""
    lineup = Seating(seating).lineup
    games = [play(lineup, 4, number, rules) for number in range(50)]
    alive = [game.table.alive for game in games]
    for wrong in (("", ""), ("", "asked to")):
        monkeypatch.setattr(fit, "misfit", lambda *_, wrong=wrong: fit.Misfit(*wrong))
        found = simulate(lineup, 50, 4, rules)
        assert found.counts == {ending: alive.count(ending) for ending in sorted(set(alive))}
        assert found.turns == sum(len(game.moves) for game in games) / 50
