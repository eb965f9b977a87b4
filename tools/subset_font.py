"""Make the small Chinese font that figures and the report use, from the full Noto Sans CJK collection.

Needs ``fonttools``, which comes with matplotlib, and the files ``NotoSansCJK-Regular.ttc`` and
``NotoSansCJK-Bold.ttc`` (package fonts-noto-cjk in Debian and Ubuntu, or https://github.com/notofonts/noto-cjk). To
add a character, add it to ``cjk-characters.txt`` beside this script (what stands in the catalogues of the first page is
added to the font for HTML) and run::

    python tools/subset_font.py NotoSansCJK-Regular.ttc NotoSansCJK-Bold.ttc
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTCollection

HERE = Path(__file__).resolve().parent
ASSETS = HERE.parent / "lib" / "gamebalance" / "publish" / "assets"
LOCALE = HERE.parent / "notebooks" / "locale"
FAMILY = "Noto Sans CJK SC"


def simplified_chinese(path: str) -> int:
    """Index of the Simplified Chinese face inside the collection."""
    for index, font in enumerate(TTCollection(path, lazy=True).fonts):
        if FAMILY in (font["name"].getDebugName(1), font["name"].getDebugName(16)):
            return index
    raise SystemExit(f"{path} holds no font called {FAMILY}")


def make(path: str, name: str, flavor: str | None = None) -> None:
    """Write one subset: .otf for matplotlib, .woff for HTML."""
    characters = (HERE / "cjk-characters.txt").read_text(encoding="utf-8").replace("\n", "")
    if flavor is not None:
        texts = [file.read_text(encoding="utf-8") for file in LOCALE.rglob("collection.po")]
        characters = "".join(sorted({*characters, *(letter for text in texts for letter in text if letter > "\u2e7f")}))
    options = subset.Options(font_number=simplified_chinese(path), flavor=flavor)
    # Vertical writing, contextual spacing and hinting cost more than the glyphs themselves.
    options.layout_features, options.hinting = ["kern"], False
    font = subset.load_font(path, options)
    worker = subset.Subsetter(options)
    worker.populate(text=characters)
    worker.subset(font)
    subset.save_font(font, str(ASSETS / name), options)
    print(f"{name}: {len(characters)} characters, {(ASSETS / name).stat().st_size // 1024} kB")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        raise SystemExit("usage: python tools/subset_font.py NotoSansCJK-Regular.ttc NotoSansCJK-Bold.ttc")
    regular, bold = sys.argv[1:]
    make(regular, "NotoSansCJKsc-subset.otf")
    make(regular, "NotoSansCJKsc-subset.woff", "woff")
    make(bold, "NotoSansCJKsc-subset-bold.otf")
