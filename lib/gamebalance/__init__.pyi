# What type checkers read in place of the table of lazy_loader; tests/test_wheel.py compares the two.
from gamebalance import as_published as as_published
from gamebalance import countn as countn
from gamebalance import fairness as fairness
from gamebalance import games as games
from gamebalance import mafia as mafia
from gamebalance import multiplayer as multiplayer
from gamebalance import publish as publish
from gamebalance import sanguosha as sanguosha
from gamebalance.base.version import __version__ as __version__
from gamebalance.fairness.spreads import balance as balance
from gamebalance.fairness.spreads import rationality as rationality
