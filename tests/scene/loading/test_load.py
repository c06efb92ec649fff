"""load(): several files into one scene, the bad ones listed beside the good."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import LoadReport, ReadError, Scene, SpatialIndex, load, save_project
from octoscope.scene.loading.file_import import add_file
from octoscope.scene.loading.read import BackgroundReader, Cancelled

TRIANGLE = "v 0 0 0\nv 1 0 0\nv 1 1 0\n"


@pytest.fixture
def files(tmp_path):
    """good.obj (two objects, a material), empty.obj, gone.obj, other.obj (one object, another material)."""
    (tmp_path / "good.obj").write_text(f"mtllib a.mtl\n{TRIANGLE}o a\nusemtl m\nf 1 2 3\no b\nf 1 2 3\n")
    (tmp_path / "empty.obj").write_text("")
    (tmp_path / "other.obj").write_text(f"mtllib b.mtl\n{TRIANGLE}o a\nusemtl m\nf 1 2 3\ncurv 1 2\n")
    (tmp_path / "a.mtl").write_text("newmtl m\nKd 1 0 0\n")
    (tmp_path / "b.mtl").write_text("newmtl m\nKd 0 0 1\n")
    return [tmp_path / name for name in ("good.obj", "empty.obj", "gone.obj", "other.obj")]


def test_good_files_open_beside_bad_ones_which_are_listed(files):
    scene = load(files)
    report = scene.report
    assert report.opened == [files[0], files[3]]
    assert len(report.errors) == 2
    for error, path in zip(report.errors, files[1:3], strict=True):
        assert error.startswith(str(path)) and len(error.splitlines()) == 1
    assert len(report.warnings) == 1 and report.warnings[0].startswith(str(files[3]))
    assert report.vertex_count == 6
    assert len(scene.meshes) == 3


def test_each_file_is_a_node_and_its_objects_hang_below_it(files):
    scene = load(files)
    assert [scene.path_of(node.id) for node in scene] == [
        "good.obj",
        "good.obj/a",
        "good.obj/b",
        "other.obj",
        "other.obj/a",
    ]
    assert scene.mesh_ids.tolist() == [-1, 0, 1, -1, 2]


def test_materials_of_one_name_in_two_files_stay_apart(files):
    scene = load(files)
    used = [scene.meshes.vertices["material"][scene.meshes.rows["first_vertex"][mesh]] for mesh in range(3)]
    assert [scene.materials[number].base_color for number in used] == [(1, 0, 0), (1, 0, 0), (0, 0, 1)]


def test_a_loaded_scene_says_where_it_is(files):
    scene = load(files)
    np.testing.assert_array_equal(scene.bounds(), [(0, 0, 0), (1, 1, 0)])


def test_one_file_opened_twice_is_there_twice(files):
    scene = load([files[0], files[0]])
    report = scene.report
    assert [node.name for node in scene] == ["good.obj", "a", "b"] * 2
    assert report.opened == [files[0]] * 2


def test_progress_is_called_with_the_bytes_of_each_file(files):
    seen = {path: [] for path in files}
    load([str(path) for path in files], progress=lambda path, *bytes_done: seen[path].append(bytes_done))
    assert all(steps[0] == (0, None) for steps in seen.values())
    assert seen[files[0]][-1] == (files[0].stat().st_size,) * 2


def test_what_progress_raises_ends_the_loading(files):
    def stop(*_):
        raise Cancelled

    with pytest.raises(Cancelled):
        load(files, progress=stop)


def test_a_cancelled_reader_gives_what_it_had_and_ends(tmp_path):
    paths = [tmp_path / f"{number}.obj" for number in range(500)]
    for path in paths:
        path.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\n")
    reader = BackgroundReader(paths)
    first = reader.take(timeout_seconds=60.0)
    reader.cancel()
    others = 0
    while not reader.finished:
        others += reader.take(timeout_seconds=0.1) is not None
    assert others < 499
    assert reader.left_out == paths[1 + others :]
    assert first[0] == paths[0] and not isinstance(first[1], Exception)
    assert reader.state is None and reader.cancelled


def test_nothing_to_load_makes_an_empty_scene():
    scene = load([])
    report = scene.report
    assert len(scene) == 0 and report == LoadReport()


def test_when_no_file_can_be_opened_each_is_told_in_its_line(files):
    with pytest.raises(ReadError) as refused:
        load(files[1:3])
    lines = str(refused.value).splitlines()
    assert [line.startswith(str(path)) for line, path in zip(lines, files[1:3], strict=True)] == [True, True]


@pytest.mark.parametrize("vertex", ("v 0 0", "v 1e308 -1e308 1e308", "v nan 0 0", "v 0 0 0 0 0 0 0 0"))
def test_a_file_with_odd_vertices_never_keeps_the_others_from_opening(files, tmp_path, vertex):
    odd = tmp_path / "odd.obj"
    odd.write_text(f"{vertex}\n" * 3 + "f 1 2 3\n")
    with np.errstate(all="ignore"):
        scene = load([odd, files[0]])
    report = scene.report
    assert files[0] in report.opened
    assert (odd in report.opened) != (len(report.errors) == 1)
    assert scene["good.obj"].children


def test_a_reader_in_the_background_gives_every_file_in_order(tmp_path):
    paths = []
    for number in range(5):
        paths.append(tmp_path / f"{number}.obj")
        if number != 3:
            paths[-1].write_text(TRIANGLE + f"o square{number}\nf 1 2 3\n")
    reader, scene = BackgroundReader(paths), Scene()
    report = scene.report
    while not reader.finished:
        taken = reader.take(timeout_seconds=5.0)
        if taken is not None:
            add_file(scene, *taken)
    assert reader.state is None
    assert report.opened == [path for path in paths if path.name != "3.obj"]
    assert len(report.errors) == 1 and "3.obj" in report.errors[0]
    assert [node.name for node in scene if node.mesh_id >= 0] == ["square0", "square1", "square2", "square4"]


def test_a_fault_on_the_reading_thread_is_raised_by_who_takes_it(tmp_path, monkeypatch):
    def broken(path, **_):
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr("octoscope.scene.formats.obj.reader.read_obj", broken)
    taken = BackgroundReader([tmp_path / "a.obj"]).take(timeout_seconds=5.0)
    with pytest.raises(RuntimeError, match="a fault of ours"):
        add_file(Scene(), *taken)


# Projects.


@pytest.fixture
def project(files, tmp_path):
    """scene.octo.json: good.obj, with its second object moved."""
    scene = load(files[0])
    scene["b"].translation = (0, 5, 0)
    save_project(scene, tmp_path / "scene.octo.json")
    return tmp_path / "scene.octo.json"


def test_a_project_opens_in_the_background_like_any_file_into_a_scene_that_others_refer_to(project, files):
    paths = [files[2], project, files[3], project]
    scene, at_once = Scene(), load(paths)
    index, report = SpatialIndex(scene), scene.report
    reader = BackgroundReader(paths)
    while not reader.finished:
        taken = reader.take(timeout_seconds=5.0)
        if taken is not None:
            add_file(scene, *taken)
    assert scene.report is report and report == at_once.report
    assert report.opened == [project, files[3]]
    assert [error.split(": ")[1] for error in report.errors] == [
        "no such file; check the path",
        "a project is not added to other files; name it first",
    ]
    assert scene.names.tolist() == at_once.names.tolist() == ["good.obj", "a", "b", "other.obj", "a"]
    np.testing.assert_array_equal(scene.world_from_local, at_once.world_from_local)
    assert index.all_ids().tolist() == [1, 2, 4]
    np.testing.assert_array_equal(index.bounds(), [(0, 0, 0), (1, 6, 0)])
    save_project(scene, project)
    assert len(load(project)) == 5


def test_a_project_tells_how_far_it_is_by_the_files_it_refers_to_and_can_be_stopped_there(project, files):
    seen = []
    load(project, progress=lambda path, *bytes_done: seen.append((path, *bytes_done)))
    assert seen[0] == (project, 0, None)
    assert seen[-1] == (files[0], files[0].stat().st_size, files[0].stat().st_size)

    def stop_at_mesh(path, *_):
        if path != project:
            raise Cancelled

    with pytest.raises(Cancelled):
        load(project, progress=stop_at_mesh)


def test_a_scene_that_holds_something_becomes_no_other(files):
    scene = load(files[0])
    with pytest.raises(ValueError, match="empty"):
        scene.become(Scene())
    assert len(scene) == 3


# Every kernel takes a new process milliseconds to load, whether or not there is anything for it to do.

CALLED_WHEN_A_FILE_IS_SHOWN = """
import sys
import numpy as np
from octoscope.octree import Frustum
from octoscope.scene import load

def note(frame, event, argument):
    if event == "call" and "/site-packages/" not in frame.f_code.co_filename:
        arrays = [value for value in frame.f_locals.values() if isinstance(value, np.ndarray)]
        print(frame.f_code.co_name, all(array.flags.c_contiguous for array in arrays))

sys.setprofile(note)
assert len(load(sys.argv[1]).index.cull(Frustum.from_matrix(np.diag((0.1, 0.1, 0.1, 1.0))))) == 2
"""


def test_a_small_file_is_loaded_and_culled_without_kernels_that_have_nothing_to_do(files):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CALLED_WHEN_A_FILE_IS_SHOWN, files[0]],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},  # kernels are functions then, which can be seen to be called
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    called = dict(line.split() for line in done.stdout.splitlines())
    assert {"link_appended", "sort_by_cell", "collect", "_intern", "counts_before"} <= called.keys()
    assert not {"commit_moves", "remove_spheres", "first_repeated", "write_lines_and_points"} & called.keys()
    # An array of another layout is another kernel to numba.
    assert called["_intern"] == called["counts_before"] == "True"


def test_a_pattern_that_no_shell_has_expanded_is_told_so(tmp_path):
    with pytest.raises(
        ReadError, match=r"\*\.obj: no such file; name each file, or a folder: patterns are not expanded"
    ):
        load(tmp_path / "*.obj")
