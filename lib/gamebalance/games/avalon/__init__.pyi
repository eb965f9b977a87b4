# What type checkers read in place of the table of lazy_loader; tests/test_wheel.py compares the two.
from gamebalance.games.avalon import bounds as bounds
from gamebalance.games.avalon import posterior as posterior
from gamebalance.games.avalon import rules as rules
from gamebalance.games.avalon.playing import Played as Played
from gamebalance.games.avalon.playing import Policy as Policy
from gamebalance.games.avalon.playing import Public as Public
from gamebalance.games.avalon.playing import at_random as at_random
from gamebalance.games.avalon.playing import games as games
from gamebalance.games.avalon.playing import good_wins as good_wins
from gamebalance.games.avalon.playing import play as play
from gamebalance.games.avalon.playing import simulate as simulate
from gamebalance.games.avalon.policies import AtRandom as AtRandom
from gamebalance.games.avalon.policies import Sensible as Sensible
from gamebalance.games.avalon.rules import BOARDS as BOARDS
from gamebalance.games.avalon.rules import Board as Board
