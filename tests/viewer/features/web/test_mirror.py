"""SceneMirror: what browsers have of a scene is where the scene has it, whatever is done to the scene."""

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

pytest.importorskip("viser", reason="octoscope[web] is not installed")

import trimesh
from viser import PointCloudHandle

from octoscope.octree import Frustum
from octoscope.scene import Material, MeshBatch, MeshData, Scene
from octoscope.scene.bake import baked
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.scene.mesh.texture import Texture
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.web.detail import (
    Look,
    Sizes,
    coarseness_for,
    drawn_counts,
    errors_of,
    mean_colors,
    narrow_errors,
    point_width,
    specks_of,
)
from octoscope.viewer.features.web.geometry import (
    BrowserFrame,
    InstanceRows,
    by_material,
    can_be_instances,
    cells_of,
    clipped,
    glb_of,
    with_overrides,
)
from octoscope.viewer.features.web.mirror import SceneMirror
from octoscope.viewer.features.web.server import WebServer
from octoscope.viewer.frame.section import Section, SectionPlane
from octoscope.viewer.frame.view import View

FAR = 4.0e6  # metres from the origin, where surveyors' scenes lie


@pytest.fixture(scope="module")
def server():
    server = WebServer("127.0.0.1", 0, "a-token-for-tests-only", "test")
    yield server
    server.stop()


def cube_scene(count: int, *, shared: bool) -> Scene:
    """Return cubes in a row, that share a mesh or have one each."""
    scene = Scene()
    red = scene.add_material(Material("red", base_color=(1.0, 0.0, 0.0)))
    cube = PRIMITIVES["cube"]()
    meshes = [scene.meshes.add(cube, first_material=red) for _ in range(1 if shared else count)] * (
        count if shared else 1
    )
    positions = np.zeros((count, 3))
    positions[:, 0] = FAR + 3.0 * np.arange(count)
    scene.add_nodes([f"cube {i}" for i in range(count)], mesh=np.array(meshes), translation=positions)
    return scene


def sent_vertices(server: WebServer, mirror: SceneMirror) -> np.ndarray:
    """Return (n, 3) world positions of all vertices that a browser has, in order of x, y, z."""
    found = [np.empty((0, 3))]
    for handle in list(server.viser.scene._handle_from_node_name.values()):
        props = getattr(handle._impl, "props", None)
        if not hasattr(props, "glb_data"):
            continue
        scene = trimesh.load_scene(io.BytesIO(props.glb_data), file_type="glb", process=False)
        vertices = np.concatenate(
            [trimesh.transform_points(g.vertices, scene.graph.get(n)[0]) for n, g in parts(scene)]
        )
        if hasattr(props, "batched_positions"):
            rows = zip(props.batched_positions, props.batched_wxyzs, props.batched_scales, strict=True)
            for position, wxyz, scale in rows:
                turn = trimesh.transformations.quaternion_matrix(wxyz.astype(np.float64))[:3, :3]
                found.append(mirror.frame.world_points((vertices * scale) @ turn.T + position))
        else:
            found.append(mirror.frame.world_points(vertices))
    return in_order(np.concatenate(found))


def parts(scene: trimesh.Scene):
    return [(node, scene.geometry[scene.graph.get(node)[1]]) for node in scene.graph.nodes_geometry]


def in_order(points: np.ndarray) -> np.ndarray:
    """Return points without repetition, in an order in which rounding does not matter."""
    points = np.unique(points.round(2), axis=0)
    return points[np.lexsort(points.T)]


def shown_vertices(scene: Scene) -> np.ndarray:
    return in_order(baked(scene, scene.index.shown_ids()).positions)


def send_all(mirror: SceneMirror) -> None:
    mirror.update()
    while mirror.send(None, [Look(np.zeros(3), np.inf)]):
        pass


@pytest.mark.parametrize("shared", [True, False], ids=["shared mesh", "a mesh each"])
def test_browsers_have_what_the_scene_shows_after_any_change(server, shared):
    scene = cube_scene(6, shared=shared)
    view = View(scene)
    mirror = SceneMirror(server.viser, view)

    def check():
        send_all(mirror)
        assert mirror.is_complete
        expected = in_order(baked(scene, view.visibility.shown_ids()).positions)
        np.testing.assert_allclose(sent_vertices(server, mirror), expected, atol=0.02)

    check()
    scene.set_translations([2], [[FAR + 1.0, 5.0, 0.0]])
    check()
    scene.set_scales([3], [[2.0, 1.0, -3.0]])  # mirrors: no instance
    check()
    scene.set_rotations([3, 4], [[0.0, 0.0, 0.6, 0.8]] * 2)
    check()
    scene.set_parents([5], [4])
    scene.set_scales([4], [[1.0, 4.0, 1.0]])
    scene.set_rotations([5], [[0.0, 0.0, 0.38268343, 0.92387953]])  # sheared
    check()
    scene.set_hidden([0, 3], True)
    check()
    scene.set_hidden([0, 3], False)
    scene.set_alive([1], False)
    check()
    scene.set_alive([1], True)
    scene.add_nodes(["new"], mesh=scene.mesh_ids[:1], translation=[[FAR, -4.0, 2.0]])
    check()
    scene.set_materials([0, 2], 0)
    check()
    scene.replace_materials({1: Material("blue", base_color=(0.0, 0.0, 1.0))})
    check()
    view.visibility.isolated_ids = np.array([2, 4], dtype=np.int32)
    check()
    view.visibility.isolated_ids = None
    check()
    middle = float(np.mean(scene.bounds([2]), axis=0)[1])  # through one of them
    view.settings.section = Section((SectionPlane.across((0.0, 1.0, 0.0), middle),))
    send_all(mirror)
    cut = sent_vertices(server, mirror)
    whole = in_order(baked(scene, view.visibility.shown_ids()).positions)
    assert cut[:, 1].min() == pytest.approx(middle, abs=0.02)
    assert {*map(tuple, whole[whole[:, 1] > middle + 0.02])} <= {*map(tuple, cut)}
    view.settings.section = Section()
    check()
    scene.set_alive(scene.ids, False)
    send_all(mirror)
    assert mirror.counts == (0, 0)
    assert len(sent_vertices(server, mirror)) == 0


@given(arrays(np.float64, 3, elements=st.floats(-1.0, 1.0)), st.floats(-0.6, 0.6))
@settings(max_examples=20)
def test_both_sides_of_a_plane_are_as_large_as_the_whole_and_lie_on_their_sides(normal, distance):
    length = np.linalg.norm(normal)
    plane = np.append(normal / length if length > 0.1 else (0.0, 0.6, 0.8), distance)
    whole = MergedGeometry.of(MeshBatch.of([PRIMITIVES["sphere"]()], ["sphere"]), np.zeros(1, dtype=np.int64))
    areas = []
    for side in (plane, -plane):
        part = clipped(whole, side)
        assert (part.positions @ side[:3] + side[3] >= -1e-9).all()
        a, b, c = part.positions[part.triangles].transpose(1, 0, 2)
        outward = np.einsum("ij,ij->i", np.cross(b - a, c - a), a + b + c)
        assert (outward > -1e-9).all()  # no face is turned over
        areas.append(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)
    a, b, c = whole.positions[whole.triangles].transpose(1, 0, 2)
    assert sum(areas) == pytest.approx(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2.0)


def test_a_mesh_that_many_show_goes_over_once_and_a_move_sends_no_mesh(server):
    scene = cube_scene(500, shared=True)
    mirror = SceneMirror(server.viser, View(scene))
    send_all(mirror)
    assert mirror.counts == (1, 1)
    (piece,) = mirror._sent.values()
    (handle,) = piece.handles
    scene.set_translations([7], [[FAR, 9.0, 0.0]])
    send_all(mirror)
    assert piece.handles == [handle] and mirror.counts == (1, 1)
    scene.set_alive(scene.ids, False)
    send_all(mirror)


def test_what_the_camera_sees_goes_first_then_the_nearest(server, monkeypatch):
    scene = cube_scene(40, shared=False)
    monkeypatch.setitem(SceneMirror.update.__globals__, "_MOST_TRIANGLES", 100)  # a piece for every few cubes
    monkeypatch.setitem(SceneMirror.update.__globals__, "_SENDING_SECONDS", 0.0)
    mirror = SceneMirror(server.viser, View(scene))
    mirror.update()
    pieces = {number: piece.ids for number, piece in mirror._waiting.items()}
    assert len(pieces) > 8
    eye = np.array([FAR + 60.0, 0.0, 0.0])
    camera = Camera(pivot=eye - (10.0, 0.0, 0.0), yaw_rad=np.pi / 2.0, pitch_rad=0.0)  # along -X
    frustum = Frustum.from_matrix(camera.clip_from_relative(1.0), camera.position)
    seen = set(scene.index.cull(frustum).tolist())
    assert 0 < len(seen) < 40
    order = []
    while mirror.send(frustum, [Look(eye, np.inf)]):
        order += [number for number in mirror._sent if number not in order]
    order += [number for number in mirror._sent if number not in order]
    is_seen = [bool(seen & set(pieces[number].tolist())) for number in order]
    assert is_seen == sorted(is_seen, reverse=True)
    distances = [np.abs(scene.world_spheres[pieces[number], 0] - eye[0]).min() for number in order]
    assert distances[: sum(is_seen)] == sorted(distances[: sum(is_seen)])
    assert distances[sum(is_seen) :] == sorted(distances[sum(is_seen) :])
    scene.set_alive(scene.ids, False)
    send_all(mirror)


def test_every_material_is_a_mesh_and_flat_triangles_are_one_without_normals_that_shares_its_vertices():
    quad = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (2, 0, 1), (2, 1, 1)], dtype=np.float64)
    triangles = np.array([(0, 1, 2), (0, 2, 3), (1, 4, 5)])
    normals = np.zeros((6, 3), dtype=np.float32)
    normals[[1, 4, 5]] = (0, 1, 0)  # the last triangle is smooth
    mesh = MeshData(quad, triangles, normals, np.array([0, 1, 0, 0, 1, 1]))
    flat, smooth = by_material(MergedGeometry.of(MeshBatch.of([mesh], ["a"]), np.zeros(1)))
    assert np.allclose(flat.positions, quad[:4]) and flat.normals is None
    assert flat.triangles.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert np.allclose(smooth.normals, (0, 1, 0)) and np.allclose(smooth.positions, quad[[1, 4, 5]])
    glb = glb_of([flat, smooth], (Material("a", base_color=(1, 0, 0)), Material("b")))
    document = json.loads(glb[20 : 20 + int.from_bytes(glb[12:16], "little")])
    attributes = [primitive["attributes"] for mesh in document["meshes"] for primitive in mesh["primitives"]]
    assert ["NORMAL" in names for names in attributes] == [False, True], "a browser shows what has none flat"
    written = trimesh.load_scene(io.BytesIO(glb), file_type="glb")
    assert len(written.geometry) == 2


@given(
    arrays(np.float64, (3,), elements=st.floats(-3, 3)),
    arrays(np.float64, (3,), elements=st.floats(-3, 3)),
    arrays(np.float64, (3,), elements=st.floats(0.1, 5)),
)
def test_instances_stand_where_their_matrices_put_them(translation, turn, scale):
    matrix = trimesh.transformations.euler_matrix(*turn)
    matrix[:3, :3] *= scale
    matrix[:3, 3] = translation
    center, point = np.array([0.5, -1.0, 2.0]), np.array([1.0, 2.0, 3.0])
    assert can_be_instances(matrix[None])[0]
    rows = InstanceRows.of(matrix[None], center)
    turned = trimesh.transformations.quaternion_matrix(rows.wxyzs[0].astype(np.float64))[:3, :3]
    placed = turned @ (rows.scales[0] * (point - center)) + rows.positions[0]
    assert np.allclose(placed, matrix[:3, :3] @ point + translation, atol=1e-4)


def test_matrices_that_mirror_or_shear_are_no_instances():
    mirror, shear = np.diag([1.0, -2.0, 1.0, 1.0]), np.eye(4)
    shear[0, 1] = 0.1
    assert can_be_instances(np.array([np.eye(4), mirror, shear, np.diag([-1.0, -1.0, 1.0, 1.0])])).tolist() == [
        True,
        False,
        False,
        True,
    ]


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_the_frame_is_about_the_scene_and_gives_points_back(where, size):
    bounds = np.full(3, where), np.full(3, where) + size
    frame = BrowserFrame.around(bounds)
    assert np.linalg.norm(frame.points(bounds[1]) - frame.points(bounds[0])) <= 16.1
    assert np.allclose(frame.world_points(frame.points(bounds[1])), bounds[1], rtol=1e-12, atol=1e-9 * size)


@settings(max_examples=10)
@given(arrays(np.float64, st.tuples(st.integers(0, 60), st.just(3)), elements=st.floats(-10, 10)), st.integers(1, 9))
def test_cells_hold_every_point_once_and_no_more_than_they_may(points, most):
    cells = cells_of(points, np.ones(len(points)), most)
    assert sorted(np.concatenate([np.empty(0, int), *cells]).tolist()) == list(range(len(points)))
    edge = np.ptp(points, axis=0).max(initial=0.0) if len(points) else 0.0
    for cell in cells:
        assert len(cell) <= most or np.ptp(points[cell], axis=0).max() <= edge / 2**20 * 1.01


def sent_points(server: WebServer, mirror: SceneMirror) -> tuple[np.ndarray, np.ndarray]:
    """Return (p, 3) world positions and (p, 3) uint8 colours of all points that a browser has."""
    found = [
        (mirror.frame.world_points(handle.points.astype(np.float64)), handle.colors)
        for handle in list(server.viser.scene._handle_from_node_name.values())
        if isinstance(handle, PointCloudHandle)
    ]
    positions, colors = zip(*found, strict=True) if found else ([np.empty((0, 3))], [np.empty((0, 3))])
    return np.concatenate(positions), np.concatenate(colors)


@pytest.mark.parametrize("shared", [True, False], ids=["shared mesh", "a mesh each"])
def test_what_is_far_is_simpler_then_points_and_whole_again_when_any_camera_comes_near(server, monkeypatch, shared):
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._OVERLAP_SECONDS", -1.0)
    scene, sphere = Scene(), PRIMITIVES["sphere"](0.5, 24, 16)
    ids = [scene.meshes.add(sphere) for _ in range(1 if shared else 8)] * (8 if shared else 1)
    scene.add_nodes(
        ["ball"] * 8,
        mesh=np.array(ids),
        translation=3.0 * np.arange(8)[:, None] * (1.0, 0.0, 0.0),
        scale=np.array((1.0, 2.0, 1.0)) * np.ones((8, 1)),
    )
    mirror = SceneMirror(server.viser, View(scene))
    mirror.update()

    def look_from(*distances: float) -> tuple[np.ndarray, np.ndarray]:
        mirror.send(None, [Look(np.array([10.0, 0.0, distance]), 500.0) for distance in distances])
        assert mirror.is_complete
        return sent_vertices(server, mirror), sent_points(server, mirror)[0]

    whole = shown_vertices(scene)
    vertices, points = look_from(2000.0)
    np.testing.assert_allclose(vertices, whole, atol=0.02)  # a scene of few triangles stays as it is
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._MOST_WHOLE", 0)
    scene.set_translations([0], scene.translations[:1])
    mirror.update()
    simple, points = look_from(200.0)
    assert len(simple) < 0.7 * len(whole) and len(points) == 0
    away = np.linalg.norm(whole[:, None] - simple, axis=2).min(axis=1)
    assert 0.05 < away.max() < 0.4, "a pixel"
    vertices, points = look_from(2000.0)
    assert len(vertices) == 0 and 1 <= len(points) <= 8
    lower, upper = scene.bounds()
    assert (points >= lower - 0.01).all() and (points <= upper + 0.01).all()
    assert len(look_from(1900.0)[0]) == 0
    vertices, points = look_from(2000.0, 6.0)  # the second browser has come near
    np.testing.assert_allclose(vertices, whole, atol=0.02)
    assert len(points) == 0
    vertices, points = look_from(2000.0)  # it has gone
    assert len(vertices) == 0 and len(points) >= 1
    scene.set_translations(scene.ids, scene.translations + np.array((40.0, 0.0, 0.0)))
    mirror.update()
    assert look_from(2000.0)[1][:, 0].min() > 39.0
    scene.set_scales([7], [[40.0, 40.0, 40.0]])
    mirror.update()
    assert 0 < len(look_from(2000.0)[0]) < len(whole), "what is large is no point"
    scene.set_alive(scene.ids, False)
    send_all(mirror)
    assert len(sent_points(server, mirror)[0]) == 0


@settings(max_examples=8)
@given(st.integers(0, 2**32), st.floats(0.1, 3.0), st.booleans())
def test_points_cover_as_much_as_what_they_stand_for_and_are_as_near_as_the_error_says(seed, error, one_mesh):
    rng = np.random.default_rng(seed)
    scene, count = Scene(), 600
    cubes = [scene.meshes.add(PRIMITIVES["cube"]()) for _ in range(1 if one_mesh else count)]
    turns = rng.normal(size=(count, 4))
    scene.add_nodes(
        ["cube"] * count,
        mesh=np.array(cubes * (count if one_mesh else 1)),
        translation=FAR + rng.uniform(-60.0, 60.0, (count, 3)),
        rotation=turns / np.linalg.norm(turns, axis=1, keepdims=True),
        scale=np.array((rng.uniform(0.1, 1.4), 0.3, 0.5)) * error * np.ones((count, 1)),
    )
    ids = scene.ids
    narrow = narrow_errors(scene, ids)
    assert (narrow <= error).all() and (narrow > error / 20.0).all()
    specks = specks_of(scene, ids, error, np.zeros(3))
    x, y, z = scene.scales[0]
    covered = count * (x * y + y * z + z * x) / 2.0
    drawn = len(specks.positions) * point_width(error) ** 2
    assert 0 < drawn <= covered + 2.0 * point_width(error) ** 2
    if error < 1.0:  # no two of them share a cell often
        assert drawn >= 0.8 * covered - 2.0 * point_width(error) ** 2
    distances = np.linalg.norm(specks.positions[:, None] - scene.world_spheres[:, :3], axis=2).min(axis=1)
    assert distances.max(initial=0.0) <= 0.5 * np.sqrt(3.0) * point_width(error) + 1.01 * scene.world_spheres[0, 3]


def test_a_row_of_points_has_the_means_of_colours_textures_and_overrides():
    scene = Scene()
    pixels = np.zeros((2, 2, 4), dtype=np.uint8)
    pixels[...] = (0, 0, 255, 255)
    pixels[0, 0] = (255, 0, 0, 255)  # the upper left
    pixels.flags.writeable = False
    texture = Texture(Path("texture.png"), pixels, is_file=False)
    textured = scene.add_material(Material("textured", base_color=(1.0, 1.0, 1.0), base_color_texture=texture))
    green = scene.add_material(Material("green", base_color=(0.0, 1.0, 0.0), opacity=0.5))
    triangle = MeshData(
        np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=np.float64),
        np.array([(0, 1, 2)]),
        None,
        np.zeros(3, int),
        uvs=np.array([(0.1, 0.9), (-0.9, 1.9), (0.9, 0.1)]),
        colors=np.array([(255, 255, 255, 255)] * 2 + [(255, 255, 51, 255)], dtype=np.uint8),
    )
    mesh = scene.meshes.add(triangle, first_material=textured)
    means = mean_colors(scene.meshes, np.array([mesh, mesh]), np.array([-1, green]), scene.materials)
    np.testing.assert_allclose(means, [(2 / 3, 0.0, 0.2 / 3, 1.0), (0.0, 1.0, 0.0, 0.5)], atol=1e-6)


@pytest.mark.parametrize(
    ("wrap", "u", "reds"),
    [
        ("repeat", (-0.9, 1.1, 2.9), 2),
        ("clamp", (-0.9, 1.1, 2.9), 1),
        ("mirror", (-0.9, 1.1, 2.1), 1),
        ("clamp", (1.0, 0.0, 5.0), 1),
        ("mirror", (1.0, 0.0, 2.0), 2),
    ],
)
def test_colours_of_points_are_those_that_an_image_has_beyond_its_borders(wrap, u, reds):
    """The left half of the image is red."""
    scene = Scene()
    pixels = np.full((1, 2, 4), 255, dtype=np.uint8)
    pixels[0, 0] = (255, 0, 0, 255)
    pixels.flags.writeable = False
    texture = Texture(Path("texture.png"), pixels, is_file=False).wrapped((wrap, wrap))
    textured = scene.add_material(Material("textured", base_color=(1.0, 1.0, 1.0), base_color_texture=texture))
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], dtype=np.float64)
    uvs = np.stack([u, (0.5, 0.5, 0.5)], axis=1)
    mesh = scene.meshes.add(
        MeshData(corners, np.array([(0, 1, 2)]), None, np.zeros(3, int), uvs), first_material=textured
    )
    means = mean_colors(scene.meshes, np.array([mesh]), np.array([-1]), scene.materials)
    np.testing.assert_allclose(means, [(1.0, 1.0 - reds / 3, 1.0 - reds / 3, 1.0)], atol=1e-6)


def test_many_instances_are_pieces_of_bounded_size_and_a_move_sends_one_of_them(server, monkeypatch):
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._MOST_INSTANCES", 50)
    scene = cube_scene(400, shared=True)
    mirror = SceneMirror(server.viser, View(scene))
    mirror.update()
    send_all(mirror)
    pieces = list(mirror._sent.values())
    assert max(len(piece.ids) for piece in pieces) <= 50
    assert sorted(np.concatenate([piece.ids for piece in pieces]).tolist()) == list(range(400))
    moved = []
    rows_of = mirror._rows_of
    monkeypatch.setattr(mirror, "_rows_of", lambda piece, ids: moved.append(piece) or rows_of(piece, ids))
    scene.set_translations([7], [[0.0, 5.0, 0.0]])
    mirror.update()
    assert len(moved) == 1 and 7 in moved[0].ids
    scene.set_hidden(np.arange(400), True)
    mirror.update()
    scene.set_hidden(np.arange(400), False)
    mirror.update()
    send_all(mirror)
    assert max(len(piece.ids) for piece in mirror._sent.values()) <= 50 and mirror.is_complete


def test_an_environment_is_there_where_metal_mirrors_it_and_nowhere_else(server, monkeypatch):
    chosen = []
    take = lambda name, environment_intensity: chosen.append(name)  # noqa: E731
    monkeypatch.setattr(server.viser.scene, "configure_environment_map", take)
    scene = cube_scene(2, shared=True)
    mirror = SceneMirror(server.viser, View(scene))
    mirror.update()
    assert chosen == [None]
    gold = scene.add_material(Material("gold", base_color=(1.0, 0.8, 0.3), metallic=1.0))
    scene.add_nodes(["coin"], mesh=np.array([scene.meshes.add(PRIMITIVES["cube"](), first_material=gold)]))
    mirror.update()
    mirror.update()
    assert chosen == [None, "warehouse"]


def crowd(server: WebServer, *, shared: bool, count: int = 144) -> tuple[Scene, SceneMirror]:
    """Return boxes of about a metre in a plane, 3 m apart, and their mirror, which simplifies them."""
    server.viser.scene.reset()
    scene, rng = Scene(), np.random.default_rng(1)
    cube = PRIMITIVES["cube"]()
    meshes = [scene.meshes.add(cube) for _ in range(1 if shared else count)] * (count if shared else 1)
    side = int(np.sqrt(count))
    places = np.stack([3.0 * (np.arange(count) % side), np.zeros(count), 3.0 * (np.arange(count) // side)], axis=1)
    scale = rng.uniform(0.5, 1.2, (count, 3)) * np.stack([np.ones(count), rng.choice([1, 4], count), np.ones(count)], 1)
    scene.add_nodes(["box"] * count, mesh=np.array(meshes), translation=places, scale=scale)
    return scene, SceneMirror(server.viser, View(scene))


def send_at(mirror: SceneMirror, looks: list[Look], budget: float = np.inf) -> None:
    mirror._looked = -np.inf
    mirror.send(None, looks, budget)
    while mirror.send(None, looks, budget):
        pass


@pytest.mark.parametrize("shared", [True, False], ids=["shared mesh", "a mesh each"])
def test_a_browser_that_draws_slowly_gets_points_for_what_is_small_and_never_for_what_is_ten_pixels_wide(
    server, monkeypatch, shared
):
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._OVERLAP_SECONDS", -1.0)
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._MOST_WHOLE", 0)
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._MOST_INSTANCES", 60)
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._MOST_TRIANGLES", 2000)
    scene, mirror = crowd(server, shared=shared)
    mirror.update()
    corners = np.array([baked(scene, np.array([node])).positions for node in scene.ids])
    spheres, narrow = scene.world_spheres[scene.ids], narrow_errors(scene, scene.ids)
    costs = []
    for places in ([(15.0, 40.0, 15.0)], [(-5.0, 9.0, -5.0)], [(-30.0, 20.0, 9.0), (20.0, 2.0, 20.0)]):
        looks = [Look(np.array(place), 70.0) for place in places]
        for budget in (np.inf, 50.0, np.inf):
            send_at(mirror, looks, budget)
            costs.append(mirror.seen_cost(None))
            shown = np.concatenate([sent_points(server, mirror)[0], vertices := sent_vertices(server, mirror)])
            allowed = errors_of(spheres[:, :3] - spheres[:, 3:], spheres[:, :3] + spheres[:, 3:], looks)
            away = np.linalg.norm(shown - spheres[:, None, :3], axis=2).min(axis=1)
            assert (away <= spheres[:, 3] + 2.0 * allowed).all(), "a hole"
            is_wide = 2.0 * narrow > 10.0 * allowed  # ten pixels
            away = np.linalg.norm(corners[is_wide][:, :, None] - vertices, axis=3).min(axis=2, initial=np.inf)
            assert (away <= allowed[is_wide, None] + 0.02).all()
    fine, coarse, again = np.array(costs).reshape(-1, 3).T
    assert coarse.sum() < 0.5 * fine.sum() and np.allclose(again, fine, rtol=0.5)
    scene.set_translations([7], [[0.0, 9.0, 0.0]])
    scene.set_scales([8], [[30.0, 30.0, 30.0]])
    mirror.update()
    send_at(mirror, looks, 200.0)
    vertices = sent_vertices(server, mirror)
    large = baked(scene, np.array([8])).positions
    assert np.linalg.norm(large[:, None] - vertices, axis=2).min(axis=1).max() < 1.0, "what was a point is large now"
    scene.set_alive(scene.ids, False)
    send_all(mirror)
    assert len(sent_points(server, mirror)[0]) == 0 and len(sent_vertices(server, mirror)) == 0


def test_pieces_that_no_browser_can_see_are_hidden_and_whatever_touches_a_frustum_is_drawn(server, monkeypatch):
    monkeypatch.setattr("octoscope.viewer.features.web.mirror._MOST_INSTANCES", 10)
    scene, mirror = crowd(server, shared=True)
    send_all(mirror)
    rng = np.random.default_rng(3)
    for turn in range(10):
        frusta = []
        for _ in range(1 + turn % 2):
            camera = Camera(pivot=rng.uniform(0, 36, 3), yaw_rad=rng.uniform(0, 6.0), pitch_rad=0.3, distance=9.0)
            frusta.append(Frustum.from_matrix(camera.clip_from_relative(1.5), camera.position))
        mirror.send(frusta[0], [Look(rng.uniform(0, 60, 3), np.inf)], 1e9, frusta)
        seen = np.unique(np.concatenate([scene.index.cull(frustum) for frustum in frusta]))
        drawn = {node for piece in mirror._sent.values() if piece.handles[0].visible for node in piece.ids.tolist()}
        assert set(seen.tolist()) <= drawn and len(drawn) < len(scene)
    mirror.send(frusta[0], [Look(rng.uniform(0, 60, 3), np.inf)])
    assert all(handle.visible for piece in mirror._sent.values() for handle in piece.handles)
    scene.set_alive(scene.ids, False)
    send_all(mirror)


def test_coarseness_follows_a_budget_and_stays_where_that_is_nearly_kept():
    rng, count = np.random.default_rng(4), 1000
    radii, errors = rng.uniform(0.5, 1.0, count), rng.uniform(0.05, 1.0, count)
    sizes = Sizes(radii, np.full(count, 12), radii * 0.8)
    costs = [drawn_counts(errors, sizes, each).sum() for each in (1.0, 2.0, 4.0)]
    assert costs == sorted(costs, reverse=True) and costs[0] > 2.0 * costs[2]
    assert coarseness_for(1.1 * costs[0], errors, sizes, 1.0) == 1.0
    assert coarseness_for(costs[0] / 1.4, errors, sizes, 1.0) == 1.0, "nearly"
    assert coarseness_for(1.1 * costs[0], errors, sizes, 2.0) > 1.0, "not again at once"
    assert coarseness_for(2.0 * costs[0], errors, sizes, 4.0) == 1.0
    assert coarseness_for(0.0, errors, sizes, 1.0) == 4.0


def test_meshes_in_a_nodes_material_keep_the_types_that_kernels_were_compiled_for():
    batch = MeshBatch.of([PRIMITIVES["cube"]()], ["cube"])
    batch = replace(batch, material_ids=batch.material_ids.astype(np.int32))
    for override in (-1, 3):
        ids = with_overrides(batch, np.array([override])).material_ids
        assert ids.dtype == np.int32 and (ids == (batch.material_ids if override < 0 else override)).all()
