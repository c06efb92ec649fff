"""Meshes from a script's arrays: triangles, polygons, points, colours, scalars, arrows; what does not fit is said."""

from __future__ import annotations

import numpy as np
import pytest
import trimesh

from octoscope.scene import History, Material, Recorder, Scene, editing, load, open_project, save_project, write_glb
from octoscope.scene.mesh.color_scale import ColorScale, colormap_table
from octoscope.scene.mesh.material import DEFAULT_MATERIAL

# matplotlib 3.9, viridis at 0, 0.25, 0.5, 0.75 and 1, 8 bits.
VIRIDIS = [(68, 1, 84), (59, 82, 139), (33, 145, 140), (94, 201, 98), (253, 231, 37)]
SQUARE = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
HALVES = [(0, 1, 2), (0, 2, 3)]


@pytest.fixture
def scene() -> Scene:
    return Scene()


def mesh_of(scene: Scene, node: object) -> object:
    return scene.meshes.batch(np.array([node.mesh_id])).mesh(0)


def test_triangles_come_as_they_are_given_and_the_node_has_what_nodes_have(scene):
    parent = scene.add_node("above")
    node = scene.add_mesh("square", SQUARE.tolist(), HALVES, parent=parent.id, translation=(1, 2, 3), hidden=True)
    mesh = mesh_of(scene, node)
    assert mesh.positions.tolist() == SQUARE.tolist()
    assert mesh.triangles.tolist() == [list(each) for each in HALVES]
    assert (node.parent, node.translation.tolist(), node.hidden) == (parent, [1, 2, 3], True)
    assert scene.materials == (DEFAULT_MATERIAL,) and not scene.color_scales
    lower, upper = scene.bounds([node.id])
    assert [lower.tolist(), upper.tolist()] == [[1, 2, 3], [2, 3, 3]]


def test_a_mesh_of_trimesh_goes_in_as_it_is(scene):
    ball = trimesh.creation.icosphere(2)
    ball.visual.vertex_colors = np.random.default_rng(0).integers(0, 256, (len(ball.vertices), 4), dtype=np.uint8)
    node = scene.add_mesh("ball", ball.vertices, ball.faces, colors=ball.visual.vertex_colors)
    mesh = mesh_of(scene, node)
    assert (mesh.triangles == ball.faces).all()
    assert (mesh.colors == ball.visual.vertex_colors).all()


def test_arrays_of_the_caller_stay_his_own(scene):
    vertices, colors = SQUARE.copy(), np.full((4, 4), 9, dtype=np.uint8)
    node = scene.add_mesh("square", vertices, HALVES, colors=colors)
    vertices[:], colors[:] = 7.0, 7
    assert (mesh_of(scene, node).positions == SQUARE).all()
    assert (mesh_of(scene, node).colors == 9).all()


def test_polygons_are_cut_and_keep_their_own_edges(scene):
    node = scene.add_mesh("square", SQUARE, [(0, 1, 2, 3)], scalars=[5.0])
    mesh = mesh_of(scene, node)
    assert len(mesh.triangles) == 2
    assert [bin(edges).count("1") for edges in mesh.edges.tolist()] == [2, 2], "the diagonal is no edge"


def test_without_faces_there_are_points(scene):
    mesh = mesh_of(scene, scene.add_mesh("cloud", SQUARE))
    assert mesh.points.tolist() == [0, 1, 2, 3] and len(mesh.triangles) == 0


def test_normals_may_have_any_length_and_none_means_flat(scene):
    given = np.tile((0.0, 0.0, 7.0), (4, 1))
    assert (mesh_of(scene, scene.add_mesh("a", SQUARE, HALVES, normals=given)).normals == (0, 0, 1)).all()
    assert not mesh_of(scene, scene.add_mesh("b", SQUARE, HALVES)).normals.any()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (np.array([(0, 0.5, 1)] * 4), (0, 128, 255, 255)),
        (np.array([(0.2, 0.4, 0.6, 0.2)] * 4, dtype=np.float32), (51, 102, 153, 51)),
        (np.array([(7, 8, 9)] * 4, dtype=np.uint8), (7, 8, 9, 255)),
    ],
)
def test_colours_are_bytes_or_shares(scene, given, expected):
    node = scene.add_mesh("square", SQUARE, HALVES, colors=given)
    assert (mesh_of(scene, node).colors == expected).all()
    assert scene.materials[-1].base_color == (1.0, 1.0, 1.0), "or it would dim them"


def test_scalars_of_vertices_are_matplotlibs_colours(scene):
    vertices = np.random.default_rng(1).normal(size=(5, 3))
    node = scene.add_mesh("values", vertices, scalars=[-2, -1, 0, 1, 2])
    assert np.abs(mesh_of(scene, node).colors[:, :3].astype(int) - VIRIDIS).max() <= 1
    ((material, scale),) = scene.color_scales.items()
    assert scene.materials[material].name == "values"
    assert (scale.title, scale.minimum, scale.maximum) == ("values", -2.0, 2.0)


def test_scalars_beyond_the_range_get_the_colours_of_its_ends(scene):
    node = scene.add_mesh("square", SQUARE, HALVES, scalars=[-9e307, 0, 1, 9e307], scalar_range=(0, 1), title="t")
    table = np.frombuffer(colormap_table("viridis"), dtype=np.uint8).reshape(-1, 3)
    assert (mesh_of(scene, node).colors[:, :3] == table[[0, 0, -1, -1]]).all()
    assert [each.title for each in scene.color_scales.values()] == ["t"]


def test_equal_scalars_have_one_colour(scene):
    assert len(set(map(tuple, mesh_of(scene, scene.add_mesh("a", SQUARE, scalars=[3] * 4)).colors.tolist()))) == 1


def test_scalars_of_faces_colour_each_face_alone(scene):
    rng = np.random.default_rng(2)
    ball = trimesh.creation.icosphere(2)
    values = rng.normal(size=len(ball.faces))
    node = scene.add_mesh("ball", ball.vertices, ball.faces, normals=ball.vertices, scalars=values, colormap="coolwarm")
    mesh = mesh_of(scene, node)
    (scale,) = scene.color_scales.values()
    np.testing.assert_allclose(mesh.positions[mesh.triangles], ball.vertices[ball.faces])
    np.testing.assert_allclose(mesh.normals[mesh.triangles], ball.vertices[ball.faces], atol=1e-6)
    assert (mesh.colors[mesh.triangles] == scale.colors_of(values)[:, None]).all()
    assert (mesh.source_vertices[mesh.triangles] == ball.faces).all()


def test_names_are_matplotlibs_or_those_of_cmap():
    assert (
        colormap_table("viridis_r") == np.frombuffer(colormap_table("viridis"), np.uint8).reshape(-1, 3)[::-1].tobytes()
    )
    assert len(colormap_table("tab10")) == 30, "a colormap of ten colours is not smoothed"
    for name in ("magma", "coolwarm", "jet", "turbo", "Blues", "gray", "cmocean:thermal"):
        assert len(colormap_table(name)) == 3 * 256


@pytest.mark.parametrize("numbers", [np.linspace(0, 1, 7), np.linspace(-1e300, 1e300, 5), [2.0]])
def test_a_table_is_looked_up_as_matplotlib_does(numbers):
    scale = ColorScale("", float(np.min(numbers)), float(np.max(numbers)), bytes(range(30)))
    size = scale.maximum - scale.minimum
    places = [min(int((each - scale.minimum) / size * 10), 9) if size else 0 for each in numbers]
    assert (scale.colors_of(np.asarray(numbers))[:, 0] == [3 * place for place in places]).all()


def test_arrows_stand_on_their_vertices_and_point_along_the_vectors(scene):
    rng = np.random.default_rng(3)
    vertices, vectors = rng.normal(size=(40, 3)), rng.normal(size=(40, 3))
    vectors[:3] = (0, 0, 2), (0, 0, -1), (0, 0, 0)
    node = scene.add_mesh("cloud", vertices, vectors=vectors, vector_scale=0.5, translation=(1, 2, 3))
    (child,) = node.children
    mesh = mesh_of(scene, child)
    arrows = mesh.positions.reshape(39, -1, 3)
    long = np.flatnonzero(np.linalg.norm(vectors, axis=1))
    np.testing.assert_allclose(arrows[:, -1], vertices[long] + 0.5 * vectors[long], atol=1e-12)
    np.testing.assert_allclose(arrows[:, :6].mean(axis=1), vertices[long], atol=1e-12, err_msg="the middle of the foot")
    assert len(np.unique(mesh.source_vertices)) == len(mesh.positions), "corners that lie apart are no single vertex"
    # Seen from outside: about its own middle each arrow has a volume above 0.
    corners = mesh.positions[mesh.triangles].reshape(39, -1, 3, 3)
    about = corners - vertices[long][:, None, None]
    assert (np.linalg.det(about).sum(axis=1) > 0.0).all()


def test_the_longest_arrow_is_a_tenth_of_the_mesh_and_none_is_drawn_of_nothing(scene):
    node = scene.add_mesh("square", SQUARE, HALVES, vectors=SQUARE * 1e6)
    tips = mesh_of(scene, node.children[0]).positions.reshape(3, -1, 3)[:, -1]
    assert np.linalg.norm(tips - SQUARE[1:], axis=1).max() == pytest.approx(0.1 * np.sqrt(2.0))
    assert not scene.add_mesh("still", SQUARE, HALVES, vectors=0 * SQUARE).children


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"vertices": SQUARE[:, :2]}, r"vertices: \(n, 3\) numbers are needed, not \(4, 2\)"),
        ({"vertices": "abc"}, "vertices: .* numbers are needed"),
        ({"vertices": np.empty((0, 3))}, "vertices: .* not \\(0, 3\\)"),
        (
            {"vertices": [(0, 0, 0), (0, np.nan, 0), (np.inf, 0, 0)]},
            "vertices: 2 of 3 are not finite, the first at index 1",
        ),
        ({"faces": [(0, 1, 4)]}, r"faces: face 0 is \[0, 1, 4\], and there are vertices 0 to 3"),
        ({"faces": [(0, 1, 2), (-1, 1, 2)]}, r"faces: face 1 is \[-1, 1, 2\]"),
        ({"faces": [(0.0, 1.0, 2.0)]}, "faces: .* not .* of float64"),
        ({"faces": [(0, 1)]}, "faces: "),
        ({"faces": [(0, 1, 2), (0, 1, 2, 3)]}, "faces: "),
        ({"faces": []}, "faces: "),
        ({"normals": SQUARE[:3]}, r"normals: \(4, 3\) numbers are needed, not \(3, 3\)"),
        ({"normals": SQUARE * np.nan}, "normals: 4 of 4 are not finite"),
        ({"colors": SQUARE[:3]}, "colors: "),
        ({"colors": SQUARE * 2}, "colors: 0 to 1 is needed, not 0 to 2"),
        ({"colors": np.ones((4, 3), dtype=int)}, "colors: uint8"),
        ({"colors": np.full((4, 3), np.nan)}, "colors: 4 of 4 are not finite"),
        ({"scalars": [1, 2, 3]}, r"scalars: \(4,\) or \(2,\) numbers are needed, not \(3,\)"),
        ({"scalars": [1, 2, 3, np.nan]}, "scalars: 1 of 4 are not finite, the first at index 3"),
        ({"scalars": ["a"] * 4}, "scalars: "),
        ({"scalars": 5}, "scalars: "),
        ({"scalars": [1, 2, 3, 4], "colors": SQUARE}, "colors and scalars"),
        ({"scalars": [1, 2, 3, 4], "colormap": "rainbows"}, "colormap: there is none called 'rainbows'"),
        ({"scalars": [1, 2, 3, 4], "scalar_range": (2, 1)}, "a range of numbers"),
        ({"scalars": [1, 2, 3, 4], "scalar_range": 3}, "scalar_range must be two numbers or None, not 3"),
        ({"scalars": [1, 2, 3, 4], "scalar_range": (0, np.inf)}, "a range of numbers"),
        ({"vectors": SQUARE[:2]}, r"vectors: \(4, 3\) numbers are needed, not \(2, 3\)"),
        ({"vectors": SQUARE, "vector_scale": 0.0}, "vector_scale: a number above 0"),
        ({"vectors": SQUARE, "vector_scale": "a"}, "vector_scale must be a number or None, not 'a'"),
        ({"vectors": 0 * SQUARE, "vector_scale": np.ones((2, 2))}, "vector_scale must be a number or None"),
        ({"vectors": SQUARE, "vector_scale": 1e308, "vertices": SQUARE * 1e308}, "vectors: .* too large"),
        ({"vertices": SQUARE * 1j}, "vertices: "),
        ({"vertices": np.zeros((4, 3), dtype="M8[s]")}, "vertices: "),
        ({"vertices": [(0, 0, 10**400)] * 4}, "vertices: "),
        ({"colors": [(0, 0, 1), (0, 0), (1,), (0, 0, 0)]}, "colors: "),
        ({"scalars": [1, (2, 3), 4, 5]}, "scalars: "),
        ({"scalars": [1, 2, 3, 4], "scalar_range": (0, 10**400)}, "scalar_range: "),
        ({"scalars": [1, 2, 3, 4], "scalar_range": np.eye(2)}, "scalar_range must be two numbers"),
        ({"scalars": [1, 2, 3, 4], "title": 5}, "title must be a string or None, not 5"),
        ({"material": "red"}, "material must be a Material or None, not 'red'"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_line_and_adds_nothing(scene, arguments, says):
    with pytest.raises(ValueError, match=says) as refused:
        scene.add_mesh("square", **{"vertices": SQUARE, "faces": HALVES} | arguments)
    assert "\n" not in str(refused.value)
    assert (len(scene), len(scene.meshes), len(scene.materials), scene.color_scales) == (0, 0, 1, {})


@pytest.mark.parametrize("length", [1e-310, 1e-160, 1e30, 1e300])
def test_arrows_of_any_length_are_as_long_as_they_should_be(scene, length):
    node = scene.add_mesh("square", SQUARE, HALVES, vectors=np.tile((0, 0, length), (4, 1)))
    tips = mesh_of(scene, node.children[0]).positions.reshape(4, -1, 3)[:, -1]
    np.testing.assert_allclose(tips, SQUARE + np.array((0, 0, 0.1 * np.sqrt(2.0))))


def test_scalars_and_their_scale_live_in_a_project(scene, tmp_path):
    scene.add_mesh("values", SQUARE, HALVES, scalars=[1, 2, 3, 4], title="p [Pa]", material=Material("m", unlit=True))
    scene.add_mesh("plain", SQUARE, HALVES)
    save_project(scene, tmp_path / "a.octo.json")
    again = open_project(tmp_path / "a.octo.json")
    assert again.report.problems == []
    ((material, scale),) = again.color_scales.items()
    assert again.materials[material].name == "m"
    assert list(scene.color_scales.values()) == [scale]
    assert again.copy().color_scales == again.color_scales


def test_scalars_of_a_script_come_back_from_the_journal(scene, tmp_path):
    """Two meshes in equal materials keep each its own scale; equal ones of both file and journal are one."""
    scene.add_mesh("first", SQUARE, HALVES, scalars=[1, 2, 3, 4], title="p [Pa]", material=Material("m"))
    save_project(scene, tmp_path / "a.octo.json")
    recorder = Recorder(scene)
    scene.add_mesh("second", SQUARE, HALVES, scalars=[5, 6, 7, 8], title="T [K]", material=Material("m"))
    scene.add_mesh("third", SQUARE, HALVES, colors=np.ones((4, 3)), material=Material("m"))
    recorder.record_difference()
    recorder.close()
    again = open_project(tmp_path / "a.octo.json")
    assert [problem.kind for problem in again.report.problems] == ["unsaved-changes"]
    for name, title in (("first", "p [Pa]"), ("second", "T [K]"), ("third", None)):
        (material,) = np.unique(mesh_of(again, again[name]).material_ids).tolist()
        scale = again.color_scales.get(material)
        assert (scale and scale.title) == title and again.materials[material] == Material("m")
        (of_scene,) = np.unique(mesh_of(scene, scene[name]).material_ids).tolist()
        assert scale == scene.color_scales.get(of_scene)


@pytest.mark.parametrize(
    "change",
    [
        {"material": 9},
        {"material": True},
        {"minimum": "a"},
        {"maximum": -5.0},
        {"colors": "xyz"},
        {"colors": "ab"},
        {"title": 3},
    ],
)
def test_a_scale_of_a_project_that_is_none_is_said_and_left_out(scene, tmp_path, change):
    import json

    path = tmp_path / "a.octo.json"
    scene.add_mesh("values", SQUARE, HALVES, scalars=[1, 2, 3, 4])
    save_project(scene, path)
    document = json.loads(path.read_text())
    document["color_scales"][0] |= change
    path.write_text(json.dumps(document))
    again = open_project(path)
    assert not again.color_scales
    assert [problem.kind for problem in again.report.problems] == ["color-scale"]


def test_a_format_that_cannot_hold_a_scale_says_so_and_keeps_the_colours(scene, tmp_path):
    scene.add_mesh("values", SQUARE, HALVES, scalars=[1, 2, 3, 4])
    scene.update_world()
    assert "1 colour scale is left out: save a project to keep it" in write_glb(scene, tmp_path / "a.glb")
    read = load(tmp_path / "a.glb")
    assert (read.meshes.vertices["color"] == scene.meshes.vertices["color"]).all()


def test_arrows_keep_their_colour_unless_they_are_named():
    scene = Scene()
    first = scene.add_mesh("first", SQUARE, vectors=SQUARE + 1, color="white")
    second = scene.add_mesh("second", SQUARE, vectors=SQUARE + 2, color="white")
    arrows, orange = scene.find("vectors"), first.children[0].color
    scene.set_colors([first, second], "blue")
    assert first.color == second.color == (0, 0, 1, 1) and [each.color for each in arrows] == [orange] * 2
    assert len(scene.used_materials) == 2  # arrows share theirs
    scene.set_colors([first, first.children[0]], "green")
    assert first.children[0].color == first.color != orange == second.children[0].color


def test_a_node_stands_for_its_mesh():
    scene = Scene()
    scene.add_node("group")
    box, ball = (
        scene.add_mesh(name, [(0, 0, 0), (1, 0, 0), (0, size, 0)], [(0, 1, 2)]) for name, size in (("a", 1), ("b", 2))
    )
    assert scene.add_node("again", mesh=ball).mesh_id == ball.mesh_id != ball.id
    ids = scene.add_nodes(["x", "y"], mesh=[ball, box])
    assert scene.mesh_ids[list(ids)].tolist() == [ball.mesh_id, box.mesh_id]
    scene.set_meshes(box, ball)
    assert box.mesh_id == ball.mesh_id
    other = scene.add_mesh("c", [(0, 0, 0), (1, 0, 0), (0, 3, 0)], [(0, 1, 2)])
    History(scene).do(editing.replace_mesh(scene, [box, ball], other))
    assert box.mesh_id == ball.mesh_id == other.mesh_id
    with pytest.raises(ValueError, match="another scene"):
        Scene().add_node("x", mesh=ball)
