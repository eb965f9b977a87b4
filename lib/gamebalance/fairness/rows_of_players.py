"""Tables with a row for each player of each game."""

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.fairness.checking import KINDS, RESERVED, Long, draws_and_shares, sizes
from gamebalance.fairness.games import Games
from gamebalance.fairness.heads import Heads, is_draw, of_game, results
from gamebalance.fairness.tables import Column

#: What marks a winner, or a draw, where others have nothing.
MARKS = {"x", "X", "✓", "✔", "☑", "*", "●"}


def of_players(heads: Heads) -> Games | None:
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
    number, first = _numbers(game, heads)

    def name(place: int) -> str:
        return " ".join(part.texts[part.codes[first[place]]] for part in game)

    long = Long(number, name, np.zeros(len(number)), labels, np.zeros(len(first), bool))
    {"result": by_result, "winner": _by_winner, "best": by_best}[way](long, column, heads)
    how = f"{'lowest' if _lowest_wins(heads, column) else 'highest'} {column.name} wins" if way == "best" else None
    how = how or f"{way} in column {column.name}"
    long.drawn |= np.bincount(long.game, called_draws(heads), long.games) > 0
    _refuse_ranks_as_seats(long, heads)
    rows, faults = long.checked(heads.draws)
    used = [*game, column, *(labels[kind] for kind in labels), *heads.of("draw")]
    order = np.argsort(long.game, kind="stable")
    for other in heads.table.columns:
        if other.name not in {part.name for part in used} | RESERVED:
            rows["points" if other.name.lower() == "points" else other.name] = _extra(other, heads)[order]
    noun = "players" if {"seat", "player", "role"} & set(labels) else "sides"
    said = [sizes(long.game, noun), how, *draws_and_shares(long.game, long.won)]
    said += [f"column {labels[kind].name} cannot be judged by ({fault})" for kind, fault in faults.items()]
    return Games(rows, reading=heads.told(said, used), faults=faults)


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
        if whole or ((any(is_one) or column.is_numeric) and game is not None and heads.meaning(column) == "won"):
            return column, "result"
    if named:
        return next((column for column in named if column in heads.of("winner")), named[0]), "winner"
    best = heads.one("rank") or heads.one("score")
    return best, "best"


def _is_of_games(heads: Heads, column: Column, way: str, game: list[Column] | None) -> bool:
    """Whether the table has a row for each game after all."""
    if any(of_game(text) is not None for text in column.texts) or heads.one("loser") is not None:
        return True
    if heads.one("opponent") is not None:
        return True
    if way == "result" and heads.meaning(column) == "won":
        return False
    return game is None or len(_numbers(game, heads)[1]) == heads.table.rows


def _labels(heads: Heads, result: Column) -> dict[str, Column]:
    """What players can be told apart by."""
    found = {kind: column for kind in KINDS if (column := heads.one(kind)) is not None and column is not result}
    place = heads.one("place")
    if place is not None and "seat" not in found and place is not result and "score" not in heads.asked:
        found["seat"] = place
    if not found:
        raise heads.refusal("at least one of side, role, seat, player is needed; options of these names say which")
    return found


def _numbers(game: list[Column], heads: Heads) -> tuple[np.ndarray, np.ndarray]:
    """The number of the game of each row, as they first appear, and the first row of each."""
    import pandas as pd

    for column in game:
        if column.is_empty.any():
            raise ValueError(f"row {int(np.flatnonzero(column.is_empty)[0]) + 1}: its {column.name} is empty")
    together = np.zeros(heads.table.rows, np.int64)
    for column in game:
        together = together * len(column.texts) + column.codes
    codes, _ = pd.factorize(together)
    return codes, np.unique(codes, return_index=True)[1]


def _refuse_several_games(heads: Heads, game: list[Column], used: list[Column]) -> None:
    """Refuse games that go on in another round, on another day or in another match: they are several."""
    for other in [*heads.of("when"), *heads.of("game")]:
        if any(other is column for column in [*game, *used]):
            continue
        number, first = _numbers(game, heads)
        varies = (other.codes != other.codes[first][number]) & ~other.is_empty
        if varies.any():
            row = int(np.flatnonzero(varies)[0])
            names = ",".join(column.name for column in (other, *game))
            raise heads.refusal(
                f"{game[0].name} {shown(game[0].cell(row))} goes on in another {other.name} (row {row + 1}): what was "
                f"one game? Option game names one column, or several together, such as {names}"
            )


def called_draws(heads: Heads) -> np.ndarray:
    """The rows that a column of draws says so of: by 0 and 1, in words or with a mark."""
    found = np.zeros(heads.table.rows, bool)
    for column in heads.of("draw"):
        worth = [1.0 if text in MARKS else value for text, value in zip(column.texts, results(column), strict=True)]
        if None not in worth:
            found |= np.array([value != 0 for value in worth] + [False])[column.codes]
    return found


def by_result(long: Long, column: Column, heads: Heads) -> None:
    """What each row says of its result; draws share the win, unless all have drawn."""
    found = results(column)
    if set(column.texts) <= MARKS or all(value == 1.0 for value in found):  # winners alone are marked
        long.won = (~column.is_empty).astype(float)
        return
    bad = np.array([value is None for value in found] + [True])[column.codes]
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        text = column.cell(row)
        value = "empty" if text is None else shown(text) if np.isnan(column.numbers[column.codes[row]]) else text[:20]
        needed = "0, 1, a share of the win, or won, lost, draw is needed"
        score = "; option score names a column of which the highest wins" if column.is_numeric else ""
        raise ValueError(f"{long.at(row)}: {column.name} is {value}: {needed}{score}")
    drawn = np.array([value == "draw" for value in found] + [False])[column.codes]
    long.won = np.array([0.0 if value == "draw" else value for value in found] + [0.0])[column.codes]
    if not drawn.any():
        return
    games = long.games
    all_rows, drawn_rows = np.bincount(long.game, minlength=games), np.bincount(long.game, drawn, games)
    both = (drawn_rows > 0) & (np.bincount(long.game, long.won, games) > 0)
    if both.any():
        raise ValueError(f"{long.called(int(np.flatnonzero(both)[0]))}: somebody has won it, and somebody has drawn it")
    long.drawn = drawn_rows == all_rows
    long.won = _shared(long, drawn & ~long.drawn[long.game], long.won)


def _shared(long: Long, best: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The win of a game in equal parts for the rows that are best, or for the whole sides that they are of."""
    game, games = long.game, long.games
    side = long.labels.get("side")
    if side is None or side.is_empty.any():
        return np.where(best, 1 / np.maximum(np.bincount(game, best, games), 1)[game], won)
    unit = game * len(side.texts) + side.codes
    sides = np.bincount(unit, best, games * len(side.texts)) > 0
    several = np.maximum(sides.reshape(games, -1).sum(axis=1), 1)
    return np.where(sides[unit], 1 / several[game], won)


def _by_winner(long: Long, column: Column, heads: Heads) -> None:
    """The winner's name beside each player: a label of some kind that is there in each game."""
    if column.is_empty.any():
        raise ValueError(f"{long.at(int(np.flatnonzero(column.is_empty)[0]))}: its {column.name} is empty")
    names = {text.casefold() for label in long.labels.values() for text in label.texts}
    draw = np.array([is_draw(text) and text.casefold() not in names for text in column.texts])[column.codes]
    first = np.unique(long.game, return_index=True)[1]
    other = column.codes != column.codes[first][long.game]
    if other.any():
        raise ValueError(f"{long.at(int(np.flatnonzero(other)[0]))}: its {column.name} is another than above")
    folded = [text.casefold() for text in column.texts]
    for label in [long.labels[kind] for kind in ("player", "seat", "role", "side") if kind in long.labels]:
        places = {text.casefold(): place for place, text in enumerate(label.texts)}
        wanted = np.array([places.get(text, -2) for text in folded])[column.codes]
        won = (label.codes == wanted).astype(float)
        missing = (np.bincount(long.game, won, long.games) == 0) & ~draw[first]
        if not missing.any():
            long.won, long.drawn = won, np.bincount(long.game, draw, long.games) > 0
            return
    row = int(np.flatnonzero(~draw)[0])
    raise ValueError(f"{long.at(row)}: its winner {shown(column.cell(row))} is no label of each of its games")


def _lowest_wins(heads: Heads, column: Column) -> bool:
    return heads.lowest or heads.meaning(column) == "rank"


def by_best(long: Long, column: Column, heads: Heads) -> None:
    """The best rank or score wins, and equal ones share."""
    numbers = np.append(column.numbers, np.nan)[column.codes]
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        text = column.cell(row)
        raise ValueError(f"{long.at(row)}: its {column.name} is {shown(text) if text else 'empty'}: a number is needed")
    if column.doubtful is not None:
        raise ValueError(
            f"column {column.name}: is {column.doubtful} written with a decimal point, or with a mark for thousands? "
            "Write it without one"
        )
    numbers = -numbers if _lowest_wins(heads, column) else numbers
    best = np.full(long.games, -np.inf)
    np.maximum.at(best, long.game, numbers)
    if heads.kind(column) == "rank" and (best != -1).any():
        game = long.called(int(np.flatnonzero(best != -1)[0]))
        raise ValueError(f"{game}: its best {column.name} is {-best[best != -1][0]:g}, and 1 is needed (option score)")
    long.won = _shared(long, numbers == best[long.game], np.zeros(len(numbers)))


def _refuse_ranks_as_seats(long: Long, heads: Heads) -> None:
    """A column `place` that is 1 just where somebody won says how they finished, and not where they sat."""
    place = long.labels.get("seat")
    if place is None or place is not heads.one("place"):
        return
    won, places = long.won > 0, np.append(place.numbers, np.nan)[place.codes]
    lowest, highest = np.full((2, long.games), np.inf), np.full((2, long.games), -np.inf)
    np.minimum.at(lowest, (won.astype(int), long.game), places)
    np.maximum.at(highest, (won.astype(int), long.game), places)
    decided = np.bincount(long.game, won, long.games) > 0
    if (highest[1] < lowest[0])[decided].all() or (highest[0] < lowest[1])[decided].all():
        raise heads.refusal(
            f"is {shown(place.name)} where people sat, or how they finished? If they sat there, option seat names it; "
            "else option score names what decides who wins, and that is no seat"
        )


def _extra(column: Column, heads: Heads) -> np.ndarray:
    """A column that may be asked for by name: as it stood in a frame, numbers if it holds nothing else, or texts."""
    if heads.table.frame is not None:
        place = heads.table.names.index(column.name)
        return heads.table.frame.iloc[:, place].to_numpy()
    if column.is_numeric:
        return np.append(column.numbers, np.nan)[column.codes]
    return np.array([*column.texts, None], object)[column.codes]
