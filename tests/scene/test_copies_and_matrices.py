"""Copies of scenes and of some of their nodes; nodes that are placed by matrices."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import trimesh

from octoscope import Material, Scene, load, save
from tests.scene.tetrahedra import CORNERS, FACES, tetrahedra


@pytest.fixture
def scene() -> Scene:
    return tetrahedra()


def test_world_matrices_are_set_where_they_can_be_held(scene):
    rng = np.random.default_rng(5)
    group, first = scene["group"], scene["first"]
    group.rotate(30, "z")
    group.scale = 2
    wanted = scene["alone"].world_from_local @ np.diag([3.0, -1.0, 2.0, 1.0])
    wanted[:3, 3] = 1, 2, 3
    first.world_from_local = wanted
    np.testing.assert_allclose(first.world_from_local, wanted, atol=1e-12)
    copies = scene.add_instances("copy", first, np.zeros((50, 3)), parent=group)
    turns = trimesh.transformations
    matrices = np.array([turns.random_rotation_matrix(rng.random(3)) for _ in copies])
    matrices[:, :3, :3] *= rng.uniform(0.5, 3, (50, 1, 3))
    scene.set_world_from_local(copies, matrices)
    np.testing.assert_allclose(scene.world_from_local[copies], matrices, atol=1e-12)


@pytest.mark.parametrize(
    ("do", "what"),
    [
        (
            lambda node: np.array([(1, 1, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)]),
            "'first' has shear in the frame",
        ),
        (lambda node: np.eye(3), r"a \(4, 4\) matrix is needed.* not an array \(3, 3\)$"),
        (lambda node: "east", r"a \(4, 4\) matrix is needed"),
        (lambda node: np.eye(4) * 2, "last row is 0, 0, 0, 1"),
        (lambda node: np.diag([1, np.nan, 1, 1]), "finite"),
    ],
)
def test_world_matrices_that_cannot_be_held_are_refused(scene, do, what):
    node = scene["first"]
    before = node.world_from_local
    with pytest.raises(ValueError, match=f"^world_from_local: .*{what}"):
        node.world_from_local = do(node)
    np.testing.assert_array_equal(node.world_from_local, before)
    with pytest.raises(ValueError, match="one of the nodes is below another"):
        scene.set_world_from_local([scene["group"], node], np.eye(4))
    scene["group"].parent = scene.add_node("above", scale=1e200)
    for scale in (0, (1, 1, 1e-14), 1e200):
        scene["group"].scale = scale
        with pytest.raises(ValueError, match="scaled to zero, or far too large"):
            node.world_from_local = np.eye(4)


def test_a_copy_has_some_nodes_alone_where_they_are(scene, tmp_path):
    scene["group"].rotate(30, "z")
    below = scene.add_mesh("below", CORNERS, FACES, parent=scene["first"], color="red")
    part = scene.copy(scene["first"])
    assert part.tree().splitlines() == ["└─ group", "   └─ first (4 triangles)", "      └─ below (4 triangles)"]
    np.testing.assert_allclose(part.bounds(), scene["first"].bounds)
    alone = scene.copy(below)
    assert [node.name for node in alone.objects] == ["below"] and alone["first"].mesh is None
    for ending in (".glb", ".octo.json", ".obj"):
        save(alone, tmp_path / f"a{ending}")
        opened = load(tmp_path / f"a{ending}")
        assert len(opened.objects) == 1
        np.testing.assert_allclose(opened.bounds(), below.bounds, atol=1e-5)
    alone.set_colors(alone.nodes, "blue")
    alone.delete(alone.nodes)
    assert len(scene) == 5 and below.color == (1, 0, 0, 1)


def test_a_scene_is_copied_and_not_pickled(scene):
    for copied in (copy.copy(scene), copy.deepcopy(scene)):
        copied.set_names(copied.nodes, "other")
        assert len(copied) == len(scene) and len(scene.find("other")) == 0
    with pytest.raises(TypeError, match=r"^a Scene cannot be pickled: octoscope\.save"):
        pickle.dumps(scene)


def test_every_revision_tells_that_a_scene_took_a_changed_copy(scene):
    scene.update_world()
    known = {*(name for base in Scene.__mro__ for name in vars(base)), *vars(scene)}
    names = [name for name in known if name.endswith("_revision") and not name.startswith("_")]
    before = {name: getattr(scene, name) for name in names}
    assert "materials_revision" in names and len(names) > 2
    changed = scene.copy()
    changed["alone"].name = "other"
    changed.add_node("new", mesh=0, translation=(1, 2, 3))
    changed.replace_materials({0: Material("m", base_color=(1, 0, 0))})
    scene.take(changed)
    scene.update_world()
    assert [name for name in names if getattr(scene, name) == before[name]] == []
