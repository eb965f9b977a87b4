"""The page that weighs a set-up of Werewolf, open in Chromium."""

import pytest

from tests.mafia.page_solver import whole_page


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
    """One page for all tests that ask for numbers alone; its own table is soon worked out."""
    opened = browser.new_page()
    opened.goto(f"{address}#setup=2: mafioso, citizen")
    yield opened
    opened.close()
