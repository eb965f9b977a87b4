# What type checkers read in place of the table of lazy_loader; tests/test_wheel.py compares the two.
from gamebalance.multiplayer import beliefs as beliefs
from gamebalance.multiplayer import cfr as cfr
from gamebalance.multiplayer import cooperative as cooperative
from gamebalance.multiplayer import normal_form as normal_form
from gamebalance.multiplayer import protocols as protocols
from gamebalance.multiplayer import search as search
from gamebalance.multiplayer.at_once import in_turn as in_turn
from gamebalance.multiplayer.at_once import with_memory as with_memory
from gamebalance.multiplayer.protocols import CHANCE as CHANCE
from gamebalance.multiplayer.protocols import OVER as OVER
