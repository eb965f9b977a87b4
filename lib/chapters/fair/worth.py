"""What cards, moves, roles and knowledge are worth: a game beside the same game without them, for everybody in it.

A worth is the chance to win, or to survive, with the thing less the chance without it, in percentage points: positive
where it helps.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping

import numpy as np
import pandas as pd

from chapters.mafia.worth import CARDS, with_roles
from gamebalance import mafia
from gamebalance.base.rounding import meant
from gamebalance.base.workers import for_each
from gamebalance.countn.three import PLAYERS, ThreePlayerGame
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.report import report
from gamebalance.fairness.reports.restricted import without_knowledge, without_moves
from gamebalance.fairness.reports.tables import Seats
from gamebalance.mafia.idle import warn_of_idle
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.graph.policies import NEAR, Policy, chances_of
from gamebalance.multiplayer.protocols import Game, Move, State, legal_moves
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Lineup, Role, Seating
from gamebalance.sanguosha.outcomes import Outcomes
from gamebalance.sanguosha.policies import Policies
from gamebalance.sanguosha.replies import best_reply, blind_reply
from gamebalance.sanguosha.rules import AS_CODED, Card, Rules
from gamebalance.sanguosha.scoring import SIDES

#: Restrictions are tried on games of at most so many states.
MOST_STATES = 200_000
EVERYBODY = "everybody"


def deck_without(card: Card) -> Rules:
    """The rules with a deck that lacks a card: whoever would have drawn it draws again. Of slashes half are left.

    >>> deck_without(Card.PEACH).deck, deck_without(Card.SLASH).deck
    ((15, 0, 7, 5, 6, 30), (30, 16, 14, 10, 12, 30))
    """
    if card == Card.SLASH:  # without any the game could not end
        return Rules(
            deck=tuple(count if kind == card else 2 * count for kind, count in zip(Card, AS_CODED.deck, strict=True))
        )
    return Rules(deck=tuple(0 if kind == card else count for kind, count in zip(Card, AS_CODED.deck, strict=True)))


def chances(found: Outcomes) -> pd.Series:
    """Of the roles of a game, in percent: to win, as a member of a side that wins, and to survive."""
    roles = [role for role in Role if found.lineup.counts[role]]
    won = {("wins", role.key): 100 * found.winning[SIDES[role]] for role in roles}
    return pd.Series(won | {("survives", role.key): 100 * float(found.survival[role]) for role in roles})


def worth_of_cards(
    seating: Seating | str, ways: Mapping[str, Policies | None], cards: Collection[Card] = tuple(Card), workers: int = 1
) -> pd.DataFrame:
    """What each card is worth to each role under several ways to play, exactly.

    Index ``all play``, ``card``; "" is the game with all cards, whose chances stand there. Columns are pairs of
    ``wins`` or ``survives`` and a role.
    """
    games = [(way, card) for way in ways for card in (None, *cards)]
    found = for_each(games, _played, workers, None, None, (seating, ways))
    rows = {}
    for way, card in games:
        own, base = chances(found[way, card]), chances(found[way, None])
        rows[way, "" if card is None else card.english] = own if card is None else base - own
    return meant(pd.DataFrame(rows).T.rename_axis(["all play", "card"]), residue=1e-9)


def _played(game: tuple[str, Card | None], seating: Seating | str, ways: Mapping[str, Policies | None]) -> Outcomes:
    way, card = game
    return solve(seating, AS_CODED if card is None else deck_without(card), ways[way])


def as_far_as_allowed(policy: Policy, game: Game) -> Policy:
    """A policy of a game that shows all, under a restriction: what is left of it, or any move where nothing is.

    The moves that are left keep their proportions.
    """

    def chances_left(state: State, moves: tuple[Move, ...]) -> dict[Move, float]:
        every = tuple(legal_moves(game, state))
        wanted = dict(zip(every, chances_of(policy, state, every), strict=True))
        total = sum(wanted[move] for move in moves)
        return {move: wanted[move] / total if total > 0 else 1 / len(moves) for move in moves}

    return chances_left


def worth_of_moves(
    game: Game,
    restrictions: Mapping[str, Callable[[State, Move], bool]],
    ways: Collection[str],
    policies: Mapping[str, Policy] | None = None,
) -> pd.DataFrame:
    """What moves are worth to everybody when one player alone has to do without them, and when all have to.

    A restriction is lifted where it leaves no move. Columns ``without``, ``who does without``, ``all play``, and the
    worth to each side, or seat. Exact; refused if the game has too many states.
    """
    seats = Seats.of(game)
    whom = {str(name): [seat] for seat, name in enumerate(seats.labels[seats.kind])} | {EVERYBODY: None}
    changed = {
        (what, who): without_moves(game, allows, players, lifted=True)
        for what, allows in restrictions.items()
        for who, players in whom.items()
    }
    allowed = {name: as_far_as_allowed(policy, game) for name, policy in (policies or {}).items()}
    found = report(game, policies=allowed, without=changed, ways=ways, states=MOST_STATES, games=2, contests=2)
    if not found.exact:
        raise ValueError(f"game = {game!r}: it has more than {MOST_STATES:,} states")
    worth = found.worth.assign(what=[what for what, _ in found.worth["without"]])
    worth["who does without"] = [who for _, who in found.worth["without"]]
    index = ["what", "who does without", "all play"]
    table = worth.pivot_table(index=index, columns="who", values="worth, points", sort=False)
    return meant(table.reset_index().rename(columns={"what": "without"}).rename_axis(columns=None), residue=1e-9)


def by_hands_of(game: ThreePlayerGame, after: int) -> Callable[[State, Move], bool]:
    """Count-N for three: the moves whose result can be had with the hands of one opponent, the next (1) or last (2)."""
    return lambda state, move: any(
        move.hands == other.hands for other in game.rules.moves(state.position[0], state.position[after % PLAYERS])
    )


def to_hand(game: ThreePlayerGame, hand: int) -> Callable[[State, Move], bool]:
    """Count-N for three: the moves whose result can be had by adding to the smaller own hand (0), or the larger (1)."""

    def allows(state: State, move: Move) -> bool:
        own, *others = state.position
        kept = own[1 - hand]
        if own[hand] is None:
            return False
        results = [game.rules.total(own[hand], number) for other in others for number in other if number is not None]
        return any(set(move.hands) == {result, kept} for result in results)

    return allows


def knowing(lineup: Lineup | str, improvements: int = 3) -> pd.DataFrame:
    """What Sanguosha's roles score with ever more skill and knowledge, the others by the report's rule.

    By role, means over the seatings: by the report's rule; with a rule that sees what the role sees; with all roles
    known; and with all roles known, but targets named before cards are drawn. The rule that sees what the role sees is
    changed for the better so often (`blind_reply`). Columns ``fixed rule``, ``roles hidden``, ``roles known``,
    ``cards unseen``.
    """
    lineup, rows = Lineup.parse(lineup), {}
    plain = np.mean([solve(seating).expected_scores() for seating in lineup.seatings()], axis=0)
    for role in (role for role in Role if lineup.counts[role]):
        blind = blind_reply(role, lineup, improvements)
        unseen = [best_reply(seating, role, sees_cards=False).points for seating in lineup.seatings()]
        rows[role.key] = (float(plain[role]), blind.best, blind.upper, float(np.mean(unseen)))
    columns = ["fixed rule", "roles hidden", "roles known", "cards unseen"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("role")


def knowing_from_rows(blind: pd.DataFrame, replies: pd.DataFrame) -> pd.DataFrame:
    """The same for four players, from the rows of long runs."""
    rows = {}
    for role in Role:
        own = blind[blind["role"] == int(role)].iloc[0]
        unseen = replies.loc[replies["role"] == role.key, "unseen"].mean()
        rows[role.key] = (own["report"], own["best"], own["upper"], unseen)
    columns = ["fixed rule", "roles hidden", "roles known", "cards unseen"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("role")


def worth_of_roles(setups: Iterable[mafia.Setup]) -> pd.DataFrame:
    """What a role of Mafia is worth under random play to the town, to whoever has it, and to the others.

    One innocent of each set-up has the role. Columns ``set-up``, ``role``, ``town wins`` (without it, in percent), and
    in percentage points what it is worth to the town's chance to win and to the survival of its holder, of an innocent
    and of a mafioso.
    """
    rows = []
    for setup in setups:
        warn_of_idle(setup, mafia.AS_CODED)
        plain = _survival(setup)
        for role in CARDS:
            town = with_roles(setup, role)
            alive, gain = _survival(town), 100 * (mafia.solve(town) - mafia.solve(setup))
            changes = [alive[who] - plain[who] for who in ("innocent", "mafioso")]
            rows.append((str(setup), role, 100 * mafia.solve(setup), gain, alive[role] - plain["innocent"], *changes))
    worth = ["worth to the town", "to its holder's life", "to an innocent's life", "to a mafioso's life"]
    return meant(pd.DataFrame(rows, columns=["set-up", "role", "town wins", *worth]), residue=1e-9)


def _survival(setup: mafia.Setup) -> dict[str, float]:
    tally = mafia.endings(setup).tally("role", "alive")
    return {role: 100 * float(mean) for role, mean in zip(tally.labels, tally.means, strict=True)}


def without_answers(known: tuple) -> tuple:
    """What a seer of `games.SilentWerewolf` knows, but for what was seen: only at whom the seer has looked."""
    *rest, seen = known
    return (*rest, tuple(seat for seat, _ in seen))


def worth_of_knowledge(
    game: Game,
    sees: Callable[[Hashable], Hashable],
    players: Collection[int],
    ways: Collection[str],
    iterations: int,
    starts: int,
) -> pd.DataFrame:
    """What a piece of knowledge is worth to each side of a game that hides something.

    In each of the built-in `ways` to play, and in play found by so many iterations of counterfactual regret
    minimisation, from so many starts: equal chances, and strategies drawn by chance. Of these plays the first is
    compared, with the knowledge and without, and of those that are near an equilibrium (`policies.NEAR`) the two
    between which it is worth least, and most, to whom it belongs.
    Columns ``all play``, ``who``, ``wins``, ``wins without``, ``worth`` in percent and percentage points, and for play
    that was found how far it is from an equilibrium: ``off``, ``off without``, what all together could gain by leaving
    it alone, in payoffs.
    """
    games = {"wins": game, "wins without": without_knowledge(game, sees, players)}
    found, off, ordered = {}, {}, {}
    for name, each in games.items():
        tree, seats = cfr.GameTree(each), Seats.of(each)
        begins = [None, *(cfr.random_profile(tree, seed) for seed in range(1, starts))]
        solved = {str(number): cfr.solve(tree, iterations, "cfr+", start=start) for number, start in enumerate(begins)}
        own = {number: result.average_strategy for number, result in solved.items()}
        play = ExactPlay(GameGraph(each), seats, own, ways)
        tallies = {level: play.endings(level).tally(seats.kind) for level in play.levels}
        found[name] = {level: dict(_labelled(tally)) for level, tally in tallies.items()}
        off[name] = {number: result.nash_conv for number, result in solved.items()}
        whose = seats.labels[seats.kind][min(players)]
        near = [number for number in solved if off[name][number] <= max(off[name]["0"], NEAR)]
        ordered[name] = sorted(near, key=lambda number, shares=found[name]: shares[number][whose])
    given, taken = ordered.values()
    pairs = {way: (way, way) for way in ways} | {"first found": ("0", "0")}
    pairs |= {"worth least": (given[0], taken[-1]), "worth most": (given[-1], taken[0])}
    rows = [
        (
            way,
            who,
            100 * share,
            100 * found["wins without"][without][who],
            off["wins"].get(with_it),
            off["wins without"].get(without),
        )
        for way, (with_it, without) in pairs.items()
        for who, share in found["wins"][with_it].items()
    ]
    table = pd.DataFrame(rows, columns=["all play", "who", "wins", "wins without", "off", "off without"])
    table.insert(4, "worth", table["wins"] - table["wins without"])
    return meant(table, residue=1e-9)


def _labelled(tally) -> Iterable[tuple[Hashable, float]]:
    return zip(tally.labels, map(float, tally.means), strict=True)
