"""Reading results of games: which columns are results, which are labels, which are not used.

A table has a row for each player of each game (`rows_of_players`), or a row for each game (`rows_of_games`). Heads and
words of results are known in several languages (``words.json``, which the page reads, too); an option names a column
whatever its head. Where a table can be read in two ways it is refused with the question that it asks, and with the
option that answers it. Everything is checked here, once: whoever has `Games` in hand has results in which somebody won
each game, or nobody did and that was said.
"""

from collections.abc import Iterable

from gamebalance.base.checks import flag, listed, shown
from gamebalance.fairness.checking import KINDS
from gamebalance.fairness.games import Games
from gamebalance.fairness.heads import Heads
from gamebalance.fairness.rows_of_games import of_games
from gamebalance.fairness.rows_of_players import of_players
from gamebalance.fairness.tables import cleaned, table

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
    OSError
        If the file cannot be read.

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
    heads = Heads(table(source), asked, draws, lowest, [cleaned(str(label)) for label in listed("labels", labels)])
    if heads.labels and len(set(heads.labels)) < len(heads.labels):
        raise ValueError(f"labels = {shown(heads.labels)}: different ones are needed")
    return of_players(heads) or of_games(heads)
