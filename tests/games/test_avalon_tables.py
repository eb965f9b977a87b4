"""Avalon's rules and engine: against an enumeration that shares nothing with them, and what every game must obey."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest

from gamebalance.games import avalon
from gamebalance.games.avalon import AtRandom, Board, Public, Sensible, playing, rules
from gamebalance.games.avalon.rules import View
from tests.oracles import avalon_table
from tests.oracles.avalon_table import Plain, Rules, Seen
from tests.refusals import refuses


def plain_rules(board: Board) -> Rules:
    return Rules(board.players, board.sizes, board.fails_needed, board.proposals)


@dataclass(frozen=True)
class AtTable:
    """A plain policy as the library's tables ask it."""

    plain: Plain

    def teams(self, view: View, public: Public):
        return self.plain.teams(plain_rules(public.board), _seen(view, public), public.size)

    def approves(self, view: View, public: Public, team):
        return self.plain.approves(plain_rules(public.board), _seen(view, public), team)

    def fails(self, view: View, public: Public, team):
        *before, (leader, gone, approving) = public.proposals
        assert gone == team
        table = Public(public.board, public.missions, tuple(before))
        assert table.leader == leader and public.team_goes and public.proposals[-1].approving == approving
        return self.plain.fails(plain_rules(public.board), _seen(view, table), team)

    def shoots(self, view: View, public: Public):
        return self.plain.shoots(plain_rules(public.board), _seen(view, public))


def _seen(view: View, public: Public) -> Seen:
    events = []
    for mission in public.missions:
        *rejected, gone = mission.proposals
        events += [(*proposal, None) for proposal in rejected] + [(*gone, mission.fails)]
    return Seen(view.seat, view.role, view.seen, (*events, *((*proposal, None) for proposal in public.proposals)))


ONE = Board(3, 1, (2,), (1,), 3)
THREE = Board(3, 1, (1, 2, 1), (1, 1, 1), 1)
FOUR = Board(4, 1, (3,), (1,), 2)
FIVE = Board(5, 2, (3,), (1,), 1)
TWO_FAILS = Board(5, 2, (3,), (2,), 1)
#: The chance that this module's samples would look wrong, had they other seeds, is below this for each comparison.
ERROR = 1e-5


def endings_of(board, special, plain):
    found = avalon_table.endings(plain_rules(board), rules.cast(board, special), plain)
    return {ending: found.get(ending, 0) for ending in rules.ENDINGS}


@pytest.mark.parametrize(
    ("board", "special", "approve", "fail"),
    [
        (ONE, (), Fraction(3, 8), Fraction(5, 8)),
        (Board(3, 1, (2,), (1,), 1), ("merlin",), 0.3, 0.9),
        (THREE, ("merlin",), Fraction(3, 8), Fraction(5, 8)),
        (FOUR, ("merlin", "oberon"), Fraction(5, 8), Fraction(3, 4)),
        (FIVE, ("merlin", "oberon"), 1, Fraction(3, 4)),
        (FIVE, ("merlin", "percival", "morgana"), 1, Fraction(1, 4)),
        (TWO_FAILS, (), 1, Fraction(3, 4)),
    ],
)
def test_at_random_is_the_enumeration(board, special, approve, fail):
    plain = endings_of(board, special, avalon_table.at_random(Fraction(approve), Fraction(fail)))
    assert playing.at_random(board, special, approve, fail) == plain and sum(plain.values()) == 1


@pytest.mark.parametrize(
    ("board", "special"),
    [
        (ONE, ("merlin",)),
        (THREE, ()),
        (THREE, ("merlin", "mordred")),
        (THREE, ("merlin", "percival", "morgana")),
        (FOUR, ("merlin", "percival", "oberon")),
        (FIVE, ("merlin", "oberon", "mordred")),
        (FIVE, ("merlin", "percival", "morgana")),
        (TWO_FAILS, ("merlin", "mordred")),
    ],
)
def test_a_policy_that_hangs_on_everything(board, special):
    """Seats, roles, sights, leaders, votes and fails: one of them told wrongly moves the mood, and the chances."""
    plain, count = avalon_table.moody(), 1500
    expected = endings_of(board, special, plain)
    assert sum(expected.values()) == 1 and min(expected["three fails"], expected["five rejections"]) > 0
    found = avalon.simulate(board, special, AtTable(plain), count, seed=7)
    for ending, chance in expected.items():
        assert binomtest(found[ending], count, float(chance)).pvalue > ERROR, ending


@pytest.mark.parametrize("players", rules.BOARDS)
def test_samples_at_full_tables(players):
    board, count = rules.BOARDS[players], 800
    special = ("merlin", "oberon") if players % 2 else ("merlin",)
    found = avalon.simulate(board, special, AtRandom(0.55, 0.4), count, seed=players)
    for ending, chance in playing.at_random(board, special, 0.55, 0.4).items():
        assert binomtest(found[ending], count, float(chance)).pvalue > ERROR, ending


SPECIAL = ("merlin", "percival", "morgana", "mordred", "oberon")
EVERY_SPECIAL = list(chain.from_iterable(combinations(SPECIAL, size) for size in range(6)))


def test_boards_are_those_of_the_rule_book():
    evil = {players: board.evil for players, board in rules.BOARDS.items()}
    assert evil == {5: 2, 6: 2, 7: 3, 8: 3, 9: 3, 10: 4}
    sizes = [board.sizes for board in rules.BOARDS.values()]
    assert sizes == [(2, 3, 2, 3, 3), (2, 3, 4, 3, 4), (2, 3, 3, 4, 4), *[(3, 4, 4, 5, 5)] * 3]
    for players, board in rules.BOARDS.items():
        assert board.players == players and board.proposals == 5 and board.to_win == 3
        assert board.fails_needed == (1, 1, 1, 1 + (players >= 7), 1)
        assert 2 * board.majority > players >= 2 * (board.majority - 1)
        assert players - board.evil >= board.majority and board.evil < board.proposals


@pytest.mark.parametrize("players", rules.BOARDS)
def test_casts_and_sights_of_every_set_of_special_roles(players):
    board, tried = rules.BOARDS[players], 0
    for special in EVERY_SPECIAL:
        wicked = [role for role in special if role in avalon_table.EVIL]
        if len(wicked) > board.evil:
            continue
        tried += 1
        cast = rules.cast(board, special)
        assert len(cast) == players and sum(role in avalon_table.EVIL for role in cast) == board.evil
        assert {role for role in cast if role not in ("loyal", "minion")} == set(special)
        assert all(cast.count(role) == 1 for role in special)
        assert rules.cast(board, special[::-1]).count("minion") == board.evil - len(wicked)
        deal = tuple(np.random.default_rng([players, tried]).permutation(cast).tolist())
        for seat, role in enumerate(deal):
            view = rules.view(deal, seat, cast)
            assert view == (seat, role, avalon_table.shown(deal, seat), cast)
            assert view.is_evil == (role in avalon_table.EVIL)
    assert tried == sum(len(set(special) & avalon_table.EVIL) <= board.evil for special in EVERY_SPECIAL) >= 28


def test_game_i_of_a_seed_is_the_same_however_many_are_played():
    board, policy = rules.BOARDS[6], Sensible()
    some = list(playing.games(board, ["merlin"], policy, 12, seed=5))
    assert some[:4] == list(playing.games(board, ["merlin"], policy, 4, seed=5))
    assert some[7] == avalon.play(board, ["merlin"], policy, 5, 7) and len({game.roles for game in some}) > 4
    counts = avalon.simulate(board, ["merlin"], policy, 12, seed=5)
    assert counts == {ending: sum(game.ending == ending for game in some) for ending in rules.ENDINGS}
    assert avalon.good_wins(counts) == sum(game.winner == "good" for game in some)


@st.composite
def tables(draw):
    """A board, real or made up, special roles that fit, and a policy."""
    if draw(st.booleans()):
        board = rules.BOARDS[draw(st.integers(5, 10))]
    else:
        players, missions = draw(st.integers(3, 7)), draw(st.sampled_from([1, 3, 5]))
        sizes = draw(st.lists(st.integers(1, players), min_size=missions, max_size=missions))
        needed = [draw(st.integers(1, min(size, 2))) for size in sizes]
        evil = draw(st.integers(1, (players - 1) // 2))
        board = Board(players, evil, tuple(sizes), tuple(needed), draw(st.integers(1, 5)))
    special = draw(st.sampled_from(EVERY_SPECIAL).filter(lambda special: _fits(board, special)))
    chance, flag = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), st.booleans()
    at_random = st.builds(AtRandom, chance, chance)
    sensible = st.builds(Sensible, chance, st.sampled_from([0.0, 0.3, 0.9]), flag, flag, flag)
    return board, special, draw(st.one_of(at_random, sensible))


def _fits(board, special):
    wicked = sum(role in avalon_table.EVIL for role in special)
    return wicked <= board.evil and len(special) - wicked <= board.players - board.evil


@settings(max_examples=120)
@given(tables(), st.integers(0, 10**6))
def test_every_game_obeys_the_rules(table, seed):
    board, special, policy = table
    game = avalon.play(board, special, policy, seed)
    public, evil = game.public, {seat for seat, role in enumerate(game.roles) if role in avalon_table.EVIL}
    assert sorted(game.roles) == sorted(rules.cast(board, special)) and len(evil) == board.evil
    everything = [*chain.from_iterable(mission.proposals for mission in public.missions), *public.proposals]
    assert [each.leader for each in everything] == [number % board.players for number in range(len(everything))]
    for number, mission in enumerate(public.missions):
        *rejected, approved = mission.proposals
        assert len(mission.proposals) <= board.proposals and 2 * len(approved.approving) > board.players
        assert all(2 * len(each.approving) <= board.players for each in rejected)
        for each in mission.proposals:
            assert len(each.team) == board.sizes[number] and set(each.team) <= set(range(board.players))
            assert all(one < other for seats in (each.team, each.approving) for one, other in pairwise(seats))
        assert mission.team == approved.team and 0 <= mission.fails <= len(evil & set(mission.team))
        assert mission.failed == (mission.fails >= board.fails_needed[number])
    failed = [mission.failed for mission in public.missions]
    decisive = len(board.sizes) // 2 + 1
    assert max(sum(failed[:-1]), len(failed[:-1]) - sum(failed[:-1])) < decisive  # it had not ended before
    if game.ending == "five rejections":
        assert len(public.proposals) == board.proposals
        assert all(2 * len(each.approving) <= board.players for each in public.proposals)
        assert max(sum(failed), len(failed) - sum(failed)) < decisive and game.shot is None
    elif game.ending == "three fails":
        assert sum(failed) == decisive and public.proposals == () and game.shot is None
    else:
        assert len(failed) - sum(failed) == decisive and public.proposals == ()
        assert ("merlin" in special) == (game.shot is not None) == (game.ending != "three successes")
        if game.shot is not None:
            assert (game.ending == "merlin shot") == (game.roles[game.shot] == "merlin")
            assert game.shot not in avalon_table.shown(game.roles, rules.assassin(game.roles))


test_refusals = refuses(
    (lambda: Board(11, 2, (2,), (1,)), "^players = 11: .*10"),
    (lambda: Board(4, 2, (2,), (1,)), "^evil = 2: .*1"),
    (lambda: Board(5, 2, (2, 3, 2), (1, 1)), "^sizes, fails_needed = .*: 1, 3 or 5 of each"),
    (lambda: rules.cast(rules.BOARDS[5], ["merlin", "merlin"]), "^special = .*: each at most once of merlin, percival"),
    (lambda: rules.cast(rules.BOARDS[5], ["morgana", "mordred", "oberon"]), "^special = .*: at most 2 evil roles"),
    (lambda: AtRandom(approve=1.5), "^approve = 1.5: "),
    (lambda: Sensible(listens=1), "^listens = 1: .*0.99"),
    (lambda: avalon.simulate(THREE, (), AtRandom(), 0, seed=1), "^count = 0: "),
    (lambda: avalon.good_wins({"draw": 1}), "^endings = .*: 'draw' is no ending"),
    (lambda: playing.at_random(ONE, approve=2), "^approve = 2: "),
    (lambda: avalon.bounds.row(4), "^players = 4: .*5"),
)
