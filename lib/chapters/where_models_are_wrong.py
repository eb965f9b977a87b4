"""Chapter 5.8: what people did at recorded tables, beside a model that looks at nothing, and beside best play.

The model lets all choose at random: votes, teams and shots; at Sanguosha the report's rule of choice takes the place of
chance, and at a free for all seats do not matter. What a town of Mafia wins at random is a span: `rules.span`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from chapters import ten_at_the_table_counts as counts
from chapters import ten_at_the_table_rules as rules
from chapters.fifteen_in_the_forum import FORUM, hits, picks
from chapters.ten_at_the_table import TOWN, sheriff_first
from chapters.ten_at_the_table_counts import Measured, by_side, town_wins
from chapters.ten_at_the_table_rules import FIFTEEN, FORUM_RULES, TABLE, USUAL, Span
from chapters.the_renegade_of_real_life import bounds, by_common_odds, read_leaders
from chapters.the_renegade_of_real_life_games import Behaviour, simulate
from chapters.what_avalon_shows import good_wins, has, shots_that_hit, three_by_score, three_successes
from gamebalance.base.rounding import meant
from gamebalance.games import avalon
from gamebalance.games.avalon import BOARDS
from gamebalance.games.avalon import bounds as limits
from gamebalance.mafia import solve

#: Frames of counts, as `data/observed` names them.
Frames = Mapping[str, pd.DataFrame]
#: Single habits of the report's players at Sanguosha.
HABITS = {
    "rebels do not know each other (kin 0.25)": Behaviour(kin=0.25),
    "rebels spare the lord (rush 0.5)": Behaviour(rush=0.5),
    "the renegade waits for the end (turn 3)": Behaviour(turn=3),
    "the lord does not fight him (duel 0.75)": Behaviour(duel=0.75),
}


class Seen(NamedTuple):
    """A number of people beside those of models, as shares; `games` were counted, `best` is what best play gives."""

    game: str
    what: str
    games: int
    people: Measured
    model: Span
    best: float = np.nan

    @property
    def apart(self) -> float:
        """How far people are from the nearest end of the model's span; 0 within."""
        return meant(self.model.beyond(self.people.estimate))


def one(chance) -> Span:
    """A model that says one number."""
    return Span(float(chance), float(chance))


def seen(frames: Frames, eight: np.ndarray) -> list[Seen]:
    """All numbers of people, game by game; `eight` are the shares of the sides in Sanguosha's model."""
    return [*_mafia(frames), *_avalon(frames), *_eight(frames, eight), *_seats(frames)]


def _mafia(frames: Frames) -> Iterator[Seen]:
    """Who wins at the club and in the forum, whom the mafia shoots first, and how often votes hit."""
    game, first = "Mafia at a club", frames["sport_mafia_first_killed"]
    model = rules.span(rules.club(rules.agreement(first, frames["sport_mafia_seasons"])))
    for name, seasons in (("sport_mafia_seasons", "2 to 16"), ("sport_mafia_later_seasons", "17 to 27")):
        what = f"town wins, seasons {seasons}"
        yield Seen(game, what, sum(by_side(frames[name]).values()), town_wins(frames[name]), model)
    of_town = first.loc[first["role"].isin(TOWN), "games"].sum()
    yield Seen(game, "the sheriff is shot first", int(of_town), sheriff_first(first), one(1 / 7))
    game, outcomes, votes = "Mafia in a forum", frames["forum_mafia_outcomes"], frames["forum_mafia_votes"]
    yield Seen(game, "town wins", sum(by_side(outcomes).values()), town_wins(outcomes), rules.span(rules.forum()))
    for days, rows in (("on the first day", votes[votes["day"] == 1]), ("later", votes[votes["day"] > 1])):
        row = hits(rows).loc["all"]
        people = counts.share(row["hits"], row["votes"])
        yield Seen(game, f"votes hit {days}", int(row["votes"]), people, one(row["chance"]))


def _avalon(frames: Frames) -> Iterator[Seen]:
    """Who wins tables of Avalon, and how often Merlin is hit."""
    games = frames["avalon_outcomes"]
    for roles, special, name in (("none", (), "no special roles"), ("merlin", ("merlin",), "Merlin")):
        for players in (5, 6, 7):
            rows, board = games[(games["special_roles"] == roles) & (games["players"] == players)], BOARDS[players]
            best = limits.merlin_at_most(board) if special else limits.held_to(board, limits.HIDES[players])
            what = f"good wins, {players} players, {name}"
            chance = avalon.good_wins(avalon.at_random(board, special))
            yield Seen("Avalon", what, int(rows["games"].sum()), good_wins(rows), one(chance), float(best))
    row = shots_that_hit(frames["avalon_shots"], []).iloc[0]
    people = Measured(*row[["estimate", "error", "low", "high"]].astype(float))
    yield Seen("Avalon", "the shot hits Merlin", int(row["shots"]), people, one(row["chance"]))


def _eight(frames: Frames, model: np.ndarray) -> Iterator[Seen]:
    """Who wins games of Sanguosha: the region that records of leaders leave, and the point of one factor of odds."""
    known = read_leaders(frames["sanguosha_arena"])
    sides = ("lord's side wins", "rebels win", "renegade wins")
    for side, point, low, high, chance in zip(
        sides, by_common_odds(known.upper), *bounds(known.upper), model, strict=True
    ):
        yield Seen("Sanguosha", side, known.fewest_games, counts.measured(point, np.nan, low, high), one(chance))


def _seats(frames: Frames) -> Iterator[Seen]:
    """What seats of a free for all win."""
    won = seat_counts(frames["commander_seats"])
    for seat, pair in won.items():
        yield Seen("Free for all", f"seat {seat} wins", pair[1], counts.share(*pair), one(1 / len(won)))


def seat_counts(seats: pd.DataFrame) -> dict[int, tuple[int, int]]:
    """Games won and played by seat, from shares in percent that are rounded to a tenth."""
    won = (seats["share"] * seats["games"] / 100).round().astype(int)
    return dict(zip(seats["seat"].tolist(), zip(won.tolist(), seats["games"].tolist(), strict=True), strict=True))


def assumptions(frames: Frames, eight: np.ndarray, games: int, seed: int) -> pd.DataFrame:
    """Which assumption each model owes its error to: one is dropped at a time, then two together; all in percent.

    At Mafia, where all is assumed, votes are at random and nobody hears the sheriff or the cop; in the forum one leaves
    by lot after a tie, and at the club all other rules are `USUAL`. The odds of votes are those counted in the forum;
    at the club they are borrowed, since its votes are not on record. What a sheriff or cop has said is in these odds,
    too: both together count it twice. The part is that of the gap: 0 if nothing, 100 if all; beyond, too much.
    """
    rows = [*_mafia_assumptions(frames), *_avalon_assumptions(frames)]
    people = by_common_odds(read_leaders(frames["sanguosha_arena"]).upper)[2]
    for what, behaviour in HABITS.items():
        rows.append(("Sanguosha", what, eight[2], simulate(behaviour, games, seed).shares[2], people))
    frame = pd.DataFrame(rows, columns=["game", "assumption", "assumed, %", "dropped, %", "people, %"])
    kept, dropped, people = (frame[name] for name in frame.columns[2:])
    frame["part, %"] = meant((dropped - kept) / (people - kept))
    frame.iloc[:, 2:] *= 100
    return frame


def _mafia_assumptions(frames: Frames) -> Iterator[tuple]:
    """Votes at random, and what the sheriff or the cop knows."""
    counted = counts.odds(picks(frames["forum_mafia_votes"]))
    agreed = rules.agreement(frames["sport_mafia_first_killed"], frames["sport_mafia_seasons"])
    believed = replace(FORUM_RULES, tells="at a find")
    in_the_forum = (FORUM, FORUM_RULES, "evening"), (FIFTEEN, believed, "evening")
    at_the_club = ((TABLE, USUAL.rules(agreed, tells=tells), USUAL.phase) for tells in ("never", USUAL.tells))
    for game, name, (silent, heard) in (
        ("Mafia in a forum", "forum_mafia_outcomes", in_the_forum),
        ("Mafia at a club", "sport_mafia_seasons", at_the_club),
    ):
        people = town_wins(frames[name]).estimate
        voted, both = (rules.share_of_odds(counted, *case).estimate for case in (silent, heard))
        for what, dropped in (("votes at random", voted), ("the sheriff unheard", solve(*heard)), ("both", both)):
            yield game, what, solve(*silent), dropped, people


def _avalon_assumptions(frames: Frames) -> Iterator[tuple]:
    """Teams at random, evil that always fails, and a shot at random, with five players."""
    cards, games = (rows[rows["players"] == 5] for rows in (frames["avalon_cards"], frames["avalon_outcomes"]))
    names = "teams at random", "evil always fails", "both"
    sources = ("records", "chance"), ("chance", "records"), ("records", "records")
    for merlin, name in ((False, "Avalon without Merlin"), (True, "Avalon with Merlin")):
        rows = cards[cards["merlin"] == merlin]
        people = three_successes(games[has(games, "merlin") == merlin]).estimate
        kept = three_by_score(rows, "chance", "chance")
        for what, pair in zip(names, sources, strict=True):
            yield name, what, kept, three_by_score(rows, *pair), people
