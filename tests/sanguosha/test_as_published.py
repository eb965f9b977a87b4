"""The report's procedures, emulated: every printed digit, when a run stops, each defect alone.

"The program" is what appendix A and B print; `appendix_a` is our transcription of it, which the library does not use.
"""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from gamebalance.as_published import (
    AS_PRINTED,
    REPAIRED,
    ScoreSlips,
    TransferDefects,
    TransferTable,
    role_summary,
    transfer,
    transfer_kernel,
    transfer_table,
    transfer_tables,
)
from gamebalance.publish import published
from gamebalance.sanguosha import Lineup, Outcomes, solve
from gamebalance.sanguosha.outcomes import mean_outcomes
from tests.sanguosha import appendix_a
from tests.sanguosha.appendix_a import MINT
from tests.sanguosha.known import (
    BOTH,
    BY_THE_PROGRAM,
    ENDINGS,
    LORD,
    RENEGADE,
    ROLES,
    SEATINGS,
    final_masses,
    golden,
)

#: Half a unit of the second printed digit, and the noise of binary fractions.
DIGIT = 0.005 + 1e-9

#: What the states come to that are dropped for being light, where the program itself, with doubles, drops none.
LIGHT = 5e-9


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
    patterns = {"".join(map(str, alive)): alive for alive in ENDINGS}
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
    table, masses = printed_run()[seating], final_masses(seating)
    assert {alive: round(share * MINT) for alive, share in table.shares.items()} == masses
    assert table.shares == pytest.approx({alive: mass / MINT for alive, mass in masses.items()}, rel=1e-15, abs=0)
    assert (table.steps, table.seating, table.defects) == (BY_THE_PROGRAM[seating][0], seating, AS_PRINTED)


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
    """With Bal = 14.05% and Rat = 194.93, which §6.3 gives too."""
    rows = published("sanguosha_table_5_algorithm_comparison").query("algorithm == 'probability_transfer'")
    mean, rows = mean_of_seatings(), rows.set_index("role").loc[ROLES]
    assert abs(100 * mean.survival - rows["survival_percent"].to_numpy()).max() <= DIGIT
    assert abs(mean.expected_scores() - rows["expected_score"].to_numpy()).max() <= DIGIT
    assert 100 * mean.balance == pytest.approx(14.05, abs=DIGIT)
    assert mean.rationality() == pytest.approx(194.93, abs=DIGIT)
    assert set(rows["bal_percent"]) == {14.05} and set(rows["rat"]) == {194.93}


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
    start = sum(transfer_kernel.CODE_OF[4, 2, False] * 30**seat for seat in range(4))
    assert transfer_table("0123").steps == 3
    assert all(call[0].dtype == np.int64 and call[0] is not call[1] for call in calls)
    assert calls[0][0] is calls[1][1] is calls[2][0] and calls[0][2] is calls[1][3]
    assert calls[0][0][start] == calls[0][0].sum() == MINT
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
    """Every ending, as the exact solution has it, short by no more than the mass that is said to be lost."""
    table, (exact, _) = transfer_table(seating, REPAIRED), golden()[seating]
    assert 0 < table.lost_mass < 1e-9 and table.steps is None
    assert set(table.shares) == set(exact)
    for alive, share in exact.items():
        assert -1e-12 < share - table.shares[alive] < table.lost_mass + 1e-12
    outcomes = table.outcomes
    assert outcomes.error_bound == 2 * table.lost_mass
    apart = sum(abs(share - outcomes.probability[alive]) for alive, share in exact.items())
    assert apart < outcomes.error_bound + 1e-12


def test_early_stop_alone_loses_little():
    """Steps and shares are the program's, compiled with doubles and the two other defects repaired."""
    table, (exact, _) = run(replace(REPAIRED, early_stop=True)), golden()["0123"]
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
    found = [table.shares.get(alive, 0) for alive in ENDINGS]
    assert table.steps == steps and len(table.shares) == np.count_nonzero(found)
    assert found == pytest.approx(shares, abs=LIGHT)
    _, percent = table_1("0123")
    assert max(abs(found - percent[key]) for key, found in percent_by_pattern(table.probability).items()) > 0.02


def test_the_stop_rule_changes_nothing_in_whole_numbers():
    late, early = run(replace(AS_PRINTED, early_stop=False)), printed_run()["0123"]
    assert (late.shares, late.steps) == (early.shares, early.steps)


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
