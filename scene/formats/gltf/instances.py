"""Instances: a mesh at many places by one node, as EXT_mesh_gpu_instancing has them, read as nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from octoscope.scene.formats.gltf.accessors import Accessors, accessors_of, read_plain
from octoscope.scene.formats.gltf.codes import BYTE, FLOAT, GPU_INSTANCING, SHORT
from octoscope.scene.formats.gltf.document import GltfDocument, broken
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems

_UNMOVED = {"TRANSLATION": (0.0, 0.0, 0.0), "ROTATION": (0.0, 0.0, 0.0, 1.0), "SCALE": (1.0, 1.0, 1.0)}
_SIGNED = FLOAT, BYTE, SHORT
_MOST_OF_ANY = 2**16  # instances, however few bytes a file has
NODE_BYTES = 500  # that a node takes in a scene, and on the way there


@dataclass(frozen=True)
class Instances:
    """The places where a file's nodes show their meshes, in columns (i,): there may be millions."""

    owners: np.ndarray  # int64 node of the file, ascending
    numbers: np.ndarray  # int64 which of the node's places
    translations: np.ndarray  # (i, 3) float64, in the node's frame, as all that follow
    rotations: np.ndarray  # (i, 4) float64 quaternions x, y, z, w as they are in the file, of any length
    scales: np.ndarray  # (i, 3) float64

    def __len__(self) -> int:
        return len(self.owners)


def read_instances(document: GltfDocument, problems: Problems) -> Instances:
    """Read the places of all nodes that show a mesh at many; those that cannot be read are reported.

    Then a node stays one node. Single places with numbers that are not finite are left out.
    """
    accessors: Accessors | None = None
    owners: list[np.ndarray] = [np.empty(0, dtype=np.int64)]
    numbers = [owners[0]]
    columns: dict[str, list[np.ndarray]] = {name: [np.empty((0, len(none)))] for name, none in _UNMOVED.items()}
    total = 0
    for number, node in enumerate(document.objects("nodes")):
        extensions: Any = node.get("extensions")
        if not isinstance(extensions, dict) or GPU_INSTANCING not in extensions:
            continue
        try:
            attributes = extensions[GPU_INSTANCING]["attributes"]
            accessors = accessors_of(document) if accessors is None else accessors
            given = {
                name: _items(accessors, attributes[name], len(none))
                for name, none in _UNMOVED.items()
                if name in attributes
            }
            (count,) = {len(column) for column in given.values()}
            sound = np.logical_and.reduce([np.isfinite(column).all(axis=1) for column in given.values()])
            if count and not sound.any():
                raise ValueError("no place with numbers that are finite")
        except (KeyError, TypeError, ValueError):
            problems.report("node", f"many places that cannot be read ({GPU_INSTANCING})", "shown at one")
            continue
        total += count
        if total > len(document.data) + _MOST_OF_ANY:  # a few bytes can place a mesh a million times, again and again
            raise broken(document.path, f"more instances of its meshes than {len(document.data):,} bytes can place")
        current_limits().take(NODE_BYTES * count)
        if lost := count - int(np.count_nonzero(sound)):
            what = f"one of many places with numbers that are not finite ({GPU_INSTANCING})"
            problems.report("node", what, "left out", count=lost)
        owners.append(np.full(count - lost, number))
        numbers.append(np.flatnonzero(sound))
        for name, none in _UNMOVED.items():
            column = given[name] if name in given else np.broadcast_to(none, (count, len(none)))
            columns[name].append((column[sound] if lost else column).astype(np.float64))
    places = (np.concatenate(columns[name]) for name in _UNMOVED)
    return Instances(np.concatenate(owners), np.concatenate(numbers), *places)


def _items(accessors: Accessors, number: object, width: int) -> np.ndarray:
    """Return an accessor's floats, or whole numbers for -1 to 1, as (n, width) floats; else ValueError."""
    is_one = type(number) is int and 0 <= number < len(accessors.counts)
    if not is_one or not accessors.usable(np.array([number]), components=_SIGNED, widths=(width,)).all():
        raise ValueError("no accessor of floats")
    assert isinstance(number, int)
    items = read_plain(accessors, number, width)
    if accessors.components[number] == FLOAT:
        return items
    if not accessors.normalized[number]:
        raise ValueError("whole numbers that stand for themselves")
    return np.maximum(items / float(np.iinfo(items.dtype).max), -1.0)
