"""What is refused: by a ValueError whose text is one line and says what tests expect."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest


@contextmanager
def refused(*parts: str, match: str | None = None) -> Iterator[None]:
    """What is done in this context is refused, in words that hold all parts and match a regular expression."""
    with pytest.raises(ValueError, match=match) as error:
        yield
    text = str(error.value)
    assert "\n" not in text and all(part in text for part in parts), text


def refuses(*cases: tuple[Callable[[], object], str]) -> Callable[..., None]:
    """A test that each call is refused in words that match its regular expression."""

    @pytest.mark.parametrize(("call", "message"), cases)
    def is_refused(call, message):
        with refused(match=message):
            call()

    return is_refused
