"""Scene, Node and Meshes: what they take, what they turn away, and that they are then as they were."""

import re
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, MeshBatch, MeshData, Node, Scene, Texture, read_obj
from octoscope.scene.measuring import Measurer
from tests.scene.builders import BOX_CORNERS, QUAD_CORNERS, ball, box, mesh_of, quad, random_scene

pytestmark = pytest.mark.usefixtures("strict_floats")


@pytest.fixture
def scene() -> Scene:
    """top (no mesh) > middle (box) > leaf (box); aside (quad)."""
    scene = Scene()
    box_id, quad_id = scene.meshes.add(box()), scene.meshes.add(quad())
    top = scene.add_node("top")
    middle = scene.add_node("middle", parent=top.id, mesh=box_id)
    scene.add_node("leaf", parent=middle.id, mesh=box_id, translation=(3.0, 0.0, 0.0))
    scene.add_node("aside", mesh=quad_id)
    return scene


def test_at_a_prompt_data_are_told_by_their_numbers(scene):
    assert (repr(Scene()), repr(MeshBatch.of([], []))) == ("Scene(empty)", "MeshBatch(empty)")
    assert repr(scene) == "Scene(4 nodes, 2 meshes, 14 triangles)"
    assert "_" not in repr(scene.report).replace("vertex_count", "")
    assert repr(scene.meshes) == "Meshes(2 meshes, 14 triangles)"
    scene.set_alive(scene["aside"].id, False)
    scene.add_mesh("cloud", np.random.default_rng(1).normal(size=(1234, 3)))
    assert repr(scene) == "Scene(4 nodes, 2 meshes, 12 triangles, 1,234 points)", "of what is shown"
    assert len(scene.meshes) == 3, "a deleted node's mesh is kept for undo"
    assert repr(box()) == "MeshData(8 vertices, 12 triangles)"
    one = quad()
    batch = MeshBatch.of([one], ["one"])
    assert repr(batch) == f"MeshBatch(1 mesh, {len(one.positions)} vertices, 2 triangles)"
    texture = Texture(Path("folder/bricks.png"), np.zeros((2, 3, 4), np.uint8))
    assert repr(texture) == "Texture('bricks.png', 3 x 2)"
    assert repr(Material("plain")) == "Material('plain')"
    wall = Material("wall", opacity=0.5, base_color_texture=texture)
    assert repr(wall) == "Material('wall', opacity=0.5, base_color_texture=Texture('bricks.png', 3 x 2))"
    content = read_obj("assets/harbour.obj")
    assert re.fullmatch(r"FileContent\('harbour.obj': \d+ nodes, .* materials\)", repr(content))


def columns(scene: Scene) -> list[np.ndarray]:
    tree = scene.names, scene.parents, scene.mesh_ids, scene.material_overrides
    transforms = scene.translations, scene.rotations, scene.scales, scene.world_from_local, scene.world_spheres
    return [column.copy() for column in (*tree, *transforms)]


def assert_refused(scene: Scene, method: str, *arguments, error=ValueError, match: str | None = None, **options):
    """The call raises, and the scene is as it was: there is nothing to update either."""
    before, revisions = columns(scene), (scene.tree_revision, scene.world_revision)
    with pytest.raises(error, match=match):
        getattr(scene, method)(*arguments, **options)
    for old, new in zip(before, columns(scene), strict=True):
        np.testing.assert_array_equal(old, new)
    assert (scene.tree_revision, scene.world_revision) == revisions


@pytest.mark.parametrize("value", (np.nan, np.inf, -np.inf))
@pytest.mark.parametrize("what", ("translations", "rotations", "scales"))
def test_setters_refuse_what_is_not_finite(scene, what, value):
    good = np.ones((3, 4 if what == "rotations" else 3))
    good[1, 0] = value
    assert_refused(scene, f"set_{what}", [0, 1, 2], good, match="finite")


def test_a_rotation_of_length_zero_is_refused(scene):
    assert_refused(scene, "set_rotations", [0, 1], [(0, 0, 0, 1), (0, 0, 0, 0)], match="length zero")


@pytest.mark.parametrize("length", (1e-300, 1e-200, 1e-5, 3.0, 1e200, 1e300))
def test_a_rotation_of_any_length_is_normalised(scene, length):
    with np.errstate(all="ignore"):
        scene.set_rotations(1, np.array((0.0, 0.6, 0.0, 0.8)) * length)
    np.testing.assert_allclose(scene.rotations[1], (0.0, 0.6, 0.0, 0.8))


@pytest.mark.parametrize("missing", (99, -1))
@pytest.mark.parametrize("what", ("translations", "rotations", "scales"))
def test_setters_refuse_ids_that_are_not_there(scene, what, missing):
    value = np.ones(4 if what == "rotations" else 3)
    assert_refused(scene, f"set_{what}", [1, missing], value, error=IndexError)


def test_a_node_that_is_not_there_cannot_be_reparented_or_renamed(scene):
    assert_refused(scene, "set_parents", -1, len(scene) - 1, error=IndexError)
    assert_refused(scene, "set_names", -1, "other", error=IndexError)


def test_setters_take_one_value_for_all_or_one_for_each(scene):
    scene.set_scales([0, 1], (2.0, 3.0, 4.0))
    np.testing.assert_array_equal(scene.scales[:2], [(2.0, 3.0, 4.0)] * 2)
    scene.set_scales([0, 1], [(1.0, 1.0, 1.0), (5.0, 5.0, 5.0)])
    np.testing.assert_array_equal(scene.scales[:2], [(1.0, 1.0, 1.0), (5.0, 5.0, 5.0)])
    assert_refused(scene, "set_scales", [0, 1], np.ones((3, 3)), match="shape")


@pytest.mark.parametrize(
    ("problem", "options"),
    [
        ("translation", {"translation": (np.nan, 0.0, 0.0)}),
        ("rotation", {"rotation": (0.0, 0.0, 0.0, 0.0)}),
        ("rotation", {"rotation": (np.inf, 0.0, 0.0, 0.0)}),
        ("scale", {"scale": (1.0, np.inf, 1.0)}),
        ("parent", {"parent": 4}),
        ("parent", {"parent": [0, -2]}),
        ("mesh", {"mesh": [0, 2]}),
        ("material", {"material": 1}),
    ],
)
def test_nodes_with_a_bad_property_are_refused_together(scene, problem, options):
    assert_refused(scene, "add_nodes", ["good", "bad"], match=problem, **options)


def test_values_that_do_not_match_the_number_of_nodes_are_refused(scene):
    assert_refused(scene, "add_nodes", ["a", "b"], translation=np.ones((3, 3)))


@pytest.mark.parametrize("parent", (0, 1, 2))
def test_a_node_cannot_hang_below_itself_or_its_descendants(scene, parent):
    assert_refused(scene, "set_parents", 0, parent, match="'top' cannot be its own ancestor")


@pytest.mark.parametrize("parent", (-2, 4, 1000))
def test_a_node_cannot_hang_below_a_node_that_is_not_there(scene, parent):
    assert_refused(scene, "set_parents", 2, parent, match="parent ids must be -1 to 3")


def test_many_nodes_are_hung_elsewhere_together_or_not_at_all(scene):
    scene.set_parents([0, 1, 2], [1, 2, -1])
    assert scene.parents.tolist() == [1, 2, -1, -1]
    assert_refused(scene, "set_parents", [3, 2], [0, 0], match="'leaf' cannot be its own ancestor")
    assert_refused(scene, "set_parents", [3, 2], [0, 4], match="parent ids must be -1 to 3")
    assert_refused(scene, "set_parents", [3, 4], [0, 0], error=IndexError)
    scene.set_parents([2, 3], -1)
    assert scene.parents.tolist() == [1, 2, -1, -1]


@pytest.mark.parametrize("material", (1, -2))
def test_a_material_that_is_not_there_is_refused(scene, material):
    assert_refused(scene, "set_materials", [0], [material], match="material ids must be -1 to 0")


def test_a_rotation_that_was_normalised_stays_as_it_is_to_the_bit(scene):
    rng = np.random.default_rng(0)
    scene.add_nodes([""] * 2000, rotation=rng.normal(size=(2000, 4)) * 10.0 ** rng.integers(-300, 300, (2000, 1)))
    before = scene.rotations.copy()
    scene.set_rotations(np.arange(len(scene)), before)
    np.testing.assert_array_equal(scene.rotations.view(np.uint8), before.view(np.uint8))


def test_a_reparented_node_keeps_its_local_transform_and_moves_with_its_new_parent(scene):
    revision = scene.world_revision
    scene.set_translations(3, (0.0, 10.0, 0.0))
    scene.set_parents(1, 3)
    assert set(scene.changed_since(revision).tolist()) == {1, 2, 3}
    np.testing.assert_array_equal(scene.translations[2], (3.0, 0.0, 0.0))
    np.testing.assert_array_equal(scene.world_from_local[2, :3, 3], (3.0, 10.0, 0.0))
    revision = scene.world_revision
    scene.set_parents(1, -1)
    assert set(scene.changed_since(revision).tolist()) == {1, 2}
    np.testing.assert_array_equal(scene.world_from_local[2, :3, 3], (3.0, 0.0, 0.0))


def test_every_node_has_changed_since_the_beginning_and_none_since_now():
    scene = random_scene(0)
    assert sorted(scene.changed_since(0)) == list(range(len(scene)))
    assert scene.changed_since(scene.world_revision).shape == (0,)


def test_columns_cannot_be_written_past_the_setters(scene):
    for name in ("parents", "translations", "rotations", "scales", "mesh_ids", "world_from_local", "world_spheres"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(scene, name)[0] = 0


def test_instances_share_one_mesh():
    scene = Scene()
    mesh = scene.meshes.add(ball())
    scene.add_nodes(["a", "b", "c"], mesh=mesh, translation=[(0, 0, 0), (5, 0, 0), (0, 7, 0)], scale=(2.0, 2.0, 2.0))
    assert len(scene.meshes) == 1
    assert len(scene.meshes.vertices) == len(ball().positions)
    assert scene.element_count("triangle") == 3 * len(ball().triangles)
    np.testing.assert_array_equal(scene.world_spheres[:, :3], [(0, 0, 0), (5, 0, 0), (0, 7, 0)])
    np.testing.assert_allclose(scene.world_spheres[:, 3], 2.0, rtol=1e-6)


# Node.


def test_a_node_is_found_by_its_name_and_shows_its_row(scene):
    leaf = scene["leaf"]
    assert (leaf.id, leaf.name, leaf.mesh_id) == (2, "leaf", 0)
    assert leaf.parent == scene["middle"] and scene["top"].parent is None
    assert list(scene["middle"].children) == [leaf] and not leaf.children
    np.testing.assert_array_equal(leaf.translation, (3.0, 0.0, 0.0))
    np.testing.assert_array_equal(leaf.rotation, (0.0, 0.0, 0.0, 1.0))
    np.testing.assert_array_equal(leaf.scale, (1.0, 1.0, 1.0))
    assert [node.name for node in scene] == ["top", "middle", "leaf", "aside"]
    assert scene.path_of(leaf.id) == "top/middle/leaf"
    with pytest.raises(KeyError, match="nobody"):
        scene["nobody"]


def test_a_scene_contains_the_names_and_the_nodes_that_it_has(scene):
    leaf = scene["leaf"]
    assert "leaf" in scene and "nobody" not in scene and "" not in scene and 0 not in scene
    assert leaf in scene and leaf not in Scene() and list(scene)[2] == leaf
    scene.set_alive(leaf.id, False)
    assert "leaf" not in scene and leaf not in scene


def test_of_nodes_with_one_name_the_first_is_found():
    scene = Scene()
    scene.add_nodes(["twin", "twin"])
    assert scene["twin"].id == 0


def test_handles_on_one_node_are_equal_and_may_stand_in_a_set(scene):
    assert Node(scene, 1) == scene["middle"] != scene["leaf"]
    assert len({Node(scene, 1), scene["middle"]}) == 1


def test_a_node_is_changed_through_its_handle(scene):
    leaf, revision = scene["leaf"], scene.world_revision
    leaf.translation = (1.0, 2.0, 3.0)
    leaf.rotation = (0.0, 0.0, 2.0, 0.0)
    leaf.scale = (1.0, 1.0, 5.0)
    leaf.name = "renamed"
    leaf.parent = None
    assert scene.changed_since(revision).tolist() == [2]
    expected = [(-1.0, 0, 0, 1), (0, -1, 0, 2), (0, 0, 5, 3), (0, 0, 0, 1)]
    np.testing.assert_allclose(leaf.world_from_local, expected, atol=1e-15)
    assert scene["renamed"] == leaf and leaf.parent is None
    leaf.parent = scene["aside"]
    assert leaf.parent == scene["aside"]


def test_what_a_handle_gives_stays_as_it_is_and_cannot_be_written(scene):
    node = scene["middle"]
    begin = node.translation
    node.translation = begin + 1.0
    node.translation = begin + 1.0
    assert (node.translation == begin + 1.0).all()
    for values in (node.translation, node.rotation, node.scale, node.world_from_local):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 5.0


def test_a_scene_says_whether_something_was_set_and_counts_its_updates(scene):
    scene.index.update()
    revision = scene.world_revision
    assert (scene.world_revision, scene.is_stale) == (revision, False)
    scene["middle"].translation = (1.0, 2.0, 3.0)
    assert scene.is_stale
    assert scene.world_revision > revision and scene.is_stale, "the octree has yet to hear of it"
    scene.index.update()
    assert not scene.is_stale
    scene["middle"].translation = (3.0, 2.0, 1.0)
    assert (scene.bounds() is None or True) and scene.is_stale, "the octree has yet to hear of it"
    assert len(scene.index) and not scene.is_stale


def test_names_may_be_long_empty_or_in_any_script():
    scene = Scene()
    names = ["", "a" * 1000, "Dach (süd)", "屋根", "🙂", "two  blanks ", "back\\slash"]
    scene.add_nodes(names)
    assert scene.names.tolist() == names
    scene.set_names(0, "ein längerer Name als vorher")
    assert scene.names.tolist() == ["ein längerer Name als vorher", *names[1:]]


# Meshes.


def test_meshes_stand_in_one_pool_each_with_its_own_ranges():
    meshes = Scene().meshes
    data = [box(), quad(), ball()]
    assert [meshes.add(mesh) for mesh in data] == [0, 1, 2]
    for number, mesh in enumerate(data):
        np.testing.assert_array_equal(meshes.mesh(number).positions, mesh.positions)
        np.testing.assert_array_equal(meshes.mesh(number).triangles, mesh.triangles)
    np.testing.assert_array_equal(meshes.rows["lower"][0], BOX_CORNERS.min(axis=0))
    np.testing.assert_array_equal(meshes.rows["upper"][1], QUAD_CORNERS.max(axis=0))


def test_a_mesh_counts_its_materials_from_the_first_it_is_given():
    meshes = Scene().meshes
    meshes.add(MeshData(QUAD_CORNERS, quad().triangles, None, np.array([0, 1, 1, 2])), first_material=5)
    np.testing.assert_array_equal(meshes.vertices["material"], [5, 6, 6, 7])


@pytest.mark.parametrize(
    ("problem", "positions", "triangles"),
    [
        ("at least one triangle", QUAD_CORNERS, np.empty((0, 3), dtype=int)),
        ("outside", QUAD_CORNERS, [(0, 1, 4)]),
        ("outside", QUAD_CORNERS, [(0, -1, 2)]),
        ("finite", QUAD_CORNERS * np.nan, [(0, 1, 2)]),
        ("finite", np.full((4, 3), np.inf), [(0, 1, 2)]),
        (r"\(v, 3\)", QUAD_CORNERS[:, :2], [(0, 1, 2)]),
        (r"\(t, 3\)", QUAD_CORNERS, [(0, 1, 2, 3)]),
    ],
)
def test_a_mesh_that_makes_no_sense_is_refused_and_leaves_nothing_behind(problem, positions, triangles):
    meshes = Scene().meshes
    meshes.add(quad())
    with pytest.raises(ValueError, match=problem):
        meshes.add(mesh_of(positions, triangles))
    assert (len(meshes), len(meshes.vertices), len(meshes.triangles)) == (1, 4, 2)


@pytest.mark.parametrize("ids", ([-1], [10**6], [-(10**8)], [2**40], [0, 2**31 - 1], [0.5], [True]))
def test_ids_that_are_no_nodes_are_refused_before_a_kernel_sees_them(ids):
    scene = Scene()
    scene.add_node("a")
    with pytest.raises(IndexError, match="node ids must be"):
        scene.bounds(ids)
    with pytest.raises(IndexError, match="node ids must be"):
        Measurer(scene).measure(ids)
