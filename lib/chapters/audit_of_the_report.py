"""The audit of the Sanguosha report: its numbers, printed, emulated and right, by (place, quantity), and verdicts."""

from itertools import permutations
from math import floor, hypot, log10, nan

import numpy as np
import pandas as pd

from chapters.four_players_exactly import ALIVE, printed_outcomes, rows_of
from gamebalance.as_published import role_summary
from gamebalance.as_published.transfer import LEVELS, LINEUP, ONE, PLAYERS
from gamebalance.fairness.spreads import balance, rationality
from gamebalance.sanguosha.lineup import LINEUPS, ROLE_KEYS, Lineup
from gamebalance.sanguosha.outcomes import mean_outcomes
from gamebalance.sanguosha.rules import REPORT_DECK, Card
from gamebalance.sanguosha.states import theorem_bound

#: The final states of Table 1, from its first line to its last.
FINAL_STATES = ((1, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, 0, 1, 1))

#: Tables 6, 8, … 22 with the counts of a line-up, and 7, 9, … 23 with its survival and scores.
COUNTS = {str(line): f"Table {number}" for line, number in zip(LINEUPS, range(6, 24, 2), strict=True)}
SUMMARIES = {str(line): f"Table {number}" for line, number in zip(LINEUPS, range(7, 25, 2), strict=True)}

#: The defects of the transfer that change its results by more than rounding, in the order of the report's listing.
DEFECTS = ("cards_spent", "ghost_turn", "integer_mass")

#: What the defects and slips are called in a verdict.
NAMES = {
    "cards_spent": "cards spent",
    "ghost_turn": "ghost turn",
    "integer_mass": "integer mass",
    "role_as_divisor": "role as divisor",
    "integer_points": "35/2 = 17",
}

#: A Monte Carlo number is called right within so many standard errors: all of some 200 such numbers pass by chance with
#: probability 0.999.
LIMIT = 4.5

#: Half a printed digit, give or take what binary fractions add: so many units.
SLACK = 1e-6

#: The words that the verdicts start with; the last is for a number that says how the report's program ran, and truly.
REPRODUCES, ROUNDING, WRONG, MISPRINT, UNEXPLAINED = "reproduces", "rounding", "wrong", "misprint", "unexplained"
OF_THE_RUN = "describes the run"


# ---- The numbers, by place and quantity: ("Table 7", "renegade: score").


def state_name(alive):
    return "alive " + " ".join(map(str, alive))


def printed_numbers(tables):
    """All printed results, with the unit of the last digit; `tables` by the number in their file's name."""
    rows = []
    for row in tables["1"].drop_duplicates("seating").itertuples():
        rows.append(("Table 1", f"{row.seating}: steps", row.steps, 1))
    for row in tables["1"].itertuples():
        rows.append(("Table 1", f"{row.seating}: {state_name(row.alive_pattern)}", row.probability_percent, 0.01))
    for row in tables["2"].itertuples():
        rows.append(("Table 2", f"{row.role}: survival", row.survival_percent, 0.01))
    for row in tables["3"].itertuples():
        rows.append(("Table 3", f"{row.seating}: {row.role}: score", row.expected_score, 0.01))
    methods = {name.replace("_", " "): frame for name, frame in tables["5"].groupby("algorithm", sort=False)}
    rows += _printed_measures("§6.3", "", methods["probability transfer"].iloc[0])
    for name, frame in methods.items():
        rows += _printed_roles("Table 5", f"{name}: ", frame)
        rows += _printed_measures("Table 5", f"{name}: ", frame.iloc[0])
    columns = [column.removesuffix("_alive") for column in ALIVE]
    for row in tables["4"].to_dict("records"):
        rows += _printed_measures("Table 4", f"{'-'.join(str(row[column]) for column in columns)}: ", row)
    for numbers, games in tables["6"].groupby(columns, sort=False):
        lineup, line = Lineup(*numbers[1:]), "-".join(map(str, numbers))
        counts = printed_outcomes(lineup, games).counts
        rows += [(COUNTS[line], state_name(alive), count, 1) for alive, count in counts.items()]
        rows += _printed_roles(SUMMARIES[line], "", rows_of(tables["7"], lineup))
    return pd.DataFrame(rows, columns=["place", "quantity", "printed", "unit"])


def _printed_roles(place, prefix, frame):
    for row in frame.itertuples():
        yield place, f"{prefix}{row.role}: survival", row.survival_percent, 0.01
        yield place, f"{prefix}{row.role}: score", row.expected_score, 0.01


def _printed_measures(place, prefix, row):
    yield place, f"{prefix}Bal", row["bal_percent"], 0.01
    yield place, f"{prefix}Rat", row["rat"], 0.01


def transfer_numbers(seatings, steps=None):
    """What the report derives from its first method, from the six seatings, emulated (with steps) or exact."""
    mean, numbers = mean_outcomes(LINEUP, list(seatings.values())), {}
    if steps is not None:
        counted = steps | {"mean": np.mean([steps[seating] for seating in seatings])}
        numbers |= {("Table 1", f"{seating}: steps"): count for seating, count in counted.items()}
    for seating, outcomes in {**seatings, "mean": mean}.items():
        for alive in FINAL_STATES:
            numbers["Table 1", f"{seating}: {state_name(alive)}"] = 100 * outcomes.probability.get(alive, 0.0)
        for key, score in zip(ROLE_KEYS, outcomes.expected_scores(), strict=True):
            numbers["Table 3", f"{seating}: {key}: score"] = score
    roles, measures = _numbers(100 * mean.survival, mean.expected_scores(), 100 * mean.balance, mean.rationality())
    numbers |= {("Table 2", f"{key}: survival"): roles[f"{key}: survival"] for key in ROLE_KEYS}
    numbers |= {("§6.3", name): value for name, value in measures.items()}
    return numbers | {("Table 5", f"probability transfer: {name}"): value for name, value in (roles | measures).items()}


def _numbers(survival, scores, bal, rat):
    """What the report prints of each role, and of all together, by quantity."""
    roles = {}
    for key, share, score in zip(ROLE_KEYS, survival, scores, strict=True):
        roles |= {f"{key}: survival": float(share), f"{key}: score": float(score)}
    return roles, {"Bal": bal, "Rat": rat}


def _games_numbers(line, counts, *quantities):
    """Everything that the report prints of the games of one line-up; `counts` by ending."""
    roles, measures = _numbers(*quantities)
    numbers = {(COUNTS[line], state_name(alive)): count for alive, count in counts.items()}
    numbers |= {(SUMMARIES[line], quantity): value for quantity, value in roles.items()}
    numbers |= {("Table 4", f"{line}: {measure}"): value for measure, value in measures.items()}
    if line == str(LINEUP):
        numbers |= {("Table 5", f"monte carlo: {name}"): value for name, value in (roles | measures).items()}
    return numbers


def replayed_numbers(replays, slips):
    """What the report's second method prints, such slips made: Tables 4 and 6 to 23, the second line of Table 5."""
    numbers = {}
    for line, replay in replays.items():
        summary = role_summary(replay.counts, line, slips, replay.divisor)
        survival, scores = summary["survival_percent"].to_numpy(), summary["expected_score"].to_numpy()
        measures = 100 * balance(survival / 100), rationality(scores)
        numbers |= _games_numbers(line, replay.counts, survival, scores, *measures)
    return numbers


def expected(outcomes, endings):
    """What `replayed_numbers` estimates, exactly or from other games, and its standard errors, zeros where exact."""
    numbers, errors = {}, {}
    for line, its in outcomes.items():
        spread = dict(zip(its.probability, its.results.standard_error(np.eye(len(its.probability))), strict=True))
        counts, of_counts = ({a: 1e6 * of.get(a, 0.0) for a in endings[line]} for of in (its.probability, spread))
        measures, of_measures = (
            (100 * its.balance, its.rationality()),
            (100 * its.balance_error, its.rationality_error()),
        )
        numbers |= _games_numbers(line, counts, 100 * its.survival, its.expected_scores(), *measures)
        errors |= _games_numbers(line, of_counts, 100 * its.survival_error, its.score_error, *of_measures)
    return numbers, errors


def shares_of_change(values):
    """Effect of each defect alone, as the last, and as the mean over all orders, from a quantity by set of defects."""
    rows = {}
    for defect in DEFECTS:
        steps = []
        for order in permutations(DEFECTS):
            earlier = set(order[: order.index(defect)])
            before = tuple(name for name in DEFECTS if name in earlier)
            after = tuple(name for name in DEFECTS if name in {*earlier, defect})
            steps.append(values[after] - values[before])
        others = tuple(name for name in DEFECTS if name != defect)
        alone, last = values[(defect,)] - values[()], values[DEFECTS] - values[others]
        rows[defect] = {"alone": alone, "last": last, "mean": float(np.mean(steps))}
    return pd.DataFrame.from_dict(rows, orient="index")


# ---- Verdicts on numbers.


def is_given(printed, unit, emulated):
    """Whether an emulated number is the printed one, rounded to its last digit."""
    return abs(printed - emulated) <= unit * (0.5 + SLACK)


def effects(alone, correct):
    """By defect: what it moves each number by when it is the only one."""
    return {defect: {key: numbers[key] - correct[key] for key in numbers} for defect, numbers in alone.items()}


def judge_numbers(printed, emulated, correct, errors, sampling, causes, same_games):
    """A verdict on every printed number; correct value and s.e. are nan where there is none.

    A printed number is right if it is equal to the right value at the printed precision, or within `LIMIT` standard
    errors of it (ours, and those of a right procedure of the report), and if the repaired procedure, on the same games
    as the report's, does not differ from the emulation by half a digit: sampling errors excuse no slip. *Wrong* names
    those causes that move the right value by half a digit or more when alone.
    """
    rows = []
    for place, quantity, value, unit in printed.itertuples(index=False):
        key = place, quantity
        own, gives, least = emulated[key], is_given(value, unit, emulated[key]), unit * (0.5 - SLACK)
        if key not in correct:
            rows.append((*key, value, own, nan, nan, OF_THE_RUN if gives else UNEXPLAINED))
            continue
        spread = hypot(errors.get(key, 0.0), sampling.get(key, 0.0))
        right = abs(value - correct[key]) <= unit * (0.5 + SLACK) + LIMIT * spread
        right &= abs(own - same_games.get(key, own)) < least
        if gives:
            verdict = REPRODUCES if right else f"{WRONG}: {_because(key, causes, least)}"
        else:
            verdict = ROUNDING if right and abs(value - own) <= unit * (1.5 + SLACK) else UNEXPLAINED
        rows.append((*key, value, own, correct[key], errors.get(key, 0.0), verdict))
    columns = ["place", "quantity", "printed", "as published", "correct", "s.e.", "verdict"]
    return pd.DataFrame(rows, columns=columns)


def _because(key, causes, least):
    """The defects that move a number by so much or more, the largest effect first."""
    sizes = {defect: abs(moved[key]) for defect, moved in causes.items() if key in moved}
    largest_first = sorted(sizes, key=sizes.get, reverse=True)
    return ", ".join(NAMES[defect] for defect in largest_first if sizes[defect] >= least) or "the defects together"


# ---- Verdicts on headings, titles and constants.


def judge_labels(labels, printed, emulated):
    """A verdict on every printed heading, title and constant (columns place, quantity, printed, as text)."""
    values = {(row.place, row.quantity): (row.printed, row.unit) for row in printed.itertuples()}

    def whose(pairs_of):
        """The names whose emulated numbers are the printed ones, from pairs of keys (printed, emulated) by name."""
        fits = {
            name: [is_given(*values[key], emulated.get(own, -1)) for key, own in pairs_of[name]] for name in pairs_of
        }
        return " or ".join(name for name in fits if all(fits[name])) or "nothing"

    right = _headings(values, whose) | _titles(values, whose) | _constants(labels)
    recomputed = [right[place, quantity] for place, quantity in zip(labels["place"], labels["quantity"], strict=True)]
    frame = labels[["place", "quantity", "printed"]].assign(recomputed=recomputed)
    same = frame["printed"] == frame["recomputed"]
    return frame.assign(verdict=[REPRODUCES if equal else MISPRINT for equal in same])


def _headings(values, whose):
    """Which seating the numbers of each column of Tables 1 and 3 belong to."""
    right = {}
    for table in ("Table 1", "Table 3"):
        for column, filed in enumerate(LINEUP.seatings(), 1):
            keys = [key for key in values if key[0] == table and key[1].startswith(f"{filed}: ")]
            moved = {
                name: [(key, (table, key[1].replace(filed, name, 1))) for key in keys] for name in LINEUP.seatings()
            }
            right[table, f"heading of column {column}"] = whose(moved)
    return right


def _titles(values, whose):
    """Which line-up the numbers of Tables 4 and 6 to 23 belong to."""
    right = {("Table 6", "first line"): " ".join(map(str, (*LINEUP.counts, LINEUP.players)))}
    for row, filed in enumerate(COUNTS, 1):
        for tables in (COUNTS, SUMMARIES):
            keys = [key for key in values if key[0] == tables[filed]]
            moved = {name: [(key, (tables[name], key[1])) for key in keys] for name in COUNTS}
            right[tables[filed], "title"] = _title(whose(moved))
        keys = [("Table 4", f"{filed}: {measure}") for measure in ("Bal", "Rat")]
        moved = {name: [(key, (key[0], key[1].replace(filed, name))) for key in keys] for name in COUNTS}
        right["Table 4", f"line-up of row {row}"] = _title(whose(moved), prime=True)
    return right


def _title(name, prime=False):
    """A line-up as the report writes it; in Table 4 the second with as many players gets a prime."""
    if name not in COUNTS:
        return name
    line = Lineup.parse(name)
    first = next(each for each in LINEUPS if each.players == line.players)
    mark = "'" if prime and line != first else ""
    return f"{line.players}{mark}: {' '.join(map(str, line.counts))}"


def _constants(labels):
    """The deck behind the printed numbers; of the text, possible states (note 4.2), products and bounds."""
    share = {card: f"{REPORT_DECK[card]}/{sum(REPORT_DECK)}" for card in Card}
    pair = f"{share[Card.SLASH]} x {share[Card.PEACH]}"
    kinds = [sum(player.health == health for player in PLAYERS) // 2 for health in range(LEVELS)]
    right = {
        ("Example 6.1", "probability of slash, then peach"): pair,
        ("Example 6.1", "contribution to the state after"): f"1/2 x {pair}",
        ("§6.2", "threshold"): f"1/(2^{(ONE + 1).bit_length() - 1} - 1)",
        ("§7", "pairs of health and dodges"): f"{'+'.join(map(str, kinds))} = {sum(kinds)}",
        ("§7", "order of the states of five players"): f"10^{floor(log10(theorem_bound(5)))}",
    }
    for card in Card:
        right["§2.6", f"probability of {card.name.lower()}"] = share[card]
        for place in ("Appendix A", "Appendix B"):
            right[place, f"number of {card.name.lower()} cards"] = str(REPORT_DECK[card])
    for row in labels[labels["quantity"].str.startswith("health and dodges")].itertuples():
        health, dodges = map(int, row.printed.split())
        right[row.place, row.quantity] = f"{health} {min(dodges, health)}"
    return right
