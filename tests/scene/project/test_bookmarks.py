"""Bookmarks in project files: they come back bit for bit, and what makes no sense is said and repaired."""

import json
import math
import zlib

import numpy as np
import pytest

from octoscope.scene import (
    Bookmark,
    Edit,
    Recorder,
    apply,
    change_nodes,
    change_scene,
    inverse,
    load,
    open_project,
    save_project,
)
from octoscope.scene.project.journal import journal_path
from tests.scene.project.journals import do, killed, record
from tests.scene.project.projects import change_document, kinds, saved, village

GATE = Bookmark((0.1, -2.0, 1e6 / 3.0), (0.1, 0.7, -0.1, 0.6999), 12.5, 0.61)
PLAN = Bookmark((0.0, 9.0, 0.0), (-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)), orthographic=True)


@pytest.fixture
def path(tmp_path):
    scene = village(tmp_path)
    scene.bookmarks = {"gate": GATE, 'plan, "the" ü': PLAN}
    save_project(scene, tmp_path / "scene.octo.json")
    return tmp_path / "scene.octo.json"


def test_bookmarks_come_back_bit_for_bit_in_their_order(path):
    scene = open_project(path)
    assert list(scene.bookmarks.items()) == [("gate", GATE), ('plan, "the" ü', PLAN)]
    assert not scene.report.problems
    assert saved(scene, path).bookmarks == scene.bookmarks


def test_one_bookmark_is_one_line_and_a_scene_without_any_has_no_list(path):
    lines = path.read_text().splitlines()
    assert sum('"yfov"' in line for line in lines) == 2
    scene = open_project(path)
    scene.bookmarks = {}
    assert "bookmarks" not in json.loads(saved(scene, path).project.path.read_text())


def test_fields_named_as_in_gltf_describe_a_bookmark(path):
    def write(document):
        document["bookmarks"] = [{"name": "a", "translation": [1, 2, 3]}, {"name": "b", "type": "orthographic"}]

    change_document(path, write)
    scene = open_project(path)
    assert scene.bookmarks == {"a": Bookmark((1.0, 2.0, 3.0)), "b": Bookmark((0.0, 0.0, 0.0), orthographic=True)}
    assert not scene.report.problems


def test_a_change_that_cannot_be_done_again_takes_nothing_from_the_bookmarks_that_are_there(path):
    scene = open_project(path)
    recorder = Recorder(scene)
    edit = change_scene(scene, bookmarks={"new": PLAN})
    record(recorder, Edit("", (*edit.changes, *change_nodes(scene, [0], name="other").changes)))
    killed(recorder)
    journal = journal_path(path)
    header, line = journal.read_bytes().splitlines()
    text = line.split(b" ", 1)[1].replace(b'"column":"name"', b'"column":"of a later release"')
    journal.write_bytes(b"%s\n%08x %s\n" % (header, zlib.crc32(text), text))
    again = open_project(path)
    assert kinds(again) == {"journal": 1} and "gate" in again.bookmarks and "new" not in again.bookmarks


def test_bookmarks_of_one_name_get_numbers(path):
    change_document(path, lambda document: document["bookmarks"].extend([{"name": "gate"}, {"name": "gate"}]))
    assert list(open_project(path).bookmarks)[2:] == ["gate (2)", "gate (3)"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (field, value)
        for field in ("translation", "rotation", "distance", "yfov", "type", "name")
        for value in (None, "x", [], {}, True, -1, 1e999, [1, 2], [1e300] * 4, [0, 0, 0, 0], 10**400, "\ud800")
        if (field, value) != ("name", "x")  # which is a valid name
    ],
)
def test_what_cannot_be_is_said_and_the_rest_stays(path, field, value):
    change_document(path, lambda document: document["bookmarks"][0].update({field: value}))
    scene = open_project(path)
    (name, bookmark), other = scene.bookmarks.items()
    assert other[1] == PLAN
    assert kinds(scene)["bookmark"] == 1, scene.report.warnings
    default = Bookmark((0.0, 0.0, 0.0))
    for written, attribute in (
        ("translation", "position"),
        ("rotation", "rotation"),
        ("distance", "distance"),
        ("yfov", "fov_y_rad"),
        ("type", "orthographic"),
    ):
        assert getattr(bookmark, attribute) == getattr(default if written == field else GATE, attribute)
    assert (name == "gate") == (field != "name")
    assert saved(scene, path).bookmarks == scene.bookmarks


@pytest.mark.parametrize("written", [{}, "gate", 3, None, [None, 1, "x", [], {"name": "kept"}]])
def test_what_is_no_bookmark_is_left_out_and_said(path, written):
    change_document(path, lambda document: document.update(bookmarks=written))
    scene = open_project(path)
    assert list(scene.bookmarks) == (["kept"] if isinstance(written, list) else [])
    assert kinds(scene)["bookmark"] == (4 if isinstance(written, list) else 1)
    assert len(scene) > 0


def test_a_project_that_others_are_added_to_keeps_its_bookmarks(path, tmp_path):
    scene = load([path, tmp_path / "village.obj"])
    assert np.array_equal(list(scene.bookmarks), ["gate", 'plan, "the" ü'])


def test_bookmarks_are_edited_and_undone(path):
    scene = open_project(path)
    before = dict(scene.bookmarks)
    edit = change_scene(scene, bookmarks={"plan": PLAN, **before}, label="Add bookmark plan")
    apply(scene, edit)
    assert list(scene.bookmarks) == ["plan", *before] and edit.nbytes > 0
    apply(scene, inverse(edit))
    assert list(scene.bookmarks.items()) == list(before.items())
    assert change_scene(scene, bookmarks=before).changes == ()
    assert change_scene(scene, bookmarks=dict(reversed(before.items()))).changes, "their order is a person's"


def test_a_program_that_is_killed_loses_no_bookmark(path):
    scene = open_project(path)
    recorder = Recorder(scene)
    do(recorder, [0], name="other")
    record(recorder, change_scene(scene, bookmarks={"new": GATE, **scene.bookmarks}))
    do(recorder, [0], translation=(1, 2, 3))
    killed(recorder)
    again = open_project(path)
    assert list(again.bookmarks.items()) == list(scene.bookmarks.items())
    assert kinds(again) == {"unsaved-changes": 3}
