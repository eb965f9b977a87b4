# What type checkers read in place of the table of lazy_loader; tests/test_wheel.py compares the two.
from gamebalance.countn.rules import LARGEST_N as LARGEST_N
from gamebalance.countn.rules import OVERFLOWS as OVERFLOWS
from gamebalance.countn.rules import START as START
from gamebalance.countn.rules import WITHDRAWN as WITHDRAWN
from gamebalance.countn.rules import Game as Game
from gamebalance.countn.rules import Move as Move
from gamebalance.countn.solution import Option as Option
from gamebalance.countn.solution import Solution as Solution
from gamebalance.countn.solution import solve as solve
from gamebalance.countn.solution import what_if as what_if
from gamebalance.countn.states import START_STATE as START_STATE
from gamebalance.countn.states import TwoPlayerGame as TwoPlayerGame
