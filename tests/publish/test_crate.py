"""The collection as a research object: every file with its checksum, every id resolved, the same bytes again."""

import json
import zipfile

import pytest

from gamebalance.commands.main import main
from gamebalance.publish import crate, manifest
from gamebalance.publish.files import sha256
from tests.refusals import refused


def exported(project, target):
    return crate.write(project, manifest.load(project), target)


def graph(folder):
    content = json.loads((folder / crate.METADATA).read_text(encoding="utf-8"))
    return {entity["@id"]: entity for entity in content["@graph"]}, content["@graph"]


def references(node):
    """All ids that are referred to, but for those of entities themselves."""
    if isinstance(node, dict) and set(node) == {"@id"}:
        yield node["@id"]
    elif isinstance(node, dict | list):
        for each in node.values() if isinstance(node, dict) else node:
            yield from references(each)


def test_every_file_is_there_with_its_checksum_and_its_caption(ran_for_reading, tmp_path):
    count = exported(ran_for_reading, tmp_path / "crate")
    entities, listed = graph(tmp_path / "crate")
    assert len(entities) == len(listed)
    described = [each for each in listed if "File" in each["@type"]]
    written = [file for file in (tmp_path / "crate").rglob("*") if file.is_file() and file.name != crate.METADATA]
    assert len(described) == len(written) == count
    for each in described:
        file = tmp_path / "crate" / each["name"]
        assert each["sha256"] == sha256(file) and int(each["contentSize"]) == file.stat().st_size
        assert each["description"].strip() and "/" in each["encodingFormat"]
    assert "A *line*." in entities["figures/tiny-figure-1.svg"]["description"]
    assert "66.7" in entities["data/results/finding-share-of-rebel.json"]["description"]


def test_every_id_resolves(ran_for_reading, tmp_path):
    exported(ran_for_reading, tmp_path / "crate")
    entities, listed = graph(tmp_path / "crate")
    elsewhere = {"https://w3id.org/ro/crate/1.1"}
    assert set(references(listed)) - elsewhere <= set(entities)
    assert len(entities["./"]["hasPart"]) == sum("File" in each["@type"] for each in listed)


def test_what_made_a_result(ran_for_reading, tmp_path):
    exported(ran_for_reading, tmp_path / "crate")
    entities, _ = graph(tmp_path / "crate")
    run = entities["#run-tiny-figure-1"]
    notebook = entities[run["instrument"]["@id"]]
    assert "ComputationalWorkflow" in notebook["@type"] and notebook["description"] == "A picture?"
    versions = {entities[each["@id"]]["name"] for each in notebook["softwareRequirements"]}
    assert {"gamebalance", "numpy", "matplotlib"} <= versions
    given = [entities[each["@id"]] for each in run["object"]]
    assert {each["name"]: each.get("value") for each in given if each["@type"] == "PropertyValue"}["seed"] == 2
    assert "data/published/numbers.csv" in {each["@id"] for each in run["object"]}
    results = {each["@id"] for each in run["result"]}
    assert results == {"figures/tiny-figure-1.png", "figures/tiny-figure-1.svg", "data/results/tiny-figure-1.csv"}
    assert run["subjectOf"]["@id"] == "data/results/tiny-figure-1.json"
    assert entities["#run-finding-top"]["result"] == {"@id": "data/results/finding-top.json"}


def test_an_archive_is_the_same_bytes_and_holds_the_same_files(ran_for_reading, tmp_path):
    for name in ("one.zip", "other.zip", "crate"):
        exported(ran_for_reading, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        assert names == sorted(names) and crate.METADATA in names
        for name in names:
            assert archive.read(name) == (tmp_path / "crate" / name).read_bytes()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda root: (root / "data/results/tiny-table-1.csv").unlink(), "tiny-table-1.csv is missing"),
        (lambda root: (root / "data/results/tiny-table-1.csv").write_text("x"), "is not the file that"),
        (lambda root: (root / "data/results/finding-top.json").write_text("{"), "finding-top.json is no record"),
        (lambda root: (root / "data/published/numbers.csv").write_text("x"), "numbers.csv was edited"),
    ],
)
def test_nothing_is_written_of_a_collection_that_is_not_whole(ran, tmp_path, change, message):
    change(ran.root)
    for name in ("crate.zip", "crate"):
        with refused(message):
            exported(ran, tmp_path / name)
        assert not (tmp_path / name).exists()


def test_a_target_that_holds_something_is_left_alone(ran_for_reading, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    (tmp_path / "mine.txt").write_text("mine")
    for target in (tmp_path / "full", tmp_path / "mine.txt"):
        with refused(str(target), "is needed"):
            exported(ran_for_reading, target)
    with refused("there is no folder"):
        exported(ran_for_reading, tmp_path / "none/crate.zip")
    assert (tmp_path / "mine.txt").read_text() == "mine" and [*(tmp_path / "full").iterdir()] == [
        tmp_path / "full/mine.txt"
    ]


def test_the_command_writes_into_build(ran, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["collection", "crate"])
    assert not stop.value.code and capsys.readouterr().out.startswith("build/crate.zip written: ")
    assert zipfile.is_zipfile(ran.root / "build/crate.zip")
