"""A camera as JSON, for the clipboard, for files and for scripts: {"position": [x, y, z], "target": [x, y, z], ...}.

`position` and `target`, the pivot, are needed. `up` is the direction that is above in the picture; left out, the
horizon is level. `fov_degrees`, the full vertical angle of view, and `orthographic` are else those of a new camera.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.system.text_file import shortened
from octoscope.viewer.camera.bookmark_pose import bookmark_of
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.camera.controls import look_at

_EXAMPLE = '{"position": [0, 1, 5], "target": [0, 0, 0]}'
_KEYS = ("position", "target", "up", "fov_degrees", "orthographic")


def camera_to_json(camera: Camera) -> str:
    """Write a camera on one line."""
    values = {
        "position": camera.position.tolist(),
        "target": camera.pivot.tolist(),
        "up": camera.axes[1].tolist(),
        "fov_degrees": math.degrees(camera.fov_y_rad),
        "orthographic": camera.orthographic,
    }
    return json.dumps(values)


def camera_from_json(text: str, *, up_axis: UpAxis = "y") -> Camera:
    """Read a camera.

    Raises:
        ValueError: the text is none; the message is one line that says why.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        values = None
    if not isinstance(values, dict):
        raise ValueError(f"{shortened(repr(text.strip()))} is no camera, such as {_EXAMPLE}")
    for key in values:
        if key not in _KEYS:
            raise ValueError(f"{shortened(repr(key))} is nothing of a camera; there are {', '.join(_KEYS)}")
    for key in ("position", "target"):
        if key not in values:
            raise ValueError(f"a camera needs a {key}: three numbers")
    fov_degrees, orthographic = values.get("fov_degrees"), values.get("orthographic", False)
    if not isinstance(orthographic, bool):
        raise ValueError("orthographic is true or false")
    camera = Camera(np.zeros(3), orthographic=orthographic, up_axis=up_axis)
    if fov_degrees is not None:
        camera = replace(camera, fov_y_rad=math.radians(_number("fov_degrees", fov_degrees)))
    up = None if values.get("up") is None else _three("up", values["up"])
    if up is not None and not up.any():
        raise ValueError("up is a direction, which [0, 0, 0] is not; leave it out for a level horizon")
    camera = look_at(camera, _three("position", values["position"]), _three("target", values["target"]), up=up)
    bookmark_of(camera)  # which says what no camera can hold
    return camera


def _three(name: str, given: Any) -> np.ndarray:
    if not isinstance(given, list) or len(given) != 3:
        raise ValueError(f"{name} is three numbers, such as [0, 1, 5]")
    return np.array([_number(name, each) for each in given])


def _number(name: str, given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not abs(given) < 1e300:
        raise ValueError(f"{name}: {shortened(repr(given))} is no number that a camera can hold")
    return float(given)
