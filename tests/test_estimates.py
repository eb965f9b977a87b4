"""Numbers with standard errors: compared, shown and combined by hand."""

from gamebalance.base.estimates import Estimate, agree, less, mean_of, opposite, slope


def test_comparisons_by_hand():
    assert less(Estimate(1, 0.3), Estimate(3, 0.39)) is True  # 2 > 4 * 0.492
    assert less(Estimate(3, 0.39), Estimate(1, 0.3)) is False
    assert less(Estimate(1, 0.3), Estimate(3, 0.41)) is None
    assert less(Estimate(1, 0.3), Estimate(3, 0.39), together=True) is None  # 2 < 4 * 0.69
    assert less(Estimate(1), Estimate(1)) is False and less(Estimate(1), Estimate(1 + 1e-9)) is True
    assert agree(Estimate(1, 0.3), Estimate(3, 0.41)) and not agree(Estimate(1, 0.3), Estimate(3, 0.39))


def test_estimates_show_the_digits_that_the_error_allows():
    pairs = ((12.3456, 0.0072), (12.3456, 0.0134), (12.3, 0), (1234.5, 31), (float("inf"), float("inf")), (-0.01, 0.2))
    assert [str(Estimate(*pair)) for pair in pairs] == [
        "12.346 ± 0.007",
        "12.346 ± 0.013",
        "12.30",
        "1234 ± 31",
        "inf",
        "0.0 ± 0.2",
    ]


def test_what_rounding_leaves_is_no_error():
    assert str(Estimate(100.0, 4e-15)) == "100.00" and Estimate(0.0, 1e-13).settled == (0, 0)
    assert Estimate(1e-6, 1e-10).settled.error == 1e-10 and Estimate(47.1404521, 5e-9).settled == (47.1404521, 0)


def test_derived_quantities_by_hand():
    assert opposite(Estimate(1, 3)) == Estimate(-1, 3)
    assert mean_of([Estimate(1, 3), Estimate(3, 4)]) == Estimate(2, 2.5)
    # through (4, 1), (5, 2), (6, 3): slope 1; the errors' weights are -1/2, 0, 1/2
    assert slope([4, 5, 6], [Estimate(1, 6), Estimate(2, 9), Estimate(3, 8)]) == Estimate(1, 5)
