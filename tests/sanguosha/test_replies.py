"""Best replies: bounds that meet, values that hold state by state, rules that see less, alliances."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from gamebalance.sanguosha import AS_CODED, AS_WRITTEN, REPORT_SCORING, Role, Scoring, Seating, solve
from gamebalance.sanguosha.chain import Chain, Turns
from gamebalance.sanguosha.kernels.choices import options_of
from gamebalance.sanguosha.policies import REPORT_POLICIES, StatePolicy, ThreatPolicy
from gamebalance.sanguosha.replies import best, blind
from gamebalance.sanguosha.replies.best import (
    alliance_worth,
    alliances,
    best_reply,
    coalitions,
    fingerprint,
    iterate_best_replies,
    payoff,
    total_points,
)
from gamebalance.sanguosha.replies.blind import blind_reply, sight_of, visits
from gamebalance.sanguosha.replies.values import Values
from gamebalance.sanguosha.rules import CARD_PAIRS
from gamebalance.sanguosha.table import Table
from gamebalance.sanguosha.targets import in_reach
from gamebalance.sanguosha.turn import CODE_OF, CODES, DEAD_PLAYER, LIVING_PLAYERS

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


def test_a_game_that_nobody_ends_is_worth_nothing():
    """The lord alone with a renegade never attacks by the report's rule; here the renegade passes as well."""
    idle = StatePolicy("03", {((0, 1), 1): np.full((1, CODES, CODES), -1, np.int8)})
    found = values("03", (), {LORD}, policies={RENEGADE: idle})
    assert found.start() == 0 and not found.certified


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


@pytest.mark.parametrize("rules", [AS_CODED, AS_WRITTEN], ids=["coded", "written"])
def test_turns_of_four_players_forward_and_backward(rules):
    """Expected values before a turn, summed over mass, are the values after it, summed over the mass moved."""
    roles, seats, generator = Seating("0132").roles, (0, 1, 2, 3), np.random.default_rng(2)
    shape = (CODES,) * 4
    found = Anything("0132", payoff("0132", {LORD}, REPORT_SCORING), frozenset({LORD}), rules=rules)
    chosen = {(seats, 0): generator.choice(np.array([1, 3, -1], np.int8), (len(CARD_PAIRS), *shape))}
    plans = {**REPORT_POLICIES, LORD: StatePolicy("0132", chosen)}
    mass = generator.random(shape) * (generator.random(shape) < 0.01)
    turns = Turns(Chain(roles, rules, plans), seats)
    for actor in seats:
        plan = chosen[seats, 0] if actor == 0 else found._plan(seats, actor)
        found._plans = {actor: found._compiled(seats, actor, plan)}
        onward, exits = np.zeros(shape), {}
        turns.play(actor, mass, onward, exits)
        after = (onward * found.by_state[seats, (actor + 1) % 4]).sum()
        after += sum((array * found.by_state[key]).sum() for key, array in exits.items())
        assert (found._before(seats, actor) * mass).sum() == pytest.approx(after, rel=1e-12)
        assert onward.sum() + sum(array.sum() for array in exits.values()) == pytest.approx(mass.sum())


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


def test_policies_that_come_back_are_a_cycle(monkeypatch):
    """The lord's replies replaced by two policies in turn."""
    first = best_reply("02", LORD).policies[LORD]
    changed = {key: choice.copy() for key, choice in first.choices.items()}
    changed[(0, 1), 0][:, 0, 0] = -1
    turn = {LORD: iter([first, StatePolicy("02", changed)] * 3), REBEL: iter([REPORT_POLICIES[REBEL]] * 6)}
    monkeypatch.setattr(
        best, "choose", lambda _, roles, *rest, **named: (None, {role: next(turn[role]) for role in roles})
    )
    result = iterate_best_replies("02", 6)
    assert (result.status, result.period, result.rounds) == ("cycle", 2, 3)


def test_a_kept_choice_stands_where_it_is_as_good():
    first = best_reply("023", REBEL)
    again = best_reply("023", REBEL, policies=first.policies)
    assert fingerprint(again.policies) == fingerprint(first.policies)
    other = best_reply("023", RENEGADE)
    assert fingerprint(other.policies) != fingerprint(first.policies)


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


def test_blind_choices_weigh_seatings_by_how_often_each_is_met():
    """Seat 1 is better by 2 in one seating, seat 2 by 3 in the other; the state 0 is met mostly in the first."""
    key, shape = ((0, 1, 2), 0), (CODES,) * 3

    class Known:
        def __init__(self, one, other):
            self.found = np.array([one, other, -1.0])[None, :, None, None, None] * np.ones((1, 3, *shape))

        def worths(self, seats, actor):
            return options_of(0, Seating("012").roles, (0, 1, 2), AS_CODED), self.found.copy()

    met = {"012": {key: np.ones(shape)}, "021": {key: np.ones(shape)}}
    met["012"][key][0] = 2
    met["012"][key][1] = met["021"][key][1] = 0
    kept = {"012": StatePolicy("012", {key: np.full((1, *shape), -1, np.int8)})}
    sight = blind.Sight((0, 1, 2), 0, (LORD, None, None))
    chosen = blind._choose(sight, ["012", "021"], {"012": Known(2, 0), "021": Known(0, 3)}, met, kept)
    assert (chosen[0, 0] == 1).all() and (chosen[0, 1] == -1).all() and (chosen[0, 2:] == 2).all()


def test_sight():
    roles = (LORD, LOYALIST, REBEL, RENEGADE)
    assert sight_of(roles, (0, 1, 2, 3), 0).known == (LORD, None, None, None)
    assert sight_of(roles, (0, 1, 2, 3), 2).known == (LORD, None, REBEL, None)
    assert sight_of(roles, (0, 1, 3), 1).known == (LORD, LOYALIST, REBEL, None)
    assert sight_of(roles, (0, 2, 3), 0).known == roles


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match=r"roles = <Role.LOYALIST: 1>: roles of the seating are needed: LORD, REBEL"):
        best_reply("02", LOYALIST)
    with pytest.raises(ValueError, match=r"roles = \(\): roles of the seating are needed"):
        best_reply("02", ())
    with pytest.raises(ValueError, match=r"none may be negative here"):
        best_reply("02", LORD, scoring=Scoring(lord_win=-1, lord_per_loyalist=0))
    with pytest.raises(ValueError, match=r"lineup = 1-1-2-0: up to 4 players, exactly one of them a rebel, are needed"):
        blind_reply(REBEL, "1-1-2-0")
    for call in (best_reply, alliance_worth):
        with pytest.raises(ValueError, match="5 players"):
            call("01233", LORD)
        with pytest.raises(ValueError, match=r"roles = 7: roles of the seating are needed"):
            call("02", 7)
    with pytest.raises(ValueError, match=r"role = 'lord': a Role is needed"):
        blind_reply("lord")
    for order in ((LORD,), (LORD, LORD, REBEL), (LORD, REBEL, "x"), 3):
        with pytest.raises(ValueError, match=r"order = .*: every role of the seating once is needed"):
            iterate_best_replies("02", 1, order=order)
    for change in (0, -1, np.nan, np.inf):
        with pytest.raises(ValueError, match=r"change = .*: a finite number above 0 is needed"):
            values("02", {LORD}, change=change)


def test_choices_for_another_seating_are_refused():
    replies = best_reply("02", REBEL).policies
    lord = best_reply("02", LORD).policies
    for call in (lambda: solve("03", policies=lord), lambda: best_reply("03", RENEGADE, policies=lord)):
        with pytest.raises(ValueError, match=r"seating = '03': this policy is for '02' only"):
            call()
    assert solve("03", policies=replies).probability == solve("03").probability  # nobody is a rebel here
    with pytest.raises(ValueError, match=r"policies: a choice that looks at the cards cannot be kept"):
        best_reply("02", LORD, policies=lord, sees_cards=False)
