"""All line-ups of four to ten players, seatings drawn at random: one row for each, and the outcomes that rows hold."""

import numpy as np

from chapters.claims import all_lineups
from gamebalance.base.rounding import bound
from gamebalance.sanguosha.exact import solve_lineup
from gamebalance.sanguosha.lineup import LINEUPS, Lineup, Seating
from gamebalance.sanguosha.outcomes import Outcomes, mean_outcomes
from gamebalance.sanguosha.simulation import simulate

#: Games of each of the report's line-ups, and of every other one; those of up to five players are solved exactly.
GAMES_OF_REPORT, GAMES = 1_000_000_000, 100_000_000
EXACT_PLAYERS = 5


def row(lineup):
    """The outcomes of a line-up; `games` is 0 if they are exact, `moments` stand below the diagonal row by row."""
    line = Lineup.parse(lineup)
    seed, games = all_lineups().index(line), GAMES_OF_REPORT if line in LINEUPS else GAMES
    exact = line.players <= EXACT_PLAYERS
    found = solve_lineup(line) if exact else simulate(line, games, seed, endgame=True)
    moments = np.zeros((0, 0)) if found.moments is None else found.moments
    return {
        "lineup": str(line),
        "games": 0 if exact else games,
        "seed": seed,
        "error_bound": bound(found.error_bound),
        "turns": found.turns,
        "turns_error": found.turns_error,
        "endings": " ".join("".join(map(str, ending)) for ending in found.probability),
        "shares": _written(found.probability.values()),
        "moments": _written(moments[np.tril_indices(len(moments))]),
    }


def _written(numbers):
    return " ".join(f"{number:.12g}" for number in numbers)


def lineup_outcomes(row):
    """What a row of `row` says, as `sanguosha.simulate` or `sanguosha.solve_lineup` returns it."""
    endings = [tuple(map(int, digits)) for digits in row["endings"].split()]
    shares, moments = (np.array(str(row[name]).split(), float) for name in ("shares", "moments"))
    games, table = int(row["games"]), None
    if games:
        table = np.zeros((len(endings), len(endings)))
        table[np.tril_indices(len(endings))] = moments
        table = table + np.tril(table, -1).T
    return Outcomes(
        Lineup.parse(row["lineup"]),
        dict(zip(endings, (shares / shares.sum()).tolist(), strict=True)),
        games=games or None,
        error_bound=float(row["error_bound"]),
        turns=float(row["turns"]),
        turns_error=float(row["turns_error"]),
        moments=table,
    )


def seating_outcomes(row):
    """What a row of a seating says, as `sanguosha.solve` returns it: a column such as ``alive_1100`` an ending."""
    columns = [column for column in row if column.startswith("alive_") and float(row[column])]
    shares = {tuple(map(int, column.removeprefix("alive_"))): float(row[column]) for column in columns}
    total = sum(shares.values())
    probability = {ending: share / total for ending, share in sorted(shares.items())}
    about = {"error_bound": float(row["error_bound"]), "turns": float(row["turns"])}
    return Outcomes(Seating(row["seating"]).lineup, probability, Seating(row["seating"]), **about)


def solved_seatings(rows):
    """The outcomes of all rows of a table of seatings."""
    return [seating_outcomes(row) for row in rows.to_dict("records")]


def mean_of(solved, lineup):
    """The mean over all seatings of a line-up, each of which must be there once."""
    here = [outcomes for outcomes in solved if outcomes.lineup == lineup]
    assert sorted(outcomes.seating for outcomes in here) == list(lineup.seatings()), f"not all seatings of {lineup}"
    return mean_outcomes(lineup, here)


def known(rows, seatings=None):
    """The outcomes of line-ups by name; of those with `seatings`, rows of single ones, the exact mean over these."""
    solved = [] if seatings is None else solved_seatings(seatings)
    by_name = {row["lineup"]: lineup_outcomes(row) for row in rows.to_dict("records")}
    return by_name | {str(lineup): mean_of(solved, lineup) for lineup in {outcomes.lineup for outcomes in solved}}


def played(games, games_every, seed, workers):
    """All line-ups by name, from `games` of each of the report's and `games_every` of each other, a seed each."""
    counts = {line: games if line in LINEUPS else games_every for line in all_lineups()}
    numbered = enumerate(counts.items(), seed)
    return {str(line): simulate(line, count, place, workers=workers) for place, (line, count) in numbered}
