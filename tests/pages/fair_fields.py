"""What the tests of the page do with it: read its fields and its words, and go to a link."""

#: The example that it begins with.
SEATS = [("1", "204"), ("2", "157"), ("3", "156"), ("4", "131")]


def cell(page, row: int, column: int):
    """A field of the table: row and column from 0."""
    return page.locator("#rows tr.row").nth(row).locator("input").nth(column)


def verdict(page) -> str:
    return page.text_content("#verdict")


def rows(page) -> list[tuple[str, ...]]:
    typed = "rows => rows.map((row) => [...row.querySelectorAll('input')].map((field) => field.value))"
    return [tuple(row) for row in page.locator("#rows tr.row").evaluate_all(typed)]


def go_to(page, hash_: str) -> None:
    """Another link in the same window."""
    page.evaluate("hash => { location.hash = hash; }", hash_)
    first = page.evaluate("hash => reading.fromHash(hash).rows[0].label", hash_)
    page.wait_for_function("first => document.querySelector('#rows input').value === first", arg=first)
