"""GlbBuilder: nodes, meshes and materials of a file that is converted, which become a GLB."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.formats.gltf.codes import FLOAT, UNSIGNED_INT
from octoscope.scene.formats.gltf.writing.container import View, write_container
from octoscope.scene.formats.gltf.writing.materials import textures_and_samplers
from octoscope.scene.mesh.texture import REPEATED, Wrap

_MOST_NODES = 1_000_000
_TYPES = {2: "VEC2", 3: "VEC3", 4: "VEC4"}  # of accessors, by their width


@dataclass(frozen=True)
class Primitive:
    """A part of a mesh, with one material."""

    mode: int  # glTF's number for points, lines or triangles
    positions: np.ndarray  # (v, 3)
    # by glTF's name for it, (v, k): unit normals, texture coordinates from the image's upper left corner, colours in
    # linear light, 0 to 1, with three or four channels
    attributes: Mapping[str, np.ndarray]
    indices: np.ndarray  # (n,) of vertices
    material: int | None = None  # as add_material returned it; None: the default one


@dataclass
class GlbBuilder:
    """A GLB that grows; nodes without a mesh in them or below are left out of it."""

    up_axis: UpAxis = "y"  # of the file; nodes and meshes stay as they are
    # how often something was skipped or guessed, by what it was and what was done instead
    problems: dict[tuple[str, str], int] = field(default_factory=dict)
    dependencies: set[str] = field(default_factory=set)  # paths of the other files that were read
    _nodes: list[dict[str, Any]] = field(default_factory=list)
    _parents: list[int] = field(default_factory=list)
    _meshes: list[dict[str, Any]] = field(default_factory=list)
    _materials: list[Mapping[str, Any]] = field(default_factory=list)
    _images: list[Mapping[str, Any]] = field(default_factory=list)
    _textures: dict[tuple[int, tuple[Wrap, Wrap]], int] = field(default_factory=dict)
    _accessors: list[dict[str, Any]] = field(default_factory=list)
    _views: list[View] = field(default_factory=list)

    def report(self, what: str, done: str, count: int = 1) -> None:
        """Count something that was skipped or guessed."""
        if count:
            self.problems[what, done] = self.problems.get((what, done), 0) + count

    def add_node(self, name: str, matrix: np.ndarray, *, parent: int = -1, mesh: int | None = None) -> int:
        """Add a node below another one (-1: at the top); `matrix` is its parent_from_local."""
        if len(self._nodes) >= _MOST_NODES:
            raise ValueError(f"it has more than {_MOST_NODES:,} objects")
        node: dict[str, Any] = {"name": name}
        if not np.array_equal(matrix, np.eye(4)):
            node["matrix"] = np.asarray(matrix, dtype=np.float64).T.ravel().tolist()
        if mesh is not None:
            node["mesh"] = mesh
        self._nodes.append(node)
        self._parents.append(parent)
        return len(self._nodes) - 1

    def add_mesh(self, name: str, primitives: Sequence[Primitive]) -> int | None:
        """Add a mesh; return its number, or None where nothing is in it."""
        parts = [self._described(one) for one in primitives if len(one.indices)]
        if not parts:
            return None
        self._meshes.append({"name": name, "primitives": parts})
        return len(self._meshes) - 1

    def add_material(self, fields: Mapping[str, Any]) -> int:
        """Add a material as glTF describes it; return its number."""
        self._materials.append(fields)
        return len(self._materials) - 1

    def add_image(self, image: str | bytes) -> int:
        """Add an image: a URI relative to the file that is converted, or an image file's bytes; return its number."""
        if isinstance(image, str):
            self._images.append({"uri": image})
        else:
            self._images.append({"bufferView": len(self._views)})
            self._views.append((None, None, np.frombuffer(image, dtype=np.uint8)))
        return len(self._images) - 1

    def texture(self, image: int, wrap: tuple[Wrap, Wrap] = REPEATED) -> dict[str, Any]:
        """Return what names an image as a texture in a material; wrap: as in Texture."""
        return {"index": self._textures.setdefault((image, wrap), len(self._textures))}

    def write(self, file: BinaryIO) -> None:
        """Write the GLB; WriteError: it is more than one can hold."""
        textures = textures_and_samplers([wrap for _, wrap in self._textures], [image for image, _ in self._textures])
        parts = {
            "asset": {"version": "2.0"},
            "scene": 0,
            **self._tree(),
            "meshes": self._meshes,
            "materials": self._materials,
            "images": self._images,
            **textures,
            "accessors": self._accessors,
        }
        write_container(file, {key: json.dumps(value) for key, value in parts.items()}, self._views)

    def _tree(self) -> dict[str, Any]:
        """Return the fields "nodes" and "scenes", of nodes that show a mesh or have one below them."""
        is_shown = ["mesh" in node for node in self._nodes]
        for number in range(len(self._nodes) - 1, -1, -1):  # children stand behind their parents
            if is_shown[number] and self._parents[number] >= 0:
                is_shown[self._parents[number]] = True
        row_of = np.cumsum(is_shown) - 1
        tops: list[int] = []
        for number, parent in enumerate(self._parents):
            if is_shown[number]:
                siblings = tops if parent < 0 else self._nodes[parent].setdefault("children", [])
                siblings.append(int(row_of[number]))
        nodes = [node for number, node in enumerate(self._nodes) if is_shown[number]]
        return {"nodes": nodes, "scenes": [{"nodes": tops}]}

    def _described(self, primitive: Primitive) -> dict[str, Any]:
        """Return a primitive's JSON; its arrays become buffer views."""
        attributes = {"POSITION": self._floats(primitive.positions)}
        attributes |= {name: self._floats(values) for name, values in primitive.attributes.items()}
        indices = self._array(primitive.indices.astype("<u4"), UNSIGNED_INT, "SCALAR")
        described: dict[str, Any] = {"mode": primitive.mode, "attributes": attributes, "indices": indices}
        if primitive.material is not None:
            described["material"] = primitive.material
        return described

    def _floats(self, values: np.ndarray) -> int:
        return self._array(values.astype("<f4"), FLOAT, _TYPES[values.shape[1]])

    def _array(self, values: np.ndarray, component: int, shape: str) -> int:
        """Add an accessor with a buffer view of its own; return its number."""
        view = len(self._views)
        self._views.append((None, None, np.ascontiguousarray(values)))
        self._accessors.append({"bufferView": view, "componentType": component, "count": len(values), "type": shape})
        return len(self._accessors) - 1
