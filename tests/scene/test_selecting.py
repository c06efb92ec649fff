"""Selection of nodes by rules, against plain loops over the nodes."""

from __future__ import annotations

import fnmatch

import numpy as np
import pytest

from octoscope.scene import Material, Scene, selecting
from octoscope.scene.nodes.layers import SELECTABLE
from tests.oracles import transformed
from tests.scene.builders import box, quad, random_scene


def varied(seed: int) -> tuple[Scene, np.random.Generator]:
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 60)
    for name in "abc":
        scene.add_material(Material(name))
    some = rng.choice(len(scene), 20, replace=False)
    scene.set_materials(some, rng.integers(-1, len(scene.materials), 20))
    scene.set_names(some, rng.choice(["House 1", "house 12", "HOUSEBOAT", "tree\n", "a.b", "[x]"], 20))
    scene.set_hidden(some[:4], True)
    scene.set_unselectable(some[4:9], True)
    scene.update_world()
    return scene, rng


def materials_of(scene: Scene, node: int) -> set[int]:
    if scene.mesh_ids[node] < 0:
        return set()
    if scene.material_overrides[node] >= 0:
        return {int(scene.material_overrides[node])}
    return set(scene.meshes.mesh(scene.mesh_ids[node]).material_ids.tolist())


def check(found: np.ndarray, expected: list[int]) -> None:
    assert found.dtype == np.int32
    assert found.tolist() == expected


@pytest.mark.parametrize("seed", range(5))
def test_they_agree_with_loops(seed):
    scene, rng = varied(seed)
    ids = np.sort(rng.choice(len(scene), 6, replace=False))
    among = rng.random(len(scene)) < 0.8
    nodes = range(len(scene))
    selectable = [node for node in nodes if among[node] and scene.layers[node] == SELECTABLE]
    objects = [node for node in selectable if scene.mesh_ids[node] >= 0]
    check(selecting.selectable_ids(scene, among), objects)
    check(selecting.inverted_ids(scene, ids, among), [node for node in objects if node not in ids])
    for pattern in ("house*", "*OU?E 1", "*", "[[]x]", "tree?", "*e*1*"):
        fits = [node for node in selectable if fnmatch.fnmatch(scene.names[node].lower(), pattern.lower())]
        check(selecting.named_ids(scene, pattern, among), fits)
    for part in ("", "a.b", "tree", "OUSE", "x]", " "):
        holding = [node for node in selectable if part.lower() in scene.names[node].lower()]
        check(selecting.named_ids(scene, part, among), holding)
    used = set().union(*(materials_of(scene, node) for node in ids))
    check(selecting.material_ids_of(scene, ids), sorted(used))
    check(
        selecting.with_material_ids(scene, np.array(sorted(used), dtype=np.int32), among),
        [node for node in objects if materials_of(scene, node) & used],
    )
    check(selecting.child_ids(scene, ids), [node for node in nodes if scene.parents[node] in ids])
    check(selecting.parent_ids(scene, ids), sorted({int(p) for p in scene.parents[ids] if p >= 0}))
    meshes = {int(mesh) for mesh in scene.mesh_ids[ids]} - {-1}
    check(selecting.same_mesh_ids(scene, ids, among), [node for node in objects if scene.mesh_ids[node] in meshes])


def test_of_nothing_there_is_nothing():
    scene, _ = varied(0)
    nothing = np.empty(0, dtype=np.int32)
    for function in (
        selecting.child_ids,
        selecting.parent_ids,
        selecting.same_mesh_ids,
        selecting.material_ids_of,
        selecting.with_material_ids,
    ):
        check(function(scene, nothing), [])
    empty = Scene()
    empty.update_world()
    check(selecting.selectable_ids(empty), [])
    check(selecting.named_ids(empty, "*"), [])


def test_a_mesh_of_two_materials_has_both_and_a_node_s_own_replaces_them():
    scene = Scene()
    red, blue = scene.add_material(Material("red")), scene.add_material(Material("blue"))
    both = quad()
    both.material_ids[:] = (red, red, blue, blue)
    mesh, plain = scene.meshes.add(both), scene.meshes.add(box())
    scene.add_nodes(["both", "own", "plain"], mesh=[mesh, mesh, plain], material=[-1, blue, -1])
    scene.update_world()
    check(selecting.material_ids_of(scene, np.array([0])), [red, blue])
    check(selecting.with_material_ids(scene, np.array([red])), [0])
    check(selecting.with_material_ids(scene, np.array([blue])), [0, 1])


@pytest.mark.parametrize("seed", range(4))
def test_objects_are_selected_by_their_size(seed):
    scene, _ = varied(seed)
    expected: dict[int, float] = {}
    for node in np.flatnonzero((scene.mesh_ids >= 0) & (scene.layers == SELECTABLE)).tolist():
        vertices = scene.meshes.mesh(scene.mesh_ids[node]).positions
        expected[node] = float(np.ptp(transformed(scene.world_from_local[node], vertices), axis=0).max())
    for least, most in ((0.0, 5.0), (5.0, 20.0)):
        check(selecting.of_size_ids(scene, least, most), [n for n, size in expected.items() if least <= size <= most])


def test_what_is_similar_is_as_large_in_any_rotation_and_has_as_many_triangles():
    scene = Scene()
    of_box, of_quad = scene.meshes.add(box()), scene.meshes.add(quad())
    turned = (0.5, 0.5, 0.5, 0.5)
    shapes = [(1.0, 2.0, 3.0), (3.0, 1.0, 2.0), (1.0, 2.0, 3.2), (1.0, 2.0, 3.0), (0.0, 2.0, 3.0)]
    for scale in shapes:
        scene.add_node("it", mesh=of_box, scale=scale, rotation=turned, translation=(5.0, 0.0, 0.0))
    scene.add_node("sheet", mesh=of_quad, scale=(3.0, 2.0, 1.0))
    scene.add_node("empty")
    scene.update_world()
    check(selecting.similar_ids(scene, 0, 0.0), [0, 1, 3])
    check(selecting.similar_ids(scene, 0, 0.1), [0, 1, 2, 3])
    check(selecting.similar_ids(scene, 5, 0.05), [5])
    check(selecting.similar_ids(scene, 6, 1.0), [])
    hidden = np.arange(scene.row_count) != 1
    check(selecting.similar_ids(scene, 0, 0.0, hidden), [0, 3])
