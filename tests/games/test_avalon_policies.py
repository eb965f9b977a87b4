"""What sensible people believe, propose, vote, play and shoot at: by Bayes' rule in plain Python, and by hand."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gamebalance.games.avalon import AtRandom, Board, Public, Sensible, policies, rules
from gamebalance.games.avalon.rules import BOARDS, View
from tests.oracles import avalon_beliefs
from tests.oracles.avalon_beliefs import Went

FIVE, SEVEN = BOARDS[5], BOARDS[7]
LOYAL = ("loyal", "loyal", "loyal", "minion", "minion")


def view(seat, role, seen=(), cast=LOYAL):
    return View(seat, role, frozenset(seen), cast)


def went(public, *missions):
    """A table after missions, each of a team, those who approved, and the fails."""
    for team, approving, fails in missions:
        public = public.voted(team, approving).played(fails)
    return public


def plain_beliefs(public, hides, listens, possible=lambda seats: True):
    """The same by the oracle."""
    board = public.board
    gone = [
        Went(mission.team, mission.fails, needed)
        for mission, needed in zip(public.missions, board.fails_needed, strict=False)
    ]
    proposals = [*(each for mission in public.missions for each in mission.proposals), *public.proposals]
    votes = [(each.team, each.approving) for each in proposals]
    return avalon_beliefs.beliefs(board.players, board.evil, gone, votes, hides, listens, possible)


@st.composite
def tables(draw):
    """A table that sensible people have come to, and its deal: some votes of a game with made-up votes."""
    board = draw(st.sampled_from([FIVE, BOARDS[6], SEVEN, Board(4, 1, (2, 2, 3), (1, 2, 1), 3)]))
    special = draw(st.sampled_from([("merlin",), ("merlin", "percival", "morgana"), ("merlin", "mordred"), ()]))
    assume(sum(role in ("morgana", "mordred") for role in special) <= board.evil)
    hides = draw(st.sampled_from([0.25, 0.5, 0.9]))
    cast, seats = rules.cast(board, special), st.integers(0, board.players - 1)
    roles = tuple(draw(st.permutations(cast)))
    evil, policy = [seat for seat, role in enumerate(roles) if rules.is_evil(role)], Sensible(hides)
    public = Public(board)
    for _ in range(draw(st.integers(0, 6))):
        team = draw(st.sampled_from(board.teams(len(public.missions))))
        approving = tuple(sorted(draw(st.sets(seats))))
        after = public.voted(team, approving)
        if after.team_goes:
            members = [seat for seat in evil if seat in team]
            chances = [policy.fails(rules.view(roles, seat, cast), after, team) for seat in members]
            draws = [chance if chance in (0, 1) else draw(st.sampled_from([0, 1])) for chance in chances]
            after = after.played(int(sum(draws)))
        if after.is_over:
            break
        public = after
    return public, roles, cast, hides


@settings(max_examples=150)
@given(tables(), st.sampled_from([0.0, 0.4, 0.9]))
def test_beliefs_are_those_of_bayes(table, listens):
    """Of somebody who does not play; of each good player, by what the deal has told; of Merlin who hides it."""
    public, roles, cast, hides = table
    size, players = public.size, len(roles)
    weights = policies._weights(public, hides, listens)
    expected = plain_beliefs(public, hides, listens)
    assert weights / weights.sum() == pytest.approx(list(expected.values()), abs=1e-9)
    for seat, role in enumerate(roles):
        if rules.is_evil(role):
            continue
        knows = rules.view(roles, seat, cast)

        def possible(seats, seat=seat, role=role, seen=knows.seen):
            told = True
            if role == "merlin":
                told = len(set(seats) & seen) == len(seen)
            if role == "percival":  # of Merlin and Morgana, one is evil
                told = len(set(seats) & seen) == 1
            return seat not in seats and told

        sure = Sensible(hides, listens)._clean(knows, public)
        assert sure == pytest.approx(
            avalon_beliefs.clean(plain_beliefs(public, hides, listens, possible), players, size), abs=2e-9
        )
        silent = Sensible(hides, listens, shows=False)._clean(knows, public)
        alone = avalon_beliefs.clean(
            plain_beliefs(public, hides, listens, lambda seats, seat=seat: seat not in seats), players, size
        )
        assert silent == pytest.approx(sure if role == "percival" else alone, abs=2e-9)


def test_good_proposals_and_votes_by_hand():
    """Five players, of whom 0 and 1 went first, and failed or not."""
    everybody, seat, start = tuple(range(5)), view(2, "loyal"), Public(FIVE)
    assert sorted(Sensible().teams(seat, start)) == [(0, 2), (1, 2), (2, 3), (2, 4)]
    failed = went(start, ((0, 1), everybody, 1))  # left are 01, 03, 04, 13, 14, all alike
    expected = [int(not {0, 1} <= set(team)) / 5 for team in FIVE.teams(1) if 2 in team]
    clean = Sensible()._clean(seat, failed)
    assert [clean[team] for team in FIVE.teams(1) if 2 in team] == pytest.approx(expected)
    assert clean[0, 3, 4] == 0  # one of 0 and 1 is evil, and with 0 good, 3 or 4 or nobody is the other
    assert (0, 1, 2) not in Sensible().teams(seat, failed) and len(Sensible().teams(seat, failed)) == 5
    both = went(start, ((0, 1), everybody, 2))
    assert Sensible().teams(seat, both) == [(2, 3, 4)] and Sensible()._clean(seat, both)[2, 3, 4] == 1
    passed = went(start, ((0, 1), everybody, 0))
    assert Sensible(hides=0.5).teams(seat, passed) == [(0, 1, 2)]
    assert Sensible(hides=0.5)._clean(seat, passed)[0, 1, 2] == pytest.approx(1 / (1 + 5 / 2))  # 34, or 01 03 04 13 14
    votes = [Sensible(hides=0.5).approves(seat, passed, team) for team in FIVE.teams(1)]
    assert votes == [1.0] + [0.0] * 9


def test_the_demand_falls_to_none():
    """A team that is half as likely to be clean as the best one passes after two rejections of four, not before."""
    policy, public = Sensible(), Public(FIVE)
    seat = view(0, "loyal")
    chances = policy._clean(seat, public)
    assert chances[0, 1] == pytest.approx(1 / 2) and chances[1, 2] == pytest.approx(1 / 6)  # one third of the best
    votes = []
    for _ in range(5):
        votes.append(policy.approves(seat, public, (1, 2)))
        public = public.voted((1, 2), ())
    assert votes == [0, 0, 0, 1, 1]  # the demands are 1, 3/4, 1/2, 1/4 and none of the best


def test_evil_proposals_and_votes_by_hand():
    """Seats 3 and 4 are evil: 3 goes with the cleanest, never with 4; both approve what has one of them."""
    everybody, evil = tuple(range(5)), view(3, "minion", {3, 4})
    policy, start = Sensible(), Public(FIVE)
    assert sorted(policy.teams(evil, start)) == [(0, 3), (1, 3), (2, 3)]
    passed = went(start, ((0, 1), everybody, 0))  # to somebody outside 24 is likelier than 04 and 14
    assert policy.teams(evil, passed) == [(0, 1, 3)]
    full = Public(Board(5, 2, (5,), (1,)))
    assert list(policy.teams(evil, full)) == [everybody]
    assert [policy.approves(evil, start, team) for team in ((0, 1), (0, 3), (0, 4))] == [0, 1, 1]
    oberon = view(3, "oberon", {3})
    assert [policy.approves(oberon, start, team) for team in ((0, 1), (0, 3), (0, 4))] == [0, 1, 0]
    last = start
    for _ in range(4):
        last = last.voted((0, 1), ())
    assert policy.approves(evil, last, (0, 3)) == 0 and policy.approves(view(0, "loyal"), last, (3, 4)) == 1
    blending = Sensible(blends=True)
    for public in (start, passed, last):
        for team in FIVE.teams(len(public.missions)):
            assert blending.approves(evil, public, team) == policy.approves(view(3, "loyal"), public, team)
        assert blending.teams(evil, public) == policy.teams(view(3, "loyal"), public)


@pytest.mark.parametrize("players", BOARDS)
def test_as_many_fail_as_are_needed(players):
    """Among evil members who know each other, exactly so many or none; Oberon for himself; nobody hides later on."""
    board, everybody = BOARDS[players], tuple(range(players))
    cast = rules.cast(board, ("oberon",))
    roles = cast[::-1]  # evil in the first seats: minions, then Oberon
    knowing, oberon = range(board.evil - 1), board.evil - 1
    assert roles[oberon] == "oberon"
    views = [rules.view(roles, seat, cast) for seat in everybody]
    public = Public(board)
    for mission, needed in enumerate(board.fails_needed):
        sure = 0.75 if mission == 0 else 1.0
        for team in board.teams(mission):
            table = public.voted(team, everybody)
            cards = [Sensible(hides=0.25).fails(views[seat], table, team) for seat in knowing if seat in team]
            expected = needed if len(cards) >= needed else 0
            assert sorted(cards, reverse=True) == [sure] * expected + [0] * (len(cards) - expected)
            assert cards == sorted(cards, reverse=True)  # those in the lowest seats
            if oberon in team:
                assert Sensible(hides=0.25).fails(views[oberon], table, team) == sure
        public = went(public, (board.teams(mission)[0], everybody, mission % 2))
    decides = Public(Board(5, 2, (2,), (1,))).voted((0, 1), everybody)
    assert Sensible(hides=1.0).fails(view(0, "minion", {0, 1}), decides, (0, 1)) == 1


def test_the_shot_reads_votes():
    """Seats 3 and 4 are evil. Seat 1 approved the clean team and rejected the other two; 0 and 2 erred once, twice."""
    public = Public(FIVE).voted((0, 3), (0, 3, 4))
    public = went(public.voted((1, 4), (2, 3)), ((0, 1), (0, 1, 2), 0))
    public = went(public, ((0, 1, 2), (0, 1, 2), 0), ((0, 1), (0, 1, 2), 0))
    assassin = view(3, "minion", {3, 4})
    assert public.is_won and Sensible().shoots(assassin, public) == [1]
    assert Sensible(reads=False).shoots(assassin, public) == [0, 1, 2]
    assert Sensible().shoots(view(4, "oberon", {4}), public) != []
    assert 4 not in AtRandom().shoots(view(4, "oberon", {4}), public)
    assert AtRandom().shoots(assassin, public) == [0, 1, 2]
