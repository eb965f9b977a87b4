"""What hangs on last bits, computed and written into a folder: `python sensitive_results.py FOLDER`.

`test_other_processors` runs it as several processors. `exact.json` holds numbers bit by bit, which come about without
BLAS, logarithms and powers; `meant.csv` numbers rounded to the digits that are meant; `decided.json` choices and
orders; `figure.png` and `figure.svg` a picture with logarithmic axes. `machine.json` holds what may differ: it shows
whether the libraries did take this for another processor.
"""

import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from chapters import how_many_mafiosi as theory
from chapters import worth_of_a_coalition as triangle_drawing
from gamebalance import fairness, sanguosha
from gamebalance.base.estimates import Estimate, slope
from gamebalance.base.rounding import bound, meant
from gamebalance.base.sums import dot, fitted_line
from gamebalance.multiplayer import normal_form
from gamebalance.multiplayer.beliefs import Posterior
from gamebalance.publish import book, style
from gamebalance.sanguosha.replies.values import least_solution
from gamebalance.sanguosha.scoring import winner

DRAWN = np.random.default_rng(14)


def bits(values):
    """Floats as texts that lose nothing."""
    return [float(value).hex() for value in np.ravel(values)]


def machine():
    """Products, logarithms, powers and ties as the libraries find them."""
    values = np.random.default_rng(1).random(10_000)
    square = values.reshape(100, 100)
    return {
        "product": bits(square @ square),
        "logarithm": bits(np.log(values)),
        "exponential": bits([math.exp(value) for value in values.tolist()]),
        "ties": np.argsort(np.round(values, 1)).tolist(),
    }


def outcomes():
    """Results of simulated games: means, errors and measures."""
    every = itertools.product(range(2), range(3), range(5), range(2))
    endings = [alive for alive in every if winner(alive)]
    chances = DRAWN.integers(1, 1000, len(endings))
    lineup = sanguosha.Lineup(2, 4, 1)
    share = dict(zip(endings, (chances / chances.sum()).tolist(), strict=True))
    found = sanguosha.Outcomes(lineup, share, games=int(chances.sum()))
    errors = found.survival_error, found.score_error, found.balance_error, found.rationality_error()
    numbers = found.survival, found.expected_scores(), found.balance, found.rationality(), *errors
    fitted = slope(range(4, 11), [Estimate(*pair) for pair in DRAWN.random((7, 2))])
    return [*np.concatenate([np.ravel(each) for each in numbers]), *fitted]


def waiting():
    """Linear equations between states, solved step by step."""
    solutions = []
    for size in (40, 90, 170, 300):
        matrix = DRAWN.random((size, size))
        matrix *= 0.97 / matrix.sum(axis=1, keepdims=True)
        scored = DRAWN.random(size)
        solutions.append(least_solution(lambda x, m=matrix, s=scored: dot(m, x) + s, size))
    return np.concatenate(solutions)


def normal_forms():
    """Payoffs, regrets and long runs of games with payoffs that are no whole numbers."""
    game = normal_form.NormalFormGame(DRAWN.random((3, 7, 8, 9)))
    profile = [DRAWN.dirichlet(np.ones(count)) for count in game.counts]
    chain = DRAWN.dirichlet(np.ones(7), 7)
    matrix = DRAWN.random((7, 8))
    replies = normal_form.predictor_replies(matrix, normal_form.chain_moves(chain, 40, 3, 1), 1)
    long_run = normal_form.chain_guarantee(matrix, chain), normal_form.guarantee(matrix, profile[0])
    joint = DRAWN.dirichlet(np.ones(7 * 8 * 9)).reshape(7, 8, 9)
    gap = normal_form.cce_gap(game, joint)
    small = np.random.default_rng(5).random((3, 3, 3, 3))
    ranked = normal_form.EmpiricalGame("abc", np.full((3, 3, 3), 9), small, np.full((3, 3, 3, 3, 3), 0.1))
    long_run += tuple(ranked.ranking(resamples=20).masses)
    return [*game.strategy_payoffs(profile, 0), *game.regrets(profile), *long_run, gap, *replies.ravel()]


def decided():
    """Choices among equals."""
    tied = Posterior(range(5), [0.2] * 5)
    for likelihood in ([0.3, 0.1, 0.3, 0.2, 0.3], [0.1, 0.3, 0.1, 0.2, 0.1], [0.7, 0.7, 0.7, 0.7, 0.7]):
        tied = tied.observe(likelihood)
    corners = triangle_drawing.places(DRAWN.dirichlet([1, 1, 1], 7), [0, 0, 0], 1)
    return {"likely": tied.most_likely(), "around": meant(triangle_drawing.around(corners)).tolist()}


def transcendental(stated):
    """Numbers that need logarithms and powers; nine digits of them are meant."""
    shares = theory.limit(np.linspace(0.1, 2.5, 25), detectives=3)
    line = fitted_line(np.log(np.arange(2, 50)), np.log(np.arange(2, 50) ** 1.5 + 1))
    entropies = [Posterior("ab", [p, 1 - p]).entropy() for p in stated]
    nothing = Posterior("ab", [0.3, 0.7]).information([[0.2, 0.8], [0.2, 0.8]])
    return [*shares, theory.fair_share(2), *line, *entropies, nothing]


def ratings():
    """Strengths of persons, found by iteration, and the chance of a side; rounded where they are made."""
    club = fairness.rate(fairness.read_games(Path(__file__).parents[1] / "data" / "examples" / "club.csv"), "side")
    return [*club.persons[["strength", "error", "adds"]].to_numpy().ravel(), club.sides["chance"].iloc[0], club.bits]


def figure(folder):
    """A picture with logarithmic axes and points at powers of ten."""
    drawn, (left, right) = style.new_figure(cols=2, height=2.5)
    steps = np.geomspace(1, 1e5, 41)
    left.loglog(steps, steps**-0.5, marker="o", markersize=3)
    left.loglog([1, 10, 100, 1e4], [1e-3, 1e-2, 1e-1, 1], ".")
    right.set_yscale("symlog", linthresh=3)
    right.plot(range(9), [-100, -10, -3, -1, 0, 1, 3, 10, 100], "x")
    for kind in ("png", "svg"):
        blank = {"Software": None} if kind == "png" else {"Date": None, "Creator": None}
        drawn.savefig(folder / f"figure.{kind}", metadata=blank)
    picture = folder / "figure.svg"
    picture.write_text(book.named(picture.read_text(encoding="utf-8"), "figure"), encoding="utf-8")


def main(folder):
    exact = {each.__name__: bits(each()) for each in (outcomes, waiting, normal_forms)}
    rest = meant(pd.DataFrame({"value": [*transcendental(DRAWN.random(200)), bound(3.7e-11), *ratings()]}))
    (folder / "machine.json").write_text(json.dumps(machine()))
    (folder / "exact.json").write_text(json.dumps(exact, indent=0))
    (folder / "decided.json").write_text(json.dumps(decided(), indent=0))
    rest.to_csv(folder / "meant.csv", index=False, lineterminator="\n")
    figure(folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
