"""The report's procedures, emulated: every printed digit, each step against the program itself, each defect alone.

"The program" is what appendix A and B print; `appendix_a` is our transcription of it, which the library does not use.
"""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamebalance import balance, rationality
from gamebalance.publish import published
from gamebalance.sanguosha import LINEUPS, REPORT_SCORING, Lineup, Outcomes, Role, Scoring, simulate, solve
from gamebalance.sanguosha.exact import iteration_steps
from gamebalance.sanguosha.outcomes import mean_outcomes
from gamebalance.sanguosha.turn import Player
from gamebalance.studies.sanguosha.as_published import (
    AS_PRINTED,
    LAST_ROLES,
    REPAIRED,
    SCORES_AS_PRINTED,
    SCORES_REPAIRED,
    ScoreSlips,
    TransferDefects,
    TransferTable,
    role_summary,
    transfer,
    transfer_kernel,
    transfer_table,
    transfer_tables,
)

from . import appendix_a
from .appendix_a import MINT
from .reference import CPC, c_targets, count_alive

SEATINGS = Lineup(1, 1, 1).seatings()
ROLES = [role.name.lower() for role in Role]

#: Half a unit of the second printed digit, and the noise of binary fractions.
DIGIT = 0.005 + 1e-9

#: What the states come to that are dropped for being light, where the program itself, with doubles, drops none.
LIGHT = 5e-9

#: Steps and final masses (of 2^31 - 1) that appendix A itself prints, compiled, by seating; 0 where it prints nothing.
LORD, BOTH, REBEL, RENEGADE, ALLIES = (1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, 1)
BY_THE_PROGRAM = {
    "0123": (348, 65188254, 527499055, 3532070, 1376794737, 0),
    "0132": (283, 885784675, 719747292, 178263663, 152426575, 0),
    "0213": (349, 87854277, 110736829, 9935003, 1745558044, 176379),
    "0231": (282, 567719479, 1212794098, 63807030, 102583905, 0),
    "0312": (337, 217858064, 124593601, 59966215, 1506856319, 316428),
    "0321": (331, 117177507, 1172417681, 4168221, 658593679, 0),
}


@cache
def printed_run():
    return transfer_tables(workers=2)


@cache
def run(defects):
    """The other runs all start from this seating."""
    return transfer_table("0123", defects)


def mean_of_seatings():
    return mean_outcomes(Lineup(1, 1, 1), [table.outcomes for table in printed_run().values()])


def percent_by_pattern(probability):
    """In percent by the five patterns of Table 1; nothing else may happen."""
    patterns = {"".join(map(str, alive)): alive for alive in (LORD, BOTH, REBEL, RENEGADE, ALLIES)}
    assert set(probability) <= set(patterns.values())
    return {pattern: 100 * probability.get(alive, 0.0) for pattern, alive in patterns.items()}


def table_1(seating):
    rows = published("sanguosha_table_1_final_states_by_seating").query("seating == @seating")
    (steps,) = set(rows["steps"])
    return steps, dict(zip(rows["alive_pattern"], rows["probability_percent"], strict=True))


# --- Tables 1, 2, 3, and the first line of Table 5 ---


@pytest.mark.parametrize("seating", SEATINGS)
def test_final_masses_are_the_programs(seating):
    """Whole numbers: not one unit of 2^31 - 1 is elsewhere."""
    steps, *masses = BY_THE_PROGRAM[seating]
    table = printed_run()[seating]
    found = {alive: round(share * MINT) for alive, share in table.shares.items()}
    assert found == {a: m for a, m in zip((LORD, BOTH, REBEL, RENEGADE, ALLIES), masses, strict=True) if m}
    assert all(table.shares[alive] == pytest.approx(mass / MINT, rel=1e-15) for alive, mass in found.items())
    assert (table.steps, table.seating, table.defects) == (steps, seating, AS_PRINTED)


@pytest.mark.parametrize("seating", SEATINGS)
def test_columns_of_table_1(seating):
    steps, percent = table_1(seating)
    table = printed_run()[seating]
    assert table.steps == steps
    assert percent_by_pattern(table.probability) == pytest.approx(percent, abs=DIGIT)


def test_mean_column_of_table_1():
    steps, percent = table_1("mean")
    assert round(np.mean([table.steps for table in printed_run().values()])) == steps
    assert percent_by_pattern(mean_of_seatings().probability) == pytest.approx(percent, abs=DIGIT)


@pytest.mark.parametrize("seating", SEATINGS)
def test_mass_is_lost(seating):
    """What the report does not say: a tenth of the mass never arrives, and the columns are shares of the rest."""
    table = printed_run()[seating]
    assert 0.08 < table.lost_mass < 0.111
    assert table.lost_mass == pytest.approx(1 - sum(BY_THE_PROGRAM[seating][1:]) / MINT, abs=1e-15)
    assert table.outcomes.probability == table.probability
    assert sum(table.probability.values()) == pytest.approx(1, abs=1e-15)
    assert (table.outcomes.seating, table.outcomes.lineup) == (seating, Lineup(1, 1, 1))
    _, percent = table_1(seating)
    unscaled = percent_by_pattern(table.shares)
    assert max(abs(unscaled[pattern] - percent[pattern]) for pattern in percent) > 4  # percent


def test_table_2():
    printed = published("sanguosha_table_2_survival").set_index("role")["survival_percent"]
    assert abs(100 * mean_of_seatings().survival - printed[ROLES].to_numpy()).max() <= DIGIT


def test_table_3():
    """All 28, the mean column from unrounded scores."""
    printed = published("sanguosha_table_3_expected_score_by_seating")
    by_seating = printed.pivot(index="role", columns="seating", values="expected_score").loc[ROLES]
    assert set(by_seating.columns) == {*SEATINGS, "mean"}
    for seating, table in printed_run().items():
        assert abs(table.outcomes.expected_scores() - by_seating[seating].to_numpy()).max() <= DIGIT
    assert abs(mean_of_seatings().expected_scores() - by_seating["mean"].to_numpy()).max() <= DIGIT


def test_first_line_of_table_5():
    """With Bal = 14.05 % and Rat = 194.93, which §6.3 gives too."""
    rows = published("sanguosha_table_5_algorithm_comparison").query("algorithm == 'probability_transfer'")
    mean, rows = mean_of_seatings(), rows.set_index("role").loc[ROLES]
    assert abs(100 * mean.survival - rows["survival_percent"].to_numpy()).max() <= DIGIT
    assert abs(mean.expected_scores() - rows["expected_score"].to_numpy()).max() <= DIGIT
    assert 100 * mean.balance == pytest.approx(14.05, abs=DIGIT)
    assert mean.rationality() == pytest.approx(194.93, abs=DIGIT)
    assert set(rows["bal_percent"]) == {14.05} and set(rows["rat"]) == {194.93}


# --- one step, against the transcription ---

SWITCHES = list(product((False, True), repeat=3))

#: Masses on either side of where the program divides before it multiplies, for each number of cards of a kind.
EDGES = sorted({1, 2, 70, 71, 72, MINT} | {MINT // cards + off for cards in CPC for off in (-2, -1, 0, 1)})


@cache
def look_ups(roles):
    return transfer_kernel.tables(), transfer_kernel.target_table(roles), transfer_kernel.terminal_table(roles)


@cache
def buffers(kind):
    """Arrays of 26 MB, used again and again; `library_step` leaves them empty."""
    size = transfer_kernel.SEATS * transfer_kernel.CODES**4
    return [np.zeros(size, kind), np.zeros(size, kind)], [
        np.zeros(size // transfer_kernel.CODES, bool) for _ in range(2)
    ]


def place_of(state):
    seat, players = state
    codes = [transfer_kernel.CODE_OF[player] for player in players]
    return seat * 30**4 + sum(code * 30**seat for seat, code in enumerate(codes))


def state_at(place):
    codes = [int(place) // 30**seat % 30 for seat in range(4)]
    return int(place) // 30**4, tuple(tuple(transfer_kernel.PLAYERS[code]) for code in codes)


def library_step(role, states, spend, ghost, integer, least=0):
    """`transfer_kernel.step`, from dictionaries to dictionaries; nothing may be left behind that is not reported."""
    kind = np.int64 if integer else np.float64
    (mass, onward), (busy, reached) = buffers(kind)
    ended, start = np.zeros(16, kind), np.array([place_of(state) for state in states])
    mass[start], busy[start // 30] = list(states.values()), True
    roles = tuple(map(Role, role))
    largest, total = transfer_kernel.step(
        mass, onward, busy, reached, ended, kind(least), integer, spend, ghost, *look_ups(roles)
    )
    assert not mass[start].any() and not busy.any()
    rows = np.flatnonzero(reached)
    block = onward.reshape(-1, 30)[rows]
    found = {state_at(30 * rows[row] + code): block[row, code].item() for row, code in np.argwhere(block)}
    onward.reshape(-1, 30)[rows] = 0
    reached[rows] = False
    return found, {mask: ended[mask].item() for mask in np.flatnonzero(ended)}, largest, total


def assert_same_step(role, states, spend, ghost, integer, least=0):
    onward, ended, largest, total = library_step(role, states, spend, ghost, integer, least)
    expected = appendix_a.one_pass(role, states, spend, ghost, integer, least)
    if integer:
        assert (onward, ended, largest, total) == expected
        return
    for ours, theirs in ((onward, expected[0]), (ended, expected[1])):
        assert set(ours) == set(theirs)
        for key, share in theirs.items():
            # Fifteen digits, and one more error of 2^-53 for each term that was added up.
            assert ours[key] == pytest.approx(float(share), rel=1e-15, abs=0)
    assert (largest, total) == pytest.approx((float(expected[2]), float(expected[3])), rel=1e-15)


#: How many random states to test by the number of possible targets; None where the game is over.
QUOTAS = {None: 30, 0: 60, 1: 200, 2: 200, 3: 100}


@cache
def random_states():
    """Triples of roles by seat, a state, and its mass: the dead and the nearly dead, armed or not, light and heavy."""
    generator, left, drawn = np.random.default_rng(20), Counter(QUOTAS), []
    groups = (
        transfer_kernel.PLAYERS[:4],
        transfer_kernel.PLAYERS[4:28],
        transfer_kernel.PLAYERS[28:],
    )  # health 1, health 2 to 4, dead
    while left.total():
        role = tuple(map(int, SEATINGS[generator.integers(6)]))
        kinds = generator.choice(3, 4, p=(0.4, 0.3, 0.3))
        players = tuple(tuple(groups[kind][generator.integers(len(groups[kind]))]) for kind in kinds)
        state = int(generator.integers(4)), players
        targets = target_count(role, *state)
        if left[targets]:
            left[targets] -= 1
            light = int(np.exp(generator.uniform(0, np.log(MINT))))
            drawn.append((role, state, EDGES[len(drawn) // 2 % len(EDGES)] if len(drawn) % 2 else light))
    return drawn


def target_count(role, N, players):
    H = [health for health, _, _ in players]
    return None if appendix_a.finished(count_alive(role, H)) else len(c_targets(N, role, H, players[N][2]))


def test_random_states_are_varied():
    """Otherwise the tests below would be weaker than they look."""
    seen = Counter()
    for role, (N, players), mass in random_states():
        if target_count(role, N, players) is None:
            continue
        H = [health for health, _, _ in players]
        doomed = [o for o in c_targets(N, role, H, players[N][2]) if players[o][:2] == (1, 0)]
        seen["ghost, armed" if players[N][2] else "ghost"] += not H[N]
        seen["may kill"] += bool(doomed)
        seen["may kill an armed one"] += any(players[o][2] for o in doomed)
        seen["may kill the next"] += (N + 1) % 4 in doomed
        seen["divides first"] += mass > MINT // 30
        seen["multiplies first"] += mass < MINT // 30
    assert min(seen.values()) >= 20 and len(seen) == 7
    assert {mass for _, _, mass in random_states()} >= {1, *(MINT // cards for cards in CPC)}


@pytest.mark.parametrize(("spend", "ghost", "integer"), SWITCHES)
def test_one_step_from_any_state(spend, ghost, integer):
    for role, state, mass in random_states():
        assert_same_step(role, {state: mass if integer else mass / MINT}, spend, ghost, integer)
    assert not any(array.any() for array in buffers(np.int64 if integer else np.float64)[0])


@pytest.mark.parametrize("spend", [False, True])
def test_every_actor_against_every_target(spend):
    """A rebel between a loyalist and a renegade, his two possible targets: cards are spent on the first of them."""
    for actor, target in product(transfer_kernel.PLAYERS, transfer_kernel.PLAYERS[:28]):
        players = Player(4, 2, False), target, actor, target
        assert_same_step((0, 1, 2, 3), {(2, tuple(map(tuple, players))): MINT}, spend, True, True)
        assert_same_step((0, 1, 2, 3), {(2, tuple(map(tuple, players))): 0.75}, spend, True, False)


@pytest.mark.parametrize("switches", [(True, True, True), (False, False, False)])
def test_the_first_steps_of_a_game(switches):
    """Many states at once, whose masses meet."""
    role, states = (0, 3, 1, 2), {(0, ((4, 2, False),) * 4): MINT if switches[2] else 1.0}
    for _ in range(4):
        assert_same_step(role, states, *switches)
        states = library_step(role, states, *switches)[0]
    assert len(states) > 1000


def test_light_states_are_dropped_in_fractions():
    """They still count for the stop rules; final states are kept, however light."""
    role, state = (0, 1, 2, 3), (0, ((4, 2, False),) * 4)
    over = (0, ((4, 2, False), (1, 0, True), (0, 0, True), (0, 0, False)))
    onward, ended, largest, total = library_step(role, {state: 1e-17, over: 1e-18}, True, True, False, least=1e-16)
    assert (onward, ended, largest, total) == ({}, {0b0011: 1e-18}, 1e-17, 1e-17)
    assert library_step(role, {state: 1e-16}, True, True, False, least=1e-16)[0]


# --- many steps ---

FRESH, DEAD, ARMED_DEAD = (4, 2, False), (0, 0, False), (0, 0, True)
CERTAIN = 1e-13


def step_to_the_end(role, state, ghost, in_place=False, look=lambda mass: None):
    """In fractions: final mass by living mask, largest running mass of each step, and what `look` saw before it."""
    (mass, onward), (busy, reached) = buffers(np.float64)
    ended, peaks, seen, total = np.zeros(16), [], [], 1.0
    mass[place_of(state)], busy[place_of(state) // 30] = 1, True
    if in_place:
        onward, reached = mass, busy
    look_up = look_ups(tuple(map(Role, role)))
    while total > CERTAIN:
        seen.append(look(mass))
        peak, total = transfer_kernel.step(mass, onward, busy, reached, ended, 0.0, False, False, ghost, *look_up)
        mass, onward, busy, reached = onward, mass, reached, busy
        peaks.append(peak)
        if len(peaks) < 9:
            assert ended.sum() + mass.sum() == pytest.approx(1, abs=1e-14)
    for array in (mass, onward, busy, reached):
        array[:] = 0
    return ended, peaks, seen


def steps_until_light(peaks):
    """What §6.2 counts: steps until the first in which no running state weighs 1 / (2^31 - 1), that one included."""
    return 1 + next(step for step, peak in enumerate(peaks) if peak < 1 / MINT)


@pytest.mark.parametrize("in_place", [False, True])
def test_two_who_live_play_the_game_of_two(in_place):
    """As the exact solver has it, which knows no dead; the order of turns decides about the number of steps alone."""
    ended, peaks, _ = step_to_the_end((0, 1, 2, 3), (0, (FRESH, DEAD, FRESH, ARMED_DEAD)), False, in_place)
    exact = solve("02").probability
    assert ended[0b0001] == pytest.approx(exact[LORD], abs=1e-12)
    assert ended[0b0100] == pytest.approx(exact[REBEL], abs=1e-12)
    assert (steps_until_light(peaks) == iteration_steps("02")) != in_place


def test_weapons_of_the_dead_split_states():
    """The program tells states apart by the weapons of the dead, so it stops sooner than `iteration_steps`.

    With these states put together, as the exact solver has them, the two agree.
    """

    def together(mass):
        block = mass.reshape(4, 30, 30, 30, 30)[:, :, :, 28, :28]  # seat 1 is dead, the lord alive
        return max(block[:, :28, :28].max(), block[:, :28, 28:].sum(2).max())  # the rebel alive or dead

    start = 0, (FRESH, DEAD, FRESH, FRESH)
    ended, peaks, merged = step_to_the_end((0, 1, 2, 3), start, False, look=together)
    exact = solve("023").probability
    assert {RENEGADE: ended[0b1000], ALLIES: ended[0b1100]} == pytest.approx(exact, abs=1e-12)
    assert steps_until_light(merged) == iteration_steps("023") > steps_until_light(peaks)


def test_in_place_with_a_ghost():
    """A dead renegade is about to move and may come back; the two ways differ in rounding alone."""
    state = 3, ((1, 0, False), DEAD, (1, 1, False), ARMED_DEAD)
    ordered, peaks, _ = step_to_the_end((0, 1, 2, 3), state, True)
    in_place, fewer, _ = step_to_the_end((0, 1, 2, 3), state, True, in_place=True)
    assert abs(ordered - in_place).max() < 1e-12
    assert ordered[0b1000] > 0.01
    assert len(fewer) < len(peaks)


# --- runs: when they stop, what they return ---


def scripted(monkeypatch, *pairs):
    """Let `step` return these pairs of largest mass and total in turn; the calls it gets are kept."""
    calls, script = [], iter(pairs)

    def step(*arguments):
        calls.append(arguments)
        return next(script)

    monkeypatch.setattr(transfer_kernel, "step", step)
    return calls


def test_whole_numbers_stop_when_nothing_runs(monkeypatch):
    calls = scripted(monkeypatch, (7, 9), (1, 1), (0, 0))
    assert transfer_table("0123").steps == 3
    assert all(call[0].dtype == np.int64 and call[0] is not call[1] for call in calls)
    assert calls[0][0] is calls[1][1] is calls[2][0] and calls[0][2] is calls[1][3]
    assert calls[0][0][place_of((0, (FRESH,) * 4))] == calls[0][0].sum() == MINT
    assert calls[0][5:9] == (0, True, True, True)


def test_fractions_stop_when_every_state_is_light(monkeypatch):
    """§6.2: when all are below the constant; whether it does so is looked at before the step, as in the program."""
    calls = scripted(monkeypatch, (0.5, 1.0), (1 / MINT, 0.5), (np.nextafter(1 / MINT, 0), 0.5))
    assert transfer_table("0123", TransferDefects(False, True, False, True)).steps == 3
    assert all(call[0].dtype == np.float64 and call[0] is not call[1] for call in calls)
    assert calls[0][5:9] == (transfer.LEAST_MASS, False, False, True)
    assert calls[0][0].sum() == 1


def test_repaired_runs_go_on_until_nearly_nothing_is_left(monkeypatch):
    nearly = transfer.LEAST_TOTAL
    calls = scripted(monkeypatch, (0.5, 1.0), (0.0, np.nextafter(nearly, 1)), (0.0, nearly))
    assert transfer_table("0123", TransferDefects(True, False, False, False)).steps is None
    assert len(calls) == 3
    assert all(call[0] is call[1] and call[2] is call[3] for call in calls)
    assert calls[0][5:9] == (transfer.LEAST_MASS, False, True, False)


@pytest.mark.parametrize("seating", ["0123", "0312"])
def test_repaired_run_is_exact(seating):
    """Every ending, as the solver has it, short by no more than the mass that is said to be lost."""
    table, exact = transfer_table(seating, REPAIRED), solve(seating)
    assert 0 < table.lost_mass < 1e-9 and table.steps is None
    assert set(table.shares) == set(exact.probability)
    for alive, share in exact.probability.items():
        assert -1e-12 < share - table.shares[alive] < table.lost_mass + 1e-12
    outcomes = table.outcomes
    assert outcomes.error_bound == 2 * table.lost_mass
    apart = sum(abs(share - outcomes.probability[alive]) for alive, share in exact.probability.items())
    assert apart < outcomes.error_bound + 1e-12


def test_early_stop_alone_loses_little():
    """Steps and shares are the program's, compiled with doubles and the two other defects repaired."""
    table, exact = run(replace(REPAIRED, early_stop=True)), solve("0123").probability
    assert table.steps == 571
    assert table.shares[BOTH] == pytest.approx(0.45068236124289002, abs=LIGHT)
    assert table.shares[RENEGADE] == pytest.approx(0.5216982534152389, abs=LIGHT)
    assert 0 < table.lost_mass < 1e-6
    assert set(table.shares) == set(exact)
    assert all(-1e-12 < share - table.shares[alive] < table.lost_mass for alive, share in exact.items())


# --- each defect ---

#: Seating 0123 with one defect repaired: the program compiled with that change, its steps and final probabilities.
ONE_REPAIRED = {
    "cards_spent": (339, 58856578 / MINT, 923475319 / MINT, 1340623 / MINT, 987210023 / MINT, 0),
    "ghost_turn": (356, 43048592 / MINT, 526851614 / MINT, 5168180 / MINT, 1401762038 / MINT, 2 / MINT),
    "integer_mass": (568, 0.037739246581, 0.266774618447, 0.003750333944, 0.691729082265, 6.699521e-06),
}


@pytest.mark.parametrize("repaired", ONE_REPAIRED)
def test_every_defect_is_needed(repaired):
    """With one of them repaired the printed percentages are missed; the others act as in the program."""
    table = run(replace(AS_PRINTED, **{repaired: False}))
    steps, *shares = ONE_REPAIRED[repaired]
    found = [table.shares.get(alive, 0) for alive in (LORD, BOTH, REBEL, RENEGADE, ALLIES)]
    assert table.steps == steps and len(table.shares) == np.count_nonzero(found)
    assert found == pytest.approx(shares, abs=LIGHT)
    _, percent = table_1("0123")
    assert max(abs(found - percent[key]) for key, found in percent_by_pattern(table.probability).items()) > 0.02


def test_the_stop_rule_changes_nothing_in_whole_numbers():
    late, early = run(replace(AS_PRINTED, early_stop=False)), printed_run()["0123"]
    assert (late.shares, late.steps) == (early.shares, early.steps)


# --- appendix C from its counts ---


def rows_of(name, line):
    return published(name).set_index(["loyalists", "rebels", "renegades"]).sort_index().loc[line.counts[1:]]


@cache
def printed_counts(line):
    rows = rows_of("sanguosha_tables_6_to_22_outcome_counts", line)
    alive = rows[["lords_alive", "loyalists_alive", "rebels_alive", "renegades_alive"]]
    return dict(zip(alive.itertuples(index=False, name=None), rows["count"].tolist(), strict=True))


def printed_summary(line):
    return rows_of("sanguosha_tables_7_to_23_role_summary", line).set_index("role").loc[ROLES]


@pytest.mark.parametrize("line", LINEUPS, ids=str)
def test_summary_and_table_4_as_printed(line):
    """Four rates and four scores of each of Tables 7, 9, …, 23, the line-up told from the counts; then Table 4."""
    found, printed = role_summary(printed_counts(line)), printed_summary(line)
    assert list(found.index) == ROLES and found.index.name == "role"
    assert list(found.columns) == ["survival_percent", "expected_score"]
    assert abs(found - printed[found.columns]).max(axis=None) <= DIGIT
    measures = rows_of("sanguosha_table_4_balance_rationality", line)
    assert 100 * balance(found["survival_percent"] / 100) == pytest.approx(measures["bal_percent"].item(), abs=DIGIT)
    assert rationality(found["expected_score"]) == pytest.approx(measures["rat"].item(), abs=DIGIT)


@pytest.mark.parametrize("line", LINEUPS, ids=str)
def test_only_one_divisor_gives_the_printed_score(line):
    printed = printed_summary(line)["expected_score"]
    fits = [
        role
        for role in (1, 2, 3)
        if abs(role_summary(printed_counts(line), divisor=role)["expected_score"] - printed).max() <= DIGIT
    ]
    assert fits == [LAST_ROLES[str(line)]]


@pytest.mark.parametrize("line", LINEUPS, ids=str)
def test_repaired_summary_is_that_of_the_scoring_rule(line):
    counts = printed_counts(line)
    outcomes = Outcomes(line, {alive: count / 1e6 for alive, count in counts.items()}, games=1_000_000)
    each = role_summary(counts, slips=SCORES_REPAIRED)
    shared = role_summary(counts, slips=replace(SCORES_REPAIRED, shared_consolation=True))
    assert each["survival_percent"].to_numpy() == pytest.approx(100 * outcomes.survival, rel=1e-12)
    assert each["expected_score"].to_numpy() == pytest.approx(outcomes.expected_scores(REPORT_SCORING), rel=1e-12)
    sharing = Scoring(share_consolation=True)
    assert shared["expected_score"].to_numpy() == pytest.approx(outcomes.expected_scores(sharing), rel=1e-12)


def test_summary_of_simulated_games():
    outcomes = simulate("1-1-1-1", 3000, 21)
    assert role_summary(outcomes).equals(role_summary(outcomes.counts))
    scores = role_summary(outcomes, slips=SCORES_REPAIRED)["expected_score"]
    assert scores.to_numpy() == pytest.approx(outcomes.expected_scores(), rel=1e-12)


@st.composite
def counted_games(draw):
    """A line-up with all four roles, and how often games of it ended how."""
    members = st.tuples(*[st.integers(1, 7)] * 3).filter(lambda members: sum(members) < 10)
    line = Lineup(*draw(members))
    endings = [alive for alive in product(*(range(n + 1) for n in line.counts)) if appendix_a.finished(alive)]
    return line, draw(st.dictionaries(st.sampled_from(endings), st.integers(1, 10**6), min_size=1))


@settings(max_examples=200)
@given(counted_games(), st.integers(1, 3), *[st.booleans()] * 3)
def test_summary_of_any_counts(games, role, by_role, whole, shared):
    """As appendix B works them out, and with either slip repaired in it."""
    line, counts = games
    found = role_summary(counts, line, ScoreSlips(by_role, whole, shared), role)
    divisor = role if by_role else line.renegades if shared else 1
    points = None if whole else Fraction(35, line.renegades)
    survival, scores = appendix_a.summary(counts, line.counts, divisor, points)
    assert found["survival_percent"].to_numpy() == pytest.approx([float(x) for x in survival], rel=1e-12)
    assert found["expected_score"].to_numpy() == pytest.approx([float(x) for x in scores], rel=1e-12, abs=1e-12)


def test_slips_as_printed():
    assert SCORES_AS_PRINTED == ScoreSlips() == ScoreSlips(True, True, True)
    assert SCORES_REPAIRED == ScoreSlips(False, False, False)
    assert AS_PRINTED == TransferDefects() == TransferDefects(True, True, True, True)
    assert REPAIRED == TransferDefects(False, False, False, False)


# --- several seatings ---


def test_seatings_in_their_order(monkeypatch):
    """All six by default, whoever runs them, each reported once."""
    monkeypatch.setattr(transfer, "transfer_table", lambda *arguments: arguments)
    done = []
    assert list(transfer_tables()) == list(SEATINGS) == list(transfer_tables(workers=3))
    assert transfer_tables(REPAIRED, progress=done.append) == {seating: (seating, REPAIRED) for seating in SEATINGS}
    assert done == [1] * 6
    assert list(transfer_tables(seatings=iter(["0312", "0123"]))) == ["0312", "0123"]


def test_shares_and_what_is_lost():
    table = TransferTable("0123", AS_PRINTED, {LORD: 0.25, BOTH: 0.5}, 3)
    assert table.lost_mass == 0.25
    assert table.probability == {LORD: 0.25 / 0.75, BOTH: 0.5 / 0.75}
    assert table.outcomes.error_bound == 0.5
    assert replace(table, shares={BOTH: 1 + 2**-52}).outcomes.error_bound == 0


# --- bad input ---

ONE_GAME, ONE = {(1, 0, 0, 0): 1}, "1-1-1-1"

REFUSED = {
    "seating = '0124'": (lambda: transfer_table("0124"), "one of 0123, 0132, 0213, 0231, 0312, 0321"),
    r"seating = '0132\n'": (lambda: transfer_tables(seatings=["0123", "0132\n"]), "one of 0123"),
    "seatings = '0123'": (lambda: transfer_tables(seatings="0123"), "a list of seatings"),
    "defects = 'yes'": (lambda: transfer_tables("yes", seatings=()), "TransferDefects object"),
    "early_stop = 0.0": (lambda: TransferDefects(early_stop=0.0), "True or False"),
    "integer_points = 17": (lambda: ScoreSlips(integer_points=17), "True or False"),
    "slips = True": (lambda: role_summary(ONE_GAME, ONE, True), "a ScoreSlips object"),
    "counts = {'1100': 3}": (lambda: role_summary({"1100": 3}), "games by"),
    "counts = {(1, 0, 0, 0): 0}": (lambda: role_summary({LORD: 0}, ONE), "at least one"),
    "counts = -1": (lambda: role_summary({LORD: -1}, ONE), "0 or more"),
    "counts = 0.5": (lambda: role_summary({(1, 0.5, 0, 0): 1}, ONE), "whole number"),
    "counts = {(1, 1, 0): 1": (lambda: role_summary({(1, 1, 0): 1, LORD: 1}, ONE), "renegades alive"),
    "counts": (lambda: role_summary(solve("02")), "exact"),
    "lineup = 1-0-1-1": (lambda: role_summary(ONE_GAME, "1-0-1-1"), "all four roles"),
    "lineup = 1-1-1-1": (lambda: role_summary({(0, 0, 2, 0): 1}, ONE), "as many of each"),
    "divisor = 4": (lambda: role_summary(ONE_GAME, ONE, divisor=4), "from 1 to 3"),
    "line-up 1-2-2-1": (lambda: role_summary(ONE_GAME, "1-2-2-1"), "divisor"),
} | {
    f"{alive} alive": (lambda alive=alive: role_summary({alive: 1, LORD: 5}, ONE), "nobody has won with")
    for alive in product(range(2), repeat=4)
    if not appendix_a.finished(alive)
}


def test_refused_by_name(monkeypatch):
    """In one line, and before anything is computed."""
    scripted(monkeypatch)
    assert len(REFUSED) == 17 + 6
    for value, (call, allowed) in REFUSED.items():
        with pytest.raises(ValueError) as caught:
            call()
        message = str(caught.value)
        assert value in message and allowed in message
        assert "\n" not in message and len(message) < 200


def test_an_outcome_brings_its_own_line_up():
    """Three games in which few rebels survive say nothing of how many there were."""
    outcomes = Outcomes(Lineup(1, 3, 1), {(1, 1, 0, 0): 1.0}, games=3)
    assert role_summary(outcomes, divisor=1).loc["loyalist", "survival_percent"] == 100
    with pytest.raises(ValueError, match="no line-up of the report"):
        role_summary(outcomes.counts)


def test_huge_counts_do_not_overflow():
    summary = role_summary({(1, 1, 0, 0): 2**62, (0, 0, 0, 1): 2**62}, "1-1-1-1")
    assert summary["survival_percent"].tolist() == [50, 50, 0, 50]
