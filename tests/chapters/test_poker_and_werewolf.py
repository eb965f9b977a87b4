"""Hold'em: brackets of NashConv on sampled deals, and the stored equilibria; the werewolf's forecasts."""

from dataclasses import replace
from fractions import Fraction as F

import numpy as np
import pytest

from chapters import push_or_fold as chapter
from chapters import who_is_the_wolf as wolf
from gamebalance.games import holdem, werewolf
from gamebalance.games.holdem import equity
from gamebalance.games.werewolf import VILLAGER, Setup, Strategies, rules
from gamebalance.games.werewolf.rules import Night, Speech, Statement
from gamebalance.publish import heavy, published


def test_a_bracket_holds_the_nash_conv_of_a_known_game():
    """On draws from a toy deck, whose NashConv is known exactly, both bounds are near it and on their sides of it."""
    exact = holdem.PushFold(holdem.one_card([0, 1, 2, 3], 3), stack=3)
    push = np.full((exact.nodes, 4), 0.5)
    known = holdem.evaluate(exact, push).nash_conv
    rng = np.random.default_rng(1)
    brackets = []
    for _ in range(40):
        drawn = rng.choice(len(exact.deals.weights), 400, p=exact.deals.weights)
        hands, shares = exact.deals.hands[drawn], exact.deals.shares[drawn]
        deals = replace(exact.deals, hands=hands, weights=np.full(400, 1 / 400), shares=shares)
        brackets.append(chapter.bracket(replace(exact, deals=deals), push))
    low, low_error, high, high_error = np.array(brackets).mean(axis=0)
    # The mean of 40 brackets: errors shrink by the root of 40.
    assert known - 0.3 < low < known + 3 * low_error / np.sqrt(40)
    assert known - 3 * high_error / np.sqrt(40) < high < known + 0.3
    spread = np.array(brackets).std(axis=0)
    assert 0.75 < spread[2] / high_error < 1.3 and 0.75 < spread[0] / low_error < 1.4


def test_stored_equilibria_hold_on_fresh_deals():
    stored = heavy.results("holdem-three").set_index("stack")
    game, line = holdem.PushFold(holdem.sampled(3, 20_000, seed=99), 10), stored.loc[10]
    values, errors = chapter.values(game, chapter.stored_push(game, line))
    kept, off = (np.array([line[kind + seat] for seat in game.seats]) for kind in (chapter.VALUE, chapter.ERROR))
    assert (np.abs(values - kept) < 4 * np.hypot(errors, off)).all()
    assert np.allclose(stored.filter(like="value ").sum(axis=1), 0, atol=1e-5)
    assert (stored["low"] - 4 * stored["low_error"] < stored["high"]).all() and (stored["own"] < 0.02).all()


@pytest.mark.thorough
def test_printed_limits_below_two_big_blinds_are_those_of_the_equilibrium():
    """The 13 limits that stacks of 2 big blinds and more say nothing about, on both sides, to a tenth."""
    chart = published("holdem_limits")
    chart = chart[~chart["limit"].str.contains("*", regex=False)]
    short = chart.assign(limit=chart["limit"].str.rstrip("+").astype(float)).query("limit < 2")
    assert len(short) == 13 and set(short["action"]) == {"push"}
    deals = holdem.heads_up(*equity.counts(heavy.results("holdem-pairs")))
    stacks = np.round(np.arange(1.3, 2.05, 0.1), 1)
    limits, _ = chapter.limits(stacks, [holdem.minimax(holdem.PushFold(deals, stack)).chart() for stack in stacks])
    assert limits[[holdem.hand_number(hand) for hand in short["hand"]]].tolist() == short["limit"].tolist()


# ---- Who is the wolf


def test_forecasts_without_a_model():
    setup = Setup(1, 3)
    public = rules.start(setup).after(Night(4, VILLAGER, None)).after(Speech(0, Statement(1, True)))
    np.testing.assert_allclose(wolf.base_rates(setup, public), [1 / 4, 1 / 4, 1 / 2])
    essay = wolf.essay_forecast(setup, public)
    np.testing.assert_allclose(essay[:2], [[0.3, 0.5, 0.2], [1 / 4, 1 / 4, 1 / 2]])
    twice = public.after(Speech(0, Statement(1, True)))
    np.testing.assert_allclose(wolf.essay_forecast(setup, twice)[0], np.array([0.3, 0.8, 0.2]) / 1.3)
    situations = [wolf.situation(public, player) for player in range(3)]
    assert situations == [(4, True, 0, False, False), (4, False, 1, True, False), (4, False, 1, False, False)]


def test_counts_of_situations():
    setup = Setup(1, 3)
    plan = Strategies(1, 1, fake_counter=F(1, 2), vote="accused")
    games = [werewolf.play(setup, plan, 1, number) for number in range(40)]
    public = next(wolf.before_votes(setup, games[0]))
    player = public.living[0]
    alike = [
        game.roles[other]
        for game in games
        for seen in wolf.before_votes(setup, game)
        for other in seen.living
        if wolf.situation(seen, other) == wolf.situation(public, player)
    ]
    forecast = wolf.forecast_by_counts(setup, games, pseudo_count=0)
    assert forecast(public)[player].tolist() == [alike.count(role) / len(alike) for role in werewolf.ROLES]
    nothing = wolf.forecast_by_counts(setup, [])
    np.testing.assert_allclose(nothing(public), np.tile(wolf.base_rates(setup, public), (5, 1)))
