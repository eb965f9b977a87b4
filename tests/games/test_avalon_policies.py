"""What sensible people believe, propose, vote, play and shoot at: by Bayes' rule in plain Python, and by hand."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from gamebalance.games.avalon import Board, Public, Sensible, policies, rules
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
    weights = policies._weights(public.board, public.results, public.votes, hides, listens)
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


def test_evil_that_blends_proposes_and_votes_as_the_loyal_do():
    evil, loyal, start = view(3, "minion", {3, 4}), view(3, "loyal"), Public(FIVE)
    last = start.voted((0, 1), ()).voted((0, 1), ()).voted((0, 1), ()).voted((0, 1), ())
    assert Sensible().teams(evil, start) != (teams := Sensible().teams(loyal, start)) and len(teams) == 4
    for public in (start, went(start, ((0, 1), range(5), 0)), last):
        for team in FIVE.teams(len(public.missions)):
            assert Sensible(blends=True).approves(evil, public, team) == Sensible().approves(loyal, public, team)
        assert Sensible(blends=True).teams(evil, public) == Sensible().teams(loyal, public)


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
