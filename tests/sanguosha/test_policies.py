"""Policies: the report's, the essay's threat points, and choices by state, in the engine and in the exact chain."""

from collections import Counter

import numpy as np
import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, Role, Seating, play, solve, solve_lineup, solve_seatings
from gamebalance.sanguosha.attacks import attacks_of
from gamebalance.sanguosha.chain import living_sets
from gamebalance.sanguosha.policies import REPORT_POLICY, StatePolicy, ThreatPolicy, hidden_seats, role_shares
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.turn import CODES, DEAD_PLAYER, LIVING_PLAYERS, Player
from tests.sanguosha.reference import fit, shares_by_code

LORD, LOYALIST, REBEL, RENEGADE = Role
FOUR = (LORD, LOYALIST, REBEL, RENEGADE)


def choices(seating, role, pairs, seed):
    """A policy that picks at random by state, among the seats next to the player and passing."""
    generator = np.random.default_rng(seed)
    chosen = {}
    for seats in living_sets(len(seating)):
        for place, seat in enumerate(seats):
            if seating[seat] == str(int(role)) and len(seats) > 1:
                beside = [seats[place - 1], seats[(place + 1) % len(seats)], -1]
                shape = (pairs, *[CODES] * len(seats))
                chosen[seats, seat] = generator.choice(beside, shape).astype(np.int8)
    return StatePolicy(seating, chosen)


@pytest.mark.parametrize("rules", [AS_CODED, AS_WRITTEN], ids=["coded", "written"])
@pytest.mark.parametrize("policy", [REPORT_POLICY, ThreatPolicy(), ThreatPolicy("own sight", spares_friends=True)])
def test_shares_of_states_are_those_of_the_policy(policy, rules):
    """Arrays by state against the policy asked state by state; four players for one role, three for all."""
    roles, generator = (LORD, RENEGADE, LOYALIST, REBEL), np.random.default_rng(3)
    every = [(seats, actor) for seats in [(0, 1, 3), (0, 2, 3), (0, 2)] for actor in seats]
    for seats, actor in [((0, 1, 2, 3), 1 if rules is AS_CODED else 3), *every]:
        attacks = attacks_of(policy, actor, roles, seats, rules)
        for codes in generator.integers(0, CODES, (40, len(seats))):
            players = [DEAD_PLAYER] * 4
            for seat, code in zip(seats, codes, strict=True):
                players[seat] = LIVING_PLAYERS[code]
            chosen = policy.targets(actor, roles, players, None, rules) or [None]
            shares = {attack.target: shares_by_code(attack)[tuple(codes[::-1])] for attack in attacks}
            expected = {target: 1 / len(chosen) if target in chosen else 0 for target in {*shares, *chosen}}
            assert shares == pytest.approx(expected)
        if len(seats) < 4:
            np.testing.assert_allclose(sum(shares_by_code(attack) for attack in attacks), 1)


def test_threat_points_by_hand():
    """The lord fears the rebel (10) and the renegade (5); a weak player is worth 20 more, a dodge 5 less."""
    full, weak = Player(4, 0), Player(2, 0)
    armed = Player(4, 2, True)

    def lord(*others, spares_friends=False):
        policy = ThreatPolicy(spares_friends=spares_friends)
        return policy.targets(0, FOUR, [armed, *others], None, AS_CODED)

    assert lord(full, full, full) == [2]
    assert lord(full, Player(4, 4), full) == [2]  # 100 - 20 against 50
    assert lord(full, Player(4, 4), weak) == [2]  # 80 against 70
    assert lord(weak, DEAD_PLAYER, DEAD_PLAYER) == [1]  # the essay attacks even a friend
    assert lord(weak, DEAD_PLAYER, DEAD_PLAYER, spares_friends=True) == []
    # Only friends in reach: a loyalist alone with the lord, a rebel between rebels.
    sparing = ThreatPolicy(spares_friends=True)
    assert sparing.targets(1, FOUR, [full, full, DEAD_PLAYER, DEAD_PLAYER], None, AS_CODED) == []
    assert sparing.targets(2, (LORD, REBEL, REBEL, REBEL), [full] * 4, None, AS_CODED) == []
    # A rebel: 100 - 20 for a lord with four dodges, 70 + 20 - 10 for a weak loyalist with two.
    rebel_sees = [Player(4, 4), Player(2, 2), armed, full]
    assert ThreatPolicy().targets(2, FOUR, rebel_sees, None, AS_CODED) == [0, 1]
    unarmed = [Player(4, 2), full, full, full]
    assert ThreatPolicy().targets(0, FOUR, unarmed, None, AS_CODED) == [3]  # the rebel is out of reach


def test_threat_points_without_knowledge():
    """Who knows nobody's role looks at weakness only; loyalists are told from nobody, so friends weigh on all alike."""
    policy, everybody = ThreatPolicy("own sight"), [Player(4, 0, True)] * 4
    assert policy.targets(0, FOUR, everybody, None, AS_CODED) == [1, 2, 3]
    assert policy.targets(0, FOUR, [*everybody[:3], Player(4, 1)], None, AS_CODED) == [1, 2]  # a dodge counts 5
    everybody[2] = Player(3, 0)
    everybody[3] = Player(2, 0)
    assert policy.targets(0, FOUR, everybody, None, AS_CODED) == [3]
    everybody[1] = DEAD_PLAYER  # the loyalist: all is known now
    assert policy.targets(0, FOUR, everybody, None, AS_CODED) == [2]
    assert policy.targets(2, FOUR, [Player(4, 0, True)] * 4, None, AS_CODED) == [0]


def test_a_player_who_may_be_a_friend_is_spared_below_zero_only():
    """A rebel between a loyalist and a rebel, not knowing which: (70 + 30) / 2 - 100 / 2 for both of them."""
    roles, full, unsure = (LORD, LOYALIST, REBEL, REBEL), Player(4, 0), ThreatPolicy("own sight", spares_friends=True)
    assert unsure.targets(2, roles, [full] * 4, None, AS_CODED) == [1, 3]
    assert unsure.targets(2, roles, [full, Player(4, 1), full, Player(4, 1)], None, AS_CODED) == []


def test_a_renegade_turns_from_the_lord_to_the_strongest():
    healthy = [Player(4, 0, True), Player(4, 0), Player(2, 0), Player(4, 0, True)]
    assert ThreatPolicy().targets(3, FOUR, healthy, None, AS_CODED) == [0]  # 50; 40; 20 + 20
    late = [Player(3, 0, True), DEAD_PLAYER, Player(4, 0), Player(4, 0, True)]
    assert ThreatPolicy().targets(3, FOUR, late, None, AS_CODED) == [2]


def test_role_shares_add_up_and_respect_what_is_known():
    roles = (LORD, REBEL, LOYALIST, REBEL, RENEGADE)
    everybody = [True] * 5
    assert hidden_seats(0, roles, everybody) == [1, 2, 3, 4]
    assert role_shares(0, 1, roles, everybody) == {LOYALIST: 0.25, REBEL: 0.5, RENEGADE: 0.25}
    assert role_shares(1, 0, roles, everybody) == {LORD: 1.0}
    assert role_shares(1, 3, roles, [True, True, True, True, False]) == {LOYALIST: 0.5, REBEL: 0.5}
    assert role_shares(1, 3, roles, [True, True, False, True, True]) == {REBEL: 1.0}


def assert_games_end_as_solved(seating, policies, seed):
    """1,000 games of the readable engine; chi-square, error probability 0.001 (fixed seed)."""
    lineup, games = Seating(seating).lineup, range(1000)
    ends = Counter(play(lineup, seed, game, seating=seating, policies=policies).table.alive for game in games)
    assert fit(ends, solve(seating, policies=policies).probability) > 0.001


@pytest.mark.parametrize("pairs", [1, len(CARD_PAIRS)], ids=["cards unseen", "cards seen"])
def test_games_with_choices_by_state_end_as_solved(pairs):
    policies = {REBEL: choices("012", REBEL, pairs, 5), LORD: choices("012", LORD, pairs, 6)}
    assert_games_end_as_solved("012", policies, 11)


def test_a_game_that_never_ends_is_refused():
    idle = {}
    for role in (LORD, REBEL, RENEGADE):
        chosen = choices("023", role, 1, 1).choices
        idle[role] = StatePolicy("023", {key: np.full_like(choice, -1) for key, choice in chosen.items()})
    with pytest.raises(
        ValueError, match=r"policies: with Lord 主公, Rebel 反贼, Renegade 内奸 alive, the game need not end"
    ):
        solve("023", policies=idle)


@pytest.mark.parametrize(
    ("place", "seat"), [((2, 5, 0, 7), 0), ((0, 1, 2, 3), 3), ((20, 27, 27, 27), -2), ((0, 0, 0, 0), 100)]
)
def test_a_choice_that_is_not_allowed_is_refused(place, seat):
    """Oneself, no player, no seat at all; by the pair of cards and the codes of the living."""
    chosen = {key: choice.copy() for key, choice in choices("023", LORD, len(CARD_PAIRS), 1).choices.items()}
    chosen[(0, 1, 2), 0][place] = seat
    pair, *codes = place
    named = rf"choices\[{pair}\] at \({', '.join(map(str, codes))}\) = {seat}: one of 1, 2, -1 is needed"
    with pytest.raises(ValueError, match=named):
        solve("023", policies={LORD: StatePolicy("023", chosen)})


def test_what_is_no_policy_is_refused():
    with pytest.raises(ValueError, match=r"policies\[LORD\] = 3: a policy with sees and targets is needed"):
        solve("0123", policies={LORD: 3})
    with pytest.raises(ValueError, match=r"policies: 'lord' is no Role"):
        solve("02", policies={"lord": REPORT_POLICY})
    with pytest.raises(ValueError, match=r"policies = 4: a mapping from Role"):
        play("1-1-1-1", 1, policies=4)
    with pytest.raises(ValueError, match=r"knows = 'all': one of 'everything', 'own sight' is needed"):
        ThreatPolicy("all")
    with pytest.raises(ValueError, match=r"spares_friends = 1: True or False is needed"):
        ThreatPolicy(spares_friends=1)
    with pytest.raises(ValueError, match=r"seating = '0123': this policy is for '012' only"):
        play("1-1-1-1", 1, seating="0123", policies={REBEL: choices("012", REBEL, 1, 1)})


def test_every_seating_of_a_line_up_is_solved_by_the_policies():
    policies = {role: ThreatPolicy() for role in Role}
    parts = solve_seatings("1-0-1-1", policies=policies)
    assert parts == {seating: solve(seating, policies=policies) for seating in ("023", "032")}
    assert solve_lineup("1-0-1-1", policies=policies).turns == (parts["023"].turns + parts["032"].turns) / 2
    with pytest.raises(ValueError, match=r"seating = '032': this policy is for '023' only"):
        solve_lineup("1-0-1-1", policies={REBEL: choices("023", REBEL, 1, 1)})
