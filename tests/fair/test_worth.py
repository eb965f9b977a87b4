"""What cards, moves, roles and knowledge are worth, against values by hand and by other ways to them."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import lil_array
from scipy.sparse.linalg import spsolve

from chapters.fair import worth
from chapters.mafia.worth import worth_of_roles
from gamebalance import mafia, sanguosha
from gamebalance.countn.three import ThreePlayerGame
from gamebalance.fairness.reports.exact import endings
from gamebalance.games import Nim, SilentWerewolf
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.protocols import OVER
from gamebalance.sanguosha import Card, Rules, SeatedGame, report_policy
from tests.refusals import refused

SEATS = [1, 2, 3]


def test_decks_lack_one_card():
    for card in Card:
        share = [Rules(deck=deck).deck[card] / sum(deck) for deck in (worth.deck_without(card).deck, Rules().deck)]
        assert share[0] == (0 if card != Card.SLASH else pytest.approx(30 / 112)) and share[1] > share[0]
        others = [[count for kind, count in zip(Card, deck, strict=True) if kind != card] for deck in
                  (worth.deck_without(card).deck, Rules().deck)]  # fmt: skip
        assert len({a / b for a, b in zip(*others, strict=True)}) == 1, "the rest keep their proportions"


def test_cards_in_a_duel():
    """One of two wins, and is left alone; the chances are those of the game followed state by state."""
    found = worth.worth_of_cards("02", {"rule": None}, (Card.PEACH, Card.SLASH))
    assert found.index.tolist() == [("rule", ""), ("rule", "Peach"), ("rule", "Slash")]
    assert abs(found["wins"].iloc[1:].sum(axis=1)).max() < 1e-9
    np.testing.assert_allclose(found["wins"], found["survives"], atol=1e-9)
    small = Rules(deck=(0, 8, 0, 0, 0, 30))
    game = SeatedGame("02", small)
    by_states = endings(game, report_policy(game)).tally("seat").means
    np.testing.assert_allclose(worth.chances(sanguosha.solve("02", small))["wins"] / 100, by_states, atol=1e-9)


def test_a_policy_goes_as_far_as_it_may():
    game = Nim([3])
    start, (one, two, three) = game.start(), game.moves(game.start())
    policy = worth.as_far_as_allowed(lambda state, moves: {one: 0.2, two: 0.6, three: 0.2}, game)
    assert policy(start, (one, two)) == pytest.approx({one: 0.25, two: 0.75}) and policy(start, (two,)) == {two: 1}
    never = worth.as_far_as_allowed(lambda state, moves: three, game)
    assert never(start, (one, two)) == {one: 0.5, two: 0.5}


def results(game, state, hands, others):
    """What the mover's hands can become, by the rules alone: with these of the own hands and these opponents' ones."""
    own = state.position[0]
    found = set()
    for hand, number in product(hands, [number for other in others for number in state.position[other]]):
        if own[hand] is not None and number is not None:
            total = own[hand] + number
            made = None if total == game.n else total if total < game.n else 1
            found.add(tuple(sorted((made, own[1 - hand]), key=lambda number: (number is None, number))))
    return found


def test_moves_by_whom_and_to_which_hand():
    game = ThreePlayerGame(4)
    states = [state for state in GameGraph(game).states if game.mover(state) != OVER]
    for state in states:
        every = {move.hands for move in game.moves(state)}
        assert every == results(game, state, (0, 1), (1, 2))
        for after in (1, 2):
            left = {move.hands for move in game.moves(state) if worth.by_hands_of(game, after)(state, move)}
            assert left == results(game, state, (0, 1), (after,))
        for hand in (0, 1):
            left = {move.hands for move in game.moves(state) if worth.to_hand(game, hand)(state, move)}
            assert left == results(game, state, (hand,), (1, 2))


def at_random(game, allows, restricted):
    """Who wins Count-N for three by lot, in percent: linear equations for the chances of all states."""
    states = GameGraph(game).states
    number = {state: place for place, state in enumerate(states)}
    equations, ends = lil_array((len(states), len(states))), np.array([game.payoffs(state) for state in states])
    for state in states:
        every = list(game.moves(state))
        left = [move for move in every if state.mover not in restricted or allows(state, move)] or every
        equations[number[state], number[state]] = 1
        for move in left:
            equations[number[state], number[game.play(state, move)]] -= 1 / len(left)
    return 100 * spsolve(equations.tocsc(), ends)[0]


def test_moves_of_count_four():
    """Chances by another way to them; somebody wins every game, so what one gains others lose."""
    game = ThreePlayerGame(4)
    larger, nothing = worth.to_hand(game, 0), lambda state, move: True
    found = worth.worth_of_moves(game, {"larger hand": larger, "nothing": nothing}, ("random", "searching"))
    found = found.set_index(["without", "who does without", "all play"])
    assert len(found) == 2 * 4 * 2 and abs(found[SEATS].sum(axis=1)).max() < 1e-6
    assert (found.xs("nothing") == 0).all(axis=None)
    plain = at_random(game, nothing, [])
    for who, restricted in (("2", [1]), (worth.EVERYBODY, [0, 1, 2])):
        expected = plain - at_random(game, larger, restricted)
        np.testing.assert_allclose(found.loc[("larger hand", who, "random")], expected, atol=1e-6)


def test_moves_of_sanguosha():
    """The lord cannot attack himself: to forbid it takes nothing. The report's rule never passes but with the lord."""
    game = SeatedGame("023", Rules(deck=(0, 8, 0, 0, 0, 30)))
    limits = {"attack on the lord": lambda state, move: move != 0, "passing": lambda state, move: move is not None}
    found = worth.worth_of_moves(game, limits, ("random",), {"rule": report_policy(game)})
    found = found.set_index(["without", "who does without", "all play"])
    assert (found.loc[("attack on the lord", "lord", "random")] == 0).all(axis=None)
    assert (found.loc[("passing", "rebels", "rule")] == 0).all() and (
        found.loc[("passing", "renegade", "rule")] == 0
    ).all()
    assert found.loc[("passing", "lord", "rule"), "renegade"] > 1, "a lord who must attack wins sometimes"
    assert abs(found.xs("passing").sum(axis=1)).max() < 1e-6
    spared = found.loc[("attack on the lord", worth.EVERYBODY, "rule")]
    assert spared.sum() > 99, "if nobody may attack the lord, nobody wins"


def test_games_that_are_too_large_are_refused():
    with refused("more than 200,000 states", "too large"):
        worth.worth_of_moves(_Large(), {"nothing": lambda state, move: True}, ("random",))


class _Large:
    """Two players name numbers in turn, and the second one wins."""

    players = 2

    def __repr__(self):
        return "a game too large"

    def start(self):
        return (0, 0)

    def mover(self, state):
        return OVER if state[0] >= 60 else state[0] % 2

    def moves(self, state):
        return range(200)

    def play(self, state, move):
        return state[0] + 1, state[1] * 200 + move

    def payoffs(self, state):
        return (0.0, 1.0)


def test_roles_of_mafia_by_hand():
    """One mafioso, three innocents, by hand: 1/3 for the town; with a detective 19/27, as `RandomPlayGame` plays it."""
    found = worth.worth_of_roles([mafia.Setup(1, 3)]).set_index("role")
    assert found.loc["detective", "town wins"] == pytest.approx(100 / 3)
    assert found.loc["detective", "worth to the town"] == pytest.approx(100 * (19 / 27 - 1 / 3))
    assert found.loc["hunter", "to its holder's life"] == 0
    by_chance = worth_of_roles(mafia.Setup(1, 3))
    for role in found.index:
        assert found.loc[role, "worth to the town"] == pytest.approx(100 * by_chance[role])


def test_the_seers_knowledge():
    """A vote by lot among three meets the werewolf with both of two votes, each with chance 1/2, seer or not."""
    village = SilentWerewolf(4, seer=True, phase="evening")
    found = worth.worth_of_knowledge(village, worth.without_answers, [1], ("random", "searching"), 200, 10)
    found = found.set_index(["all play", "who"])
    assert found.loc[("random", "village"), ["wins", "wins without", "worth"]].tolist() == [25, 25, 0]
    assert found.loc[("first found", "village"), "worth"] > 12 and (found["off"].dropna() <= 0.01).all()
    assert abs(found["worth"].groupby("all play").sum()).max() < 1e-9
    of_village = found.xs("village", level="who")
    low, first, high = (of_village["worth"][way] for way in ("worth least", "first found", "worth most"))
    assert (
        low < first - 5 and high > first
    )  # one start comes to a village that wins a third of the games without a seer
    assert of_village["wins"]["worth least"] <= of_village["wins"]["first found"] <= of_village["wins"]["worth most"]
    nothing = worth.worth_of_knowledge(village, lambda known: known, [1], ("random", "searching"), 20, 2)
    nothing = nothing.set_index("all play")
    assert (nothing.drop(["worth least", "worth most"])["worth"] == 0).all()
    assert nothing.loc["worth least", "worth"].sum() == 0 and nothing.loc["worth least", "wins"].sum() == 100


def test_knowing_where_nothing_is_hidden():
    """Lord and rebel alone know each other: only the cards in sight can be worth anything."""
    found = worth.knowing("1-0-1-0")
    np.testing.assert_allclose(found["roles hidden"], found["roles known"], atol=1e-6)
    assert (found["fixed rule"] <= found["roles hidden"] + 1e-9).all()
    assert (found["cards unseen"] <= found["roles known"] + 1e-6).all()
