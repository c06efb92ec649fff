"""A node stands for itself and everything below it: a group, and the objects below it, are one to every function."""

import inspect

import numpy as np
import pytest

import octoscope
from octoscope import Material, Scene, check_meshes, editing, find_overlaps, measure
from octoscope.scene.editing.edits import apply

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
DOWN = (0.2, 0.2, 9.0), (0.0, 0.0, -1.0)


def grouped() -> Scene:
    """group > (inner > (first, second)), third, which reach into each other; alone, over them."""
    scene = Scene()
    group = scene.add_node("group")
    inner = scene.add_node("inner", parent=group)
    scene.add_mesh("first", CORNERS, FACES, parent=inner)
    scene.add_mesh("second", CORNERS, FACES, parent=inner, translation=(0.1, 0.1, 0.1))
    scene.add_mesh("third", CORNERS, FACES, parent=group, translation=(0.2, 0.1, 0.1))
    scene.add_mesh("alone", CORNERS, FACES, translation=(0.05, 0.05, 0.3))
    return scene


def _hit(hit) -> tuple:
    return () if hit is None else (hit.node.id, hit.t)


def _arrays(given) -> list:
    return [np.asarray(each).tolist() for each in given]


# What to do with a scene and nodes, and what that gives, by the public name that it is about.
ASKED = {
    "find_overlaps": lambda scene, nodes: _arrays(find_overlaps(scene, nodes)[:2]),
    "check_meshes": lambda scene, nodes: check_meshes(scene, nodes).of("no normals").tolist(),
    "copy": lambda scene, nodes: scene.copy(nodes).element_count("triangle"),
    "measure": lambda scene, nodes: measure(scene, nodes).area,
    "bounds": lambda scene, nodes: _arrays(scene.bounds(nodes)),
    "raycast": lambda scene, nodes: _hit(scene.raycast(*DOWN, among=nodes)),
    "raycast_all": lambda scene, nodes: [_hit(hit) for hit in scene.raycast_all(*DOWN, among=nodes)],
    "raycast_many": lambda scene, nodes: scene.raycast_many([DOWN[0]], [DOWN[1]], among=nodes).nodes.tolist(),
    "drop": lambda scene, nodes: _dropped(scene, nodes),
}


def _dropped(scene: Scene, nodes) -> list:
    scene.set_translations(scene["alone"], (0.05, 0.05, 5.0))
    scene.up_axis = "z"
    apply(scene, editing.drop(scene, scene["alone"], among=nodes))
    return scene["alone"].translation.tolist()


SET = {
    "set_colors": lambda scene, nodes: scene.set_colors(nodes, "red"),
    "delete": lambda scene, nodes: scene.delete(nodes),
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("group", ["group", "inner"])
def test_a_group_is_asked_about_as_the_objects_below_it(name, group):
    scene, others = grouped(), grouped()
    objects = [node.id for node in others[group].descendants if node.mesh_id >= 0]
    assert len(objects) > 1
    for given in (scene[group], [scene[group]], scene[[scene[group].id]]):
        found = ASKED[name](scene, given)
        assert found == ASKED[name](others, objects) != ASKED[name](grouped(), [5])


@pytest.mark.parametrize("name", SET)
@pytest.mark.parametrize("group", ["group", "inner"])
def test_a_group_is_changed_as_the_objects_below_it(name, group):
    scene, others = grouped(), grouped()
    SET[name](scene, scene[group])
    SET[name](others, [node.id for node in others[group].descendants if node.mesh_id >= 0])
    for node in others.objects:
        assert scene[node.id].color == node.color if scene.alive[node.id] else not node.alive
    assert scene["alone"].color != (1.0, 0.0, 0.0, 1.0)


def test_colours_of_nested_nodes_go_to_the_nearest():
    scene = grouped()
    scene.set_colors([scene["inner"], scene["group"], scene["second"]], [(1, 0, 0), (0, 1, 0), (0, 0, 1)])
    assert [node.color[:3] for node in scene.objects[:3]] == [(1, 0, 0), (0, 0, 1), (0, 1, 0)]


@pytest.mark.parametrize(
    "do",
    [
        lambda scene, group: scene.add_instances("x", group, CORNERS),
        lambda scene, group: scene.set_scalars(group, [1, 2, 3, 4]),
        lambda scene, group: scene.set_vertices(group, CORNERS),
        lambda scene, group: setattr(group, "color", "red"),
        lambda scene, group: setattr(group, "material", Material("m")),
    ],
)
def test_what_needs_a_mesh_names_the_objects_below(do):
    scene = grouped()
    with pytest.raises(ValueError, match=r"shows no mesh; below it are 'first', 'second', 'third'"):
        do(scene, scene["group"])
    with pytest.raises(ValueError, match=r"shows no mesh$|shows no mesh[:;] s"):
        do(scene, scene.add_node("empty"))


def test_every_public_function_of_a_scene_that_takes_nodes_is_known_here():
    columns = {"set_hidden", "set_materials", "set_meshes", "set_names", "set_parents", "set_rotations", "set_scales"}
    columns |= {"set_translations", "set_unselectable", "set_world_from_local"}  # values of the very nodes
    of_one = {"add_instances", "set_scalars", "set_vertices"}  # above
    of_one |= {"grouped_properties", "properties", "properties_at"}  # what is said of the very node
    taking = set()
    for holder, names in ((Scene, dir(Scene())), (octoscope, octoscope.__all__)):
        for name in names:
            function = getattr(holder, name, None)
            arguments = set(inspect.signature(function).parameters) if inspect.isfunction(function) else set()
            if {"ids", "among", "node", "nodes"} & arguments:
                taking.add(name)
    assert taking - columns - of_one == {*ASKED, *SET} - {"drop"}
