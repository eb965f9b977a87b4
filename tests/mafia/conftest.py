"""The page that weighs a set-up of Werewolf, open in Chromium."""

import pytest

from gamebalance.studies.mafia.page import page as whole_page


@pytest.fixture(scope="session")
def text() -> str:
    return whole_page()


@pytest.fixture(scope="module")
def address(text, tmp_path_factory) -> str:
    file = tmp_path_factory.mktemp("werewolf") / "page.html"
    file.write_text(text, encoding="utf-8")
    return file.as_uri()


@pytest.fixture(scope="module")
def solver(browser, address):
    """One page for all tests that ask for numbers alone."""
    opened = browser.new_page()
    opened.goto(address)
    yield opened
    opened.close()


@pytest.fixture
def open_page(browser, address):
    """Open the page; at the end of the test nothing but the file may have been asked for and nothing complained of."""
    opened, requests, complaints = [], [], []

    def open_(hash_="", width=1100, height=900, scheme="light", motion="reduce"):
        options = {"viewport": {"width": width, "height": height}, "color_scheme": scheme, "reduced_motion": motion}
        context = browser.new_context(**options)
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
