"""The stored showdowns of all pairs of starting hands, read once."""

import pytest

from gamebalance.games import holdem
from gamebalance.games.holdem import cards, equity
from gamebalance.publish import heavy


@pytest.fixture(scope="session")
def stored():
    """Wins and ties of each hand against each."""
    return equity.counts(heavy.results("holdem-pairs"))


@pytest.fixture(scope="session")
def share(stored):
    """The equity of each hand against each."""
    return equity.equities(*stored)


@pytest.fixture(scope="session")
def against_any(share):
    """The equity of each hand against a random one."""
    ways = cards.disjoint_deals()
    return (share * ways).sum(axis=1) / ways.sum(axis=1)


@pytest.fixture(scope="session")
def heads_up(stored):
    return holdem.heads_up(*stored)
