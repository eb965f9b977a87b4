"""What `tune` found in words, as a table, as a page and as a figure."""

import json
from collections.abc import Iterator
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import pandas as pd

from gamebalance.base.rounding import meant
from gamebalance.fairness import wording
from gamebalance.fairness.page import page
from gamebalance.fairness.reports.playing import all_play
from gamebalance.fairness.tuning.evaluation import AS_GIVEN
from gamebalance.fairness.tuning.knobs import plain

if TYPE_CHECKING:
    from gamebalance.fairness.plots import Axes

#: Rows of the table in words and on a page.
MOST_ROWS = 40


def sentences(tuning: Any) -> Iterator[str]:
    """What was found, the most important first."""
    fair, rows, words = [row for row in tuning.rows if row.verdict == "fair"], tuning.rows, tuning.question
    margin = wording.points(words.margin) if words.measure is None else f"{words.margin:g}"
    within = f"within {margin} of even" if words.measure is None else f"at most {margin} by the measure"
    within += ", keeping what must stay" * bool(words.keep)
    if not fair:
        near = min(rows, key=lambda row: row.unevenness)
        if tuning.verdict == "unfair":
            yield f"None of the {_count(tuning.grid.count, 'setting')} makes {tuning.name} fair ({within})."
        else:
            yield f"Cannot tell: no setting was shown to make {tuning.name} fair ({within}){_more(tuning)}."
        yield f"The nearest to even is {near.setting.words}: {_seen(tuning, near)}."
    else:
        first = fair[0]
        smaller = [row for row in rows if row.setting.size < first.setting.size]
        open_ = [row for row in smaller if row.verdict == "undecided"]
        if first.setting.places == tuning.grid.today.places:
            yield f"{tuning.name} is fair as it is ({within}): {_seen(tuning, first)}."
        elif open_:
            yield (
                f"Cannot tell: {first.setting.words} makes {tuning.name} fair ({within}), but so may "
                f"{open_[0].setting.words}, which changes less{_more(tuning)}."
            )
        else:
            yield (
                f"The smallest change that makes {tuning.name} fair ({within}): {first.setting.words} "
                f"({tuning.grid.sized(first.setting.size)}). Then {_seen(tuning, first)}."
            )
            was = "solved exactly" if tuning.exact else "dropped after games were played"
            yield f"Nothing smaller does: {_all(len(smaller), 'smaller setting')} {was}."
        if others := [row.setting.words for row in fair[1:] if row.setting.size == first.setting.size]:
            yield f"As small, and fair too: {'; '.join(others[:5])}{', and others' * (len(others) > 5)}."
        unsure = [row for row in rows if row.verdict == "undecided" and row.setting.size == first.setting.size]
        if unsure:
            yield f"Of {_count(len(unsure), 'setting')} as small it cannot be told: {unsure[0].setting.words}."
        if all(look.verdict == "fair" for look in first.looks) and len(first.looks) > 1:
            yield f"It holds under each of these ways to play: {', '.join(tuning.ways)}."
    yield from _alone(tuning, fair[0].setting.size if fair else None)
    yield from _besides(tuning, fair[0].setting.size if fair else None)
    if tuning.exact:
        yield f"All {_count(len(rows), 'setting')} that {'was' if len(rows) == 1 else 'were'} looked at are exact."
    else:
        yield (
            f"From {tuning.games:,} games of {_count(len(rows), 'setting')}. What is called fair is so, and what is "
            f"said of smaller changes holds, in at least {100 * tuning.level:g} of 100 such searches."
        )


def _besides(tuning: Any, size: Any) -> Iterator[str]:
    """What else a reader must know: what does not stay as it must, other equilibria, what was not looked at."""
    smaller = [row for row in tuning.rows if size is None or row.setting.size < size]
    if broken := [row.setting.words for row in smaller if row.verdict == "not kept"]:
        yield f"{_capital(broken[0])} does not keep what must stay{_others(broken)}."
    several = [row.setting.words for row in smaller if any(look.verdict == "depends" for look in row.looks)]
    if several:
        found = "in some of the equilibria that were found, and not in all"
        yield f"{_capital(several[0])} is fair {found}{_others(several)}."
    yield from tuning.notes


def _others(words: list[str]) -> str:
    return f"; so with {len(words) - 1:,} more" if len(words) > 1 else ""


def _alone(tuning: Any, size: Any) -> Iterator[str]:
    """Smaller changes that are fair under one of several ways to play only."""
    for way in tuning.ways if len(tuning.ways) > 1 else ():
        for row in tuning.rows:
            if size is not None and not row.setting.size < size:
                break
            fair = {look.way for look in row.looks if look.verdict in ("fair", "not kept")}
            if way in fair and len(fair) < len(row.looks):
                but = "not" if tuning.exact else "not shown to be so"
                yield f"Fair if all {all_play(way)}, but {but} under all other play: {row.setting.words}."
                break


def _count(many: int, what: str) -> str:
    return f"{many:,} {what}{'s' * (many != 1)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _all(many: int, what: str) -> str:
    return f"the only {what} was" if many == 1 else f"all {many:,} {what}s were"


def _more(tuning: Any) -> str:
    return f"; about {tuning.more:,} games more would tell" if tuning.more else ""


def _seen(tuning: Any, row: Any) -> str:
    """Who is farthest from even under each way to play, in words."""
    if tuning.question.measure is not None:
        ways = {look.way: f" if all {all_play(look.way)}" * (look.way != AS_GIVEN) for look in row.looks}
        return "the measure is " + ", ".join(f"{look.unevenness:.4g}{ways[look.way]}" for look in row.looks)
    if not any(look.even for look in row.looks):
        return "nobody ever wins"
    said = []
    for look in row.looks:
        share, who = dict(look.chances)[look.who], wording.named(tuning.question.by, look.who)
        under = "" if look.way == AS_GIVEN else f" if all {all_play(look.way)}"
        said.append(f"{who} wins {wording.percent(share)}%{under}")
    evens = dict.fromkeys(f"{wording.percent(look.even)}%" for look in row.looks)
    return f"{', '.join(said)} (even: {', '.join(evens)})"


def frame(tuning: Any) -> pd.DataFrame:
    """A row for each setting that was looked at, the smallest change first."""
    rows = []
    scale = 100 if tuning.question.measure is None else 1
    unit = ", pp" if tuning.question.measure is None else ""
    for row in tuning.rows:
        cells: dict[str, Any] = {"change": row.setting.words, **row.setting.values}
        if tuning.grid.costs is None:
            cells |= dict(zip(("changed", "steps"), map(int, row.setting.size), strict=True))
        else:
            cells["cost"] = row.setting.size[0]
        cells["verdict"] = row.verdict
        for look in row.looks:
            cells |= {f"unevenness{unit} ({look.way})": scale * look.unevenness}
            if not tuning.exact:
                cells |= {f"± ({look.way})": scale * look.error}
            cells |= {
                f"{wording.named(tuning.question.by, label)}, % ({look.way})": 100 * chance
                for label, chance in look.chances
            }
            cells |= {f"{name} ({look.way})": value for name, (value, _) in look.kept.items()}
        rows.append(cells)
    return meant(pd.DataFrame(rows))


def shown_rows(tuning: Any) -> pd.DataFrame:
    """The table as it is shown: what is changed, how much, how uneven it leaves the game, and the verdict."""
    table = []
    for row in [row for row in tuning.rows if row.looks][:MOST_ROWS]:
        cells = {"change": row.setting.words, "size": tuning.grid.sized(row.setting.size)}
        for look in row.looks:
            if tuning.question.measure is None:
                told = f"{100 * look.unevenness:.1f}" + f" ± {100 * look.error:.1f}" * (not tuning.exact)
                cells[f"{look.way}: pp from even"] = f"{told} ({wording.named(tuning.question.by, look.who)})"
            else:
                cells[f"{look.way}: measure"] = f"{look.unevenness:.4g}"
            cells |= {f"{look.way}: {name}": f"{value:.3g}" for name, (value, _) in look.kept.items()}
        table.append(cells | {"verdict": row.verdict})
    return pd.DataFrame(table).fillna("–")


def text(tuning: Any) -> str:
    """The sentences, and the table."""
    table = shown_rows(tuning)
    rows = [list(table.columns), *table.astype(str).to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if place < 2 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    more = len(tuning.rows) - len(table)
    rest = [f"… and {more:,} more settings, in --format csv"] if more else []
    return "\n".join([*(line for sentence in tuning.sentences for line in wrap(sentence, 100)), "", *lines, *rest])


def as_json(tuning: Any) -> str:
    """All of it as JSON."""
    record = {
        "name": tuning.name,
        "verdict": tuning.verdict,
        "change": None if tuning.change is None else dict(tuning.change),
        "changes": tuning.changes,
        "sentences": tuning.sentences,
        "by": tuning.question.by,
        "ways": tuning.ways,
        "margin": tuning.question.margin,
        "exact": tuning.exact,
        "games": tuning.games,
        "more games": tuning.more,
        "settings of the grid": tuning.grid.count,
        "settings": [
            {
                "change": row.setting.words,
                "values": dict(row.setting.values),
                "size": row.setting.size,
                "verdict": row.verdict,
                "ways": [look._asdict() for look in row.looks],
            }
            for row in tuning.rows
        ],
    }
    return json.dumps(record, indent=1, ensure_ascii=False, default=plain)


def draw(tuning: Any, ax: "Axes | None" = None) -> "Axes":
    """Draw how uneven each setting leaves the game by how much it changes, and the front: the least by size.

    On `ax`, by default on a new figure of matplotlib's, which must be installed (extra `lab`).
    """
    from gamebalance.fairness import plots

    axes = plots.new_axes(ax)
    points, sizes, margin = _points(tuning)
    for verdict, look in LOOKS.items():
        own = [(place, height) for place, height, row in points if row.verdict == verdict]
        if own:
            axes.plot(*zip(*own, strict=True), linestyle="none", label=verdict, markersize=7, **look)
    places, least = zip(*_stairs(points), strict=True)
    axes.plot(places, least, drawstyle="steps-post", color=plots.INK, linewidth=1, label="the least by size", zorder=1)
    axes.axhspan(0, margin, color=plots.PALE, zorder=0, label="within the margin")
    axes.set_xticks(range(len(sizes)), ["\n".join(f"{part:g}" for part in size) for size in sizes])
    axes.set_xlabel("arguments changed, and steps" if tuning.grid.costs is None else "cost of the change")
    pp = tuning.question.measure is None
    axes.set_ylabel("largest distance from even, percentage points" if pp else "measure", parse_math=False)
    axes.set_title(f"{tuning.name}: size of the change, and what it leaves", loc="left", parse_math=False)
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return axes


#: How settings are drawn, by their verdict.
LOOKS: dict[str, dict[str, Any]] = {
    "fair": {"marker": "o", "color": "#0072b2"},
    "unfair": {"marker": "X", "color": "#d55e00"},
    "depends": {"marker": "D", "color": "#8a6d00"},
    "not kept": {"marker": "s", "color": "#a64d8a"},
    "undecided": {"marker": "o", "color": "#5a5a5a", "fillstyle": "none"},
}


def _points(tuning: Any) -> tuple[list[tuple[float, float, Any]], list, float]:
    """Place by size, unevenness under the worst way to play and row of each setting; the sizes; and the margin."""
    scale = 100 if tuning.question.measure is None else 1
    rows = [row for row in tuning.rows if row.looks]
    sizes = list(dict.fromkeys(row.setting.size for row in rows))
    points = []
    for place, size in enumerate(sizes):
        own = [row for row in rows if row.setting.size == size]
        aside = 0.6 / max(len(own), 2)
        points += [
            (place + aside * (number - (len(own) - 1) / 2), scale * row.unevenness, row)
            for number, row in enumerate(own)
        ]
    return points, sizes, scale * tuning.question.margin


def _stairs(points: list[tuple[float, float, Any]]) -> list[tuple[float, float]]:
    """The least unevenness of all settings that change no more."""
    stairs: list[tuple[float, float]] = []
    for place in sorted({round(place) for place, *_ in points}):
        least = min(height for where, height, _ in points if round(where) <= place)
        stairs.append((place - 0.4, least))
    return [*stairs, (stairs[-1][0] + 0.8, stairs[-1][1])]


def html(tuning: Any) -> str:
    """All of it as a page of its own, without scripts and without anything to be loaded."""
    points, sizes, margin = _points(tuning)
    wide, high, left, down = max(320, 60 + 70 * len(sizes)), 220, 44, 180
    top = max([margin, *(height for _, height, _ in points)]) * 1.1 or 1.0

    def across(place: float) -> float:
        return round(left + (wide - left - 10) * (place + 0.5) / len(sizes), 1)

    def up(height: float) -> float:
        return round(down - (down - 10) * height / top, 1)

    marks = [(across(place), up(height), LOOKS[row.verdict]["color"], row) for place, height, row in points]
    stairs = _stairs(points)
    line = " ".join(
        f"{'L' if place else 'M'}{across(here)} {up(height)}" + (f" L{across(stairs[place + 1][0])} {up(height)}")
        for place, (here, height) in enumerate(stairs[:-1])
    )
    ticks = [(up(part * top / 4), f"{part * top / 4:.2g}") for part in range(5)]
    return page(
        "tuning/page.html",
        tuning=tuning,
        table=shown_rows(tuning),
        chart={"wide": wide, "high": high, "left": left, "down": down, "margin": up(margin)},
        marks=marks,
        line=line,
        ticks=ticks,
        sizes=[(across(place), escape(tuning.grid.sized(size))) for place, size in enumerate(sizes)],
        looks={name: look["color"] for name, look in LOOKS.items() if any(row.verdict == name for row in tuning.rows)},
    )
