# What type checkers read in place of the table of lazy_loader; tests/test_wheel.py compares the two.
from gamebalance.as_published.replays import Replay as Replay
from gamebalance.as_published.replays import replay as replay
from gamebalance.as_published.scores import LAST_ROLES as LAST_ROLES
from gamebalance.as_published.scores import SCORES_AS_PRINTED as SCORES_AS_PRINTED
from gamebalance.as_published.scores import SCORES_REPAIRED as SCORES_REPAIRED
from gamebalance.as_published.scores import ScoreSlips as ScoreSlips
from gamebalance.as_published.scores import role_summary as role_summary
from gamebalance.as_published.transfer import AS_PRINTED as AS_PRINTED
from gamebalance.as_published.transfer import REPAIRED as REPAIRED
from gamebalance.as_published.transfer import TransferDefects as TransferDefects
from gamebalance.as_published.transfer import TransferTable as TransferTable
from gamebalance.as_published.transfer import transfer_table as transfer_table
from gamebalance.as_published.transfer import transfer_tables as transfer_tables
