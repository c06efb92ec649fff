"""Read the cameras of a glTF file, as bookmarks."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from octoscope.scene.annotations.bookmarks import DEFAULT_FOV_Y_RAD, Bookmark
from octoscope.scene.formats.gltf.accessors import NONE
from octoscope.scene.formats.gltf.codes import DISTANCE, FOV_Y
from octoscope.scene.formats.gltf.document import GltfDocument, integers, names_of
from octoscope.scene.formats.gltf.read_nodes import node_transforms, node_tree
from octoscope.scene.geometry.affine import factorize
from octoscope.scene.system.report import Problems
from octoscope.scene.system.unique_names import UniqueNames

_MOST_STEPS = 100_000  # from nodes with cameras to the tops, together: a limit for hostile files


def read_cameras(document: GltfDocument, problems: Problems) -> dict[str, Bookmark]:
    """Read the nodes that have a camera, in the scene that the file shows: their poses and lenses, by their names."""
    cameras = document.objects("cameras")
    nodes = document.objects("nodes")
    numbers = integers(nodes, "camera", NONE, document.path)
    if len(cameras) == 0 and (numbers == NONE).all():
        return {}
    unknown = (numbers < NONE) | (numbers >= len(cameras))
    problems.report("cameras", "a camera that is not in the file", "left out", count=int(unknown.sum()))
    numbers[unknown] = NONE
    reported_already = Problems(document.path)  # by read_nodes
    parents, order = node_tree(document, reported_already)
    chosen = np.intersect1d(np.flatnonzero(numbers >= 0), order).tolist()
    camera_names = names_of(cameras, ["camera"] * len(cameras)).tolist()
    names = names_of([nodes[node] for node in chosen], [camera_names[numbers[node]] for node in chosen]).tolist()
    bookmarks: dict[str, Bookmark] = {}
    free = UniqueNames()
    shown = set()
    steps_left = _MOST_STEPS
    for name, node in zip(names, chosen, strict=True):
        chain = _up_from(node, parents, steps_left)
        steps_left -= len(chain)
        bookmark = _placed([nodes[number] for number in chain], reported_already) if chain else None
        if bookmark is not None:
            bookmarks[free.take(name)] = _with_lens(bookmark, cameras[numbers[node]])
            shown.add(int(numbers[node]))
    problems.report("cameras", "a camera that no node places", "left out", count=len(cameras) - len(shown))
    return bookmarks


def _up_from(node: int, parents: np.ndarray, most: int) -> list[int]:
    """Return a node and its ancestors; none where those are too many."""
    chain: list[int] = []
    while node >= 0:
        if len(chain) == most:
            return []
        chain.append(node)
        node = int(parents[node])
    return chain


def _placed(chain: list[dict[str, object]], problems: Problems) -> Bookmark | None:
    """Make the bookmark of a camera at the first of some nodes, each below the next; None where numbers overflow."""
    translations, rest = node_transforms(chain, problems)
    position, linear = np.zeros(3), np.eye(3)
    with np.errstate(over="ignore", invalid="ignore"):
        for translation, matrix in zip(translations, rest.matrices(), strict=True):
            position, linear = matrix @ position + translation, matrix @ linear
    if not (np.isfinite(linear).all() and np.isfinite(position).all()):
        return None
    try:
        x, y, z = position.tolist()
        return Bookmark((x, y, z), tuple(factorize(linear[None]).rotations[0].tolist()))
    except ValueError:
        return None


def _with_lens(bookmark: Bookmark, camera: dict[str, object]) -> Bookmark:
    """Add the camera's lens, as far as it is valid; a file of our own has more of it in "extras"."""
    extras = camera.get("extras")
    own = extras if isinstance(extras, dict) else {}
    try:
        kind = "orthographic" if camera.get("type") == "orthographic" else "perspective"
        lens = camera[kind]
        if not isinstance(lens, dict):
            raise TypeError
        if kind == "orthographic":
            half_height = abs(float(lens["ymag"]))
            distance = half_height / math.tan(DEFAULT_FOV_Y_RAD / 2.0)
            bookmark = replace(bookmark, orthographic=True, distance=distance)
        else:
            bookmark = replace(bookmark, fov_y_rad=float(lens["yfov"]))
        if DISTANCE in own:
            bookmark = replace(bookmark, distance=float(own[DISTANCE]))
        if DISTANCE in own and FOV_Y in own:
            bookmark = replace(bookmark, fov_y_rad=float(own[FOV_Y]))
    except (KeyError, TypeError, ValueError):
        pass
    return bookmark
