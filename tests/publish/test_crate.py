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


@pytest.fixture
def graph(ran_for_reading, tmp_path):
    """A crate in a folder, and its entities by their ids."""
    count = exported(ran_for_reading, tmp_path / "crate")
    listed = json.loads((tmp_path / "crate" / crate.METADATA).read_text(encoding="utf-8"))["@graph"]
    entities = {entity["@id"]: entity for entity in listed}
    assert len(entities) == len(listed) and len(entities["./"]["hasPart"]) == count
    return tmp_path / "crate", entities


def references(node):
    """All ids that are referred to, but for those of entities themselves."""
    if isinstance(node, dict) and set(node) == {"@id"}:
        yield node["@id"]
    elif isinstance(node, dict | list):
        for each in node.values() if isinstance(node, dict) else node:
            yield from references(each)


def test_every_file_is_there_with_its_checksum_and_its_caption_and_every_id_resolves(graph):
    folder, entities = graph
    described = [each for each in entities.values() if "File" in each["@type"]]
    written = [file for file in folder.rglob("*") if file.is_file() and file.name != crate.METADATA]
    assert len(described) == len(written) == len(entities["./"]["hasPart"])
    for each in described:
        file = folder / each["name"]
        assert each["sha256"] == sha256(file) and int(each["contentSize"]) == file.stat().st_size
        assert each["description"].strip() and "/" in each["encodingFormat"]
    assert "A *line*." in entities["figures/tiny-figure-1.svg"]["description"]
    assert "66.7" in entities["data/results/finding-share-of-rebel.json"]["description"]
    assert set(references([*entities.values()])) - {"https://w3id.org/ro/crate/1.1"} <= set(entities)


def test_what_made_a_result(graph):
    _, entities = graph
    run = entities["#run-tiny-figure-1"]
    notebook, *packages = [entities[each["@id"]] for each in run["instrument"]]
    assert "ComputationalWorkflow" in notebook["@type"] and notebook["description"] == "A picture?"
    assert {"numpy", "matplotlib"} <= {each["name"] for each in packages}
    given = [entities[each["@id"]] for each in run["object"]]
    assert {each["name"]: each.get("value") for each in given if each["@type"] == "PropertyValue"}["seed"] == 2
    assert "data/published/numbers.csv" in {each["@id"] for each in given}
    results = {each["@id"] for each in run["result"]}
    assert results == {"figures/tiny-figure-1.png", "figures/tiny-figure-1.svg", "data/results/tiny-figure-1.csv"}
    assert run["subjectOf"]["@id"] == "data/results/tiny-figure-1.json"
    assert entities["#run-finding-top"]["result"] == [{"@id": "data/results/finding-top.json"}]


def test_an_archive_is_the_same_bytes_and_holds_the_same_files(ran_for_reading, graph, tmp_path):
    for name in ("one.zip", "other.zip"):
        exported(ran_for_reading, tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "other.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.zip") as archive:
        names = archive.namelist()
        assert names == sorted(names) and crate.METADATA in names
        assert all(archive.read(name) == (graph[0] / name).read_bytes() for name in names)


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("data/results/tiny-table-1.csv", "x", "is not the file that"),
        ("data/results/finding-top.json", "{", "finding-top.json is no record"),
        ("data/published/numbers.csv", "x", "numbers.csv was edited"),
    ],
)
def test_nothing_is_written_of_a_collection_that_is_not_whole(ran, tmp_path, file, text, message):
    (ran.root / file).write_text(text)
    for name in ("crate.zip", "crate"):
        with refused(message):
            exported(ran, tmp_path / name)
        assert not (tmp_path / name).exists()


def test_a_target_that_holds_something_is_left_alone(ran_for_reading, tmp_path):
    mine = tmp_path / "full" / "mine.txt"
    mine.parent.mkdir()
    mine.write_text("mine")
    for target in (mine.parent, mine):
        with refused(str(target), "is needed"):
            exported(ran_for_reading, target)
    with refused("there is no folder"):
        exported(ran_for_reading, tmp_path / "none/crate.zip")
    assert mine.read_text() == "mine" and [*mine.parent.iterdir()] == [mine]


def test_the_command_writes_into_build(ran, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["collection", "crate"])
    assert not stop.value.code and capsys.readouterr().out.startswith("build/crate.zip written: ")
    assert zipfile.is_zipfile(ran.root / "build/crate.zip")
