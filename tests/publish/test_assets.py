"""What is shipped with the code: fonts and MathJax, with their licences."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "lib" / "gamebalance" / "publish" / "assets"


def test_the_font_has_every_chinese_character_of_the_project():
    """Otherwise: add it to tools/cjk-characters.txt and run tools/subset_font.py."""
    from matplotlib.ft2font import FT2Font

    known = set(re.sub(r"\s", "", (ROOT / "tools" / "cjk-characters.txt").read_text(encoding="utf-8")))
    for font in ASSETS.glob("*.otf"):
        assert {chr(code) for code in FT2Font(font).get_charmap()} >= known
    files = [ROOT / "collection.yaml", ROOT / "README.md", *ROOT.glob("data/*/*"), *ROOT.glob("notebooks/*/*")]
    files += ROOT.glob("lib/**/*.py")
    used = set(re.findall(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]", "".join(map(_read, files))))
    assert used - known == set()


def test_the_font_of_the_report_has_every_character_of_the_translations():
    """Otherwise: run tools/subset_font.py."""
    from fontTools.ttLib import TTFont

    texts = [_read(file) for file in (ROOT / "notebooks" / "locale").rglob("collection.po")]
    used = set(re.findall(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]", "".join(texts)))
    assert len(used) > 500 and used <= {*map(chr, TTFont(ASSETS / "NotoSansCJKsc-subset.woff").getBestCmap())}


def _read(file: Path) -> str:
    # A class of characters in a regular expression is no text, and translations of a page are no text of a notebook.
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    return "".join(line for line in lines if "\\uff" not in line and "id=&quot;texts&quot;" not in line)


def test_licences_are_beside_the_files():
    assert "SIL OPEN FONT LICENSE" in (ASSETS / "NotoSansCJKsc-OFL.txt").read_text(encoding="utf-8")
    assert "Apache License" in (ASSETS / "mathjax-LICENSE.txt").read_text(encoding="utf-8")
