"""A race of a hare and two tortoises with numbers that can be changed, and made-up games whose answer is known."""

from functools import partial
from math import inf, sqrt
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from gamebalance import fairness
from gamebalance.base.controls import Answer, Choice, Slider
from gamebalance.multiplayer.protocols import CHANCE, OVER
from gamebalance.publish.style import COLOURS, INK, new_figure

#: Ways to play by what a reader chooses.
WAYS = {"random": ("random",), "best": ("best",), "both": ("random", "best")}
CONTROLS = {
    "play": Choice("All play", tuple(WAYS), "both", ("at random", "best", "both must be fair")),
    "margin": Slider("Margin", 1, 15, 6, hint="how far from even is still fair, in percentage points"),
    "most": Slider("Numbers changed", 1, 3, 3, hint="how many numbers may be changed at once"),
}

#: What a coin gives, heads or tails, by what was chosen.
STEPS = {"walk": (2, 1), "run": (3, 0)}


class Place(NamedTuple):
    """Where everybody stands, whether the hare can still leap, whose turn it is, and what was chosen."""

    steps: tuple[int, ...]
    fresh: bool
    player: int
    chosen: str


class Race:
    """A hare and two tortoises run to a goal.

    On a turn one walks (1 or 2 steps, by a coin) or runs (0 or 3). Once in a game
    the hare may leap instead. The tortoises start ahead, the last one by more.
    """

    players = 3
    roles = ("hare", "tortoise", "tortoise")

    def __init__(self, ahead: int = 1, last: int = 0, leap: int = 4, goal: int = 10):
        self.leap, self.goal = leap, goal
        self.starts = (0, ahead, ahead + last)

    def start(self) -> Place:
        return Place(self.starts, True, 0, "")

    def mover(self, state: Place) -> int:
        if max(state.steps) >= self.goal:
            return OVER
        return CHANCE if state.chosen else state.player

    def moves(self, state: Place) -> tuple | dict:
        if state.chosen:
            return {"heads": 0.5, "tails": 0.5}
        return ("walk", "run", "leap") if state.player == 0 and state.fresh else ("walk", "run")

    def play(self, state: Place, move: str) -> Place:
        if move in STEPS:
            return state._replace(chosen=move)
        if move == "leap":
            return self._moved(state._replace(fresh=False), self.leap)
        return self._moved(state, STEPS[state.chosen][move == "tails"])

    def _moved(self, state: Place, steps: int) -> Place:
        places = list(state.steps)
        places[state.player] = min(places[state.player] + steps, self.goal)
        return Place(tuple(places), state.fresh, (state.player + 1) % self.players, "")

    def payoffs(self, state: Place) -> tuple[float, ...]:
        """1 for the first at the goal; before that, how far everybody is."""
        over = self.mover(state) == OVER
        return tuple(float(step >= self.goal) if over else step / self.goal for step in state.steps)


def walks(known: Place, moves: tuple) -> str:
    """A way to play: walk, and leap when the goal is near."""
    own = known.steps[known.player]
    return "leap" if "leap" in moves and own + 4 >= 10 else "walk"


class Front:
    """The figure with controls, from a table of all settings of the race."""

    def __init__(self, frame: pd.DataFrame):
        self.frame = frame

    def answer(self, play: str, margin: float, most: int) -> Answer:
        """The least unevenness by the size of the change, and the smallest change that is fair."""
        columns = [f"unevenness, pp ({way})" for way in WAYS[play]]
        rows = self.frame[self.frame["changed"] <= most]
        rows = rows.assign(uneven=rows[columns].max(axis=1))[["change", "changed", "steps", "uneven"]]
        fair = rows[rows["uneven"] <= margin + 1e-9]
        said = f"No setting is within {margin:g} percentage points of even."
        if len(fair):
            first = fair.iloc[0]
            said = f"The smallest change: {first['change']}, {first['uneven']:.1f} percentage points from even."
        code = f"fairness.tune(Race, vary, ways={WAYS[play]!r}, margin={margin / 100:g}, together={most}).sentence"
        return Answer(draw_front(rows, margin), rows, said, code)


def draw_front(rows: pd.DataFrame, margin: float):
    """Each setting by its size, and the least of all that change no more."""
    figure, axes = new_figure(height=3.8)
    sizes = rows[["changed", "steps"]].drop_duplicates().reset_index(drop=True)
    places = rows[["changed", "steps"]].apply(tuple, axis=1).map({tuple(size): i for i, size in sizes.iterrows()})
    fair = rows["uneven"] <= margin + 1e-9
    for chosen, marker, colour, label in ((~fair, "x", COLOURS[1], "not fair"), (fair, "o", COLOURS[0], "fair")):
        axes.plot(places[chosen], rows["uneven"][chosen], marker, color=colour, markersize=5, label=label)
    least = rows.groupby(places)["uneven"].min().cummin()
    axes.plot(least.index, least, drawstyle="steps-post", color=INK, linewidth=1, label="the least so far")
    axes.axhspan(0, margin, color=COLOURS[0], alpha=0.12)
    axes.set_xticks(range(len(sizes)), [f"{knobs}\n{steps}" for knobs, steps in sizes.itertuples(index=False)])
    axes.set(xlabel="numbers changed, and steps", ylabel="farthest from even, percentage points", ylim=(0, None))
    figure.legend(loc="outside upper center", ncols=3)
    return figure


# ---- Made-up games, whose fair settings are known.

SHAPE, MARGIN = (5, 3), 0.03
VARY = {"one": range(SHAPE[0]), "other": range(SHAPE[1])}


class Drawn:
    """Two play; the first wins as much more often than every other time as a table says. Many games at once."""

    def __init__(self, gaps: np.ndarray, one: int = 0, other: int = 0):
        self.gap = gaps[one, other]

    def sample(self, rng: np.random.Generator, games: int) -> np.ndarray:
        first = rng.random(games) < 0.5 + self.gap
        return np.stack([first, ~first], axis=1)


def made_up(number: int) -> np.ndarray:
    """How far each setting is from even: far, near, or in one case of fourteen at the margin or just beyond."""
    rng = np.random.default_rng([7, number])
    kind = rng.random(SHAPE)
    gaps = np.where(kind < 0.55, rng.uniform(0.05, 0.2, SHAPE), rng.uniform(0, 0.02, SHAPE))
    gaps[kind >= 0.93] = rng.choice([MARGIN, MARGIN + 1e-4], (kind >= 0.93).sum())
    gaps[0, 0] = rng.uniform(0.06, 0.2)
    return gaps


def tuned(number: int, games: int) -> tuple[str, bool, int]:
    """A search in a made-up game: its verdict, whether something that it says is wrong, and the games it took."""
    gaps = made_up(number)
    found = fairness.tune(partial(Drawn, gaps), VARY, margin=MARGIN, games=games, seed=number)
    called = [row.setting for row in found.rows if row.verdict == "fair"]
    return found.verdict, _wrong(gaps, found.verdict, called), found.games


def split_equally(number: int, games: int) -> tuple[str, bool, int]:
    """The same with as many games of each setting, and each said to be fair or not by a test of its own."""
    gaps, each = made_up(number), games // (SHAPE[0] * SHAPE[1])
    won = np.random.default_rng([8, number]).binomial(each, 0.5 + gaps) / each
    reach = stats.norm.isf(0.025 / gaps.size) * 0.5 / sqrt(each)
    levels = fairness.tune(
        partial(Drawn, gaps), {"one": range(SHAPE[0]), "other": range(SHAPE[1])}, games=2000
    ).grid.levels()
    called, verdict = [], "unfair"
    for _, settings in levels:
        far = [abs(won[setting.places] - 0.5) for setting in settings]
        called += [setting for setting, gap in zip(settings, far, strict=True) if gap + reach <= MARGIN]
        if any(abs(gap - MARGIN) < reach for gap in far) and not called:
            verdict = "undecided"
        if called:
            verdict = "fair" if verdict == "unfair" else "undecided"
            break
    return verdict, _wrong(gaps, verdict, called), games


def _wrong(gaps: np.ndarray, verdict: str, called: list) -> bool:
    truly = [
        (sum(place > 0 for place in places), sum(places)) for places in np.ndindex(*SHAPE) if gaps[places] <= MARGIN
    ]
    smallest = called[0].size if called else (inf,)
    missed = verdict != "undecided" and min(truly, default=(inf,)) < smallest
    return missed or any(gaps[setting.places] > MARGIN for setting in called)


# ---- A table of who beats whom that was written down beforehand.

SKILLS = ("random", "greedy", "searching")


def contests(game) -> dict[str, float]:
    """How much each way to play wins alone among each weaker one, of the games that somebody wins."""
    report = fairness.report(game, ways=SKILLS, states=200_000)
    return {f"{each.better} over {each.others}": each.share.value for each in report.contests}
