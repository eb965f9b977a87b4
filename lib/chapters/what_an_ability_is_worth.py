"""What cards, moves, roles and knowledge are worth: a chance with the thing less that without it, in points."""

import numpy as np
import pandas as pd

from gamebalance.base.rounding import meant
from gamebalance.base.workers import for_each
from gamebalance.fairness.reports.exact import ExactPlay
from gamebalance.fairness.reports.report import report
from gamebalance.fairness.reports.tables import Seats, without_knowledge, without_moves
from gamebalance.multiplayer import cfr
from gamebalance.multiplayer.graph import GameGraph
from gamebalance.multiplayer.graph.policies import NEAR, chances_of
from gamebalance.multiplayer.protocols import legal_moves
from gamebalance.sanguosha.exact import solve
from gamebalance.sanguosha.lineup import Lineup, Role
from gamebalance.sanguosha.replies import best_reply, blind_reply
from gamebalance.sanguosha.rules import AS_CODED, Card, Rules
from gamebalance.sanguosha.scoring import SIDES

EVERYBODY = "everybody"
KNOWLEDGE = ["fixed rule", "roles hidden", "roles known", "cards unseen"]


def deck_without(card):
    """The rules with a deck that lacks a card: whoever would have drawn it draws again. Of slashes half are left."""
    deck = dict(zip(Card, AS_CODED.deck, strict=True))
    if card == Card.SLASH:  # without any the game could not end
        return Rules(deck=tuple(count if kind == card else 2 * count for kind, count in deck.items()))
    return Rules(deck=tuple(0 if kind == card else count for kind, count in deck.items()))


def chances(outcomes):
    """Of the roles of a game, in percent: to win, as a member of a side that wins, and to survive."""
    roles = [role for role in Role if outcomes.lineup.counts[role]]
    won = {("wins", role.key): 100 * outcomes.winning[SIDES[role]] for role in roles}
    return pd.Series(won | {("survives", role.key): 100 * float(outcomes.survival[role]) for role in roles})


def worth_of_cards(seating, ways, cards=tuple(Card), workers=1):
    """What each card is worth to each role under several ways to play, exactly; first the chances with all cards."""
    games = [(way, card) for way in ways for card in (None, *cards)]
    outcomes = for_each(games, played, workers, None, None, (seating, ways))
    rows = {}
    for way, card in games:
        own, base = chances(outcomes[way, card]), chances(outcomes[way, None])
        rows[way, "" if card is None else card.english] = own if card is None else base - own
    return meant(pd.DataFrame(rows).T.rename_axis(["all play", "card"]), residue=1e-9)


def played(game, seating, ways):
    """The outcomes of a way to play, without a card or with all."""
    way, card = game
    return solve(seating, AS_CODED if card is None else deck_without(card), ways[way])


def as_far_as_allowed(policy, game):
    """A policy under a restriction: the moves that are left in their proportions, any move where none is."""

    def chances_left(state, moves):
        every = tuple(legal_moves(game, state))
        wanted = dict(zip(every, chances_of(policy, state, every), strict=True))
        total = sum(wanted[move] for move in moves)
        return {move: wanted[move] / total if total > 0 else 1 / len(moves) for move in moves}

    return chances_left


def worth_of_moves(game, restrictions, ways, policies=None):
    """What moves are worth when one alone, or all, do without them; lifted where no move would be left. Exact."""
    seats = Seats.of(game)
    whom = {str(name): [seat] for seat, name in enumerate(seats.labels[seats.kind])} | {EVERYBODY: None}
    changed = {
        (what, who): without_moves(game, allows, players, lifted=True)
        for what, allows in restrictions.items()
        for who, players in whom.items()
    }
    allowed = {name: as_far_as_allowed(policy, game) for name, policy in (policies or {}).items()}
    made = report(game, policies=allowed, without=changed, ways=ways, states=200_000, games=2, contests=2)
    worth = made.worth.assign(what=[what for what, _ in made.worth["without"]])
    worth["who does without"] = [who for _, who in made.worth["without"]]
    index = ["what", "who does without", "all play"]
    table = worth.pivot_table(index=index, columns="who", values="worth, points", sort=False)
    return meant(table.reset_index().rename(columns={"what": "without"}).rename_axis(columns=None), residue=1e-9)


def by_hands_of(game, after):
    """Count-N for three: the moves whose result can be had with the hands of one opponent, the next (1) or last (2)."""
    return lambda state, move: any(
        move.hands == other.hands for other in game.rules.moves(state.position[0], state.position[after % 3])
    )


def to_hand(game, hand):
    """Count-N for three: the moves whose result can be had by adding to the smaller own hand (0), or the larger (1)."""

    def allows(state, move):
        own, *others = state.position
        if own[hand] is None:
            return False
        results = [game.rules.total(own[hand], number) for other in others for number in other if number is not None]
        return any(set(move.hands) == {result, own[1 - hand]} for result in results)

    return allows


def knowing(lineup, improvements):
    """What Sanguosha's roles score with ever more skill and knowledge, the others by the report's rule."""
    lineup, rows = Lineup.parse(lineup), {}
    plain = np.mean([solve(seating).expected_scores() for seating in lineup.seatings()], axis=0)
    for role in (role for role in Role if lineup.counts[role]):
        blind = blind_reply(role, lineup, improvements)
        unseen = [best_reply(seating, role, sees_cards=False).points for seating in lineup.seatings()]
        rows[role.key] = (float(plain[role]), blind.best, blind.upper, float(np.mean(unseen)))
    return pd.DataFrame.from_dict(rows, orient="index", columns=KNOWLEDGE).rename_axis("role")


def knowing_from_rows(blind, replies):
    """The same for four players, from the rows of long runs."""
    rows = {}
    for role in Role:
        own = blind[blind["role"] == int(role)].iloc[0]
        unseen = replies.loc[replies["role"] == role.key, "unseen"].mean()
        rows[role.key] = (own["report"], own["best"], own["upper"], unseen)
    return pd.DataFrame.from_dict(rows, orient="index", columns=KNOWLEDGE).rename_axis("role")


def by_label(tally, factor=1):
    return {label: factor * float(mean) for label, mean in zip(tally.labels, tally.means, strict=True)}


def without_answers(known):
    """What a seer of `games.SilentWerewolf` knows, but for what was seen: only at whom the seer has looked."""
    *rest, seen = known
    return (*rest, tuple(seat for seat, _ in seen))


def worth_of_knowledge(game, sees, players, ways, iterations, starts):
    """What knowledge is worth to each side, in ways to play and between equilibria that CFR+ finds."""
    shares, off, ordered = {}, {}, []
    for name, each in (("wins", game), ("wins without", without_knowledge(game, sees, players))):
        tree, seats = cfr.GameTree(each), Seats.of(each)
        begins = [None, *(cfr.random_profile(tree, seed) for seed in range(1, starts))]
        solved = {str(number): cfr.solve(tree, iterations, "cfr+", start=start) for number, start in enumerate(begins)}
        own = {number: result.average_strategy for number, result in solved.items()}
        play = ExactPlay(GameGraph(each), seats, own, ways)
        shares[name] = {level: by_label(play.endings(level).tally(seats.kind)) for level in play.levels}
        off[name] = {number: result.nash_conv for number, result in solved.items()}
        whose = seats.labels[seats.kind][min(players)]
        near = [number for number in solved if off[name][number] <= max(off[name]["0"], NEAR)]
        ordered.append(sorted(near, key=lambda number, shares=shares[name]: shares[number][whose]))
    given, taken = ordered
    pairs = {way: (way, way) for way in ways} | {"first found": ("0", "0")}
    pairs |= {"worth least": (given[0], taken[-1]), "worth most": (given[-1], taken[0])}
    rows = []
    for way, (having, lacking) in pairs.items():
        distances = off["wins"].get(having), off["wins without"].get(lacking)
        for who, share in shares["wins"][having].items():
            rows.append((way, who, 100 * share, 100 * shares["wins without"][lacking][who], *distances))
    table = pd.DataFrame(rows, columns=["all play", "who", "wins", "wins without", "off", "off without"])
    table.insert(4, "worth", table["wins"] - table["wins without"])
    return meant(table, residue=1e-9)
