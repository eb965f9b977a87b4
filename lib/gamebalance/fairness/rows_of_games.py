"""Tables with a row for each game and its players by seat: who won, by name, by head, by number or as 1-0."""

import re
from collections.abc import Sequence

import numpy as np

from gamebalance.base.checks import shown
from gamebalance.fairness import wide
from gamebalance.fairness.checking import ADD_DRAWS
from gamebalance.fairness.games import Games
from gamebalance.fairness.tables import Column, Heads, first, is_draw, key, meaning, of_game, results

#: From so many games on it is asked whether a winner who always stands in the same column sat there; numbered or not.
MANY, FEW = 20, 5
#: Heads of what may stand beside several games.
PLACES = ("table", "pod", "no", "nr")
#: Columns, and who of them won each game, shape (rows, seats): a way to read the winner.
Way = tuple[list[Column], np.ndarray]


def of_games(heads: Heads) -> Games:
    """The games of a table with a row for each."""
    named = [column for column in [*heads.of("winner"), *heads.of("won")] if column.texts]
    _one_row_each(heads)
    if "score" in heads.asked:
        return wide.by_scores(heads)
    if (log := _by_log(heads)) is not None:
        return log
    result = next((column for column in named if any(of_game(text) is not None for text in column.texts)), None)
    if result is not None and heads.one("winner") in (None, result):
        return _by_results(heads, result)
    if named:
        return _by_winner(heads, named[0])
    return wide.list_of_winners(heads) if len(heads.columns) == 1 else wide.by_label(heads)


def _one_row_each(heads: Heads) -> None:
    """Refuse a game that stands there twice, where most do not."""
    known = heads.of("game")
    if not known or key(known[0].name) in PLACES:
        return
    if all(2 * len(one.texts) >= heads.rows and one.is_repeated for one in known):
        twice = known[0].texts[int(np.bincount(known[0].codes[~known[0].is_empty]).argmax())]
        raise ValueError(
            f"{known[0].name} {shown(twice)} stands there twice: is that one game, with a row for each player? Then "
            "option winner names their results; else option game names what was one game"
        )


# The winner, and who sat where


def _by_winner(heads: Heads, winner: Column) -> Games:
    candidates = wide.candidates_for_seats(heads, winner)
    draws = wide.drawn(heads, winner, _persons(candidates))
    if heads.labels and wide.asked_kind(heads) is None:
        return wide.of_winners(heads, winner, draws, [winner, *heads.of("draw")])
    named, nobody = ~winner.is_empty & ~draws, winner.each([text == "0" for text in winner.texts], False)
    ways = {
        "number": _by_number(heads, candidates, winner, named),
        "head": _by_head(candidates, winner, named),
        "name": _by_name(candidates, winner, named, heads),
    }
    nobody &= ways["number"] is None and "2" in winner.texts
    if nobody.any():  # 0 is a draw beside 1 and 2, where no seat has this number
        ways["number"] = _by_number(heads, candidates, winner, named & ~nobody)
    found = {way: seats for way, seats in ways.items() if seats is not None}
    whole = [way for way, (_, won) in found.items() if (won.any(axis=1) | ~named | (nobody & (way == "number"))).all()]
    if not whole:
        return _without_hits(heads, winner, candidates, [won for _, won in found.values()], named, draws)
    way = whole[0]
    columns, won = found[way]
    _refuse_two_meanings(winner, way, found if len(whole) > 1 else {way: found[way]})
    numeric = [column for column in candidates if column.is_numeric and column not in columns]
    if len(columns) < 2 or (way == "head" and numeric and all(column.is_numeric for column in columns)):
        raise _which_seats(heads, columns)
    if way == "name" and wide.asked_kind(heads) is None:
        _refuse_one_seat(heads, columns, won, int(named.sum()))
    persons = way == "name" or not all(column.is_numeric or not column.texts for column in columns)
    draws = draws | nobody if way == "number" else draws
    return wide.seated(
        heads, columns, won.astype(float), draws, f"winner by {way}", [winner, *heads.of("draw")], persons
    )


def _persons(columns: Sequence[Column]) -> set[str]:
    """The texts of columns, their letters in any case."""
    return {text.casefold() for column in columns for text in column.texts}


def _refuse_two_meanings(winner: Column, way: str, found: dict[str, Way]) -> None:
    """Refuse winners who are numbers, or heads, and names of people as well."""
    columns, won = found[way]
    people_there = _persons(columns)
    if way == "number" and (both := [text for text in winner.texts if text.casefold() in people_there]):
        raise ValueError(
            f"winner {shown(both[0])} is the number of a seat, and the name of somebody who plays: write "
            f"{shown(columns[0].name)} or the like for a seat"
        )
    if way == "head" and "name" in found and not np.array_equal(won, found["name"][1]):
        raise ValueError(f"winner {shown(winner.texts[0])} is the head of a column, and somebody who sits elsewhere")


def _refuse_one_seat(heads: Heads, columns: list[Column], won: np.ndarray, winners: int) -> None:
    """Refuse many winners who all stand in one column: that may be where winners are written."""
    always = [column for column, hits in zip(columns, won.T, strict=True) if hits.any()]
    if len(always) == 1 and winners >= (MANY if wide.seat_names(columns) else FEW):
        raise heads.refusal(
            f"each of the {winners} winners stands in {shown(always[0].name)}: is that where they sat, or are winners "
            "written there? If they sat there, option seat names all seats"
        )


def _which_seats(heads: Heads, columns: Sequence[Column]) -> ValueError:
    seen = f"{', '.join(shown(column.name) for column in columns)} seems one" if columns else "the winner tells none"
    return heads.refusal(f"which columns are seats? {seen}; option seat names all of them")


def _by_head(candidates: Sequence[Column], winner: Column, named: np.ndarray) -> Way | None:
    """Seats whose heads are the winners, and their fellows."""
    heads = {key(column.name): column for column in candidates}
    wanted = [heads.get(key(text)) for text in winner.texts]
    hit = [column for column in candidates if column in wanted]
    if not hit:
        return None
    seats = _fellows(hit, candidates)
    target = winner.each([-1 if one is None else seats.index(one) for one in wanted], -1)
    return seats, (target[:, None] == np.arange(len(seats))) & named[:, None]


def _by_number(heads: Heads, candidates: list[Column], winner: Column, named: np.ndarray) -> Way | None:
    """Seats whose numbers are the winners: numbered ones, those of a known set, or those that were asked for."""
    found = [re.fullmatch(r"(?:[a-z]+)?[ #]*(\d{1,3})(?:\.0+)?", text.casefold()) for text in winner.texts]
    numbers = winner.each([float(one[1]) if one else np.nan for one in found], np.nan)
    persons = _persons(candidates)
    names = any(text.casefold() in persons for text in winner.texts if not text[0].isdecimal())  # P1 may be a person
    if not named.any() or names or np.isnan(numbers[named]).any():
        return None
    groups = wide.seats_by_number(candidates)
    if wide.asked_kind(heads) is not None or not groups:
        sets = [candidates] if wide.asked_kind(heads) is not None else wide.family(candidates)
        whole = [group for group in groups if len(group) == len(candidates)]
        groups = whole or [dict(enumerate(one, 1)) for one in sets]
    groups = [group for group in groups if np.isin(numbers[named], [*group]).all()]
    if len(groups) != 1:
        return None
    return [*groups[0].values()], (numbers[:, None] == np.array([*groups[0]])) & named[:, None]


def _by_name(candidates: list[Column], winner: Column, named: np.ndarray, heads: Heads) -> Way | None:
    """Seats in which the winners sit, and their fellows."""
    texts: dict[str, int] = {}
    wanted = wide.coded(winner, texts)
    codes = {column: wide.coded(column, texts) for column in candidates}
    hits = {column: (found == wanted) & named for column, found in codes.items()}
    known = [[*group.values()] for group in wide.seats_by_number(candidates)]
    groups = [group for group in known if (np.any([hits[column] for column in group], axis=0) | ~named).all()]
    if wide.asked_kind(heads):
        seats = candidates
    elif len(groups) == 1:
        seats = groups[0]
    else:
        hit = [column for column in candidates if hits[column].any()]
        if not hit:
            return None
        if sum(any(column in group for column in hit) for group in known) > 1:
            raise _which_seats(heads, hit)
        seats = _fellows(hit, candidates)
        sitting = np.sort(np.column_stack([codes[column] for column in seats]), axis=1)
        twice = ((np.diff(sitting, axis=1) == 0) & (sitting[:, 1:] >= 0)).any(axis=1)
        if twice.any():
            raise heads.refusal(
                f"in game {wide.game_name(heads, first(twice))} somebody stands in two of "
                f"{shown([one.name for one in seats])}: which are seats? Option seat names all of them"
            )
    return seats, np.column_stack([hits[column] for column in seats])


def _fellows(hit: list[Column], candidates: Sequence[Column]) -> list[Column]:
    """Columns like those that the winners name: numbered alike, of one known set, or mostly with the same persons."""
    for group in [[*one.values()] for one in wide.seats_by_number(candidates)] + wide.family(candidates):
        if all(column in group for column in hit):
            return group
    seats, more = [*hit], hit
    while more:
        persons = _persons(seats)
        more = [
            column for column in candidates
            if not column.is_numeric and column not in seats
            and 2 * len(persons & _persons([column])) >= len(column.texts)
        ]  # fmt: skip
        seats += more
    return [column for column in candidates if column in seats]


def _without_hits(
    heads: Heads, winner: Column, candidates: list[Column], hits: list[np.ndarray], named: np.ndarray, draws: np.ndarray
) -> Games:
    """Winners who are no seats: results of two, winners and losers, or all that is known."""
    if (pair := _pair(heads, candidates)) is not None:
        seats = _of_pair(winner, pair)
        if None not in seats:
            return _of_two(heads, pair, winner, winner.each(seats, 0), named | draws | heads.draws)
    if losers := heads.of("loser"):
        return _by_losers(heads, winner, losers, draws)
    others = [column for column in candidates if not column.is_numeric]
    tokens = {
        part.strip().casefold() for column in others for text in column.texts for part in wide.SEVERAL.split(text)
    }
    if any(won.any() for won in hits) or pair or wide.seats_by_number(others) or tokens & _persons([winner]):
        best = max((won.any(axis=1) for won in hits), key=np.sum, default=~named)
        missing = named & ~best
        row = first(missing) if missing.any() else 0
        raise ValueError(
            f"game {wide.game_name(heads, row)}: its winner {shown(winner.cell(row))} did not play in it, nor is it "
            "the head or the number of a seat; a draw is written draw, and option seat names seats"
        )
    if meaning(winner.name) == "won":
        raise heads.refusal(f"{shown(winner.name)} says not who won which game: {wide.FORMS} is needed")
    return wide.of_winners(heads, winner, draws, [winner, *heads.of("draw")])


# Two by two


def _pair(heads: Heads, candidates: list[Column]) -> list[Column] | None:
    """The two seats of a table, if there are just two: of a known set, numbered, or asked for."""
    texts = [column for column in candidates if not column.is_numeric]
    known = [group for group in wide.family(candidates if wide.asked_kind(heads) else texts) if len(group) == 2]
    if wide.asked_kind(heads) is not None and not known:
        known = [candidates]
    known = known or [[*group.values()] for group in wide.seats_by_number(texts)]
    return known[0] if len(known) == 1 and len(known[0]) == 2 else None


def _of_pair(result: Column, pair: Sequence[Column]) -> list[int | None]:
    """For each text the number of the seat that won, 0 for a draw: by scores, the seat's name or its first letter."""
    heads = [key(column.name) for column in pair]
    letters = {head[0]: place for place, head in enumerate(heads, 1)} if heads[0][0] != heads[1][0] else {}
    worth = {"1": 1, "0": 2, "0.5": 0, "0,5": 0}
    if not {"0.5", "0,5", "½", "1/2"} & set(result.texts):
        worth = {"1": 1, "2": 2} | ({"0": 0} if "2" in result.texts else {})

    def seat(text: str) -> int | None:
        name = re.sub("(wins|won|win)$", "", key(text))
        if (found := of_game(text)) is not None:
            return found
        if is_draw(text) or (name in ("d", "x", "draw") and name not in letters):
            return 0
        if name in heads:
            return heads.index(name) + 1
        return worth.get(text, letters.get(name))

    return [seat(text) for text in result.texts]


def _of_two(heads: Heads, pair: list[Column], result: Column, seat: np.ndarray, known: np.ndarray) -> Games:
    """Games of two seats, of which one won, or none, where that is known."""
    if not np.all(known):
        raise wide.refusal_of_game(heads, ~known, f"its {result.name} is empty; {ADD_DRAWS}")
    won = (seat[:, None] == [1, 2]).astype(float)
    return wide.seated(
        heads, pair, won, seat == 0, f"{result.name} of {pair[0].name} and {pair[1].name}", [result], True
    )


def _by_results(heads: Heads, result: Column) -> Games:
    """Results such as 1-0 of two seats."""
    pair = _pair(heads, wide.candidates_for_seats(heads, result))
    if pair is None:
        raise heads.refusal(f"which two columns are seats, with results such as {result.texts[0]}? Option seat says")
    seats = _of_pair(result, pair)
    bad = result.each([seat is None for seat in seats], True)
    if bad.any():
        text = result.cell(first(bad))
        value = shown(text) if text else "empty"
        raise wide.refusal_of_game(heads, bad, f"its {result.name} is {value}: 1-0, 0-1 or 1/2-1/2 is needed")
    return _of_two(heads, pair, result, result.each(seats, 0), ~bad)


def _by_losers(heads: Heads, winner: Column, losers: Sequence[Column], draws: np.ndarray) -> Games:
    """The winner and the losers of each game, by name."""
    missing = winner.is_empty | losers[0].is_empty
    if missing.any():
        raise wide.refusal_of_game(heads, missing, f"its {winner.name} or its {losers[0].name} is empty")
    columns = [winner, *losers]
    row, place = wide.taken(heads, columns)
    players = wide.people(columns, row, place)
    wide.refuse_byes(players)
    wide.refuse_several(players.texts)
    long = wide.long_of(heads, row, {"player": players})
    long.won, long.drawn = ((place == 0) & ~draws[row]).astype(float), draws
    how = f"{winner.name} and {', '.join(column.name for column in losers)} by name"
    return wide.checked(heads, long, "players", how, [*columns, *heads.of("draw")])


def _by_log(heads: Heads) -> Games | None:
    """What a player wrote of each game: the opponent, and how it ended for the player."""
    result, player, opponent = heads.one("won"), heads.one("player"), heads.one("opponent")
    if result is None or player is None or opponent is None or heads.one("winner") is not None:
        return None
    worth = results(result)
    if None in worth or result.is_empty.any():
        return None
    share = result.each([0.5 if value == "draw" else value for value in worth], 0.5)
    row, place = wide.taken(heads, [player, opponent])
    long = wide.long_of(heads, row, {"player": wide.people([player, opponent], row, place)})
    long.drawn = share == 0.5
    long.won = np.where(long.drawn[row], 0.0, np.where(place == 0, share[row], 1 - share[row]))
    return wide.checked(heads, long, "players", f"{result.name} of {player.name}", [result, player, opponent])
