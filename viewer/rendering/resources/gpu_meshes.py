"""GpuMeshes: the graphics card's copy of a pool of meshes, uploaded in pieces, so that no picture waits for all.

Meshes only grow, so only what is new is uploaded. All vertices go first, then the indices of each element in the
pool's order: a mesh can be drawn once its last index is there.
"""

from __future__ import annotations

import time

import moderngl
import numpy as np

from octoscope.scene import Meshes
from octoscope.scene.mesh.layout import WHITE
from octoscope.scene.mesh.polygon_edges import PolygonEdges
from octoscope.scene.mesh.table import ColumnTable
from octoscope.viewer.frame.detail.detail_levels import DetailLevels
from octoscope.viewer.frame.detail.level_choice import LEVELS
from octoscope.viewer.frame.frame import INDICES_OF as _ALL_INDICES_OF
from octoscope.viewer.rendering.resources.normal_folding import FLAT, fold_normals

INDICES_OF = {element: count for element, count in _ALL_INDICES_OF.items() if element != "cap"}  # GpuCaps has those
VERTEX = np.dtype(
    [
        ("position", "f4", 3),
        ("normal", "f2", 2),
        ("uv", "f4", 2),
        ("color", "u1", 4),
        ("material", "u4"),
        ("mesh", "u4"),
    ]
)
_FORMATS = {
    "position": "3f4",
    "normal": "2f2",
    "uv": "2f4",
    "color": "4f1",
    "material": "1u4",
    "mesh": "1u4",
}  # as moderngl writes them
SECOND_UV_BYTES = 8
_AT_ONCE = 2**15  # vertices, or rows of indices, in a piece, which takes some milliseconds


class GpuMeshes:
    """Vertex and index pools on the graphics card.

    Attributes:
        vertices: buffer of all vertices.
        second_uvs: buffer of the second texture coordinates of all vertices, or None: no mesh has any.
        indices: buffers of uint32 indices into all vertices, by element of INDICES_OF.
        colored: True if any vertex has a colour of its own.
        smooth: True if any vertex has a normal.
        has_uvs: True if any vertex has texture coordinates other than (0, 0).
    """

    def __init__(self, ctx: moderngl.Context) -> None:
        self._ctx = ctx
        self._meshes: Meshes | None = None
        self._edges: PolygonEdges | None = None
        self._levels: DetailLevels | None = None
        self._done = dict.fromkeys(("vertex", "second_uv", *INDICES_OF), 0)  # rows that are uploaded
        self._wanted = dict(self._done)
        self.vertices = ctx.buffer(reserve=VERTEX.itemsize)
        self._second_uvs = ctx.buffer(reserve=SECOND_UV_BYTES)
        self.indices = {element: ctx.buffer(reserve=4) for element in INDICES_OF}
        self.colored = self.smooth = self.has_uvs = False

    @property
    def has_pending_uploads(self) -> bool:
        """True while something is still to be uploaded."""
        return self._done != self._wanted

    def release(self) -> None:
        """Delete the buffers."""
        for buffer in (self.vertices, self._second_uvs, *self.indices.values()):
            buffer.release()

    @property
    def second_uvs(self) -> moderngl.Buffer | None:  # noqa: D102 (an attribute of the class)
        return self._second_uvs if self._wanted["second_uv"] else None

    def vertex_layout(self, program: moderngl.Program) -> tuple[str, ...]:
        """Return moderngl's format of the vertices, and the names of the attributes that a program has."""
        used = [name for name in _FORMATS if f"in_{name}" in program]
        parts = [_FORMATS[name] if name in used else f"{VERTEX[name].itemsize}x" for name in _FORMATS]
        return (" ".join(parts), *(f"in_{name}" for name in used))

    def drawable(self, element: str, commands: np.ndarray) -> np.ndarray:
        """Return those of an element's draws, (c, 5) as in DrawList.commands, whose indices are uploaded.

        Of a draw of several meshes the part is left that is there.
        """
        if not self.has_pending_uploads:
            return commands
        rows = self._rows(element)
        firsts, done = rows[f"first_{element}"], self._done[element]
        last = int(np.searchsorted(firsts, done, side="right")) - 1  # the mesh that the next row may belong to
        is_whole = firsts[last] + rows[f"{element}_count"][last] <= done
        there = INDICES_OF[element] * (done if is_whole else int(firsts[last]))
        clipped = commands.copy()
        clipped[:, 0] = np.clip(there - commands[:, 2].astype(np.int64), 0, commands[:, 0])
        return clipped[clipped[:, 0] > 0]

    def update(
        self,
        meshes: Meshes,
        edges: PolygonEdges | None,
        levels: DetailLevels | None = None,
        seconds: float | None = None,
    ) -> bool:
        """Upload meshes, and polygons' edges where they are wanted, that are not uploaded yet.

        Args:
            meshes: the pool of the scene.
            edges: of the polygons; None where they are not drawn.
            levels: of detail; None where none are drawn.
            seconds: time limit, which a piece may exceed; None uploads everything.

        Returns:
            True if a buffer was replaced and vertex arrays must be made anew.
        """
        if meshes is not self._meshes:
            self._meshes, self._edges, self._levels = meshes, None, None
            self._done = dict.fromkeys(self._done, 0)
            self._wanted = dict(self._done)
            self.colored = self.smooth = self.has_uvs = False
        if edges is not None and edges is not self._edges:
            self._edges = edges
            self._done["edge"] = 0
        if levels is not None and levels is not self._levels:
            self._levels = levels
            self._done["coarse"] = 0
        had_second_uvs = self.second_uvs is not None
        self._wanted |= {
            "vertex": len(meshes.vertices),
            "second_uv": len(meshes.vertices) if "second_uv" in meshes.vertices.names else 0,
            "triangle": len(meshes.triangles),
            "line": len(meshes.lines),
            "point": len(meshes.points),
        }
        if edges is not None:
            self._wanted["edge"] = len(edges.edges)
        if levels is not None:
            self._wanted["coarse"] = len(levels.triangles)
        replaced = had_second_uvs != (self.second_uvs is not None)
        if self.has_pending_uploads:
            self.vertices, grown = self._with_room(self.vertices, "vertex", VERTEX.itemsize)
            self._second_uvs, grown_too = self._with_room(self._second_uvs, "second_uv", SECOND_UV_BYTES)
            replaced |= grown or grown_too
            for element, count in INDICES_OF.items():
                self.indices[element], grown = self._with_room(self.indices[element], element, 4 * count)
                replaced |= grown
            self.upload_pending(seconds)
        return replaced

    def upload_pending(self, seconds: float | None = None) -> None:
        """Upload more of what `update` left; `seconds` as there."""
        meshes = self._meshes
        if meshes is None:
            return
        deadline = None if seconds is None else time.perf_counter() + seconds
        for element, wanted in self._wanted.items():
            while (first := self._done[element]) < wanted:
                end = min(first + _AT_ONCE, wanted)
                if element == "vertex":
                    self._write_vertices(meshes, first, end)
                elif element == "second_uv":
                    uvs = np.ascontiguousarray(meshes.vertices["second_uv"][first:end])
                    self._second_uvs.write(uvs, offset=first * SECOND_UV_BYTES)
                else:
                    self._write_indices(meshes, element, first, end)
                self._done[element] = end
                if deadline is not None and time.perf_counter() >= deadline:
                    return

    def _write_vertices(self, meshes: Meshes, first: int, end: int) -> None:
        part = slice(first, end)
        packed = np.zeros(end - first, dtype=VERTEX)
        # Relative to the centre of each mesh's sphere, so that numbers are small enough for float32 wherever it lies.
        centers = _of_each_row(meshes.rows, "vertex", meshes.rows["sphere"][:, :3], first, end)
        with np.errstate(over="ignore"):  # too large for float32: the index leaves such a mesh out
            packed["position"] = meshes.vertices["position"][part] - centers
        folded = np.empty((end - first, 2), dtype=np.float32)
        fold_normals(meshes.vertices["normal"][part], folded)
        packed["normal"] = folded
        packed["uv"] = uvs = meshes.vertices["uv"][part]
        packed["color"] = colors = meshes.vertices["color"][part]
        packed["material"] = meshes.vertices["material"][part]
        packed["mesh"] = _of_each_row(meshes.rows, "vertex", np.arange(len(meshes)), first, end)
        self.colored |= bool((colors != WHITE).any())
        self.has_uvs |= bool(uvs.any())
        self.smooth |= bool((folded != FLAT).any())
        self.vertices.write(packed, offset=first * VERTEX.itemsize)

    def _write_indices(self, meshes: Meshes, element: str, first: int, end: int) -> None:
        first_vertices = meshes.rows["first_vertex"]
        if element == "triangle":
            pool = meshes.triangles["corners"]
        elif element == "line":
            pool = meshes.lines["ends"]
        elif element == "point":
            pool = meshes.points["vertex"]
        elif element == "coarse":
            assert self._levels is not None, "coarse triangles are wanted only where there are some"
            pool = self._levels.triangles["corners"]
            first_vertices = np.repeat(meshes.rows["first_vertex"], LEVELS)[: len(self._levels.rows)]
        else:
            assert self._edges is not None, "edges are wanted only where there are some"
            pool = self._edges.edges["ends"]
        count = INDICES_OF[element]
        indices = pool[first:end].reshape(-1, count).astype(np.uint32)
        indices += _of_each_row(self._rows(element), element, first_vertices, first, end).astype(np.uint32)[:, None]
        self.indices[element].write(indices, offset=4 * count * first)

    def _rows(self, element: str) -> ColumnTable:
        """Return the rows that say where the elements of each mesh are in the pool."""
        owner: PolygonEdges | DetailLevels | Meshes | None = self._meshes
        if element in ("edge", "coarse"):
            owner = self._edges if element == "edge" else self._levels
        assert owner is not None, "it is asked only for elements of a frame that was uploaded"
        return owner.rows

    def _with_room(self, buffer: moderngl.Buffer, element: str, row_bytes: int) -> tuple[moderngl.Buffer, bool]:
        """Return a buffer with room for all rows of an element, with the uploaded ones, and whether it is a new one."""
        needed, done = row_bytes * self._wanted[element], row_bytes * self._done[element]
        if needed <= buffer.size:
            return buffer, False
        grown = self._ctx.buffer(reserve=max(needed, 2 * buffer.size if done else 0))
        if done:
            self._ctx.copy_buffer(grown, buffer, done)
        buffer.release()
        return grown, True


def _of_each_row(rows: ColumnTable, element: str, values: np.ndarray, first: int, end: int) -> np.ndarray:
    """Return the value of its mesh for each of the rows `first` to `end` - 1 of an element's pool."""
    firsts, counts = rows[f"first_{element}"], rows[f"{element}_count"]
    # The meshes with rows in the range: of several that begin at the same row, all but the last are empty.
    meshes = slice(int(np.searchsorted(firsts, first, side="right")) - 1, int(np.searchsorted(firsts, end)))
    # Clip each one's rows to the range, and repeat its value for them.
    begins = np.maximum(firsts[meshes], first)
    ends = np.minimum(firsts[meshes] + counts[meshes], end)
    return np.repeat(values[meshes], np.maximum(ends - begins, 0), axis=0)
