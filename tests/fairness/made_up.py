"""Games that are made up so that their luck, skill and kingmaking are known without any computation."""

from math import log2

from gamebalance.multiplayer.protocols import CHANCE, OVER


class Coin:
    """Everybody makes a move that counts for nothing; then chance draws the winner."""

    def __init__(self, players=3):
        self.players = players

    def start(self):
        return ()

    def mover(self, state):
        return len(state) if len(state) < self.players else CHANCE if len(state) == self.players else OVER

    def moves(self, state):
        return dict.fromkeys(range(self.players), 1 / self.players) if self.mover(state) == CHANCE else "ab"

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        return tuple(float(state[-1] == seat) for seat in range(self.players))


class Race(Coin):
    """Everybody says 0 or 1 (the standing, too); with chance `luck` the winner is drawn, else it is who alone said 1.

    If that is nobody or are several, nobody wins.
    """

    def __init__(self, players=3, luck=0.0):
        super().__init__(players)
        self.luck = luck

    def moves(self, state):
        if self.mover(state) != CHANCE:
            return (0, 1)
        drawn = {("drawn", seat): self.luck / self.players for seat in range(self.players)}
        return {**drawn, "played": 1 - self.luck} if self.luck else {"played": 1.0}

    def payoffs(self, state):
        said = state[: self.players]
        if len(state) > self.players and state[-1] != "played":
            return tuple(float(state[-1][1] == seat) for seat in range(self.players))
        return tuple(float(said[seat] == 1 and sum(said) == 1) for seat in range(len(said))) + (0.0,) * (
            self.players - len(said)
        )


class Dictator(Coin):
    """The first player, who gets nothing, says which of the others wins."""

    def mover(self, state):
        return OVER if state else 0

    def moves(self, state):
        return tuple(range(1, self.players))


class Guess:
    """Chance hides 0 or 1; the first player sees it and tells 0 or 1, the second wins by saying what was hidden.

    Asking for what somebody knows who does not move is an error, and so is reading what is not there.
    """

    players = 2

    def start(self):
        return ()

    def mover(self, state):
        return (CHANCE, 0, 1, OVER)[len(state)]

    def moves(self, state):
        return {0: 0.5, 1: 0.5} if not state else (0, 1)

    def play(self, state, move):
        return (*state, move)

    def payoffs(self, state):
        if len(state) < 3:
            raise RuntimeError("nobody knows yet")
        return (0.0, 1.0) if state[2] == state[0] else (1.0, 0.0)

    def information(self, state):
        if not 0 < len(state) < 3:
            raise RuntimeError("nobody moves here")
        return ("first", state[0]) if len(state) == 1 else ("second", state[1])


def always(move):
    """The policy that says one thing."""
    return lambda known, moves: move


def entropy(*chances):
    """In bits."""
    return -sum(chance * log2(chance) for chance in chances if chance > 0)


SAYS = {"zero": always(0), "one": always(1)}
