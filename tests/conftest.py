"""Hypothesis draws the same examples in every run, so that a failure in one place is a failure everywhere.

Browser tests find Chromium here, and how a page is opened that needs no network.
"""

import shutil

import pytest
from hypothesis import settings

from gamebalance.publish.report.pdf import BROWSERS

settings.register_profile("gamebalance", derandomize=True, deadline=None)
settings.load_profile("gamebalance")


@pytest.fixture(scope="session")
def chromium():
    """How Chromium is driven, and where it is; tests are skipped where it is not."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip("Chromium is not installed")
    return pytest.importorskip("playwright.sync_api").sync_playwright, program


@pytest.fixture(scope="module")
def browser(chromium):
    driven, program = chromium
    with driven() as engine, engine.chromium.launch(executable_path=program, args=["--no-sandbox"]) as started:
        yield started


@pytest.fixture
def open_page(browser, address):
    """Open the page at `address`; at the end nothing but that may have been asked for, nothing complained of."""
    opened, requests, complaints = [], [], []

    def open_(hash_="", width=1100, height=900, scheme="light", motion="reduce", allowed=()):
        options = {"viewport": {"width": width, "height": height}, "color_scheme": scheme, "reduced_motion": motion}
        context = browser.new_context(permissions=list(allowed), **options)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.route("**/*", lambda route: (requests.append(route.request.url), route.continue_()))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        opened.append(context)
        page.goto(address + hash_)
        return page

    yield open_
    for context in opened:
        context.close()
    assert {request.partition("#")[0] for request in requests} <= {address} and complaints == []
