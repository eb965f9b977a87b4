"""Hypothesis draws the same examples in every run, so that a failure in one place is a failure everywhere.

Browser tests find Chromium here.
"""

import shutil

import pytest
from hypothesis import settings

settings.register_profile("gamebalance", derandomize=True, deadline=None)
settings.load_profile("gamebalance")


@pytest.fixture(scope="session")
def chromium():
    """How Chromium is driven, and where it is; tests are skipped where it is not."""
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("Chromium is not installed")
    return pytest.importorskip("playwright.sync_api").sync_playwright, program


@pytest.fixture(scope="module")
def browser(chromium):
    driven, program = chromium
    with driven() as engine, engine.chromium.launch(executable_path=program, args=["--no-sandbox"]) as started:
        yield started
