"""A rule is shown as it is written, with the first line of its docstring."""

import functools

from gamebalance import publish


def plain(x):
    # A comment stays.
    return x + 1


def described(x):
    """Add one.

    At length.
    """
    if x:
        return x + 1

    return 1


class Game:
    @functools.cache  # noqa: B019
    def move(self):
        """Move."""
        return {"主公": 1}


PLAIN = "def plain(x):\n    # A comment stays.\n    return x + 1"
DESCRIBED = 'def described(x):\n    """Add one."""\n    if x:\n        return x + 1\n\n    return 1'
MOVE = '@functools.cache  # noqa: B019\ndef move(self):\n    """Move."""\n    return {"主公": 1}'


def test_code_as_it_is_written():
    """What is wrapped is shown itself."""
    assert publish.source(plain).data == f"```python\n{PLAIN}\n```"
    assert publish.source(plain, described, Game.move).data == f"```python\n{PLAIN}\n\n{DESCRIBED}\n\n{MOVE}\n```"
