"""What all tables with a row for each game have in common; and those without seats: winners alone, or labels."""

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.fairness import checking
from gamebalance.fairness.checking import KINDS, RESERVED, TOLERANCE, Long
from gamebalance.fairness.games import MOST_LABELS, Games
from gamebalance.fairness.tables import Column, Heads, first, is_draw, key, meaning, of_game, results, shortened, words

FORMS = (
    "a row for each player of each game with its result; a row for each game with its players by seat and its winner; "
    "or the winners alone"
)
#: Kinds of columns that are no seats, whatever stands in them.
NO_SEATS = ("game", "won", "winner", "loser", "score", "rank", "draw", "when", "unused")
#: What stands between several people in a cell.
SEVERAL = re.compile(r"[,;/&+|]| and | und | et ")
TOGETHER = re.compile(r"[;/&+|]| and | und | et ")


# Columns that may be seats


def asked_kind(heads: Heads) -> str | None:
    """The kind of which several columns were asked for."""
    return next((kind for kind in KINDS if len(heads.asked.get(kind, ())) > 1), None)


def candidates_for_seats(heads: Heads, but: Column | None = None) -> list[Column]:
    """Columns that may be seats: those asked for, else all whose heads are not known to be something else."""
    if (kind := asked_kind(heads)) is not None:
        return heads.asked[kind]
    taken = [but, *(column for name in ("game", "winner", "score") for column in heads.asked.get(name, ()))]
    return [
        column for column in heads.columns
        if column not in taken and column.texts and heads.kind(column) not in NO_SEATS
        and not column.name.startswith("(column ")
    ]  # fmt: skip


def numbered(columns: Iterable[Column]) -> dict[str, dict[int, Column]]:
    """Columns whose heads differ in a number, or a letter, at their end alone, by what stands before it."""
    groups: dict[str, dict[int, Column]] = {}
    for column in columns:
        if found := re.fullmatch(r"(.*?)(\d{1,3})", key(column.name)):
            groups.setdefault(found[1], {}).setdefault(int(found[2]), column)
        elif found := re.fullmatch(r"(.+)[ _-]([A-Ha-h])", column.name):
            groups.setdefault(key(found[1]), {}).setdefault("abcdefgh".index(found[2].lower()) + 1, column)
    return {stem: dict(sorted(group.items())) for stem, group in groups.items() if len(group) > 1}


def seats_by_number(columns: Iterable[Column]) -> list[dict[int, Column]]:
    """Numbered columns that may be seats: with names, if only some groups have them; called seats, if several are."""
    groups, called = numbered(columns), {key(word) for word in words()["seats"]}
    found = [
        (stem, group)
        for stem, group in groups.items()
        if not all(one.is_numeric or None not in map(of_game, one.texts) for one in group.values())
    ]
    found = found or [(stem, group) for stem, group in groups.items() if stem in called]
    called_so = [(stem, group) for stem, group in found if stem in called]
    return [group for _, group in (called_so if len(found) > 1 and called_so else found)]


def family(columns: Iterable[Column]) -> list[list[Column]]:
    """Columns whose heads belong together, such as White and Black."""
    by_key = {key(column.name): column for column in columns}
    groups = [[by_key[key(word)] for word in known if key(word) in by_key] for known in words()["families"]]
    return [group for group in groups if len(group) > 1]


def seat_names(columns: Sequence[Column]) -> list[str] | None:
    """The numbers of columns whose heads differ in these alone."""
    for group in numbered(columns).values():
        if len(group) == len(columns) and all(column.name[-1].isdigit() for column in columns):
            return [str(next(place for place, one in group.items() if one is column)) for column in columns]
    return None


# Rows, and who stands in them


def game_name(heads: Heads, row: int) -> str:
    """What a game is called: by the column of games that are all different, else by the number of the row."""
    column = next((column for column in heads.of("game") if not column.is_repeated), None)
    return (None if column is None else column.cell(row)) or str(row + 1)


def refusal_of_game(heads: Heads, wrong: np.ndarray, what: str) -> ValueError:
    """For the first game that is wrong."""
    return ValueError(f"game {game_name(heads, first(wrong))}: {what}")


def drawn(heads: Heads, winner: Column, names: set[str]) -> np.ndarray:
    """Which games are called draws: in the winner's place, where that is nobody's name, or in a column of draws."""
    called = checking.called_draws(heads)
    draws = winner.each([is_draw(text) and text.casefold() not in names for text in winner.texts], False)
    both = called & ~winner.is_empty & ~draws
    if both.any():
        raise refusal_of_game(heads, both, "it has a winner, and is called a draw")
    return called | draws


def taken(heads: Heads, columns: Sequence[Column]) -> tuple[np.ndarray, np.ndarray]:
    """The rows and the columns of all cells that are not empty, row by row; none without any."""
    there = ~np.column_stack([column.is_empty for column in columns])
    empty = np.logical_not(there.any(axis=1))
    if empty.any():
        raise refusal_of_game(heads, empty, "its row is empty")
    row, place = np.nonzero(there)
    return row, place


def coded(column: Column, places: dict[str, int]) -> np.ndarray:
    """The place of each row's text, its letters in any case, among those of several columns; -1 where it is empty."""
    return column.each([places.setdefault(text.casefold(), len(places)) for text in column.texts], -1)


def people(columns: Sequence[Column], row: np.ndarray, place: np.ndarray) -> Column:
    """Who stands in these cells; names that differ in the case of their letters are one, as it stands there first."""
    places: dict[str, int] = {}
    codes = np.column_stack([coded(column, places) for column in columns])
    names: dict[str, str] = {}
    for column in columns:
        for text in column.texts:
            names.setdefault(text.casefold(), text)
    return Column("player", codes[row, place], [*names.values()])


def refuse_byes(players: Column) -> None:
    """Refuse a game against nobody."""
    for text in players.texts:
        if key(text) in ("bye", "freilos"):
            raise ValueError(f"{shown(text)} is nobody to play against: leave these rows out")


def long_of(heads: Heads, row: np.ndarray, labels: dict[str, Column]) -> Long:
    """The rows of players of a table with a row for each game."""
    return Long(row, heads.rows, lambda game: game_name(heads, game), labels)


def seated(
    heads: Heads, columns: list[Column], won: np.ndarray, draws: np.ndarray, how: str, used: list[Column], persons: bool
) -> Games:
    """Games of people who sit in columns, if the cells are persons.

    `won`, shape (rows, seats), is what each seat won, `draws` which games are called so; `how` it is known who won, and
    `used` from which columns besides those of the seats.
    """
    row, seat = taken(heads, columns)
    labels = {asked_kind(heads) or "seat": Column("seat", seat, seat_names(columns) or [c.name for c in columns])}
    if persons:
        labels["player"] = people(columns, row, seat)
        refuse_byes(labels["player"])
    long = long_of(heads, row, labels)
    long.won, long.drawn = won[row, seat], draws
    return checked(heads, long, "seats", how, [*used, *columns])


def checked(heads: Heads, long: Long, noun: str, how: str, used: Sequence[Column]) -> Games:
    """The games, with all other columns beside them, and what was read."""
    rows, faults = long.checked(heads.draws)
    used = [*used, *[column for column in heads.of("game") if not column.is_repeated][:1]]
    for other in heads.columns:
        if other.name not in RESERVED and other not in used:
            rows[other.name] = other.values[long.game]
    return Games(rows, reading=heads.reading(checking.summary(long, noun, how), used), faults=faults)


# The winner alone


def list_of_winners(heads: Heads) -> Games:
    """A table of one column without a known head: winners, the first of whom stands in its place."""
    column = heads.columns[0]
    if column.name not in column.texts:
        raise heads.refusal(f"is {shown(column.name)} the name of the column, or a winner? Option winner says")
    column = Column.of("winner", np.append(column.name, np.array([*column.texts, None], object)[column.codes]))
    return of_winners(heads, column, column.each(map(is_draw, column.texts), False), heads.columns)


def of_winners(heads: Heads, winner: Column, called: np.ndarray, used: Sequence[Column]) -> Games:
    """Games of which only the winner is known: the same labels take part in each."""
    codes = winner.codes
    names: dict[str, str] = {}
    won = [text for place, text in enumerate(winner.texts) if not called[codes == place].any()]
    for text in [*heads.labels, *won]:
        names.setdefault(text.casefold(), text)
    _refuse_no_winners(heads, won, names)
    empty = (codes < 0) & ~called
    if empty.any() and not heads.draws:
        raise ValueError(f"game {first(empty) + 1}: nobody won it; {checking.ADD_DRAWS}")
    order = {name: place for place, name in enumerate(names)}
    place = winner.each([order[text.casefold()] if text in set(won) else -1 for text in winner.texts], -1)
    draws, *wins = np.bincount(place + 1, minlength=len(names) + 1).tolist()
    counts: dict[Hashable, tuple[float, int]] = {
        label: (float(count), len(codes)) for label, count in zip(names.values(), wins, strict=True)
    }
    unseen = "are taken to play in each; whoever never won is not seen (option labels)"
    who = f"{shortened(names.values())} {'play in each' if heads.labels else unseen}"
    parts = [f"{checking.counted(len(codes), 'game')}, of which only the winner is known: {who}"]
    parts += [checking.counted(draws, "draw")] * (draws > 0)
    tally = Games.from_counts(counts, draws).counted
    return Games(counted=tally, reading=heads.reading(parts, used), winners=place)


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
    refuse_several(won)
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
        candidates = columns
        columns = [column for column in columns if heads.kind(column) is None and None not in results(column)]
        if len(columns) < 2 or len(columns) < len(candidates):
            raise heads.refusal(f"{FORMS} is needed; options (game, winner, seat, role, side, score) name columns")
    long = _labelled(heads, columns, columns, checking.by_result)
    long.drawn |= checking.called_draws(heads)
    if not asked:
        _refuse_doubts(heads, columns, long)
    how = f"results in columns {', '.join(column.name for column in columns)}"
    return checked(heads, long, _noun(long), how, [*columns, *heads.of("draw")])


def by_scores(heads: Heads) -> Games:
    """A score for each of several columns, of which the best wins; with their players, where as many are named."""
    scores = heads.asked["score"]
    seats = heads.asked.get(asked_kind(heads) or "", scores)
    if len(seats) != len(scores):
        raise heads.refusal(f"{len(scores)} columns of scores and {len(seats)} of seats were named: as many are needed")
    long = _labelled(heads, scores, seats, checking.by_best)
    if seats is not scores:
        long.labels["player"] = people(seats, *taken(heads, scores))
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
    label = Column(kind, place, seats or [column.name for column in named])
    long = long_of(heads, row, {kind: label})
    judge(long, Column("won", codes, [*texts], any(column.comma for column in columns)), heads)
    if kind == "role" and (long.total(long.won) <= 1 + TOLERANCE).all():
        long.labels = {"side": label, "role": label}
    return long


def _refuse_doubts(heads: Heads, columns: Sequence[Column], long: Long) -> None:
    """Refuse columns of 0 and 1 that need not be of those who win."""
    named = shown([column.name for column in columns])
    several = long.total(long.won) > 1 + TOLERANCE
    if several.any():
        game = long.called(first(several))
        raise heads.refusal(f"{game}: several of {named} have won it: which of them play? Option role or side says")
    never = [column.name for column in columns if not any(results(column))]
    if len(columns) > 2 and never and seat_names(columns) is None:
        raise heads.refusal(f"{shown(never[0])} never won: which of {named} play? Option role or side says")
