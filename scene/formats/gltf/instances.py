"""Instances: a mesh at many places by one node, as EXT_mesh_gpu_instancing has them, read as nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from scene.formats.gltf.accessors import Accessors, accessors_of
from scene.formats.gltf.codes import COMPONENT_TYPES, FLOAT, GPU_INSTANCING
from scene.formats.gltf.document import GltfDocument

# Attributes of an instance, with the fields of a node that they are.
_FIELDS = {"TRANSLATION": ("translation", 3), "ROTATION": ("rotation", 4), "SCALE": ("scale", 3)}


def expand_instances(document: GltfDocument) -> None:
    """Give nodes that show a mesh at many places a child for each of these, which shows it there.

    What cannot be read stays one node, as if there were no instances.
    """
    nodes = document.objects("nodes")
    accessors: Accessors | None = None
    for node in list(nodes):
        extensions: Any = node.get("extensions")
        try:
            attributes = extensions[GPU_INSTANCING]["attributes"]
            accessors = accessors_of(document) if accessors is None else accessors
            columns = {
                field: read_floats(accessors, attributes[name], width)
                for name, (field, width) in _FIELDS.items()
                if name in attributes
            }
            counts = {len(column) for column in columns.values()}
            if len(counts) != 1:
                raise ValueError("instances of various numbers")
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
        fields = {field: column.tolist() for field, column in columns.items()}
        children = node.get("children", [])
        if not isinstance(children, list):
            continue
        shown = {key: value for key, value in node.items() if key in ("mesh", "name")}
        node.pop("mesh", None)
        node["children"] = [*children, *range(len(nodes), len(nodes) + counts.pop())]
        nodes.extend(shown | dict(zip(fields, values, strict=True)) for values in zip(*fields.values(), strict=True))
        del extensions[GPU_INSTANCING]


def read_floats(accessors: Accessors, number: object, width: int) -> np.ndarray:
    """Return the items of an accessor of floats, (n, width) float64.

    Raises:
        ValueError: it is none, or of another width.
    """
    if type(number) is not int or not accessors.usable(np.array([number]), components=(FLOAT,), widths=(width,)).all():
        raise ValueError("no accessor of floats")
    return read_plain(accessors, number, width).astype(np.float64)


def read_plain(accessors: Accessors, number: int, width: int) -> np.ndarray:
    """Return the items of a sound accessor as they are stored, (n, width)."""
    kind = np.dtype(COMPONENT_TYPES[int(accessors.components[number])])
    start, stride, count = (int(column[number]) for column in (accessors.starts, accessors.strides, accessors.counts))
    items = np.lib.stride_tricks.as_strided(accessors.data[start:], (count, kind.itemsize * width), (stride, 1))
    return np.ascontiguousarray(items).view(kind)
