"""Write meshes as the text of an OBJ file."""

from __future__ import annotations

import numpy as np

from octoscope.scene.formats.bulk_text import rows_of_templates, rows_of_text
from octoscope.scene.geometry.polygon_merging import merge_polygons
from octoscope.scene.geometry.ranges import unique_rows
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.layout import WHITE

_SHADES = np.array([f"{level / 255.0:.4g}" for level in range(256)], dtype=object)


def text_of(
    batch: MeshBatch, headings: list[str], materials: np.ndarray, names: list[str], written: np.ndarray
) -> tuple[str, np.ndarray]:
    """Write the statements of a batch of meshes, each after its heading.

    Args:
        materials: (v,) int, the index of each vertex's material in `names`, or -1.
        written: (3,) int, how many v, vt and vn statements stand before.

    Returns:
        the text, and how many v, vt and vn statements it holds, (3,) int64.
    """
    mesh_of_vertex = batch.mesh_of_vertices
    faces = _Faces(batch, mesh_of_vertex)
    lines, points = batch.rows_of("line"), batch.rows_of("point")
    used = np.zeros(len(batch.positions), dtype=np.bool_)
    for rows in (faces.corners, lines.ravel(), points):
        used[rows] = True
    vertex_rows, vertex_numbers = _vertices(batch, mesh_of_vertex, np.flatnonzero(used))
    uv_rows, uv_numbers = _in_order_of_use(faces.corners[faces.corner_has_uv], mesh_of_vertex, batch.uvs)
    normal_rows, normal_numbers = _in_order_of_use(
        faces.corners[faces.corner_has_normal], mesh_of_vertex, batch.normals
    )
    numbers = np.stack([vertex_numbers, uv_numbers, normal_numbers], axis=1) + written + 1
    elements = [
        faces.text(numbers),
        _polylines(lines, materials, numbers[:, 0]),
        (points, rows_of_text("p %d", numbers[points, 0])),
    ]
    body, body_meshes = _with_materials(elements, mesh_of_vertex, materials, names)
    parts = [
        (np.arange(len(batch)), np.array(headings, dtype=object)),
        (mesh_of_vertex[vertex_rows], _vertex_text(batch, mesh_of_vertex, used, vertex_rows)),
        (mesh_of_vertex[uv_rows], rows_of_text("vt %s %s", _shortest(batch.uvs[uv_rows]))),
        (mesh_of_vertex[normal_rows], rows_of_text("vn %s %s %s", _shortest(batch.normals[normal_rows]))),
        (body_meshes, body),
    ]
    order = np.argsort(np.concatenate([meshes for meshes, _ in parts]), kind="stable")
    text = "\n".join(np.concatenate([lines for _, lines in parts])[order].tolist())
    return f"{text}\n", np.array([len(vertex_rows), len(uv_rows), len(normal_rows)])


class _Faces:
    """The polygons of a batch.

    Attributes:
        sizes: (p,) how many corners each has.
        corners: (c,) rows of vertices.
        firsts: (p,) first corner of each.
        has_uv: (p,) whether their corners state texture coordinates.
        has_normal: (p,) whether their corners state normals.
        corner_has_uv, corner_has_normal: (c,) of each corner's polygon.
    """

    def __init__(self, batch: MeshBatch, mesh_of_vertex: np.ndarray) -> None:
        triangles = batch.rows_of("triangle")
        self.sizes, self.corners, _ = merge_polygons(triangles, batch.edges, batch.triangle_counts, batch.positions)
        self.firsts = np.cumsum(self.sizes) - self.sizes
        # A mesh without texture coordinates has zeros.
        mesh_has_uv = np.zeros(len(batch), dtype=np.bool_)
        mesh_has_uv[mesh_of_vertex[self.corners[batch.uvs[self.corners].any(axis=1)]]] = True
        self.has_uv = mesh_has_uv[mesh_of_vertex[self.corners[self.firsts]]]
        # One corner without a normal makes a face flat.
        smooth = batch.normals[self.corners].any(axis=1)
        self.has_normal = np.logical_and.reduceat(smooth, self.firsts) if len(self.sizes) else smooth
        self.corner_has_uv = np.repeat(self.has_uv, self.sizes)
        self.corner_has_normal = np.repeat(self.has_normal, self.sizes)

    def text(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Write the faces: each one's first corner, and its statement; `numbers`: (v, 3) v, vt and vn of vertices."""
        kinds, kind_of_face = np.unique(self.sizes * 4 + self.has_uv * 2 + self.has_normal, return_inverse=True)
        forms = (" %d", " %d//%d", " %d/%d", " %d/%d/%d")
        templates = np.array(["f" + forms[kind % 4] * (kind // 4) for kind in kinds.tolist()], dtype=object)
        stated = np.stack(
            [np.ones(len(self.corners), dtype=np.bool_), self.corner_has_uv, self.corner_has_normal], axis=1
        )
        return self.corners[self.firsts], rows_of_templates(templates[kind_of_face], numbers[self.corners][stated])


def _vertices(batch: MeshBatch, mesh_of_vertex: np.ndarray, used: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Choose the rows that get a `v` statement, and number each vertex (v,) by its own.

    Vertices that were one in their file are one again, in its order.
    """
    mesh, source = mesh_of_vertex[used], batch.source_vertices[used]
    order = np.lexsort((source, mesh))
    begins = np.concatenate([[True], (np.diff(mesh[order]) != 0) | (np.diff(source[order]) != 0)])[: len(order)]
    numbers = np.zeros(len(batch.positions), dtype=np.int64)
    numbers[used[order]] = np.cumsum(begins) - 1
    return used[order[begins]], numbers


def _in_order_of_use(
    corners: np.ndarray, mesh_of_vertex: np.ndarray, values: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Choose the rows whose values, (v, k) float32, get a statement, and number each vertex (v,) by its own.

    Equal values of a mesh get one, in the order in which the faces' corners use them.
    """
    rows, firsts = np.unique(corners, return_index=True)
    rows = rows[np.argsort(firsts)]
    bits = np.ascontiguousarray(values).view(np.uint32)[rows]
    different, numbers_of_rows = unique_rows(mesh_of_vertex[rows], *bits.T)
    numbers = np.zeros(len(values), dtype=np.int64)
    numbers[rows] = numbers_of_rows
    return rows[different], numbers


def _vertex_text(batch: MeshBatch, mesh_of_vertex: np.ndarray, used: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Write the `v` statements of some vertices; with colours where their mesh has any."""
    text = rows_of_text("v %r %r %r", batch.positions[rows])
    tinted = np.zeros(len(batch), dtype=np.bool_)
    tinted[mesh_of_vertex[used & (batch.colors[:, :3] != WHITE).any(axis=1)]] = True
    chosen = tinted[mesh_of_vertex[rows]]
    if chosen.any():
        text[chosen] += rows_of_text(" %s %s %s", _SHADES[batch.colors[rows[chosen], :3]])
    return text


def _shortest(values: np.ndarray) -> np.ndarray:
    """Write float32 numbers, each as short as it reads back equal."""
    return values.astype(np.dtypes.StringDType())


def _polylines(lines: np.ndarray, materials: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Write lines as polylines where one begins at the end of the one before; the first vertex and text of each."""
    begins = np.ones(len(lines), dtype=np.bool_)
    first, second = lines[:-1], lines[1:]
    begins[1:] = (second[:, 0] != first[:, 1]) | (materials[second[:, 0]] != materials[first[:, 0]])
    counts = np.diff(np.flatnonzero(begins), append=len(lines))
    different, kinds = np.unique(counts, return_inverse=True)
    templates = np.array(["l" + " %d" * (count + 1) for count in different.tolist()], dtype=object)
    stated = np.stack([begins, np.ones(len(lines), dtype=np.bool_)], axis=1)
    return lines[begins, 0], rows_of_templates(templates[kinds], numbers[lines][stated])


def _with_materials(
    elements: list[tuple[np.ndarray, np.ndarray]], mesh_of_vertex: np.ndarray, materials: np.ndarray, names: list[str]
) -> tuple[np.ndarray, np.ndarray]:
    """Order statements by mesh, with `usemtl` where the material changes and where a mesh begins.

    Args:
        elements: (first vertex of each, statement of each), one for each kind of element.

    Returns:
        the statements, and each one's mesh.
    """
    rows = np.concatenate([rows for rows, _ in elements])
    text = np.concatenate([text for _, text in elements])
    order = np.argsort(mesh_of_vertex[rows], kind="stable")
    text, mesh, material = text[order], mesh_of_vertex[rows[order]], materials[rows[order]]
    begins = np.ones(len(text), dtype=np.bool_)
    begins[1:] = (np.diff(mesh) != 0) | (np.diff(material) != 0)
    begins &= material >= 0
    if begins.any():
        statements = np.array([f"usemtl {name}\n" for name in names], dtype=object)
        text[begins] = statements[material[begins]] + text[begins]
    return text, mesh
