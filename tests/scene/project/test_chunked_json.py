"""JSON that is read in pieces equals what Python reads of the whole, and faults are found in the same place."""

from __future__ import annotations

import json

import pytest

from octoscope.scene import save_project
from octoscope.scene.project import chunked_json
from octoscope.scene.project.chunked_json import NodeLines
from tests.scene.builders import random_scene


@pytest.fixture
def text(tmp_path, monkeypatch) -> str:
    """A project of some nodes, each longer than a piece may be, or nearly."""
    monkeypatch.setattr(chunked_json, "_PIECE", 100)
    path = tmp_path / "a.octo.json"
    save_project(random_scene(5, 40), path)
    return path.read_text()


def whole(text: str) -> tuple[object, list[str]]:
    no_numbers: list[str] = []
    return json.loads(text, parse_constant=no_numbers.append), no_numbers


def parse_json(text: str) -> tuple[object, list[str]]:
    """Parse a text, nodes that became columns as well."""
    document, no_numbers = chunked_json.parse_json(text.encode())
    if isinstance(document, dict) and isinstance(document.get("nodes"), NodeLines):
        document["nodes"] = document["nodes"].parsed()
    return document, no_numbers


def test_a_project_as_it_is_written_becomes_columns(text):
    assert isinstance(chunked_json.parse_json(text.encode())[0]["nodes"], NodeLines)
    assert_same(text)


def test_a_project_that_a_person_has_changed_is_read_in_pieces(text, monkeypatch):
    text = text.replace('{"name":', '{"name": ', 1)
    pieces = []
    loads = json.loads
    monkeypatch.setattr(json, "loads", lambda text, **options: pieces.append(len(text)) or loads(text, **options))
    document, no_numbers = parse_json(text)
    assert document == loads(text) and no_numbers == []
    assert len(pieces) > 20 and max(pieces[1:]) < 1000 < len(text)


@pytest.mark.parametrize(
    "change",
    (
        lambda text: json.dumps(json.loads(text)),
        lambda text: json.dumps(json.loads(text), indent=1),
        lambda text: json.dumps(json.loads(text), indent=0),
        lambda text: text.replace('"octoscope"', '"other": {\n"nodes": [\n{"a": 1},\n{"b": 2}\n]},\n"octoscope"', 1),
        lambda text: text.replace('\n"nodes": [', '\n"nodes": [{"x": [1,\n2\n]},', 1),
        lambda text: text.replace("1.0", "NaN").replace("0.5", "-Infinity"),
        lambda text: text.replace("\n]\n}", '\n],\n"nodes": [\n{"last": "wins"}\n]\n}'),
        lambda text: text.replace("}", ",\n]}", 1),
        lambda text: text.replace('\n"nodes": [', '\n"nodes": [\n],\n"more": [', 1),
        lambda text: text + "x",
        lambda text: "[" + text + "]",
    ),
)
def test_what_is_otherwise_laid_out_or_damaged_is_read_as_a_whole(text, change):
    changed = change(text)
    assert_same(changed)


def test_cut_off_anywhere_it_is_damaged_in_the_same_place(text):
    for end in range(0, len(text), 37):
        assert_same(text[:end])
        assert_same(text[:end] + text[end + 1 :])


def assert_same(text: str) -> None:
    try:
        expected = whole(text)
    except ValueError as error:
        with pytest.raises(type(error)) as found:
            parse_json(text)
        assert str(found.value) == str(error)
        return
    document, no_numbers = parse_json(text)
    assert document == expected[0] and sorted(no_numbers) == sorted(expected[1])
