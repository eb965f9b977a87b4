"""Environments of PettingZoo through the adapters: known values, and the same games written by others."""

import sys
from collections import Counter
from functools import partial
from itertools import product

import numpy as np
import pytest

from gamebalance.fairness.reports.exact import endings
from gamebalance.games.adapters import openspiel
from gamebalance.games.adapters import pettingzoo as adapters
from gamebalance.multiplayer import cfr, in_turn, search
from gamebalance.multiplayer.protocols import OVER, ExtensiveGame, Game, SimultaneousGame
from tests.games.stones import assert_stones_are_even
from tests.multiplayer.written_trees import play
from tests.refusals import refused, refuses

zoo = pytest.importorskip("pettingzoo", reason="PettingZoo is not installed; nothing to adapt")
pytest.importorskip("pygame", reason="pygame-ce, which PettingZoo's classics need, is not installed")

odd = pytest.importorskip("tests.games.odd_environments")
Knockout = odd.Knockout
TICTACTOE = partial(zoo.make, "aec", "classic/tictactoe-v3")
CONNECT_FOUR = partial(zoo.make, "aec", "classic/connect_four-v3")
STONES = partial(zoo.make, "aec", "classic/rps-v2")


def at_random(rng):
    return lambda seen, moves: moves[rng.integers(len(moves))]


def always(move):
    return lambda seen, moves: move


@pytest.fixture(scope="module")
def three_in_a_row():
    return adapters.game(TICTACTOE, merged=True)


@pytest.fixture(scope="module")
def four_in_a_row():
    return adapters.game(CONNECT_FOUR, merged=True)


@pytest.mark.thorough
def test_tictactoe_is_a_draw_and_its_random_play_is_known(three_in_a_row):
    best = search.maxn(three_in_a_row, three_in_a_row.start(), table=True)
    assert best.value == (0.0, 0.0)
    # First, second and nobody win 737, 363 and 160 of 1260 games of random marks.
    ends = endings(three_in_a_row)
    assert ends.tally("seat").means == pytest.approx([737 / 1260, 363 / 1260], abs=1e-12)
    simulate, rng = adapters.simulator(TICTACTOE), np.random.default_rng(3)
    counts = Counter(simulate(rng, [at_random(rng)] * 2)[0] for _ in range(300))
    for points, chance in ((1.0, 737 / 1260), (-1.0, 363 / 1260), (0.0, 160 / 1260)):
        assert counts[points] / 300 == pytest.approx(chance, abs=4 * np.sqrt(chance * (1 - chance) / 300))


def test_connect_four_is_openspiels(four_in_a_row):
    """Random games move by move; and those that last, from 35 marks on, by search to the end."""
    pytest.importorskip("pyspiel")
    other, rng, values = openspiel.game("connect_four", merged=True), np.random.default_rng(7), []
    for number in range(60):
        line = [other.start()]
        while other.mover(line[-1]) != OVER:
            line.append(other.play(line[-1], int(rng.choice(other.moves(line[-1])))))
        late = len(line) > 36 and len(values) < 3
        for theirs in line if number < 5 else line[35:36] if late else ():
            state = play(four_in_a_row, *theirs.history)
            assert four_in_a_row.mover(state) == other.mover(theirs)
            assert four_in_a_row.moves(state) == other.moves(theirs)
            assert four_in_a_row.payoffs(state) == other.payoffs(theirs)
        if late:
            values.append(search.maxn(four_in_a_row, state, table=True).value)
            assert values[-1] == search.maxn(other, theirs, table=True).value
    assert len(values) == 3


@pytest.fixture(params=["aec", "parallel"])
def stones(request):
    return partial(zoo.make, request.param, "classic/rps-v2")


def test_stones_have_the_value_0_if_played_evenly(stones):
    one = adapters.game(partial(stones, max_cycles=1))
    assert isinstance(one, SimultaneousGame) and not hasattr(one, "mover") and one.movers(()) == (0, 1)
    assert one.moves(()) == {0: (0, 1, 2), 1: (0, 1, 2)} and one.movers(((1, 0),)) == OVER
    paid = {pair: one.payoffs((pair,)) for pair in product(range(3), repeat=2)}
    assert paid[1, 0] == paid[2, 1] == paid[0, 2] == (1.0, -1.0) and paid[0, 1] == (-1.0, 1.0) and paid[1, 1] == (0, 0)
    tree = cfr.GameTree(in_turn(one))
    assert [each.player for each in tree.information_sets] == [0, 1]
    assert_stones_are_even(tree)


def knockout_value(total=0, alive=(0, 1, 2), mover=0):
    """What Knockout is worth to all, by plain recursion, when each takes the first of the best."""
    options = []
    for said in (1, 2):
        out = (total + said) % 3 == 0
        left = tuple(player for player in alive if player != mover) if out else alive
        if len(left) == 1 or total + said >= 8:
            options.append([(2 if len(left) == 1 else 0) if player in left else -1 for player in range(3)])
        else:
            turn = next(player for player in (mover + 1, mover + 2, mover + 3) if player % 3 in left) % 3
            options.append(knockout_value(total + said, left, turn))
    return max(options, key=lambda values: values[mover])


@pytest.mark.parametrize("merged", [False, True])
def test_agents_drop_out_one_by_one(merged):
    """By hand: a says 1, b 2 and is out; c says 2, a 1 and is out too, and c is left. Or the total comes to 8."""
    game = adapters.game(Knockout, merged=merged)
    assert (game.source.agents, game.players) == (("a", "b", "c"), 3) and isinstance(game, Game)
    assert game.moves(game.start()) == (1, 2), "there is no mask: all actions, and they begin at 1"
    assert [game.mover(play(game, *(1, 2, 2, 1)[:moves])) for moves in range(5)] == [0, 1, 2, 0, OVER]
    assert game.payoffs(play(game, 1, 2, 2, 1)) == (-1.0, -1.0, 2.0)
    assert game.mover(play(game, 1, 1, 2, 1, 2, 1)) == OVER and game.payoffs(play(game, 1, 1, 2, 1, 2, 1)) == (0.0,) * 3
    best = search.maxn(game, game.start(), table=True)
    assert list(best.value) == knockout_value()


def test_agents_who_move_at_once_may_be_gone_and_born():
    game = adapters.game(odd.Matching)
    assert game.source.agents == ("a", "b") and not game.merged
    for one, two in product(product((0, 1), repeat=2), repeat=2):
        gain = sum(1 if shown[0] == shown[1] else -1 for shown in (one, two))
        assert game.payoffs((one, two)) == (gain, -gain) and game.movers((one, two)) == OVER
    assert game.information(((0, 1),), 0) == game.information(((0, 1),), 0) != game.information(((1, 0),), 0)
    assert cfr.solve(in_turn(game), 500, "cfr+").value == pytest.approx((0, 0), abs=1e-6)
    grown = adapters.game(partial(odd.Matching, "abc"))
    assert grown.source.agents == ("a", "b", "c") and (grown.movers(()), grown.movers(((1, 1),))) == ((0, 1), (0, 1, 2))
    assert grown.payoffs(((1, 1), (0, 1, 1))) == (1 - 1 - 1, -1 + 1, 1)
    assert played(odd.Matching, always(1), always(1)) == (2.0, -2.0)


def test_what_is_hidden_is_found_later_in_a_play_too():
    game, players = adapters.playable(odd.Whispered)
    assert isinstance(game, ExtensiveGame) and players is None
    assert game.information((0, 1, 0)) == game.information((0, 1, 1)) != game.information((1, 1, 1))


def test_environments_have_names():
    stones, players = adapters.named("classic/rps-v2(num_actions=5, max_cycles=2)")
    assert isinstance(stones, SimultaneousGame) and players is None and len(stones.moves(())[0]) == 5
    assert stones.movers(((0, 1),)) == (0, 1) and stones.movers(((0, 1), (0, 0))) == OVER
    merged, _ = adapters.named("classic/tictactoe-v3(merged=True)")
    assert merged.merged and isinstance(merged, Game) and not isinstance(merged, ExtensiveGame)


def test_environments_with_chance_are_simulated():
    simulate, players = adapters.playable(partial(Knockout, chance=True))
    assert players == 3 and sum(simulate(np.random.default_rng(1), [always(1)] * 3)) == 0


def test_a_refused_move_leaves_the_game_as_it_was():
    game = adapters.game(TICTACTOE)
    assert play(game, 0, 1) == (0, 1)
    with refused("move = 0: one of (1, 2, 3, 4, 5, 6, 7, 8) is needed"):
        game.mover((0, 0))
    assert game.moves((4, 1)) == (0, 2, 3, 5, 6, 7, 8) and game.moves((0, 1)) == (2, 3, 4, 5, 6, 7, 8)


def test_what_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    with refused("pip install 'gamebalance[pettingzoo]'"):
        adapters.simulator(TICTACTOE)


def played(make_env, *players, **options):
    return adapters.simulator(make_env, **options)(np.random.default_rng(0), players)


test_bad_arguments_are_refused = refuses(
    (lambda: adapters.game(TICTACTOE()), "make_env = .*: a function that makes an environment is needed"),
    (lambda: adapters.game(partial(Knockout, chance=True)), "chance has a part in knockout; pettingzoo.simulator can"),
    (lambda: adapters.game(STONES, merged=True), "merged = True: .*hides something, and there the past matters"),
    (lambda: adapters.game(odd.Whispered), "a move in whispered is hidden; hidden = True is needed"),
    (lambda: adapters.game(odd.Calling), "calling, parallelizable by its metadata, b sees the others move"),
    (
        lambda: adapters.named("chess"),
        "game = 'pettingzoo:chess': a name with its version is needed as in",
    ),
    (lambda: adapters.named("classic/whist-v1"), "game = .*: PettingZoo has no classic/whist-v1; it has classic/chess"),
    (lambda: adapters.named("classic/rps-v2(num_actions=4)"), "game = .*: The number of actions must be an odd number"),
    (lambda: adapters.game(STONES, merged=True, hidden=True), "merged = True: where moves are hidden the past matters"),
    (
        lambda: played(TICTACTOE, always(0)),
        r"players: 1 are given, one for each of \('player_1', 'player_2'\) is needed",
    ),
    (lambda: played(TICTACTOE, always(0), always(0)), r"move = 0: one of \(1, 2, 3, 4, 5, 6, 7, 8\) is needed"),
    (lambda: played(STONES, always(0), always(0), most_moves=4), "most_moves = 4: the play is not over after so many"),
)
