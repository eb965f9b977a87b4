"""Every method for games of many players: who described it, where it stands, how it is verified, what it promises."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas

#: What a method may promise. "exact": in whole numbers or fractions, or by counting; "exact to rounding": floats, or
#: iteration to a bound that is given with the result; "heuristic": a rule that promises nothing.
STATUSES = (
    "exact",
    "exact to rounding",
    "sampled, with standard error",
    "converges, NashConv reported",
    "lower bound",
    "heuristic",
    "not built",
)


def table() -> "pandas.DataFrame":
    """One line for each method: method, reference, module (below `gamebalance`), how verified, status.

    >>> table().set_index("method").loc["Nucleolus", "module"]
    'multiplayer.cooperative.TUGame.nucleolus'
    """
    import pandas

    return pandas.read_csv(Path(__file__).with_suffix(".csv"), keep_default_na=False)
