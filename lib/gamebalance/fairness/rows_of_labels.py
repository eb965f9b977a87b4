"""Tables with a row for each game and no seats: the winner alone, or a column for each label."""

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import partial

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.fairness.checking import ADD_DRAWS, TOLERANCE, Long, count
from gamebalance.fairness.games import Games
from gamebalance.fairness.heads import FORMS, Heads, is_draw, key, meaning, results, shortened
from gamebalance.fairness.rows_of_players import by_best, by_result
from gamebalance.fairness.seats import (
    asked_kind,
    candidates_for_seats,
    checked,
    coded,
    drawn,
    folded,
    game_name,
    refuse_byes,
    seat_names,
    taken,
)
from gamebalance.fairness.tables import Column
from gamebalance.fairness.tallies import MOST_LABELS

#: What stands between several people in a cell.
SEVERAL = re.compile(r"[,;/&+|]| and | und | et ")
TOGETHER = re.compile(r"[;/&+|]| and | und | et ")


# The winner alone


def list_of_winners(heads: Heads) -> Games:
    """A table of one column without a known head: winners, the first of whom stands in its place."""
    column = heads.table.columns[0]
    if column.name not in column.texts:
        raise heads.refusal(f"is {shown(column.name)} the name of the column, or a winner? Option winner says")
    texts = np.append(column.name, np.array([*column.texts, None], object)[column.codes])
    column = Column.of("winner", texts)
    called = np.array([*map(is_draw, column.texts), False])[column.codes]
    return of_winners(heads, column.codes, column.texts, called, heads.table.columns)


def of_winners(heads: Heads, codes: np.ndarray, texts: list[str], called: np.ndarray, used: Sequence[Column]) -> Games:
    """Games of which only the winner is known: the same labels take part in each."""
    names: dict[str, str] = {}
    won = [text for text, place in zip(texts, range(len(texts)), strict=True) if not called[codes == place].any()]
    for text in [*heads.labels, *won]:
        names.setdefault(text.casefold(), text)
    _refuse_no_winners(heads, won, names)
    empty = (codes < 0) & ~called
    if empty.any() and not heads.draws:
        raise ValueError(f"game {int(np.flatnonzero(empty)[0]) + 1}: nobody won it; {ADD_DRAWS}")
    order = {name: place for place, name in enumerate(names)}
    place = np.array([order[text.casefold()] if text in set(won) else -1 for text in texts] + [-1])[codes]
    counts = np.bincount(place + 1, minlength=len(names) + 1).tolist()
    wins: dict[Hashable, tuple[float, int]] = {
        label: (float(won), len(codes)) for label, won in zip(names.values(), counts[1:], strict=True)
    }
    more = f" and {len(names) - 6} more" if len(names) > 6 else ""
    listed = ", ".join(map(shortened, [*names.values()][:6])) + more
    unseen = "are taken to play in each; whoever never won is not seen (option labels)"
    play = "play in each" if heads.labels else unseen
    said = [f"{count(len(codes), 'game')}, of which only the winner is known: {listed} {play}"]
    said += [count(counts[0], "draw")] * (counts[0] > 0)
    counted = Games.from_counts(wins, counts[0]).counted
    return Games(counted=counted, reading=heads.told(said, used), winners=place)


def refuse_several(texts: Sequence[str]) -> None:
    """Refuse cells of several people, of whom some stand in others, too."""
    parts = [{part.strip().casefold() for part in TOGETHER.split(text)} for text in texts]
    counts = Counter(part for each in parts for part in each)
    for text, each in zip(texts, parts, strict=True):
        if len(each) > 1 and max(counts[part] for part in each) > 1:
            raise ValueError(f"{shown(text)} is several: a row for each player of each game is needed")


def _refuse_no_winners(heads: Heads, won: Sequence[str], names: dict[str, str]) -> None:
    """Refuse cells that name nobody, or several, and winners beside those who were named."""
    letters = all(len(text) == 1 for text in won)
    for text in won:
        is_none = not key(text) or text.startswith("#") or meaning(text) == "winner" or key(text).startswith("total")
        if is_none or (letters and text.casefold() in ("d", "x", "t")):
            raise ValueError(f"winner {shown(text)} may be nobody: leave this row out, or write draw for a draw")
    refuse_several([*won])
    if heads.labels and len(names) > len(heads.labels):
        other = next(text for text in names.values() if text not in heads.labels)
        raise ValueError(f"labels = {shown(heads.labels)}: {shown(other)} has won a game, and is none of them")
    if not 2 <= len(names) <= MOST_LABELS:
        one = f"{shown([*names.values()])} has won every game: option labels says who else plays"
        raise ValueError(one if len(names) < 2 else f"{len(names):,} different winners; {MOST_LABELS:,} are allowed")


# What each label has won


def by_label(heads: Heads) -> Games:
    """A column for each role, side or seat with what it won."""
    asked, columns = asked_kind(heads), candidates_for_seats(heads)
    if not asked:
        fit = [heads.kind(c) is None and all(value is not None for value in results(c)) for c in columns]
        other = [column for column, fits in zip(columns, fit, strict=True) if not fits]
        columns = [column for column, fits in zip(columns, fit, strict=True) if fits]
        if len(columns) < 2 or other:
            raise heads.refusal(f"{FORMS} is needed; options (game, winner, seat, role, side, score) name columns")
    long = _labelled(heads, columns, columns, by_result)
    long.drawn |= drawn(heads, None, set())
    if not asked:
        _refuse_doubts(heads, columns, long)
    names = ", ".join(column.name for column in columns)
    return checked(heads, long, _noun(long), f"results in columns {names}", [*columns, *heads.of("draw")])


def by_scores(heads: Heads) -> Games:
    """A score for each of several columns, of which the best wins; with their players, where as many are named."""
    scores = heads.asked["score"]
    seats = heads.asked.get(asked_kind(heads) or "", scores)
    if len(seats) != len(scores):
        raise heads.refusal(f"{len(scores)} columns of scores and {len(seats)} of seats were named: as many are needed")
    long = _labelled(heads, scores, seats, by_best)
    if seats is not scores:
        row, place = taken(heads, scores)
        texts: dict[str, int] = {}
        codes = np.column_stack([coded(column, texts) for column in seats])[row, place]
        long.labels["player"] = Column("player", codes, folded(seats))
        refuse_byes(long.labels["player"])
    best = f"{'lowest' if heads.lowest else 'highest'} of columns {', '.join(column.name for column in scores)} wins"
    return checked(heads, long, _noun(long), best, [*scores, *seats])


def _noun(long: Long) -> str:
    return next((f"{kind}s" for kind in ("seat", "role") if kind in long.labels), "sides")


def _labelled(heads: Heads, columns: Sequence[Column], named: Sequence[Column], judge) -> Long:
    """A row for each cell, with its column, or the one named for it, as its label: a seat if numbered, else a role."""
    row, place = taken(heads, columns)
    texts: dict[str, int] = {}
    codes = np.column_stack([coded(column, texts) for column in columns])[row, place]
    seats, kind = seat_names(named), asked_kind(heads)
    kind = "seat" if kind == "player" else kind or ("seat" if seats else "role")
    labels = {kind: Column(kind, place, seats or [column.name for column in named])}
    long = Long(row, partial(game_name, heads), np.zeros(len(row)), labels, np.zeros(heads.table.rows, bool))
    judge(long, Column("won", codes, [*texts], any(column.comma for column in columns)), heads)
    if kind == "role" and (np.bincount(row, long.won) <= 1 + TOLERANCE).all():
        long.labels = {"side": labels["role"], **labels}
    return long


def _refuse_doubts(heads: Heads, columns: Sequence[Column], long: Long) -> None:
    """Refuse columns of 0 and 1 that need not be of those who win."""
    named = shown([column.name for column in columns])
    total = np.bincount(long.game, long.won)
    if (total > 1 + TOLERANCE).any():
        game = long.called(int(np.flatnonzero(total > 1 + TOLERANCE)[0]))
        raise heads.refusal(f"{game}: several of {named} have won it: which of them play? Option role or side says")
    never = [c.name for c in columns if not any(results(c))]
    if len(columns) > 2 and never and seat_names(columns) is None:
        raise heads.refusal(f"{shown(never[0])} never won: which of {named} play? Option role or side says")
