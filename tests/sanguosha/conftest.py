"""What tests of Sanguosha share."""

import pytest

from gamebalance.sanguosha import exact


@pytest.fixture(scope="module")
def solved_once():
    """Each seating is solved once under the same rules and policies, whichever test of a module asks first."""
    found, solve = {}, exact.solve

    def again(seating, rules, policies, *rest):
        key = str(seating), rules, frozenset((policies or {}).items()), rest
        if key not in found:
            found[key] = solve(seating, rules, policies, *rest)
        return found[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exact, "solve", again)
        yield
