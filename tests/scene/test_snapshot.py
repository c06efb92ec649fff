"""A snapshot is written while its scene goes on; and writing that is stopped leaves nothing behind."""

from __future__ import annotations

import weakref
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Bookmark, MeshData, Scene, apply, change_scene, inverse, save_project
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import Anchor, Measurement
from octoscope.scene.editing.edits import SCENE_VALUES
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.loaded_source import LoadedSource
from octoscope.scene.mesh.color_scale import ColorScale, Covered
from octoscope.scene.mesh.material import Material
from octoscope.scene.mesh.table import ColumnTable
from octoscope.scene.nodes.attributes import versioned_attributes
from tests.scene.builders import box
from tests.scene.dressed import dressed_scene


class Stopped(Exception):
    """The person wants no more of it."""


def written(scene: Scene, folder: Path) -> dict[str, bytes]:
    """All files that it can be written to."""
    folder.mkdir()
    for ending, write in WRITERS.items():
        write(scene, folder / f"a{ending}")
    save_project(scene, folder / "a.octo.json")
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_what_is_done_after_a_snapshot_is_not_in_it(tmp_path):
    scene, same = dressed_scene(1), dressed_scene(1)
    expected = written(same, tmp_path / "expected")
    taken = scene.copy()
    scene.meshes.add(MeshData(np.zeros((3, 3)), np.array([(0, 1, 2)]), None, np.zeros(3, dtype=np.int32)))
    scene.set_translations(scene.ids, (3.0, 3.0, 3.0))
    scene.set_names(scene.ids, "other")
    scene.add_nodes(["more"] * 50, mesh=0)
    scene.add_material(scene.materials[0])
    scene.bookmarks = {}
    scene.update_world()
    assert written(taken, tmp_path / "taken") == expected


def test_a_snapshot_that_nobody_needs_any_more_is_freed_at_once():
    scene = dressed_scene(1)
    scene.raycast((0.0, 0.0, 50.0), (0.0, 0.0, -1.0))
    gone = weakref.ref(scene.copy())
    assert gone() is None, "it does not wait for the collector of circles"


def test_changing_a_snapshot_leaves_its_scene_as_it_is(tmp_path):
    scene, same = dressed_scene(1), dressed_scene(1)
    taken = scene.copy()
    taken.meshes.add(box())
    taken.set_translations(taken.ids, (3.0, 3.0, 3.0))
    taken.add_nodes(["more"] * 50, mesh=len(taken.meshes) - 1)
    taken.add_material(taken.materials[0])
    save_project(taken, tmp_path / "elsewhere.octo.json")
    assert scene.project.path is None
    assert written(scene, tmp_path / "a") == written(same, tmp_path / "b")


OTHER_VALUES = {
    "materials": lambda scene: (*scene.materials, Material("grey")),
    "up_axis": lambda scene: "z",
    "length_unit": lambda scene: "cm",
    "length_decimals": lambda scene: 2,
    "bookmarks": lambda scene: {"gate": Bookmark((1.0, 2.0, 3.0))},
    "sources": lambda scene: (*scene.sources, Path("more.obj")),
    "loaded_sources": lambda scene: {5: LoadedSource()},
    "color_scales": lambda scene: {0: ColorScale("heat", 0.0, 1.0, bytes(6))},
    "covered_by_scalars": lambda scene: {0: Covered(np.zeros((1, 4)), np.zeros(1), {})},
    "measurements": lambda scene: (Measurement("distance", (Anchor(-1, (0, 0, 0)), Anchor(-1, (1, 0, 0)))),),
    "unused_materials": lambda scene: (Material("spare"),),
    "cursor": lambda scene: (1.0, 2.0, 3.0),
    "labels": lambda scene: (Label("a", Anchor(-1, (0, 0, 0))),),
}


@pytest.mark.parametrize("name", versioned_attributes(Scene))
def test_a_scene_takes_from_a_changed_copy_whatever_is_set_whole(name):
    scene = dressed_scene(1)
    copy = scene.copy()
    before, value = getattr(scene, name), OTHER_VALUES[name](scene)
    setattr(copy, name, value)
    assert getattr(scene, name) == before != value
    scene.take(copy)
    assert getattr(scene, name) == value


@pytest.mark.parametrize("name", SCENE_VALUES)
def test_an_edit_sets_a_value_of_a_scene_and_takes_it_back(name):
    scene = dressed_scene(1)
    before, value = getattr(scene, name), OTHER_VALUES[name](scene)
    edit = change_scene(scene, **{name: value})
    assert getattr(scene, name) == before
    apply(scene, edit)
    assert getattr(scene, name) == value
    assert not change_scene(scene, **{name: value}).changes
    apply(scene, inverse(edit))
    assert getattr(scene, name) == before


def test_a_frozen_table_and_its_own_do_not_write_into_each_other():
    table = ColumnTable(value=(np.int64, ()))
    table.append(3, value=[1, 2, 3])
    table.append(1, value=4)
    frozen = table.frozen()
    frozen.append(1, value=50)
    table.append(1, value=5)
    assert frozen["value"].tolist() == [1, 2, 3, 4, 50] and table["value"].tolist() == [1, 2, 3, 4, 5]


@pytest.mark.parametrize("ending", WRITERS)
def test_writing_tells_how_far_it_is(tmp_path, ending):
    told = []
    WRITERS[ending](dressed_scene(1), tmp_path / f"a{ending}", progress=told.append)
    assert told and told == sorted(told) and told[0] >= 0.0 and told[-1] <= 1.0


@pytest.mark.parametrize("is_there", [False, True])
@pytest.mark.parametrize("ending", WRITERS)
def test_writing_that_is_stopped_leaves_what_was_there_and_nothing_else(tmp_path, ending, is_there):
    scene = dressed_scene(1)
    folder = tmp_path / "out"
    folder.mkdir()
    path = folder / f"a{ending}"
    if is_there:
        path.write_text("before")
    told = []
    WRITERS[ending](scene, tmp_path / f"whole{ending}", progress=told.append)
    for stop_at in range(len(told)):
        calls = []

        def stop(fraction: float, calls: list[float] = calls, stop_at: int = stop_at) -> None:
            calls.append(fraction)
            if len(calls) > stop_at:
                raise Stopped

        with pytest.raises(Stopped):
            WRITERS[ending](scene, path, progress=stop)
        assert [each.name for each in folder.iterdir()] == ([path.name] if is_there else [])
        assert not is_there or path.read_text() == "before"
