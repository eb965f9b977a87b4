"""Games made from a seed in which all seats are alike, however they are asked and whatever their moves are called."""

from itertools import product
from random import Random

from gamebalance.multiplayer import CHANCE, OVER


class Hidden:
    """Rounds of hidden choices, asked in any order; payoffs hang on the own choices and on the others' as a set.

    Parameters
    ----------
    seed : int
        Of the payoffs, of the order in which players are asked, and of what each calls the moves.
    drawn : bool
        Whether each player gets a card first, which only that player sees.
    """

    def __init__(self, seed, players=3, rounds=1, moves=2, drawn=False):
        random = Random(seed)
        self.players, self.rounds, self.seed, self.drawn = players, rounds, seed, drawn
        self.order = random.sample(range(players), players)
        self.names = [random.sample(range(10), moves) for _ in range(players)]
        self.deals = list(product("ab", repeat=players)) if drawn else [("a",) * players]

    def start(self):
        return None, (), ()

    def mover(self, state):
        cards, done, now = state
        if cards is None:
            return CHANCE
        return OVER if len(done) == self.rounds else self.order[len(now)]

    def moves(self, state):
        if state[0] is None:
            return {deal: 1 / len(self.deals) for deal in self.deals}
        return self.names[self.mover(state)]

    def play(self, state, move):
        cards, done, now = state
        if cards is None:
            return move, done, now
        meant = self.names[self.mover(state)].index(move)
        now = (*now, meant)
        if len(now) < self.players:
            return cards, done, now
        return cards, (*done, tuple(now[self.order.index(player)] for player in range(self.players))), ()

    def payoffs(self, state):
        cards, done, _ = state
        own = [(cards[player], *(each[player] for each in done)) for player in range(self.players)]
        rest = [sorted(own[:player] + own[player + 1 :]) for player in range(self.players)]
        return [Random(str((self.seed, *pair))).randint(0, 5) for pair in zip(own, rest, strict=True)]

    def information(self, state):
        cards, done, _ = state
        return self.mover(state), cards[self.mover(state)], done


class AtOnce:
    """The same, chosen at once."""

    def __init__(self, *given, **named):
        self.game = Hidden(*given, **named)
        self.players = self.game.players

    def start(self):
        return self.game.start()

    def movers(self, state):
        mover = self.game.mover(state)
        return mover if mover < 0 else self.game.order

    def moves(self, state):
        if state[0] is None:
            return self.game.moves(state)
        return {player: self.game.names[player] for player in range(self.players)}

    def play(self, state, move):
        if state[0] is None:
            return self.game.play(state, move)
        for each in move:
            state = self.game.play(state, each)
        return state

    def payoffs(self, state):
        return self.game.payoffs(state)

    def information(self, state, player):
        cards, done, _ = state
        return cards[player], done
