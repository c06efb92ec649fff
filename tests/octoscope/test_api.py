"""The public API as a whole: what takes a scene says so, what takes ids takes nodes, and dir() lists what is public."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import octoscope
from octoscope import Camera, Canvas, Scene, editing
from octoscope.scene.mesh.primitives import PRIMITIVES

ROOT = Path(__file__).parents[2]
SIZE = (32, 18)
FUNCTIONS = {
    name: thing
    for owner in (octoscope, editing)
    for name in getattr(owner, "__all__", dir(owner))
    if callable(thing := getattr(owner, name)) and not isinstance(thing, type)
} | {name: getattr(octoscope, name) for name in ("Canvas", "History", "Window")}
TAKE_SCENES = sorted(name for name, thing in FUNCTIONS.items() if "scene" in inspect.signature(thing).parameters)


@pytest.fixture
def scene() -> Scene:
    scene = Scene()
    scene.add_mesh("triangle", [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)], color="red")
    return scene


def arguments_of(function: object, first: object, scene: Scene) -> list[object]:
    """Return arguments for all parameters that need one, the scene as given, and any others."""
    parameters = inspect.signature(function).parameters.values()
    needed = [each for each in parameters if each.default is each.empty and each.kind is each.POSITIONAL_OR_KEYWORD]
    others = {"ids": [0], "path": "x", "kind": "cube", "count": 3, "counts": 3, "offsets": (1.0, 0.0, 0.0)}
    return [first if each.name == "scene" else others.get(each.name, 0) for each in needed]


@pytest.mark.parametrize("name", TAKE_SCENES)
@pytest.mark.parametrize("wrong", [Path("a.nothing"), 7, None, "node"])
def test_what_takes_a_scene_says_so_when_it_gets_something_else(scene, name, wrong):
    if wrong == Path("a.nothing") and name in ("Canvas", "Window", "render", "render_buffers", "show"):
        with pytest.raises(octoscope.ReadError, match=r"a\.nothing"):
            FUNCTIONS[name](wrong)
        return
    given = scene[0] if wrong == "node" else wrong
    with pytest.raises(TypeError, match="scene must be a Scene"):
        FUNCTIONS[name](*arguments_of(FUNCTIONS[name], given, scene))


def test_functions_that_take_a_scene_are_found():
    assert len(TAKE_SCENES) > 30 and {"render", "write_glb", "measure", "delete"} <= set(TAKE_SCENES)


def test_every_public_parameter_for_nodes_takes_nodes_to_type_checkers():
    """To numpy's ArrayLike a Node is an array; those that take one id name it so, and say Node."""
    methods = [
        getattr(Scene, name) for name in octoscope.Scene.__dir__(Scene()) if callable(getattr(Scene, name, None))
    ]
    for function in (*FUNCTIONS.values(), *methods):
        for each in inspect.signature(function).parameters.values():
            if each.name in ("ids", "nodes", "parent", "parents", "among", "node", "mesh_node"):
                told = str(each.annotation)
                assert "ArrayLike" in told or "Node" in told, (function, each)


@pytest.mark.parametrize(
    ("do", "what"),
    [
        (lambda scene: octoscope.render(scene, SIZE, camera="front"), "camera must be a Camera .*view='front'"),
        (lambda scene: octoscope.render(scene, "out.png"), "size must be two whole numbers, .* writes a file"),
        (lambda scene: octoscope.render(scene, (640,)), "size must be two whole numbers"),
        (lambda scene: octoscope.render(scene, 640, 360), r"render\(\) got too many .* size=\(640, 360\)"),
        (lambda scene: octoscope.render_buffers(scene, 640, 360), r"a pair, such as size=\(640, 360\)"),
        (lambda scene: Canvas(scene, 640, 360), r"^Canvas\(\) got .* size=\(640, 360\)"),
        (lambda scene: octoscope.Window(scene, 640, 360), r"^Window\(\) got .* size=\(640, 360\)"),
        (lambda scene: octoscope.show(scene, (640, 360)), r"^show\(\) got .* size=\(640, 360\)"),
        (lambda scene: octoscope.render(scene[0], SIZE), "scene must be a Scene, not Node"),
        (
            lambda scene: octoscope.write_glb("a.glb", scene),
            r"scene must be a Scene, not 'a\.glb'; octoscope\.load\(path\) opens one, and .* it comes first",
        ),
        (lambda scene: octoscope.save("a.glb", scene), "scene must be a Scene, not 'a.glb'"),
        (lambda scene: scene.cull(Camera.looking_at((1, 2, 3), (0, 0, 0))), "frustum must be a Frustum"),
        (lambda scene: setattr(Canvas(scene, SIZE), "camera", "front"), "camera must be a Camera"),
    ],
)
def test_swapped_and_wrong_arguments_are_told_what_was_expected(scene, do, what):
    with pytest.raises(TypeError, match=what):
        do(scene)


def test_files_are_saved_by_the_ending_of_their_name(scene, tmp_path):
    for ending in (".glb", ".obj", ".ply", ".stl", ".octo.json"):
        octoscope.save(scene, tmp_path / f"a{ending}")
        assert len(octoscope.load(tmp_path / f"a{ending}").objects) == 1
    with pytest.raises(octoscope.WriteError, match=r"unknown format; end the name in \.octo\.json, \.glb"):
        octoscope.save(scene, tmp_path / "a.fbx")


def test_pictures_are_drawn_of_a_path(scene, tmp_path):
    octoscope.save(scene, tmp_path / "a.glb")
    picture = np.asarray(octoscope.render(tmp_path / "a.glb", SIZE, view="front"))
    assert picture.shape == (18, 32, 3) and (picture != picture[0, 0]).any()
    with pytest.raises(octoscope.ReadError):
        octoscope.render(str(tmp_path / "missing.obj"), SIZE)


def test_a_tileset_streams_into_pictures(tmp_path):
    scene = octoscope.load(ROOT / "assets" / "harbour.obj")
    octoscope.save(scene, tmp_path / "a.glb")
    command = [sys.executable, "-m", "octoscope", "tiles", str(tmp_path / "a.glb"), "-o", str(tmp_path / "tiles")]
    subprocess.run(command, check=True, capture_output=True)
    tiles = octoscope.open_tileset(tmp_path / "tiles", budget="500M")
    assert re.fullmatch(r"StreamedTiles\('.*tileset\.json', 2 tiles, 1 shown, .* MiB of 500 MiB\)", repr(tiles))
    lower, upper = tiles.scene.bounds()
    camera = Camera.looking_at(upper, (lower + upper) / 2)
    with Canvas(tiles, SIZE, camera=camera) as canvas:
        coarse = tiles.scene.element_count("triangle")
        far = np.asarray(canvas.render())
        canvas.camera = Camera.looking_at((lower + upper) / 2 + (5, 5, 5), (lower + upper) / 2)
        ids = canvas.buffers().ids
        assert tiles.scene.element_count("triangle") >= coarse and ids.max() < tiles.scene.row_count
        assert (np.asarray(canvas.render()) != far).any()
    for wrong in ("much", 0, -1):
        with pytest.raises(ValueError, match=r"size|budget"):
            octoscope.open_tileset(tmp_path / "tiles", budget=wrong)


def test_dir_of_the_package_and_its_classes_lists_what_is_public():
    assert octoscope.__version__ and "__version__" not in dir(octoscope)
    for name in dir(octoscope):
        assert getattr(octoscope, name) is not None
    camera = Camera.looking_at((1, 2, 3), (0, 0, 0))
    for thing in (octoscope, camera, Scene(), Canvas(Scene(), SIZE)):
        assert not [name for name in dir(thing) if name.startswith("_")]
        for name in dir(thing):
            getattr(thing, name)


@pytest.mark.parametrize("shape", PRIMITIVES)
def test_shapes_that_people_guess_are_told_what_adds_them(scene, shape):
    with pytest.raises(AttributeError, match="add_primitive") as error:
        getattr(scene, f"add_{shape}")
    before = len(scene.nodes)
    eval(str(error.value).partition(": ")[2].partition(", or")[0], {"octoscope": octoscope, "scene": scene})
    assert len(scene.nodes) == before + 1 and scene[shape]


@pytest.mark.parametrize(
    ("name", "advice"), [("open", "load"), ("export", "save"), ("Viewer", "show"), ("Cube", "editing")]
)
def test_names_that_people_guess_are_told_what_to_do(name, advice):
    with pytest.raises(AttributeError, match=rf"no attribute '{name}': octoscope\.{advice}"):
        getattr(octoscope, name)


def test_a_misspelt_name_gets_pythons_suggestion():
    code = "import octoscope; octoscope.rendr"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "Did you mean: 'render'?" in done.stderr
