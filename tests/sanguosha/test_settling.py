"""Where play settles: backward induction beside a plain solver, all policies of tiny games, and best replies."""

from functools import cache
from itertools import product

import numpy as np
import pytest

from gamebalance.sanguosha import (
    AS_CODED,
    REPORT_SCORING,
    Lineup,
    Role,
    Scoring,
    Seating,
    mean_outcomes,
    settle,
    settle_seatings,
    solve,
)
from gamebalance.sanguosha.attacks import next_seat
from gamebalance.sanguosha.induction import TIES, Induction
from gamebalance.sanguosha.kernels.choices import PASS, best_turn, pick_options, transitions
from gamebalance.sanguosha.policies import REPORT_POLICIES, StatePolicy
from gamebalance.sanguosha.replies.best import best_reply
from gamebalance.sanguosha.turn import CODE_OF, CODES, Player
from gamebalance.sanguosha.what_if import changed
from tests.refusals import refused
from tests.sanguosha import reference

LORD, LOYALIST, REBEL, RENEGADE = Role


def induction(seating, ties=TIES[0], rules=AS_CODED, units=None, policies=None):
    units = units or tuple((seat,) for seat in range(len(seating)))
    return Induction(Seating(seating), rules, REPORT_SCORING, units, policies or {}, ties)


# ---- The same by a program that shares no code: few hearts, no weapons, every state


def plain_points(role, H):
    """Points of each seat at the end, by the report's section 6.3."""
    alive = reference.count_alive(role, H)
    lord_wins, renegade_wins = bool(alive[0]), alive == (0, 0, 0, 1)
    points = []
    for held, health in zip(role, H, strict=True):
        if lord_wins:
            won = (10 + 5 * alive[1], 10 if health else 7, 0, 0 if alive[1] else 15)
        elif renegade_wins:
            won = (3, 0, 0, 35 if health else 0)
        else:
            won = (0, 0, 12 if health else 9, 5 - alive[2] if health else 0)
        points.append(won[held])
    return points


class Plain:
    """A table of all states without weapons, played by the report's programs; values are carried back over it.

    A row of values: points by seat, the three sides' chances, what each seat gets at most if it leaves.
    """

    def __init__(self, seating, hearts, deck, draws=2):
        self.role = tuple(map(int, seating))
        players, kinds = [(0, 0)], [card for card in range(6) if deck[card]]
        players += [(h, v) for h in range(1, hearts + 1) for v in range(h + 1)]
        self.states, self.ends, self.chances = [], [], {}
        for table in product(players, repeat=len(self.role)):
            H, V = zip(*table, strict=True)
            if reference.over(reference.count_alive(self.role, H)):
                self.ends.append((0, H, V))
            else:
                self.states += [(seat, H, V) for seat in range(len(H)) if H[seat]]
        for hand in product(kinds, repeat=draws):
            chance = np.prod([deck[card] / sum(deck) for card in hand])
            self.chances[tuple(sorted(hand))] = self.chances.get(tuple(sorted(hand)), 0) + chance
        places = {state: place for place, state in enumerate(self.states)}
        places |= {state[1:]: place for place, state in enumerate(self.ends, len(places))}
        self.targets = [[*sorted(reference.around(N, H, 1)), None] for N, H, _ in self.states]
        most = max(map(len, self.targets))
        self.after = np.full((len(self.states), len(self.chances), most), -1)
        for state, targets in enumerate(self.targets):
            for hand, cards in enumerate(self.chances):
                for option, target in enumerate(targets):
                    after = self._next(*self.states[state], cards, target, hearts)
                    self.after[state, hand, option] = places[after if after in places else after[1:]]

    def _next(self, N, H, V, cards, target, hearts):
        other = None if target is None else (H[target], V[target], False)
        mover, hit = reference.c_turn((H[N], V[N], False), other, cards, True, most=hearts)
        H, V = list(H), list(V)
        H[N], V[N] = mover[:2]
        if target is not None:
            H[target], V[target] = hit[:2]
        return reference.seat_after(N, H), tuple(H), tuple(V)

    def solve(self, rounds, ties, hoped=True, before=0):
        """Values after so many rounds gone back; before them everybody hopes for the best ending, or for nothing.

        The first so many as `before` leave alone the states in which all live.
        """
        n = len(self.role)
        values = np.zeros((len(self.states) + len(self.ends), 2 * n + 3))
        for place, (_, H, _) in enumerate(self.ends, len(self.states)):
            alive = reference.count_alive(self.role, H)
            renegade = alive == (0, 0, 0, 1)
            points = plain_points(self.role, H)
            values[place] = [*points, alive[0], not alive[0] and not renegade, renegade, *points]
        for place, (_, H, _) in enumerate(self.states if hoped else []):
            ends = [end for _, end, _ in self.ends if any(end) and all(h or not e for h, e in zip(H, end, strict=True))]
            within = [plain_points(self.role, end) for end in ends]
            values[place, n + 3 :] = np.max(within, axis=0)
        movers = np.array([N for N, _, _ in self.states])
        dead = np.array([0 in H for _, H, _ in self.states])
        for each in range(rounds):
            for seat in reversed(range(n)):
                own = np.flatnonzero((movers == seat) & (dead | (each >= before)))
                values[own] = self._back(values, own, seat, ties)
        return values[: len(self.states)]

    def _back(self, values, own, seat, ties):
        after, chances = self.after[own], np.array(list(self.chances.values()))
        worth = np.where((after >= 0)[..., None], values[after], -np.inf)
        passing = (np.array([len(self.targets[state]) for state in own]) - 1)[:, None, None]
        place = np.arange(after.shape[2])
        rank = np.where(place < passing, -place if "last" in ties else place, -99 if ties.startswith("pass") else 99)
        good = worth[..., seat] > worth[..., seat].max(axis=2, keepdims=True) - 1e-9
        if ties == "mixed":
            weight = good / good.sum(axis=2, keepdims=True)
        else:
            weight = np.where(good, rank, 1000).argmin(axis=2)[..., None] == place
        before = (chances[:, None] * weight)[..., None] * np.where(weight[..., None] > 0, worth, 0)
        before, n = before.sum(axis=(1, 2)), len(self.role)
        before[:, n + 3 + seat] = chances @ worth[..., n + 3 + seat].max(axis=2).T
        return before


def rows_of(found, states):
    """What the book says of these states, as `Plain` has it: points, chances of the sides, points by leaving."""
    rows, count = [], len(found.endings)
    sides = np.array(
        [
            [0 in end, 0 not in end and not alone, alone]
            for end, alone in zip(found.endings, only_renegade(found), strict=True)
        ]
    )
    for N, H, V in states:
        living = tuple(seat for seat, health in enumerate(H) if health)
        codes = [CODE_OF[Player(H[seat], V[seat], False)] for seat in reversed(living)]
        row = found.states(living, N)[np.ravel_multi_index(codes, (CODES,) * len(living))]
        rows.append(np.concatenate([found.aims @ row[:count], row[:count] @ sides, row[count:]]))
    return np.array(rows)


def only_renegade(found):
    return [[found.roles[seat] for seat in end] == [RENEGADE] for end in found.endings]


FEW = {"deck": {"weapon": 0}}
DECK = (15, 8, 0, 5, 6, 30)


plain = cache(Plain)


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("seating", ["02", "03", "023", pytest.param("013", marks=pytest.mark.thorough)])
def test_every_state_by_a_plain_solver(seating, ties):
    """Ten rounds, three hearts, no weapons; seat 0 is the last one gone back to, and holds for all players."""
    found, by_hand = induction(seating, ties, changed(health=3, **FEW)), plain(seating, 3, DECK)
    start = list(found.rounds(10))[-1]
    values, everybody = by_hand.solve(10, ties), len(seating)
    kept = [place for place, (N, H, _) in enumerate(by_hand.states) if N == 0 or 0 in H]
    states = [by_hand.states[place] for place in kept]
    np.testing.assert_allclose(rows_of(found, states), values[kept], atol=1e-9)
    opening = values[by_hand.states.index((0, (3,) * everybody, (2,) * everybody))]
    assert found.aims @ start[: len(found.endings)] == pytest.approx(opening[:everybody])
    assert (start[len(found.endings) :] >= opening[:everybody] - 1e-9).all()


@pytest.mark.thorough  # all states of five take 8 GiB
def test_five_by_a_plain_solver():
    """One heart, no weapons, five rounds, three of them with all alive: every state that can be had."""
    found, by_hand = induction("01223", rules=changed(health=1, **FEW)), plain("01223", 1, DECK)
    *_, start = found.rounds(5, before=2)
    values = by_hand.solve(5, "first seat", before=2)
    kept = [place for place, (N, H, _) in enumerate(by_hand.states) if N == 0 or 0 in H]
    np.testing.assert_allclose(rows_of(found, [by_hand.states[place] for place in kept]), values[kept], atol=1e-9)
    opening = values[by_hand.states.index((0, (1,) * 5, (1,) * 5))]
    assert found.aims @ start[: len(found.endings)] == pytest.approx(opening[:5])
    assert start[len(found.endings) :] == pytest.approx(opening[-5:])


def test_games_in_which_nobody_has_died_are_cut_sooner():
    """Nine rounds, five of them with all alive; nobody could gain more than is said, and tails begin with these."""
    found, by_hand = induction("023", rules=changed(health=3, **FEW)), plain("023", 3, DECK)
    *_, start = found.rounds(9, before=4)
    opening = by_hand.solve(9, "first seat", before=4)[by_hand.states.index((0, (3, 3, 3), (2, 2, 2)))]
    assert found.aims @ start[: len(found.endings)] == pytest.approx(opening[:3])
    assert start[len(found.endings) :] == pytest.approx(opening[-3:])
    cut = settle("023", 9, changed(health=3, **FEW), first_death=5)
    assert cut.points[[LORD, REBEL, RENEGADE]] == pytest.approx(opening[:3])
    assert cut.epsilon[[LORD, REBEL, RENEGADE]] == pytest.approx(opening[-3:] - opening[:3])
    assert (cut.rounds, cut.first_death) == (9, 5) and "9 rounds (5 in which nobody has died)" in cut._repr_html_()
    late = settle("023", 9, changed(health=3, **FEW), first_death=5, tail=1)
    assert (late.rounds, late.first_death) == (5, 1) and not cut.chances["first seat"][:4].any()


@pytest.mark.parametrize("seating", ["03", "023"])
def test_nobody_gains_by_leaving_in_the_game_that_is_cut(seating):
    """With nothing to be had after the cut, leaving gives what staying does, in every state."""
    values, n = plain(seating, 3, DECK).solve(7, "first seat", hoped=False), len(seating)
    np.testing.assert_allclose(values[:, n + 3 :], values[:, :n], atol=1e-9)


# ---- What was found, played and left


def stored(found, rounds):
    """What everybody does, round by round from the last one: seats by (living, actor), hand and state."""
    choices, now = [], {}

    def watch(seats, actor, options, ahead):
        choice = np.empty((len(options.chances), CODES ** len(seats)), np.int8)
        pick_options(ahead, options, 1e-9, np.empty((1, 0), np.int8), choice)
        now[seats, actor] = options, choice

    rows = [(choices.append(dict(now)), row)[1] for row in found.rounds(rounds, watch=watch)]
    return choices, rows[-1]


@pytest.mark.parametrize("seat", [0, 1])
def test_no_policy_of_all_gains_in_a_tiny_game(seat):
    """Lord and renegade with one heart, a slash or a dodge a turn, two rounds: all 65,536 policies of each of them."""
    rounds, roles, deck = 2, "03", {"peach": 0, "weapon": 0, "snatch": 0, "dismantle": 0}
    found = induction(roles, rules=changed(health=1, draws=1, deck=deck))
    choices, row = stored(found, rounds)
    tiny = Plain(roles, 1, (15, 0, 0, 0, 0, 30), 1)
    hands = [list(found.rules.hands).index(hand) for hand in tiny.chances]
    own = [state for state, (N, _, _) in enumerate(tiny.states) if N == seat]
    bits = [np.arange(1 << (len(own) * 2 * rounds)) >> place & 1 for place in range(len(own) * 2 * rounds)]
    free = iter(bits)
    values = np.zeros((len(tiny.states) + len(tiny.ends), len(bits[0])))
    for place, (_, H, _) in enumerate(tiny.ends, len(tiny.states)):
        values[place] = plain_points(tiny.role, H)[seat]
    for left in range(rounds):
        for mover in (1, 0):
            for state in [place for place, (N, _, _) in enumerate(tiny.states) if N == mover]:
                _, choice = choices[left][(0, 1), mover]
                codes = [CODE_OF[Player(1, dodges, False)] for dodges in reversed(tiny.states[state][2])]
                total = 0.0
                for hand, (number, chance) in enumerate(zip(hands, tiny.chances.values(), strict=True)):
                    attack, passing = values[tiny.after[state, hand]]
                    played = choice[number, np.ravel_multi_index(codes, (CODES, CODES))] >= 0
                    total = total + chance * np.where(next(free) if mover == seat else played, attack, passing)
                values[state] = total
    start = values[tiny.states.index((0, (1, 1), (1, 1)))]
    assert start.min() < start.max() == pytest.approx((found.aims @ row[: len(found.endings)])[seat])


def test_epsilon_is_the_best_reply_to_the_stored_play():
    """Three players, whose choices change with the round; the others' turns by sparse matrices."""
    rounds, seating = 12, "023"
    found = induction(seating)
    choices, row = stored(found, rounds)
    most = row[len(found.endings) :]
    for seat in range(3):
        worth = {}
        for seats in found.open:
            within = [set(end) <= set(seats) for end in found.endings]
            worth |= {(seats, actor): np.full(CODES ** len(seats), found.aims[seat, within].max()) for actor in seats}
        for now in choices:
            for actor in (2, 1, 0):
                for seats in [seats for seats in found.open if actor in seats]:
                    options, choice = now[seats, actor]
                    parts = [worth[seats, next_seat(seats, actor)]]
                    for target in map(int, options.seats[:-1]):
                        left = tuple(other for other in seats if other != target)
                        size = CODES ** len(left)
                        if left in found.endings:
                            parts.append(np.full(size, found.aims[seat, found.endings.index(left)]))
                        else:
                            parts.append(worth[left, next_seat(seats, actor, target)])
                    ahead = np.concatenate([*parts, np.zeros(size)])
                    if actor == seat:
                        before = np.empty(CODES ** len(seats))
                        best_turn(ahead, options, True, before)
                    else:
                        before = transitions(options, choice) @ ahead
                    worth[seats, actor] = before
        opening = [CODE_OF[Player(4, 2, False)]] * 3
        start = worth[(0, 1, 2), 0][np.ravel_multi_index(opening, (CODES,) * 3)]
        assert start == pytest.approx(most[seat], abs=1e-9)


def test_moves_are_counted():
    """By the fixed rule, whose games are solved forward: as many moves as there are turns."""
    found = Induction(Seating("03"), AS_CODED, REPORT_SCORING, ((0,), (1,)), REPORT_POLICIES, TIES[0], tallied=True)
    row = list(found.rounds(400))[-1]
    turns = dict(zip(found.moves, row[sum(found.aims.shape) :], strict=True))
    assert turns[(0, 1), 0, 1] == 0 and turns[(0, 1), 1, PASS] == 0  # a lord alone with a renegade never attacks
    assert sum(turns.values()) == pytest.approx(solve("03").turns)


def test_a_lord_and_a_renegade_come_to_rest():
    """What both do in the last round found is a policy by state to which neither has a better reply."""
    found = induction("03")
    choices, row = stored(found, 400)
    points = found.aims @ row[: len(found.endings)]
    assert row[len(found.endings) :] == pytest.approx(points, abs=1e-6)
    by_seat = {key: choice.reshape(-1, CODES, CODES) for key, (_, choice) in choices[-1].items()}
    policies = dict.fromkeys((LORD, RENEGADE), StatePolicy(Seating("03"), by_seat))
    for role, wanted in zip((LORD, RENEGADE), points, strict=True):
        assert best_reply("03", role, policies=policies).points == pytest.approx(wanted, abs=1e-5)


@pytest.mark.parametrize(
    ("seating", "role", "rounds", "rules"),
    [
        ("023", RENEGADE, 300, AS_CODED),
        ("023", REBEL, 300, AS_CODED),
        ("032", LORD, 300, changed(health={"lord": 3, "rebel": 2}, first="after the lord", draws=1)),
        ("022", LORD, 300, changed(opening="four cards")),
        pytest.param("0213", LORD, 600, AS_CODED, marks=pytest.mark.thorough),  # all four roles: some minutes
    ],
    ids=["renegade", "rebel", "other rules", "two rebels", "four"],
)
def test_one_who_chooses_among_fixed_rules_replies_best(seating, role, rounds, rules):
    others = {other: REPORT_POLICIES[other] for other in Role if other != role}
    found, reply = settle(seating, rounds, rules, policies=others, tail=1e-8), best_reply(seating, role, rules)
    assert found.unfinished < 1e-7
    assert found.points[role] == pytest.approx(reply.points, abs=1e-6)
    assert found.points == pytest.approx(reply.outcomes.expected_scores(), abs=1e-6, nan_ok=True)
    assert found.epsilon[role] < 1e-6


def test_all_by_the_fixed_rule_end_as_solved():
    found, solved = settle("032", 60, policies=REPORT_POLICIES), solve("032").probability
    ends = {alive: chance for alive, chance in found.outcomes.probability.items() if chance}
    assert sorted(ends) == sorted(solved) and found.unfinished < 0.05
    assert all(0 <= solved[alive] - chance <= found.unfinished + 1e-9 for alive, chance in ends.items())


def test_allies_choose_together():
    """Everybody on one side gets what one mind can get for all of them."""
    roles = LORD, REBEL, RENEGADE
    found = settle("032", 150, allies=[roles])
    assert np.nansum(found.points) == pytest.approx(best_reply("032", roles).points, abs=1e-3)
    assert len({each for each in found.epsilon if each == each}) == 1


def test_all_seatings_of_a_line_up():
    done, parts = [], []
    found = settle_seatings(
        "1-0-1-1", 5, ties=(each for each in ("first seat", "mixed")), workers=2, progress=done.append
    )
    alone = settle("032", 5, ties=("first seat", "mixed"), progress=parts.append)
    assert list(found) == ["023", "032"] and done == [1, 1] and sum(parts) == pytest.approx(1)
    assert {ties: row.tolist() for ties, row in found["032"].chances.items()} == {
        ties: row.tolist() for ties, row in alone.chances.items()
    }
    mean = mean_outcomes(Lineup.parse("1-0-1-1"), [each.outcomes for each in found.values()])
    assert mean.winning["lord"] == pytest.approx(np.mean([each.wins["lord"] for each in found.values()]))


def test_no_more_rounds_than_it_takes():
    parts = []
    found = settle("03", 400, tail=0.01, ties=("first seat", "mixed"), progress=parts.append)
    first = found.chances["first seat"]
    assert 1 - first[-1].sum() <= 0.01 < 1 - first[-2].sum() and sum(parts) == pytest.approx(1)
    assert settle("03", found.rounds).chances["first seat"].tolist() == first.tolist()


def test_threads_give_the_same_bits():
    one, two = (settle("0123", 1, workers=workers) for workers in (1, 2))
    assert one.chances["first seat"].tobytes() == two.chances["first seat"].tobytes()
    assert one.gains["first seat"].tobytes() == two.gains["first seat"].tobytes()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"seating": "012233"}, "seating = '012233' has 6 players: 2 to 5 are allowed here"),
        ({"rounds": 0}, "rounds = 0: a whole number, 1 or more, is needed"),
        ({"ties": "any"}, "ties = 'any': one of 'first seat'"),
        ({"ties": []}, "ties = (): one or more different ones of 'first seat'"),
        ({"ties": ("mixed", "mixed")}, "ties = ('mixed', 'mixed')"),
        ({"scoring": "x"}, "scoring = 'x'"),
        ({"scoring": Scoring(renegade_with_rebels=0)}, "-1 points in an ending; none may be negative here"),
        ({"allies": [[LORD, REBEL], [REBEL, RENEGADE]]}, "groups of different roles are needed"),
        (
            {"allies": [[LOYALIST]]},
            "allies = <Role.LOYALIST: 1>: roles of the seating are needed: LORD, REBEL, RENEGADE",
        ),
        ({"allies": ["03"]}, "allies = ['03']: groups of different roles"),
        ({"allies": [[]]}, "allies = [[]]: groups of different roles"),
        ({"policies": {LORD: StatePolicy("023", {})}}, "policies[LORD] = StatePolicy: a rule that looks at no cards"),
        ({"workers": 0}, "workers = 0"),
        ({"first_death": 51}, "first_death = 51: a whole number from 1 to 50 is needed"),
        ({"tail": -1}, "tail = -1: a number from 0 to 1 is needed"),
    ],
)
def test_what_is_not_allowed_is_refused(settings, words):
    with refused(words):
        settle(**{"seating": "023", **settings})


def test_the_table_says_its_ranges():
    settled = settle("03", 40, ties=("first seat", "pass, then first seat"))
    frame = settled.to_frame()
    assert frame.index.tolist() == ["lord", "renegade"]
    for name in ("points", "win"):
        assert (frame[f"{name}_low"] <= frame[name]).all() and (frame[name] <= frame[f"{name}_high"]).all()
    assert frame.loc["lord", "win"] == pytest.approx(settled.wins["lord"])
    assert sum(settled.wins.values()) == pytest.approx(1 - settled.unfinished)
    assert "40 rounds" in settled._repr_html_() and "could gain, at most" in settled._repr_html_()
