"""The essay's numbers about claims, its votes and forecasts, and counts of situations."""

from fractions import Fraction as F

import numpy as np
import pytest

from chapters import who_is_the_wolf as chapter
from gamebalance.games import werewolf
from gamebalance.games.werewolf import SEER, VILLAGER, WOLF, Setup, Strategies, rules, strategies
from gamebalance.games.werewolf.rules import Night, Speech, Statement


def claimed(*claims):
    """What is public after claims: who claims, whom he has checked, and whether that is a wolf."""
    public = rules.start(Setup(2, 2))
    for player, target, is_wolf in claims:
        public = public.after(Speech(player, Statement(target, is_wolf)))
    return public


def test_the_essays_numbers_are_no_probabilities():
    """0.3 is added and nothing normalised; the second claimant gets the same numbers as the first."""
    once = chapter.essay_beliefs(claimed((0, 3, True), (2, 0, True)))
    assert once[0] == once[2] == {SEER: 0.5, WOLF: 0.3, VILLAGER: 0.2}
    twice, thrice = (chapter.essay_beliefs(claimed(*[(0, 3, True)] * times))[0] for times in (2, 3))
    assert twice[SEER] == pytest.approx(0.8) and sum(twice.values()) == pytest.approx(1.3)
    assert thrice[WOLF] == pytest.approx(0.6) and sum(thrice.values()) == pytest.approx(1.6)


def test_the_essays_votes():
    """The only claimant is hanged, for nobody else has any belief; wolves vote for who claims twice, else the first.

    One claim leaves the seer at 0.5, which is not above 0.5.
    """
    for player in (0, 1, 2, 4):
        plan = Strategies(vote=chapter.essay_vote)
        assert strategies.vote(plan, player, (VILLAGER, ()), claimed((3, 0, True))) == {3: 1}
    plan = Strategies(wolf_vote=chapter.essay_wolf_vote)
    for claims, target in (([(3, 0, True)], 1), ([(3, 0, True)] * 2, 3), ([(3, 0, True), (4, 1, True)] * 2, 3)):
        assert strategies.vote(plan, 0, (WOLF, (0, 2)), claimed(*claims)) == {target: 1}


def test_forecasts_without_a_model():
    setup = Setup(1, 3)
    public = rules.start(setup).after(Night(4, VILLAGER, None)).after(Speech(0, Statement(1, True)))
    np.testing.assert_allclose(chapter.base_rates(setup, public), [1 / 4, 1 / 4, 1 / 2])
    essay = chapter.essay_forecast(setup, public)
    np.testing.assert_allclose(essay[:2], [[0.3, 0.5, 0.2], [1 / 4, 1 / 4, 1 / 2]])
    twice = public.after(Speech(0, Statement(1, True)))
    np.testing.assert_allclose(chapter.essay_forecast(setup, twice)[0], np.array([0.3, 0.8, 0.2]) / 1.3)
    situations = [chapter.situation(public, player) for player in range(3)]
    assert situations == [(4, True, 0, False, False), (4, False, 1, True, False), (4, False, 1, False, False)]


def test_counts_of_situations():
    setup = Setup(1, 3)
    plan = Strategies(1, 1, fake_counter=F(1, 2), vote="accused")
    games = [werewolf.play(setup, plan, 1, number) for number in range(40)]
    public = next(chapter.before_votes(setup, games[0]))
    player = public.living[0]
    alike = [
        game.roles[other]
        for game in games
        for seen in chapter.before_votes(setup, game)
        for other in seen.living
        if chapter.situation(seen, other) == chapter.situation(public, player)
    ]
    forecast = chapter.forecast_by_counts(setup, games, pseudo_count=0)
    assert forecast(public)[player].tolist() == [alike.count(role) / len(alike) for role in werewolf.ROLES]
    nothing = chapter.forecast_by_counts(setup, [])
    np.testing.assert_allclose(nothing(public), np.tile(chapter.base_rates(setup, public), (5, 1)))
