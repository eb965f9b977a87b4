"""Hypothesis draws the same examples in every run, so that a failure in one place is a failure everywhere.

Browser tests find Chromium here, and how a page is opened that needs no network. Python looks for garbage less often
than it does by itself, which took a tenth of the time.
"""

import gc
import os
import shutil
import signal
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from jupyter_client.provisioning import local_provisioner

from gamebalance.publish import kernels
from gamebalance.publish.pdf import BROWSERS
from tests import forked

settings.register_profile("gamebalance", derandomize=True, deadline=None)
settings.load_profile("gamebalance")


def pytest_configure(config):
    """Look for garbage less often, in kernels too, which are forked and know no profile of the person at work."""
    gc.set_threshold(kernels.YOUNG)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a job in the background; what it begins hears ^C
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if kernels.FORKS:
        local_provisioner.launch_kernel = forked.launch
    if not hasattr(config, "workerinput"):
        folder = TemporaryDirectory()
        config.add_cleanup(folder.cleanup)
        os.environ["IPYTHONDIR"] = folder.name  # workers inherit it


def pytest_collection_finish():
    """Thousands of tests stay until the end: there is no garbage among them."""
    gc.collect()
    gc.freeze()


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


class Windows:
    """Pages of a browser that serve one test after another: a new one takes longer than most tests do in it."""

    def __init__(self, browser):
        self._browser, self._free = browser, []
        self.requests, self.complaints = [], []

    def take(self):
        """One that shows nothing."""
        return self._free.pop() if self._free else self.new()

    def new(self):
        page = self._browser.new_context().new_page()
        page.set_default_timeout(30_000)
        page.route("**/*", lambda route: (self.requests.append(route.request.url), route.continue_()))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def give_back(self, page):
        """Leave what it shows, and all that was allowed there."""
        page.goto("about:blank")
        page.mouse.move(0, 0)
        page.context.clear_permissions()
        self._free.append(page)


@pytest.fixture(scope="module")
def windows(browser):
    return Windows(browser)


@pytest.fixture(scope="module")
def asked(browser, address):
    """The page at `address`, one for all tests of a module that ask its scripts alone."""
    page = browser.new_page()
    page.goto(address)
    yield page
    page.close()


@pytest.fixture
def open_page(windows, address):
    """Open the page at `address`; at the end nothing but that may have been asked for, nothing complained of."""
    opened, alone = [], []
    windows.requests.clear()
    windows.complaints.clear()

    def open_(hash_="", width=1100, height=900, scheme="light", motion="reduce", allowed=(), stopped=False):
        page = windows.new() if stopped else windows.take()
        (alone if stopped else opened).append(page)
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme, reduced_motion=motion)
        if allowed:
            page.context.grant_permissions(list(allowed))
        if stopped:  # the page's clock moves only as the test says, for as long as there is the window
            page.clock.install(time=0)
            page.clock.pause_at(1_000)
        page.goto(address + hash_)
        return page

    yield open_
    for page in alone:
        page.context.close()
    for page in opened:
        windows.give_back(page)
    asked = {request.partition("#")[0] for request in windows.requests}
    assert asked <= {address} and windows.complaints == []
