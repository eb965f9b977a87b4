"""One progress bar that a person sees and that a test, a log or an executed notebook never does."""

import os
import sys
from collections.abc import Iterable
from typing import Any


def wanted() -> bool:
    """Whether somebody is watching: ``GAMEBALANCE_PROGRESS`` decides (0 or 1), else a terminal or a live notebook."""
    setting = os.environ.get("GAMEBALANCE_PROGRESS")
    if setting is not None:
        return setting.strip().lower() not in ("", "0", "no", "off", "false")
    if "PYTEST_CURRENT_TEST" in os.environ:
        return False
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def tell(text: str) -> None:
    """Write a line for somebody who waits in a live notebook, whose server, unlike papermill, names the session."""
    if wanted() and ("GAMEBALANCE_PROGRESS" in os.environ or "JPY_SESSION_NAME" in os.environ):
        print(text, file=sys.stderr, flush=True)


def progress(work: Iterable | int, description: str, **options: Any) -> Any:
    """Return a text progress bar, of ``tqdm.tqdm``, over work; silent unless somebody is watching (see `wanted`).

    Work that is a number is a total to count up to with ``.update(n)``.

    >>> [square * square for square in progress(range(3), "squares")]
    [0, 1, 4]
    """
    from tqdm import tqdm

    settings = {"desc": description, "disable": not wanted(), "leave": False, "dynamic_ncols": True, **options}
    return tqdm(total=work, **settings) if isinstance(work, int) else tqdm(work, **settings)
