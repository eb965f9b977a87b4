"""What each difference between the report's text and its programs does to the game.

Rule sets are compared on common random numbers: game i of a seed draws the same words under every rule set, so the
chance that two rule sets share cancels in their difference. The standard error comes from batches of games. Only the
opening of four cards spoils this: it draws a word for each player, which shifts all later words of the game.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

import numpy as np
import pandas as pd

from gamebalance._checks import shown, whole_number
from gamebalance.metrics import balance, rationality
from gamebalance.sanguosha.compare import z_score
from gamebalance.sanguosha.exact import MAX_EXACT_PLAYERS, solve
from gamebalance.sanguosha.lineup import Lineup, Role, check_seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.rules import AS_CODED, AS_WRITTEN, MAX_HEALTH, Rules, check_rules
from gamebalance.sanguosha.scoring import Alive, winner
from gamebalance.sanguosha.simulate import simulate
from gamebalance.sanguosha.stream import check_seed
from gamebalance.sanguosha.targets import candidates
from gamebalance.sanguosha.turn import turn_codes

#: The programs' rules with one point changed to what the text says: snatch reaches neighbours only (§2.6.2); a
#: snatched weapon goes to the hand and is lost (§4.2.2); a revealed rebel who cannot reach the lord attacks a renegade
#: in reach (§4.2.1); four random cards instead of two dodges (§3, equation 3.2).
SINGLE_CHANGES = {
    "short snatch": replace(AS_CODED, snatch_any_distance=False),
    "weapon lost": replace(AS_CODED, stolen_weapon_equipped=False),
    "renegade attacked": replace(AS_CODED, rebels_attack_renegades=True),
    "four cards": replace(AS_CODED, opening="four cards"),
}

#: What "as written" consists of. The text overrides its own four cards in §4.1, so they are not part of it.
PARTS_AS_WRITTEN = ("short snatch", "weapon lost", "renegade attacked")

#: Every rule set that is compared, the programs' own first.
RULE_SETS = {
    "as coded": AS_CODED,
    **SINGLE_CHANGES,
    "as written": AS_WRITTEN,
    "as written, four cards": replace(AS_WRITTEN, opening="four cards"),
}

#: What is measured under a rule set, in this order: survival (a share), Bal, expected scores in points, Rat.
MEASURES = (
    *(f"{role.english.lower()} alive" for role in Role),
    "Bal",
    *(f"{role.english.lower()} score" for role in Role),
    "Rat",
)
BAL, RAT = MEASURES.index("Bal"), MEASURES.index("Rat")

#: Factors that turn shares into percent, by measure.
PERCENT = np.array([100.0] * (BAL + 1) + [1.0] * (RAT - BAL))

#: A change counts as told from none when it is this many standard errors away from zero; over a hundred are looked at.
TOLD = 4.0

#: Most seats for which `differing_choices` goes through every situation.
MAX_CHOICE_PLAYERS = 5


def measures(outcomes: Outcomes) -> np.ndarray:
    """Survival, Bal, expected scores and Rat under one rule set.

    Parameters
    ----------
    outcomes : Outcomes
        Of a line-up in which every role is held.

    Returns
    -------
    ndarray, shape (10,)
        In the order of `MEASURES`.

    Raises
    ------
    ValueError
        If nobody holds one of the roles: Bal and Rat compare all four.
    """
    survival, scores = outcomes.survival, outcomes.expected_scores()
    return np.array([*survival, balance(survival), *scores, rationality(scores)])


def measure_errors(outcomes: Outcomes) -> np.ndarray:
    """Standard errors of `measures` by the delta method, shape (10,); zeros when exact."""
    return np.array(
        [*outcomes.survival_error, outcomes.balance_error, *outcomes.score_error, outcomes.rationality_error()]
    )


def difference(name: str, base: str = "as coded") -> dict[str, float]:
    """Weights of the contrast "rule set `name` minus rule set `base`"; of none at all if they are the same."""
    return {name: 1.0, base: -1.0} if name != base else {}


def interaction(
    whole: str = "as written", parts: Sequence[str] = PARTS_AS_WRITTEN, base: str = "as coded"
) -> dict[str, float]:
    """Weights of what the effects of `parts`, each alone, leave unexplained of the effect of `whole`."""
    return {whole: 1.0, **dict.fromkeys(parts, -1.0), base: len(parts) - 1.0}


@dataclass(frozen=True)
class Effect:
    """A contrast of rule sets with its standard error; arrays of shape (10,), in the order of `MEASURES`.

    Parameters
    ----------
    value : ndarray
        The contrast.
    error : ndarray
        Its standard error with the pairing, by the delete-one-batch jackknife; zeros when exact.
    unpaired_error : ndarray
        The standard error that as many independent games of each rule set would give; zeros when exact.
    games : int or None
        Games behind it under each rule set; None when exact.
    """

    value: np.ndarray
    error: np.ndarray
    unpaired_error: np.ndarray
    games: int | None = None

    @property
    def variance_ratio(self) -> np.ndarray:
        """Variance without the pairing over variance with it; infinite where every batch ends the same way."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.square(self.unpaired_error / self.error)

    def z(self, paired: bool = True) -> np.ndarray:
        """The contrast in standard errors, 0 where it is 0; `paired` False takes those of independent games.

        An exact contrast that is not 0 has no such number: nan.
        """
        return z_score(self.value, 0.0, self.error if paired else self.unpaired_error)


@dataclass(frozen=True)
class PairedGames:
    """The same games of one line-up, played under several rule sets.

    Parameters
    ----------
    lineup : Lineup
    endings : tuple of Alive
        Ways in which a game ended under any of the rule sets.
    counts : dict of str to ndarray of int, shape (batches, endings)
        Number of games by rule set. Batches are of equal size, and batch b draws the same words under every rule set.
    """

    lineup: Lineup
    endings: tuple[Alive, ...]
    counts: dict[str, np.ndarray]

    def outcomes(self, name: str) -> Outcomes:
        """All games of the rule set `name`."""
        return self._as_outcomes(self.counts[name].sum(axis=0))

    def contrast(self, weights: Mapping[str, float]) -> Effect:
        """A weighted sum of the measures of rule sets, such as `difference` or `interaction`.

        Parameters
        ----------
        weights : mapping of str to float
            By name of the rule set.

        Raises
        ------
        ValueError
            If a rule set was not played.
        """
        _check_names(weights, self.counts)
        pooled = {name: self.outcomes(name) for name in weights}
        value = sum(weight * measures(pooled[name]) for name, weight in weights.items())
        left_out = sum(weight * self._left_out[name] for name, weight in weights.items())
        variance = sum(np.square(weight * measure_errors(pooled[name])) for name, weight in weights.items())
        return Effect(value, jackknife_error(left_out), np.sqrt(variance), next(iter(pooled.values())).games)

    @cached_property
    def _left_out(self) -> dict[str, np.ndarray]:
        """By rule set: the measures of all games but those of batch b, shape (batches, 10)."""
        return {
            name: np.array([measures(self._as_outcomes(counts.sum(axis=0) - batch)) for batch in counts])
            for name, counts in self.counts.items()
        }

    def _as_outcomes(self, counts: np.ndarray) -> Outcomes:
        games = int(counts.sum())
        return Outcomes(self.lineup, dict(zip(self.endings, counts / games, strict=True)), games=games)


def jackknife_error(left_out: np.ndarray) -> np.ndarray:
    """Standard errors by the jackknife.

    Parameters
    ----------
    left_out : ndarray, shape (batches, k)
        The estimates without each of the batches in turn.

    Returns
    -------
    ndarray, shape (k,)
        sqrt((b - 1) / b * sum of squared deviations from the mean) for b batches.
    """
    batches = len(left_out)
    return np.sqrt((batches - 1) / batches * np.square(left_out - left_out.mean(axis=0)).sum(axis=0))


def exact_contrast(solved: Mapping[str, Outcomes], weights: Mapping[str, float]) -> Effect:
    """The contrast of exact solutions, by name of the rule set; its standard errors are zero.

    Raises
    ------
    ValueError
        If a rule set was not solved.
    """
    _check_names(weights, solved)
    nought = np.zeros(len(MEASURES))
    return Effect(sum((w * measures(solved[name]) for name, w in weights.items()), nought), nought, nought)


def _check_names(weights: Mapping[str, float], known: Mapping[str, object]) -> None:
    unknown = [name for name in weights if name not in known]
    if unknown or not weights:
        raise ValueError(f"weights = {shown(dict(weights))}: rule sets among {', '.join(known)} are needed")


def play_rule_sets(
    lineup: Lineup | str,
    games: int,
    seed: int,
    batches: int = 100,
    rule_sets: Mapping[str, Rules] | None = None,
    workers: int = 1,
    seating: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> PairedGames:
    """Play the same games under each rule set, in batches.

    Parameters
    ----------
    lineup : Lineup or str
    games : int
        Under each rule set; a multiple of `batches`.
    seed : int
        Batch b is ``simulate(lineup, games // batches, seed + b, …)``; 0 to 2^63 - batches.
    batches : int
        2 or more; the standard error of a standard error is about its 1 / sqrt(2 batches).
    rule_sets : mapping of str to Rules, optional
        `RULE_SETS` by default.
    workers : int
        Batches played side by side.
    seating : str, optional
        Play this seating only.
    progress : callable, optional
        Called with the number of games after each batch.

    Raises
    ------
    ValueError
        If an argument is not as described.
    """
    lineup, rule_sets = Lineup.parse(lineup), _check_rule_sets(rule_sets)
    games, batches = whole_number("games", games, 1), whole_number("batches", batches, 2)
    if games % batches:
        raise ValueError(f"games = {games}: a multiple of batches = {batches} is needed")
    check_seed(seed)
    check_seed(seed + batches - 1)
    with ThreadPoolExecutor(whole_number("workers", workers, 1)) as pool:
        futures = {
            name: [
                pool.submit(simulate, lineup, games // batches, seed + batch, rules, seating=seating)
                for batch in range(batches)
            ]
            for name, rules in rule_sets.items()
        }
        _report(futures, progress, games // batches)
    found = {name: [future.result().counts for future in run] for name, run in futures.items()}
    endings = tuple(sorted({alive for run in found.values() for counts in run for alive in counts}))
    counts = {name: [[batch.get(alive, 0) for alive in endings] for batch in run] for name, run in found.items()}
    return PairedGames(lineup, endings, {name: np.array(rows) for name, rows in counts.items()})


def _check_rule_sets(rule_sets: Mapping[str, Rules] | None) -> Mapping[str, Rules]:
    chosen = RULE_SETS if rule_sets is None else rule_sets
    for rules in chosen.values():
        check_rules(rules)
    if not chosen:
        raise ValueError(f"rule_sets = {shown(chosen)}: at least one rule set is needed")
    return chosen


def _report(futures: Mapping[object, Sequence[Future]], progress: Callable[[int], None] | None, size: int) -> None:
    """Wait for all of `futures`; tell `progress` the `size` of each that is done."""
    for future in as_completed([future for run in futures.values() for future in run]):
        future.result()
        if progress:
            progress(size)


def differing_choices(seating: str, rules: Rules, other: Rules) -> list[tuple[int, tuple[int, ...], bool]]:
    """Situations in which two rule sets let the player to move choose among different targets.

    Every situation in which the game goes on is looked at, whether play can reach it or not.

    Parameters
    ----------
    seating : str
        Two to five players.
    rules, other : Rules

    Returns
    -------
    list of (seat, health by seat, weapon)
        The player to move, everybody's health, and whether that player holds a weapon.

    Raises
    ------
    ValueError
        If `seating` is not a seating of at most five players, or one of the rules is not a `Rules`.
    """
    check_seating(seating, MAX_CHOICE_PLAYERS)
    check_rules(rules)
    check_rules(other)
    roles = tuple(Role(int(digit)) for digit in seating)
    found = []
    for health in product(range(MAX_HEALTH + 1), repeat=len(roles)):
        alive = [role for role, points in zip(roles, health, strict=True) if points]
        if winner(tuple(alive.count(role) for role in Role)):
            continue
        for seat, weapon in product(range(len(roles)), (False, True)):
            choices = [candidates(seat, roles, health, weapon, each) for each in (rules, other)]
            if health[seat] and choices[0] != choices[1]:
                found.append((seat, health, weapon))
    return found


def same_chain(seating: str, rules: Rules, other: Rules) -> bool:
    """Whether two rule sets make the same Markov chain of a seating: first hands, turns and choices are all equal.

    The parameters are those of `differing_choices`.
    """
    return rules == other or (
        rules.opening_probability == other.opening_probability
        and rules.pair_probability == other.pair_probability
        and np.array_equal(turn_codes(rules), turn_codes(other))
        and not differing_choices(seating, rules, other)
    )


def solve_rule_sets(
    seatings: Sequence[str],
    rule_sets: Mapping[str, Rules] | None = None,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> dict[str, dict[str, Outcomes]]:
    """Solve seatings exactly under each rule set; rule sets that make the same chain of a seating are solved once.

    Parameters
    ----------
    seatings : sequence of str
        Two to four players each.
    rule_sets : mapping of str to Rules, optional
        `RULE_SETS` by default.
    workers : int
        Solutions computed side by side.
    progress : callable, optional
        Called with 1 after each solution.

    Returns
    -------
    dict of dict of Outcomes
        By rule set, then by seating.

    Raises
    ------
    ValueError
        If an argument is not as described.
    """
    rule_sets = _check_rule_sets(rule_sets)
    for seating in seatings:
        check_seating(seating, MAX_EXACT_PLAYERS)
    model = {(name, seating): _first_alike(seating, name, rule_sets) for name in rule_sets for seating in seatings}
    with ThreadPoolExecutor(whole_number("workers", workers, 1)) as pool:
        chains = dict.fromkeys((first, seating) for (_, seating), first in model.items())
        running = {(first, seating): pool.submit(solve, seating, rule_sets[first]) for first, seating in chains}
        _report({0: list(running.values())}, progress, 1)
    return {
        name: {seating: running[model[name, seating], seating].result() for seating in seatings} for name in rule_sets
    }


def _first_alike(seating: str, name: str, rule_sets: Mapping[str, Rules]) -> str:
    """The first rule set that makes the same chain of `seating` as the one called `name`."""
    return next(first for first, rules in rule_sets.items() if same_chain(seating, rules, rule_sets[name]))


def effect_rows(effects: Mapping[str, Mapping[str, Effect]]) -> pd.DataFrame:
    """Effects on Bal, Rat and survival as a table.

    Parameters
    ----------
    effects : mapping of str to mapping of str to Effect
        By line-up, then by name of the change.

    Returns
    -------
    DataFrame
        A row for each line-up and change. Two levels of columns: line-up, rules; then change and s.e. of Bal and of
        the survival of each role in percentage points, of Rat in points squared.
    """
    chosen = {"Bal": BAL, "Rat": RAT} | {str(role): int(role) for role in Role}
    rows = []
    for lineup, changes in effects.items():
        for name, effect in changes.items():
            row = {("", "line-up"): lineup, ("", "rules"): name}
            for title, place in chosen.items():
                row[title, "change"] = PERCENT[place] * effect.value[place]
                row[title, "s.e."] = PERCENT[place] * effect.error[place]
            rows.append(row)
    frame = pd.DataFrame(rows)
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def told_apart(effects: Mapping[str, Mapping[str, Effect]]) -> pd.DataFrame:
    """What the pairing gains, and in how many line-ups a change can be told from none.

    Parameters
    ----------
    effects : mapping of str to mapping of str to Effect
        Simulated ones by line-up, then by name of the change; every line-up with the same changes.

    Returns
    -------
    DataFrame
        A row for each change. Two levels of columns: the change; then for Bal and for Rat the median gain in variance
        over the line-ups, the largest z in absolute value, and the number of line-ups with `TOLD` or more, paired and
        unpaired.
    """
    rows = []
    for name in next(iter(effects.values())):
        each = [changes[name] for changes in effects.values()]
        row = {("", "change"): name}
        for title, place in (("Bal", BAL), ("Rat", RAT)):
            paired, unpaired = (np.abs([effect.z(kind)[place] for effect in each]) for kind in (True, False))
            row[title, "gain in variance"] = np.median([effect.variance_ratio[place] for effect in each])
            row[title, "largest z"] = paired.max()
            row[title, "told"] = int((paired >= TOLD).sum())
            row[title, "told unpaired"] = int((unpaired >= TOLD).sum())
        rows.append(row)
    frame = pd.DataFrame(rows)
    frame.columns = pd.MultiIndex.from_tuples(frame.columns)
    return frame


def order_changes(before: Mapping[str, tuple[float, float]], after: Mapping[str, tuple[float, float]]) -> pd.DataFrame:
    """Pairs of line-ups that change places.

    Parameters
    ----------
    before, after : mapping of str to (value, standard error)
        By line-up, under one rule set and another; the line-ups are independent of each other.

    Returns
    -------
    DataFrame
        Columns "first" and "second" (in the order before), and the z of "second minus first" before (positive) and
        after (negative).
    """
    ranked = sorted(before, key=lambda name: before[name][0])
    rows = []
    for first, second in combinations(ranked, 2):
        if after[first][0] > after[second][0]:
            z = [_z_between(side[first], side[second]) for side in (before, after)]
            rows.append((first, second, *z))
    return pd.DataFrame(rows, columns=["first", "second", "z before", "z after"])


def _z_between(first: tuple[float, float], second: tuple[float, float]) -> float:
    return float(z_score(second[0], first[0], second[1], first[1]))
