"""Journals that were cut off, damaged, written for another file or made to do harm: nothing is lost without a word."""

import copy
import json
import os
import random
import zlib

import pytest

from octoscope.scene import (
    Material,
    Recorder,
    SaveError,
    open_project,
)
from tests.scene.project.journals import do, killed, renamed, reopened_name
from tests.scene.project.projects import change_document, kinds, spots


def test_a_last_record_cut_off_at_any_byte_is_dropped_and_said(path, journal):
    renamed(path, "one")
    whole_before = journal.read_bytes()
    renamed(path, "two")
    whole = journal.read_bytes()
    for length in range(len(whole_before), len(whole)):
        journal.write_bytes(whole[:length])
        scene = open_project(path)
        assert scene.names[0] == "one"
        torn = [line for line in scene.report.warnings if "cut off" in line]
        assert len(torn) == (length > len(whole_before))
    renamed(path, "three")
    assert reopened_name(path) == "three"
    assert kinds(open_project(path)) == {"unsaved-changes": 2}
    assert sorted(os.listdir(path.parent)) == [path.name, journal.name]


def test_a_header_cut_off_at_any_byte_is_as_no_journal(path, journal):
    renamed(path)
    whole = journal.read_bytes()
    for length in range(len(whole)):
        journal.write_bytes(whole[:length])
        assert open_project(path).report.problems == []
        renamed(path, "new")
        assert reopened_name(path) == "new"
    assert sorted(os.listdir(path.parent)) == [path.name, journal.name]


@pytest.mark.parametrize("line", (1, 2, 3, 4))
def test_after_a_damaged_line_nothing_is_replayed_and_all_is_kept_aside(path, journal, line):
    renamed(path, "one", "two", "three", "four")
    lines = journal.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b'"', b"'", 1)
    damaged = b"".join(lines)
    journal.write_bytes(damaged)
    scene = open_project(path)
    assert scene.names[0] == ["a", "a", "one", "two"][line - 1]
    assert any(problem.line == line or line == 1 for problem in scene.report.problems)
    assert any("kept beside the project" in text for text in scene.report.warnings)
    assert journal.read_bytes() == damaged
    recorder = Recorder(scene)
    aside = journal.with_name(f"{journal.name}.1")
    assert aside.read_bytes() == damaged
    assert any(aside.name in text for text in scene.report.warnings)
    assert not any("kept" in text for text in open_project(path).report.warnings)
    do(recorder, 1, name="later")
    killed(recorder)
    again = open_project(path)
    assert again.names[0] == scene.names[0] and again.names[1] == "later"
    assert not any("kept" in text for text in again.report.warnings)


def test_a_journal_of_another_state_of_the_project_is_kept_aside(path, journal):
    renamed(path, "new")
    left = journal.read_bytes()
    change_document(path, lambda document: document["nodes"][0].update(name="by another program"))
    for number in (1, 2):
        scene = open_project(path)
        assert scene.names[0] == "by another program"
        assert any("1 changes to another state" in text for text in scene.report.warnings)
        recorder = Recorder(scene)
        assert journal.with_name(f"{journal.name}.{number}").read_bytes() == left
        recorder.close()
        assert open_project(path).report.problems == []
        journal.write_bytes(left)


def test_a_journal_of_another_state_that_holds_nothing_is_forgotten(path, journal):
    renamed(path)
    change_document(path, lambda document: document["nodes"][0].update(name="by another program"))
    scene = open_project(path)
    assert scene.report.problems == []
    recorder = Recorder(scene)
    recorder.close()
    assert os.listdir(path.parent) == [path.name]


def test_when_two_saves_have_one_content_only_what_came_after_the_last_is_replayed(path):
    scene = open_project(path)
    recorder = Recorder(scene)
    do(recorder, 0, name="new")
    do(recorder, 0, name="a")
    recorder.journal.mark_saved(scene.project.content.digest)  # as a save does, and is killed when it has written
    do(recorder, 1, name="later")
    killed(recorder)
    again = open_project(path)
    assert again.names.tolist() == ["a", "later", "c"] and kinds(again) == {"unsaved-changes": 1}


def line_of(record: object) -> bytes:
    text = json.dumps(record).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


@pytest.mark.parametrize(
    "record",
    (
        {"kind": "of the future"},
        {"kind": "edit"},
        {"kind": "edit", "changes": [{"column": "future"}]},
        {"kind": "edit", "changes": [], "nodes": {"name": ["a"], "alive": {}}},
        {"changes": 5},
        {},
    ),
)
def test_a_record_that_this_release_does_not_know_stops_the_replay(path, journal, record):
    renamed(path, "one")
    journal.write_bytes(journal.read_bytes() + line_of(record))
    renamed_further = journal.read_bytes() + line_of({"kind": "edit", "changes": []})
    journal.write_bytes(renamed_further)
    scene = open_project(path)
    assert scene.names[0] == "one"
    assert [problem.line for problem in scene.report.problems] == [None, 3]
    recorder = Recorder(scene)
    assert journal.with_name(f"{journal.name}.1").read_bytes() == renamed_further
    do(recorder, 0, name="two")
    killed(recorder)
    assert reopened_name(path) == "two"


@pytest.mark.parametrize("version", (1, 3))
def test_a_journal_of_another_release_is_kept_aside(path, journal, version):
    renamed(path, "one")
    head, rest = journal.read_bytes().split(b"\n", 1)
    header = json.loads(head.partition(b" ")[2])
    journal.write_bytes(line_of({**header, "version": version}) + rest)
    scene = open_project(path)
    assert scene.names[0] == "a" and any("another release" in text for text in scene.report.warnings)
    Recorder(scene)
    assert journal.with_name(f"{journal.name}.1").exists()


@pytest.mark.parametrize("seed", range(100))
def test_records_changed_at_random_never_stop_the_opening(path, journal, seed):
    scene = open_project(path)
    recorder = Recorder(scene)
    do(recorder, [0, 2], translation=(1.0, 2.0, 3.0), material=scene.add_material(Material("m")), name="n", parent=-1)
    killed(recorder)
    rng = random.Random(seed)
    record = json.loads(journal.read_bytes().splitlines()[1].partition(b" ")[2])
    values = [None, 0, -1, 10**30, "", "a", [], [0], {}, True, *(container[key] for container, key in spots(record))]
    for _ in range(rng.randint(1, 3)):
        container, key = rng.choice(spots(record))
        container[key] = copy.deepcopy(rng.choice(values))
    journal.write_bytes(journal.read_bytes() + line_of(record))
    again = open_project(path)
    assert len(again) == 3 and all("\n" not in text for text in again.report.warnings)


@pytest.mark.parametrize("kind", ("folder", "pipe", "link"))
def test_a_journal_that_is_no_file_is_said_and_not_written_to(path, journal, kind, tmp_path):
    if kind == "folder":
        journal.mkdir()
    elif kind == "pipe":
        os.mkfifo(journal)
    else:
        journal.symlink_to(tmp_path / "precious")
        (tmp_path / "precious").write_bytes(b"precious")
    scene = open_project(path)
    assert kinds(scene) == {"journal": 1}
    with pytest.raises(SaveError):
        Recorder(scene)
    assert kind != "link" or (tmp_path / "precious").read_bytes() == b"precious"
