"""Attributes that would break a scene when they are set; guesses at names of objects that functions return."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import octoscope
from octoscope import Camera, Canvas, Frustum, Octree, Scene

CORNERS, FACES = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [(0, 1, 2)]


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.add_mesh("a", CORNERS, FACES)
    return scene


@pytest.mark.parametrize(
    "name", ["bookmarks", "color_scales", "materials", "measurements", "meshes", "report", "sources", "up_axis"]
)
@pytest.mark.parametrize("value", [3, "x", None, object()])
def test_what_a_scene_keeps_whole_takes_no_other_things(scene, name, value):
    before = getattr(scene, name)
    if value == "x" and name not in ("meshes", "report", "up_axis"):
        return  # its letters are a list
    with pytest.raises((TypeError, ValueError), match=name.replace("_", "[ _]")):
        setattr(scene, name, value)
    assert getattr(scene, name) is before


def test_a_scene_keeps_its_default_material(scene):
    with pytest.raises(ValueError, match="materials must be materials"):
        scene.materials = ()
    assert scene.add_material(octoscope.Material("x")) == 1


def test_a_frozen_object_says_how_another_is_made():
    camera = Camera((0, 0, 0))
    with pytest.raises(FrozenInstanceError, match=r"dataclasses\.replace\(camera, yaw_rad=\.\.\.\)"):
        camera.yaw_rad = 1.0
    with pytest.raises(AttributeError, match="'yaw' is none of its attributes"):
        camera.yaw = 1.0
    with pytest.raises(FrozenInstanceError, match="strength"):
        octoscope.Lighting().strength = 2.0


def test_a_misspelt_attribute_gets_a_suggestion(scene):
    for misspelt, meant in (("trnslation", "translation"), ("hiden", "hidden")):
        with pytest.raises(AttributeError, match=f"did you mean '{meant}'"):
            setattr(scene["a"], misspelt, True)
    with pytest.raises(AttributeError, match="did you mean 'up_axis'"):
        scene.upaxis = "z"
    with pytest.raises(AttributeError, match="did you mean 'camera'"):
        Canvas(scene, (8, 8)).camra = Camera((0, 0, 0))
    with pytest.raises(AttributeError, match="did you mean 'looseness'"):
        Octree((0, 0, 0), 1.0).loosenes = 2.0


@pytest.mark.parametrize(
    ("made", "guess", "told"),
    [
        (lambda scene: octoscope.find_overlaps(scene), "collisions", "crossing"),
        (lambda scene: octoscope.check_meshes(scene), "where", "points"),
        (lambda scene: octoscope.measure(scene, [0]), "surface_area", "area"),
        (lambda scene: octoscope.Bookmark((0, 0, 0)), "target", "distance"),
        (lambda scene: octoscope.Lighting(), "intensity", "strength"),
        (lambda scene: Camera((0, 0, 0)), "rotate", "dataclasses.replace"),
        (lambda scene: Frustum.from_camera(Camera((0, 0, 0)), 1.0), "intersects", "scene.cull"),
        (lambda scene: Octree((0, 0, 0), 1.0), "nearest", "query_sphere"),
        (lambda scene: Octree((0, 0, 0), 1.0), "update", "tree.move"),
        (lambda scene: octoscope.LinearOctree.build(np.zeros((1, 3)), [1.0]), "insert", "Octree"),
    ],
)
def test_guesses_are_told_what_to_do(scene, made: Callable[[Scene], Any], guess: str, told: str):
    owner = made(scene)
    assert guess not in dir(owner) and all(hasattr(owner, name) for name in dir(owner))
    with pytest.raises(AttributeError, match=told):
        getattr(owner, guess)


@pytest.mark.parametrize(
    ("do", "told"),
    [
        (lambda scene: Canvas(scene, (8, 8), background=(128, 0, 0)), "background: .* are 0 to 1; or uint8"),
        (lambda scene: Canvas(scene, (8, 8), background=(float("nan"), 0, 0)), "background: "),
        (lambda scene: scene.add_mesh("x", CORNERS, FACES, colormap="jett"), "colormap, .* are for scalars"),
        (lambda scene: scene.add_mesh("x", CORNERS, FACES, title="x"), "title are for scalars"),
        (lambda scene: scene.add_mesh("x", CORNERS, FACES, vector_scale=2.0), "vector_scale is for vectors"),
        (lambda scene: scene.raycast(np.zeros((2, 3)), np.ones((2, 3))), "raycast_many"),
        (lambda scene: scene.set_hidden(0, [True, False]), r"hidden must be of shape \(\) or \(1,\)"),
        (lambda scene: Octree((0, 0, 0), 1.0).insert([1], [(1e30, 0, 0)], [1]), "farther .* than 1e"),
        (lambda scene: Camera((0, 0, 0), near=5, far=1), "near must be less than far, not 5 and 1"),
        (lambda scene: Camera((0, 0, 0), near=float("nan"), far=1), "near must be less than far"),
        (lambda scene: Camera((0, 0, 0), distance=Fraction(5, 2)), "distance must be a number, not Fraction"),
        (lambda scene: scene[0].rotate(Decimal(5), "y"), "degrees must be a number, not Decimal"),
        (lambda scene: octoscope.editing.distribute(scene, [0], 1.0), "axis must be 0, 1 or 2, not 1.0"),
        (lambda scene: octoscope.editing.distribute(scene, [0], 3), "axis must be 0, 1 or 2, not 3"),
    ],
)
def test_what_would_have_no_effect_or_a_strange_one_is_refused(scene, do, told):
    with pytest.raises(ValueError, match=told):
        do(scene)
    assert len(scene) == 1


@pytest.mark.parametrize(
    ("write", "name"),
    [(octoscope.write_glb, "x.obj"), (octoscope.write_obj, "x.stl"), (octoscope.write_stl, "x.GLB")],
)
def test_a_writer_writes_no_file_with_the_ending_of_another_format(scene, write, name, tmp_path):
    with pytest.raises(octoscope.WriteError, match=r"octoscope\.save"):
        write(scene, tmp_path / name)
    assert not any(tmp_path.iterdir())
    write(scene, tmp_path / "x.any")


def test_a_background_is_any_colour_that_a_node_takes(scene):
    pictures = [
        np.asarray(octoscope.render(scene, (8, 8), background=color, grid=False)).tolist()
        for color in ("red", (1, 0, 0), np.array([255, 0, 0], dtype=np.uint8), np.array([1.0, 0.0, 0.0]))
    ]
    assert pictures[0] == pictures[1] == pictures[2] == pictures[3]


ASKED = {
    "bounds": lambda scene, node: scene.bounds(node),
    "node.bounds": lambda scene, node: node.bounds,
    "measure": octoscope.measure,
    "check_meshes": octoscope.check_meshes,
    "find_overlaps": octoscope.find_overlaps,
    "raycast": lambda scene, node: scene.raycast((0, 0, 5), (0, 0, -1), among=[node]),
    "raycast_many": lambda scene, node: scene.raycast_many([(0, 0, 5)], (0, 0, -1), among=node.id),
    "mask": lambda scene, node: octoscope.render_buffers(scene, (8, 8)).mask(node),
    "copy": lambda scene, node: scene.copy(node),
    "delete": lambda scene, node: scene.delete(node),
}


@pytest.mark.parametrize("name", ASKED)
def test_a_deleted_node_is_named_in_place_of_an_empty_answer(scene, name):
    node = scene.add_mesh("tower", CORNERS, FACES)
    ASKED["mask" if name == "delete" else name](scene, node)
    scene.delete(node)
    with pytest.raises(IndexError, match=r"^node 1, 'tower', was deleted$"):
        ASKED[name](scene, node)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Plotter", r"no attribute 'Plotter': octoscope\.show"),
        ("Sceen", "no attribute 'Sceen'; did you mean 'Scene'?"),
        ("nothing_at_all", "no attribute 'nothing_at_all'$"),
    ],
)
def test_an_import_of_a_guess_is_told_what_to_do(name, said):
    with pytest.raises(ImportError, match=said):
        exec(f"from octoscope import {name}")
    assert not hasattr(octoscope, name)
    exec("from octoscope import octree, scene, viewer, editing, Scene")


def test_a_picture_takes_its_size_as_an_array_too(scene):
    assert octoscope.render(scene, np.array([16, 8])).size == (16, 8)


def test_nodes_are_equal_by_what_they_are(scene):
    assert scene.find("a") == scene.find("A") != scene.find("nothing") and len({scene.nodes, scene.objects}) == 1
    assert scene.nodes != scene.copy().nodes


def test_classes_derived_from_ours_keep_what_they_like(scene):
    class Model(Scene):
        def __init__(self) -> None:
            super().__init__()
            self.revision = 1

    class Screen(Canvas):
        def __init__(self, shown: Scene) -> None:
            super().__init__(shown, (8, 8))
            self.pictures_taken = 0

    model = Model()
    model.revision = 2
    model.add_mesh("a", CORNERS, FACES)
    with pytest.raises(TypeError, match="report must be"):
        model.report = "x"
    with Screen(model) as screen:
        screen.pictures_taken += 1

    @dataclass(frozen=True)
    class NumberedCamera(Camera):
        number: int = 0

    camera = NumberedCamera((0, 0, 0), number=3)
    assert camera.shows_as(Camera((0, 0, 0), near=1.0)) and not camera.shows_as(Camera((0, 0, 1)))
    assert octoscope.render(model, (8, 8), camera=camera).size == (8, 8)
    with pytest.raises(AttributeError, match="'revision' is none of its attributes"):
        scene.revision = 1


@pytest.mark.parametrize(
    "several", [lambda a, b: {a, b}, lambda a, b: {1: a, 2: b}.values(), lambda a, b: (each for each in (a, b))]
)
def test_nodes_without_an_order_are_told_to_be_made_a_list(scene, several):
    second = scene.add_node("b")
    for given in (several(scene["a"], second), several(0, 1)):
        with pytest.raises(IndexError, match=r"^node ids must be an array or a list, as list\(\.\.\.\) makes it"):
            scene.delete(given)
    scene.delete(list(several(scene["a"], second)))
    assert len(scene) == 0


def test_nodes_of_another_scene_are_refused_among_ids_too(scene):
    other = scene.copy()
    scene.add_node("b")
    for given in ([other["a"], 1], [1, other["a"]], (1, scene["a"], other["a"])):
        with pytest.raises(ValueError, match="node of another scene"):
            scene.delete(given)
    scene.delete([1, scene["a"]])
    assert len(scene) == 0


def test_a_pair_is_not_used_up_when_it_is_looked_at(scene):
    for size in (iter((8, 8)), (each for each in (8, 8))):
        with pytest.raises(TypeError, match=r"size must be two whole numbers"):
            Canvas(scene, size)
        assert list(size) == [8, 8]


def test_a_whole_number_may_be_a_float(scene):
    scene.add_node("b")
    assert scene.tree(np.float64(1.0)) == scene.tree(1) != scene.tree()
