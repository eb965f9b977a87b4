"""The made-up club: who plays, who wins, and that the file beside the tables is this club."""

from pathlib import Path

import pandas as pd

from chapters import judge_a_table_of_results as chapter


def test_the_file_is_the_club():
    file = Path(__file__).resolve().parents[2] / "data/examples/club.csv"
    pd.testing.assert_frame_equal(pd.read_csv(file), chapter.club_evenings())
