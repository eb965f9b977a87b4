"""How many steps a regular expression takes that tries one way after another, as Python and browsers do."""

import re
from re import _constants as of
from re import _parser as parser

CATEGORIES = {
    of.CATEGORY_DIGIT: r"\d", of.CATEGORY_NOT_DIGIT: r"\D", of.CATEGORY_SPACE: r"\s", of.CATEGORY_NOT_SPACE: r"\S",
    of.CATEGORY_WORD: r"\w", of.CATEGORY_NOT_WORD: r"\W",
}  # fmt: skip


def steps(pattern: str, text: str, flags: int = 0) -> int:
    """How often something is looked for until every place is found where the text has the pattern."""
    counter, tree, start = Counter(text, flags), list(parser.parse(pattern, flags)), 0
    first = tree[0] in ((of.AT, of.AT_BEGINNING), (of.AT, of.AT_BEGINNING_STRING))
    while start <= len(text):
        ends: list[int] = []
        found = counter.match(tree, start, lambda place, ends=ends: ends.append(place) is None)
        if first:
            break
        start = max(ends[0], start + 1) if found else start + 1
    return counter.steps


class Counter:
    """One search in a text; `then` says whether what follows matches from a place on."""

    def __init__(self, text: str, flags: int):
        self.text, self.flags, self.steps = text, flags, 0

    def match(self, tree: list, place: int, then) -> bool:
        if not tree:
            return then(place)
        (kind, what), rest = tree[0], tree[1:]

        def follow(place):
            return self.match(rest, place, then)

        self.steps += 1
        if kind in (of.LITERAL, of.NOT_LITERAL, of.ANY, of.IN):
            return place < len(self.text) and self.fits(kind, what, self.text[place]) and follow(place + 1)
        if kind is of.SUBPATTERN:
            return self.match(list(what[-1]), place, follow)
        if kind is of.BRANCH:
            return any(self.match(list(branch), place, follow) for branch in what[1])
        if kind in (of.MAX_REPEAT, of.MIN_REPEAT):
            return self.repeat(kind is of.MAX_REPEAT, *what, place, follow)
        if kind in (of.ASSERT, of.ASSERT_NOT):
            start = place if what[0] > 0 else place - what[1].getwidth()[0]
            found = start >= 0 and self.match(list(what[1]), start, lambda end: True)
            return found == (kind is of.ASSERT) and follow(place)
        at_end = what in (of.AT_END, of.AT_END_STRING)
        assert at_end or what in (of.AT_BEGINNING, of.AT_BEGINNING_STRING, of.AT_BOUNDARY)
        return (what is of.AT_BOUNDARY or place == (len(self.text) if at_end else 0)) and follow(place)

    def repeat(self, greedy: bool, least: int, most: int, tree, place: int, then) -> bool:
        if most == 0:
            return then(place)

        def more():
            again = (greedy, max(least - 1, 0), most if most is of.MAXREPEAT else most - 1, tree)
            return self.match(list(tree), place, lambda end: end > place and self.repeat(*again, end, then))

        if least:
            return more()
        return more() or then(place) if greedy else then(place) or more()

    def fits(self, kind, what, letter: str) -> bool:
        if kind is of.ANY:
            return letter != "\n" or bool(self.flags & re.DOTALL)
        if kind is of.IN:
            found = [self.fits(*each, letter) for each in what if each[0] is not of.NEGATE]
            return any(found) != (what[0][0] is of.NEGATE)
        if kind is of.CATEGORY:
            return re.match(CATEGORIES[what], letter) is not None
        if kind is of.RANGE:
            return what[0] <= ord(letter) <= what[1]
        return (ord(letter) == what) == (kind is of.LITERAL)
