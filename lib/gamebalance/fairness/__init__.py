"""The vocabulary of the title: results of games, spreads such as Bal and Rat, estimates with errors, intervals."""

from gamebalance.fairness.estimates import Estimate
from gamebalance.fairness.results import Results
from gamebalance.fairness.spreads import balance, rationality

__all__ = ["Estimate", "Results", "balance", "rationality"]
