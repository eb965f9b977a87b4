"""A small draft, its rules written down in several ways: three players, hands passed on, sets score."""

from collections import Counter
from functools import cache
from itertools import permutations

from gamebalance.multiplayer import in_turn
from gamebalance.multiplayer.protocols import CHANCE, OVER

#: Two a's are 5 points, one is nothing; one b is 3, two are nothing; a c is 2.
DECK = "aaabbbc"


def score(cards):
    a, b, c = map(cards.count, "abc")
    return 5 * (a == 2) + 3 * (b == 1) + 2 * c


@cache
def deals():
    """All hands, with their probabilities."""
    counts = Counter(tuple(tuple(sorted(deck[at : at + 2])) for at in (0, 2, 4)) for deck in permutations(DECK))
    return {deal: count / counts.total() for deal, count in counts.items()}


class Draft:
    """Each has two cards, keeps one and passes the other on to the next; one card is left over.

    `singly` deals card by card, else all cards in one move of chance. Players choose one after another, in `order`.
    A state has the hands and what is kept, which all see, and what has been chosen this round, which nobody sees.
    """

    players = 3

    def __init__(self, singly, order=(0, 1, 2)):
        self.singly, self.order = singly, order

    def start(self):
        return ((), (), ()), ((), (), ()), ()

    def mover(self, state):
        hands, kept, chosen = state
        if not any(kept) and len(hands[2]) < 2:
            return CHANCE
        return self.order[len(chosen)] if any(hands) else OVER

    def moves(self, state):
        hands = state[0]
        if self.mover(state) != CHANCE:
            return tuple(dict.fromkeys(hands[self.mover(state)]))
        if not self.singly:
            return deals()
        left = Counter(DECK) - Counter("".join(map("".join, hands)))
        return {card: count / left.total() for card, count in left.items()}

    def play(self, state, move):
        hands, kept, chosen = state
        if self.mover(state) == CHANCE:
            if not self.singly:
                return move, kept, ()
            to = [len(hand) for hand in hands].index(min(len(hand) for hand in hands))
            return _with(hands, to, tuple(sorted((*hands[to], move)))), kept, ()
        chosen = (*chosen, move)
        if len(chosen) < 3:
            return hands, kept, chosen
        return self.passed_on(hands, kept, dict(zip(self.order, chosen, strict=True)))

    def passed_on(self, hands, kept, chosen):
        for player, card in chosen.items():
            left = list(hands[player])
            left.remove(card)
            hands = _with(hands, player, tuple(left))
            kept = _with(kept, player, tuple(sorted((*kept[player], card))))
        return hands[-1:] + hands[:-1], kept, ()

    def payoffs(self, state):
        return tuple(map(score, state[1]))

    def information(self, state):
        return self.mover(state), *state[:2]


class DraftAtOnce:
    """The same with players who choose at once."""

    players = 3

    def __init__(self, singly):
        self.draft = Draft(singly)

    def start(self):
        return self.draft.start()

    def movers(self, state):
        mover = self.draft.mover(state)
        return (0, 1, 2) if mover >= 0 else mover

    def moves(self, state):
        hands = state[0]
        chance = self.draft.mover(state) == CHANCE
        return (
            self.draft.moves(state) if chance else {player: tuple(dict.fromkeys(hands[player])) for player in range(3)}
        )

    def play(self, state, move):
        if self.draft.mover(state) == CHANCE:
            return self.draft.play(state, move)
        return self.draft.passed_on(*state[:2], dict(enumerate(move)))

    def payoffs(self, state):
        return self.draft.payoffs(state)


def _with(parts, place, part):
    return (*parts[:place], part, *parts[place + 1 :])


#: The same draft, however its rules are written.
WAYS = {
    "singly, in turn": Draft(True),
    "at once, in turn": Draft(False),
    "at once, the last one first": Draft(False, (2, 0, 1)),
    "singly, at once": in_turn(DraftAtOnce(True)),
    "at once, at once": in_turn(DraftAtOnce(False)),
}
