"""Pictures do not hang on last bits: logarithmic axes round, names in an SVG are numbered."""

import re

import numpy as np
import pytest

from gamebalance.publish import style, svg_ids


@pytest.mark.parametrize("kind", ["log", "symlog"])
def test_a_last_bit_moves_no_point_of_a_logarithmic_axis(kind):
    _, axes = style.new_figure()
    axes.set_yscale(kind)
    transform = axes.yaxis.get_transform()
    values = 10.0 ** np.arange(-3, 5)
    for neighbour in (np.nextafter(values, 0), np.nextafter(values, 1e9)):
        np.testing.assert_array_equal(transform.transform(neighbour), transform.transform(values))
    if kind == "log":
        assert transform.transform(values).tolist() == list(range(-3, 5))


def test_logarithmic_axes_take_what_matplotlibs_take():
    _, axes = style.new_figure()
    axes.loglog([1, 2], [1, 2], base=2, nonpositive="mask")
    axes.set_xscale("symlog", linthresh=3, linscale=2)
    assert axes.yaxis.get_transform().transform(np.array([8.0]))[0] == 3


ONE = '<clipPath id="p0123456789"/><g id="axes_1" clip-path="url(#p0123456789)"/><use xlink:href="#mabcdefabcd"/>'


def test_names_in_a_picture_are_numbered_and_stay_joined():
    other = ONE.replace("0123456789", "9876543210").replace("abcdefabcd", "0000000000")
    renamed = svg_ids.renamed(ONE, "figure")
    assert renamed == svg_ids.renamed(other, "figure") != svg_ids.renamed(ONE, "another")
    clip, used, marker = re.findall(r"\b[pm][0-9a-f]{10}\b", renamed)
    assert clip == used != marker and 'id="axes_1"' in renamed
    assert svg_ids.renamed('<use href="#DejaVuSans-31"/>', "figure") == '<use href="#DejaVuSans-31"/>'


def test_the_fonts_of_the_package_win_over_those_of_the_system():
    """Chromium's packages bring a font of the same name, whose letters have other numbers and other edges."""
    manager, name = style.font_manager.fontManager, "Noto Sans CJK SC"
    style.use()
    before = list(manager.ttflist)
    manager.ttflist = [style.font_manager.FontEntry("/usr/share/fonts/NotoSansCJK.ttc", name), *before]
    try:
        style._register_fonts.__wrapped__()
        assert {entry.fname for entry in manager.ttflist if entry.name == name} == {str(font) for font in style.FONTS}
        assert len(manager.ttflist) >= len(before)
    finally:
        manager.ttflist = before
