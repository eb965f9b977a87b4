"""Hands and positions as text: ``1,7 v 2,6``, the mover first, ``-`` for a withdrawn hand."""

import re

from gamebalance.base.checks import shown
from gamebalance.countn.rules import Game, Hands


def hands_text(hands: Hands) -> str:
    """A pair of hands: ``1,7``, ``3,-`` or ``-,-``."""
    return ",".join("-" if number is None else str(number) for number in hands)


def position_text(mover: Hands, opponent: Hands) -> str:
    """A position: ``1,7 v 2,6``."""
    return f"{hands_text(mover)} v {hands_text(opponent)}"


def read_position(text: str, game: Game) -> tuple[Hands, Hands]:
    """The position of this game that a text such as ``1,7 v 2,6`` names, both players' hands in order; else ValueError.

    >>> read_position("7,1 v 3,-", Game(8))
    ((1, 7), (3, None))
    """
    hand = r"\s*([0-9]{1,3}|-)\s*"
    match = re.fullmatch(f"{hand},{hand}v{hand},{hand}", text) if isinstance(text, str) else None
    if not match:
        raise ValueError(f"position = {shown(text)}: such as '1,7 v 2,6' is needed, '-' for a withdrawn hand")
    numbers = [None if number == "-" else int(number) for number in match.groups()]
    return game.check_position(tuple(numbers[:2]), tuple(numbers[2:]))
