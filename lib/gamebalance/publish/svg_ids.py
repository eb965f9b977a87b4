"""Names inside an SVG that do not hang on the last bits of its coordinates.

matplotlib names clip paths, markers and hatches by a hash of their unrounded coordinates, which differ between
processors where the coordinates that are written, with six decimals, do not.
"""

import hashlib
import re

#: Where matplotlib writes or refers to a name that ends in its hash.
_NAME = re.compile(r'(\bid="|href="#|url\(#)(\w*?)([0-9a-f]{10})(?=["\)])')


def renamed(svg: str, figure: str) -> str:
    """The document with each hash replaced by one of the figure's name and the order of appearance."""
    numbers: dict[str, int] = {}

    def name(found: re.Match) -> str:
        number = numbers.setdefault(found[2] + found[3], len(numbers))
        return found[1] + found[2] + hashlib.sha256(f"{figure} {number}".encode()).hexdigest()[:10]

    return _NAME.sub(name, svg)
