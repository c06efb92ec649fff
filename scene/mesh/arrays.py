"""Mesh: the mesh of a node as arrays, by the names that trimesh gives them, and as an object of trimesh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import made_by, public
from octoscope.scene.mesh.data import MeshData, counted
from octoscope.scene.mesh.layout import WHITE


class MeshLike(Protocol):
    """A mesh of any library: this one's, or trimesh's."""

    @property
    def vertices(self) -> ArrayLike:
        """(v, 3)."""

    @property
    def faces(self) -> ArrayLike:
        """(f, 3) or (f, k)."""


@made_by("a Mesh is what node.mesh returns; scene.add_mesh(name, vertices, faces) makes one")
@public(
    *("colors", "faces", "lines", "normals", "points", "to_trimesh", "uvs", "vertices"),
    instead={
        "area": "mesh.to_trimesh().area, or octoscope.measure(scene, node).area in the world",
        "bounds": "node.bounds in the world; mesh.vertices.min(axis=0), mesh.vertices.max(axis=0) in the node's frame",
        "uv": "it is called uvs",
        "triangles": "it is called faces",
        "vertex_normals": "it is called normals",
        "volume": "mesh.to_trimesh().volume, or octoscope.measure(scene, node).volume in the world",
    },
)
@dataclass(frozen=True, eq=False, repr=False)
class Mesh:
    """The arrays of a node's mesh, in the node's own frame; all are read-only.

    Examples:
        >>> mesh = scene["lighthouse_tower"].mesh
        >>> middle, count = mesh.vertices.mean(axis=0), len(mesh.faces)
        >>> ball = scene.add_mesh("copy", mesh.vertices * 2, mesh.faces)

    Attributes:
        vertices: (v, 3) float64. Files have their own order; a vertex with several normals is there several times.
        faces: (f, 3) int32, the vertices of each triangle; none for clouds of points.
        normals: (v, 3) float32 unit vectors, 0 where triangles are shaded flat; None: all of them are.
        colors: (v, 4) uint8 sRGB and opacity, which multiply the material's; None: white.
        uvs: (v, 2) float32 texture coordinates, or None.
        lines: (l, 2) int32, the vertices of each line.
        points: (p,) int32, the vertices that are shown as points.
    """

    vertices: np.ndarray
    faces: np.ndarray
    normals: np.ndarray | None
    colors: np.ndarray | None
    uvs: np.ndarray | None
    lines: np.ndarray
    points: np.ndarray

    def __repr__(self) -> str:
        counts = counted(
            vertices=len(self.vertices), triangles=len(self.faces), lines=len(self.lines), points=len(self.points)
        )
        return f"Mesh({counts})"

    @classmethod
    def of(cls, mesh: MeshData) -> Mesh:
        """Make one of a pool's mesh, whose arrays stay where they are."""
        if not isinstance(mesh, MeshData):
            raise TypeError(
                f"scene.add_mesh(name, mesh) takes a mesh of trimesh or the like, not Mesh.of: {mesh!r:.60}"
            )
        assert mesh.normals is not None and mesh.colors is not None and mesh.uvs is not None
        assert mesh.lines is not None and mesh.points is not None
        return cls(
            _read_only(mesh.positions),
            _read_only(mesh.triangles),
            _read_only(mesh.normals) if mesh.normals.any() else None,
            _read_only(mesh.colors) if (mesh.colors != WHITE).any() else None,
            _read_only(mesh.uvs) if mesh.uvs.any() else None,
            _read_only(mesh.lines),
            _read_only(mesh.points),
        )

    def to_trimesh(self) -> Any:
        """Return a trimesh.Trimesh of copies of vertices and faces, with normals, and colours or texture coordinates.

        Several vertices lie at one place where normals differ, so that trimesh finds edges open that octoscope.measure
        does not: `mesh.merge_vertices(merge_norm=True, merge_tex=True)` of trimesh joins them.

        Raises:
            ValueError: it has no faces.
        """
        import trimesh  # only here: it takes long to import

        if len(self.faces) == 0:
            raise ValueError("a mesh without faces is no trimesh.Trimesh; trimesh.PointCloud(mesh.vertices) has points")
        visual: Any = None
        if self.uvs is not None and self.colors is None:  # a trimesh has one of the two
            visuals: Any = trimesh.visual
            visual = visuals.TextureVisuals(uv=self.uvs.copy())
        return trimesh.Trimesh(
            self.vertices.copy(),
            self.faces.copy(),
            vertex_normals=None if self.normals is None or not self.normals.any(axis=1).all() else self.normals.copy(),
            vertex_colors=None if self.colors is None else self.colors.copy(),
            visual=visual,
            process=False,
        )


def _read_only(values: np.ndarray) -> np.ndarray:
    view = values.view()
    view.flags.writeable = False
    return view
