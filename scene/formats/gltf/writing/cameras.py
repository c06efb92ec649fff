"""Write bookmarks as cameras of a glTF file, each with a node of its own."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from octoscope.scene.bookmarks import Bookmark
from octoscope.scene.formats.gltf.codes import DISTANCE, FOV_Y

_NEAR, _FAR = 1e-3, 1e3  # times the distance: glTF needs a range of depths, and a bookmark has none


def cameras_and_nodes(bookmarks: Mapping[str, Bookmark]) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Make the objects of glTF's "cameras" and "nodes": one of each for every bookmark, in their order, with no parent.

    What a camera cannot hold of a bookmark is in its "extras", from where read_cameras takes it.
    """
    cameras = [_camera(name, bookmark) for name, bookmark in bookmarks.items()]
    nodes = [_node(name, bookmark, number) for number, (name, bookmark) in enumerate(bookmarks.items())]
    return cameras, nodes


def _camera(name: str, bookmark: Bookmark) -> dict[str, object]:
    distance = 1.0 if bookmark.distance is None else bookmark.distance
    depths = {"znear": _NEAR * distance, "zfar": _FAR * distance}
    extras = {} if bookmark.distance is None else {DISTANCE: bookmark.distance}
    if bookmark.orthographic:
        half_height = distance * math.tan(bookmark.fov_y_rad / 2.0)
        lens = {"xmag": half_height, "ymag": half_height, **depths}
        extras[FOV_Y] = bookmark.fov_y_rad
        return {"name": name, "type": "orthographic", "orthographic": lens, "extras": extras}
    lens = {"yfov": bookmark.fov_y_rad, **depths}
    camera: dict[str, object] = {"name": name, "type": "perspective", "perspective": lens}
    if extras:
        camera["extras"] = extras
    return camera


def _node(name: str, bookmark: Bookmark, number: int) -> dict[str, object]:
    rotation = np.array(bookmark.rotation)
    rotation /= np.linalg.norm(rotation)
    return {"name": name, "translation": list(bookmark.position), "rotation": rotation.tolist(), "camera": number}
