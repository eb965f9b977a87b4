"""Games of eight by a behaviour, and what leaders' records allow: the readable rule, arithmetic by hand, simulation."""

import random
from itertools import permutations

import numpy as np
import pytest

from chapters import the_renegade_of_real_life as chapter
from chapters import the_renegade_of_real_life_games as games
from chapters.the_renegade_of_real_life import Leaders
from chapters.the_renegade_of_real_life_games import OUTCOMES, PARAMETERS, REPORT, Behaviour, Wins, simulate
from gamebalance import publish, rationality, sanguosha
from gamebalance.sanguosha import AS_CODED, Card, Role
from gamebalance.sanguosha.table import Table
from gamebalance.sanguosha.turn import Player

LORD, LOYALIST, REBEL, RENEGADE = Role
FULL, WOUNDED, DEAD = Player(4, 2), Player(2, 0), Player(0, 0)
#: The lord, then by seat: rebel, loyalist, rebel, rebel, loyalist, renegade, rebel.
ROLES = tuple(Role(int(digit)) for digit in "02122132")


def seated(seat, roles=ROLES, **players):
    """A table with everybody at full health but for the players named ("s3")."""
    return Table(tuple(roles), tuple(players.get(f"s{place}", FULL) for place in range(len(roles))), seat)


def picks(behaviour, table, marks=None, coin=lambda chance: chance > 0):
    """Whom the player to move picks; a coin falls if it can."""
    return games.targets(behaviour, table, marks or {}, coin)


@pytest.mark.thorough
def test_the_report_is_a_behaviour_game_by_game():
    ours, theirs = simulate(REPORT, 3000, 20260), sanguosha.simulate("1-2-4-1", 3000, 20260)
    assert ours.shares == pytest.approx([theirs.winning[side] for side in OUTCOMES], abs=1e-9)
    assert ours.turns == pytest.approx(theirs.turns) and Wins.of(theirs).counts == ours.counts
    for number in range(10):
        game = sanguosha.play("1-2-4-1", 20260, number)
        assert games.play(REPORT, 20260, number) == (game.table.winner, len(game.moves))


def test_compiled_games_are_those_of_the_readable_rule():
    """150 behaviours, among them the ends of each parameter, four games each: winners and turns."""
    draw = random.Random(8)
    for _ in range(150):
        values = {name: draw.choice([0, draw.random(), 1]) for name in PARAMETERS}
        behaviour = Behaviour(**values | {"spares": draw.choice([0, 0.4 * draw.random()]), "turn": draw.randint(2, 8)})
        seed = draw.randrange(2**62)
        won, turns = games.winners(behaviour, 4, seed)
        played = [games.play(behaviour, seed, number) for number in range(4)]
        assert [OUTCOMES[place] for place in won] == [winner for winner, _ in played], behaviour
        assert turns == sum(length for _, length in played), behaviour


HABITS = [
    ({"rush": 1}, seated(1), {}, [0]),
    ({"rush": 1}, seated(3), {}, [2, 4]),  # the lord is not in reach
    ({"kin": 1}, seated(3), {}, [2]),  # not the rebel in seat 4
    ({"kin": 1}, seated(4, s5=DEAD, s6=DEAD), {}, []),  # seats 3 and 7, both rebels
    ({"suspicion": 1}, seated(0), {1: "against"}, [1]),
    ({"suspicion": 1}, seated(0), {1: "for"}, [7]),
    ({"suspicion": 1}, seated(0), {1: "for", 7: "for"}, []),
    ({"suspicion": 1}, seated(2), {1: "for", 3: "against"}, [3]),
    ({"suspicion": 1}, seated(3), {2: "for", 4: "against"}, [2]),
    ({"suspicion": 1}, seated(3), {4: "against"}, [2]),
    ({"suspicion": 1}, seated(6), {7: "against"}, [5, 7]),  # a renegade without cover
    ({"suspicion": 1, "spares": 0.5}, seated(0), {}, []),
    ({"suspicion": 1, "spares": 0.5}, seated(3), {2: "for"}, [2]),
    ({"kin": 1, "spares": 0.5}, seated(3), {}, [2]),  # whom a rebel knows to be no rebel
    ({}, seated(6, s5=WOUNDED), {}, [7]),  # the healthier one
    ({"cover": 1}, seated(6, s5=WOUNDED), {}, [5, 7]),
    ({"cover": 1, "suspicion": 1}, seated(6, s5=WOUNDED), {5: "against"}, [5]),
    ({"cover": 1}, seated(2, (LORD, LOYALIST, RENEGADE)), {}, [1]),  # no rebel is left
    ({"turn": 3}, seated(2, (LORD, LOYALIST, RENEGADE)), {}, [0]),
    ({"turn": 4}, seated(3, (LORD, LOYALIST, REBEL, RENEGADE)), {}, [0]),
    ({"turn": 8, "cover": 1}, seated(6), {}, [5, 7]),  # the lord is out of reach
    ({}, seated(0, (LORD, RENEGADE)), {}, []),
    ({"duel": 1}, seated(0, (LORD, RENEGADE)), {}, [1]),
    ({"duel": 1}, seated(0, (LORD, REBEL, RENEGADE)), {}, [1]),  # the rebel first, as in the report
]


@pytest.mark.parametrize(("habits", "table", "marks", "wanted"), HABITS, ids=map(str, range(len(HABITS))))
def test_habits_by_hand(habits, table, marks, wanted):
    assert picks(Behaviour(**habits), table, marks) == wanted
    if "turn" not in habits:  # the others toss coins, and without them all play as in the report
        assert picks(Behaviour(**habits), table, marks, lambda chance: False) == table.candidates(AS_CODED)


SLASH, PEACH = (Card.SLASH,) * 2, (Card.PEACH,) * 2
MARKS = [
    (1, 0, SLASH, {}, {1: "against"}),
    (1, 0, PEACH, {}, {}),  # nothing was lost
    (1, 2, SLASH, {}, {}),  # of seat 2 nothing is known
    (2, 1, SLASH, {1: "against"}, {1: "against", 2: "for"}),
    (3, 2, SLASH, {2: "for"}, {2: "for", 3: "against"}),
    (1, 2, SLASH, {1: "for", 2: "against"}, {1: "for", 2: "against"}),
    (1, 0, SLASH, {1: "for"}, {1: "against"}),
    (1, None, SLASH, {1: "for"}, {1: "for"}),
]


@pytest.mark.parametrize(("seat", "target", "cards", "before", "after"), MARKS)
def test_marks_are_given_for_what_a_turn_does(seat, target, cards, before, after):
    assert games.marked(before, seated(seat).after(target, cards, AS_CODED)) == after


ARENA = publish.observed("sanguosha_arena")
KNOWN, STARS = chapter.read_leaders(ARENA), chapter.read_stars(ARENA)
HALF = Leaders((0.5, 0.5, 0.6, 0.1), 800)


def test_gap_is_the_least_distance_to_the_region():
    rng = np.random.default_rng(4)
    inside = rng.dirichlet([1, 1, 1], 40000)
    inside = inside[(inside <= HALF.upper).all(axis=1)]
    for shares in rng.dirichlet([2, 2, 2], 8):
        least = np.abs(inside - shares).sum(axis=1).min() / 2
        assert least - 0.03 < chapter.gap(shares, HALF.upper) <= least + 1e-9
    assert chapter.gap_error([0.6, 0.2, 0.2], HALF.upper, 100) == pytest.approx((0.8 * 0.2 / 100) ** 0.5)


@pytest.mark.parametrize("name", chapter.POINTS)
def test_points_and_their_slopes(name):
    point, step = chapter.POINTS[name], 1e-4
    middle, scale = point(KNOWN.upper), (lambda p: p / (1 - p)) if "odds" in name else (lambda p: p)
    assert middle.sum() == pytest.approx(1) and np.ptp(scale(KNOWN.upper) / scale(middle)) < 1e-6
    for side, change in enumerate(np.eye(3) * step):
        moved = (point(KNOWN.upper + change) - point(KNOWN.upper - change)) / (2 * step)
        assert chapter.slopes(KNOWN.upper, name)[:, side] == pytest.approx(moved, abs=1e-4)


def test_the_true_behaviour_is_in_the_set():
    """400 made-up records for each: a set of 95% that held the truth in fewer than 91% would be wrong.

    Were the true rate 95%, fewer than 364 of 400 would have a chance below 0.0003 (binomial); the seeds are fixed.
    """
    shares = simulate(Behaviour(rush=0.3, suspicion=1), 20000, 9).shares
    assert min(chapter.recovery(shares, 1.0, KNOWN, 5000, 400, 1).values()) >= 0.91
    lifted = chapter.recovery(shares, 1.5, KNOWN, 5000, 400, 2)
    assert lifted["leaders do no worse"] == 1.0 and lifted["one factor of odds"] >= 0.91
    assert lifted["one factor of shares"] < 0.9  # another assumption than the one the records were made by


def test_split_adds_up_and_its_parts_are_means_over_orders():
    survey = chapter.survey({"rush": [0, 0.3], "suspicion": [0, 1], "turn": [2, 3]}, 1500, 3)
    gaps = chapter.gap(survey.shares, KNOWN.upper)
    best = survey.nearest(KNOWN.upper, frozenset(survey.levels))
    assert gaps[survey.behaviours.index(best)] == gaps.min() and survey.nearest(KNOWN.upper, frozenset()) == REPORT
    split = chapter.split(survey, KNOWN.upper, 1500, 50, simulate(REPORT, 1500, 50))
    total = sum(part.value for part in split.parts.values())
    assert total == pytest.approx(split.closed[frozenset(survey.levels)].value, abs=1e-8)
    assert split.left.value == pytest.approx(split.gap.value - total, abs=1e-8)
    for name in survey.levels:
        added = []
        for order in permutations(survey.levels):
            before = frozenset(order[: order.index(name)])
            added.append(split.closed[before | {name}].value - split.closed[before].value)
        assert split.parts[name].value == pytest.approx(np.mean(added), abs=1e-8)
    # Nobody attacks the lord in the report's games, so that nothing is ever shown.
    assert split.closed[frozenset(["suspicion"])].value == 0 and split.wins[REPORT].games == 1500


def test_stars_over_a_region():
    low, high = chapter.expected_over(HALF.upper, STARS)
    # Most for the lord with half of the games and no renegade, for the renegade with all his games and no rebels' more.
    assert low[0] == pytest.approx(3 * 0.3 - 2 * 0.6 - 0.1) and high[0] == pytest.approx(3 * 0.5 - 2 * 0.4 - 0.1)
    assert low[3] == pytest.approx(-0.4 - 2 * 0.6) and high[3] == pytest.approx(-0.5 - 2 * 0.4 + 0.7)
    least, most = chapter.rationality_over(HALF.upper, STARS)
    corners = chapter.corners(HALF.upper)
    tried = np.random.default_rng(5).dirichlet([0.3] * len(corners), 4000) @ corners
    rats = [rationality(row) for row in chapter.expected(tried, STARS)]
    assert least <= min(rats) < least + 0.02 and most - 0.02 < max(rats) <= most + 1e-9
    # Points by which equal shares are worth the same to all: the least is inside, and it is 0.
    even = np.array([[2, 2, -1, -1], [-1, -1, 2, -1], [-1, -1, -1, 2]], float)
    assert chapter.rationality_over(np.array([0.6, 0.6, 0.6]), even)[0] == pytest.approx(0, abs=1e-12)


def test_errors_of_stars_by_simulation():
    """The delta method beside 4000 samples of 2500 games; a standard error of samples is off by 1.1%."""
    shares = np.array([0.45, 0.37, 0.18])
    stars = chapter.expected(np.random.default_rng(2).multinomial(2500, shares, 4000) / 2500, STARS)
    covariance = (np.diag(shares) - np.outer(shares, shares)) / 2500
    assert Wins((1125, 925, 450)).covariance == pytest.approx(covariance)
    wanted = [*stars.std(axis=0), np.std([rationality(row) for row in stars])]
    assert chapter.errors(shares, covariance, STARS) == pytest.approx(wanted, rel=0.06)
