"""The report's numbers, printed, emulated and right, by place and quantity: ("Table 7", "renegade: score")."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from chapters.sanguosha.printed_tables import ALIVE, as_simulated, printed_outcomes, rows_of
from gamebalance.as_published import Replay, ScoreSlips, role_summary
from gamebalance.as_published.transfer import LINEUP
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Lineup
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.scoring import Alive

Key = tuple[str, str]
Numbers = dict[Key, float]

#: The final states of Table 1, from its first line to its last.
FINAL_STATES = ((1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, 1))


def state_name(alive: Alive) -> str:
    """The name of an ending."""
    return "alive " + " ".join(map(str, alive))


def count_table(line: str) -> str:
    """The table with the counts of a line-up: Table 6, 8, … 22."""
    return f"Table {6 + 2 * list(map(str, LINEUPS)).index(line)}"


def summary_table(line: str) -> str:
    """The table with survival and scores of a line-up: Table 7, 9, … 23."""
    return f"Table {7 + 2 * list(map(str, LINEUPS)).index(line)}"


def printed_numbers(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """All printed results, in the order of the tables: columns place, quantity, printed and unit (of the last digit).

    `tables` holds the transcribed ones by the number in their file's name, ``"1"`` to ``"7"``: ``"6"`` has all counts,
    ``"7"`` all summaries.
    """
    rows = [*_printed_transfer(tables), *_printed_games(tables)]
    return pd.DataFrame(rows, columns=["place", "quantity", "printed", "unit"])


def _printed_transfer(tables: Mapping[str, pd.DataFrame]) -> Iterable[tuple[str, str, float, float]]:
    for row in tables["1"].drop_duplicates("seating").itertuples():
        yield "Table 1", f"{row.seating}: steps", row.steps, 1
    for row in tables["1"].itertuples():
        alive = state_name(tuple(map(int, row.alive_pattern)))
        yield "Table 1", f"{row.seating}: {alive}", row.probability_percent, 0.01
    for row in tables["2"].itertuples():
        yield "Table 2", f"{row.role}: survival", row.survival_percent, 0.01
    for row in tables["3"].itertuples():
        yield "Table 3", f"{row.seating}: {row.role}: score", row.expected_score, 0.01
    methods = {name: frame for name, frame in tables["5"].groupby("algorithm", sort=False)}
    for measure in ("Bal", "Rat"):
        column = {"Bal": "bal_percent", "Rat": "rat"}[measure]
        yield "§6.3", measure, methods["probability_transfer"][column].iloc[0], 0.01
    for name, frame in methods.items():
        method = name.replace("_", " ")
        for row in frame.itertuples():
            yield "Table 5", f"{method}: {row.role}: survival", row.survival_percent, 0.01
            yield "Table 5", f"{method}: {row.role}: score", row.expected_score, 0.01
        yield "Table 5", f"{method}: Bal", frame["bal_percent"].iloc[0], 0.01
        yield "Table 5", f"{method}: Rat", frame["rat"].iloc[0], 0.01


def _printed_games(tables: Mapping[str, pd.DataFrame]) -> Iterable[tuple[str, str, float, float]]:
    columns = [column.removesuffix("_alive") for column in ALIVE]
    for row in tables["4"].itertuples():
        line = "-".join(str(getattr(row, column)) for column in columns)
        yield "Table 4", f"{line}: Bal", row.bal_percent, 0.01
        yield "Table 4", f"{line}: Rat", row.rat, 0.01
    for numbers, games in tables["6"].groupby(columns, sort=False):
        lineup, line = Lineup(*numbers[1:]), "-".join(map(str, numbers))
        for ending, count in printed_outcomes(lineup, games).counts.items():
            yield count_table(line), state_name(ending), count, 1
        for row in rows_of(tables["7"], lineup).itertuples():
            yield summary_table(line), f"{row.role}: survival", row.survival_percent, 0.01
            yield summary_table(line), f"{row.role}: score", row.expected_score, 0.01


def transfer_numbers(seatings: Mapping[str, Outcomes], steps: Mapping[str, float] | None = None) -> Numbers:
    """What the report derives from its first method: Tables 1 to 3, §6.3, the first line of Table 5.

    `seatings` are the six, emulated or exact; `steps`, by seating, say how the program ran and may be left out.
    """
    mean = mean_outcomes(LINEUP, list(seatings.values()))
    numbers: Numbers = {}
    if steps is not None:
        counted = {seating: steps[seating] for seating in seatings}
        for seating, count in {**counted, "mean": np.mean(list(counted.values()))}.items():
            numbers["Table 1", f"{seating}: steps"] = count
    for seating, outcomes in {**seatings, "mean": mean}.items():
        for alive in FINAL_STATES:
            numbers["Table 1", f"{seating}: {state_name(alive)}"] = 100 * outcomes.probability.get(alive, 0.0)
        for key, score in zip(ROLE_KEYS, outcomes.expected_scores(), strict=True):
            numbers["Table 3", f"{seating}: {key}: score"] = score
    for key, share in zip(ROLE_KEYS, 100 * mean.survival, strict=True):
        numbers["Table 2", f"{key}: survival"] = share
    numbers["§6.3", "Bal"], numbers["§6.3", "Rat"] = 100 * mean.balance, mean.rationality()
    line = {**_roles(100 * mean.survival, mean.expected_scores()), "Bal": 100 * mean.balance, "Rat": mean.rationality()}
    return numbers | {("Table 5", f"probability transfer: {quantity}"): value for quantity, value in line.items()}


def _roles(survival: Iterable[float], scores: Iterable[float]) -> dict[str, float]:
    named = {}
    for key, share, score in zip(ROLE_KEYS, survival, scores, strict=True):
        named |= {f"{key}: survival": float(share), f"{key}: score": float(score)}
    return named


def _games_numbers(line: str, survival: np.ndarray, scores: np.ndarray, bal: float, rat: float) -> Numbers:
    """Everything that the report prints of one line-up but its counts."""
    named, measures = _roles(survival, scores), {"Bal": bal, "Rat": rat}
    numbers = {(summary_table(line), quantity): value for quantity, value in named.items()}
    numbers |= {("Table 4", f"{line}: {measure}"): value for measure, value in measures.items()}
    if line == str(LINEUP):
        numbers |= {("Table 5", f"monte carlo: {quantity}"): value for quantity, value in {**named, **measures}.items()}
    return numbers


def replayed_numbers(replays: Mapping[str, Replay], slips: ScoreSlips) -> Numbers:
    """What the report's second method prints, such slips made: Tables 4 and 6 to 23, the second line of Table 5."""
    numbers: Numbers = {}
    for line, replay in replays.items():
        numbers |= {(count_table(line), state_name(alive)): count for alive, count in replay.counts.items()}
        summary = role_summary(replay.counts, line, slips, replay.divisor)
        survival, scores = summary["survival_percent"].to_numpy(), summary["expected_score"].to_numpy()
        numbers |= _games_numbers(line, survival, scores, 100 * balance(survival / 100), rationality(scores))
    return numbers


def expected_numbers(outcomes: Mapping[str, Outcomes], endings: Mapping[str, Iterable[Alive]]) -> Numbers:
    """The expectations of what `replayed_numbers` estimates from a million games, under the corrected scoring.

    `outcomes` are exact or simulated, `endings` those that the report counts, both by line-up.
    """
    numbers: Numbers = {}
    for line, result in outcomes.items():
        share = result.probability
        numbers |= {(count_table(line), state_name(alive)): 1e6 * share.get(alive, 0.0) for alive in endings[line]}
        scores = result.expected_scores()
        numbers |= _games_numbers(line, 100 * result.survival, scores, 100 * result.balance, result.rationality())
    return numbers


def expected_errors(outcomes: Mapping[str, Outcomes], endings: Mapping[str, Iterable[Alive]]) -> Numbers:
    """Standard errors of `expected_numbers`: zeros where exact."""
    numbers: Numbers = {}
    for line, result in outcomes.items():
        of_endings = result.results.standard_error(np.eye(len(result.probability)))
        found = dict(zip(result.probability, of_endings, strict=True))
        numbers |= {(count_table(line), state_name(alive)): 1e6 * found.get(alive, 0.0) for alive in endings[line]}
        errors = 100 * result.survival_error, result.score_error
        numbers |= _games_numbers(line, *errors, 100 * result.balance_error, result.rationality_error())
    return numbers


def sampling_errors(outcomes: Mapping[str, Outcomes], endings: Mapping[str, Iterable[Alive]]) -> Numbers:
    """Standard errors that the report's own numbers have, being means over a million games."""
    return expected_errors({line: as_simulated(result) for line, result in outcomes.items()}, endings)
