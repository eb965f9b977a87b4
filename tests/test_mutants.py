"""What `make mutants` reads is in order: rule files and tests exist, and each survivor that is listed has a reason."""

import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
RULES = tomllib.loads((ROOT / "tools" / "mutants.toml").read_text(encoding="utf-8"))["rules"]


def test_rule_files_and_their_tests_exist():
    files = [entry["file"] for entry in RULES]
    assert len(set(files)) == len(files)
    for entry in RULES:
        assert set(entry) <= {"file", "tests", "which"} and entry["tests"]
        for file in (entry["file"], *entry["tests"]):
            assert (ROOT / file).is_file(), file


def test_every_survivor_that_is_listed_has_a_reason_and_stands_once():
    listed = []
    for entry in yaml.safe_load((ROOT / "tests" / "mutants.yaml").read_text(encoding="utf-8")):
        assert set(entry) == {"why", "equivalent", "mutants"} and isinstance(entry["equivalent"], bool)
        assert len(entry["why"].split()) > 3 and entry["why"].endswith(".")
        for file, scopes in entry["mutants"].items():
            listed += [(file, scope, change) for scope, changes in scopes.items() for change in changes]
    assert len(set(listed)) == len(listed)
    assert {file for file, _, _ in listed} <= {entry["file"] for entry in RULES}
