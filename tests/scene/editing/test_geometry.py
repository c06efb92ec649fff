"""New meshes of old ones: baked, centred, joined, where the picture stays; and others in their place."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import Edit, EditError, History, Material, MeshData, Scene, apply, inverse, load, save_project
from octoscope.scene.editing import (
    apply_transform,
    center_pivot,
    merge,
    replace_mesh,
    replace_mesh_by_file,
    share_mesh,
    smooth_by_angle,
)
from octoscope.scene.formats.readers import read_file
from tests.oracles import random_quaternion, transformed
from tests.scene.builders import box, quad, random_scales, random_scene
from tests.scene.editing.test_transforms import even_scene
from tests.scene.editing.walks import assert_same_state, state

SEEDS = st.integers(0, 2**32 - 1)


def corners(scene: Scene, node: int) -> np.ndarray:
    """(t, 3, 3) world corners of what a node shows."""
    scene.update_world()
    mesh = scene.meshes.mesh(int(scene.mesh_ids[node]))
    return transformed(scene.world_from_local[node], mesh.positions)[mesh.triangles]


def picture(scene: Scene) -> dict[int, np.ndarray]:
    return {int(node): corners(scene, node) for node in np.flatnonzero(scene.mesh_ids >= 0)}


def assert_same_picture(scene: Scene, before: dict[int, np.ndarray]) -> None:
    after = picture(scene)
    assert after.keys() == before.keys()
    for node, triangles in before.items():
        size = max(1.0, float(np.abs(triangles).max()))
        # A mirrored triangle is turned over: the same corners, from another one on.
        mine, theirs = (np.sort(each, axis=1) for each in (after[node], triangles))
        np.testing.assert_allclose(mine, theirs, atol=1e-9 * size)


PARTS = [(t, r, s) for t in (False, True) for r in (False, True) for s in (False, True)]


@pytest.mark.parametrize(("translation", "rotation", "scale"), PARTS)
@given(seed=SEEDS)
def test_what_is_applied_is_neutral_and_the_picture_stays(translation, rotation, scale, seed):
    rng = np.random.default_rng(seed)
    scene = even_scene(seed, 12)
    ids = rng.choice(12, 5, replace=False)
    before = picture(scene)
    edit = apply_transform(scene, ids, translation=translation, rotation=rotation, scale=scale)
    apply(scene, edit)
    assert edit.notes == ()
    if translation:
        assert not scene.translations[ids].any()
    if rotation:
        assert (scene.rotations[ids] == (0.0, 0.0, 0.0, 1.0)).all()
    if scale:
        assert (scene.scales[ids] == 1.0).all()
    assert_same_picture(scene, before)
    if not (translation or rotation or scale):
        assert edit.changes == ()


@given(seed=SEEDS)
def test_uneven_and_mirrored_scales_are_applied_with_normals_and_winding(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    shape = box()
    normals = shape.positions / np.linalg.norm(shape.positions, axis=1, keepdims=True)
    scene.meshes.add(MeshData(shape.positions, shape.triangles, normals, shape.material_ids))
    scene.add_node("a", mesh=0, rotation=random_quaternion(rng), scale=random_scales(rng, 1, zeros=0.0)[0])
    scene.add_node("below", mesh=0, parent=0)
    before = picture(scene)
    apply(scene, apply_transform(scene, [0, 1]))
    assert_same_picture(scene, before)
    a, b, c = corners(scene, 0).transpose(1, 0, 2)
    volume = (a * np.cross(b, c)).sum() / 6.0
    assert volume > 0.0
    mesh = scene.meshes.mesh(int(scene.mesh_ids[0]))
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-6)
    assert ((mesh.normals * mesh.positions).sum(axis=1) > 0.0).all()


def test_instances_of_the_same_shape_share_the_baked_mesh_and_others_keep_the_old_one():
    scene = Scene()
    scene.meshes.add(box())
    scales = [(2.0, 2.0, 2.0), (2.0, 2.0, 2.0), (3.0, 3.0, 3.0), (1.0, 1.0, 1.0), (2.0, 2.0, 2.0)]
    scene.add_nodes([""] * 5, mesh=0, scale=scales)
    apply(scene, apply_transform(scene, [0, 1, 2, 3]))
    assert scene.mesh_ids.tolist() == [1, 1, 2, 0, 0] and len(scene.meshes) == 3


def test_a_child_that_would_shear_is_said():
    scene = Scene()
    scene.meshes.add(box())
    scene.add_node("a", mesh=0, scale=(1.0, 3.0, 1.0))
    scene.add_node("b", mesh=0, parent=0, rotation=(0.0, 0.0, np.sin(0.3), np.cos(0.3)))
    assert "shear" in apply_transform(scene, [0]).notes[0]
    assert apply_transform(scene, [0, 1]).notes == ()


def test_a_flat_node_can_be_applied_whole_but_not_below_its_scale():
    scene = Scene()
    scene.meshes.add(box())
    scene.add_node("flat", mesh=0, scale=(1.0, 0.0, 1.0), rotation=(0.0, 0.0, 1.0, 1.0))
    before = picture(scene)
    with pytest.raises(EditError, match="scaled to zero"):
        apply_transform(scene, [0], scale=False)
    apply(scene, apply_transform(scene, [0]))
    assert_same_picture(scene, before)


@given(seed=SEEDS)
def test_a_centred_pivot_is_the_middle_of_the_mesh_and_nothing_seen_moves(seed):
    scene = random_scene(seed, 16, zeros=0.0)
    ids = np.random.default_rng(seed).choice(16, 6, replace=False)
    if not (scene.mesh_ids[ids] >= 0).any():
        return
    before, was = picture(scene), state(scene)
    edit = center_pivot(scene, ids)
    apply(scene, edit)
    assert {change.column for change in edit.changes} <= {"translation", "mesh"}
    rows = scene.meshes.rows
    meshes = scene.mesh_ids[ids][scene.mesh_ids[ids] >= 0]
    np.testing.assert_allclose(rows["lower"][meshes], -rows["upper"][meshes], atol=1e-12)
    assert_same_picture(scene, before)
    apply(scene, inverse(edit))
    assert_same_state(state(scene), was)


@pytest.mark.parametrize("up", "yz")
def test_an_origin_at_the_base_is_what_the_object_stands_on(up):
    scene = random_scene(3, 16, zeros=0.0)
    scene.up_axis = up
    ids = np.flatnonzero(scene.mesh_ids >= 0)
    before, was = picture(scene), state(scene)
    edit = center_pivot(scene, ids, at_base=True)
    apply(scene, edit)
    lower, upper = (scene.meshes.rows[name][scene.mesh_ids[ids]] for name in ("lower", "upper"))
    axis = "xyz".index(up)
    np.testing.assert_allclose(lower[:, axis], 0.0, atol=1e-12)
    np.testing.assert_allclose(np.delete(lower + upper, axis, axis=1), 0.0, atol=1e-12)
    assert_same_picture(scene, before)
    apply(scene, inverse(edit))
    assert_same_state(state(scene), was)


@given(seed=SEEDS)
def test_merged_objects_are_one_with_all_their_triangles_and_materials(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 16, zeros=0.0)
    for name in ("red", "blue"):
        scene.add_material(Material(name))
    scene.set_materials(np.arange(16), rng.integers(-1, 3, 16))
    shown = np.flatnonzero(scene.mesh_ids >= 0)
    if len(shown) < 3:
        return
    ids = rng.choice(shown, 3, replace=False)
    before = picture(scene)
    overrides = scene.material_overrides[ids]
    edit = merge(scene, ids)
    apply(scene, edit)
    first = int(ids[0])
    assert edit.selects.tolist() == [first]
    expected = np.concatenate([before.pop(node) for node in ids.tolist()])
    found = corners(scene, first)
    size = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(np.sort(found, axis=1), np.sort(expected, axis=1), atol=1e-7 * size)
    mesh = scene.meshes.mesh(int(scene.mesh_ids[first]))
    assert scene.material_overrides[first] == -1
    materials = mesh.material_ids[mesh.triangles[:, 0]]
    wanted = np.concatenate(
        [
            np.full(len(part), max(override, 0))
            for part, override in zip(_parts(scene, edit, ids), overrides, strict=True)
        ]
    )
    np.testing.assert_array_equal(materials, wanted)
    assert len(np.unique(mesh.source_vertices)) == len(mesh.positions)
    after = picture(scene)
    after.pop(first)
    assert set(after) == set(before)
    for node in ids[1:].tolist():
        held = (scene.parents == node) & scene.alive
        assert scene.alive[node] == bool(held.any()) and scene.mesh_ids[node] == -1


def _parts(scene: Scene, edit: Edit, ids: np.ndarray) -> list[np.ndarray]:
    """The triangles of what each of the merged nodes showed."""
    apply(scene, inverse(edit))
    meshes = [int(scene.mesh_ids[node]) for node in ids]
    apply(scene, edit)
    return [scene.meshes.mesh(mesh).triangles for mesh in meshes]


def test_one_object_alone_is_not_merged():
    scene = Scene()
    scene.meshes.add(quad())
    scene.add_nodes(["a", "empty"], mesh=[0, -1])
    with pytest.raises(EditError, match="two or more objects"):
        merge(scene, [0, 1])
    with pytest.raises(EditError, match="mesh"):
        merge(scene, [1])


def test_a_mesh_is_replaced_by_another_nodes():
    scene = random_scene(0, 8)
    apply(scene, replace_mesh(scene, [0, 1], 2))
    assert scene.mesh_ids[:2].tolist() == [2, 2]
    with pytest.raises(ValueError):
        apply(scene, replace_mesh(scene, [0], 99))


def test_nodes_share_the_mesh_of_the_last_and_what_shows_none_stays_empty():
    scene = Scene()
    for mesh in (box(), quad()):
        scene.meshes.add(mesh)
    scene.add_nodes(["a", "b", "group", "c"], mesh=[0, 0, -1, 1])
    before = state(scene)
    edit = share_mesh(scene, [0, 2, 1, 3])
    apply(scene, edit)
    assert scene.mesh_ids.tolist() == [1, 1, -1, 1] and edit.label == "Replace mesh of 2 objects"
    apply(scene, inverse(edit))
    assert_same_state(state(scene), before)
    with pytest.raises(EditError, match="group has no mesh"):
        share_mesh(scene, [0, 2])
    with pytest.raises(EditError):
        share_mesh(scene, [2, 3])
    with pytest.raises(EditError):
        share_mesh(scene, [3])


PLATE = "mtllib plate.mtl\no plate\nusemtl red\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n"
KNOB = "o knob\nusemtl blue\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 5 6 7\n"


@pytest.mark.parametrize(("text", "triangles", "reds"), ((PLATE, 2, 4), (PLATE + KNOB, 3, 4)))
def test_what_a_file_holds_takes_the_place_of_meshes_and_is_there_again_when_a_project_is_opened(
    tmp_path, text, triangles, reds
):
    (tmp_path / "plate.obj").write_text(text)
    (tmp_path / "plate.mtl").write_text("newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n")
    (tmp_path / "boxes.obj").write_text("o one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no two\nf 1 3 2\n")
    scene = load(tmp_path / "boxes.obj")
    save_project(scene, tmp_path / "boxes.octo.json")
    history, before = History(scene), state(scene)
    ids = [scene["one"].id, scene["two"].id, scene["boxes.obj"].id]
    content = read_file(tmp_path / "plate.obj")
    history.do(replace_mesh_by_file(scene, ids, content, tmp_path / "plate.obj"))
    after = state(scene)
    mesh = scene.meshes.mesh(int(scene.mesh_ids[ids[0]]))
    assert scene.mesh_ids[ids].tolist() == [len(scene.meshes) - 1] * 2 + [-1]
    assert len(mesh.triangles) == triangles
    assert [scene.materials[place].name for place in mesh.material_ids].count("red") == reds
    history.undo()
    assert_same_state(state(scene), before)
    history.redo()
    assert_same_state(state(scene), after)
    save_project(scene, tmp_path / "boxes.octo.json")
    again = load(tmp_path / "boxes.octo.json")
    assert again.report.errors == [] and again.report.problems == []
    other = again.meshes.mesh(int(again.mesh_ids[again["two"].id]))
    np.testing.assert_array_equal(other.positions, mesh.positions)
    assert [again.materials[place].name for place in other.material_ids].count("red") == reds


def test_a_file_with_nothing_to_show_and_nodes_without_a_mesh_are_refused(tmp_path):
    scene = random_scene(0, 0)
    scene.add_nodes(["group", "a"], mesh=[-1, 1])
    (tmp_path / "plate.obj").write_text(PLATE)
    before = len(scene.meshes), len(scene.materials), ()
    for ids, has_meshes, line in (([1], False, "nothing to show in plate.obj"), ([0], True, "mesh")):
        content = read_file(tmp_path / "plate.obj")
        if not has_meshes:
            content.node_meshes[:] = -1
        with pytest.raises(EditError, match=line):
            replace_mesh_by_file(scene, ids, content, Path("plate.obj"))
    assert (len(scene.meshes), len(scene.materials), scene.sources) == before


def test_smooth_normals_are_an_edit_of_copies_that_are_shared_as_before():
    scene = Scene()
    mesh = scene.meshes.add(box())
    scene.add_nodes(["a", "b", "c"], mesh=[mesh, mesh, mesh])
    scene.add_node("empty")
    history = History(scene)
    history.do(smooth_by_angle(scene, [0, 1, 3], degrees=90.0))
    first, second, third = scene.mesh_ids[:3].tolist()
    assert first == second != mesh == third
    assert scene.meshes.mesh(first).normals.any(axis=1).all() and not scene.meshes.mesh(mesh).normals.any()
    history.undo()
    assert scene.mesh_ids[:3].tolist() == [mesh] * 3
    with pytest.raises(EditError, match="no selected object has a mesh"):
        smooth_by_angle(scene, [3])
