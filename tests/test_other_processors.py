"""What is computed here is, byte for byte, what processors of another vector width compute.

`tools/as_other_processors.py` does the same with whole notebooks; here it is the part that hangs on last bits.
"""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from as_other_processors import PROCESSORS, content, environment

pytestmark = pytest.mark.thorough

SCRIPT = Path(__file__).with_name("sensitive_results.py")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A function from the name of a processor ("this" for this one) to the folder of its results, made once."""
    made = {}

    def of(name):
        if name not in made:
            folder = tmp_path_factory.mktemp(name)
            surroundings = environment(name, folder) | {"NUMBA_CACHE_DIR": str(folder / "numba")}
            subprocess.run([sys.executable, str(SCRIPT), str(folder)], env=surroundings, check=True)
            made[name] = folder
        return made[name]

    return of


def files(folder):
    return {file.name: content(file, 0) for file in folder.iterdir() if file.is_file() and file.name != "machine.json"}


def lacking(name):
    if missing := PROCESSORS[name].missing():
        pytest.skip(f"{name} cannot be tried: this machine lacks {', '.join(missing)}")


@pytest.mark.parametrize("name", PROCESSORS)
def test_another_processor_gives_the_same_bytes(results, name):
    lacking(name)
    here, there = files(results("this")), files(results(name))
    assert set(here) == {"exact.json", "meant.csv", "decided.json", "figure.png", "figure.svg"}
    assert there.keys() == here.keys()
    assert [file for file in here if here[file] != there[file]] == []


def test_the_libraries_do_choose_as_on_other_processors(results):
    """Else all would agree without any merit: products, logarithms, exponentials and ties come out differently.

    numpy has one logarithm for AVX-512 and one for all else, so without AVX-512 it is alike everywhere.
    """
    lacking("haswell")
    found = [json.loads((results(name) / "machine.json").read_text()) for name in ("sse", "haswell", "this")]
    alike = [what for what in found[0] if found[0][what] == found[1][what] == found[2][what]]
    assert alike == (["logarithm"] if PROCESSORS["skylake-x"].missing() else [])
