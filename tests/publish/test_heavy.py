"""Heavy runs: row by row, resumable, with a record of where each row came from."""

import json
from threading import Event

import pytest
import yaml

from gamebalance.base import workers
from gamebalance.publish import heavy, runner
from gamebalance.publish.manifest import load
from tests.refusals import refused

TABLE = {
    "id": "squares",
    "title": "Squares",
    "function": "chapters.who_wins_for_every_n.row",
    "over": "n",
    "least": 2,
    "most": 6,
    "parameters": {"overflow": "one"},
    "seconds": 10,
    "megabytes": 300,
}


def declare(project, **changes):
    """Put the table on the sheet of the first notebook, its fields changed; None leaves a field out."""
    sheet = project.root / "notebooks/tiny/01-how-many.yaml"
    table = {field: value for field, value in (TABLE | changes).items() if value is not None}
    content = yaml.safe_load(sheet.read_text()) | {"heavy": [table]}
    sheet.write_text(yaml.safe_dump(content, allow_unicode=True, sort_keys=False))


@pytest.fixture
def project(tiny, monkeypatch):
    """The tiny collection with a heavy table whose rows are squares, computed in a thread."""
    declare(tiny)
    monkeypatch.setattr(workers, "processes", workers._threads)
    monkeypatch.setattr(heavy, "_row", lambda function, arguments: {"n": arguments["n"], "square": arguments["n"] ** 2})
    return tiny


def run(project, **options):
    said = []
    heavy.run(project, load(project), said.append, **options)
    return said


def test_rows_are_computed_once(project, monkeypatch):
    said = run(project)
    assert said[0].startswith("data/results/squares.csv: 5 of 5 rows to compute, about 10 s")
    assert "0.3 GiB in each of 1 processes" in said[0] and said[-1] == "data/results/squares.csv is complete: 5 rows"
    assert [line.partition(" rows, about ")[0] for line in said[1:-1]] == [
        f"data/results/squares.csv: {done} of 5" for done in range(1, 5)
    ]
    assert heavy.results("squares").to_dict("list") == {"n": [2, 3, 4, 5, 6], "square": [4, 9, 16, 25, 36]}
    monkeypatch.setattr(heavy, "_row", None)
    assert run(project, only=("squares",)) == ["data/results/squares.csv is complete: 5 rows"]


def test_a_row_for_each_combination(project, monkeypatch):
    """Numbered in a first column, the last argument changing fastest; what is there already is told by its number."""
    over = {"seating": ["012", "021"], "role": ["lord", "rebel"]}
    declare(project, over=over, least=None, most=None)
    monkeypatch.setattr(heavy, "_row", lambda function, arguments: arguments)
    assert "4 of 4 rows" in run(project)[0]
    text = (project.results / "squares.csv").read_text()
    assert text == ("case,overflow,seating,role\n0,one,012,lord\n1,one,012,rebel\n2,one,021,lord\n3,one,021,rebel\n")
    assert run(project) == ["data/results/squares.csv is complete: 4 rows"]
    assert json.loads((project.results / "squares.json").read_text())["over"] == over


def test_a_stopped_run_goes_on(project, monkeypatch):
    def stops_at_four(function, arguments):
        if arguments["n"] >= 4:
            raise KeyboardInterrupt
        return {"n": arguments["n"], "square": None if arguments["n"] == 3 else arguments["n"] ** 2}

    monkeypatch.setattr(heavy, "_row", stops_at_four)
    with pytest.raises(KeyboardInterrupt):
        run(project)
    assert list(heavy.results("squares")["n"]) == [2, 3]
    monkeypatch.setattr(heavy, "_row", lambda function, arguments: {"n": arguments["n"], "square": 0})
    assert "3 of 5 rows" in run(project)[0]
    text = (project.results / "squares.csv").read_text()
    assert text == "n,square\n2,4\n3,\n4,0\n5,0\n6,0\n"  # old rows as they were, whole numbers still whole


def test_rows_that_finish_in_any_order_give_the_same_bytes(project, monkeypatch):
    """Here each row waits for the next one."""
    run(project)
    file = project.results / "squares.csv"
    expected = file.read_bytes()
    file.unlink()
    done = {n: Event() for n in range(2, 8)}
    done[7].set()

    def waits_for_the_next(function, arguments):
        n = arguments["n"]
        assert done[n + 1].wait(60)
        done[n].set()
        return {"n": n, "square": n**2}

    monkeypatch.setattr(heavy, "_row", waits_for_the_next)
    assert "0.3 GiB in each of 5 processes" in run(project, workers=5)[0]
    assert file.read_bytes() == expected


@pytest.mark.parametrize("name", ["squares.csv", "squares.json"])
@pytest.mark.parametrize("change", [lambda text: text.replace("3", "4"), lambda text: ""])
def test_what_was_edited_is_refused_and_left_alone(project, name, change, monkeypatch):
    run(project)
    file = project.results / name
    whole = file.read_text()
    file.write_text(change(whole))
    changed = {each.name: each.read_bytes() for each in project.results.iterdir()}
    with refused("data/results/squares.", ": restore it, or remove it and compute it again (make heavy)"):
        run(project)
    with refused("data/results/squares."):
        runner.ready(project, 1, [])
    assert {each.name: each.read_bytes() for each in project.results.iterdir()} == changed
    file.write_text(whole)
    monkeypatch.setattr(heavy, "_row", None)
    assert run(project) == ["data/results/squares.csv is complete: 5 rows"]


def test_wrong_names_and_numbers(project):
    with refused("workers = 0: a whole number, 1 or more, is needed"):
        run(project, workers=0)
    with refused("no heavy table is called 'cubes'; known: squares"):
        run(project, only=("squares", "cubes"))
    with refused("data/results/squares.csv is missing: make heavy computes it"):
        heavy.results("squares")
    assert not any(project.results.glob("squares*"))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("function", "os.system", "function"),
        ("least", "2", "least"),
        ("least", None, "least and most are needed for one argument"),
        ("over", {"n": [2, 3]}, "lists for several"),
        ("id", "tiny-table-1", "stands in it twice"),
    ],
)
def test_a_wrong_manifest_is_refused(project, field, value, message):
    declare(project, **{field: value})
    with refused(message):
        load(project)


@pytest.mark.parametrize(
    "changes", [{"function": "chapters.who_wins_for_every_n.other"}, {"parameters": {"overflow": "rollover"}}]
)
def test_rows_of_another_function_or_other_parameters_are_not_taken(project, changes):
    run(project)
    before = (project.results / "squares.csv").read_bytes()
    declare(project, **changes)
    with refused("data/results/squares.json are of another function, or of other parameters, than the sheet names"):
        run(project)
    assert (project.results / "squares.csv").read_bytes() == before
