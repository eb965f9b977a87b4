"""Games of OpenSpiel: chess, poker, dice and some hundred more, for every method of this collection.

`game("kuhn_poker(players=3)")` is a game that OpenSpiel knows by this name; it also takes a `pyspiel.Game`. Moves are
OpenSpiel's actions, whole numbers, which `Adapter.name` puts into words. A game in which players move at once, such as
goofspiel, is a `protocols.SimultaneousGame`, and `multiplayer.in_turn` has them asked one after another. OpenSpiel is
the extra `openspiel`; nothing of it is imported before it is asked for. M. Lanctot and others, "OpenSpiel: a framework
for reinforcement learning in games", arXiv:1908.09453, 2019.
"""

from itertools import product
from typing import Any

from gamebalance.base.checks import shown
from gamebalance.games.adapters.replayed import AtOnce, InTurn, Replayed, State, library
from gamebalance.multiplayer.protocols import CHANCE, OVER


class Played(Replayed):
    """What all games of OpenSpiel have in common.

    A state is the tuple of the actions so far. If `merged`, states are equal where OpenSpiel's text of the state, the
    players to move, their actions and the returns are: right if these decide how the game can go on, as in tic-tac-toe,
    wrong if more counts, as repetitions do in chess. None merges states that are also equally many moves from the
    start, and only if one player at a time moves, all positions can be visited and no difference shows. Payoffs before
    the end are what OpenSpiel has paid so far.
    """

    def __init__(self, source: Any, merged: bool | None = None):
        self.source = _known(source)
        self.players = self.source.num_players()
        super().__init__(self.source, merged)

    def payoffs(self, state: State) -> tuple[float, ...]:
        return tuple(self._at(state).returns())

    def _begin(self) -> Any:
        return self.source.new_initial_state()

    def _movers(self, position: Any) -> Any:
        if position.is_terminal():
            return OVER
        if position.is_simultaneous_node():
            return tuple(player for player in range(self.players) if position.legal_actions(player))
        return CHANCE if position.is_chance_node() else (position.current_player(),)

    def _actions(self, position: Any) -> dict[int, tuple[int, ...]]:
        return {player: tuple(position.legal_actions(player)) for player in self._movers(position)}

    def _seen(self, position: Any, player: int | None = None) -> Any:
        if player is not None:
            return position.observation_string(player)
        movers = self._movers(position)
        if movers == CHANCE:
            options = tuple(position.chance_outcomes())
        else:
            options = () if movers == OVER else tuple(self._actions(position).items())
        return movers, options, tuple(position.returns()), str(position)

    def _known_to(self, state: State, player: int) -> tuple:
        """The player and OpenSpiel's information state, or else all that the player saw and did at its turns."""
        if not self.source.get_type().provides_information_state_string:
            return self._recalled(state, player)
        return player, self._at(state).information_state_string(player)


class Adapter(InTurn, Played):
    """A `pyspiel.Game` in which one player at a time moves, and all is seen, as a `protocols.Game`.

    >>> from gamebalance.multiplayer import search
    >>> nim = game("nim(pile_sizes=1;2)")
    >>> found = search.maxn(nim, nim.start())
    >>> found.value, nim.name(nim.start(), found.move)  # whoever takes the last one loses
    ((1.0, -1.0), 'pile:2, take:2;')
    """

    def moves(self, state: State) -> tuple | dict:
        position = self._at(state)
        return dict(position.chance_outcomes()) if position.is_chance_node() else tuple(position.legal_actions())

    def name(self, state: State, move: int) -> str:
        """What OpenSpiel calls a move."""
        return self._at(state).action_to_string(self._at(state).current_player(), move)

    def _options(self, position: Any) -> Any:
        return position.legal_actions()

    def _after(self, position: Any, move: int) -> Any:
        if move not in position.legal_actions():
            raise ValueError(f"move = {shown(move)}: one of {shown(position.legal_actions())} is needed")
        return position.child(move)


class ExtensiveAdapter(Adapter):
    """The same with hidden information, as a `protocols.ExtensiveGame`.

    Information is the player and OpenSpiel's information state, or else all that the player saw and did at its turns.
    """

    def information(self, state: State) -> tuple:
        return self._known_to(state, self.mover(state))


class SimultaneousAdapter(AtOnce, Played):
    """A `pyspiel.Game` in which players move at once, and all else is seen, as a `protocols.SimultaneousGame`.

    >>> from gamebalance.multiplayer import cfr, in_turn
    >>> prison = game("matrix_pd")
    >>> prison.movers(()), prison.moves(()), prison.payoffs(((0, 1),))
    ((0, 1), {0: (0, 1), 1: (0, 1)}, (0.0, 10.0))
    >>> cfr.GameTree(in_turn(prison))
    GameTree(SimultaneousAdapter(matrix_pd()): 7 nodes, 2 information sets)
    """

    def moves(self, state: State) -> dict:
        position = self._at(state)
        return dict(position.chance_outcomes()) if position.is_chance_node() else self._actions(position)

    def name(self, state: State, move: Any) -> str:
        """What OpenSpiel calls a move of chance, or the moves of those who move at once."""
        position, movers = self._at(state), self.movers(state)
        pairs = [(CHANCE, move)] if movers == CHANCE else zip(movers, move, strict=True)
        return ", ".join(position.action_to_string(player, action) for player, action in pairs)

    def _options(self, position: Any) -> Any:
        if self._movers(position) in (CHANCE, OVER):
            return position.legal_actions()
        return product(*self._actions(position).values())

    def _after(self, position: Any, move: Any) -> Any:
        if move not in self._options(position):
            raise ValueError(f"move = {shown(move)}: one of {shown(tuple(self._options(position)))} is needed")
        if position.is_chance_node():
            return position.child(move)
        if not position.is_simultaneous_node():
            return position.child(move[0])
        chosen = dict(zip(self._movers(position), move, strict=True))
        after = position.clone()
        after.apply_actions([chosen.get(player, 0) for player in range(self.players)])  # who has no action does 0
        return after


class ExtensiveSimultaneousAdapter(SimultaneousAdapter):
    """The same with more that is hidden than what others do at once."""

    def information(self, state: State, player: int) -> tuple:
        """The player and OpenSpiel's information state, or else all that the player saw and did at its turns."""
        return self._known_to(state, player)


def game(source: Any, merged: bool | None = None) -> Adapter | SimultaneousAdapter:
    """The adapter of a game, given by its name or as a `pyspiel.Game`, that fits what it hides and who moves at once.

    Examples
    --------
    >>> game("kuhn_poker"), game("matrix_rps"), game("tic_tac_toe")
    (ExtensiveAdapter(kuhn_poker()), SimultaneousAdapter(matrix_rps()), Adapter(tic_tac_toe(), 5,478 positions))
    """
    source = _known(source)
    hides = source.get_type().information == source.get_type().information.IMPERFECT_INFORMATION
    if _is_at_once(source):
        return (ExtensiveSimultaneousAdapter if hides else SimultaneousAdapter)(source, merged)
    return (ExtensiveAdapter if hides else Adapter)(source, merged)


def _is_at_once(source: Any) -> bool:
    return source.get_type().dynamics == source.get_type().dynamics.SIMULTANEOUS


def _known(source: Any) -> Any:
    """The `pyspiel.Game` of finitely many players, whose chances are known."""
    pyspiel = library("pyspiel", "openspiel")
    if isinstance(source, str) and source.split("(")[0] in pyspiel.registered_names():
        try:
            source = pyspiel.load_game(source)
        except pyspiel.SpielError as error:
            raise ValueError(f"source = {shown(source)}: {' '.join(str(error).split())}") from None
    if not isinstance(source, pyspiel.Game):
        raise ValueError(f"source = {shown(source)}: the name of a game of OpenSpiel, or a pyspiel.Game, is needed")
    kind = source.get_type()
    if kind.dynamics == kind.dynamics.MEAN_FIELD or kind.chance_mode == kind.chance_mode.SAMPLED_STOCHASTIC:
        raise ValueError(f"source = {source}: players who are counted, and chances that are known, are needed")
    return source
