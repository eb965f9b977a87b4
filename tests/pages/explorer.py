"""What the tests of the explorer do with its page: read it, set it up, play, and ask its script and its colours."""


def status(page) -> str:
    return page.inner_text("#status")


def said(page, part: str) -> str:
    """The status, once it holds some words."""
    page.wait_for_function("part => document.getElementById('status').textContent.includes(part)", arg=part)
    return status(page)


def set_up(page, position: str, n: int = 8, first: str = "person", second: str = "person") -> None:
    page.select_option("#player-0", first)
    page.select_option("#player-1", second)
    page.select_option("#size", str(n))
    page.fill("#position", position)
    page.get_by_role("button", name="Set up").click()


def play(page, following: str) -> None:
    """Press the button of the move that leads to a position."""
    page.locator("#moves button").filter(has_text=f"→ {following}").click()


# Texts, because the browser's driver takes its time for each of a hundred thousand small values.
EVERY = """([game, texts]) => JSON.stringify(texts.split(";").map((text) => {
    const position = countN.parse(game, text);
    const {value, distance} = countN.outcome(game, position);
    const moves = countN.moves(game, position).map((move) => [move.own, move.added, countN.pairText(move.hands)]);
    return [value, distance, moves, countN.isOver(position)];
}))"""
