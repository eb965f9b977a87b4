"""The vocabulary of the title: spreads such as Bal and Rat, and intervals for what was simulated."""

from gamebalance.fairness.spreads import balance, rationality

__all__ = ["balance", "rationality"]
