"""Reading results of games: which columns are results, which are labels, which are not used.

Heads and words of results are known in several languages (``words.json``, which the page reads, too); an option names a
column whatever its head. Where a table can be read in two ways it is refused with the question that it asks, and with
the option that answers it. Everything is checked here, once: in `Games` somebody won each game, or that nobody did was
said.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from gamebalance.base.checks import flag, listed, shown
from gamebalance.fairness import checking
from gamebalance.fairness.checking import KINDS, MARKS, RESERVED, Long
from gamebalance.fairness.games import Games
from gamebalance.fairness.rows_of_games import of_games
from gamebalance.fairness.tables import Column, Heads, cleaned, first, is_draw, meaning, of_game, results

#: The options that name columns.
NAMED = ("game", "winner", *KINDS, "score")


def read_games(
    source,
    draws: bool = False,
    *,
    game: str | Iterable[str] | None = None,
    winner: str | None = None,
    seat: str | Iterable[str] | None = None,
    player: str | Iterable[str] | None = None,
    role: str | Iterable[str] | None = None,
    side: str | Iterable[str] | None = None,
    score: str | Iterable[str] | None = None,
    labels: Iterable[str] = (),
    lowest: bool = False,
) -> Games:
    """Results of games that were played.

    Parameters
    ----------
    source : path, open file, DataFrame or Games
        A table with a line of names: text (UTF-8, UTF-16 or Windows-1252; commas, semicolons or tabs; a decimal comma
        beside semicolons), the first sheet of an Excel file (.xlsx, with the extra "xlsx"), or a frame. See the notes.
    draws : bool
        Whether a game that nobody won, or that everybody has an equal share of, is a draw and not a mistake. A game
        that is called a draw in words is one in any case.
    game, winner, seat, player, role, side, score : str or list of str, optional
        Heads of columns, where the table does not say what they are. `game`: what was one game, several columns taken
        together; `winner`: who won, or what each player's result was; `seat`, `player`, `role`, `side`: labels of
        players, or, where several are named, the columns of a row for each game; `score`: what decides who won.
    labels : list of str
        Who takes part in each game, where only the winner is known.
    lowest : bool
        Whether the lowest score wins.

    Returns
    -------
    Games
        Its `reading` says in a line what was read.

    Raises
    ------
    ValueError
        In one line: what is wrong with the table, and where; or what it does not say, and which option would.

    Notes
    -----
    A row for each player of each game
        A column that says what was one game, and one with each player's result: 0 and 1, a share of the win, in percent
        or in words (won, lost, draw, yes, no); else the winner's name; else a rank, or a score, of which the best wins
        and equal ones share. At least one column of side, role, seat, player.
    A row for each game, with its winner
        Seats are the columns that the winner column names, by their heads, by their numbers, or by somebody who sits in
        them, and their fellows: heads that differ in a number, known sets such as White and Black, or columns in which
        the same persons occur. An empty place is one that nobody took.
    A row for each game, in other forms
        White, Black and a result such as 1-0 or ½-½; winner and loser; a column for each role, side or seat with what
        it won; the winner alone, one a line or in a column.

    Columns of results come before columns of ranks, and these before scores. All others are not used, but can be asked
    for by name, if they hold numbers. A column of draws says which games were drawn. The cells NA, None and null are
    names. Labels that differ in their accents' encoding or in blanks are the same.
    """
    if isinstance(source, Games):
        return source
    draws, lowest = flag("draws", draws), flag("lowest", lowest)
    given = dict(zip(NAMED, (game, winner, side, role, seat, player, score), strict=True))
    asked = {
        name: [value] if isinstance(value, str | int) else listed(name, value)
        for name, value in given.items()
        if value is not None
    }
    heads = Heads(source, asked, draws, lowest, [cleaned(str(label)) for label in listed("labels", labels)])
    if heads.labels and len(set(heads.labels)) < len(heads.labels):
        raise ValueError(f"labels = {shown(heads.labels)}: different ones are needed")
    return _of_players(heads) or of_games(heads)


# A row for each player of each game


def _of_players(heads: Heads) -> Games | None:
    """The games of a table with a row for each player; None if it is of another form."""
    game = _game(heads)
    column, way = _result(heads, game)
    if column is None or _is_of_games(heads, column, way, game):
        return None
    if way == "winner" and not any(heads.one(kind) for kind in (*KINDS, "place")):
        return None
    if game is None:
        raise heads.refusal("a column that says what was one game is needed; option game names it")
    labels = _labels(heads, column)
    if "game" not in heads.asked:
        _refuse_several_games(heads, game, [column, *labels.values()])
    number, starts = _numbers(game, heads)
    long = Long(
        number, len(starts), lambda place: " ".join(part.texts[part.codes[starts[place]]] for part in game), labels
    )
    {"result": checking.by_result, "winner": _by_winner, "best": checking.by_best}[way](long, column, heads)
    how = f"{way} in column {column.name}"
    if way == "best":
        how = f"{'lowest' if checking.lowest_wins(heads, column) else 'highest'} {column.name} wins"
    long.drawn |= long.total(checking.called_draws(heads)) > 0
    _refuse_ranks_as_seats(long, heads)
    rows, faults = long.checked(heads.draws)
    used = [*game, column, *labels.values(), *heads.of("draw")]
    order = np.argsort(long.game, kind="stable")
    for place, other in enumerate(heads.columns):
        if other not in used and other.name not in RESERVED:
            frame = heads.frame  # what may be asked for by name is as it stood in a frame
            values = other.values if frame is None else frame.iloc[:, place].to_numpy()
            rows["points" if other.name.lower() == "points" else other.name] = values[order]
    noun = "players" if {"seat", "player", "role"} & set(labels) else "sides"
    parts = checking.summary(long, noun, how)
    parts += [f"column {labels[kind].name} cannot be judged by ({fault})" for kind, fault in faults.items()]
    return Games(rows, reading=heads.reading(parts, used), faults=faults)


def _game(heads: Heads) -> list[Column] | None:
    """The columns that say what was one game: those asked for, or the first known one in which games have rows."""
    if "game" in heads.asked:
        return heads.asked["game"]
    known = sorted((column for column in heads.of("game") if column.is_repeated), key=lambda one: len(one.texts) < 2)
    return known[:1] or None


def _result(heads: Heads, game: list[Column] | None) -> tuple[Column | None, str]:
    """The column that says who won, and in which way: a result for each row, the winner's name, or the best number."""
    if "score" in heads.asked:
        return (heads.asked["score"][0], "best") if len(heads.asked["score"]) == 1 else (None, "")
    named = [column for column in [*heads.of("won"), *heads.of("winner")] if column.texts]
    for column in named:
        is_one = [value is not None for value in results(column)]
        whole = all(is_one) or set(column.texts) <= MARKS
        if whole or ((any(is_one) or column.is_numeric) and game is not None and meaning(column.name) == "won"):
            return column, "result"
    if named:
        return next((column for column in named if column in heads.of("winner")), named[0]), "winner"
    return heads.one("rank") or heads.one("score"), "best"


def _is_of_games(heads: Heads, column: Column, way: str, game: list[Column] | None) -> bool:
    """Whether the table has a row for each game after all."""
    if any(of_game(text) is not None for text in column.texts) or heads.one("loser") or heads.one("opponent"):
        return True
    if way == "result" and meaning(column.name) == "won":
        return False
    return game is None or len(_numbers(game, heads)[1]) == heads.rows


def _labels(heads: Heads, result: Column) -> dict[str, Column]:
    """What players can be told apart by."""
    labels = {kind: column for kind in KINDS if (column := heads.one(kind)) is not None and column is not result}
    place = heads.one("place")
    if place is not None and "seat" not in labels and place is not result and "score" not in heads.asked:
        labels["seat"] = place
    if not labels:
        raise heads.refusal("at least one of side, role, seat, player is needed; options of these names say which")
    return labels


def _numbers(game: list[Column], heads: Heads) -> tuple[np.ndarray, np.ndarray]:
    """The number of the game of each row, as they first appear, and the first row of each."""
    together = np.zeros(heads.rows, np.int64)
    for column in game:
        if column.is_empty.any():
            raise ValueError(f"row {first(column.is_empty) + 1}: its {column.name} is empty")
        together = together * len(column.texts) + column.codes
    codes, _ = pd.factorize(together)
    return codes, np.unique(codes, return_index=True)[1]


def _refuse_several_games(heads: Heads, game: list[Column], used: list[Column]) -> None:
    """Refuse games that go on in another round, on another day or in another match: they are several."""
    for other in [*heads.of("when"), *heads.of("game")]:
        if other in [*game, *used]:
            continue
        number, starts = _numbers(game, heads)
        varies = (other.codes != other.codes[starts][number]) & ~other.is_empty
        if varies.any():
            row = first(varies)
            names = ",".join(column.name for column in (other, *game))
            raise heads.refusal(
                f"{game[0].name} {shown(game[0].cell(row))} goes on in another {other.name} (row {row + 1}): what was "
                f"one game? Option game names one column, or several together, such as {names}"
            )


def _by_winner(long: Long, column: Column, heads: Heads) -> None:
    """The winner's name beside each player: a label of some kind that is there in each game."""
    if column.is_empty.any():
        raise ValueError(f"{long.at(first(column.is_empty))}: its {column.name} is empty")
    names = {text.casefold() for label in long.labels.values() for text in label.texts}
    draw = column.each([is_draw(text) and text.casefold() not in names for text in column.texts], False)
    starts = np.unique(long.game, return_index=True)[1]
    other = column.codes != column.codes[starts][long.game]
    if other.any():
        raise ValueError(f"{long.at(first(other))}: its {column.name} is another than above")
    for label in [long.labels[kind] for kind in ("player", "seat", "role", "side") if kind in long.labels]:
        places = {text.casefold(): place for place, text in enumerate(label.texts)}
        wanted = column.each([places.get(text.casefold(), -2) for text in column.texts], -2)
        won = (label.codes == wanted).astype(float)
        if ((long.total(won) > 0) | draw[starts]).all():
            long.won, long.drawn = won, long.total(draw) > 0
            return
    row = first(~draw)
    raise ValueError(f"{long.at(row)}: its winner {shown(column.cell(row))} is no label of each of its games")


def _refuse_ranks_as_seats(long: Long, heads: Heads) -> None:
    """A column `place` that is 1 just where somebody won says how they finished, and not where they sat."""
    place = long.labels.get("seat")
    if place is None or place is not heads.one("place"):
        return
    won, places = long.won > 0, place.each(place.numbers, np.nan)
    lowest, highest = np.full((2, long.games), np.inf), np.full((2, long.games), -np.inf)
    np.minimum.at(lowest, (won.astype(int), long.game), places)
    np.maximum.at(highest, (won.astype(int), long.game), places)
    decided = long.total(long.won) > 0
    if (highest[1] < lowest[0])[decided].all() or (highest[0] < lowest[1])[decided].all():
        raise heads.refusal(
            f"is {shown(place.name)} where people sat, or how they finished? If they sat there, option seat names it; "
            "else option score names what decides who wins, and that is no seat"
        )
