"""The scene that a picture or a window shows: a scene, one that is streamed, or files to be read."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeAlias, TypeVar

from octoscope.guesses import advises
from octoscope.scene import Node, Nodes, Scene, load
from octoscope.scene.system.paths import StrPath
from octoscope.viewer.frame.streamed_scene import StreamedScene

Drawn: TypeAlias = Scene | StreamedScene | StrPath
_P = ParamSpec("_P")
_T = TypeVar("_T")


def scene_of(given: Drawn) -> tuple[Scene, StreamedScene | None]:
    """Return the scene to be shown, and itself if it is streamed; the file of a path is read.

    Raises:
        TypeError: it is none of these.
        ReadError: the file cannot be read.
    """
    if isinstance(given, Scene):
        return given, None
    if isinstance(given, (str, os.PathLike)):
        return load(given), None
    if isinstance(given, StreamedScene):
        return given.scene, given
    if isinstance(given, (Node, Nodes)):
        raise TypeError(f"scene must be a Scene, not {given!r}; scene.copy(nodes) is one of them alone")
    advice = "; add it to one: Scene().add_mesh(name, mesh)" if hasattr(given, "vertices") else ""
    raise TypeError(f"scene must be a Scene, or the path of a file, not {' '.join(repr(given).split())[:60]}{advice}")


_FROM_POINTS = "it is camera=Camera.looking_at(eye, target, fov_deg=60)"
# Advice by keywords that people guess for pictures.
_GUESSED_ARGUMENTS = {
    **dict.fromkeys(("eye", "fov", "fov_deg", "position", "target"), _FROM_POINTS),
    **dict.fromkeys(("out", "output"), "octoscope.render(scene).save(path)"),
    **dict.fromkeys(("shading", "style"), "it is mode='wireframe' or the like"),
    **dict.fromkeys(
        ("among", "nodes", "objects"), "octoscope.render(scene.copy(nodes), size) shows and frames them alone"
    ),
    **dict.fromkeys(("camera", "view"), "window = octoscope.Window(scene); window.camera = camera; window.run()"),
    **dict.fromkeys(("on_click", "on_pick"), "it is on_select, which gets the nodes"),
    **dict.fromkeys(("key", "on_key"), "a window has no callback for keys; on_frame is called for each picture"),
    "color": "scene.set_colors(nodes, color)",
    "depth": "octoscope.render_buffers(scene, size).depth",
    "height": "it is size=(width, height)",
    "ids": "octoscope.render_buffers(scene, size).ids",
    "normals": "octoscope.render_buffers(scene, size).normals",
    "ortho": "it is orthographic=True",
    "path": "octoscope.render(scene).save(path)",
    "resolution": "it is size=(width, height)",
    "samples": "octoscope.Canvas(scene, size, samples=4).render()",
    "show_octree": "it is octree=True",
    "width": "it is size=(width, height)",
    "wireframe": "it is mode='wireframe'",
    "window_size": "it is size=(width, height)",
}


def takes_size(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """Make a function for pictures refuse arguments that it lacks with advice, also a size given as two numbers."""
    name, most = function.__qualname__.removesuffix(".__init__"), function.__code__.co_argcount
    checks_types = advises(**_GUESSED_ARGUMENTS)(function)

    @wraps(checks_types)
    def checked(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if len(args) > most:
            raise TypeError(
                f"{name}() got too many arguments: size is one of them, a pair, such as size=(640, 360), "
                "and what comes after it is given by name"
            )
        return checks_types(*args, **kwargs)

    return checked


def checked_size(size: Any) -> tuple[int, int]:
    """Return the width and height of a picture, in pixels. TypeError, ValueError: they are none."""
    try:
        width, height = size
        is_size = all(int(side) == side for side in (width, height))
    except (TypeError, ValueError):
        is_size = False
    if not is_size:
        advice = "; render(scene).save(path) writes a file" if isinstance(size, (str, os.PathLike)) else ""
        raise TypeError(f"size: width and height in pixels are needed, such as (640, 360), not {size!r}{advice}")
    if min(width, height) < 1:
        raise ValueError(f"a picture is at least 1 x 1, not {width} x {height}")
    return int(width), int(height)
