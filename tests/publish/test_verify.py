"""`make verify` computes everything again and tells what is the same from what is not, item by item.

That a second run leaves the same bytes is for `test_runner` to show: most notebooks here are not run again.
"""

import json
import shutil

import pytest

from gamebalance.commands.main import main
from gamebalance.publish import runner, verifying
from gamebalance.publish.verifying import DIFFERS, EQUAL, SAME, compare


def test_what_differs_is_named_and_fails(ran, recall, monkeypatch, capsys):
    file = ran.results / "tiny-table-1.csv"
    file.write_text(file.read_text().replace("0.666666667", "0.666666668"))
    shutil.copy(ran.figures / "report.html", ran.figures / "tiny-figure-1.png")
    lines = []
    with monkeypatch.context() as quick:
        quick.setattr(runner, "perform", recall)
        assert not verifying.verify(ran, lines.append, only=["a-picture"])
    assert any(line.startswith("differs: Figure 1.1 (notebooks/tiny/02-a-picture.ipynb)") for line in lines)
    with pytest.raises(SystemExit) as stop:
        main(["collection", "verify", "--only", "how-many", "--format", "json"])
    out, err = capsys.readouterr()
    assert not stop.value.code and f"{EQUAL}: Table 1.1 (notebooks/tiny/01-how-many.ipynb)" in err.splitlines()
    rows = json.loads(out)
    assert rows[0] == {"notebook": "how-many", "result": "Table 1.1", "verdict": EQUAL}
    assert [row["verdict"] for row in rows[1:]] == [SAME] * 3


def test_an_untouched_collection_is_the_same_also_by_a_run_that_was_stopped_and_goes_on(ran, edit, recall, monkeypatch):
    ended, before, first, lines = verifying._finish, edit.files(ran), [], []

    def stop(job, echo, found):
        ended(job, echo, found)
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "perform", recall)
    monkeypatch.setattr(verifying, "_finish", stop)
    with pytest.raises(KeyboardInterrupt):
        verifying.verify(ran, first.append, workers=1)
    assert f"  {SAME:30} Table 1.1" in first
    monkeypatch.setattr(verifying, "_finish", ended)
    assert verifying.verify(ran, lines.append)
    assert lines[0] == "1 of 2 notebooks were computed by the run that was stopped"
    assert f"  {SAME:30} finding top" in lines and f"  {SAME:30} notebook a-picture" in lines
    assert lines[-1] == "7 results of 2 notebooks: 7 same bytes, 0 equal within their stated error, 0 differ"
    assert edit.files(ran) == before and not list((ran.build / "verify").rglob("done.json"))


@pytest.mark.parametrize(
    ("name", "one", "other", "verdict"),
    [
        ("a.csv", "x,y\n1,a\n", "x,y\n1,a\n", SAME),
        ("a.csv", "x,y\n0.123456789,a\n", "x,y\n0.12345679,a\n", EQUAL),
        ("a.csv", "x,y\n0.123456789,a\n", "x,y\n0.1234568,a\n", DIFFERS),
        ("a.csv", "x,y\n0.1,a\n", "x,y\n0.1,b\n", DIFFERS),
        ("a.csv", "x,y\n0,a\n", "x,y\n1e-17,a\n", DIFFERS),
        ("a.csv", "x\n1\n", "x\n1\n2\n", DIFFERS),
        ("a.json", {"value": 0.123456789, "packages": {"numpy": "1"}}, {"value": 0.12345679, "packages": {}}, EQUAL),
        ("a.json", {"value": 1}, {"value": 1, "more": 2}, DIFFERS),
        ("a.svg", "<path d='M 1.001 2'/>", "<path d='M 1.002 2'/>", EQUAL),
        ("a.svg", "<path d='M 1.001 2'/>", "<path d='M 1.2 2'/>", DIFFERS),
        ("a.svg", "<path d='M 1 2'/>", "<line d='M 1 2'/>", DIFFERS),
        ("a.html", "one", "other", DIFFERS),
    ],
)
def test_two_files(tmp_path, name, one, other, verdict):
    pair = [tmp_path / "one" / name, tmp_path / "other" / name]
    assert compare(*pair) == DIFFERS  # they are missing
    for file, content in zip(pair, (one, other), strict=True):
        file.parent.mkdir()
        file.write_text(content if isinstance(content, str) else json.dumps(content))
    assert compare(*pair) == verdict


@pytest.mark.parametrize(("changed", "verdict"), [(0, SAME), (3, EQUAL), (60, DIFFERS)])
def test_two_pictures(tmp_path, changed, verdict):
    import numpy as np
    from matplotlib import image

    picture = np.zeros((100, 100, 3), np.uint8)
    image.imsave(tmp_path / "one.png", picture)
    picture.reshape(-1, 3)[:changed] = 200
    image.imsave(tmp_path / "other.png", picture)
    assert compare(tmp_path / "one.png", tmp_path / "other.png") == verdict
