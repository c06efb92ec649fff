"""Meshes and simple shapes of USD, as meshes of a GLB. Prims that are instances of one prototype share them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import trimesh
from pxr import Usd, UsdGeom

from octoscope.scene.formats.converted.glb_builder import GlbBuilder, Primitive
from octoscope.scene.formats.converted.polygons import Polygons, primitive_of
from octoscope.scene.formats.converted.usd_materials import Materials, uvs_of
from octoscope.scene.formats.gltf.codes import POINTS

_EARLIEST = Usd.TimeCode.EarliestTime()
_SEGMENTS, _RINGS = 32, 16  # around a round shape, and from pole to pole
_PRIMVAR = "primvars:"  # before the names of attributes that may become texture coordinates
_Attributes = dict[str, tuple[np.ndarray, np.ndarray]]


class Shapes:
    """The meshes of a stage, each converted once."""

    def __init__(self, builder: GlbBuilder, materials: Materials) -> None:
        self._builder = builder
        self._materials = materials
        self._meshes: dict[object, int | None] = {}

    def mesh_of(self, prim: Any) -> int | None:
        """Return the builder's number of what a prim itself shows; None where it shows nothing."""
        if not prim.IsA(UsdGeom.Gprim):
            return None
        # Within an instance the prim of its prototype stands for all; what is bound to it is the same for all, too.
        own = prim.GetPrimInPrototype() if prim.IsInstanceProxy() else prim
        if own.GetPath() not in self._meshes:
            self._meshes[own.GetPath()] = self._builder.add_mesh(prim.GetName(), self._primitives(prim))
        return self._meshes[own.GetPath()]

    def _primitives(self, prim: Any) -> list[Primitive]:
        if prim.IsA(UsdGeom.Mesh):
            return self._of_mesh(UsdGeom.Mesh(prim))
        if prim.IsA(UsdGeom.Points):
            return self._of_points(UsdGeom.Points(prim))
        shape = _simple_shape(prim)
        if shape is None:
            self._builder.report(f"a shape of the kind {prim.GetTypeName()}", "left out")
            return []
        positions, faces = shape
        attributes = self._display_colors(prim, faces)
        polygons = Polygons(positions, np.full(len(faces), faces.shape[1]), faces.ravel(), attributes)
        return [primitive_of(polygons, self._material(prim, polygons), self._builder)]

    def _material(self, prim: Any, polygons: Polygons) -> int | None:
        return self._materials.number_of(prim, has_colors="COLOR_0" in polygons.attributes)

    def _of_points(self, points: Any) -> list[Primitive]:
        positions = _array(points.GetPointsAttr(), 3)
        if not len(positions):
            return []
        corners = np.arange(len(positions))
        attributes = {}
        for name, (values, rows) in self._display_colors(points.GetPrim(), corners[:, None]).items():
            attributes[name] = values[rows]
        material = self._materials.number_of(points.GetPrim(), has_colors=bool(attributes))
        return [Primitive(POINTS, positions, attributes, corners, material)]

    def _of_mesh(self, mesh: Any) -> list[Primitive]:
        """Convert a mesh: a primitive for each material that is bound to some of its faces, and one for the rest."""
        prim = mesh.GetPrim()
        polygons = self._polygons(mesh)
        if not len(polygons.sizes):
            return []
        if mesh.GetSubdivisionSchemeAttr().Get() != UsdGeom.Tokens.none and "NORMAL" not in polygons.attributes:
            self._builder.report("a subdivision surface", "its control mesh is shown, which --smooth rounds")
        rest = np.ones(len(polygons.sizes), dtype=np.bool_)
        primitives = []
        for subset in self._materials.subsets(prim):
            faces = np.asarray(subset.GetIndicesAttr().Get(_EARLIEST) or (), dtype=np.int64)
            faces = faces[(faces >= 0) & (faces < len(rest))]
            faces = faces[rest[faces]]
            rest[faces] = False
            part = polygons.chosen(faces)
            primitives.append(self._primitive(subset.GetPrim(), part))
        if rest.any():
            part = polygons.chosen(rest)
            primitives.append(self._primitive(prim, part))
        return primitives

    def _primitive(self, prim: Any, polygons: Polygons) -> Primitive:
        material = self._material(prim, polygons)
        attributes = {name: value for name, value in polygons.attributes.items() if not name.startswith(_PRIMVAR)}
        pairs = {name: value for name, value in polygons.attributes.items() if name.startswith(_PRIMVAR)}
        if pairs:
            likeliest = next(iter(pairs.values()))
            for number, name in enumerate(self._materials.primvars_of(material) or [""]):
                attributes[f"TEXCOORD_{number}"] = pairs.get(_PRIMVAR + name, likeliest)
        return primitive_of(replace(polygons, attributes=attributes), material, self._builder)

    def _polygons(self, mesh: Any) -> Polygons:
        """Return the faces of a mesh, without holes, counter-clockwise from in front."""
        positions = _array(mesh.GetPointsAttr(), 3)
        sizes = _array(mesh.GetFaceVertexCountsAttr(), 1).astype(np.int64).ravel()
        corners = _array(mesh.GetFaceVertexIndicesAttr(), 1).astype(np.int64).ravel()
        if (sizes < 0).any() or int(sizes.sum()) != len(corners):
            self._builder.report("a mesh whose faces do not say which corners are theirs", "left out")
            return Polygons(positions, np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
        prim = mesh.GetPrim()
        faces = np.repeat(np.arange(len(sizes)), sizes)
        attributes = self._display_colors(prim, corners, faces)
        primvars = UsdGeom.PrimvarsAPI(prim)
        normals = primvars.GetPrimvar("normals")
        if normals and normals.HasValue():
            attributes["NORMAL"] = (_flattened(normals, 3), _rows(normals.GetInterpolation(), corners, faces))
        elif mesh.GetNormalsAttr().HasValue():
            values = _array(mesh.GetNormalsAttr(), 3)
            attributes["NORMAL"] = (values, _rows(mesh.GetNormalsInterpolation(), corners, faces))
        for uvs in uvs_of(prim):
            values = _flattened(uvs, 2)
            values[:, 1] = 1.0 - values[:, 1]
            attributes[_PRIMVAR + uvs.GetPrimvarName()] = (values, _rows(uvs.GetInterpolation(), corners, faces))
        polygons = Polygons(positions, sizes, corners, attributes)
        holes = _array(mesh.GetHoleIndicesAttr(), 1).astype(np.int64).ravel()
        if len(holes):
            polygons = polygons.chosen(~np.isin(np.arange(len(sizes)), holes))
        if mesh.GetOrientationAttr().Get() == UsdGeom.Tokens.leftHanded:
            polygons = _reversed(polygons)
        return polygons

    def _display_colors(self, prim: Any, corners: np.ndarray, faces: np.ndarray | None = None) -> _Attributes:
        """Return the displayColor and displayOpacity of a prim or of what is above it, in linear light.

        Args:
            corners: (c,) rows of vertices, of the faces (c,); or (f, k), a row for each face.
        """
        found: _Attributes = {}
        primvars = UsdGeom.PrimvarsAPI(prim)
        color = primvars.FindPrimvarWithInheritance("displayColor")
        if not color or not color.HasValue():
            return found
        values = np.clip(np.nan_to_num(_flattened(color, 3)), 0.0, 1.0)
        opacity = primvars.FindPrimvarWithInheritance("displayOpacity")
        alphas = _flattened(opacity, 1) if opacity and opacity.HasValue() else np.ones((1, 1))
        if len(alphas) in (1, len(values)) and (alphas < 1.0).any():
            alphas = np.broadcast_to(np.clip(np.nan_to_num(alphas), 0.0, 1.0), (len(values), 1))
            values = np.concatenate([values, alphas], axis=1)
        if faces is None:
            faces = np.repeat(np.arange(len(corners)), corners.shape[1])
            corners = corners.ravel()
        found["COLOR_0"] = (values, _rows(color.GetInterpolation(), corners, faces))
        return found


def _rows(interpolation: str, corners: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Return the row of each corner in the values of an attribute, (c,), from its vertex and its face."""
    tokens = UsdGeom.Tokens
    if interpolation == tokens.constant:
        return np.zeros_like(corners)
    if interpolation == tokens.uniform:
        return faces
    return np.arange(len(corners)) if interpolation == tokens.faceVarying else corners


def _array(attribute: Any, width: int) -> np.ndarray:
    """Return an attribute's values as (n, width) float64; none where it has values of another kind."""
    return _columns(attribute.Get(_EARLIEST), width)


def _flattened(primvar: Any, width: int) -> np.ndarray:
    """Return a primvar's values (n, width) float64, with its indices, if it has any, put in; as `_array`."""
    return _columns(primvar.ComputeFlattened(_EARLIEST), width)


def _columns(values: Any, width: int) -> np.ndarray:
    try:
        array = np.array(() if values is None else values, dtype=np.float64)
    except (TypeError, ValueError):
        array = np.empty(0)
    suits = array.ndim == 2 and array.shape[1] == width if width > 1 else array.ndim == 1
    return array.reshape(-1, width) if suits else np.empty((0, width))


def _reversed(polygons: Polygons) -> Polygons:
    ends = np.cumsum(polygons.sizes)
    begins = ends - polygons.sizes
    order = np.repeat(begins + ends - 1, polygons.sizes) - np.arange(len(polygons.corners))
    attributes = {name: (values, rows[order]) for name, (values, rows) in polygons.attributes.items()}
    return Polygons(polygons.positions, polygons.sizes, polygons.corners[order], attributes)


def _simple_shape(prim: Any) -> tuple[np.ndarray, np.ndarray] | None:
    """Return (v, 3) positions and (f, k) faces of a cube, sphere, cylinder, cone, capsule or plane; None for others."""
    if prim.IsA(UsdGeom.Cube):
        box = trimesh.creation.box([_number(UsdGeom.Cube(prim).GetSizeAttr())] * 3)
        return box.vertices, box.faces
    if prim.IsA(UsdGeom.Plane):
        plane = UsdGeom.Plane(prim)
        half_width, half_length = _number(plane.GetWidthAttr()) / 2.0, _number(plane.GetLengthAttr()) / 2.0
        flat = [(-half_width, -half_length, 0.0), (half_width, -half_length, 0.0)]
        flat += [(half_width, half_length, 0.0), (-half_width, half_length, 0.0)]
        return _along(np.array(flat), plane.GetAxisAttr().Get()), np.array([(0, 1, 2, 3)])
    outline = _outline(prim)
    if outline is None:
        return None
    profile, axis = outline
    solid = trimesh.creation.revolve(profile, sections=_SEGMENTS)
    return _along(solid.vertices, axis), solid.faces


def _outline(prim: Any) -> tuple[np.ndarray, str] | None:
    """Return the profile of a round shape, (k, 2) radii and heights from below, and its axis; None for others."""
    if prim.IsA(UsdGeom.Sphere):
        angles = np.linspace(-np.pi / 2.0, np.pi / 2.0, _RINGS + 1)
        return _number(UsdGeom.Sphere(prim).GetRadiusAttr()) * np.stack([np.cos(angles), np.sin(angles)], axis=1), "Z"
    for kind in (UsdGeom.Cylinder, UsdGeom.Cone, UsdGeom.Capsule):
        if prim.IsA(kind):
            shape = kind(prim)
            radius, half = _number(shape.GetRadiusAttr()), _number(shape.GetHeightAttr()) / 2.0
            profile = np.array([(0.0, -half), (radius, -half), (radius, half), (0.0, half)])
            if kind is UsdGeom.Cone:
                profile = profile[[0, 1, 3]]
            elif kind is UsdGeom.Capsule:
                angles = np.linspace(0.0, np.pi / 2.0, _RINGS // 2 + 1)
                cap = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1) + (0.0, half)
                profile = np.concatenate([cap[::-1] * (1.0, -1.0), cap])
            return profile, shape.GetAxisAttr().Get()
    return None


def _along(positions: np.ndarray, axis: str) -> np.ndarray:
    """Turn what stands along Z so that it stands along another axis."""
    order = {"X": [2, 0, 1], "Y": [1, 2, 0]}.get(axis, [0, 1, 2])
    return positions[:, order]


def _number(attribute: Any) -> float:
    value = float(attribute.Get(_EARLIEST))
    return value if math.isfinite(value) else 0.0
