"""Read COLLADA by pycollada: its tree of nodes, with the meshes and materials that they instantiate."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
from collada import Collada
from collada.common import DaeError
from collada.lineset import LineSet
from collada.material import OPAQUE_MODE, Map
from collada.polylist import Polylist
from collada.scene import CameraNode, ControllerNode, ExtraNode, GeometryNode, LightNode, Node, NodeNode
from collada.triangleset import TriangleSet

from octoscope.scene.formats.converted.glb_builder import GlbBuilder, Primitive
from octoscope.scene.formats.converted.polygons import Polygons, primitive_of
from octoscope.scene.geometry.colors import linear_from_srgb
from octoscope.scene.mesh.material import roughness_of_shininess
from octoscope.scene.mesh.texture import Wrap
from octoscope.scene.system.file_finder import FileFinder

# Up is X, right is -Y, towards the viewer is Z (COLLADA 1.4.1, up_axis); with Y up: Y, X and Z.
_Y_UP_FROM_X_UP = np.array([(0.0, -1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0)])
_WRAPS: Mapping[str, Wrap] = {"MIRROR": "mirror", "CLAMP": "clamp", "BORDER": "clamp", "NONE": "clamp"}
_MOST_WORDS = 80  # characters of the library's own, in a message


def convert_collada(path: Path, builder: GlbBuilder) -> None:
    """Add the scene of a COLLADA file."""
    document = Collada(str(path), ignore=[DaeError])
    for error in document.errors:
        words = " ".join(str(getattr(error, "msg", error)).split())[:_MOST_WORDS]
        builder.report(f"something that pycollada does not read ({words})", "skipped")
    top_from_file = np.eye(4)
    match document.assetInfo.upaxis:
        case "Z_UP":
            builder.up_axis = "z"
        case "X_UP":
            top_from_file = _Y_UP_FROM_X_UP.copy()
    unit = document.assetInfo.unitmeter or 1.0
    if not 0.0 < unit < math.inf:
        builder.report("a unit that is no length", "taken as a metre")
        unit = 1.0
    top_from_file[:3] *= unit
    tree = _Tree(builder, _Materials(builder, FileFinder(path.parent), path))
    tree.add(document.scene.nodes if document.scene is not None else [], top_from_file)


class _Tree:
    """The nodes of a file, and the meshes that they share."""

    def __init__(self, builder: GlbBuilder, materials: _Materials) -> None:
        self._builder = builder
        self._materials = materials
        self._meshes: dict[tuple[object, ...], int | None] = {}

    def add(self, tops: list[Any], top_from_file: np.ndarray) -> None:
        """Add the topmost nodes and all below them, parents first."""
        pending = [(node, -1, top_from_file) for node in reversed(tops)]
        while pending:
            node, parent, parent_from_local = pending.pop()
            if isinstance(node, NodeNode):
                pending.append((node.node, parent, parent_from_local))
            elif isinstance(node, Node):
                matrix = parent_from_local @ np.asarray(node.matrix, dtype=np.float64)
                shapes = [child for child in node.children if isinstance(child, (GeometryNode, ControllerNode))]
                is_one = len(shapes) == 1 and isinstance(shapes[0], GeometryNode)
                alone = self._mesh(shapes[0]) if is_one else None
                number = self._builder.add_node(str(node.name or "node"), matrix, parent=parent, mesh=alone)
                rest = [child for child in node.children if alone is None or child is not shapes[0]]
                pending.extend((child, number, np.eye(4)) for child in reversed(rest))
            elif isinstance(node, (GeometryNode, ControllerNode)):
                mesh = self._mesh(node)
                if mesh is not None:
                    name = str(_geometry_of(node).name or "mesh")
                    shape = np.eye(4)
                    if isinstance(node, ControllerNode):
                        shape = np.asarray(getattr(node.controller, "bind_shape_matrix", shape), dtype=np.float64)
                    self._builder.add_node(name, parent_from_local @ shape, parent=parent, mesh=mesh)
            elif not isinstance(node, (CameraNode, LightNode, ExtraNode)):
                self._builder.report(f"a {type(node).__name__}", "left out")

    def _mesh(self, node: Any) -> int | None:
        """Return the mesh of a node that shows a geometry in its materials; the same two give the same one."""
        geometry = _geometry_of(node)
        if geometry is None:
            self._builder.report("a controller without a geometry", "left out")
            return None
        if isinstance(node, ControllerNode):
            self._builder.report("a skin or morph", "opened in its base shape")
        bound = {one.symbol: one for one in node.materials}
        uses = ((str(symbol), id(one.target), str(one.inputs)) for symbol, one in bound.items())
        key = (id(geometry), *sorted(uses))
        if key not in self._meshes:
            primitives = []
            for one in geometry.primitives:
                primitives += self._converted(one, bound.get(one.material))
            self._meshes[key] = self._builder.add_mesh(str(geometry.name or geometry.id or "mesh"), primitives)
        return self._meshes[key]

    def _converted(self, primitive: Any, bound: Any) -> list[Primitive]:
        """Convert triangles, polygons or lines, in the material `bound`; an empty list for what is none of these."""
        if not isinstance(primitive, (TriangleSet, Polylist, LineSet)):
            self._builder.report(f"a {type(primitive).__name__}", "left out")
            return []
        if primitive.vertex is None:
            return []
        corners = np.asarray(primitive.vertex_index, dtype=np.int64).ravel()
        if isinstance(primitive, Polylist):
            sizes = np.asarray(primitive.vcounts, dtype=np.int64)
        else:
            size = 2 if isinstance(primitive, LineSet) else 3
            sizes = np.full(len(corners) // size, size)
        attributes: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        if primitive.normal is not None:
            attributes["NORMAL"] = (primitive.normal, np.ravel(primitive.normal_index))
        sets = _uv_sets(primitive, bound)
        for number in sorted({0, *sets.values()}) if primitive.texcoordset else ():
            uvs = np.array(primitive.texcoordset[number][:, :2], dtype=np.float64)
            uvs[:, 1] = 1.0 - uvs[:, 1]
            attributes[f"TEXCOORD_{number}"] = (uvs, np.ravel(primitive.texcoord_indexset[number]))
        for offset, _, _, _, source in primitive.sources.get("COLOR", [])[:1]:
            colors = np.array(source.data, dtype=np.float64)
            if colors.ndim == 2 and colors.shape[1] in (3, 4):
                colors[:, :3] = linear_from_srgb(colors[:, :3])
                attributes["COLOR_0"] = (colors, np.ravel(primitive.index[..., offset]))
        material = None if bound is None else self._materials.number_of(bound.target, sets)
        positions = np.asarray(primitive.vertex, dtype=np.float64)
        return [primitive_of(Polygons(positions, sizes, corners, attributes), material, self._builder)]


def _geometry_of(node: Any) -> Any:
    """Return the geometry that a node shows, also by a skin or morph; None where there is none."""
    if isinstance(node, GeometryNode):
        return node.geometry
    return getattr(node.controller, "geometry", None) or getattr(node.controller, "source_geometry", None)


def _uv_sets(primitive: Any, bound: Any) -> dict[str, int]:
    """Return which of a primitive's sets of texture coordinates is meant by each symbol of a material's maps."""
    numbers = [number or "0" for _, _, _, number, _ in primitive.sources.get("TEXCOORD", [])]
    inputs = [] if bound is None else bound.inputs
    wanted = {symbol: number or "0" for symbol, semantic, number in inputs if semantic == "TEXCOORD"}
    return {symbol: numbers.index(number) for symbol, number in wanted.items() if number in numbers}


class _Materials:
    """The materials of a file, each converted once."""

    def __init__(self, builder: GlbBuilder, finder: FileFinder, path: Path) -> None:
        self._builder = builder
        self._finder = finder
        self._folder = path.parent
        self._numbers: dict[object, int] = {}
        self._images: dict[str, int] = {}

    def number_of(self, material: Any, uv_sets: Mapping[str, int]) -> int:
        """Return the builder's number of a material; symbols of its maps that have no UV set mean the first."""
        key = (id(material), *sorted(uv_sets.items()))
        if key not in self._numbers:
            self._numbers[key] = self._builder.add_material(self._converted(material, uv_sets))
        return self._numbers[key]

    def _converted(self, material: Any, uv_sets: Mapping[str, int]) -> dict[str, Any]:
        """Describe a material as glTF does. Colours of COLLADA are sRGB, and surfaces are seen from both sides."""
        effect = material.effect
        opacity = self._opacity(effect)
        surface: dict[str, Any] = {"metallicFactor": 0.0, "roughnessFactor": _roughness(effect)}
        texture = self._texture(effect.diffuse, uv_sets)
        color = [1.0, 1.0, 1.0] if texture else _linear(effect.diffuse)
        surface["baseColorFactor"] = [*color, opacity]
        if texture:
            surface["baseColorTexture"] = texture
        fields = {
            "name": str(material.name or material.id or "material"),
            "pbrMetallicRoughness": surface,
            "doubleSided": True,
        }
        glow = self._texture(effect.emission, uv_sets)
        if glow:
            fields |= {"emissiveTexture": glow, "emissiveFactor": [1.0, 1.0, 1.0]}
        elif any(_linear(effect.emission)):
            fields["emissiveFactor"] = _linear(effect.emission)
        if opacity < 1.0:
            fields["alphaMode"] = "BLEND"
        elif isinstance(effect.transparent, Map):  # cut out by the opacity of the image
            fields["alphaMode"] = "MASK"
        return fields

    def _opacity(self, effect: Any) -> float:
        """Compute the opacity as COLLADA 1.4.1 says. One of 0 is how some exporters write 1."""
        share = effect.transparency if isinstance(effect.transparency, float) else 1.0
        opacity = share
        if isinstance(effect.transparent, tuple):
            if effect.opaque_mode == OPAQUE_MODE.RGB_ZERO:
                opacity = 1.0 - share * float(np.dot(effect.transparent[:3], (0.212671, 0.715160, 0.072169)))
            else:
                opacity = share * float(effect.transparent[3])
        return opacity if 0.0 < opacity <= 1.0 else 1.0

    def _texture(self, value: Any, uv_sets: Mapping[str, int]) -> dict[str, Any] | None:
        """Return the texture of a property; None where it has a colour, or no file for the image is found."""
        if not isinstance(value, Map):
            return None
        name = str(value.sampler.surface.image.path or "")
        if name not in self._images:
            found = self._finder.find([name, unquote(name)])
            if found is None:
                expected = self._finder.expected(name)
                if expected is not None:
                    self._builder.dependencies.add(str(expected))
                self._builder.report(f"texture '{name[:60]}' is not found", "shown without it")
                return None
            relative = found.path.relative_to(self._folder) if found.path.is_relative_to(self._folder) else found.path
            self._images[name] = self._builder.add_image(quote(relative.as_posix()))
        texture = self._builder.texture(self._images[name], self._wrap(value.sampler))
        return texture | {"texCoord": uv_sets.get(value.texcoord, 0)}

    def _wrap(self, sampler: Any) -> tuple[Wrap, Wrap]:
        """Return how a sampler's image goes on beyond its borders; pycollada leaves that in the file's own words."""
        stated = {each.tag.rpartition("}")[2]: (each.text or "").strip() for each in sampler.xmlnode.iter()}
        along = (stated.get("wrap_s", ""), stated.get("wrap_t", ""))
        if "BORDER" in along or "NONE" in along:
            self._builder.report("a texture of another colour beyond its borders", "shown with the pixels there")
        along_u, along_v = (_WRAPS.get(each, "repeat") for each in along)
        return along_u, along_v


def _linear(color: Any) -> list[float]:
    """Return a colour in linear light; black where it is none."""
    if not isinstance(color, tuple) or len(color) < 3:
        return [0.0, 0.0, 0.0]
    return [float(value) for value in linear_from_srgb(np.clip(color[:3], 0.0, 1.0))]


def _roughness(effect: Any) -> float:
    """Return the roughness with a highlight like the material's; 1 where it has none."""
    shininess = effect.shininess
    if effect.shadingtype not in ("phong", "blinn") or not isinstance(shininess, float) or shininess <= 0.0:
        return 1.0
    return roughness_of_shininess(shininess)
