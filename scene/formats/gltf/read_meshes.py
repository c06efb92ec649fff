"""Read glTF meshes: all primitives of one become one mesh, whose vertices stay in the file's order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.scene.formats.gltf.accessors import Accessors, accessors_of
from octoscope.scene.formats.gltf.document import GltfDocument, broken, names_of
from octoscope.scene.formats.gltf.elements import elements_of, expand, number_vertices, read_blocks
from octoscope.scene.formats.gltf.primitives import Primitives, centers_of, primitives_of, without_repeated
from octoscope.scene.geometry.colors import srgb_from_linear
from octoscope.scene.geometry.normals import unit_normals
from octoscope.scene.geometry.ranges import index_in, unique_rows
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.layout import WHITE
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems

# A corner takes a byte of a file at least; a file with far more corners refers to the same bytes again and again.
_MOST_CORNERS_PER_BYTE = 4
_MOST_CORNERS_OF_ANY = 2**20
# That each takes until the meshes are made.
_CORNER_BYTES = 58
_VERTEX_BYTES = 120
_SECOND_UV_BYTES = 32


@dataclass(frozen=True)
class ReadMeshes:
    """The meshes that were read, in columns (m,) by their index in the file."""

    batch: MeshBatch  # those that hold something, each once
    rows: np.ndarray  # their index in it, or -1
    overrides: np.ndarray  # the material that a node with this mesh gets, where only that is its own, or -1
    centers: np.ndarray  # (m, 3) what was subtracted from its positions when Octoscope wrote it
    vertex_count: int  # vertices that the file states
    positions: np.ndarray  # (p,) accessors, whose items `source_vertices` counts one behind the other


def read_meshes(document: GltfDocument, uv_sets: np.ndarray, textured: np.ndarray, problems: Problems) -> ReadMeshes:
    """Read all meshes of a file.

    Args:
        uv_sets: (k, 2) the set of texture coordinates that each material uses first, and the other, or NONE.
        textured: (k,) bool, whether it has a texture.
    """
    meshes = document.objects("meshes")
    accessors = accessors_of(document)
    centers = centers_of(meshes)
    primitives = primitives_of(document, meshes, accessors, uv_sets, textured, problems)
    primitives, originals, overrides = without_repeated(primitives, centers)
    batch, kept = _batch(document, primitives, accessors, centers, problems)
    rows = index_in(kept, len(meshes))
    stated = np.unique(primitives.positions)
    return ReadMeshes(batch, rows[originals], overrides, centers, int(accessors.counts[stated].sum()), stated)


def _batch(
    document: GltfDocument, primitives: Primitives, accessors: Accessors, centers: np.ndarray, problems: Problems
) -> tuple[MeshBatch, np.ndarray]:
    """Return the meshes, and their indices in the file."""
    limits = accessors.counts[primitives.positions]
    index_counts = np.where(primitives.indices >= 0, accessors.counts[primitives.indices], limits)
    widths, element_counts = elements_of(primitives.modes, index_counts)
    corner_counts = widths * element_counts
    total = int(corner_counts.sum())
    stated = np.unique(primitives.positions)
    if total > _MOST_CORNERS_PER_BYTE * len(document.data) + _MOST_CORNERS_OF_ANY or (
        accessors.counts[stated].sum() >= 2**31
    ):
        raise broken(
            document.path, f"its meshes come to {total:,} corners, more than {len(document.data):,} bytes hold"
        )
    # A vertex has one material: primitives that share vertices but not the material get vertices of their own.
    current_limits().take(_CORNER_BYTES * total)
    keys = np.stack([primitives.meshes, primitives.materials, *primitives.geometry().T[2:]], axis=1)
    firsts, block_of_primitive = unique_rows(*keys.T)
    blocks = keys[firsts]
    corners = np.empty(total, dtype=np.int64)
    expand(
        accessors.data,
        primitives.modes,
        primitives.indices,
        accessors.starts,
        accessors.strides,
        accessors.components,
        index_counts,
        limits,
        corners,
    )
    ordered = np.argsort(block_of_primitive, kind="stable")
    used = np.empty(total, dtype=np.int64)
    block_counts = np.zeros(len(blocks), dtype=np.int64)
    used_count = number_vertices(
        ordered,
        block_of_primitive,
        blocks[:, 0],
        corner_counts,
        int(limits.max(initial=0)),
        corners,
        used,
        block_counts,
    )
    used = used[:used_count]
    current_limits().take(_VERTEX_BYTES * used_count)
    batch_columns = _vertices(accessors, blocks, block_counts, used, stated)
    mesh_of_vertex = np.repeat(blocks[:, 0], block_counts)
    batch_columns["positions"] += centers[mesh_of_vertex]
    return _assembled(document, primitives, widths, element_counts, corners, mesh_of_vertex, batch_columns, problems)


def _vertices(
    accessors: Accessors, blocks: np.ndarray, counts: np.ndarray, used: np.ndarray, stated: np.ndarray
) -> dict[str, np.ndarray]:
    """Return the vertex columns of a MeshBatch; `blocks` as in _batch."""
    n = len(used)
    _, materials, positions, normals, uvs, second_uvs, colors = blocks.T
    firsts_in_file = np.zeros(len(accessors.counts), dtype=np.int64)
    firsts_in_file[stated] = np.cumsum(accessors.counts[stated]) - accessors.counts[stated]

    def read(chosen: np.ndarray, width: int, default: float) -> np.ndarray:
        out = np.full((n, width), default)
        if (chosen >= 0).any():
            table = (accessors.starts, accessors.strides, accessors.components, accessors.normalized, accessors.widths)
            read_blocks(accessors.data, *table, chosen, counts, used, out)
        return out

    def read_uvs(chosen: np.ndarray) -> np.ndarray:
        image_uvs = read(chosen, 2, 0.0)
        has_uv = np.repeat(chosen >= 0, counts)
        image_uvs[has_uv, 1] = 1.0 - image_uvs[has_uv, 1]  # glTF counts from the top of the image
        return np.nan_to_num(image_uvs, posinf=0.0, neginf=0.0).astype(np.float32)

    has_second = bool((second_uvs >= 0).any())
    current_limits().take(_SECOND_UV_BYTES * n * has_second)
    return {
        **({"second_uvs": read_uvs(second_uvs)} if has_second else {}),
        "positions": read(positions, 3, 0.0),
        "normals": unit_normals(read(normals, 3, 0.0)),
        "uvs": read_uvs(uvs),
        "colors": _bytes_of_linear(read(colors, 4, 1.0)) if (colors >= 0).any() else np.full((n, 4), WHITE, np.uint8),
        "material_ids": np.repeat(materials, counts).astype(np.int32),
        "source_vertices": (np.repeat(firsts_in_file[positions], counts) + used).astype(np.int32),
    }


def _bytes_of_linear(colors: np.ndarray) -> np.ndarray:
    """Convert linear colours and opacity to (n, 4) uint8 sRGB and opacity."""
    colors = np.clip(np.nan_to_num(colors, nan=1.0), 0.0, 1.0)
    colors[:, :3] = srgb_from_linear(colors[:, :3])
    return np.round(colors * 255.0).astype(np.uint8)


def _assembled(
    document: GltfDocument,
    primitives: Primitives,
    widths: np.ndarray,
    element_counts: np.ndarray,
    corners: np.ndarray,
    mesh_of_vertex: np.ndarray,
    vertices: dict[str, np.ndarray],
    problems: Problems,
) -> tuple[MeshBatch, np.ndarray]:
    """Assemble meshes, without the elements that cannot be shown; returns them and their indices in the file."""
    mesh_count = len(document.objects("meshes"))
    vertex_counts = np.bincount(mesh_of_vertex, minlength=mesh_count)
    first_vertices = np.cumsum(vertex_counts) - vertex_counts
    finite = np.isfinite(vertices["positions"]).all(axis=1)
    mesh_of_element = np.repeat(primitives.meshes, element_counts)
    width_of_element = np.repeat(widths, element_counts)
    width_of_corner = np.repeat(width_of_element, width_of_element)
    elements, counts = [], []
    for width in (3, 2, 1):
        mesh = mesh_of_element[width_of_element == width]
        rows = corners[width_of_corner == width].reshape(-1, width)
        inside = (rows >= 0).all(axis=1)
        shown = inside.copy()
        shown[inside] = finite[rows[inside] + first_vertices[mesh[inside], None]].all(axis=1)
        what = f"{('point', 'line', 'triangle')[width - 1]}s with a vertex that"
        for fault, flags in (("the file does not have", ~inside), ("is not at a finite position", inside & ~shown)):
            problems.report("mesh-data", f"{what} {fault}", "skipped", count=int(flags.sum()))
        elements.append(rows[shown].astype(np.int32))
        counts.append(np.bincount(mesh[shown], minlength=mesh_count))
    kept = counts[0] + counts[1] + counts[2] > 0
    empty = int((np.bincount(primitives.meshes, minlength=mesh_count) > 0)[~kept].sum())
    problems.report("empty-mesh", "a mesh without anything to show", "left out", count=empty)
    # No element has vertices that are not finite any more, but they must not extend their mesh's bounds.
    substitute = np.zeros(mesh_count, dtype=np.int64)
    good = np.flatnonzero(finite)
    substitute[mesh_of_vertex[good[::-1]]] = good[::-1]
    vertices["positions"][~finite] = vertices["positions"][substitute[mesh_of_vertex[~finite]]]
    if not kept.all():
        vertices = {name: column[kept[mesh_of_vertex]] for name, column in vertices.items()}
    batch = MeshBatch.with_defaults(
        names_of(document.objects("meshes"), [""] * mesh_count)[kept],
        [each[kept] for each in (vertex_counts, *counts)],
        triangles=elements[0],
        lines=elements[1],
        points=elements[2][:, 0],
        **vertices,
    )
    return batch, np.flatnonzero(kept)
