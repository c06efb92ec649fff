"""First guesses of a newcomer: nodes by name and id, meshes, colours, rotations; the advice that wrong guesses get."""

from __future__ import annotations

import math
import pydoc
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
import trimesh

from octoscope import Mesh, MeshData, Octree, Texture, editing, measure, save
from octoscope.scene import History, Material, Node, Nodes, Scene, change_nodes, change_scene, load, public_names
from octoscope.scene.nodes.attributes import Column
from octoscope.scene.nodes.node_table import NodeTable
from tests.scene.tetrahedra import CORNERS, FACES, tetrahedra

HARBOUR = Path(__file__).parents[2] / "assets" / "harbour.obj"


@pytest.fixture
def scene() -> Scene:
    return tetrahedra()


def test_nodes_are_found_by_name_id_and_pattern(scene):
    assert scene["first"] == scene[1] == scene[np.int32(1)]
    assert list(scene[[1, 2]]) == [scene[1], scene[2]]
    assert [node.name for node in scene.objects] == ["first", "second", "alone"]
    assert [node.name for node in scene.find("S*")] == ["second"] and len(scene.find("nothing")) == 0
    assert len(scene.nodes) == len(scene) == 4
    assert scene["second"].path == "group/second"
    assert [node.name for node in scene["group"].descendants] == ["first", "second"]
    with pytest.raises(KeyError, match="did you mean 'second'"):
        scene["secnd"]
    for missing in (-1, 4, [0, 9]):
        with pytest.raises(IndexError):
            scene[missing]


def test_a_node_is_its_id_to_numpy(scene):
    nodes = scene.objects
    np.testing.assert_array_equal(scene.translations[nodes], scene.translations[nodes.ids])
    assert scene.names[scene["alone"]] == "alone"
    np.testing.assert_array_equal(np.asarray([scene["first"], 3]), (1, 3))
    np.testing.assert_array_equal(np.asarray(nodes), nodes.ids)


def test_boxes_are_of_all_that_is_below(scene):
    lower, upper = scene["group"].bounds
    np.testing.assert_array_equal((lower, upper), [(10, 0, 0), (11, 6, 1)])
    np.testing.assert_array_equal(scene.bounds(scene["group"]), (lower, upper))
    np.testing.assert_array_equal(scene.bounds([scene["group"], scene["alone"]]), scene.bounds())
    assert scene.own_bounds(scene["group"]) is None and scene.add_node("empty").bounds is None


def test_meshes_come_out_as_arrays_and_as_trimesh_and_go_in_as_both(scene):
    mesh = scene["first"].mesh
    np.testing.assert_array_equal(mesh.vertices, CORNERS)
    np.testing.assert_array_equal(mesh.faces, FACES)
    assert mesh.colors is None and mesh.normals is None and scene["group"].mesh is None
    with pytest.raises(ValueError, match="read-only"):
        mesh.vertices[0] = 1.0
    assert mesh.to_trimesh().volume == pytest.approx(1 / 6)
    for given in (mesh, mesh.to_trimesh()):
        again = scene.add_mesh("again", given).mesh
        np.testing.assert_array_equal(again.vertices, CORNERS)
        np.testing.assert_array_equal(again.faces, FACES)
    painted = trimesh.creation.box()
    painted.visual.vertex_colors = np.full((8, 4), (10, 20, 30, 255), dtype=np.uint8)
    assert scene.add_mesh("painted", painted).mesh.colors[0].tolist() == [10, 20, 30, 255]
    assert len(scene.add_mesh("cloud", trimesh.PointCloud(CORNERS)).mesh.points) == 4
    with pytest.raises(ValueError, match=r"not a scene; add each mesh of scene\.dump"):
        scene.add_mesh("x", trimesh.Scene([painted]))
    with pytest.raises(ValueError, match=r"no trimesh\.Trimesh"):
        scene["cloud"].mesh.to_trimesh()


def test_colours_are_of_the_node_alone_and_materials_are_shared(scene):
    first, second = scene["first"], scene["second"]
    first.color = "red"
    assert first.color == (1.0, 0.0, 0.0, 1.0) and second.color != first.color
    second.color = (1, 0, 0)
    count = len(scene.materials)
    assert first.material is second.material
    first.color = (1, 0, 0, 0.5)
    assert first.color[3] == 0.5 and second.color[3] == 1.0 and len(scene.materials) == count + 1
    scene.set_colors(scene.nodes, "blue")
    assert [node.color for node in scene.objects] == [(0.0, 0.0, 1.0, 0.5), (0.0, 0.0, 1.0, 1.0), (0.0, 0.0, 1.0, 1.0)]
    scene.set_colors(scene.objects, np.array([(255, 0, 0), (0, 255, 0), (255, 0, 0)], dtype=np.uint8))
    assert [node.color[:2] for node in scene.objects] == [(1.0, 0.0), (0.0, 1.0), (1.0, 0.0)]
    first.material = Material("steel", metallic=1.0)
    assert first.material.metallic == 1.0
    first.material = None
    assert first.material == scene.materials[0]
    with pytest.raises(ValueError, match=r"shows no mesh; below it are 'first', 'second'; scene\.set_colors"):
        scene["group"].color = "red"
    with pytest.raises(ValueError, match=r"material must be a Material or None, not .*node\.color"):
        first.material = "red"


def test_turns_are_in_degrees_about_the_parents_axes(scene):
    node = scene["alone"]
    for _ in range(3):
        node.rotate(30, "y")
    np.testing.assert_allclose(node.world_from_local[:3, :3] @ (0, 0, 1), (1, 0, 0), atol=1e-12)
    node.rotate(90, (0, 0, 2))
    np.testing.assert_allclose(node.world_from_local[:3, :3] @ (0, 0, 1), (0, 1, 0), atol=1e-12)
    node.translation += (0, 1, 0)
    node.scale *= 2
    np.testing.assert_array_equal(node.translation, (0, 1, 0))
    np.testing.assert_array_equal(node.scale, (2, 2, 2))
    moved = node.translation * 2.0
    moved[0] = 7.0  # an array like others


@pytest.mark.parametrize(
    ("do", "what"),
    [
        (lambda node: setattr(node, "rotation", (0, 90, 0)), r"^rotation: a quaternion .* not \(0, 90, 0\)$"),
        (lambda node: setattr(node, "rotation", np.eye(3)), r"^rotation: a quaternion .*shape \(3, 3\)$"),
        (lambda node: setattr(node, "translation", (1, 2)), r"^translation: three numbers .* not \(1, 2\)$"),
        (lambda node: setattr(node, "translation", 5), "^translation: three numbers"),
        (lambda node: setattr(node, "translation", "up"), "^translation: three numbers"),
        (lambda node: setattr(node, "scale", (1, 2)), "^scale: one number or three"),
        (lambda node: node.rotate(90, "q"), "^axis: 'x', 'y', 'z'"),
        (lambda node: node.rotate(float("nan"), "x"), "^degrees"),
        (lambda node: setattr(node, "color", "no colour"), "is not a colour"),
        (lambda node: setattr(node, "color", (2, 0, 0)), "0 to 1"),
        (lambda node: node.scene.add_mesh(CORNERS, FACES), "name must be a string, not .* comes first"),
        (lambda node: node.scene.add_instances("x", 0, CORNERS), "node must be a Node, such as scene"),
    ],
)
def test_wrong_values_are_refused_in_our_words(scene, do, what):
    with pytest.raises(ValueError, match=what):
        do(scene["alone"])


def test_scalars_can_be_changed(scene):
    before = scene.add_mesh("heat", CORNERS, FACES, scalars=[0, 1, 2, 3], colormap="magma", title="T")
    colors = before.mesh.colors
    other = scene.add_node("same mesh", mesh=before.mesh_id)
    scene.set_scalars(before, [3, 2, 1, 0])
    np.testing.assert_array_equal(before.mesh.colors, colors[::-1])
    np.testing.assert_array_equal(other.mesh.colors, colors[::-1])
    (scale,) = scene.color_scales.values()
    assert (scale.title, scale.minimum, scale.maximum) == ("T", 0.0, 3.0)
    scene.set_scalars(before, [3, 2, 1, 0], colormap="viridis", scalar_range=(0, 30), title="new")
    (scale,) = scene.color_scales.values()
    assert (scale.title, scale.maximum) == ("new", 30.0) and (before.mesh.colors != colors[::-1]).any()
    scene.set_scalars(scene["first"], [1, 2, 3, 4])
    assert scene["second"].mesh.colors is not None and len(scene.color_scales) == 2
    quads = scene.add_mesh("quads", CORNERS, [(0, 1, 2, 3), (3, 2, 1, 0)], scalars=[1, 2])
    old = quads.mesh.colors
    scene.set_scalars(quads, [2, 1])
    np.testing.assert_array_equal(quads.mesh.colors, old[::-1])
    with pytest.raises(ValueError, match=r"^scalars: \(4,\)"):
        scene.set_scalars(before, [1, 2, 3])


def test_scalars_can_be_taken_off_and_shown_again(scene):
    node = scene.add_mesh("heat", CORNERS, FACES, scalars=[0, 1, 2, 3], title="T")
    scene.set_scalars(node, None)
    assert node.mesh.colors is None and scene.color_scales == {} and node.color == (1.0, 1.0, 1.0, 1.0)
    scene.set_scalars(node, None)  # there are none
    scene.set_scalars(node, [3, 2, 1, 0])
    assert node.mesh.colors is not None and [scale.maximum for scale in scene.color_scales.values()] == [3.0]


def test_a_color_is_no_tint_of_scalars_or_other_colors(scene):
    heat = scene.add_mesh("heat", CORNERS, FACES, scalars=[0, 1, 2, 3])
    node = scene.add_node("node", mesh=heat)
    before = [each.material for each in scene.objects], len(scene.materials)
    for refused in (
        lambda: setattr(heat, "color", "red"),
        lambda: scene.set_colors(node, "red"),
        lambda: scene.set_colors(scene.nodes, "red"),
    ):
        with pytest.raises(
            ValueError, match=r"shows scalars, which a colour would tint: .*scene\.set_scalars\(node, None\)"
        ):
            refused()
    assert ([each.material for each in scene.objects], len(scene.materials)) == before
    scene.set_scalars(heat, None)
    scene.set_colors(scene.nodes, "red")
    assert node.color == heat.color == (1, 0, 0, 1)
    for what, values in (("scalars", [0, 1, 2, 3]), ("colors", np.eye(4))):
        with pytest.raises(ValueError, match="color: it is that of the whole mesh"):
            scene.add_mesh("both", CORNERS, FACES, color="red", **{what: values})
    painted = scene.add_mesh("painted", CORNERS, FACES, colors=np.eye(4))
    again = scene.add_mesh("again", painted.mesh, color="red")
    assert again.mesh.colors is None and again.color == (1, 0, 0, 1) and painted.mesh.colors is not None


def test_scalars_are_of_one_node(scene):
    for nodes in (scene.objects, scene.find("no such"), [0, 0]):
        for scalars in ([1, 2, 3, 4], None):
            with pytest.raises(ValueError, match="node must be a Node"):
                scene.set_scalars(nodes, scalars)
    assert not scene.color_scales


def test_what_lay_under_scalars_comes_back(scene):
    harbour = load(HARBOUR)
    tower = harbour["lighthouse_tower"]
    own = tower.material
    tower.color = "red"
    copy = harbour.add_node("copy", mesh=tower.mesh_id)
    harbour.set_scalars(tower, np.arange(len(tower.mesh.vertices)))
    later = harbour.add_node("later", mesh=tower.mesh_id)
    assert tower.material.base_color == copy.material.base_color == (1, 1, 1) and tower.mesh.colors is not None
    copy.material = Material("green", base_color="green")
    harbour.set_scalars(later, None)
    assert tower.color == (1, 0, 0, 1) and copy.color[:2] == (0, 128 / 255) and later.material == own
    assert tower.mesh.colors is None and harbour.color_scales == {}
    painted = scene.add_mesh("painted", CORNERS, FACES, colors=np.eye(4))
    before = painted.mesh.colors
    for _ in range(2):
        scene.set_scalars(painted, [1, 2, 3, 4])
        scene.set_scalars(painted, [4, 2, 3, 4])
        assert (painted.mesh.colors != before).any()
        scene.set_scalars(painted, None)
        np.testing.assert_array_equal(painted.mesh.colors, before)
    assert not scene.covered_by_scalars
    steel = Material("steel", metallic=1.0)
    heat = scene.add_mesh("heat", CORNERS, FACES, scalars=[0, 1, 2, 3], material=steel)
    scene.set_scalars(heat, None)
    assert heat.material == steel


def test_a_hundred_thousand_copies_take_one_call_and_go_again_in_one(scene):
    places = np.random.default_rng(0).uniform(0, 1000, (100_000, 3))
    copies = scene.add_instances("copy", scene["alone"], places, scales=2)
    assert isinstance(copies, Nodes) and len(copies) == 100_000
    assert copies[7].color == scene["alone"].color and copies[7].name == "copy"
    np.testing.assert_array_equal(scene.translations[copies], places)
    scene.delete(copies)
    assert len(scene) == 4
    scene.delete(scene["group"])
    assert [node.name for node in scene] == ["alone"]


def test_the_tree_is_printed(scene):
    scene["second"].hidden = True
    assert scene.tree().splitlines() == [
        "├─ group",
        "│  ├─ first (4 triangles)",
        "│  └─ second (4 triangles) hidden",
        "└─ alone (4 triangles)",
    ]
    assert scene.tree(2).splitlines()[-1] == "... and 2 more"
    assert str(scene) == f"{scene!r}\n{scene.tree()}" and "\n" not in repr(scene)
    assert str(Scene()) == "Scene(empty)"
    assert len(str(load(HARBOUR)).splitlines()) == 42


def test_dir_lists_what_is_public_and_all_of_it_is_there(scene):
    for thing in (scene, scene["first"], scene.nodes, scene.raycast((10.2, 0.2, 9), (0, 0, -1))):
        assert dir(thing) == sorted(set(dir(thing))) and not any(name.startswith("_") for name in dir(thing))
        for name in dir(thing):
            getattr(thing, name)
    assert {"become", "take", "checked_ids"} & set(dir(scene)) == set()


@pytest.mark.parametrize("name", ("position", "visible", "volume"))
def test_guesses_are_told_what_to_do(scene, name):
    node = scene["first"]
    with pytest.raises(AttributeError, match=f"^'Node' object has no attribute {name!r}: ."):
        getattr(node, name)
    with pytest.raises(AttributeError, match=f"^'Node' object has no attribute {name!r}: ."):
        setattr(node, name, 1)
    assert not hasattr(node, name)


def test_misspelt_arguments_get_a_suggestion(scene):
    with pytest.raises(
        TypeError, match=r"^Scene\.add_mesh\(\) got an unexpected .* 'cmap'; did you mean 'colormap'\?$"
    ):
        scene.add_mesh("x", CORNERS, cmap="viridis")
    with pytest.raises(TypeError, match="did you mean 'translation'"):
        scene.add_node("x", tranlation=(1, 2, 3))


def test_rays_may_be_limited_to_nodes(scene):
    scene.set_translations(scene["alone"], (10, 0, 3))
    ray = (10.2, 0.2, 9), (0, 0, -1)
    assert scene.raycast(*ray).node.name == "alone"
    assert scene.raycast(*ray, among=[scene["first"]]).node.name == "first"
    assert scene.raycast(*ray, among=scene.find("second")) is None


def test_a_handle_is_no_more_than_a_scene_and_an_id():
    assert set(Node.__slots__) == {"id", "scene"} and issubclass(Scene, NodeTable)


def test_arguments_that_are_guessed_are_told_what_to_write(scene):
    with pytest.raises(TypeError, match=r"^Scene\.set_scalars\(\) .* 'clim'; did you mean 'scalar_range'\?$"):
        scene.set_scalars(scene["first"], [1, 2, 3, 4], clim=(0, 9))
    with pytest.raises(TypeError, match=r"^Scene\.add_mesh\(\) .* 'hiden'; did you mean 'hidden'\?$"):
        scene.add_mesh("x", CORNERS, FACES, hiden=True)
    with pytest.raises(TypeError, match=r"^change_nodes\(\) .* 'names'; did you mean 'name'\?$"):
        change_nodes(scene, [0], names="x")
    with pytest.raises(TypeError, match=r"^change_scene\(\) .* 'bookmark'; did you mean 'bookmarks'\?$"):
        change_scene(scene, bookmark={})


@pytest.mark.parametrize("name", ["camera", "background", "selection", "octree"])
def test_a_scene_takes_no_attribute_that_people_guess(scene, name):
    with pytest.raises(AttributeError, match=f"no attribute '{name}': "):
        setattr(scene, name, 3)


def test_nodes_are_chosen_by_masks_and_lists(scene):
    nodes = scene.nodes
    chosen = nodes[np.array([False, True, False, True])]
    assert isinstance(chosen, Nodes) and chosen.ids.tolist() == nodes.ids[[1, 3]].tolist()
    assert nodes[[0, 2]].ids.tolist() == nodes.ids[[0, 2]].tolist() and nodes[1].id == nodes.ids[1]
    assert repr(scene["alone"].scale) == "array([1., 1., 1.])"


@pytest.mark.parametrize("given", [3, None, trimesh.creation.box()])
def test_what_is_no_path_is_not_loaded(given):
    with pytest.raises(TypeError, match=r"^paths must be a string, a path or a list of them, not"):
        load(given)


def test_a_history_does_edits_alone(scene):
    with pytest.raises(TypeError, match=r"octoscope\.editing"):
        History(scene).do(scene["alone"])


@pytest.mark.parametrize("name", ("bounds", "colors", "foo"))
def test_a_scene_takes_no_attribute_that_would_do_nothing(scene, name):
    with pytest.raises(AttributeError, match=f"^'Scene' object: {name!r} "):
        setattr(scene, name, 3)
    scene.up_axis = "z"  # what it has can be set
    assert scene.up_axis == "z" and callable(scene.bounds)


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("measurements", [1], "a list of Measurements"),
        ("measurements", 5, "a list of Measurements"),
        ("bookmarks", {"a": 3}, "a dict of Bookmarks"),
        ("bookmarks", [1], "a dict of Bookmarks"),
        ("color_scales", {1: 3}, "a dict of ColorScales"),
        ("sources", [1], "a list of Paths"),
    ],
)
def test_what_is_no_value_of_a_scene_is_refused_and_changes_nothing(scene, name, value, what):
    before = getattr(scene, name)
    with pytest.raises(TypeError, match=f"^{name} must be {what}, not "):
        setattr(scene, name, value)
    assert getattr(scene, name) == before


@pytest.mark.parametrize(
    "pixels", [np.zeros((4, 4, 3), dtype=np.uint8), np.zeros((4, 4, 4)), np.empty((0, 4, 4)), None]
)
def test_a_texture_is_of_rgba_pixels(pixels):
    with pytest.raises(ValueError, match=r"^pixels must be \(height, width, 4\) uint8, not "):
        Texture("wood.png", pixels)
    with pytest.raises(TypeError, match="convert"):
        Texture("wood.png")


def test_normals_are_split_at_an_angle_that_there_is(scene):
    for degrees in (-1.0, 500.0, math.nan):
        with pytest.raises(ValueError, match="degrees must be 0 to 180"):
            editing.smooth_by_angle(scene, scene["alone"], degrees=degrees)


def test_help_says_what_each_column_is(scene):
    text = pydoc.render_doc(Scene, renderer=pydoc.plaintext)
    columns = [name for name in dir(scene) if isinstance(getattr(Scene, name, None), Column)]
    assert {"names", "parents", "translations", "world_from_local", "mesh_ids"} <= set(columns)
    for name in columns:
        assert f" |  {name}\n |      (n," in text, name


@pytest.mark.parametrize(("owner", "guess"), ((Scene, "octree"), (Node, "position"), (Nodes, "bounds")))
def test_help_lists_no_guess(owner, guess):
    assert guess not in dir(owner)


def test_texture_coordinates_and_normals_of_a_mesh_go_in_with_it(scene):
    uvs = np.random.default_rng(1).uniform(size=(4, 2)).astype(np.float32)
    first = scene.add_mesh("textured", CORNERS, FACES, normals=CORNERS + 1, uvs=uvs)
    for number, given in enumerate((first.mesh, first.mesh.to_trimesh())):
        again = scene.add_mesh(f"again {number}", given).mesh
        np.testing.assert_array_equal(again.uvs, uvs)
    np.testing.assert_array_equal(scene.add_mesh("b", first.mesh).mesh.normals, first.mesh.normals)
    np.testing.assert_array_equal(scene.add_mesh("c", first.mesh, uvs=1 - uvs).mesh.uvs, 1 - uvs)
    of_faces = scene.add_mesh("d", CORNERS, FACES[:3], uvs=uvs, scalars=[1, 2, 3]).mesh
    np.testing.assert_array_equal(of_faces.uvs, uvs[FACES[:3].ravel()])
    with pytest.raises(ValueError, match=r"^uvs: \(4, 2\) numbers are needed, not \(3, 2\)$"):
        scene.add_mesh("few", CORNERS, FACES, uvs=uvs[:3])


def test_boxes_and_balls_find_nodes_as_their_spheres_say(scene):
    scene.add_instances("more", scene["first"], np.random.default_rng(2).uniform(-20, 20, (500, 3)))
    scene.set_hidden(scene.nodes[4::7], True)
    shown = np.flatnonzero((scene.mesh_ids >= 0) & ~scene.hidden)
    center, radius = scene.world_spheres[shown, :3], scene.world_spheres[shown, 3]
    lower, upper = np.array([-5, -6, -20.0]), np.array([9, 3, 1.0])
    gap = np.linalg.norm(center - np.clip(center, lower, upper), axis=1) - radius
    assert set(shown[gap < -1e-4]) <= set(scene.query_box(lower, upper).ids) <= set(shown[gap < 1e-4])
    gap = np.linalg.norm(center - (1, 2, 3), axis=1) - radius - 8
    assert set(shown[gap < -1e-4]) <= set(scene.query_sphere((1, 2, 3), 8).ids) <= set(shown[gap < 1e-4])
    assert 0 < (gap < 0).sum() < len(shown)
    assert len(scene.query_box(*scene.bounds())) == len(shown)


def test_rows_for_nodes_are_told_by_their_shape(scene):
    with pytest.raises(ValueError, match=r"or a row for each of 10 nodes, not numbers of shape \(10,\)$"):
        scene.add_instances("x", scene["first"], np.zeros((10, 3)), scales=np.ones(10))
    assert len(scene.add_instances("x", scene["first"], np.zeros((10, 3)), scales=np.ones((10, 1)))) == 10


def test_what_is_no_path_is_told():
    for given in ("", b"a.obj", [HARBOUR, ""], [3]):
        with pytest.raises(ValueError, match=r"^paths"):
            load(given)


def test_a_file_that_cannot_be_opened_beside_others_is_a_warning(tmp_path):
    with pytest.warns(UserWarning, match=r"nope\.obj: no such file; check the path$") as warned:
        scene = load([HARBOUR, tmp_path / "nope.obj"])
    assert [each.filename for each in warned] == [__file__]
    assert repr(scene).endswith("; 1 in scene.report)") and "nope.obj: no such file" in str(scene.report)
    assert "report" not in repr(load(HARBOUR))


def test_misspelt_primitives_and_cameras_in_place_of_frustums_are_told_what_to_write(scene):
    with pytest.raises(ValueError, match=r"no primitive 'cubee'; there are .*cube"):
        editing.add_primitive(scene, "cubee")
    tree = Octree((0, 0, 0), 10.0)
    with pytest.raises(TypeError, match=r"Frustum\.from_camera"):
        tree.cull(object())
    with pytest.raises(ValueError, match=r"of one sphere \[id\]"):
        tree.insert(5, (0, 0, 0), 1.0)


@pytest.mark.parametrize("seed", range(4))
def test_boxes_of_turned_nodes_are_those_of_their_vertices(seed):
    rng = np.random.default_rng(seed)
    scene = Scene()
    shapes = [trimesh.creation.icosphere(1), trimesh.creation.box(), trimesh.creation.cone(1, 2)]
    parents = [scene.add_node(f"group {n}", rotation=rng.normal(size=4), scale=rng.uniform(-3, 3, 3)) for n in range(3)]
    for number in range(60):
        turn = (
            (0, 0, 0, 1) if number % 3 == 0 else (0, 0.5**0.5, 0, 0.5**0.5) if number % 3 == 1 else rng.normal(size=4)
        )
        scene.add_mesh(
            f"{number}",
            shapes[number % 3],
            translation=rng.uniform(-9, 9, 3),
            rotation=turn,
            scale=rng.uniform(-2, 2, 3),
            parent=rng.choice([None, *parents]),
        )
    scene.add_mesh("too far", shapes[0], parent=scene.add_node("far", scale=(1e300,) * 3), scale=(1e300,) * 3)
    objects = [node for node in scene.objects if node.name != "too far"]
    boxes = {node: trimesh.transform_points(node.mesh.vertices, node.world_from_local) for node in objects}
    for node, points in boxes.items():
        np.testing.assert_allclose(node.bounds, (points.min(axis=0), points.max(axis=0)), atol=1e-12)
    for chosen in (objects, parents, objects[::7], scene.nodes):
        ids = {below.id for node in chosen for below in [node, *node.descendants]}
        points = np.concatenate([points for node, points in boxes.items() if node.id in ids])
        np.testing.assert_allclose(scene.bounds(chosen), (points.min(axis=0), points.max(axis=0)), atol=1e-12)
    figures = measure(scene)
    np.testing.assert_allclose(scene.bounds(), (figures.lower, figures.upper), atol=1e-12)
    assert scene["too far"].bounds is None


def test_a_turned_ball_is_no_larger():
    ball = Scene().add_mesh("ball", trimesh.creation.icosphere(3))
    ball.rotate(45, "z")
    np.testing.assert_allclose(ball.bounds, [(-1, -1, -1), (1, 1, 1)], atol=0.02)


RAY = ((0, 50, 0), (0, -1, 0))


@pytest.mark.parametrize(
    ("do", "what"),
    [
        (
            lambda scene: scene.raycast(*RAY, max_distance=5),
            r"^Scene\.raycast\(\) .* 'max_distance'; it is called t_max$",
        ),
        (lambda scene: scene.raycast_many(*RAY, all=True), r"^Scene\.raycast_many\(\) .* scene\.raycast_all\("),
        (lambda scene: Mesh(CORNERS, FACES), r"^Mesh\.__init__\(\) .*; .* scene\.add_mesh\("),
        (lambda scene: MeshData(CORNERS, FACES), r"^MeshData\.__init__\(\) .*; scene\.add_mesh\("),
        (lambda scene: Mesh.of(trimesh.creation.box()), r"^scene\.add_mesh\(name, mesh\) takes"),
        (lambda scene: Scene("a.obj"), r"octoscope\.load\(path\)"),
        (lambda scene: Material("x", color="red"), "base_color='red'"),
        (lambda scene: scene.add_node("x", matrix=np.eye(4)), "set node.world_from_local"),
        (lambda scene: scene.add_mesh("x", CORNERS, transform=np.eye(4)), "set node.world_from_local"),
        (lambda scene: scene.add_instances("x", scene[1], CORNERS, transforms=1), r"scene\.set_world_from_local\("),
        (lambda scene: save(scene, "a.glb", nodes=[1]), r"octoscope\.save\(scene\.copy\(nodes\), path\)"),
        (lambda scene: save(scene[1], "a.glb"), r"scene must be a Scene, not Node.*; scene\.copy\(nodes\)"),
        (lambda scene: change_nodes(scene, [1], color="red"), r"scene\.set_colors"),
        (lambda scene: scene.find(5), "text must be a string, not 5"),
    ],
)
def test_arguments_of_other_libraries_are_told_ours(scene, do, what):
    with pytest.raises(TypeError, match=what):
        do(scene)


@pytest.mark.parametrize("name", sorted(public_names.EDITING_GUESSES))
def test_edits_of_other_names_are_told_ours(name):
    assert name not in dir(editing)
    with pytest.raises(AttributeError, match=f"has no attribute {name!r}: .") as raised:
        getattr(editing, name)
    for called in re.findall(r"(\w+)\(scene", str(raised.value)):
        assert callable(getattr(editing, called, None) or getattr(Scene, called, None)), called


def test_arguments_that_are_given_twice_are_refused_in_a_line(scene):
    with pytest.raises(TypeError, match="name must be a str"):
        scene.add_mesh(np.eye(3), [[0, 1, 2]], name="c")


def test_all_public_names_of_a_scene_can_be_asked_of_its_class():
    assert isinstance(Scene.bookmarks, type(Scene.up_axis))
    for name in set(dir(Scene())) & set(dir(Scene)):
        getattr(Scene, name)


def test_hits_of_many_rays_and_figures_are_told_by_other_names(scene):
    hits = scene.raycast_many([RAY[0]] * 2, RAY[1])  # one direction for all
    np.testing.assert_array_equal(hits.nodes, scene.raycast_many([RAY[0]] * 2, [RAY[1]] * 2).nodes)
    assert dir(hits) == ["barycentric", "nodes", "t", "triangles"]
    for thing, name in ((hits, "points"), (hits, "distances"), (measure(scene), "bounds"), (measure(scene), "size")):
        with pytest.raises(AttributeError, match=f"has no attribute {name!r}: ."):
            getattr(thing, name)
    figures = measure(scene)
    assert set(dir(figures)) == {each.name for each in fields(figures)} | {"is_watertight"}
