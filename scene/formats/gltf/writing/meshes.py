"""Write the geometry of a GLB: meshes as primitives, and the bytes that they point into."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene.formats.bulk_text import rows_of_text
from octoscope.scene.formats.export import tell
from octoscope.scene.formats.gltf import codes
from octoscope.scene.formats.gltf.writing.container import View
from octoscope.scene.geometry.colors import linear_from_srgb
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.mesh.layout import WHITE
from octoscope.scene.mesh.pool import Meshes
from octoscope.scene.system.atomic_file import WriteError, WriteProgress

# Positions are written as float32. Where that would move a vertex by more than this much of its mesh's half size, they
# are written relative to the mesh's centre, and the nodes that show the mesh are moved there. So are those that float32
# holds exactly, but would move by more than the second number once a graphics card has multiplied them by a matrix.
_LARGEST_MOVE = 1e-6
_LARGEST_DRAWN_MOVE = 1e-3
_MOST_SHORT_VERTICES = 65535  # index 65535 has a meaning of its own
_ARRAY, _INDICES = 34962, 34963  # targets of buffer views


@dataclass(frozen=True)
class PackedMeshes:
    """Meshes as a GLB has them."""

    centers: np.ndarray  # (k, 3) float64, what was subtracted from each mesh's positions; zero for most
    views: list[View]
    accessors: list[str]  # JSON of each
    primitive_counts: np.ndarray  # (k,) how many primitives each mesh has
    primitives: np.ndarray  # the JSON of all meshes' primitives, without its end: a material and "}" are to follow
    primitive_materials: np.ndarray  # (p,) int64 material ids


def pack_meshes(
    meshes: Meshes,
    ids: np.ndarray,
    *,
    uv_set_counts: np.ndarray,
    shown_uv_set_counts: np.ndarray,
    features: np.ndarray | None = None,
    progress: WriteProgress | None = None,
) -> PackedMeshes:
    """Pack some meshes of a pool.

    A mesh gets one primitive for each of its materials, and one more for its triangles that are shaded flat among
    others that are not. All share its vertices, which keep their order. Triangles with a corner that has no normal are
    flat, and their primitive has no normals: every program then takes the triangle's own.

    Texture coordinates are written for a mesh that has any, also if no texture uses them yet, and for one that is shown
    with a texture: without coordinates it is looked up at (0, 0), which the file then states. All primitives of a mesh
    have them or none, so that nodes that show it in other materials still share it.

    Args:
        ids: (k,) mesh ids, ascending.
        uv_set_counts: (m,) how many sets of texture coordinates the textures of each of the scene's materials use.
        shown_uv_set_counts: (k,) the same of other materials in which nodes show each of the meshes: the most.
        features: (v,) the feature, below 2**24, of each vertex of the first meshes; those behind have none. None: these
            neither.
    """
    geometry = _Geometry(meshes, ids, features)
    tell(progress, 0.1)
    elements = _elements(geometry)
    tell(progress, 0.25)
    used_sets = np.maximum(geometry.most_of(uv_set_counts[geometry.materials]), shown_uv_set_counts)
    has_second_uv = (used_sets > 1) | geometry.any_of(np.any(geometry.second_uvs, axis=1))
    has_uv = (used_sets > 0) | geometry.any_of(np.any(geometry.uvs, axis=1)) | has_second_uv
    views, accessors, accessors_of = _pack_vertices(geometry, has_uv, has_second_uv, elements)
    tell(progress, 0.4)
    firsts = np.cumsum(elements.counts) - elements.counts
    short = (geometry.vertex_counts <= _MOST_SHORT_VERTICES)[elements.meshes]
    index_accessors = np.empty(len(short), dtype=np.int64)
    for chosen, kind, dtype in ((short, codes.UNSIGNED_SHORT, np.uint16), (~short, codes.UNSIGNED_INT, np.uint32)):
        if chosen.any():
            counts = elements.counts[chosen]
            offsets = (np.cumsum(counts) - counts) * np.dtype(dtype).itemsize
            index_accessors[chosen] = len(accessors) + np.arange(len(counts))
            template = (
                f'{{"bufferView":{len(views)},"byteOffset":%d,"componentType":{kind},"count":%d,"type":"SCALAR"}}'
            )
            accessors += rows_of_text(template, offsets, counts).tolist()
            views.append((None, _INDICES, elements.indices[ranges(firsts[chosen], counts)].astype(dtype)))
    attributes = rows_of_text('"POSITION":%d', elements.meshes)
    for name, accessor_of_mesh in accessors_of.items():
        numbers = accessor_of_mesh[elements.meshes]
        has_it = elements.smooth if name == "NORMAL" else numbers >= 0
        attributes[has_it] += rows_of_text(f',"{name}":%d', numbers[has_it])
    primitives = rows_of_text('{"attributes":{%s},"indices":%d,"mode":%d', attributes, index_accessors, elements.modes)
    return PackedMeshes(
        geometry.centers,
        views,
        accessors,
        np.bincount(elements.meshes, minlength=len(ids)),
        primitives,
        elements.materials,
    )


class _Geometry:
    """The arrays of the chosen meshes, one mesh behind the other, and where each begins."""

    def __init__(self, meshes: Meshes, ids: np.ndarray, features: np.ndarray | None) -> None:
        rows = meshes.rows
        self.features = features
        self.vertex_counts = rows["vertex_count"][ids]
        self.first_vertices = np.cumsum(self.vertex_counts) - self.vertex_counts
        self.centers = np.zeros((len(ids), 3))
        whole = len(ids) == len(meshes)

        def part(element: str, column: np.ndarray) -> np.ndarray:
            if whole:
                return column
            return column[ranges(rows[f"first_{element}"][ids], rows[f"{element}_count"][ids])]

        self.positions = part("vertex", meshes.vertices["position"])
        self.normals = part("vertex", meshes.vertices["normal"])
        self.uvs = part("vertex", meshes.vertices["uv"])
        self.second_uvs = np.broadcast_to(np.float32(0.0), self.uvs.shape)
        if "second_uv" in meshes.vertices.names:
            self.second_uvs = part("vertex", meshes.vertices["second_uv"])
        self.colors = part("vertex", meshes.vertices["color"])
        self.materials = part("vertex", meshes.vertices["material"])
        self.has_normal: np.ndarray = np.any(self.normals, axis=1)
        self.elements = {
            codes.TRIANGLES: part("triangle", meshes.triangles["corners"]),
            codes.LINES: part("line", meshes.lines["ends"]),
            codes.POINTS: part("point", meshes.points["vertex"])[:, None],
        }
        self.element_counts = {
            mode: rows[f"{element}_count"][ids]
            for mode, element in ((codes.TRIANGLES, "triangle"), (codes.LINES, "line"), (codes.POINTS, "point"))
        }
        self._place(rows["lower"][ids], rows["upper"][ids])

    def _place(self, lower: np.ndarray, upper: np.ndarray) -> None:
        """Choose the centres; see _LARGEST_MOVE and _LARGEST_DRAWN_MOVE."""
        half_size = (upper / 2.0 - lower / 2.0).max(axis=1, initial=0.0)
        largest = np.maximum(np.abs(lower), np.abs(upper)).max(axis=1, initial=0.0)
        with np.errstate(over="ignore"):
            exact = self.any_of((self.positions.astype(np.float32) != self.positions).any(axis=1)) == 0
        largest_moves = largest * 2.0**-24
        far = (largest_moves > _LARGEST_MOVE * half_size) & ~exact
        far |= (largest_moves > _LARGEST_DRAWN_MOVE * half_size) & (half_size > 0.0)
        # On a coarse grid, so that a position that is read back is the sum of two short numbers.
        middle = lower / 2.0 + upper / 2.0
        has_size = far & (half_size > 0.0)
        grid = 2.0 ** np.ceil(np.log2(half_size[has_size]))[:, None]
        self.centers[far] = middle[far]
        with np.errstate(over="ignore"):  # where the grid is finer than float64, the centre is not rounded
            rounded = np.round(middle[has_size] / grid) * grid
        self.centers[has_size] = np.where(np.isfinite(rounded), rounded, middle[has_size])

    def meshes_with_features(self) -> np.ndarray:
        """Return the indices of the meshes whose vertices have features."""
        known = 0 if self.features is None else len(self.features)
        return np.flatnonzero(self.first_vertices < known)

    def any_of(self, flags: np.ndarray) -> np.ndarray:
        """Tell for each mesh whether one of its vertices' flags is set: (k,) bool."""
        return np.logical_or.reduceat(flags, self.first_vertices)

    def most_of(self, values: np.ndarray) -> np.ndarray:
        """Return for each mesh the largest of its vertices' values: (k,)."""
        return np.maximum.reduceat(values, self.first_vertices)


def _pack_vertices(
    geometry: _Geometry, has_uv: np.ndarray, has_second_uv: np.ndarray, elements: _Elements
) -> tuple[list[View], list[str], dict[str, np.ndarray]]:
    """Return buffer views, accessors, JSON each, and for each attribute (k,) int64 the accessor of every mesh, or -1.

    Positions are accessor k of mesh k.
    """
    counts, firsts = geometry.vertex_counts, geometry.first_vertices
    with np.errstate(over="ignore"):
        positions = (geometry.positions - np.repeat(geometry.centers, counts, axis=0)).astype("<f4")
    if not np.isfinite(positions).all():
        raise WriteError("an object is too large for a GLB, which holds numbers up to 3.4e38; scale it down")
    views: list[View] = [(12, _ARRAY, positions)]
    template = (
        f'{{"bufferView":0,"byteOffset":%d,"componentType":{codes.FLOAT},"count":%d,"type":"VEC3",'
        '"min":[%r,%r,%r],"max":[%r,%r,%r]}'
    )
    lower, upper = np.minimum.reduceat(positions, firsts), np.maximum.reduceat(positions, firsts)
    accessors = rows_of_text(template, firsts * 12, counts, lower, upper).tolist()
    numbers = {}
    linear = np.round(linear_from_srgb(np.arange(256) / 255.0) * 65535.0)
    levels = np.stack([linear, linear, linear, np.arange(256) * 257.0], axis=1).astype("<u2")
    for name, type_, component, chosen, rows_of in (
        (
            "TEXCOORD_0",
            "VEC2",
            f"{codes.FLOAT}",
            np.flatnonzero(has_uv),
            lambda geometry, rows: _image_uvs(geometry.uvs[rows]),
        ),
        (
            "TEXCOORD_1",
            "VEC2",
            f"{codes.FLOAT}",
            np.flatnonzero(has_second_uv),
            lambda geometry, rows: _image_uvs(geometry.second_uvs[rows]),
        ),
        (
            "COLOR_0",
            "VEC4",
            f'{codes.UNSIGNED_SHORT},"normalized":true',
            np.flatnonzero(geometry.any_of((geometry.colors != WHITE).any(axis=1))),
            lambda geometry, rows: np.take_along_axis(levels, geometry.colors[rows].astype(np.int64), axis=0),
        ),
        ("NORMAL", "VEC3", f"{codes.FLOAT}", np.unique(elements.meshes[elements.smooth]), _unit_normals),
        # As floats, since whole numbers of four bytes are none of the kinds that an attribute may have.
        (codes.FEATURE_IDS, "SCALAR", f"{codes.FLOAT}", geometry.meshes_with_features(), _features),
    ):
        numbers[name] = np.full(len(counts), -1)
        if len(chosen):
            array = rows_of(geometry, ranges(firsts[chosen], counts[chosen]))
            stride = array.itemsize * array.shape[1]
            offsets = (np.cumsum(counts[chosen]) - counts[chosen]) * stride
            numbers[name][chosen] = len(accessors) + np.arange(len(chosen))
            template = (
                f'{{"bufferView":{len(views)},"byteOffset":%d,"componentType":{component},"count":%d,"type":"{type_}"}}'
            )
            accessors += rows_of_text(template, offsets, counts[chosen]).tolist()
            views.append((stride, _ARRAY, array))
    return views, accessors, numbers


def _image_uvs(uvs: np.ndarray) -> np.ndarray:
    """Return texture coordinates with v from the top of the image, as glTF counts."""
    uvs = uvs.astype(np.float64)
    return np.stack([uvs[:, 0], 1.0 - uvs[:, 1]], axis=1).astype("<f4")


def _features(geometry: _Geometry, rows: np.ndarray) -> np.ndarray:
    assert geometry.features is not None
    return geometry.features[rows, None].astype("<f4")


def _unit_normals(geometry: _Geometry, rows: np.ndarray) -> np.ndarray:
    """Return normals that all have length 1; a missing one belongs to flat triangles only, which ignore it."""
    normals = geometry.normals[rows].astype("<f4")
    normals[~geometry.has_normal[rows]] = (0.0, 0.0, 1.0)
    return normals


@dataclass(frozen=True)
class _Elements:
    """All primitives, by mesh."""

    meshes: np.ndarray  # (p,) int64 index of the mesh
    modes: np.ndarray  # (p,) int64
    materials: np.ndarray  # (p,) int64
    smooth: np.ndarray  # (p,) bool, whether they have normals
    counts: np.ndarray  # (p,) int64, how many indices there are
    indices: np.ndarray  # (n,) of all primitives, one behind the other


def _elements(geometry: _Geometry) -> _Elements:
    parts, indices = [], []
    behind = 0
    for mode, elements in geometry.elements.items():
        if len(elements) == 0:
            continue
        mesh = np.repeat(np.arange(len(geometry.vertex_counts)), geometry.element_counts[mode])
        corners = elements + geometry.first_vertices[mesh][:, None]
        material = geometry.materials[corners[:, 0]].astype(np.int64)
        smooth = np.zeros(len(corners), dtype=np.bool_)
        if mode == codes.TRIANGLES:
            smooth[:] = geometry.has_normal[corners].all(axis=1)
        key = (mesh * (int(material.max()) + 1) + material) * 2 + smooth
        if (key[1:] < key[:-1]).any():
            order = np.argsort(key, kind="stable")
            key, mesh, material, smooth, elements = (
                column[order] for column in (key, mesh, material, smooth, elements)
            )
        begins = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
        counts = np.diff(begins, append=len(key)) * elements.shape[1]
        parts.append(
            np.stack(
                [
                    mesh[begins],
                    np.full(len(begins), mode),
                    material[begins],
                    smooth[begins],
                    counts,
                    behind + begins * elements.shape[1],
                ]
            )
        )
        indices.append(elements.ravel())
        behind += elements.size
    table = np.concatenate(parts, axis=1)
    meshes, modes, materials, smooth, counts, firsts = table[:, np.argsort(table[0], kind="stable")]
    flat = np.concatenate(indices)
    return _Elements(meshes, modes, materials, smooth != 0, counts, flat[ranges(firsts, counts)])
