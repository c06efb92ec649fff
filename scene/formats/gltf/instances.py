"""Instances: a mesh at many places by one node, as EXT_mesh_gpu_instancing has them, read as nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from scene.formats.gltf.accessors import Accessors, accessors_of
from scene.formats.gltf.codes import COMPONENT_TYPES, FLOAT, GPU_INSTANCING
from scene.formats.gltf.document import GltfDocument, broken
from scene.system.report import Problems

# Attributes of an instance, with the fields of a node that they are.
_FIELDS = {"TRANSLATION": ("translation", 3), "ROTATION": ("rotation", 4), "SCALE": ("scale", 3)}
_MOST_OF_ANY = 2**16  # instances, however few bytes a file has


def expand_instances(document: GltfDocument, problems: Problems) -> None:
    """Give nodes that show a mesh at many places a child for each of these, which shows it there.

    A node whose places cannot be read is reported and stays one node, as if there were no instances.

    Raises:
        ReadError: accessors are wrong altogether, or there are more instances than a file of its size can place.
    """
    nodes = document.objects("nodes")
    accessors: Accessors | None = None
    total = 0
    for node in list(nodes):
        extensions: Any = node.get("extensions")
        if not isinstance(extensions, dict) or GPU_INSTANCING not in extensions:
            continue
        try:
            attributes = extensions[GPU_INSTANCING]["attributes"]
            accessors = accessors_of(document) if accessors is None else accessors
            columns = {
                field: read_floats(accessors, attributes[name], width)
                for name, (field, width) in _FIELDS.items()
                if name in attributes
            }
            (count,) = {len(column) for column in columns.values()}
            children = node.get("children", [])
            if not isinstance(children, list):
                raise TypeError("children that are no list")
        except (KeyError, TypeError, ValueError):
            problems.report("node", f"many places that cannot be read ({GPU_INSTANCING})", "shown at one")
            continue
        total += count
        if total > len(document.data) + _MOST_OF_ANY:  # a few bytes can place a mesh a million times, again and again
            raise broken(document.path, f"more instances of its meshes than {len(document.data):,} bytes can place")
        fields = {field: column.tolist() for field, column in columns.items()}
        shown = {key: value for key, value in node.items() if key in ("mesh", "name")}
        node.pop("mesh", None)
        node["children"] = [*children, *range(len(nodes), len(nodes) + count)]
        nodes.extend(shown | dict(zip(fields, values, strict=True)) for values in zip(*fields.values(), strict=True))
        del extensions[GPU_INSTANCING]


def read_floats(accessors: Accessors, number: object, width: int) -> np.ndarray:
    """Return the items of an accessor of floats, (n, width) float64.

    Raises:
        ValueError: it is none, of another width, or has numbers that are not finite.
    """
    is_one = type(number) is int and 0 <= number < len(accessors.counts)
    if not is_one or not accessors.usable(np.array([number]), components=(FLOAT,), widths=(width,)).all():
        raise ValueError("no accessor of floats")
    assert isinstance(number, int)
    items = read_plain(accessors, number, width)
    if not np.isfinite(items).all():
        raise ValueError("numbers that are not finite")
    return items.astype(np.float64)


def read_plain(accessors: Accessors, number: int, width: int) -> np.ndarray:
    """Return the items of a sound accessor as they are stored, (n, width)."""
    kind = np.dtype(COMPONENT_TYPES[int(accessors.components[number])])
    start, stride, count = (int(column[number]) for column in (accessors.starts, accessors.strides, accessors.counts))
    items = np.lib.stride_tricks.as_strided(accessors.data[start:], (count, kind.itemsize * width), (stride, 1))
    return np.ascontiguousarray(items).view(kind)
