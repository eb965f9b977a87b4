"""Shares beside what would be even, drawn: of a verdict, and of a report. Loads matplotlib when it draws."""

from collections.abc import Iterable, Mapping, Sequence
from math import log10
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gamebalance.base.checks import one_of, shown
from gamebalance.base.extras import remedy
from gamebalance.base.rounding import meant
from gamebalance.fairness import wording
from gamebalance.fairness.page import page

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Okabe and Ito's colours, the palest darkened, and marks: so many ways to play share no pair of them.
COLOURS = ("#0072b2", "#d55e00", "#00805d", "#a64d8a", "#8a6d00", "#3f8fc4", "#5a5a5a")
MARKS = "osD^vPX<>*ph"
INK, PALE = "#222222", "#dfe6ee"
#: Standard errors to each side of a mark that an error bar covers.
ERROR_BAR = 2


def draw_verdict(verdict: Any, ax: "Axes | None" = None) -> "Axes":
    """Draw the share of each label with its interval, what is even, and what is within the margin of it.

    On `ax`, by default on a new figure of matplotlib's, which must be installed (extra `lab`); the axes that come back
    can be changed, or saved by ``.figure.savefig``. Fair is shown by a test of its own, each chance against the margin:
    its verdict may be fair although an interval reaches a little beyond.

    Examples
    --------
    >>> from gamebalance.fairness import Games, judge
    >>> axes = judge(Games.from_counts({"wolves": (300, 500), "village": (200, 500)})).plot()
    >>> axes.get_title(loc="left"), axes.get_xlabel()
    ('Unfair (500 games)', 'share of its games that each role won, %')
    """
    share, low, high, even = (100 * getattr(verdict, part).to_numpy() for part in ("shares", "low", "high", "even"))
    axes = _axes(ax, [wording.named(verdict.by, label) for label in verdict.shares.index])
    places = np.arange(len(share))
    reach = np.maximum([share - low, high - share], 0)  # rounding may leave less than nothing
    marks = {f"share and {verdict.interval}": _marks(axes, share, places, reach, 0)}
    band = _even(axes, even, places, 1.0, 100 * verdict.margin * verdict.decided)
    more = f"; about {verdict.games_needed:,} more would probably (4 in 5) tell" if verdict.games_needed else ""
    title = f"{verdict.sentence.partition(':')[0]} ({wording.games(verdict.games)}{more})"
    about = f"share of its games that each {verdict.by} won, %"
    _words(axes, title, about, marks, verdict.margin, verdict.decided < 1)
    return _fitted(axes, low, high, band)


def draw_report(report: Any, ax: "Axes | None" = None, by: str | None = None) -> "Axes":
    """Draw who wins how often under each way to play, what is even, and what is within the report's margin of it.

    Errors are drawn as bars, and the range over equilibria as thin lines, from "low, %" to "high, %" in `shares`; on
    `ax` as by `draw_verdict`. `by` says whose shares: by default sides if there are any, else seats, unless each has a
    role of its own.

    Examples
    --------
    >>> from gamebalance.fairness import report
    >>> from gamebalance.games import Nim
    >>> axes = report(Nim((3, 4)), ways="best").plot()
    >>> axes.get_title(loc="left"), axes.get_xlabel()
    ('Nim: who wins how often', 'games won by each seat, % (exact)')
    """
    kinds, seats, levels = list(dict.fromkeys(report.shares["by"])), report.outlook.seats, report.levels
    kind = report.compared_by[-1] if by is None else one_of("by", by, kinds)
    shares = report.shares[report.shares["by"] == kind]
    each = [label for label in seats.roles or () if kind == "role" and seats.roles.count(label) > 1]
    who = dict.fromkeys(shares["who"])
    names = [wording.named(kind, label) + ", each" * (label in each) for label in who]
    if kind == "seat" and seats.roles:
        names = [f"{name}, {role}" for name, role in zip(names, seats.roles, strict=True)]
    axes = _axes(ax, names, len(levels))
    height, marks, drawn, few = 0.8 / len(levels), {}, [], False
    for place, level in enumerate(levels):
        rows = shares[shares["all play"] == level]
        share, error = (rows[name].to_numpy(float) for name in ("wins, %", "±"))
        places = np.arange(len(share)) + height * (place - (len(levels) - 1) / 2)
        ends = rows.reindex(columns=["low, %", "high, %"]).to_numpy(float)
        marks[level] = _marks(axes, share, places, ERROR_BAR * error, place)
        if np.isfinite(ends).any():
            colour = COLOURS[place % len(COLOURS)]
            marks["range of equilibria found"] = axes.hlines(places, *ends.T, color=colour, linewidth=1)
        even, decided = report.even(level, kind)
        few = few or meant(decided) < 1
        band = _even(axes, np.full(len(share), 100 * even), places, height, 100 * report.margin * decided)
        drawn += [band, ends, share - ERROR_BAR * error, share + ERROR_BAR * error]
    how = "exact" if report.exact else f"bars: {ERROR_BAR} standard errors to each side"
    about = f"games won by each {kind}, % ({how})"
    _words(axes, f"{report.name}: who wins how often", about, marks, report.margin, few)
    return _fitted(axes, *drawn)


def draw_standings(rating: Any, ax: "Axes | None" = None, most: int = 25) -> "Axes":
    """Draw the strengths of those who played most, the strongest first, with their intervals; on `ax` as above."""
    frame = rating.standings(most)
    strength, low, high = (frame[name].to_numpy() for name in ("strength", "low", "high"))
    axes = _axes(ax, [f"{name} ({games:,})" for name, games in frame["games"].items()])
    _marks(axes, strength, np.arange(len(frame)), np.array([strength - low, high - strength]), 0)
    axes.axvline(0.0, color=INK, linewidth=1, linestyle="--", zorder=1)
    who = f"Of {len(rating.persons):,}, the {len(frame)} who played most" if len(frame) < len(rating.persons) else "All"
    axes.set_title(_folded(f"{who} (games in brackets), with {100 * rating.level:g}% intervals", 64), loc="left")
    axes.set_xlabel("strength: log odds against somebody of mean strength, alone")
    return _fitted(axes, low, high, np.zeros(1))


def _axes(ax: Any, labels: Sequence[str], ways: int = 1) -> "Axes":
    """Axes with a row for each label, the first at the top: those given, or of a figure of their own."""
    ax = new_axes(ax, 1.6 + len(labels) * max(0.45, 0.2 * ways))
    ax.set_yticks(range(len(labels)), [_folded(label, 28, 2) for label in labels], parse_math=False)
    ax.set_ylim(len(labels) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    return ax


def new_axes(ax: Any, height: float = 4.2) -> "Axes":
    """The axes that are given, or those of a new figure, without a frame."""
    try:
        from matplotlib import axes, pyplot
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(remedy(error) or str(error), name=error.name) from None
    if ax is None:
        ax = pyplot.subplots(figsize=(8, height), layout="constrained")[1]
    elif not isinstance(ax, axes.Axes):
        raise ValueError(f"ax = {shown(ax)}: Axes of matplotlib are needed")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _folded(text: str, width: int, most: int | None = None) -> str:
    return "\n".join(wrap(text, width, max_lines=most, placeholder=" …"))


def _marks(axes: "Axes", share: np.ndarray, places: np.ndarray, reach: np.ndarray, way: int) -> Any:
    """A mark for each share, with bars that reach so far, if any does."""
    look: dict[str, Any] = {"fmt": MARKS[way % len(MARKS)], "color": COLOURS[way % len(COLOURS)], "markersize": 7}
    return axes.errorbar(share, places, xerr=reach if reach.any() else None, capsize=3, zorder=3, **look)


def _even(axes: "Axes", even: np.ndarray, places: np.ndarray, height: float, margin: float) -> np.ndarray:
    """What is even as a line through each row; behind it what is within the margin as a band, whose ends are given."""
    lows, highs = np.clip([even - margin, even + margin], 0, 100)
    axes.barh(places, highs - lows, height, lows, color=PALE, zorder=0)
    axes.vlines(even, places - height / 2, places + height / 2, color=INK, linewidth=1, linestyle="--", zorder=1)
    return np.array([lows, highs])


def _words(axes: "Axes", title: str, about: str, marks: Mapping[str, Any], margin: float, draws: bool = False) -> None:
    """The title, what the numbers are, and a legend beside the axes; even and the margin were drawn last."""
    axes.set_title(_folded(title, 64), loc="left", parse_math=False)
    axes.set_xlabel(about, parse_math=False)
    names = [*(_folded(name, 30, 2) for name in marks), "even", f"within {wording.points(margin)}"]
    names[-1] += "\nof the decided games" * draws
    handles = [*marks.values(), axes.collections[-1], axes.patches[-1]]
    for text in axes.legend(handles, names, loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False).get_texts():
        text.set_parse_math(False)


def _fitted(axes: "Axes", *drawn: np.ndarray) -> "Axes":
    """Room for all that is drawn."""
    ends = np.concatenate([each.ravel() for each in drawn])
    least, most = np.nanmin(ends), np.nanmax(ends)
    room = 0.04 * (most - least) or 1.0  # where nobody ever wins
    axes.set_xlim(least - room, most + room)
    return axes


#: The plane of a chart and the place of its axes, as wide as a phone shows it.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 340, 190, 44, 18, 10, 34


def course_page(monitor: Any) -> str:
    """The verdict, charts and a table, as one page without scripts and without anything to be loaded."""
    frame = monitor.course()
    charts = [_evidence(frame, monitor.level), *_shares(frame, len(monitor.labels))] if len(frame) else []
    rows = [
        (wording.named("number", label), f"{row['wins']:,.6g}", *map(wording.percent, row.iloc[1:]))
        for label, row in monitor.to_frame().iterrows()
    ]
    place = {"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": WIDTH - RIGHT}
    place |= {"top": TOP, "bottom": HEIGHT - BOTTOM}
    place |= {"stop": _across(monitor.games)(monitor.stopped_at)} if monitor.stopped_at else {}
    heading = monitor.verdict.capitalize() if monitor.stopped_at else "Cannot tell"
    return page("course.html", monitor=monitor, heading=heading, charts=charts, rows=rows, **place)


def _evidence(frame: pd.DataFrame, level: float) -> dict[str, Any]:
    """A chart: the evidence in powers of ten, to as many as it needs and six at most beyond the bound."""
    by_game = frame.groupby("game")["evidence"].first()
    bound = 1 / level
    heights = [min(max(log10(max(value, 1e-300)), -3), log10(bound) + 6) for value in by_game]
    low, high = min(-1, *heights), max(log10(bound) + 0.3, *heights)
    games = int(by_game.index[-1])
    across, up = _across(games), _up(low, high)
    ticks = [(up(power), f"{10.0**power:,g}") for power in range(int(low // 1 + 1), int(high) + 1)]
    told = f"From 1 to {by_game.iloc[-1]:.3g} after {wording.games(games)}; it decides at {bound:.4g}."
    line = _path(zip(map(across, by_game.index), map(up, heights), strict=True))
    chart = {"title": "Evidence against equal chances", "told": told, "across": _games(across, games), "up": ticks}
    return chart | {"level": up(log10(bound)), "line": line, "band": ""}


def _shares(frame: pd.DataFrame, groups: int) -> list[dict[str, Any]]:
    """A chart for each label; of two the first, since the other is its mirror image."""
    charts = []
    for label, part in list(frame.groupby("label", sort=False))[: 1 if groups == 2 else None]:
        games, last = part["game"].tolist(), part.iloc[-1]
        across, up = _across(games[-1]), _up(0.0, 1.0)
        ends = zip([*games, *games[::-1]], [*part["high"], *part["low"][::-1]], strict=True)
        share, low, high = map(wording.percent, (last["share"], last["low"], last["high"]))
        even = wording.percent(1 / groups)
        who = wording.named("number", label)
        told = f"{share}% at the end, interval {low} to {high}%; {even}% would be even."
        ticks = [(up(tenth / 4), f"{25 * tenth}%") for tenth in range(5)]
        line = _path((across(game), up(value)) for game, value in zip(games, part["share"], strict=True))
        band = _path((across(game), up(value)) for game, value in ends)
        chart = {"title": f"Share of {who}", "told": told, "across": _games(across, games[-1]), "up": ticks}
        charts.append(chart | {"level": up(1 / groups), "line": line, "band": band})
    return charts


def _across(games: int):
    """What places a number of games in the plane."""
    return lambda game: LEFT + (WIDTH - LEFT - RIGHT) * game / games


def _up(low: float, high: float):
    """What places a height between two."""
    return lambda height: HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (height - low) / (high - low)


def _games(across, games: int) -> list[tuple[float, str]]:
    """About four round numbers of games."""
    step = 10 ** int(log10(max(games, 1)))
    step = next(size for size in (step // 5, step // 2, step, 2 * step, 5 * step) if size and games <= 4.5 * size)
    return [(across(game), f"{game:,}") for game in range(0, games + 1, step)]


def _path(points: Iterable[tuple[float, float]]) -> str:
    return "M" + " L".join(f"{right:.1f} {down:.1f}" for right, down in points if right == right and down == down)
