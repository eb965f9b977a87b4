"""Restricted Nash responses: by enumeration of pure strategies, by the ends of the range, and by trying others."""

import numpy as np
import pytest
from scipy.optimize import linprog

from gamebalance.games import Kuhn
from gamebalance.games.leduc import Leduc
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.cfr.evaluate import worst_case
from gamebalance.multiplayer.cfr.tree import to_strategy
from tests.multiplayer.kuhn_tables import PURE, chances, payoffs, value
from tests.refusals import refuses


def by_enumeration(player, model, weight):
    """The best of all mixtures of the 64 pure strategies, of what is wanted with this weight."""
    table = np.array([[value(player, own, other) for other in PURE] for own in PURE])
    gain = np.append(weight * payoffs(player, model), 1 - weight)
    least = np.hstack([-table.T, np.ones((len(PURE), 1))])
    bounds = [(0, 1)] * len(PURE) + [(None, None)]
    one = [[1] * len(PURE) + [0]]
    return -linprog(-gain, least, np.zeros(len(PURE)), one, [1], bounds).fun


@pytest.mark.parametrize("player", (0, 1))
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_best_mixture_of_all_pure_strategies(player, seed):
    model = cfr.random_profile(Kuhn(2), seed)
    for weight in (0.2, 0.55, 0.8):
        found = cfr.restricted_response(Kuhn(2), model, player, weight)
        reached = weight * found.against_model + (1 - weight) * found.at_least
        assert reached == pytest.approx(by_enumeration(player, model, weight), abs=1e-7)
        own, other = chances(player, found.strategy), chances(1 - player, model)
        assert value(player, own, other) == pytest.approx(found.against_model)
        assert min(value(player, own, pure) for pure in PURE) == pytest.approx(found.at_least)


def slips(slip):
    """A model that bets with the king and calls with it, but for slips."""
    wanted = {f"{card}{seen}": "b" if card == 2 else "p" for card in range(3) for seen in ("", "p", "b", "pb")}
    return {known: {move: slip / 2 + (1 - slip) * (move == best) for move in "bp"} for known, best in wanted.items()}


@pytest.mark.parametrize("player", (0, 1))
@pytest.mark.parametrize("slip", (0.05, 1e-3, 1e-6))
def test_what_is_second_takes_nothing_from_what_is_first(player, slip):
    """Of all best replies the safest mixture, and of all safest mixtures the best against the model."""
    model = slips(slip)
    table = np.array([[value(player, own, other) for other in PURE] for own in PURE])
    gains, worth = payoffs(player, model), (-1 / 18 if player == 0 else 1 / 18)
    reply, safe = (cfr.restricted_response(Kuhn(2), model, player, weight) for weight in (1, 0))
    best = table[gains > gains.max() - 1e-11]
    least = np.hstack([-best.T, np.ones((len(PURE), 1))])
    bounds, one = [(0, 1)] * len(best) + [(None, None)], [[1] * len(best) + [0]]
    safest = -linprog([0] * len(best) + [-1], least, np.zeros(len(PURE)), one, [1], bounds).fun
    assert reply.against_model == pytest.approx(gains.max(), abs=1e-9)
    assert reply.at_least == pytest.approx(safest, abs=1e-5)  # what the solver may trade for 1e-10
    held = linprog(-gains, -table.T, np.full(len(PURE), -worth + 1e-10), [[1] * len(PURE)], [1], [(0, 1)] * len(PURE))
    assert safe.at_least == pytest.approx(worth, abs=1e-9) and safe.against_model == pytest.approx(-held.fun, abs=1e-6)


class Scaled(Kuhn):
    """Kuhn poker in another currency."""

    def __init__(self, scale):
        super().__init__(2)
        self.scale = scale

    def payoffs(self, state):
        return tuple(self.scale * payoff for payoff in super().payoffs(state))


@pytest.mark.parametrize("scale", (1e-9, 1e12))
def test_the_unit_of_the_payoffs_makes_no_difference(scale):
    plain, other = (cfr.restricted_response(game, slips(0.05), 0, 0.5) for game in (Kuhn(2), Scaled(scale)))
    assert other.against_model == pytest.approx(scale * plain.against_model)
    assert other.at_least == pytest.approx(scale * plain.at_least)


@pytest.mark.parametrize("player", (0, 1))
def test_at_the_ends_it_is_safe_and_a_best_reply(player):
    """Safe: Kuhn poker is worth -1/18 to the first player, Leduc poker -0.085606."""
    for game, worth in ((Kuhn(2), -1 / 18), (Leduc(2), -0.0856064240)):
        tree, sign = cfr.GameTree(game), 1 - 2 * player
        model = cfr.random_profile(tree, 7)
        safe, reply = (cfr.restricted_response(tree, model, player, weight) for weight in (0, 1))
        best = cfr.best_response(tree, model, player)
        assert safe.at_least == pytest.approx(sign * worth, abs=1e-7)
        assert reply.against_model == pytest.approx(best.value, abs=1e-7)
        own = to_strategy(tree, model | best.strategy)
        assert reply.at_least >= worst_case(tree, own, player, 1 - player) - 1e-7
        assert reply.at_least < safe.at_least < 0.1 and safe.against_model < reply.against_model


def test_with_three_players_nothing_else_does_better():
    tree = cfr.GameTree(Kuhn(3))
    model = cfr.random_profile(tree, 1)
    found = cfr.restricted_response(tree, model, 1, 0.6, adversary=2)
    reached = 0.6 * found.against_model + 0.4 * found.at_least
    others = {known: ways for known, ways in model.items() if known not in found.strategy}
    for seed in range(30):
        other = cfr.random_profile(tree, 100 + seed)
        mine = {known: other[known] for known in found.strategy}
        right = cfr.expected_value(tree, others | mine)[1]
        worst = worst_case(tree, to_strategy(tree, others | mine), 1, 2)
        assert 0.6 * right + 0.4 * worst < reached
        # No way of the adversary takes more from the strategy found than is said.
        theirs = {known: other[known] for known in other if len(known) % 3 == 0}
        assert cfr.expected_value(tree, others | theirs | found.strategy)[1] > found.at_least - 1e-9


class Sums:
    """One player picks one of two sums that differ by rounding alone."""

    players = 1

    def start(self):
        return None

    def mover(self, state):
        return 0 if state is None else -2

    def moves(self, state):
        return "plain", "sum"

    def play(self, state, move):
        return move

    def payoffs(self, state):
        return ({"plain": 0.3, "sum": 0.1 + 0.2}[state],)

    def information(self, state):
        return "here"


def test_what_rounding_leaves_breaks_no_tie():
    assert Sums().payoffs("sum")[0] > Sums().payoffs("plain")[0]
    assert cfr.best_response(Sums(), {}, 0).strategy["here"]["plain"] == 1


KUHN = cfr.random_profile(Kuhn(2), 0)
test_bad_input_is_refused = refuses(
    (lambda: cfr.restricted_response(Kuhn(2), KUHN, 0, 1.5), "weight = 1.5"),
    (lambda: cfr.restricted_response(Kuhn(2), KUHN, 2, 0.5), "player = 2"),
    (lambda: cfr.restricted_response(Kuhn(2), KUHN, 0, 0.5, adversary=0), "adversary = 0"),
    (lambda: cfr.restricted_response(Sums(), {}, 0, 0.5), "game.players = 1"),
    (lambda: cfr.restricted_response(Kuhn(3), cfr.random_profile(Kuhn(3), 0), 0, 0.5), "adversary = None"),
)
