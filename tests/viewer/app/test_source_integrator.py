"""Files that were read beside the window are framed in the picture, unless the user looks at something."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from octoscope.scene import Problem, Scene, apply, change_nodes
from octoscope.scene.editing.edits import inverse
from octoscope.scene.file_state import UNSAVED_CHANGES
from octoscope.scene.loading.read import BackgroundReader
from octoscope.viewer.app.source_integrator import SourceIntegrator
from octoscope.viewer.camera.bookmark_pose import bookmark_of
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.document.source_files import SourceFiles
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.view import View


def loading_of(view: View, paths: list[Path]) -> SourceIntegrator:
    files = SourceFiles(Editor(view, Log()), DocumentOptions("scene", watch=False), BackgroundReader(paths))
    return SourceIntegrator(view, files, Log(), message_keys=lambda: "Ctrl+3")


def load_until(loading: SourceIntegrator, view: View, count: int) -> None:
    deadline = time.monotonic() + 40.0
    while len(view.scene) < count:
        assert time.monotonic() < deadline
        loading.poll()


def test_keys_pressed_before_the_first_file_is_there_leave_it_to_be_framed(boxes):
    view = View(Scene())
    view.scene.project.camera = bookmark_of(view.camera)  # of an empty project
    loading = loading_of(view, [boxes])
    view.camera = replace(view.camera, pivot=np.array([500.0, 0.0, 0.0]))
    loading.note_camera_moved()
    load_until(loading, view, 4)
    lower, upper = view.index.bounds()
    assert ((lower <= view.camera.pivot) & (view.camera.pivot <= upper)).all()


def test_the_camera_of_a_project_stays_while_files_come_in(boxes):
    view = View(Scene())
    view.scene.add_node("object of the project")
    view.scene.project.camera = bookmark_of(view.camera)
    before = view.camera
    load_until(loading_of(view, [boxes]), view, 5)
    assert view.camera is before


def test_files_that_were_left_out_because_reading_was_stopped_are_told(tmp_path):
    paths = [tmp_path / f"{number}.obj" for number in range(500)]
    for path in paths:
        path.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n")
    loading = loading_of(View(Scene()), paths)
    files = loading._files
    files.open([tmp_path / "more.obj"])
    files.cancel()
    files.cancel()  # a key that is pressed twice
    deadline = time.monotonic() + 40.0
    while files.reading:
        assert time.monotonic() < deadline
        loading.poll()
    read = len(loading._view.scene.sources)
    (told,) = [entry for entry in loading._log.entries if "cancelled" in entry.text]
    assert told.level == "warning" and told.text.endswith(f"before {read}.obj and {500 - read} more")


def test_a_camera_that_looks_at_something_stays_where_it_is(boxes, tmp_path):
    other = tmp_path / "other.obj"
    other.write_text("o far\nv 900 0 0\nv 901 0 0\nv 900 1 0\nf 1 2 3\n")
    view = View(Scene())
    load_until(loading_of(view, [boxes]), view, 4)
    view.camera = replace(view.camera, pivot=np.array([1.0, 2.0, 3.0]))
    loading = loading_of(view, [other])
    loading.note_camera_moved()
    load_until(loading, view, 5)
    np.testing.assert_array_equal(view.camera.pivot, (1.0, 2.0, 3.0))


def test_what_a_save_has_mended_is_told_no_longer(boxes):
    view = View(Scene())
    loading = loading_of(view, [boxes])
    view.scene.report.problems.append(Problem("a.octo.journal", None, "journal", "not saved", "save it"))
    load_until(loading, view, 4)
    view.scene.report.problems.append(Problem("a.octo.journal", None, UNSAVED_CHANGES, "recovered", "there again"))
    loading.poll()
    assert [message.kind for message in loading.messages] == ["journal"] and loading.problem_count == 1
    assert [toast.text for toast in loading._log.toasts] == ["a.octo.journal: not saved: save it"]
    view.scene.report.problems.clear()
    loading.poll()
    assert loading.messages == [] and loading._log.toasts == []
    for line in (6, None, 5, 8, 10):
        view.scene.report.problems.append(Problem("a.obj", line, f"kind {line}", "what", "done"))
    loading.poll()
    assert [message.place for message in loading.messages] == ["a.obj", "a.obj:5", "a.obj:6", "a.obj:8", "a.obj:10"]


def test_objects_out_of_range_are_told_when_an_edit_brings_them_there_and_until_one_brings_them_back(boxes):
    view = View(Scene())
    loading = loading_of(view, [boxes])
    load_until(loading, view, 4)

    def told() -> list[str]:
        view.update()
        loading.note_picture(0.01, ())
        assert loading.problem_count == sum(message.count for message in loading.messages)
        return [toast.text for toast in loading._log.toasts]

    assert told() == []
    node = int(view.scene.ids[-1])
    move = change_nodes(view.scene, [node], label="Move", translation=(1e300, 0.0, 0.0))
    apply(view.scene, move)
    assert len(told()) == 1 and "out of range" in told()[0] and loading.problem_count == 1
    apply(view.scene, inverse(move))
    assert told() == [] and loading.problem_count == 0


def load_all(loading: SourceIntegrator) -> None:
    deadline = time.monotonic() + 40.0
    while loading._files.reading:
        assert time.monotonic() < deadline
        loading.poll()


def write_objects(folder: Path, count: int, *lines: str) -> list[Path]:
    paths = [folder / f"{number:03}.obj" for number in range(count)]
    for path in paths:
        path.write_text("\n".join([*lines, "v 0 0 0", "v 1 0 0", "v 1 1 0", "f 1 2 3", ""]))
    return paths


def test_what_many_files_say_is_told_in_one_line_that_counts(tmp_path):
    loading = loading_of(View(Scene()), write_objects(tmp_path, 174, "mtllib gone.mtl", "usemtl red"))
    load_all(loading)
    assert len(loading.messages) == 348, "the file that is not found, and the material that is in none"
    assert [toast.text for toast in loading._log.toasts] == [
        "348 problems of 2 kinds in the opened files; Messages (Ctrl+3) lists them"
    ]
    assert len(loading._log.entries) == 1


def test_what_is_wrong_with_a_material_file_is_told_once_however_many_files_name_it(tmp_path):
    (tmp_path / "scene.mtl").write_text("newmtl red\nKd 1 oops 0\nmap_Kd gone.png\n")
    loading = loading_of(View(Scene()), write_objects(tmp_path, 30, "mtllib scene.mtl", "usemtl red"))
    load_all(loading)
    assert [message.kind for message in loading.messages] == ["mtl-number", "texture-missing"]
    assert all("(named by 30 files)" in message.text and message.count == 1 for message in loading.messages)
    assert [toast.text for toast in loading._log.toasts] == [message.text for message in loading.messages]


def test_files_that_cannot_be_opened_are_counted_where_they_are_many(tmp_path):
    good = write_objects(tmp_path, 1)
    for number in range(174):
        (tmp_path / f"bad{number}.obj").write_text("nothing")
    loading = loading_of(View(Scene()), [*good, *sorted(tmp_path.glob("bad*.obj"))])
    load_all(loading)
    assert len(loading.messages) == 174
    assert [toast.text for toast in loading._log.toasts] == ["174 files cannot be opened; Messages (Ctrl+3) lists them"]


def test_a_file_that_can_be_opened_at_last_is_no_longer_told_as_one_that_cannot(tmp_path):
    bad = tmp_path / "bad.obj"
    bad.write_text("nothing")
    loading = loading_of(View(Scene()), [*write_objects(tmp_path, 1), bad])
    load_all(loading)
    assert [message.level for message in loading.messages] == ["error"]
    bad.write_text((tmp_path / "000.obj").read_text())
    loading._files.open([bad])
    load_all(loading)
    assert [message for message in loading.messages if message.level == "error"] == []
    assert not [toast for toast in loading._log.toasts if toast.level == "error"]
    assert [entry.settled for entry in loading._log.entries if entry.level == "error"] == [True]


def test_the_message_about_files_counts_what_the_status_bar_counts(tmp_path):
    (gone, *others) = (tmp_path / f"{number}.obj" for number in range(6))
    for place, path in enumerate(others):
        path.write_text(f"v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\nf 1 2 {7 + place}\n")
    loading = loading_of(View(Scene()), [gone, *others])
    load_all(loading)
    assert loading.problem_count == 6
    assert any(toast.text.startswith("6 problems of ") for toast in loading._log.toasts)
