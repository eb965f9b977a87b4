"""The page that judges counted wins, open in Chromium."""

import pytest

from gamebalance.studies.fair.page import page as whole_page


@pytest.fixture(scope="session")
def text() -> str:
    return whole_page()


@pytest.fixture(scope="module")
def address(text, tmp_path_factory) -> str:
    file = tmp_path_factory.mktemp("fair") / "page.html"
    file.write_text(text, encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def open_page(browser, address):
    """Open the page; at the end of the test nothing but the file may have been asked for and nothing complained of."""
    opened, requests, complaints = [], [], []

    def open_(hash_="", width=1100, height=900, scheme="light", motion="reduce", allowed=()):
        options = {"viewport": {"width": width, "height": height}, "color_scheme": scheme, "reduced_motion": motion}
        context = browser.new_context(permissions=list(allowed), **options)
        page = context.new_page()
        page.set_default_timeout(20_000)
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


@pytest.fixture
def page(open_page):
    return open_page()
