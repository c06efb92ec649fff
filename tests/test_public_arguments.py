"""Wrong values for every argument of every public function and method: each is taken, or refused in our words.

What refuses a value says in one line which argument is wrong, by its name or by the value. That line is ours: numpy,
OpenGL or Python itself, once they are handed the value, say it in theirs.
"""

from __future__ import annotations

import inspect
import re
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import octoscope
from octoscope import (
    Camera,
    Canvas,
    Frustum,
    History,
    LeafOctree,
    LinearOctree,
    MeshData,
    Octree,
    Scene,
    editing,
)
from octoscope.viewer.rendering.buffers import Buffers

ROOT = Path(__file__).parents[1]
WRONG: dict[str, Any] = {
    "None": None,
    "text": "a",
    "negative": -1,
    "nan": float("nan"),
    "object": object(),
    "array": np.zeros((2, 5)),
    "ragged": [1, [2, 3]],
}
CORNERS, FACES = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)], [(0, 1, 2)]
CAMERA = Camera.looking_at((5, 5, 5), (0, 0, 0))
PLACE = ("translation", "rotation", "scale", "parent", "hidden", "unselectable")


def small_scene() -> Scene:
    """group > (first, second); alone, with scalars."""
    scene = Scene()
    group = scene.add_node("group")
    scene.add_mesh("first", CORNERS, FACES, parent=group)
    scene.add_mesh("second", CORNERS, FACES, parent=group, translation=(3, 0, 0))
    scene.add_mesh("alone", CORNERS, FACES, scalars=[0.0, 1.0, 2.0], translation=(0, 3, 0))
    return scene


def filled(tree: Octree) -> Octree:
    tree.insert([1, 2], [(0, 0, 0), (1, 1, 1)], [1, 1])
    return tree


# Of what public methods are called, new for each call.
OWNERS: dict[str, Callable[[], Any]] = {
    "Scene": small_scene,
    "Node": lambda: small_scene()[1],
    "Canvas": lambda: Canvas(small_scene(), (8, 8)),
    "Buffers": lambda: Buffers.empty((4, 4)),
    "Camera": lambda: CAMERA,
    "Octree": lambda: filled(Octree((0, 0, 0), 10)),
    "LeafOctree": lambda: filled(LeafOctree((0, 0, 0), 10)),
    "LinearOctree": lambda: LinearOctree.build([(0, 0, 0), (1, 1, 1)], [1, 1]),
    "Frustum": lambda: Frustum.from_camera(CAMERA, 1.0),
}
MADE = ("Scene", "Canvas", "History", "Octree", "LeafOctree", "Camera", "Bookmark", "Lighting", "Nodes")
# Arguments that must be given, by their names: a value that fits.
GOOD: dict[str, Any] = {
    "aspect": 1.0,
    "axis": 0,
    "azimuth_deg": 30.0,
    "elevation_deg": 30.0,
    "camera": CAMERA,
    "cameras": [CAMERA],
    "center": (0, 0, 0),
    "centers": np.zeros((2, 3)),
    "clip_from_relative": CAMERA.clip_from_relative(1.0),
    "colors": "red",
    "count": 3,
    "counts": 2,
    "degrees": 30.0,
    "direction": (0, 0, -1),
    "directions": np.ones((2, 3)),
    "eye": (0, 0, 0),
    "frustum": Frustum.from_camera(CAMERA, 1.0),
    "half_size": 1.0,
    "height": 8.0,
    "hidden": True,
    "ids": [1, 2],
    "identifier": 1,
    "kind": "cube",
    "lower": np.zeros(3),
    "materials": 0,
    "matrices": np.eye(4),
    "matrix": np.eye(4),
    "mesh": MeshData(np.array(CORNERS), np.array(FACES), None, np.zeros(3, dtype=np.int32)),
    "mesh_id": 0,
    "mesh_ids": 0,
    "name": "x",
    "names": "x",
    "nodes": [1],
    "offsets": (1, 0, 0),
    "origin": (0, 0, 5),
    "origins": np.zeros((2, 3)),
    "parent": 0,
    "parents": 0,
    "path": "none",
    "paths": str(ROOT / "assets" / "harbour.obj"),
    "pivot": (0, 0, 0),
    "pixel": (1, 1),
    "point": (0.0, 0.0),
    "points": CORNERS,
    "position": (0, 0, 0),
    "radii": np.ones(2),
    "radius": 1.0,
    "rotations": (0, 0, 0, 1),
    "scalars": [0.0, 1.0, 2.0],
    "scales": 1.0,
    "size": (8, 8),
    "surface": 3,
    "target": (1, 0, 0),
    "text": "first",
    "translations": (0, 0, 0),
    "triangles": FACES,
    "unselectable": True,
    "up_axis": "y",
    "upper": np.ones(3),
    "vertices": CORNERS,
    "axes": np.eye(3),
    "edit": editing.delete(small_scene(), 1),
    "material": octoscope.Material("x"),
}
GONE = ("none.obj: no such file", "no mesh gets fewer faces")
# Of some callables: other arguments, and further ones.
OTHERS: dict[str, dict[str, Any]] = {
    "add_primitive": {"size": 1.0},
    "align": {"x": "min"},
    "change_nodes": dict.fromkeys(PLACE[:3], (0, 0, 0)) | {"rotation": (0, 0, 0, 1), "scale": (1, 1, 1)},
    "distribute": {"ids": [1, 2, 3]},
    "drop": {"ids": [2]},
    "move_up": {"ids": [1]},
    "separate": {"ids": [1]},
    "ungroup": {"ids": [0]},
    **{name: {"path": "none.obj"} for name in ("open_project", "open_tileset", "read_obj")},
    "save": {"path": "x.obj"},
    "Scene.add_nodes": dict.fromkeys(PLACE) | {"names": ["x"]},
    "Octree.insert": {"ids": [7, 8]},
    "LeafOctree.insert": {"ids": [7, 8]},
    "Node.rotate": {"axis": "y"},
    "Scene.add_mesh": dict.fromkeys(PLACE),
    "Scene.add_node": dict.fromkeys(PLACE),
}
# Patterns of words for arguments in messages, where those are not their names.
SYNONYMS = {
    **dict.fromkeys(("ids", "nodes", "among", "surface"), "node|ids"),
    **dict.fromkeys(("count", "counts"), "count|number of (objects|copies)"),
    **dict.fromkeys(("matrices", "world_from_local"), "matri"),
    **dict.fromkeys(("azimuth_deg", "elevation_deg"), "_deg|direction of a light"),
    "angle_rad": "angle",
    "height": "height|out of the range",
    "mesh_id": "mesh",
    "max_memory_bytes": "memory",
}
# What reads, writes or shows something outside is tested elsewhere; the others are made of a scene's own content.
LEFT_OUT = {
    *("show", "require_room", "import_content", "replace_mesh_by_file", "Transformation", "CopyCost"),
    *(
        "Camera.with_depth_range",
        "Frustum.planes_about",
        "Frustum.classify_cubes",
        "Octree.cell_of",
        "LeafOctree.cell_of",
    ),
}


def functions() -> Iterator[tuple[str, Callable[[], Callable[..., object]]]]:
    """Yield every public function, and a function that makes an owner and returns its method."""
    for module in (octoscope, editing):
        for name in dir(module):
            if inspect.isfunction(found := getattr(module, name)) and name not in LEFT_OUT:
                yield name, lambda found=found: found
    for name in MADE:
        yield name, lambda name=name: getattr(octoscope, name)
    for owner, make in OWNERS.items():
        for name in dir(make()):
            called = f"{owner}.{name}"
            if inspect.isroutine(getattr(make(), name)) and called not in LEFT_OUT:
                yield called, lambda make=make, name=name: getattr(make(), name)
    for name in ("begin", "do", "go_to", "select"):
        yield f"History.{name}", lambda name=name: getattr(History(small_scene()), name)


FUNCTIONS = dict(functions())


def arguments_of(name: str) -> dict[str, Any]:
    """Return each argument of a function, and a value that fits; of those that may be left out, none."""
    made: dict[str, Any] = {}
    for parameter in inspect.signature(FUNCTIONS[name]()).parameters.values():
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            made[parameter.name] = (
                GOOD[parameter.name] if parameter.default is parameter.empty and parameter.name in GOOD else None
            )
    return {**made, **OTHERS.get(name, {})}


def problem_of(error: BaseException, argument: str, value: object) -> str | None:
    """Return what is wrong with an error, or None."""
    text = str(error).strip("'\"")
    last = traceback.extract_tb(error.__traceback__)[-1]
    if not isinstance(error, (ValueError, TypeError, LookupError, octoscope.ReadError, octoscope.WriteError)):
        return f"{type(error).__name__}: {text}"
    if not Path(last.filename).is_relative_to(ROOT) or ".venv" in last.filename:
        return f"{last.filename}: {text}"
    names = SYNONYMS.get(argument, argument.removesuffix("s").replace("_", "[_ ]"))
    if text.startswith(GONE):
        return None  # it was taken
    is_named = re.search(names, text, re.IGNORECASE) or (
        isinstance(value, str) and re.search(rf"\b{value}\b[:']", text)
    )
    return None if is_named and "\n" not in text else text


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_wrong_argument_is_taken_or_named(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Canvas, "render", lambda self: None)
    monkeypatch.setattr(Canvas, "buffers", lambda self: None)
    wrong = {}
    arguments = arguments_of(name)
    for argument in arguments:
        for label, value in WRONG.items():
            function = FUNCTIONS[name]()
            given = {each: good for each, good in arguments.items() if good is not None}
            given |= {"scene": small_scene()} if "scene" in arguments else {}
            if "node" in arguments:
                given["node"] = given["scene"][1] if "scene" in arguments else function.__self__[1]
            try:
                result = function(**{**given, argument: value})
                if inspect.isgenerator(result):
                    list(result)
            except BaseException as error:
                problem = problem_of(error, argument, value)
                if problem is not None:
                    wrong[f"{argument}={label}"] = problem
    assert not wrong, "\n".join(f"{each}: {problem}" for each, problem in wrong.items())
