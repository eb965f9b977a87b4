"""The example of a gate for balance, run as it stands, with a fair game and with one that is not."""

import os
import re
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
import yaml

from gamebalance import fairness

PAGE = (Path(__file__).resolve().parent.parent / "data/examples/balance-gate.md").read_text(encoding="utf-8")
GAME, TEST, STEP = re.findall(r"^```\w+\n(.*?)```$", PAGE, re.M | re.S)


@pytest.mark.thorough
@pytest.mark.parametrize(("chances", "code"), [("0.51, 0.49", 0), ("0.58, 0.42", 1)])
def test_the_step_and_the_test_pass_and_stop_as_they_say(tmp_path, monkeypatch, chances, code):
    (tmp_path / "simulate.py").write_text(GAME.replace("0.51, 0.49", chances))
    (step,) = yaml.safe_load(STEP)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(["bash", "-ec", step["run"]], cwd=tmp_path, env={**os.environ, "PATH": path}, check=False)
    assert done.returncode == code
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "simulate", raising=False)
    names: dict = {}
    exec(TEST, names)
    with nullcontext() if code == 0 else pytest.raises(AssertionError, match="Unfair: first won "):
        names["test_the_first_player_wins_45_to_55_of_100_games"]()


def test_its_numbers():
    assert "in 18 of 100" in PAGE and round(100 * fairness.power([0.6, 0.4], 30).value) == 18
    assert ": 45 in 7." in PAGE and round(100 * fairness.power([0.55, 0.45], 30).value) == 7
    assert "in 99 of 100" in PAGE and int(100 * fairness.power_within([0.5, 0.5], 2000, 0.05)) == 99
    assert "(861)" in PAGE and fairness.games_needed([0.5, 0.5], margin=0.05) == 861
