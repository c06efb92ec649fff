"""Nodes get other vertices and meshes: all answers are those of a fresh scene, and what nobody needs is freed."""

from __future__ import annotations

import dataclasses
import gc

import numpy as np
import pytest
import trimesh

from octoscope import Camera, Frustum, History, Material, Mesh, Scene, editing, find_overlaps, load, measure, save
from octoscope.scene.nodes import unused_meshes
from tests.scene.builders import ball

BALL = trimesh.creation.icosphere(subdivisions=2)
VERTICES, FACES = np.asarray(BALL.vertices), np.asarray(BALL.faces)
COUNT = len(VERTICES)


def stretched(step: int) -> np.ndarray:
    return VERTICES * (1.0 + 0.1 * step, 1.0, 2.0) + (0.3 * step, 0.0, 0.0)


def two_balls(vertices: np.ndarray) -> Scene:
    scene = Scene()
    scene.add_mesh("ball", vertices, FACES, translation=(0, 1, 0), scale=(2, 2, 2))
    scene.add_mesh("wall", VERTICES * (0.5, 20, 20) + (12, 0, 0), FACES)
    return scene


def answers(scene: Scene) -> list[object]:
    """Return what a scene tells about the places of its objects."""
    node = scene["ball"]
    origins = np.random.default_rng(5).uniform(-15, 15, (200, 3))
    hits = scene.raycast_many(origins, (1, 0.1, 0.2))
    hit = scene.raycast((-50, 1, 0), (1, 0, 0))
    figures = measure(scene, node)
    frustum = Frustum.from_camera(Camera.looking_at((0, 0, 40), (20, 0, 0)), aspect=1.0)
    return [
        np.array(node.bounds).tolist(),
        np.array(scene.bounds()).tolist(),
        np.array(scene.index.bounds()).tolist(),
        scene.world_spheres[node.id].tolist(),
        hits.nodes.tolist(),
        hits.t.tolist(),
        hit.point.tolist(),
        [len(scene.raycast_all((-50, 1, 0), (1, 0, 0)))],
        scene.cull(frustum).ids.tolist(),
        scene.query_box((3, -1, -1), (4, 1, 1)).ids.tolist(),
        [figures.area, figures.volume, figures.watertight],
        [each.tolist() for each in find_overlaps(scene)[:2]],
        node.mesh.vertices.tolist(),
    ]


def test_after_each_step_all_answers_are_those_of_a_fresh_scene():
    scene = two_balls(VERTICES)
    seen = [answers(scene)]
    for step in (3, 40, 1, 80, 0):
        scene.set_vertices(scene["ball"], stretched(step))
        seen.append(answers(scene))
        assert seen[-1] == answers(two_balls(stretched(step))) != seen[-2]


def test_all_nodes_that_share_the_mesh_follow_and_keep_what_else_they_have():
    scene = Scene()
    colors = np.random.default_rng(1).uniform(0, 1, (COUNT, 4))
    uvs = VERTICES[:, :2]
    node = scene.add_mesh("a", VERTICES, FACES, colors=colors, uvs=uvs, material=Material("m", roughness=0.3))
    other = scene.add_instances("b", node, [(5, 0, 0)])[0]
    before = node.mesh, node.material
    scene.set_vertices(node, stretched(2))
    np.testing.assert_array_equal(other.mesh.vertices, stretched(2))
    np.testing.assert_array_equal(node.mesh.colors, before[0].colors)
    np.testing.assert_array_equal(node.mesh.uvs, before[0].uvs)
    assert node.material == before[1] and node.mesh_id == other.mesh_id
    np.testing.assert_array_equal(before[0].vertices, VERTICES)  # arrays that a script holds do not change


def test_smooth_normals_follow_and_flat_triangles_stay_flat():
    scene = Scene()
    flat = scene.add_mesh("flat", VERTICES, FACES)
    scene.set_vertices(flat, stretched(1))
    assert flat.mesh.normals is None
    smooth = scene.add_mesh("smooth", VERTICES, FACES, normals=VERTICES)
    scene.set_vertices(smooth, VERTICES * (1.0, 1.0, 4.0))
    wanted = VERTICES / (1.0, 1.0, 4.0)
    wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
    assert (smooth.mesh.normals * wanted).sum(axis=1).min() > np.cos(np.radians(12))
    scene.set_vertices(smooth, np.zeros((COUNT, 3)))  # without area: the normals of the last step stay for the next
    scene.set_vertices(smooth, VERTICES)
    assert (smooth.mesh.normals * VERTICES).sum(axis=1).min() > np.cos(np.radians(5))
    scene.set_vertices(smooth, VERTICES, normals=2 * VERTICES[::-1])
    np.testing.assert_allclose(smooth.mesh.normals, VERTICES[::-1], atol=1e-6)


def test_normals_have_no_seam_where_vertices_lie_twice_at_one_place():
    scene, twice = Scene(), np.arange(2 * COUNT).reshape(2, -1).T.ravel() % COUNT  # a vertex for each of two sides
    is_left = VERTICES[FACES].mean(axis=1)[:, :1] < 0.0
    node = scene.add_mesh("ball", VERTICES[twice], 2 * FACES + is_left, normals=VERTICES[twice])
    scene.set_vertices(node, node.mesh.vertices * (1, 1, 3))
    places, which = np.unique(node.mesh.vertices.round(12), axis=0, return_inverse=True)
    assert len(places) < len(node.mesh.vertices)
    order = np.argsort(which.ravel())
    same = which.ravel()[order][1:] == which.ravel()[order][:-1]
    steps = np.diff(node.mesh.normals[order], axis=0)[same]
    assert np.abs(steps).max() < 1e-6


def test_a_mesh_of_numbers_of_faces_takes_the_vertices_that_it_was_made_of():
    scene = Scene()
    node = scene.add_mesh("a", VERTICES, FACES, scalars=np.arange(len(FACES)))
    assert len(node.mesh.vertices) > COUNT
    scene.set_vertices(node, stretched(3))
    np.testing.assert_array_equal(node.mesh.vertices, stretched(3)[FACES.ravel()])
    scene.set_vertices(node, node.mesh.vertices + 1)
    np.testing.assert_array_equal(node.mesh.vertices, stretched(3)[FACES.ravel()] + 1)
    with pytest.raises(ValueError, match=r"vertices: 960 are needed, .* not 9; node\.mesh = mesh"):
        scene.set_vertices(node, np.zeros((9, 3)))


def test_an_edit_moves_vertices_and_undo_brings_them_back(tmp_path):
    scene = two_balls(VERTICES)
    before = answers(scene)
    history = History(scene)
    for step in (5, 9):
        history.do(editing.set_vertices(scene, scene["ball"], stretched(step)))
    assert answers(scene) == answers(two_balls(stretched(9)))
    history.undo()
    assert answers(scene) == answers(two_balls(stretched(5)))
    history.undo()
    assert answers(scene) == before
    history.redo()
    save(scene, tmp_path / "a.octo.json")
    assert answers(load(tmp_path / "a.octo.json")) == answers(two_balls(stretched(5)))


def test_objects_of_files_keep_their_new_vertices_in_projects(tmp_path):
    scene = load("assets/harbour.obj")
    node = scene["lighthouse_tower"]
    scene.set_vertices(node, node.mesh.vertices + np.array([0, 7, 0]))
    save(scene, tmp_path / "a.octo.json")
    again = load(tmp_path / "a.octo.json")["lighthouse_tower"]
    np.testing.assert_array_equal(again.mesh.vertices, node.mesh.vertices)
    assert again.material == node.material


def test_a_node_gets_a_mesh_of_other_faces_for_itself():
    scene = Scene()
    node = scene.add_mesh("a", VERTICES, FACES, material=Material("m", base_color="red"))
    other = scene.add_node("b", mesh=node)
    node.mesh = trimesh.creation.box()
    assert (len(node.mesh.faces), len(other.mesh.faces), node.color) == (12, len(FACES), (1, 0, 0, 1))
    node.mesh = dataclasses.replace(other.mesh, vertices=stretched(1))
    np.testing.assert_array_equal(node.mesh.vertices, stretched(1))
    group = scene.add_node("c")
    group.mesh = other.mesh
    other.mesh = None
    assert other.mesh is None and other not in scene.objects
    assert isinstance(group.mesh, Mesh) and scene.raycast((0, 0, 9), (0, 0, -1)) is not None
    for wrong, said in ((VERTICES, "scene.set_vertices"), ("cube", "a mesh is needed")):
        with pytest.raises(ValueError, match=said):
            node.mesh = wrong


def test_lines_and_points_stay():
    scene = Scene()
    dots = scene.add_mesh("dots", VERTICES)
    scene.set_vertices(dots, stretched(1))
    dots.mesh = dataclasses.replace(dots.mesh, vertices=stretched(2))
    assert len(dots.mesh.points) == COUNT and len(dots.mesh.faces) == 0
    np.testing.assert_array_equal(dots.mesh.vertices, stretched(2))


def test_a_mesh_in_place_of_one_with_scalars_shows_what_the_node_showed_before_them():
    scene = Scene()
    node = scene.add_mesh("a", VERTICES, FACES, material=Material("m", base_color="red"))
    plain = node.mesh
    scene.set_scalars(node, VERTICES[:, 0])
    node.mesh = plain
    assert node.color == (1, 0, 0, 1) and first_material(scene, node) not in scene.color_scales
    node.color = "blue"
    scene.set_scalars(node, VERTICES[:, 0])
    node.mesh = plain
    assert node.color == (0, 0, 1, 1)
    other = scene.add_mesh("b", VERTICES, FACES, scalars=VERTICES[:, 0])
    other.mesh = plain
    assert other.color == (1, 1, 1, 1) and first_material(scene, other) not in scene.color_scales


def first_material(scene: Scene, node) -> int:
    return int(scene.meshes.mesh(node.mesh_id).material_ids[0])


@pytest.fixture
def frees_soon(monkeypatch):
    monkeypatch.setattr(unused_meshes, "FREED_BYTES", 10_000)


LOOPS = {
    "moved": lambda scene, node, step: scene.set_vertices(node, stretched(step)),
    "replaced": lambda scene, node, step: setattr(node, "mesh", trimesh.creation.icosphere(subdivisions=1 + step % 2)),
    "recoloured": lambda scene, node, step: scene.set_scalars(node, VERTICES[:, 0] * step),
    "added": lambda scene, node, step: scene.delete(scene.add_mesh("x", VERTICES, FACES, colors=np.ones((COUNT, 3)))),
    "done": lambda scene, node, step: editing_loop(scene, node),
}


def editing_loop(scene: Scene, node) -> None:
    editing.smooth_by_angle(scene, node)  # never done
    history = History(scene)
    history.do(editing.smooth_by_angle(scene, node))
    history.undo()


@pytest.mark.usefixtures("frees_soon")
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_takes_no_more_memory(name):
    scene = two_balls(VERTICES)
    sizes, materials = [], []
    for step in range(60):
        LOOPS[name](scene, scene["ball"], step)
        sizes.append(scene.meshes.nbytes)
        materials.append(len(scene.materials))
    assert max(sizes[20:]) <= 1.5 * max(sizes[:20])
    assert max(materials) <= materials[0]
    assert len(scene["wall"].mesh.faces) == len(FACES)


@pytest.mark.usefixtures("frees_soon")
def test_what_an_edit_may_show_again_is_kept_as_long_as_anybody_holds_it():
    scene = Scene()
    nodes = [scene.add_mesh(f"ball {number}", stretched(number), FACES) for number in range(12)]
    history = History(scene)
    history.do(editing.delete(scene, nodes[0]))
    share = editing.share_mesh(scene, [nodes[2], nodes[1]])
    bytes_before = scene.meshes.nbytes
    scene.delete(nodes[1])
    scene.delete(nodes[3:])
    assert scene.meshes.nbytes < bytes_before / 2
    history.undo()
    np.testing.assert_array_equal(nodes[0].mesh.vertices, stretched(0))
    history.do(share)
    np.testing.assert_array_equal(nodes[2].mesh.vertices, stretched(1))
    history.undo()
    np.testing.assert_array_equal(nodes[2].mesh.vertices, stretched(2))
    del share
    history.clear()
    gc.collect()
    for _ in range(20):
        scene.set_vertices(nodes[0], stretched(3))
    counts = scene.meshes.rows["vertex_count"]
    assert counts[nodes[2].mesh_id] == counts[nodes[0].mesh_id] == COUNT


@pytest.mark.usefixtures("frees_soon")
def test_a_mesh_that_a_script_adds_to_the_pool_itself_is_kept_and_a_freed_one_is_refused():
    scene = Scene()
    kept = scene.meshes.add(ball(24, 48))
    node = scene.add_node("a", mesh=kept)
    own = scene.add_mesh("own", VERTICES, FACES)
    freed = own.mesh_id
    scene.delete([node, own])
    for _ in range(20):
        scene.delete(scene.add_mesh("x", VERTICES, FACES))
    assert len(scene.add_node("again", mesh=kept).mesh.faces) > 1000
    for use in (lambda: scene.add_node("b", mesh=freed), lambda: scene.set_meshes(scene["again"], freed)):
        with pytest.raises(ValueError, match="mesh: it was freed"):
            use()


def test_arrays_of_pyvista_are_told_what_to_give():
    class PolyData:
        points, faces = VERTICES, np.insert(FACES, 0, 3, axis=1).ravel()

    scene = Scene()
    for args in ((PolyData(),), (PolyData.points, PolyData.faces)):
        with pytest.raises(ValueError, match=r"mesh\.regular_faces"):
            scene.add_mesh("x", *args)
