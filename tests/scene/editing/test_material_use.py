"""Materials of objects: which are shown, who shares them, and putting another in their place."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Material, MeshData, Scene, apply, inverse
from octoscope.scene.editing.material_list import give_materials
from octoscope.scene.material_use import NO_MATERIAL, SEVERAL, MaterialUse
from octoscope.scene.mesh.color_scale import ColorScale

TRIANGLE = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])


def add_triangle(scene: Scene, *materials: int) -> int:
    """A mesh of one triangle for each material."""
    count = len(materials)
    corners = np.arange(3 * count).reshape(count, 3)
    return scene.meshes.add(MeshData(np.tile(TRIANGLE, (count, 1)), corners, None, np.repeat(materials, 3)))


@pytest.fixture
def scene() -> Scene:
    """Nodes a and b of material 1, c of 2, d of both, e and f of none, g with 1 as its own, h without a mesh."""
    scene = Scene()
    first, second = scene.add_material(Material("first")), scene.add_material(Material("second", opacity=0.5))
    one, two, both = add_triangle(scene, first), add_triangle(scene, second), add_triangle(scene, second, first)
    none = add_triangle(scene, 0)
    meshes = [one, one, two, both, none, none, two, -1]
    scene.add_nodes(list("abcdefgh"), mesh=meshes, material=[-1, -1, -1, -1, -1, -1, first, first])
    return scene


def brute_shown(scene: Scene) -> list[int]:
    """Node by node."""
    found = []
    for mesh, own in zip(scene.mesh_ids.tolist(), scene.material_overrides.tolist(), strict=True):
        if mesh < 0:
            found.append(NO_MATERIAL)
            continue
        materials = {own} if own >= 0 else set(scene.meshes.mesh(mesh).material_ids.tolist())
        found.append(materials.pop() if len(materials) == 1 else SEVERAL)
    return found


def test_what_is_shown_is_what_every_vertex_says(scene):
    use = MaterialUse(scene)
    assert use.shown().tolist() == brute_shown(scene) == [1, 1, 2, SEVERAL, 0, 0, 1, NO_MATERIAL]
    add_triangle(scene, 2, 1, 1)
    scene.add_node("later", mesh=len(scene.meshes) - 1)
    assert use.shown().tolist() == brute_shown(scene)
    assert use.shown(np.array([8, 2])).tolist() == [SEVERAL, 2]
    assert MaterialUse(Scene()).shown().tolist() == []


@pytest.mark.parametrize("seed", range(3))
def test_any_scene_is_found_out_as_node_by_node(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    use = MaterialUse(scene)
    for number in range(20):
        scene.add_material(Material(str(number)))
        add_triangle(scene, *rng.integers(0, len(scene.materials), rng.integers(1, 4)).tolist())
        own = rng.integers(-1, len(scene.materials), 4)
        scene.add_nodes(["node"] * 4, mesh=rng.integers(-1, len(scene.meshes), 4), material=own)
        assert use.shown().tolist() == brute_shown(scene)
        parts = [set(scene.meshes.mesh(mesh).material_ids.tolist()) for mesh in scene.mesh_ids[use.shown() == SEVERAL]]
        assert [counts.tolist() for counts in use.counts()] == [
            [brute_shown(scene).count(number) for number in range(len(scene.materials))],
            [sum(number in part for part in parts) for number in range(len(scene.materials))],
        ]


def test_users_share_a_material_all_over_and_nobody_shares_none(scene):
    use = MaterialUse(scene)
    assert use.users(np.array([1])).tolist() == [0, 1, 6]
    assert use.users(np.array([1, 2])).tolist() == [0, 1, 2, 6]
    assert use.users(np.array([0])).tolist() == []


def test_what_is_given_goes_to_all_that_share_it_and_is_taken_back_to_the_bit(scene):
    use = MaterialUse(scene)
    first = scene.materials[1]
    equal, scaled, new, new_scaled = scene.add_materials([first, first, Material("new"), Material("new")])
    scene.color_scales = dict.fromkeys((scaled, new_scaled), ColorScale("", 0.0, 1.0, bytes(3)))
    scene.set_materials([4, 5], [scaled, equal])
    before = scene.material_overrides.copy()
    edit = give_materials(scene, use, np.array([0, 4]), {1: new, scaled: new_scaled}, for_all=True, label="Give")
    apply(scene, edit)
    assert scene.material_overrides.tolist() == [new, new, -1, -1, new_scaled, new, new, 1]
    apply(scene, inverse(edit))
    assert scene.material_overrides.tobytes() == before.tobytes()


def test_what_is_given_for_some_alone_stays_with_them(scene):
    use = MaterialUse(scene)
    new = scene.add_material(Material("new"))
    apply(scene, give_materials(scene, use, np.array([0, 6]), {1: new}, for_all=False, label="Give"))
    assert scene.material_overrides.tolist() == [new, -1, -1, -1, -1, -1, new, 1]


def test_an_object_of_several_gets_one_of_them_replaced_and_the_others_of_its_mesh_and_material_keep_theirs(scene):
    use = MaterialUse(scene)
    new = scene.add_material(Material("new"))
    scene.add_nodes(["twin of d"], mesh=scene.mesh_ids[3])
    edit = give_materials(scene, use, np.array([3, 4]), {2: new}, for_all=True, label="Give")
    before = scene.mesh_ids.copy()
    apply(scene, edit)
    assert scene.material_overrides.tolist() == [-1, -1, -1, -1, -1, -1, 1, 1, -1]
    assert scene.meshes.mesh(int(scene.mesh_ids[3])).material_ids.tolist() == [new] * 3 + [1] * 3
    assert np.flatnonzero(scene.mesh_ids != before).tolist() == [3]
    apply(scene, inverse(edit))
    assert scene.mesh_ids.tolist() == before.tolist()


def test_a_material_in_the_place_of_another_is_counted(scene):
    revision = scene.materials_revision
    scene.replace_materials({1: Material("other")})
    assert scene.materials[1].name == "other" and scene.materials_revision > revision
    with pytest.raises(ValueError, match="material ids"):
        scene.replace_materials({3: Material("beyond")})
