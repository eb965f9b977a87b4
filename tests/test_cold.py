"""What is loaded at once and what is not, and that `make bench` times each line of README from a cold start."""

import ast
import builtins
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench import cold

README = (Path(__file__).resolve().parents[1] / "README.md").read_text(encoding="utf-8")
HEAVY = ("matplotlib", "numba", "pandas", "scipy")


@pytest.mark.parametrize("package", [*cold.PACKAGES, "as_published", "publish"])
def test_a_package_loads_no_large_library_before_it_is_used(package):
    program = f"import sys, gamebalance.{package}; print(*{{*{HEAVY}}} & {{*sys.modules}})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_what_is_exact_in_fractions_needs_no_compiled_code():
    program = """
import sys
from gamebalance import fairness, games, mafia, multiplayer
assert 0 < mafia.win_probability(1, 4, 0, exact=True) < 1
worths = {"A": 0, "B": 0, "C": 0, "AB": 4, "AC": 3, "BC": 2, "ABC": 6}
assert sum(multiplayer.cooperative.TUGame("ABC", worths).shapley().values()) == 6
print("numba" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]


def test_each_command_of_readme_is_timed_from_a_cold_start():
    shown = [line.split("  #")[0].strip() for line in README.splitlines() if line.startswith("    gamebalance ")]
    assert shown == cold.commands(README) and {*cold.EXCEPTIONS} < {*shown}
    assert all(name in README for name in cold.FILES)


def test_each_line_of_python_in_readme_is_timed_with_all_that_it_needs():
    timed = [*cold.programs(README)]
    blocks = "".join(re.findall(r"^```python\n(.*?)^```", README, re.M | re.S))
    plain = [node for node in ast.parse(blocks).body if isinstance(node, ast.Expr)]
    assert [program.splitlines()[-1] for program in timed] == [ast.unparse(node) for node in plain]
    for program in timed:
        nodes = [*ast.walk(ast.parse(program))]
        given = {each.id for each in nodes if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
        given |= {each.asname or each.name for each in nodes if isinstance(each, ast.alias)}
        given |= {each.arg for each in nodes if isinstance(each, ast.arg)}
        assert {each.id for each in nodes if isinstance(each, ast.Name)} <= given | {*dir(builtins)}, program
