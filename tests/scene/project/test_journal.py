"""The journal: what was done since the last save comes back, in order."""

import stat

import numpy as np
import pytest

from octoscope.scene import (
    Material,
    Recorder,
    SaveError,
    Scene,
    change_nodes,
    inverse,
    open_project,
    save_project,
)
from tests.scene.project.journals import do, killed, record, renamed, reopened_name
from tests.scene.project.projects import assert_same_scene, bits, files_of_at_most, kinds, varied_scene

pytestmark = pytest.mark.usefixtures("on_windows_too")


def test_everything_that_was_done_comes_back_bit_for_bit(tmp_path):
    path = tmp_path / "scene.octo.json"
    save_project(varied_scene(0, tmp_path), path)
    scene = open_project(path)
    recorder = Recorder(scene)
    textured = next(material for material in scene.materials if material.base_color_texture is not None)
    scene.add_material(Material("made while it ran", opacity=0.25))
    scene.add_material(textured)
    do(
        recorder,
        [5, 6],
        translation=[(-0.0, 1e-308, 0.1), (1, 2, 3)],
        rotation=[(1, 2, 3, 4), (0, 0, 0, 5)],
        scale=(2, 0, -1),
    )
    do(recorder, [7], name='屋根\n\x00 "', material=len(scene.materials) - 2)
    do(recorder, [8, 9, 10], material=[-1, len(scene.materials) - 1, 0])
    do(recorder, [11], parent=-1)
    do(recorder, [12, 13], hidden=[True, False], unselectable=True)
    edit = change_nodes(scene, np.arange(len(scene)), translation=(7.0, 7.0, 7.0))
    record(recorder, edit)
    record(recorder, inverse(edit))
    scene.update_world()
    killed(recorder)
    again = open_project(path)
    assert kinds(again) == {"unsaved-changes": 7}
    assert_same_scene(again, scene)


def test_a_material_that_is_there_is_not_made_again(tmp_path):
    path = tmp_path / "scene.octo.json"
    save_project(varied_scene(0, tmp_path), path)
    scene = open_project(path)
    recorder = Recorder(scene)
    for number in range(len(scene.materials)):
        do(recorder, [0, 1], material=number)
    killed(recorder)
    assert len(open_project(path).materials) == len(scene.materials)


def test_opening_changes_nothing_on_the_disk(path, journal):
    renamed(path, "new")
    journal.write_bytes(journal.read_bytes() + b"torn")
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    path.parent.chmod(0o555)
    assert reopened_name(path) == reopened_name(path) == "new"
    path.parent.chmod(0o755)
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_a_project_can_be_opened_as_it_was_saved(path, journal):
    renamed(path, "new")
    left = journal.read_bytes()
    scene = open_project(path, replays=False)
    assert scene.names[0] == "a" and scene.report.problems == [] and journal.read_bytes() == left
    with pytest.raises(SaveError, match="open it again"):
        Recorder(scene)
    assert reopened_name(path) == "new"


def test_a_journal_goes_on_after_reopening(path):
    renamed(path, "one", "two")
    renamed(path, "three")
    assert reopened_name(path) == "three"
    assert kinds(open_project(path)) == {"unsaved-changes": 3}


def test_saving_begins_the_journal_anew(path, journal):
    scene = open_project(path)
    recorder = Recorder(scene)
    do(recorder, 0, name="saved")
    save_project(scene, path, recorder=recorder)
    assert len(journal.read_bytes().splitlines()) == 1
    do(recorder, 1, name="not saved")
    killed(recorder)
    again = open_project(path)
    assert again.names.tolist() == ["saved", "not saved", "c"]
    assert kinds(again) == {"unsaved-changes": 1}


def test_a_journal_that_was_replayed_goes_with_the_next_save(path, journal):
    renamed(path, "new")
    scene = open_project(path)
    assert [str(problem) for problem in scene.report.problems] == [
        f"{journal}: changes were not saved last time: they are in the scene again; save the project to keep them"
    ]
    save_project(scene, path)
    assert scene.report.problems == [], "they are saved"
    assert not journal.exists()
    assert open_project(path).report.problems == [] and reopened_name(path) == "new"


def test_a_journal_without_gestures_goes_when_it_is_closed(path, journal):
    scene = open_project(path)
    recorder = Recorder(scene)
    assert journal.exists()
    recorder.close()
    assert not journal.exists()
    recorder = Recorder(scene)
    do(recorder, 0, name="new")
    recorder.close()
    assert reopened_name(path) == "new"
    scene = open_project(path)
    recorder = Recorder(scene)
    recorder.close(forget=True)
    assert not journal.exists() and reopened_name(path) == "a"


def test_an_edit_that_changes_nothing_is_not_written(path, journal):
    scene = open_project(path)
    recorder = Recorder(scene)
    before = journal.read_bytes()
    do(recorder, 0, name="a")
    assert journal.read_bytes() == before


def test_a_scene_that_was_never_saved_has_no_journal():
    with pytest.raises(ValueError, match="needs a project file"):
        Recorder(Scene())


def test_a_journal_is_seen_by_nobody_who_may_not_see_the_project(path, journal):
    path.chmod(0o600)
    renamed(path, "new")
    assert stat.S_IMODE(journal.stat().st_mode) == 0o600


def test_a_full_disk_is_said_and_the_next_gesture_brings_the_one_before(path, journal):
    scene = open_project(path)
    recorder = Recorder(scene)
    do(recorder, 0, name="one")
    with files_of_at_most(journal.stat().st_size + 10):
        for name in ("two", "three"):
            with pytest.raises(SaveError, match=r"journal: cannot be written \(File too large\)"):
                do(recorder, 0, name=name)
    assert scene.names[0] == "three" and reopened_name(path) == "one"
    do(recorder, 1, name="four")
    killed(recorder)
    assert open_project(path).names.tolist() == ["three", "four", "c"]
    assert kinds(open_project(path)) == {"unsaved-changes": 4}


def test_a_project_keeps_its_bits_through_save_and_journal(path):
    rng = np.random.default_rng(0)
    scene = open_project(path)
    recorder = Recorder(scene)
    for number in range(50):
        do(recorder, [0, 1, 2], rotation=rng.normal(size=(3, 4)), translation=rng.normal(size=(3, 3)))
        if number % 7 == 0:
            save_project(scene, path, recorder=recorder)
        if number % 5 == 0:
            killed(recorder)
            before, scene = scene, open_project(path)
            np.testing.assert_array_equal(bits(scene.rotations), bits(before.rotations))
            np.testing.assert_array_equal(bits(scene.translations), bits(before.translations))
            recorder = Recorder(scene)
