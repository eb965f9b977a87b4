"""Single games in words: one that is played by hand, a typical one, and a dramatic one."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gamebalance.base.checks import shown
from gamebalance.base.rounding import meant
from gamebalance.fairness.reports.playing import Asked, Played, Player, all_play, play_game, run_simulator
from gamebalance.fairness.reports.tables import Seats, is_game, parties, won_by_party
from gamebalance.multiplayer.at_once import in_turn, written_state
from gamebalance.multiplayer.protocols import standing

#: Games of which a typical and a dramatic one are told.
TOLD = 200


def one_game(game: Any, table: Sequence[Player], rng: np.random.Generator) -> Played:
    """One game of a `Game` or of a function."""
    return play_game(in_turn(game), table, rng) if is_game(game) else run_simulator(game, table, rng)


def name_of_seat(seats: Seats, player: int) -> str:
    """A seat as people count it, and its role or side."""
    names = seats.roles or seats.sides
    return f"seat {player + 1}" + (f" ({names[player]})" if names else "")


def moves_told(seats: Seats, asked: Sequence[Asked]) -> pd.DataFrame:
    """The moves of a game: who, what was known, and what was chosen; without those that were forced."""
    rows = [
        (str(number), name_of_seat(seats, each.player), _known(each), shown(each.move, 40))
        for number, each in enumerate(asked, 1)
        if len(each.moves) > 1
    ]
    return pd.DataFrame(rows, columns=["move", "who", "knowing", "chooses"])


def _known(asked: Asked) -> str:
    """What the mover knew: of states as they were written."""
    return shown(asked.known if asked.state is None else _plain(asked), 90)


def _plain(asked: Asked) -> Any:
    return written_state(asked.known) if asked.known == asked.state else asked.known


def ended(seats: Seats, payoffs: Sequence[float]) -> str:
    """Who has won, and what everybody got."""
    party, won = parties(seats), won_by_party(np.array([payoffs], float), seats)[0]
    winners = [name_of_seat(seats, player) for player in range(seats.players) if won[party[player]] > 0]
    got = ", ".join(f"{meant(each):g}" for each in payoffs)
    return f"{' and '.join(winners) or 'nobody'} win{'s' * (len(winners) < 2)} (payoffs {got})"


def typical_and_dramatic(play: Any, seats: Seats, level: str, seed: int) -> dict[str, tuple[str, pd.DataFrame]]:
    """Of `TOLD` games of one way to play a typical one, and the most dramatic one: what it is, and its moves.

    Typical: of the games that end as most do the one whose number of moves is nearest to their median. Dramatic: the
    one in which the winner was farthest behind on the average: in the chance to win at random from there where all
    states are known, else in what everybody would get were it over; where nothing tells that, the longest.
    """
    table = [play.player(level)] * seats.players
    game = play.graph.game if hasattr(play, "graph") else play.game
    games = [one_game(game, table, np.random.default_rng([seed, number])) for number in range(TOLD)]
    won = won_by_party(np.array([each.payoffs for each in games], float), seats)
    lengths = np.array([len(each.asked) for each in games])
    kinds, kind = np.unique(meant(won), axis=0, return_inverse=True)
    most = kind.ravel() == np.bincount(kind.ravel(), minlength=len(kinds)).argmax()
    typical = int(np.argmin(np.where(most, np.abs(lengths - np.median(lengths[most])), np.inf)))
    prospects = play.prospects()
    behind = np.array([_behind(prospects, each, row) for each, row in zip(games, won, strict=True)])
    dramatic = int(np.argmax(meant(behind))) if behind.any() else int(np.argmax(lengths))
    why = "in which the winner was farthest behind" if behind.any() else "that is longest"
    so = f"If all {all_play(level)}:"
    found = {
        title: (f"{what}; {ended(seats, games[place].payoffs)}.", moves_told(seats, games[place].asked))
        for title, what, place in (
            (
                "A typical game",
                f"{so} of median length, ending as most of {TOLD} games do",
                typical,
            ),
            ("A dramatic game", f"{so} the one of {TOLD} games {why}", dramatic),
        )
    }
    if not behind.any() and np.ptp(lengths) == 0:  # nothing tells one from another
        del found["A dramatic game"]
    return found


def _behind(prospects: Callable[[Any], np.ndarray | None], game: Played, won: np.ndarray) -> float:
    """How far behind the leader the winner was on the average over the moves of a game."""
    if won.max(initial=0.0) < 1:
        return 0.0
    winner, apart = int(won.argmax()), []
    for asked in game.asked:
        chances = None if asked.state is None or len(asked.moves) < 2 else prospects(asked.state)
        if chances is not None:
            apart.append(float(chances.max() - chances[winner]))
    return float(np.mean(apart)) if apart else 0.0


def standings(game: Any, seats: Seats) -> Callable[[Any], np.ndarray | None]:
    """What says of a state how far each party is, if the game tells what everybody would get were it over."""
    party = parties(seats)

    def of(state: Any) -> np.ndarray | None:
        points = np.array(standing(game, state), float)
        return np.array([points[party == one].mean() for one in range(party.max() + 1)])

    return of
