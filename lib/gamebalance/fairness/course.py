"""A monitor's course as a page that stands alone: evidence, shares and intervals over the games, drawn as SVG."""

from collections.abc import Iterable
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gamebalance.fairness import wording

if TYPE_CHECKING:
    import pandas

_PAGE = Path(__file__).with_name("course.html")
#: The plane of a chart and the place of its axes, as wide as a phone shows it.
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 340, 190, 44, 18, 10, 34


class Chart(NamedTuple):
    """A chart, drawn: what it shows, in words; ticks and lines in its own coordinates; and paths."""

    title: str
    told: str
    across: list[tuple[float, str]]
    up: list[tuple[float, str]]
    level: float
    line: str
    band: str


def html(monitor: Any) -> str:
    """The verdict, charts and a table, as one page without scripts and without anything to be loaded."""
    from jinja2 import Environment

    template = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
        _PAGE.read_text(encoding="utf-8")
    )
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
    return template.render(monitor=monitor, heading=heading, charts=charts, rows=rows, **place)


def _evidence(frame: "pandas.DataFrame", level: float) -> Chart:
    """The evidence in powers of ten, to as many as it needs and six at most beyond the bound."""
    by_game = frame.groupby("game")["evidence"].first()
    bound = 1 / level
    heights = [min(max(log10(max(value, 1e-300)), -3), log10(bound) + 6) for value in by_game]
    low, high = min(-1, *heights), max(log10(bound) + 0.3, *heights)
    games = int(by_game.index[-1])
    across, up = _across(games), _up(low, high)
    ticks = [(up(power), f"{10.0**power:,g}") for power in range(int(low // 1 + 1), int(high) + 1)]
    told = f"From 1 to {by_game.iloc[-1]:.3g} after {wording.games(games)}; it decides at {bound:.4g}."
    line = _path(zip(map(across, by_game.index), map(up, heights), strict=True))
    return Chart("Evidence against equal chances", told, _games(across, games), ticks, up(log10(bound)), line, "")


def _shares(frame: "pandas.DataFrame", groups: int) -> list[Chart]:
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
        charts.append(Chart(f"Share of {who}", told, _games(across, games[-1]), ticks, up(1 / groups), line, band))
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
