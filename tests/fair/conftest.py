"""The page that judges counted wins, open in Chromium."""

import pytest

from chapters.fair.page import page as whole_page


@pytest.fixture(scope="session")
def text() -> str:
    return whole_page()


@pytest.fixture(scope="module")
def address(text, tmp_path_factory) -> str:
    file = tmp_path_factory.mktemp("fair") / "page.html"
    file.write_text(text, encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def page(open_page):
    return open_page()
