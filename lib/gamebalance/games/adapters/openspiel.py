"""Games of OpenSpiel: chess, poker, dice and some hundred more, for every method of this collection.

`game("kuhn_poker(players=3)")` is a game that OpenSpiel knows by this name; it also takes a `pyspiel.Game`. Moves are
OpenSpiel's actions, which its `name` puts into words; players who move at once are asked one after another by
`multiplayer.in_turn`. OpenSpiel is the extra `openspiel`. M. Lanctot and others, arXiv:1908.09453, 2019.
"""

from typing import Any

from gamebalance.base.checks import shown
from gamebalance.games.adapters.replayed import (
    Adapter,
    ExtensiveAdapter,
    ExtensiveSimultaneousAdapter,
    SimultaneousAdapter,
    library,
)
from gamebalance.multiplayer.protocols import CHANCE, OVER


class Rules:
    """A `pyspiel.Game` as the source of an adapter; positions are its states, which are never changed."""

    def __init__(self, game: Any):
        self.game, self.players, self.kind = game, game.num_players(), game.get_type()

    def __str__(self) -> str:
        return str(self.game)

    def first(self) -> Any:
        return self.game.new_initial_state()

    def after(self, position: Any, moves: Any) -> Any:
        if position.is_chance_node():
            return position.child(moves)
        if not position.is_simultaneous_node():
            return position.child(moves[0])
        chosen = dict(zip(self.movers(position), moves, strict=True))
        after = position.clone()
        after.apply_actions([chosen.get(player, 0) for player in range(self.players)])  # who has no action does 0
        return after

    def movers(self, position: Any) -> Any:
        if position.is_terminal():
            return OVER
        if position.is_simultaneous_node():
            return tuple(player for player in range(self.players) if position.legal_actions(player))
        return CHANCE if position.is_chance_node() else (position.current_player(),)

    def options(self, position: Any) -> dict:
        movers = self.movers(position)
        if movers == CHANCE:
            return dict(position.chance_outcomes())
        return {player: tuple(position.legal_actions(player)) for player in (movers if movers != OVER else ())}

    def paid(self, position: Any) -> tuple[float, ...]:
        return tuple(position.returns())

    def seen(self, position: Any, player: int | None = None) -> Any:
        if player is not None:
            return position.observation_string(player)
        return self.movers(position), tuple(self.options(position).items()), self.paid(position), str(position)

    def known(self, position: Any, player: int) -> str | None:
        """OpenSpiel's information state, where the game has one."""
        return position.information_state_string(player) if self.kind.provides_information_state_string else None

    def name(self, position: Any, player: int, move: int) -> str:
        return position.action_to_string(player, move)


def game(source: Any, merged: bool | None = None) -> Adapter | SimultaneousAdapter:
    """The adapter of a game, given by its name or as a `pyspiel.Game`, that fits what it hides and who moves at once.

    A state is the tuple of the actions so far. If `merged`, states are equal where OpenSpiel's text of the state, the
    players to move, their actions and the returns are: right if these decide how the game can go on, as in tic-tac-toe,
    wrong if more counts, as repetitions do in chess. None merges what is also equally many moves from the start, if all
    positions can be visited and no difference shows. Information is OpenSpiel's information state, or else all that the
    player saw and did at its turns.

    Examples
    --------
    >>> game("kuhn_poker"), game("matrix_rps"), game("tic_tac_toe")
    (ExtensiveAdapter(kuhn_poker()), SimultaneousAdapter(matrix_rps()), Adapter(tic_tac_toe(), 5,478 positions))
    >>> from gamebalance.multiplayer import search
    >>> nim = game("nim(pile_sizes=1;2)")
    >>> found = search.maxn(nim, nim.start())
    >>> found.value, nim.name(nim.start(), found.move)  # whoever takes the last one loses
    ((1.0, -1.0), 'pile:2, take:2;')
    """
    rules = Rules(_known(source))
    hides = rules.kind.information == rules.kind.information.IMPERFECT_INFORMATION
    if rules.kind.dynamics == rules.kind.dynamics.SIMULTANEOUS:
        return (ExtensiveSimultaneousAdapter if hides else SimultaneousAdapter)(rules, merged)
    return (ExtensiveAdapter if hides else Adapter)(rules, merged)


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
