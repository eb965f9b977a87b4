"""Avalon's rules by hand, and what every game that is played must obey."""

from itertools import chain, combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance.games import avalon
from gamebalance.games.avalon import AtRandom, Board, Public, Sensible, playing, rules
from tests.oracles import avalon_table
from tests.refusals import refuses

SPECIAL = ("merlin", "percival", "morgana", "mordred", "oberon")
EVERY_SPECIAL = list(chain.from_iterable(combinations(SPECIAL, size) for size in range(6)))
THREE = Board(3, 1, (1, 2, 1), (1, 1, 1), 3)
#: The tests below that look at samples each fail by chance less often than this, had they other seeds.
ERROR = 1e-3


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


def test_who_sees_whom_by_hand():
    cast = rules.cast(rules.BOARDS[10], SPECIAL)
    assert cast == ("merlin", "percival", *["loyal"] * 4, "morgana", "mordred", "oberon", "minion")
    seen = [set(rules.view(cast, seat, cast).seen) for seat in range(10)]
    assert seen[:6] == [{6, 8, 9}, {0, 6}, set(), set(), set(), set()]
    assert seen[6:] == [{6, 7, 9}, {6, 7, 9}, {8}, {6, 7, 9}]
    assert rules.assassin(cast) == 6 and rules.assassin(cast[::-1]) == 0
    assert rules.assassin(("oberon", "loyal", "loyal", "loyal", "minion")) == 4
    assert rules.assassin(("loyal", "oberon", "merlin")) == 1


def test_a_table_by_hand():
    """Three missions, two of which decide; the leader moves on after every vote, and rejections begin anew."""
    public = Public(THREE)
    for leader, votes in enumerate([(), (1,), (0, 2)]):
        assert public.leader == leader and public.size == 1 and not public.is_over
        public = public.voted((1,), votes)
        assert public.team_goes == (len(votes) == 2)
    public = public.played(1)
    assert public.leader == 0 and public.proposals == () and public.size == 2
    assert public.results == (((1,), 1, True),) and (public.failed, public.succeeded) == (1, 0)
    public = public.voted((0, 2), (0, 1, 2)).played(0)
    assert public.leader == 1 and (public.failed, public.succeeded) == (1, 1)
    for _ in range(3):
        assert public.lost is None
        public = public.voted((2,), (0,))
    assert public.lost == "five rejections" and public.is_over and not public.is_won
    fifth = Public(THREE).voted((0,), ()).voted((0,), ()).voted((0,), (0, 1))
    assert fifth.team_goes and not fifth.is_over and fifth.played(1).failed == 1  # the last proposal may go
    four = Public(rules.BOARDS[7], Public(THREE).voted((0,), (0, 1)).played(1).missions * 3)
    assert four.voted((0, 1, 2, 3), (0, 1, 2, 3)).played(1).missions[-1].failed is False
    assert four.voted((0, 1, 2, 3), (0, 1, 2, 3)).played(2).missions[-1].failed is True


def test_game_i_of_a_seed_is_the_same_however_many_are_played():
    board, policy = rules.BOARDS[6], Sensible()
    some = list(playing.games(board, ["merlin"], policy, 12, seed=5))
    assert some[:4] == list(playing.games(board, ["merlin"], policy, 4, seed=5))
    assert some[7] == avalon.play(board, ["merlin"], policy, 5, 7)
    assert some != list(playing.games(board, ["merlin"], policy, 12, seed=6))
    assert len({game.roles for game in some}) > 4
    counts = avalon.simulate(board, ["merlin"], policy, 12, seed=5)
    assert list(counts) == list(rules.ENDINGS) and sum(counts.values()) == 12
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
    (lambda: Board(5, 2, (6,), (1,)), "^sizes = 6: .*5"),
    (lambda: Board(5, 2, (2,), (3,)), "^fails_needed = 3: .*2"),
    (lambda: rules.cast(rules.BOARDS[5], ["merlin", "merlin"]), "^special = .*: each at most once of merlin, percival"),
    (lambda: rules.cast(rules.BOARDS[5], ["morgana", "mordred", "oberon"]), "^special = .*: at most 2 evil roles"),
    (lambda: AtRandom(approve=1.5), "^approve = 1.5: "),
    (lambda: Sensible(hides=2), "^hides = 2: "),
    (lambda: Sensible(listens=1), "^listens = 1: .*0.99"),
    (lambda: avalon.simulate(THREE, (), AtRandom(), 0, seed=1), "^count = 0: "),
    (lambda: avalon.good_wins({"draw": 1}), "^endings = .*: 'draw' is no ending"),
)
