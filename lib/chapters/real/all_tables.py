"""All recorded games side by side: what people did, what a model that looks at nothing says, what best play can do.

The model of each game lets all choose at random: votes, teams and shots at Mafia and Avalon; at Sanguosha the report's
rule of choice takes the place of chance; and at a free for all seats do not matter. What a town of Mafia wins at random
depends on rules that nobody wrote down: there the model is a span, `at_random`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chapters import what_avalon_shows as avalon_games
from chapters.real import (
    at_random,
    forecast,
    outcomes,
    preference,
    skill,
    victims,
    votes,
)
from chapters.real.counts import Measured, measured, share, table
from chapters.real.eight import leaders
from chapters.real.eight.behaviour import Behaviour
from chapters.real.eight.playing import simulate
from chapters.real.first_night import TABLE
from chapters.real.sport_rules import USUAL
from gamebalance.base.rounding import meant
from gamebalance.fairness import Games
from gamebalance.games.avalon import BOARDS, bounds, good_wins
from gamebalance.games.avalon import at_random as missions_at_random
from gamebalance.mafia import Rules, solve

if TYPE_CHECKING:
    import pandas

#: Frames of counts, as `data/observed` names them.
Frames = Mapping[str, "pandas.DataFrame"]
#: Numbers of players for which best play at Avalon stands beside people.
AVALON_PLAYERS = (5, 6, 7)
#: The tables of Avalon whose assumptions are dropped one by one.
FIVE = 5


class Seen(NamedTuple):
    """A number of people beside those of models, all shares between 0 and 1.

    Attributes
    ----------
    game, what : str
        Whose share of what it is.
    games : int
        How many games, or choices, were counted.
    people : Measured
        With interval; for a region, whose bounds are its interval, the error is nan.
    model : Span
        What the model says that looks at nothing; for wins at Mafia from least to most over the ways to play.
    best : float
        What best play of both sides gives, or allows this side at most; nan where it is not known.
    """

    game: str
    what: str
    games: int
    people: Measured
    model: at_random.Span
    best: float

    @property
    def apart(self) -> float:
        """How far people are from the nearest end of the model's span; 0 within."""
        return meant(self.model.beyond(self.people.estimate))


def seen(frames: Frames, eight: np.ndarray) -> list[Seen]:
    """All numbers of people, game by game.

    Parameters
    ----------
    frames : mapping of DataFrame
        The tables of ``data/observed`` by name.
    eight : ndarray, shape (3,)
        Shares of the lord's side, the rebels and the renegade in Sanguosha's model.

    Returns
    -------
    list of Seen
    """
    return [*_sport(frames), *_forum(frames), *_avalon(frames), *_eight(frames, eight), *_seats(frames)]


def agreement(frames: Frames) -> float:
    """The share of tables of sport Mafia, seasons 2 to 16, with a first victim on record: the mafia agreed there."""
    shot = frames["sport_mafia_first_killed"]["games"].sum()
    return float(shot / frames["sport_mafia_seasons"]["games"].sum())


def _sport(frames: Frames) -> Iterator[Seen]:
    """Who wins tables of sport Mafia, and whom first victims name."""
    game, model = "Mafia at a club", at_random.span(at_random.club(agreement(frames)))
    for name, seasons in (("sport_mafia_seasons", "2 to 16"), ("sport_mafia_later_seasons", "17 to 27")):
        won = outcomes.town_wins(frames[name])
        played = sum(outcomes.by_side(frames[name]).values())
        what = f"town wins, seasons {seasons}"
        yield Seen(game, what, played, won, model, np.nan)
    shot = victims.sheriff_first(frames["sport_mafia_first_killed"])
    of_town = frames["sport_mafia_first_killed"].query("role in ('citizen', 'sheriff')")["games"].sum()
    yield Seen(game, "the sheriff is shot first", int(of_town), shot, _one(1 / 7), np.nan)


def _forum(frames: Frames) -> Iterator[Seen]:
    """Who wins games of the forum, and how often its votes hit."""
    game, counted = "Mafia in a forum", frames["forum_mafia_votes"]
    won = outcomes.town_wins(frames["forum_mafia_outcomes"])
    played = sum(outcomes.by_side(frames["forum_mafia_outcomes"]).values())
    yield Seen(game, "town wins", played, won, at_random.span(at_random.forum()), np.nan)
    for days, rows in (("on the first day", counted[counted["day"] == 1]), ("later", counted[counted["day"] > 1])):
        hits = votes.hits(rows).loc["all"]
        found = share(int(hits["hits"]), int(hits["votes"]))
        yield Seen(game, f"votes hit {days}", int(hits["votes"]), found, _one(hits["chance"]), np.nan)


def _avalon(frames: Frames) -> Iterator[Seen]:
    """Who wins tables of Avalon, and how often Merlin is hit."""
    games, shots = frames["avalon_outcomes"], frames["avalon_shots"]
    kinds = (("none", (), "no special roles"), ("merlin", ("merlin",), "Merlin"))
    for roles, special, name in kinds:
        for players in AVALON_PLAYERS:
            rows = games[(games["special_roles"] == roles) & (games["players"] == players)]
            board = BOARDS[players]
            best = bounds.held_to(board, bounds.HIDES[players]) if not special else bounds.merlin_at_most(board)
            what = f"good wins, {players} players, {name}"
            chance = _one(good_wins(missions_at_random(board, special)))
            won = avalon_games.good_wins(rows)
            yield Seen("Avalon", what, int(rows["games"].sum()), won, chance, float(best))
    hit = avalon_games.shots_that_hit(shots, []).iloc[0]
    found = Measured(*(float(hit[name]) for name in ("estimate", "error", "low", "high")))
    yield Seen("Avalon", "the shot hits Merlin", int(hit["shots"]), found, _one(hit["chance"]), np.nan)


def _eight(frames: Frames, model: np.ndarray) -> Iterator[Seen]:
    """Who wins games of Sanguosha: the region that records of leaders leave, and the point of one factor of odds."""
    known = leaders.read(frames["sanguosha_arena"])
    low, high = leaders.bounds(known.upper)
    point = leaders.by_common_odds(known.upper)
    for at, side in enumerate(("lord's side wins", "rebels win", "renegade wins")):
        people = measured(point[at], np.nan, low[at], high[at])
        yield Seen("Sanguosha", side, known.fewest_games, people, _one(model[at]), np.nan)


def _seats(frames: Frames) -> Iterator[Seen]:
    """What seats of a free for all win."""
    rows = seat_counts(frames["commander_seats"])
    for seat, (won, played) in rows.items():
        yield Seen("Free for all", f"seat {seat} wins", played, share(won, played), _one(1 / len(rows)), np.nan)


def _one(chance: float | Fraction) -> at_random.Span:
    """A model that says one number."""
    return at_random.Span(float(chance), float(chance))


def seat_counts(seats: "pandas.DataFrame") -> dict[int, tuple[int, int]]:
    """Games won and played by seat, from shares in percent that are rounded to a tenth.

    Raises
    ------
    ValueError
        If the counts do not add up to the games.
    """
    rows = table("seats", seats, "games", {"seat": range(1, 11), "share": None})
    won = (rows["share"] * rows["games"] / 100).round().astype(int)
    exact = (100 * won / rows["games"] - rows["share"]).abs().max() <= 0.05 + 1e-9
    if not exact or rows["games"].nunique() != 1 or won.sum() != rows["games"].iloc[0]:
        shares = rows["share"].tolist()
        raise ValueError(
            f"seats.share = {shares}: shares of as many games, in percent to a tenth, that add up are needed"
        )
    return {int(seat): (int(wins), int(of)) for seat, wins, of in zip(rows["seat"], won, rows["games"], strict=True)}


def seat_games(seats: "pandas.DataFrame") -> Games:
    """The games by seat, as `fairness.judge` takes them."""
    return Games.from_counts({f"seat {seat}": pair for seat, pair in seat_counts(seats).items()})


class Assumption(NamedTuple):
    """An assumption of a model, and what the model says when it is replaced by what was counted.

    Attributes
    ----------
    game, what, assumption : str
        Of what game, which share, and what is assumed.
    kept, dropped, people : float
        The share if all is assumed, without this assumption, and as people have it.
    """

    game: str
    what: str
    assumption: str
    kept: float
    dropped: float
    people: float

    @property
    def part(self) -> float:
        """The part of the gap that it makes: 0 if nothing, 1 if all; beyond, too much."""
        return meant((self.dropped - self.kept) / (self.people - self.kept))


def assumptions(frames: Frames, eight: np.ndarray, games: int, seed: int) -> list[Assumption]:
    """Which assumption each model owes its error to: one is dropped at a time, then two together.

    Parameters
    ----------
    frames, eight
        As for `seen`.
    games, seed : int
        Simulated games of each change at Sanguosha.

    Notes
    -----
    At Mafia, where all is assumed, votes are at random and nobody hears the sheriff or the cop; in the forum one leaves
    by lot after a tie, and at the club all other rules are `sport_rules.USUAL`. The odds of votes are those counted in
    the forum; at the club they are borrowed, since its votes are not on record. What a sheriff or cop has said is in
    these odds, too: both together count it twice.
    """
    of_eight = _eight_assumptions(frames, float(eight[2]), games, seed)
    return [*_mafia_assumptions(frames), *_avalon_assumptions(frames), *of_eight]


def _mafia_assumptions(frames: Frames) -> Iterator[Assumption]:
    """Votes at random, and what the sheriff or the cop knows."""
    odds = preference.odds(votes.as_picks(frames["forum_mafia_votes"]))
    silent, told = (
        [(forecast.FORUM, forecast.FORUM_RULES, "evening"), (TABLE, _club(frames, "never"), USUAL.phase)],
        [
            (at_random.FIFTEEN, replace(forecast.FORUM_RULES, tells="at a find"), "evening"),
            (TABLE, _club(frames, USUAL.tells), USUAL.phase),
        ],
    )
    people = [outcomes.town_wins(frames[name]).estimate for name in ("forum_mafia_outcomes", "sport_mafia_seasons")]
    for game, quiet, heard, won in zip(("Mafia in a forum", "Mafia at a club"), silent, told, people, strict=True):
        random, known = solve(*quiet), solve(*heard)
        voted, both = (skill.share_of_odds(odds, *case).estimate for case in (quiet, heard))
        for name, share_ in (("votes at random", voted), ("the sheriff unheard", known), ("both", both)):
            yield Assumption(game, "town wins", name, random, share_, won)


def _club(frames: Frames, tells: str) -> Rules:
    """The rules of the club, with a sheriff who tells then."""
    return USUAL.rules(agreement(frames), tells=tells)


def _avalon_assumptions(frames: Frames) -> Iterator[Assumption]:
    """Teams at random, evil that always fails, and a shot at random, with five players."""
    cards, games = frames["avalon_cards"], frames["avalon_outcomes"]
    for merlin, name in ((0, "without Merlin"), (1, "with Merlin")):
        rows = cards[(cards["players"] == FIVE) & (cards["merlin"] == merlin)]
        played = games[(games["players"] == FIVE) & (avalon_games.has(games, "merlin") == bool(merlin))]
        people = avalon_games.three_successes(played).estimate
        chance, fails, teams, both = (
            avalon_games.three_by_score(rows, *pair)
            for pair in (("chance", "chance"), ("chance", "records"), ("records", "chance"), ("records", "records"))
        )
        for what, found in (("teams at random", teams), ("evil always fails", fails), ("both", both)):
            yield Assumption(f"Avalon {name}", "three successes, 5 players", what, chance, found, people)


def _eight_assumptions(frames: Frames, kept: float, games: int, seed: int) -> Iterator[Assumption]:
    """Single habits of the report's players, by what the renegade then wins, beside the point of one factor of odds."""
    known = leaders.read(frames["sanguosha_arena"])
    people = float(leaders.by_common_odds(known.upper)[2])
    changes = (
        ("rebels do not know each other (kin 0.25)", Behaviour(kin=0.25)),
        ("rebels spare the lord (rush 0.5)", Behaviour(rush=0.5)),
        ("the renegade waits for the end (turn 3)", Behaviour(turn=3)),
        ("the lord does not fight him (duel 0.75)", Behaviour(duel=0.75)),
    )
    for what, behaviour in changes:
        dropped = simulate(behaviour, games, seed).shares[2]
        yield Assumption("Sanguosha", "renegade wins", what, kept, float(dropped), people)
