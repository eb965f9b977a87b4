"""Best replies: bounds that meet, values that hold state by state, rules that see less, alliances."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, REPORT_SCORING, Role, Scoring, Seating, solve
from gamebalance.sanguosha.kernels.choices import options_of
from gamebalance.sanguosha.policies import REPORT_POLICIES, ThreatPolicy
from gamebalance.sanguosha.replies.best import (
    alliance_worth,
    alliances,
    best_reply,
    coalitions,
    iterate_best_replies,
    payoff,
    total_points,
)
from gamebalance.sanguosha.replies.blind import blind_reply, visits
from gamebalance.sanguosha.replies.values import Values
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.table import Table
from gamebalance.sanguosha.targets import in_reach
from gamebalance.sanguosha.turn import CODE_OF, CODES, DEAD_PLAYER, LIVING_PLAYERS
from tests.refusals import refuses

LORD, LOYALIST, REBEL, RENEGADE = Role
CHANCES = np.array([float(chance) for chance in AS_CODED.hand_probability])


def values(seating, controlled, goal=None, **options):
    goal = controlled if goal is None else goal
    return Values(seating, payoff(seating, goal, REPORT_SCORING), frozenset(controlled), **options)


@pytest.mark.parametrize("seating", ["02", "03", "012", "023", "031"])
def test_values_of_the_report_s_play_are_its_scores(seating):
    """Backward from the endings and forward from the opening: two programs that share the table of turns only."""
    outcomes = solve(seating)
    for role in {Role(int(digit)) for digit in seating}:
        assert values(seating, (), {role}).start() == pytest.approx(total_points(outcomes, {role}), abs=1e-7)


def value_after(found, table):
    living = tuple(seat for seat, player in enumerate(table.players) if player.alive)
    state = tuple(CODE_OF[table.players[seat]] for seat in reversed(living))
    return found.by_state[living, table.seat][state]


def by_the_engine(found, table, best):
    """The mean of the values after a turn of the readable engine, with the best choice of a target or of none."""
    alive = [player.alive for player in table.players]
    options = [*in_reach(table.seat, alive, table.players[table.seat].weapon), None]
    after = [[table.after(target, cards, found.rules).table for cards in CARD_PAIRS] for target in options]
    worth = np.array([[value_after(found, result) for result in row] for row in after])
    return best(worth, axis=0) @ CHANCES if found.sees_cards else best(worth @ CHANCES)


@pytest.mark.parametrize("sees_cards", [True, False])
@pytest.mark.parametrize("rules", [AS_CODED, AS_WRITTEN], ids=["coded", "written"])
def test_every_value_is_the_best_over_the_targets_of_the_engine(rules, sees_cards):
    """300 random states of three players, turn by turn with the readable engine instead of the tables."""
    seating, controlled = "032", {RENEGADE}
    found = values(seating, controlled, rules=rules, sees_cards=sees_cards)
    generator = np.random.default_rng(4)
    for _ in range(300):
        players = [LIVING_PLAYERS[code] for code in generator.integers(0, 28, 3)]
        if generator.random() < 0.3:
            players[2] = DEAD_PLAYER
        table = Table(Seating(seating).roles, tuple(players), 1)
        assert value_after(found, table) == pytest.approx(by_the_engine(found, table, np.max), abs=1e-8)


@cache
def plain_turns(seating):
    """Every table of two players, the place of the next table by (table, cards, pass or attack), and the endings."""
    roles = Seating(seating).roles
    tables = [Table(roles, players, seat) for seat in (0, 1) for players in product(LIVING_PLAYERS, repeat=2)]
    places, ends = {table: place for place, table in enumerate(tables)}, {}
    after = np.empty((len(tables), len(CARD_PAIRS), 2), int)
    for place, table in enumerate(tables):
        for pair, cards in enumerate(CARD_PAIRS):
            for option, target in enumerate((None, 1 - table.seat)):
                result = table.after(target, cards).table
                after[place, pair, option] = places.setdefault(result, len(places))
                if result.winner:
                    ends[places[result]] = result.alive
    return tables, after, ends, len(places)


def plain_values(seating, role, resisted):
    """Value iteration for two players over a list of tables, each turn played by the readable engine."""
    tables, after, ends, size = plain_turns(seating)
    points, worth, change = payoff(seating, {role}, REPORT_SCORING), np.zeros(size), 1.0
    for place, alive in ends.items():
        worth[place] = points(alive)
    free = np.array([table.roles[table.seat] == role for table in tables])
    attacks = np.array([bool(table.candidates()) for table in tables])
    while change > 1e-10:
        passing, attacking = np.moveaxis(worth[after], 2, 0)
        best, least = np.maximum(passing, attacking) @ CHANCES, np.minimum(passing, attacking) @ CHANCES
        ruled = np.where(attacks, attacking @ CHANCES, passing @ CHANCES)
        new = np.where(free, best, least if resisted else ruled)
        change = np.abs(new - worth[: len(tables)]).max()
        worth[: len(tables)] = new
    return dict(zip(tables, worth, strict=False))


@pytest.mark.parametrize("resisted", [False, True])
@pytest.mark.parametrize(("seating", "role"), [("02", REBEL), ("03", LORD), ("03", RENEGADE)])
def test_two_players_by_plain_value_iteration(seating, role, resisted):
    """Every state; where the lord alone decides whether a renegade ever wins, and where neither side must attack."""
    found = values(seating, {role}, opposed=resisted)
    assert found.certified != resisted
    for table, worth in plain_values(seating, role, resisted).items():
        assert value_after(found, table) == pytest.approx(worth, abs=1e-6)


def test_who_can_only_be_killed_by_the_idle_lives_on():
    """A renegade would rather die (50 points) than win (35), but the lord alone with him never attacks."""
    reply = best_reply("03", RENEGADE, scoring=Scoring(consolation=50))
    assert reply.points == pytest.approx(35) == reply.upper and not reply.certified
    assert best_reply("03", RENEGADE).certified


class Anything(Values):
    """Random numbers instead of values, so that one turn of four players can be looked at by itself."""

    def _solve_set(self, seats):
        draw = np.random.default_rng(len(self.by_state)).random
        self.by_state |= {(seats, actor): draw((CODES,) * len(seats)) for actor in seats}
        self._plans = {}
        self._options |= {(seats, actor): options_of(actor, self.roles, seats, self.rules) for actor in seats}


@pytest.mark.parametrize("sees_cards", [True, False])
@pytest.mark.parametrize("opposed", [True, False])
def test_one_turn_of_four_players_by_the_engine(sees_cards, opposed):
    points = payoff("0312", {RENEGADE}, REPORT_SCORING)
    found = Anything("0312", points, frozenset({RENEGADE}), sees_cards=sees_cards, opposed=opposed)
    generator = np.random.default_rng(8)
    for actor in (1, 3) if opposed else (1,):
        before = found._before((0, 1, 2, 3), actor)
        best = np.max if found.roles[actor] == RENEGADE else np.min
        for codes in generator.integers(0, CODES, (60, 4)):
            table = Table(found.roles, tuple(LIVING_PLAYERS[code] for code in codes), actor)
            assert before[tuple(codes[::-1])] == pytest.approx(by_the_engine(found, table, best), abs=1e-9)


@pytest.mark.parametrize("seating", ["012", "023", "031"])
def test_bounds_from_above_and_below_meet(seating):
    """Value iteration from above, and the policy it yields played by the forward solver."""
    held = sorted({Role(int(digit)) for digit in seating})
    report = solve(seating)
    for role in held:
        reply = best_reply(seating, role)
        assert reply.certified
        assert -1e-9 < reply.gap < 1e-6
        assert reply.points > total_points(report, {role}) - 1e-9
        threat = solve(seating, policies={role: ThreatPolicy()})
        assert reply.points > total_points(threat, {role}) - 1e-9


def test_alliances_gain_from_members_and_beat_the_report():
    worths = {roles: alliance_worth("032", roles) for roles in coalitions((LORD, REBEL, RENEGADE))}
    report = solve("032")
    for roles, worth in worths.items():
        assert worth > total_points(report, roles) - 1e-9
    against = {roles: alliance_worth("032", roles, "resist") for roles in map(frozenset, ({LORD}, {LORD, RENEGADE}))}
    for roles, worth in against.items():
        assert 0 <= worth < worths[roles]
    game = alliances(worths)
    assert game.worth(["Lord", "Rebel", "Renegade"]) == max(worths.values())
    assert sum(game.shapley().values()) == pytest.approx(max(worths.values()))


@pytest.mark.parametrize("seating", ["02", "03"])
def test_settled_replies_are_an_equilibrium(seating):
    """Two players, who always attack in the end; with three, players wait for each other and a round takes long."""
    result = iterate_best_replies(seating, 10)
    assert result.status == "settled" and result.period == 1 and result.rounds < 10
    final = result.outcomes[-1]
    assert final.probability == result.outcomes[-2].probability
    gained = total_points(final, {LORD}) - total_points(result.outcomes[0], {LORD})
    assert gained > 1 if seating == "03" else abs(gained) < 1e-9  # alone with a renegade, the lord now attacks
    for role in Seating(seating).roles:
        gain = best_reply(seating, role, policies=result.policies).points - total_points(final, {role})
        assert abs(gain) < 1e-6


def test_visits_count_the_turns():
    counted = visits(Seating("013").roles, AS_CODED, REPORT_POLICIES)
    assert sum(array.sum() for array in counted.values()) == pytest.approx(solve("013").turns, rel=1e-6)


def test_a_blind_rule_is_the_same_where_the_player_sees_the_same():
    reply = blind_reply(LORD, "1-1-0-1", 1)
    report = np.mean([total_points(solve(seating), {LORD}) for seating in ("013", "031")])
    assert report < reply.best <= reply.upper + 1e-7
    both = [reply.policies[seating].choices[(0, 1, 2), 0] for seating in ("013", "031")]
    np.testing.assert_array_equal(*both)
    played = [total_points(solve(s, policies={LORD: p}), {LORD}) for s, p in reply.policies.items()]
    assert np.mean(played) == pytest.approx(reply.best)


test_wrong_arguments_are_refused = refuses(
    (lambda: best_reply("02", LOYALIST), r"roles = <Role.LOYALIST: 1>: roles of the seating are needed: LORD, REBEL"),
    (lambda: best_reply("02", ()), r"roles = \(\): roles of the seating are needed"),
    (lambda: best_reply("02", LORD, scoring=Scoring(lord_win=-1, lord_per_loyalist=0)), "none may be negative here"),
    (lambda: best_reply("01233", LORD), "5 players"),
    (lambda: alliance_worth("01233", LORD), "5 players"),
    (lambda: alliance_worth("02", 7), "roles = 7: roles of the seating are needed"),
    (
        lambda: blind_reply(REBEL, "1-1-2-0"),
        "lineup = 1-1-2-0: up to 4 players, exactly one of them a rebel, are needed",
    ),
    (lambda: blind_reply("lord"), "role = 'lord': a Role is needed"),
    (lambda: iterate_best_replies("02", 1, order=(LORD, LORD, REBEL)), "order = .*: every role of the seating once"),
    (lambda: values("02", {LORD}, change=np.nan), "change = .*: a finite number above 0 is needed"),
)


def test_choices_for_another_seating_are_refused():
    replies = best_reply("02", REBEL).policies
    lord = best_reply("02", LORD).policies
    for call in (lambda: solve("03", policies=lord), lambda: best_reply("03", RENEGADE, policies=lord)):
        with pytest.raises(ValueError, match=r"seating = '03': this policy is for '02' only"):
            call()
    assert solve("03", policies=replies).probability == solve("03").probability  # nobody is a rebel here
    with pytest.raises(ValueError, match=r"policies: a choice that looks at the cards cannot be kept"):
        best_reply("02", LORD, policies=lord, sees_cards=False)
