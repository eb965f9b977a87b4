"""Hold'em: brackets of NashConv on sampled deals, and the stored equilibria for three players."""

from dataclasses import replace

import numpy as np
import pytest

from chapters.multiplayer.holdem import multiway
from gamebalance.games import holdem
from gamebalance.publish import heavy
from tests.refusals import refused, refuses


def test_a_bracket_holds_the_nash_conv_of_a_known_game():
    """On draws from a toy deck, whose NashConv is known exactly, both bounds are near it and on their sides of it."""
    exact = holdem.PushFold(holdem.one_card([0, 1, 2, 3], 3), stack=3)
    push = np.full((exact.nodes, 4), 0.5)
    known = holdem.evaluate(exact, push).nash_conv
    rng = np.random.default_rng(1)
    found = []
    for _ in range(40):
        drawn = rng.choice(len(exact.deals.weights), 400, p=exact.deals.weights)
        hands, shares = exact.deals.hands[drawn], exact.deals.shares[drawn]
        deals = replace(exact.deals, hands=hands, weights=np.full(400, 1 / 400), shares=shares)
        found.append(multiway.bracket(replace(exact, deals=deals), push))
    low, low_error, high, high_error = np.array(found).mean(axis=0)
    # The mean of 40 brackets: errors shrink by the root of 40.
    assert known - 0.3 < low < known + 3 * low_error / np.sqrt(40)
    assert known - 3 * high_error / np.sqrt(40) < high < known + 0.3
    assert low < high
    spread = np.array(found).std(axis=0)
    assert 0.75 < spread[2] / high_error < 1.3 and 0.75 < spread[0] / low_error < 1.4


def test_values_and_errors_are_those_of_the_deals():
    game = holdem.PushFold(holdem.one_card([0, 1, 2, 3], 2), stack=3)
    push = np.full((game.nodes, 4), 0.5)
    values, errors = multiway.values(game, push)
    assert np.allclose(values, holdem.evaluate(game, push).values)
    assert (errors > 0).all() and abs(errors[0] - errors[1]) < 1e-12


TWO = holdem.one_card([0, 1], 2)

test_deals_without_a_bracket_are_refused = refuses(
    (lambda: multiway.bracket(holdem.PushFold(TWO), np.zeros((3, 2))), "deals = 2"),
    (
        lambda: multiway.bracket(holdem.PushFold(replace(TWO, weights=np.array([0.4, 0.6]))), np.zeros((3, 2))),
        "equal weight",
    ),
)


def test_a_row_for_four_players(monkeypatch):
    monkeypatch.setattr(multiway, "_FIRST_DEALS", 2000)
    monkeypatch.setattr(multiway, "_FIRST_ITERATIONS", 5)
    multiway._samples.cache_clear()
    line = multiway.row(8, players=4, learned=3000, deals=3000, boards=1, iterations=5)
    multiway._samples.cache_clear()
    game = holdem.PushFold(holdem.sampled(4, 3000, 4), 8)  # seed 3 × 1 + 1: what the row was measured on
    push = multiway.stored_push(game, line)
    values, errors = multiway.values(game, push)
    assert np.allclose([line[f"value {seat}"] for seat in game.seats], values)
    assert np.allclose([line[f"error {seat}"] for seat in game.seats], errors)
    assert np.allclose(multiway.bracket(game, push), [line[name] for name in multiway.Bracket._fields])
    begun = holdem.solve(holdem.PushFold(holdem.sampled(4, 2000, 3), 8), 5)
    solved = holdem.solve(holdem.PushFold(holdem.sampled(4, 3000, 5), 8), 5, start=begun.push)
    assert np.abs(push - solved.push)[list(multiway.decisions(game).values())].max() <= 0.005
    assert abs(line["own"] - solved.evaluation.nash_conv) < 1e-12
    assert set(multiway.decisions(game)) == {
        "first", "f", "p", "ff", "pf", "fp", "pp", "pff", "fpf", "ppf", "ffp", "pfp", "fpp", "ppp",
    }  # fmt: skip
    assert (push[game.node("fff")] == 0).all()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [((10, 2, 10, 10), "players = 2"), ((10, 3, 10, 3), "deals = 3"), ((10, 3, 10, 10, 4, 5, -1), "seed = -1")],
)
def test_bad_rows_are_refused_before_anything_is_dealt(arguments, named, monkeypatch):
    monkeypatch.setattr(multiway, "_samples", None)
    with refused(named):
        multiway.row(*arguments)


def test_stored_equilibria_hold_on_fresh_deals():
    stored = heavy.results("holdem-three").set_index("stack")
    assert list(stored.index) == list(range(2, 21))
    game = holdem.PushFold(holdem.sampled(3, 20_000, seed=99), 10)
    line = stored.loc[10]
    values, errors = multiway.values(game, multiway.stored_push(game, line))
    told = np.array([line[f"value {seat}"] for seat in game.seats])
    assert (np.abs(values - told) < 4 * np.hypot(errors, [line[f"error {seat}"] for seat in game.seats])).all()
    assert np.allclose(stored.filter(like="value ").sum(axis=1), 0, atol=1e-5)
    assert (stored["low"] - 4 * stored["low_error"] < stored["high"]).all() and (stored["high"] > 0).all()
    assert (stored["own"] < 0.02).all()
