"""The exact solver against slower solutions that share nothing with it but the rules, or not even those."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from gamebalance.sanguosha import (
    AS_CODED,
    AS_WRITTEN,
    Role,
    Rules,
    changed,
    open_table,
    reachable_states,
    solve,
)
from gamebalance.sanguosha.exact import iteration_steps
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.states import theorem_bound
from gamebalance.sanguosha.turn import LIVING_PLAYERS, Player
from tests.sanguosha.reference import Chain

RULES = {
    "coded": AS_CODED,
    "written": AS_WRITTEN,
    "another": Rules(deck=(3, 0, 9, 4, 2, 6), opening="four cards", stolen_weapon_equipped=False),
}


def two_players(seating, rules):
    """Probability that the lord wins, that he loses, mean number of turns: (I - Q) x = r over all 2 x 784 states."""
    start = open_table(seating)
    states = list(product((0, 1), LIVING_PLAYERS, LIVING_PLAYERS))
    place = {state: row for row, state in enumerate(states)}
    matrix, reward = np.eye(len(states)), np.zeros((len(states), 3))
    reward[:, 2] = 1
    for row, (seat, *players) in enumerate(states):
        table = type(start)(start.roles, tuple(players), seat)
        chosen = table.candidates(rules)
        for target, (cards, chance) in product(chosen or [None], zip(CARD_PAIRS, rules.hand_probability, strict=True)):
            share, after = float(chance) / max(len(chosen), 1), table.after(target, cards, rules).table
            if after.winner:
                reward[row, 0 if after.winner == "lord" else 1] += share
            else:
                matrix[row, place[after.seat, *after.players]] -= share
    values = np.linalg.solve(matrix, reward)
    hands = list(enumerate(rules.opening_probability(0)))
    return sum(float(p * q) * values[place[0, Player(4, a), Player(4, b)]] for (a, p), (b, q) in product(hands, hands))


@pytest.mark.parametrize(("seating", "name"), [("02", "coded"), ("02", "another"), ("03", "written")])
def test_two_players_by_linear_algebra(seating, name):
    lord, rival, turns = two_players(seating, RULES[name])
    outcomes = solve(seating, RULES[name])
    beaten = (0, 0, 1, 0) if seating == "02" else (0, 0, 0, 1)
    assert outcomes.probability.get((1, 0, 0, 0), 0) == pytest.approx(lord, abs=1e-12)
    assert outcomes.probability[beaten] == pytest.approx(rival, abs=1e-12)
    assert outcomes.turns == pytest.approx(turns, abs=1e-9)
    assert outcomes.error_bound < 1e-12


@cache
def chain(seating, written=False):
    return Chain(seating, written)


THREE = [("012", False), ("023", False), ("033", False), ("031", True)]


@pytest.mark.parametrize(("seating", "written"), THREE)
def test_three_players_by_pushing_the_distribution(seating, written):
    endings, turns = chain(seating, written).solve()
    outcomes = solve(seating, AS_WRITTEN if written else AS_CODED)
    assert outcomes.probability == pytest.approx(dict(endings), abs=1e-12)
    assert outcomes.turns == pytest.approx(turns, abs=1e-9)
    assert abs(sum(outcomes.probability.values()) - 1) < 1e-12
    assert outcomes.error_bound < 1e-12


@pytest.mark.parametrize(("seating", "written"), [("02", False), ("03", True), *THREE])
def test_reachable_states_by_breadth_first_search(seating, written):
    count, search = reachable_states(seating, AS_WRITTEN if written else AS_CODED), chain(seating, written)
    assert (count.transient, count.absorbing) == (search.transient.sum(), (~search.transient).sum())
    assert count.total == len(search.states) <= theorem_bound(len(seating))


@pytest.mark.parametrize(("seating", "written"), [("02", False), ("012", False), ("031", True)])
def test_steps_until_no_state_is_likely(seating, written):
    """The report's stop rule: passes until the largest probability of a state that goes on is below 1 / (2^31 - 1)."""
    search, steps = chain(seating, written), 1
    mass = np.zeros(len(search.states))
    mass[0] = 1
    while mass.max() >= 1 / (2**31 - 1):
        mass, steps = (search.matrix @ mass) * search.transient, steps + 1
    assert iteration_steps(seating, AS_WRITTEN if written else AS_CODED) == steps


def test_theorem_7_1():
    """n 30^n, and what four players really reach; 28 living codes would allow 4 x 28^4 = 2 458 624 with all alive."""
    assert [theorem_bound(players) for players in (2, 3, 4)] == [1800, 81_000, 3_240_000]
    count = reachable_states("0123")
    assert 28**4 / 2 < count.total < 4 * 28**4 < theorem_bound(4)
    assert count.seating == "0123" and count.total == count.transient + count.absorbing


def test_a_deck_in_another_order_is_announced_or_refused(monkeypatch):
    """Slashes first, as if cards were named: 30 dodges, 15 peaches and so on to 5 slashes."""
    heard, mixed_up = [], Rules(deck=(30, 15, 8, 7, 6, 5))
    monkeypatch.setattr("gamebalance.sanguosha.exact.say", heard.append)
    found = solve("03", mixed_up)
    assert found.turns > 1e7 and found.probability[0, 0, 0, 1] == pytest.approx(1)
    with pytest.raises(ValueError, match=r"^rules or policies: with Lord 主公, Rebel 反贼 alive, the game "):
        solve("02", mixed_up)
    said = "with Lord 主公, {} alive, games by these rules can last 100,000 rounds and more: this may take minutes"
    assert list(dict.fromkeys(heard)) == [said.format(other) for other in (Role.RENEGADE, Role.REBEL)]
    heard.clear()
    solve("02", changed(deck={"slash": 10}))
    assert not heard
