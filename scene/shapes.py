"""SceneShapes: the meshes of a scene's objects get other vertices, normals and colours."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.scene.node import Node
from octoscope.scene.nodes.unused_meshes import show_instead
from octoscope.scene.queries import SceneQueries


class SceneShapes(SceneQueries):
    """A table of nodes whose meshes are changed; a Scene is one.

    A mesh itself never changes: nodes are given another one, and the one before is freed when nobody can show it.
    """

    @advises()
    def set_vertices(self, node: Node, vertices: ArrayLike, *, normals: ArrayLike | None = None) -> None:
        """Move the vertices of a node's mesh, as a simulation does again and again; all nodes that share the mesh do.

        Examples:
            >>> node = scene["lighthouse_tower"]
            >>> scene.set_vertices(node, node.mesh.vertices * (1, 2, 1))

        Colours, texture coordinates and materials stay. octoscope.editing.set_vertices makes an edit that can be
        undone.

        Args:
            node: one, with a mesh.
            vertices: (v, 3), local, in the order of node.mesh.vertices; or in that of the vertices given to `add_mesh`,
                if it was given scalars of faces, too.
            normals: one for each row of `vertices`; None: computed anew where the mesh has normals; flat triangles stay
                flat.

        Raises:
            ValueError: the node shows no mesh, or an argument does not fit; the scene is as it was.
        """
        show_instead(self, *self.with_vertices(node, vertices, normals))

    def with_vertices(
        self, node: ArrayLike, vertices: ArrayLike, normals: ArrayLike | None = None
    ) -> tuple[np.ndarray, int]:
        """Append a mesh as a node's, with other vertices; return the nodes that it is for, (k,), and its id."""
        from octoscope.scene.mesh.from_arrays import moved_vertices  # only here: most meshes come from files

        mesh_id, users = self._shown_by(node)
        positions, new_normals = moved_vertices(self.meshes.mesh(mesh_id), vertices, normals)
        batch = self.meshes.batch(np.array([mesh_id]), positions=positions, normals=new_normals)
        return users, self.meshes.extend(batch).start

    def _shown_by(self, node: ArrayLike) -> tuple[int, np.ndarray]:
        """Return the mesh that a node shows, and the ids of all nodes that show it; ValueError: it shows none."""
        self.check_editable()
        number = int(self.checked_ids(node, alive=True)[0])
        mesh_id = int(self.mesh_ids[number])
        if mesh_id < 0:
            raise ValueError(Node(self, number).without_mesh)
        return mesh_id, np.flatnonzero(self.mesh_ids == mesh_id)
