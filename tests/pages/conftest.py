"""Offline pages open in Chromium: a module of tests names its page in `PAGE`, and may say `TRANSLATED`."""

import pytest

from tests.pages.made import made


@pytest.fixture(scope="module")
def address(request, tmp_path_factory) -> str:
    file = tmp_path_factory.mktemp("page") / "page.html"
    file.write_text(made(request.module.PAGE, getattr(request.module, "TRANSLATED", False)), encoding="utf-8")
    return file.as_uri()


@pytest.fixture
def page(open_page):
    return open_page()


@pytest.fixture
def window(browser):
    """A browser without a past."""
    page = browser.new_context().new_page()
    yield page
    page.context.close()
