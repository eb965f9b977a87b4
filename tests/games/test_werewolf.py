"""Werewolf: rules, declared strategies, and the observer against counting over the whole game tree."""

from collections import Counter, defaultdict
from dataclasses import replace
from fractions import Fraction as F
from functools import cache, reduce

import numpy as np
import pytest

from chapters import who_is_the_wolf as werewolf_essay
from gamebalance import mafia
from gamebalance.games import werewolf
from gamebalance.games.werewolf import (
    SEER,
    VILLAGER,
    WOLF,
    Observer,
    PlanObserver,
    Setup,
    Strategies,
    rules,
    strategies,
)
from gamebalance.games.werewolf.rules import Night, Speech, Statement, Votes
from tests.refusals import refuses

#: Exact strategies with every branch open.
CHANCES = {"come_out": F(1, 4), "come_out_found": F(3, 4), "fake_first": F(1, 4), "fake_counter": F(1, 2), "lie": F(0)}
CHANCES |= {"accuse": F(2, 3), "hunt": F(1, 2), "blend": F(1, 3), "tremble": F(1, 10)}
FULL = Strategies(**CHANCES, vote="bayes")
SMALL = Setup(wolves=1, villagers=2)
CASES = {
    "one day": (SMALL, FULL),
    "villagers lie": (SMALL, replace(FULL, lie=F(1, 5), accuse=F(1), tremble=F(0))),
    "roles stay hidden, ties hang nobody": (Setup(1, 2, reveal=False, tie="nobody"), replace(FULL, vote="accused")),
    "the essay's votes": (
        SMALL,
        replace(FULL, vote=werewolf_essay.essay_vote, wolf_vote=werewolf_essay.essay_wolf_vote),
    ),
    "no seer": (Setup(1, 3, seer=False), replace(FULL, lie=F(1, 5), accuse=F(1), tremble=F(0))),
}


FOUR = Setup(1, 2)
SEATS = (WOLF, SEER, VILLAGER, VILLAGER)


def seen(*events):
    return reduce(rules.Public.after, events, rules.start(FOUR))


def state(public):
    return public.living, public.speakers, public.is_night, public.winner


def test_a_day_as_everybody_sees_it():
    """Player 2 dies; 0 says nothing, 1 claims, 3 says nothing; 0 is hanged."""
    claim = Statement(0, True)
    events = (Night(2, VILLAGER, None), Speech(0, None), Speech(1, claim), Speech(3, None))
    events += (Votes(((0, 1), (1, 0), (3, 0)), 0, WOLF, "town"),)
    begun, dawn, _, spoken, noon, over = (seen(*events[:number]) for number in range(6))
    assert begun == rules.Public((), (True,) * 4, ((), (), (), ())) and state(begun) == ((0, 1, 2, 3), (), True, None)
    assert state(dawn) == ((0, 1, 3), (0, 1, 3), False, None) and state(spoken) == ((0, 1, 3), (3,), False, None)
    assert spoken.claims == ((), (claim,), (), ()) and spoken.alive == (True, True, False, True)
    assert state(noon) == ((0, 1, 3), (), False, None) and state(over) == ((1, 3), (), True, "town")
    assert over.events == events
    nobody = seen(events[0], Votes(((0, 1), (1, 3), (3, 0)), None, None, None))
    assert state(nobody) == ((0, 1, 3), (), True, None) and nobody.after(Night(3, None, "wolves")).winner == "wolves"


@pytest.mark.parametrize(
    ("living", "winner"),
    [((0, 1, 2, 3), None), ((0, 1, 2), None), ((0, 1), "wolves"), ((0,), "wolves"), ((1, 2), "town"), ((), "town")],
)
def test_who_has_won(living, winner):
    assert rules.winner(SEATS, living) == winner
    assert rules.winner((WOLF, *SEATS), (0, 1, 2, 3)) == "wolves" and rules.winner((WOLF, *SEATS), range(5)) is None


def test_who_dies_and_what_of_it_is_shown():
    dawn, hidden, votes = seen(Night(3, VILLAGER, None)), Setup(1, 2, reveal=False), ((0, 1), (1, 0), (2, 0))
    assert rules.night_event(FOUR, SEATS, seen(), 1) == Night(1, SEER, None)
    assert rules.night_event(hidden, SEATS, seen(), 1) == Night(1, None, None)
    assert rules.night_event(FOUR, SEATS, dawn, 2) == Night(2, VILLAGER, "wolves")
    assert rules.vote_event(FOUR, SEATS, dawn, votes, 0) == Votes(votes, 0, WOLF, "town")
    assert rules.vote_event(FOUR, SEATS, dawn, votes, 1) == Votes(votes, 1, SEER, "wolves")
    assert rules.vote_event(hidden, SEATS, dawn, votes, 0) == Votes(votes, 0, None, "town")
    assert rules.vote_event(FOUR, SEATS, dawn, votes, None) == Votes(votes, None, None, None)
    votes, nobody = ((0, 3), (1, 0), (2, 0), (3, 2), (4, 3)), Setup(1, 2, tie="nobody")
    assert rules.hangings(FOUR, votes) == (0, 3) and rules.hangings(nobody, votes) == (None,)
    assert rules.hangings(nobody, votes[1:]) == (0,) == rules.hangings(FOUR, votes[1:])


def test_who_knows_what():
    roles = (VILLAGER, WOLF, SEER, WOLF, VILLAGER)
    assert rules.view(2, roles, (3, 0)) == (SEER, (Statement(3, True), Statement(0, False)))
    assert rules.view(1, roles, (3, 0)) == rules.view(3, roles, ()) == (WOLF, (1, 3))
    assert rules.view(0, roles, (3, 0)) == (VILLAGER, ())


histories_of = cache(werewolf.all_histories)


@pytest.fixture(params=CASES.values(), ids=CASES)
def tree(request):
    return *request.param, histories_of(*request.param)


def test_observer_equals_counting(tree):
    """Beliefs after sampled histories, unfinished and finished: ratios of sums over the whole tree, exactly."""
    setup, plan, histories = tree
    assert sum(sum(joint.values()) for public, joint in histories.items() if public.winner) == 1
    assert all(weight > 0 for joint in histories.values() for weight in joint.values())
    for public, joint in list(histories.items())[:: max(1, len(histories) // 60)]:
        observer, total = Observer(setup, plan, exact=True).follow(public.events), sum(joint.values())
        expected: Counter = Counter()
        for (roles, _), weight in joint.items():
            expected[roles] += weight / total
        posterior = observer.posterior()
        assert posterior.exact and sum(posterior.probabilities) == 1 and expected.keys() <= set(posterior.hypotheses)
        assert posterior.probabilities == tuple(expected[roles] for roles in posterior.hypotheses)
        assert observer.public == public and observer.public.alive == public.alive


def test_private_views_equal_counting(tree):
    setup, plan, histories = tree
    unfinished = [(public, joint) for public, joint in histories.items() if not public.winner and public.events]
    for public, joint in unfinished[:: max(1, len(unfinished) // 12)]:
        observer = Observer(setup, plan, exact=True).follow(public.events)
        for player in public.living:
            groups = defaultdict(Counter)
            for (roles, checks), weight in joint.items():
                groups[rules.view(player, roles, checks)][roles] += weight
            for known, weights in groups.items():
                seen = observer.seen_by(player, known).posterior()
                assert all(seen[roles] == F(weight) / weights.total() for roles, weight in weights.items())


def joint_probability(plan, roles, events):
    """Probability of the events under these roles, by walking through them and summing over the seer's checks."""

    def onward(public, checks, left):
        if not left:
            return 1
        event, rest = left[0], left[1:]
        after = public.after(event)
        if isinstance(event, Night):
            if (event.role is not None and event.role != roles[event.victim]) or roles[event.victim] == WOLF:
                return 0
            seer = roles.index(SEER)
            free = [other for other in after.living if other != seer and other not in checks]
            chance = strategies.kill(plan, roles, public)[event.victim]
            if not after.alive[seer] or after.winner:
                return chance * onward(after, checks, rest)
            return chance * sum(onward(after, (*checks, other), rest) for other in free) / len(free)
        if isinstance(event, Speech):
            known = rules.view(event.player, roles, checks)
            chance = strategies.speech(plan, event.player, known, public).get(event.statement, 0)
            return chance and chance * onward(after, checks, rest)
        chance = int(event.role == roles[event.hanged])
        for voter, target in event.votes:
            known = rules.view(voter, roles, checks)
            chance = chance and chance * strategies.vote(plan, voter, known, public).get(target, 0)
        return chance and chance * onward(after, checks, rest)

    return onward(rules.start(Setup()), (), events)


def test_three_days_of_seven_equal_walking_through_them():
    plan = replace(FULL, vote="accused", tremble=F(1, 4), blend=F(1, 2))
    numbers = [n for n in range(40) if len(werewolf.play(Setup(), plan, 8, n).public.events) > 12][:5]
    open_ones = []
    for number in numbers:
        events = werewolf.play(Setup(), plan, 8, number).public.events[:-1]
        posterior = Observer(Setup(), plan, exact=True).follow(events).posterior()
        joint = [joint_probability(plan, roles, events) for roles in posterior.hypotheses]
        assert posterior.probabilities == tuple(value / sum(joint) for value in joint)
        open_ones.append(sum(value > 0 for value in joint))
    assert len(numbers) == 5 and max(open_ones) > 1


@pytest.mark.parametrize("vote", [*werewolf.VOTES, werewolf_essay.essay_vote], ids=[*werewolf.VOTES, "essay"])
def test_simulation_agrees_with_the_tree(vote):
    plan = replace(FULL, vote=vote)
    exact = float(werewolf.exact_town_win_rate(SMALL, plan))
    value, error = werewolf.town_win_rate(SMALL, plan, 250, seed=11)
    assert abs(value - exact) < 4 * error and 0 < error < 0.033


@pytest.mark.parametrize(
    ("villagers", "chance"), [(2, 0), (3, F(1, 3)), pytest.param(4, F(1, 4), marks=pytest.mark.thorough)]
)
@pytest.mark.parametrize("seer", [False, True], ids=["no seer", "a seer who says and heeds nothing"])
def test_with_random_votes_it_is_mafia(villagers, chance, seer):
    """One wolf, nobody speaks, everyone votes for anybody else: each of the living is hanged equally often.

    So the town wins as often as in Mafia without detectives, where one of the living is drawn, by the same rule of the
    end. With a second wolf it does not: wolves never vote for each other here.
    """
    setup, plan = Setup(1, villagers - seer, seer=seer), Strategies(0, 0, tremble=1)
    in_mafia = mafia.win_probability(1, villagers, half_rule="always", exact=True)
    assert werewolf.exact_town_win_rate(setup, plan) == in_mafia == chance


def test_beliefs_about_plans_are_bayes_over_their_evidence():
    """The tree of each plan says how probable a history is under it; beliefs about roles are the mixture."""
    bold = replace(FULL, vote="accused")
    plans = {"silent": replace(bold, fake_first=F(0), fake_counter=F(0)), "bold": bold}
    prior = {"silent": F(1, 4), "bold": F(3, 4)}
    trees = {name: histories_of(SMALL, plan) for name, plan in plans.items()}
    both = [public for public in trees["bold"] if not public.winner and public.events]
    for public in both[:: len(both) // 25]:
        observer = reduce(PlanObserver.see, public.events, PlanObserver(SMALL, plans, [0.25, 0.75]))
        joint = {name: trees[name].get(public, {}) for name in plans}
        weights = {name: share * sum(joint[name].values()) for name, share in prior.items()}
        total = sum(weights.values())
        for name, weight in weights.items():
            assert observer.plans[name] == pytest.approx(float(weight / total), abs=1e-12)
        wolf = [0.0] * 4
        for name, share in prior.items():
            for (roles, _), weight in joint[name].items():
                wolf[roles.index(WOLF)] += float(share * weight / total)
        np.testing.assert_allclose(observer.role_probabilities()[:, 0], wolf, atol=1e-12)
        evidence = Observer(SMALL, bold, exact=True).follow(public.events).evidence
        assert evidence == sum(joint["bold"].values())


def public_with(claims, alive=(True,) * 5):
    """A public state with these claims, in order: (player, target, is wolf)."""
    public = replace(rules.start(Setup(2, 2)), alive=tuple(alive))
    for player, target, is_wolf in claims:
        public = public.after(Speech(player, Statement(target, is_wolf)))
    return public


NIGHT = Night(3, VILLAGER, None)
DAY = (NIGHT, *(Speech(player, None) for player in (0, 1, 2)))
END = (*DAY, Votes(((0, 1), (1, 0), (2, 0)), 0, WOLF, "town"))
TWO_RULES = {"a": FULL, "b": replace(FULL, vote="random")}


def after(*events, plan=FULL):
    return Observer(SMALL, plan).follow(events)


def test_votes_by_rule():
    claims = public_with([(0, 3, True), (1, 3, True), (2, 4, True), (4, 1, False)])
    plan = Strategies(tremble=F(1, 5))

    def votes(rule, player, known=(VILLAGER, ()), suspicion=None, **changes):
        return strategies.vote(replace(plan, vote=rule, **changes), player, known, claims, suspicion)

    assert votes("random", 4) == dict.fromkeys((0, 1, 2, 3), F(1, 4))
    assert votes("accused", 4)[3] == F(4, 5) + F(1, 20)
    assert votes("accused", 3, tremble=0) == {4: 1}
    assert votes("accused", 0, tremble=0) == {3: F(1, 2), 4: F(1, 2)}, "his own claim is no evidence to him"
    nearly = [[0] * 5] * 4 + [[0.3, 0.1 + 0.2, 0, 0, 0]]
    assert votes("bayes", 4, suspicion=nearly, tremble=0) == {0: F(1, 2), 1: F(1, 2)}, "equal but for rounding"
    essay = werewolf_essay.essay_vote
    assert votes(essay, 4, tremble=0) == {0: 1} and votes(essay, 0, tremble=0) == {1: 1}
    suspicion = [[0, 0, 0, 0, 0]] * 4 + [[F(1, 2), F(1, 4), F(1, 2), 0, 0]]
    assert votes("bayes", 4, suspicion=suspicion, tremble=0) == {0: F(1, 2), 2: F(1, 2)}
    assert votes("random", 0, (SEER, (Statement(1, False), Statement(2, True))), tremble=0) == {2: 1}
    assert votes("random", 0, (SEER, (Statement(1, False),)), tremble=0) == dict.fromkeys((2, 3, 4), F(1, 3))
    assert votes("accused", 0, (WOLF, (0, 3)), blend=F(1, 2)) == {1: F(1, 6), 2: F(1, 6), 4: F(2, 3)}


test_what_is_refused = refuses(
    (lambda: Setup(0), "^wolves = 0: a whole number from 1 to 9 is needed$"),
    (lambda: Setup(10), "^wolves = 10: "),
    (lambda: Setup(villagers=-1), "^villagers = -1: a whole number from 0 to 9 is needed$"),
    (lambda: Setup(villagers=10), "^villagers = 10: "),
    (lambda: Setup(tie="coin"), "^tie = 'coin': one of 'random', 'nobody' is needed$"),
    (lambda: Setup(reveal=None), "^reveal = None: True or False"),
    (lambda: Setup(1, 0), r"^players \(wolves \+ seer \+ villagers\) = 2: a whole number from 3 to 9 is needed$"),
    (lambda: Setup(2, 7), r"^players .* = 10: "),
    (lambda: Setup(2, 1), "^wolves = 2: fewer than half of 4 players are needed$"),
    (
        lambda: after(NIGHT, Speech(0, Statement(1, False)), Speech(1, Statement(0, True)), plan=Strategies(1, 1)),
        r"Speech.player=1.*has probability 0 under every assignment",
    ),
    (lambda: after(Night(3, WOLF, None)), r"Night.victim=3, role='wolf'"),
    (lambda: after(NIGHT).seen_by(3, (SEER, ())), r"view .* of player 3"),
    (lambda: PlanObserver(SMALL, TWO_RULES), "one rule of the vote"),
    (lambda: PlanObserver(SMALL, {"one": FULL, "same": FULL}).see(Night(0, WOLF, None)), "Night"),
    (lambda: after(Speech(0, None)), "another's turn"),
    (lambda: after(NIGHT, Speech(1, None)), "player 0 speaks first"),
    (lambda: after(*DAY, Votes(((0, 1), (1, 0)), 0, WOLF, "town")), "one by each of the living"),
    (lambda: after(*DAY, Votes(((0, 1), (1, 0), (2, 0)), 1, WOLF, "town")), "do not hang 1"),
    (lambda: after(*END, Night(1, VILLAGER, "wolves")), "the game is over"),
    (lambda: Strategies(lie=1.5), "lie = 1.5"),
    (lambda: Strategies(vote="best"), "vote = 'best'"),
    (lambda: Observer(SMALL, Strategies(0.5), exact=True), "exact = True needs fractions"),
    (lambda: werewolf.all_histories(Setup(), FULL), "players"),
    (lambda: werewolf.play(SMALL, FULL, 1, believed={}), "hypotheses = "),
)
