"""What cards, moves, roles and knowledge are worth, against values by hand and by other ways to them."""

from itertools import product

import numpy as np
from scipy.sparse import lil_array
from scipy.sparse.linalg import spsolve

from chapters import what_an_ability_is_worth as chapter
from gamebalance import sanguosha
from gamebalance.countn.three import ThreePlayerGame
from gamebalance.fairness.reports.exact import endings
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.protocols import OVER
from gamebalance.sanguosha import Card, Rules, SeatedGame, report_policy

SEATS = [1, 2, 3]


def nothing(state, move):
    return True


def test_cards_in_a_duel():
    """One of two wins, and is left alone; the chances are those of the game followed state by state."""
    table = chapter.worth_of_cards("02", {"rule": None}, (Card.PEACH, Card.SLASH))
    assert table.index.tolist() == [("rule", ""), ("rule", "Peach"), ("rule", "Slash")]
    assert abs(table["wins"].iloc[1:].sum(axis=1)).max() < 1e-9
    np.testing.assert_allclose(table["wins"], table["survives"], atol=1e-9)
    small = Rules(deck=(0, 8, 0, 0, 0, 30))
    game = SeatedGame("02", small)
    by_states = endings(game, report_policy(game)).tally("seat").means
    np.testing.assert_allclose(chapter.chances(sanguosha.solve("02", small))["wins"] / 100, by_states, atol=1e-9)


def results(game, state, hands, others):
    """What the mover's hands can become, by the rules alone: with these of the own hands and these opponents' ones."""
    own, after = state.position[0], set()
    for hand, number in product(hands, [number for other in others for number in state.position[other]]):
        if own[hand] is not None and number is not None:
            total = own[hand] + number
            made = None if total == game.n else total if total < game.n else 1
            after.add(tuple(sorted((made, own[1 - hand]), key=lambda number: (number is None, number))))
    return after


def test_moves_by_whom_and_to_which_hand():
    game = ThreePlayerGame(4)
    for state in (state for state in GameGraph(game).states if game.mover(state) != OVER):
        cases = [(nothing, (0, 1), (1, 2))]
        cases += [(chapter.by_hands_of(game, after), (0, 1), (after,)) for after in (1, 2)]
        cases += [(chapter.to_hand(game, hand), (hand,), (1, 2)) for hand in (0, 1)]
        for allows, hands, others in cases:
            left = {move.hands for move in game.moves(state) if allows(state, move)}
            assert left == results(game, state, hands, others)


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
    larger = chapter.to_hand(game, 0)
    table = chapter.worth_of_moves(game, {"larger hand": larger, "nothing": nothing}, ("random", "searching"))
    table = table.set_index(["without", "who does without", "all play"])
    assert len(table) == 2 * 4 * 2 and abs(table[SEATS].sum(axis=1)).max() < 1e-6
    assert (table.xs("nothing") == 0).all(axis=None)
    plain = at_random(game, nothing, [])
    for who, restricted in (("2", [1]), (chapter.EVERYBODY, [0, 1, 2])):
        expected = plain - at_random(game, larger, restricted)
        np.testing.assert_allclose(table.loc[("larger hand", who, "random")], expected, atol=1e-6)
