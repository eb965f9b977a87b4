"""Results as tables: every public result has a frame and shows it in a notebook, for those who cannot see it, too."""

from dataclasses import is_dataclass
from importlib import import_module

import pandas as pd
import pytest
from bs4 import BeautifulSoup

from gamebalance import countn, fairness, mafia, sanguosha
from gamebalance.base.tabled import MOST_ROWS, Tabled
from gamebalance.games import Kuhn, Tree
from gamebalance.multiplayer import beliefs, cfr, cooperative, normal_form, search

PACKAGES = (
    "sanguosha", "sanguosha.design", "sanguosha.replies", "mafia", "countn", "fairness",
    "multiplayer.beliefs", "multiplayer.cfr", "multiplayer.cooperative", "multiplayer.graph",
    "multiplayer.normal_form", "multiplayer.search",
)  # fmt: skip
#: What a user gives, or plays with, or plans with, and so no result.
GIVEN = {
    "Game", "Games", "Lineup", "Rules", "Scoring", "Setup", "Move", "Option", "EmpiricalGame", "Outlook", "Course",
    "Violation",
}  # fmt: skip
PENNIES = normal_form.NormalFormGame([[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]])
WORTHS = dict(zip(["A", "B", "C", "AB", "AC", "BC", "ABC"], [0, 0, 0, 1, 0, 0, 2], strict=True))
THREE = cooperative.TUGame("ABC", {tuple(names): worth for names, worth in WORTHS.items()})
FEW = fairness.Games.from_counts({"wolves": (30, 55), "village": (25, 55)})
RESULTS = {
    "Outcomes": lambda: sanguosha.simulate("1-1-1-1", 200, 1),
    "Sample": lambda: mafia.simulate(mafia.Setup.of_players(5), 200, seed=1),
    "Solution": lambda: countn.solve(5),
    "Verdict": lambda: fairness.judge(FEW),
    "Monitor": lambda: fairness.Monitor(["wolves", "<village>"]),
    "StoppingTimes": lambda: fairness.stopping_times([0.5, 0.5], runs=20, most=50),
    "Results": lambda: fairness.Results.of_counts({(0, "<b>"): 3, (1, "a"): 1}),
    "Endings": lambda: countn.solve(5).endings,
    "Report": lambda: fairness.report(Tree((0, {"left": (3, 0), "right": (1, [(0, 2), (4, 1)])}))),
    "Posterior": lambda: beliefs.Posterior(["fair", "<loaded>"]),
    "Result": lambda: cfr.solve(Kuhn(), 10),
    "BestResponse": lambda: cfr.best_response(Kuhn(), cfr.solve(Kuhn(), 10).average_strategy, 0),
    "LeastCore": THREE.least_core,
    "SampledShapley": lambda: THREE.shapley_sampled(100, seed=1),
    "Structure": THREE.best_structure,
    "Learning": lambda: normal_form.fictitious_play(PENNIES, 10),
    "ZeroSumSolution": lambda: normal_form.zero_sum([[1, -1], [-1, 1]]),
    "ReplyPath": lambda: normal_form.best_response_iteration(PENNIES, (0, 0)),
    "SearchResult": lambda: search.maxn(Tree((0, {"left": (3, 0), "right": (1, 2)})), ()),
}


def public_results():
    for package in PACKAGES:
        module = import_module(f"gamebalance.{package}")
        for name in module.__all__:
            found = getattr(module, name)
            if isinstance(found, type) and is_dataclass(found) and name not in GIVEN:
                yield found


def test_every_public_result_is_a_table():
    found = list(public_results())
    assert len(found) > 20
    for each in found:
        assert issubclass(each, Tabled), each
        assert each.to_frame is not Tabled.to_frame, each


@pytest.mark.parametrize("name", RESULTS)
def test_a_notebook_shows_what_the_frame_holds(name):
    result = RESULTS[name]()
    frame, page = result.to_frame(), BeautifulSoup(result._repr_html_(), "html.parser")
    assert isinstance(frame, pd.DataFrame) and len(frame) and all(isinstance(column, str) for column in frame)
    assert page.caption.get_text().strip()
    head, rows = page.thead.find_all("th", scope="col"), page.tbody.find_all("tr")
    assert len(rows) == min(len(frame), MOST_ROWS) and len(frame.columns) <= len(head) <= len(frame.columns) + 1
    for row in rows:
        assert [cell.name for cell in row.find_all(["th", "td"])] == ["th"] + ["td"] * (len(head) - 1)
        assert row.th["scope"] == "row"
    assert not page.find_all(["b", "village", "loaded"])  # what a reader called something is text


class Long(Tabled):
    def to_frame(self):
        return pd.DataFrame({"n": range(MOST_ROWS + 7), "share": 1 / 3, "none": None})

    def _about(self):
        return "many"


def test_a_long_table_says_what_it_leaves_out():
    page = BeautifulSoup(Long()._repr_html_(), "html.parser")
    assert len(page.tbody.find_all("tr")) == MOST_ROWS and "7 more rows" in page.p.get_text()
    assert [cell.get_text() for cell in page.tbody.tr.find_all(["th", "td"])] == ["0", "0.333333", ""]
