"""The game of ways to play: exact payoffs against a recursion of its own, played ones against exact ones."""

from itertools import product
from math import inf

import numpy as np
import pytest

from gamebalance import fairness
from gamebalance.games import Kuhn, Nim
from gamebalance.games.trees import Tree
from gamebalance.multiplayer.normal_form import EmpiricalGame, alpha_rank
from gamebalance.multiplayer.protocols import CHANCE, OVER
from tests.refusals import refused

#: Two ways to play anything: mostly the first move, mostly the last.
OWN = {
    "first": lambda known, moves: {moves[0]: 1.0} if len(moves) == 1 else {moves[0]: 0.7, moves[-1]: 0.3},
    "last": lambda known, moves: moves[-1],
}
NAMES = ("random", *OWN)


def chances(name, known, moves):
    if name == "random":
        return dict.fromkeys(moves, 1 / len(moves))
    answer = OWN[name](known, moves)
    return answer if isinstance(answer, dict) else {answer: 1.0}


def expected(game, names, state=None):
    """What everybody gets on average if each seat plays so: from the rules, state by state."""
    state = game.start() if state is None else state
    mover = game.mover(state)
    if mover == OVER:
        return np.array(game.payoffs(state), float)
    if mover == CHANCE:
        options = game.moves(state)
    else:
        known = game.information(state) if hasattr(game, "information") else state
        options = chances(names[mover], known, tuple(game.moves(state)))
    return sum(chance * expected(game, names, game.play(state, move)) for move, chance in options.items())


@pytest.mark.parametrize("game", [Kuhn(3), Nim((2, 3), 3)], ids=repr)
def test_exact_payoffs_are_those_of_a_recursion(game):
    found = fairness.metagame(game, ways=(), policies=OWN)
    assert found.policies == NAMES and found.errors.max() == 0 and (found.games == inf).all()
    for places in product(range(3), repeat=3):
        wanted = expected(game, [NAMES[place] for place in places])
        np.testing.assert_allclose(found.means[(slice(None), *places)], wanted, atol=1e-12)


def test_exact_payoffs_have_an_exact_ranking():
    found = fairness.metagame(Kuhn(3), ways=("searching", "best"))
    ranking = found.ranking(resamples=5)
    wanted = alpha_rank(found.game, inf).masses
    np.testing.assert_allclose(ranking.seat_masses, wanted, atol=1e-12)
    assert (ranking.low == ranking.masses).all() and (ranking.high == ranking.masses).all()
    assert not found.errors.any()


def test_intervals_of_played_games_hold_the_exact_payoffs():
    """Kuhn poker, 40 samples of 20 games of each arrangement: 99% intervals of Student's t are wide enough."""
    exact = fairness.metagame(Kuhn(3), ways=(), policies=OWN)
    apart = []
    for seed in range(40):
        counted = fairness.metagame(Kuhn(3), ways=(), policies=OWN, games=20, seed=seed)
        assert (counted.games == 20).all()
        apart.append((counted.means - exact.means) / counted.errors)
    apart = np.array(apart)
    assert (np.abs(apart) < 2.861).mean() > 0.985  # Student's t with 19 degrees of freedom: 99%
    assert 0.7 < apart.std() < 1.1
    assert np.abs(apart.mean(axis=0)).max() < 4.5 / np.sqrt(40)  # in each of 81 cells, by its 800 games


@pytest.mark.parametrize("game", [Kuhn(3), Nim((2, 3), 3)], ids=repr)
def test_games_without_the_states_agree_with_them(game):
    """Fixed seed; a sound program is further off than 4.5 standard errors with a chance below 1 in 1,000."""
    exact = fairness.metagame(game, ways=(), policies=OWN)
    counted = fairness.metagame(game, ways=(), policies=OWN, games=100, states=0)
    assert counted.policies == exact.policies
    assert (np.abs(counted.means - exact.means) < 4.5 * counted.errors).all()


def test_the_same_seed_gives_the_same_games():
    one, same, other = (fairness.metagame(Kuhn(2), games=30, seed=seed).means for seed in (1, 1, 2))
    assert (one == same).all() and (one != other).any()


def test_a_function_that_plays_is_a_game_too():
    def higher(rng, players):
        """Each bets a stake, and whose card is higher wins the other's."""
        cards = rng.permutation(5)[:2]
        stakes = [player(int(card), (1, 2)) for player, card in zip(players, cards, strict=True)]
        return (stakes[1], -stakes[1]) if cards[0] > cards[1] else (-stakes[0], stakes[0])

    counted = fairness.metagame(higher, 2, ways=(), policies={"two": lambda known, moves: 2}, games=400)
    # Who stakes 2 against 2 gets 2 or loses 2; a random stake is 3/2 on average.
    assert counted.means[:, 1, 1].sum() == 0 and abs(counted.means[0, 1, 1]) < 4.5 * counted.errors[0, 1, 1]
    assert abs(counted.means[0, 0, 1] - 0.25) < 4.5 * counted.errors[0, 0, 1]


def test_what_is_refused():
    with refused("policies: 'best'"):
        fairness.metagame(Kuhn(2), policies={"best": OWN["last"]})
    with refused("two ways to play are needed"):
        fairness.metagame(Kuhn(2), ways=())
    with refused("game.players = 1: a whole number from 2"):
        fairness.metagame(Tree((0, [(1,), (0,)])))
    for name, value in (("games", 1), ("seed", -1), ("states", -1), ("playouts", -1)):
        with refused(f"{name} = {value}"):
            fairness.metagame(Kuhn(2), **{name: value})
    table = np.zeros((2, 2, 2))
    with refused(match="games = nan of .*: 2 or more"):
        EmpiricalGame("ab", np.full((2, 2), np.nan), table, np.zeros((2, 2, 2, 2)))
    with refused("games = 2.5"):
        EmpiricalGame("ab", np.full((2, 2), 2.5), table, np.zeros((2, 2, 2, 2)))
