"""Games of OpenSpiel: chess, poker, dice and some hundred more, for every method of this collection.

`game("kuhn_poker(players=3)")` is a game that OpenSpiel knows by this name; it also takes a `pyspiel.Game`. Moves are
OpenSpiel's actions, whole numbers, which `Adapter.name` puts into words. Players who move at once are asked in turn,
and none knows the others' choices. OpenSpiel is the extra `openspiel`; nothing of it is imported before it is asked
for. M. Lanctot and others, "OpenSpiel: a framework for reinforcement learning in games", arXiv:1908.09453, 2019.
"""

from typing import Any

from gamebalance.base.checks import shown
from gamebalance.games.adapters.replayed import Replayed, State, library
from gamebalance.multiplayer.protocols import OVER


class Adapter(Replayed):
    """A `pyspiel.Game` as a `protocols.Game`.

    A state is the tuple of the actions so far. If `merged`, states are equal where OpenSpiel's text of the state, the
    player to move, its actions and the returns are: right if these decide how the game can go on, as in tic-tac-toe,
    wrong if more counts, as repetitions do in chess. Payoffs before the end are what OpenSpiel has paid so far.

    >>> from gamebalance.multiplayer import search
    >>> nim = game("nim(pile_sizes=1;2)", merged=True)
    >>> found = search.maxn(nim, nim.start())
    >>> found.value, nim.name(nim.start(), found.move)  # whoever takes the last one loses
    ((1.0, -1.0), 'pile:2, take:2;')
    """

    def __init__(self, source: Any, merged: bool = False):
        self.source = _sequential(source)
        self.players = self.source.num_players()
        super().__init__(merged)
        if merged and hasattr(self, "information"):
            raise ValueError(f"merged = True: {self!r} hides something, and there the past matters")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.source})"

    def moves(self, state: State) -> tuple | dict:
        position = self._at(state)
        return dict(position.chance_outcomes()) if position.is_chance_node() else tuple(position.legal_actions())

    def payoffs(self, state: State) -> tuple[float, ...]:
        return tuple(self._at(state).returns())

    def name(self, state: State, move: int) -> str:
        """What OpenSpiel calls a move."""
        return self._at(state).action_to_string(self._at(state).current_player(), move)

    def _begin(self) -> Any:
        return self.source.new_initial_state()

    def _after(self, position: Any, move: int) -> Any:
        if move not in position.legal_actions():
            raise ValueError(f"move = {shown(move)}: one of {shown(position.legal_actions())} is needed")
        return position.child(move)

    def _mover(self, position: Any) -> int:
        return OVER if position.is_terminal() else position.current_player()

    def _seen(self, position: Any, player: int | None = None) -> Any:
        if player is not None:
            return position.observation_string(player)
        return self._mover(position), tuple(position.legal_actions()), tuple(position.returns()), str(position)


class ExtensiveAdapter(Adapter):
    """The same with hidden information, as a `protocols.ExtensiveGame`.

    Information is the player and OpenSpiel's information state, or else all that the player saw and did at its turns.
    """

    def information(self, state: State) -> tuple:
        if not self.source.get_type().provides_information_state_string:
            return self._recalled(state)
        return self.mover(state), self._at(state).information_state_string(self.mover(state))


def game(source: Any, merged: bool = False) -> Adapter:
    """The adapter of a game, given by its name or as a `pyspiel.Game`; an `ExtensiveAdapter` if it hides something."""
    source = _sequential(source)
    kind = source.get_type().information
    return (Adapter if kind == kind.PERFECT_INFORMATION else ExtensiveAdapter)(source, merged)


def _sequential(source: Any) -> Any:
    """The `pyspiel.Game` in which one player at a time moves, or chance, whose chances are known."""
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
        raise ValueError(f"source = {source}: players who move in turn, and chances that are known, are needed")
    return pyspiel.convert_to_turn_based(source) if kind.dynamics == kind.dynamics.SIMULTANEOUS else source
