"""Sanguosha as a game of the protocol: the library's games replayed in it, and its results against the solver."""

import numpy as np
import pytest

from gamebalance import sanguosha
from gamebalance.multiplayer.graph import GameGraph, course, policies
from gamebalance.multiplayer.protocols import CHANCE, OVER
from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Rules, SeatedGame
from gamebalance.sanguosha.game import Standing, report_policy
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.targets import in_reach
from gamebalance.sanguosha.turn import DEAD_PLAYER, Player
from tests.refusals import refuses


def dealt(game, dodges):
    """The state before the first turn."""
    state = game.start()
    for held in dodges:
        assert game.mover(state) == CHANCE
        state = game.play(state, held)
    return state


@pytest.mark.parametrize(("lineup", "rules"), [
    ("1-1-1-1", AS_CODED), ("1-1-2-1", AS_WRITTEN), ("1-3-4-2", AS_CODED), ("1-2-3-2", Rules(opening="four cards")),
])  # fmt: skip
@pytest.mark.parametrize("sees_cards", [True, False])
def test_games_of_the_readable_engine_are_replayed(lineup, rules, sees_cards):
    for number in range(6):
        played = sanguosha.play(lineup, 7, number, rules)
        game = SeatedGame(played.seating, rules, sees_cards)
        policy = report_policy(game)
        state = dealt(game, [player.dodges for player in played.opening.players])
        for move in played.moves:
            assert (state.players, state.seat) == (move.before.players, move.before.seat)
            for half in (move.cards, move.target) if sees_cards else (move.target, move.cards):
                if game.mover(state) == CHANCE:
                    assert game.moves(state)[half] == float(rules.hand_probability[CARD_PAIRS.index(half)])
                else:
                    chances, among = policy(state, game.moves(state)), move.before.candidates(rules) or [None]
                    alive, actor = [player.alive for player in state.players], state.players[state.seat]
                    assert game.moves(state) == [*in_reach(state.seat, alive, actor.weapon), None]
                    assert game.mover(state) == move.before.seat
                    assert {target for target, chance in chances.items() if chance} == set(among)
                    assert chances[half] == pytest.approx(1 / len(among))
                assert game.payoffs(state) == (0,) * game.players
                state = game.play(state, half)
        assert game.mover(state) == OVER and state.players == played.table.players
        wins = [role for role, won in zip(game.sides, game.payoffs(state), strict=True) if won]
        assert set(wins) == {played.table.winner}


@pytest.mark.parametrize(
    ("seating", "rules", "sees_cards"),
    [
        ("02", Rules(deck=(0, 1, 0, 1, 1, 12)), True),
        ("03", Rules(False, False, True, deck=(1, 0, 1, 1, 1, 12)), False),
        ("02", Rules(opening="four cards", deck=(1, 0, 0, 1, 0, 12)), False),
        ("023", Rules(deck=(0, 0, 0, 0, 1, 3)), False),
        ("032", Rules(False, False, True, deck=(0, 0, 1, 0, 0, 6)), False),
        ("0123", Rules(deck=(0, 0, 0, 0, 1, 3)), True),
        ("0332", Rules(rebels_attack_renegades=True, deck=(0, 0, 0, 0, 1, 3)), False),
    ],
)
def test_endings_under_the_rule_of_the_report(seating, rules, sees_cards):
    """Exact, with decks that make games short: wins and points; a move in each turn."""
    solved, game = sanguosha.solve(seating, rules), SeatedGame(seating, rules, sees_cards)
    graph = GameGraph(game)
    play = course(graph, policies.of_policy(graph, report_policy(game)))
    assert play.moves == pytest.approx(solved.turns, abs=1e-7)
    points = SeatedGame(seating, rules, sees_cards, "points")
    for paying, known in (
        (game, solved.endings.tally("seat").means),
        (points, solved.expected_scores()[list(game.seating.roles)]),
    ):
        ends = zip(play.ends, play.chances, strict=True)
        found = sum(chance * np.array(paying.payoffs(graph.states[end])) for end, chance in ends)
        assert mean_over_roles(game, found) == pytest.approx(mean_over_roles(game, known), abs=1e-9)


def mean_over_roles(game, values):
    """By role: the solver does not tell two of a role apart."""
    return [np.mean([value for value, held in zip(values, game.roles, strict=True) if held == role])
            for role in dict.fromkeys(game.roles)]  # fmt: skip


def test_the_last_renegade_alone_has_won():
    """Of two of his role the living one; who is alike in the solver's results is told apart here."""
    dead, last = DEAD_PLAYER, Player(2, 0)
    win, points = SeatedGame("01332"), SeatedGame("01332", payoff="points")
    ended, rebels = Standing((dead, dead, dead, last, dead), 3), Standing((dead, dead, dead, last, Player(1, 1)), 3)
    assert win.payoffs(ended) == (0, 0, 0, 1, 0) and points.payoffs(ended) == (3, 0, 0, 35, 0)
    assert win.payoffs(rebels) == (0, 0, 0, 0, 1) and points.payoffs(rebels) == (0, 0, 0, 4, 12)


test_bad_arguments_are_refused = refuses(
    (lambda: SeatedGame("123"), "^seating = '123' has 0 lords: exactly one 0 is needed$"),
    (lambda: SeatedGame("0123", rules=1), "^rules = 1: a Rules object is needed"),
    (lambda: SeatedGame("0123", sees_cards=1), "^sees_cards = 1: True or False is needed$"),
    (lambda: SeatedGame("0123", payoff="lives"), "^payoff = 'lives': one of 'win', 'points' is needed$"),
    (lambda: report_policy(SeatedGame("02"), 1), "^policies = 1: a mapping from Role to a policy is needed$"),
)
