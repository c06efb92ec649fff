"""Refused arguments of scripts: ids, flags, names and nodes that make no sense, in every function that takes them."""

import inspect
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope import check_meshes
from octoscope.scene import History, Node, Nodes, Scene, Selection, change_nodes, editing, find_overlaps
from octoscope.scene.bake import baked
from octoscope.scene.editing import Transformation, cost_of_copies
from octoscope.scene.editing.edits import restore
from octoscope.scene.measuring import Measurer
from octoscope.scene.nodes.bounds import world_boxes, world_size
from octoscope.scene.nodes.hierarchy import owners, subtrees, with_all_below
from octoscope.scene.nodes.node_table import NodeTable
from octoscope.scene.selecting import child_ids, inverted_ids, material_ids_of, parent_ids, same_mesh_ids
from tests.scene.builders import box, quad

DELETED = 4
COUNT = 5  # of rows


def small_scene() -> Scene:
    """top (no mesh) > middle (box) > leaf (box); aside (quad); gone (box), which was deleted."""
    scene = Scene()
    box_id, quad_id = scene.meshes.add(box()), scene.meshes.add(quad())
    scene.add_nodes(
        ["top", "middle", "leaf", "aside", "gone"],
        parent=[-1, 0, 1, -1, -1],
        mesh=[-1, box_id, box_id, quad_id, box_id],
        translation=[(0, 0, 0), (1, 0, 0), (0, 5, 0), (9, 0, 0), (20, 0, 0)],
    )
    scene.set_alive([DELETED], False)
    return scene


OPERATIONS = {
    "align": lambda scene, ids: editing.align(scene, ids, x="min"),
    "apply_transform": editing.apply_transform,
    "array": lambda scene, ids: editing.array(scene, ids, 2, (1.0, 0.0, 0.0)),
    "array_along": lambda scene, ids: editing.array_along(scene, ids, np.eye(3), 2),
    "center_pivot": editing.center_pivot,
    "decimate": editing.decimate,
    "delete": editing.delete,
    "distribute": lambda scene, ids: editing.distribute(scene, ids, 0),
    "drop": editing.drop,
    "drop_to_ground": editing.drop_to_ground,
    "duplicate": editing.duplicate,
    "face_outward": editing.face_outward,
    "fill_holes": editing.fill_holes,
    "flip_faces": editing.flip_faces,
    "group": editing.group,
    "lay_out": editing.lay_out,
    "merge": editing.merge,
    "move_up": editing.move_up,
    "place_beside": lambda scene, ids: editing.place_beside(scene, ids, 0),
    "radial_array": lambda scene, ids: editing.radial_array(scene, ids, 3),
    "remove_bad_faces": editing.remove_bad_faces,
    "reorder": editing.reorder,
    "reparent": lambda scene, ids: editing.reparent(scene, ids, -1),
    "replace_mesh": lambda scene, ids: editing.replace_mesh(scene, ids, 0),
    "scatter": lambda scene, ids: editing.scatter(scene, ids, 0, 2),
    "separate": editing.separate,
    "set_origin": lambda scene, ids: editing.set_origin(scene, ids, (1.0, 2.0, 3.0)),
    "set_world": lambda scene, ids: editing.set_world(scene, ids, translation=(1.0, 2.0, 3.0)),
    "smooth_by_angle": editing.smooth_by_angle,
    "share_mesh": editing.share_mesh,
    "set_world_from_local": lambda scene, ids: scene.set_world_from_local(ids, np.eye(4)),
    "transform": lambda scene, ids: editing.transform(scene, ids, np.eye(4)),
    "ungroup": editing.ungroup,
    "weld": editing.weld,
    "world_transforms": editing.world_transforms,
    "Transformation": Transformation,
}
SETTERS = {
    "set_orders": lambda scene, ids: scene.set_orders(ids, 1),
    "set_instances": lambda scene, ids: scene.set_instances(ids, 1),
    "set_colors": lambda scene, ids: scene.set_colors(ids, (1.0, 0.0, 0.0)),
    "set_hidden": lambda scene, ids: scene.set_hidden(ids, True),
    "set_materials": lambda scene, ids: scene.set_materials(ids, 0),
    "set_meshes": lambda scene, ids: scene.set_meshes(ids, 1),
    "set_names": lambda scene, ids: scene.set_names(ids, "new"),
    "set_parents": lambda scene, ids: scene.set_parents(ids, -1),
    "set_rotations": lambda scene, ids: scene.set_rotations(ids, (1.0, 0.0, 0.0, 0.0)),
    "set_scales": lambda scene, ids: scene.set_scales(ids, (2.0, 2.0, 2.0)),
    "set_translations": lambda scene, ids: scene.set_translations(ids, (1.0, 2.0, 3.0)),
    "set_unselectable": lambda scene, ids: scene.set_unselectable(ids, True),
    "set_file_meshes": lambda scene, ids: scene.set_file_meshes(ids, -1),
    "set_file_roots": lambda scene, ids: scene.set_file_roots(ids, True),
}
# These take deleted nodes too, which have no mesh, no box and nothing below.
READERS = {
    "Nodes": Nodes,
    "baked": baked,
    "bounds": lambda scene, ids: scene.bounds(ids),
    "change_nodes": lambda scene, ids: change_nodes(scene, ids, hidden=True),
    "check_meshes": lambda scene, ids: check_meshes(scene, ids=ids),
    "child_ids": child_ids,
    "cost_of_copies": lambda scene, ids: cost_of_copies(scene, ids, 1),
    "find_overlaps": lambda scene, ids: find_overlaps(scene, ids=ids),
    "History.changes": lambda scene, ids: History(scene).changes(ids),
    "History.select": lambda scene, ids: History(scene).select(ids),
    "inverted_ids": inverted_ids,
    "material_ids_of": material_ids_of,
    "Measurer.measure": lambda scene, ids: Measurer(scene).measure(ids),
    "owners": owners,
    "parent_ids": parent_ids,
    "own_bounds": lambda scene, ids: scene.own_bounds(ids),
    "restore": lambda scene, ids: restore(scene, ids),
    "same_mesh_ids": same_mesh_ids,
    "Scene.delete": lambda scene, ids: scene.delete(ids),
    "set_alive": lambda scene, ids: scene.set_alive(ids, False),
    "subtrees": subtrees,
    "with_all_below": with_all_below,
    "world_boxes": world_boxes,
    "world_size": world_size,
}
OF_DELETED = {
    "reuse_nodes": lambda scene, ids: scene.reuse_nodes(
        ids,
        np.array(["new"]),
        parent=np.array([-1]),
        mesh=np.array([-1]),
        translation=np.zeros((1, 3)),
        rotation=np.array([(0.0, 0.0, 0.0, 1.0)]),
        scale=np.ones((1, 3)),
    ),
}
EVERYTHING = OPERATIONS | SETTERS | READERS | OF_DELETED


def state(scene: Scene) -> list:
    columns = scene.names, scene.parents, scene.mesh_ids, scene.hidden, scene.unselectable, scene.alive
    placed = scene.translations, scene.rotations, scene.scales, scene.material_overrides
    return [column.tolist() for column in (*columns, *placed)] + [len(scene)]


no_ids = st.one_of(
    st.lists(st.integers(COUNT, 2**70) | st.integers(-(2**70), -1), min_size=1, max_size=3),  # of nobody
    st.lists(st.floats(0.0, 4.0), min_size=1, max_size=3),
    st.lists(st.booleans(), min_size=1, max_size=5),
    st.sampled_from([np.array([True, False, False, True, False]), np.array([1.0, 2.0]), np.array([0.5])]),
    st.sampled_from([1.5, True, -1, "1", ["1"], [None], [[0, 1], [1, 2]], [[0], [1, 2]], [object()], [b"0"]]),
    st.lists(st.sampled_from(range(4)), max_size=3).map(lambda ids: [*ids, COUNT]),
    st.lists(st.sampled_from(range(4)), max_size=3).map(lambda ids: np.array([*ids, -1], dtype=np.int8)),
    st.just(np.array([2**64 - 1], dtype=np.uint64)),
)


def test_everything_of_editing_that_takes_ids_is_looked_at():
    takes_ids = {
        name
        for name in editing.__all__
        for signature in [inspect.signature(getattr(editing, name))]
        if list(signature.parameters)[:2] == ["scene", "ids"]
    }
    assert takes_ids - set(EVERYTHING) == {"replace_mesh_by_file"} - set(EVERYTHING)
    methods = vars(NodeTable) | vars(Scene)
    setters = {name for name, method in methods.items() if "ids" in getattr(method, "__annotations__", ())}
    public = {name for name in setters if not name.startswith("_")}
    assert public - set(EVERYTHING) == {
        "checked_ids",
        "set_meshes_of_deleted",
        "set_parents_of_deleted",
        "stating_meshes",
    }


@pytest.mark.parametrize("name", EVERYTHING)
@settings(max_examples=12)  # for each of more than fifty functions, which ask the same check
@given(ids=no_ids)
def test_what_is_no_nodes_id_is_refused_in_one_line_and_nothing_changes(name, ids):
    scene = small_scene()
    before = state(scene)
    with pytest.raises(IndexError, match=r"^node ids must be [^\n]{1,80}$"):
        EVERYTHING[name](scene, ids)
    assert state(scene) == before


@pytest.mark.parametrize("name", OPERATIONS | SETTERS)
def test_a_deleted_node_is_refused(name):
    scene = small_scene()
    before = state(scene)
    with pytest.raises(IndexError, match=r"^node 4, 'gone', was deleted$"):
        EVERYTHING[name](scene, [1, DELETED])
    assert state(scene) == before


@pytest.mark.parametrize("name", SETTERS)
@pytest.mark.parametrize(
    "ids", ([1, 2], (1, 2), np.array([1, 2], np.uint8), np.array([2, 1]), range(1, 3), [2, 1, 2, 2])
)
def test_setters_take_ids_of_any_form_and_twice(name, ids):
    scene, expected = small_scene(), small_scene()
    SETTERS[name](scene, ids)
    for node in (1, 2):
        SETTERS[name](expected, node)
    assert state(scene) == state(expected)


@pytest.mark.parametrize("name", EVERYTHING)
def test_nodes_are_taken_in_place_of_ids_but_not_those_of_another_scene(name):
    ids = [DELETED] if name in OF_DELETED else [1, 3]
    states = []
    for form in (lambda scene: ids, lambda scene: [Node(scene, each) for each in ids], lambda scene: Nodes(scene, ids)):
        scene = small_scene()
        try:
            EVERYTHING[name](scene, form(scene))
        except ValueError as error:  # of these nodes, whatever stands for them
            assert "another scene" not in str(error)
        states.append(state(scene))
        other = small_scene()
        for strange in (Nodes(other, ids), [Node(other, each) for each in ids], Node(other, ids[0])):
            before = state(scene)
            with pytest.raises(ValueError, match="of another scene"):
                EVERYTHING[name](scene, strange)
            assert state(scene) == before
    assert states == [states[0]] * 3


@given(ids=st.lists(st.sampled_from((0, 3, DELETED)), min_size=1, max_size=8))
def test_a_node_that_is_given_twice_has_the_box_it_has_alone(ids):
    scene = small_scene()
    boxes = world_boxes(scene, ids)
    for node, found in zip(ids, boxes, strict=True):
        np.testing.assert_array_equal(found, world_boxes(scene, [node])[0])


@given(ids=st.lists(st.integers(0, COUNT - 1), max_size=8), alive=st.booleans())
def test_nodes_that_are_deleted_twice_count_once(ids, alive):
    scene = small_scene()
    with suppress(ValueError):  # one would be left below a deleted one
        scene.set_alive(ids, alive)
    assert len(scene) == scene.alive.sum()
    np.testing.assert_array_equal(scene.mesh_ids >= 0, scene.alive & (np.arange(COUNT) != 0))


@pytest.mark.parametrize("ids", ([1.5], [True], [-1], [2**40], ["a"]))
def test_a_selection_of_no_ids_is_refused(ids):
    selection = Selection()
    with pytest.raises(ValueError, match="node ids must be"):
        selection.ids = ids
    assert len(selection.ids) == 0


@pytest.mark.parametrize("node_id", (-1, COUNT, 1.5, True, "1", None))
def test_a_handle_on_no_node_is_refused(node_id):
    with pytest.raises(IndexError, match="node ids must be"):
        Node(small_scene(), node_id)


@pytest.mark.parametrize("flag", ("no", np.nan, 1.0, None, 2, "", [1.0], object()))
@pytest.mark.parametrize("what", ("hidden", "unselectable"))
def test_a_flag_is_true_or_false(what, flag):
    scene = small_scene()
    before = state(scene)
    for refused in (
        lambda: setattr(Node(scene, 1), what, flag),
        lambda: change_nodes(scene, [1], **{what: flag}),
        lambda: scene.add_node("new", **{what: flag}),
        lambda: scene.set_alive([1], flag),
    ):
        with pytest.raises(ValueError, match="must be True or False"):
            refused()
    assert state(scene) == before
    for flag in (True, np.bool_(True), 1, [True]):
        getattr(scene, f"set_{what}")([1], flag)
        assert getattr(scene, what)[1]


@pytest.mark.parametrize("name", (None, 1, 1.5, np.nan, b"name", [None], np.array([1.5]), object()))
def test_a_name_is_a_string(name):
    scene = small_scene()
    before = state(scene)
    for refused in (
        lambda: setattr(Node(scene, 1), "name", name),
        lambda: change_nodes(scene, [1], name=name),
        lambda: scene.add_node(name),
    ):
        with pytest.raises(ValueError, match="name must be a string"):
            refused()
    assert state(scene) == before


@pytest.mark.parametrize("number", (0.5, True, -2, 1000, "0", np.nan))
@pytest.mark.parametrize("what", ("parent", "mesh", "material"))
def test_parents_meshes_and_materials_go_by_ids_alike(what, number):
    scene = small_scene()
    before = state(scene)
    setter = {"parent": scene.set_parents, "mesh": scene.set_meshes, "material": scene.set_materials}[what]
    for refused in (
        lambda: setter([3], number),
        lambda: scene.add_node("new", **{what: number}),
        lambda: History(scene).do(change_nodes(scene, [3], **{what: number})),
    ):
        with pytest.raises(ValueError, match="ids must be"):
            refused()
    if what == "parent":
        with pytest.raises((IndexError, ValueError), match="parent ids must be"):
            editing.reparent(scene, [3], number)
    assert state(scene) == before


def test_a_node_of_another_scene_is_no_parent():
    scene, other = small_scene(), small_scene()
    node = Node(scene, 3)
    with pytest.raises(ValueError, match="is a node of another scene"):
        node.parent = Node(other, 0)
    assert node.parent is None
    node.parent = Node(scene, 0)
    assert node.parent == Node(scene, 0)


def test_an_edit_that_selects_nobody_is_refused_before_it_is_done():
    scene = small_scene()
    before = state(scene)
    edit = change_nodes(scene, [1], hidden=True)
    for selects in ([-1], [COUNT]):
        wrong = type(edit)(edit.label, edit.changes, selects=np.array(selects))
        with pytest.raises(IndexError, match="node ids must be"):
            History(scene).do(wrong)
        assert state(scene) == before
