"""Deleted nodes keep their rows and are nowhere else: not in lists, files, bounds or the octree."""

import numpy as np
import pytest

from octoscope.scene import Scene, SpatialIndex, load, write_glb, write_obj
from tests.scene.builders import box


@pytest.fixture
def scene() -> Scene:
    """a, a/b, a/b/c and d, each with a box, side by side; b and so c are deleted."""
    scene = Scene()
    places = [(0, 0, 0), (10, 0, 0), (10, 0, 0), (5, 0, 0)]
    scene.add_nodes(["a", "b", "c", "d"], parent=[-1, 0, 1, -1], mesh=scene.meshes.add(box()), translation=places)
    scene.set_alive([1, 2], False)
    return scene


def test_the_others_are_all_that_there_is(scene):
    assert len(scene) == 2 and scene.row_count == 4 and scene.ids.tolist() == [0, 3]
    assert [node.name for node in scene] == ["a", "d"]
    assert not scene["a"].children and scene["a"].alive
    with pytest.raises(KeyError):
        scene["b"]
    assert scene.element_count("triangle") == 24
    assert scene.bounds()[1].tolist() == [6, 1, 1]


def test_the_octree_loses_them_and_gets_them_back(scene):
    scene.set_alive([1, 2], True)
    index = SpatialIndex(scene)
    scene.set_alive([2], False)
    assert index.all_ids().tolist() == [0, 1, 3]
    scene.set_alive([2], True)
    assert index.all_ids().tolist() == [0, 1, 2, 3]


def test_they_cannot_be_set_nor_be_hung_under(scene):
    for change in (
        lambda: scene.set_translations([1], (1, 1, 1)),
        lambda: scene.set_meshes([2], 0),
        lambda: scene.set_names([1], "new"),
        lambda: scene.set_parents([1], -1),
    ):
        with pytest.raises(IndexError, match="deleted"):
            change()
    with pytest.raises(ValueError, match="deleted"):
        scene.set_parents([3], 1)
    with pytest.raises(ValueError, match="deleted"):
        scene.add_node("new", parent=1)


def test_nothing_is_left_below_one_that_is_deleted(scene):
    for ids, alive in (([2], True), ([0], False)):
        if ids == [0]:
            scene.set_alive([1, 2], True)
        before = scene.alive.copy()
        with pytest.raises(ValueError, match="is a child of a deleted node"):
            scene.set_alive(ids, alive)
        np.testing.assert_array_equal(scene.alive, before)


def test_they_are_in_no_file_that_is_written(scene, tmp_path):
    for write, name in ((write_glb, "a.glb"), (write_obj, "a.obj")):
        write(scene, tmp_path / name)
        read = load(tmp_path / name)
        assert sorted(node.name for node in read if node.mesh_id >= 0) == ["a", "d"]
        assert read.bounds()[1].tolist() == [6, 1, 1]


def test_asking_between_frames_hides_no_change_from_the_next(scene):
    revision = scene.world_revision
    scene.set_translations([0], (1.0, 0.0, 0.0))
    assert scene.world_from_local[0, 0, 3] == 1.0
    scene.set_translations([3], (2.0, 0.0, 0.0))
    assert {0, 3} <= set(scene.changed_since(revision).tolist())
    assert scene.changed_since(scene.world_revision).tolist() == []
