"""SceneColors: the colours of a scene's objects, and numbers that are shown as colours."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.scene.mesh.color_scale import Covered
from octoscope.scene.mesh.layout import WHITE
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, Material
from octoscope.scene.node import Node
from octoscope.scene.nodes.coloring import (
    added_materials,
    are_used,
    drop_scales,
    found_or_added,
    keep_materials,
    set_colors,
)
from octoscope.scene.nodes.unused_meshes import show_instead
from octoscope.scene.shapes import SceneShapes

WHITE_COLOR = 1.0, 1.0, 1.0


class SceneColors(SceneShapes):
    """A table of nodes whose objects get colours; a Scene is one."""

    @property
    def used_materials(self) -> set[Material]:
        """The different materials of meshes and nodes, without the default one.

        A material that only an undone edit gave to nodes stays in `materials`, for redo, and is not among them.
        """
        used = np.flatnonzero(are_used(self, self.ids))
        return {self.materials[number] for number in used.tolist()} - {DEFAULT_MATERIAL}

    def set_colors(self, ids: ArrayLike, colors: str | ArrayLike) -> None:
        """Give nodes and everything below them materials of one colour, without a texture of it.

        Examples:
            >>> scene.set_colors(scene.objects, np.random.uniform(0, 1, (len(scene.objects), 3)))

        Nodes of one colour share a material. Of materials that colours made, those that nothing shows any more are
        dropped once there are many: keep `node.material`, not its number. Materials of `add_material` stay.

        Args:
            ids: (k,) nodes.
            colors: a name such as "orange", or "#1e2226"; red, green and blue (and opacity), sRGB, 0 to 1 or uint8; or
                a row of these for each node, of which an object takes that of the nearest above it. Opacity stays as
                it is if none is given. The arrows that show an object's `vectors` keep their colour, unless they are
                among the nodes themselves.

        Raises:
            ValueError: they are no colours, or an object shows scalars, which its colour would tint.
        """
        set_colors(self, ids, colors)

    @advises()
    def set_scalars(
        self,
        node: Node,
        scalars: ArrayLike | None,
        *,
        colormap: str | None = None,
        scalar_range: tuple[float, float] | None = None,
        title: str | None = None,
    ) -> None:
        """Show numbers as colours of a node's mesh, or other numbers than before; all nodes that share the mesh do.

        Examples:
            >>> node = scene["lighthouse_tower"]
            >>> scene.set_scalars(node, np.sin(node.mesh.vertices[:, 0]), scalar_range=(-1, 1))

        Args:
            node: one, with a mesh.
            scalars: (v,) numbers of the mesh's vertices; or of its faces, if `add_mesh` made it of such numbers; None
                takes them off: the colours, materials and textures that the mesh had before are seen again; it is white
                where there were none, and after its project was saved and opened.
            colormap: as for `add_mesh`; None: the present colormap.
            scalar_range: as for `add_mesh`; None: the range of these scalars.
            title: of the colour bar; None: the present title, or the node's name.

        Raises:
            ValueError: the node shows no mesh, or as `add_mesh`; the scene is as it was.
        """
        from octoscope.scene.mesh.from_arrays import scalar_colors  # only here: most meshes come from files

        mesh_id, users = self._shown_by(node)
        mesh = self.meshes.mesh(mesh_id)
        material_id = int(mesh.material_ids[0])
        before = self.color_scales.get(material_id)
        if scalars is None:
            if before is not None:
                self._take_scalars_off(mesh_id, material_id, users)
            return
        if title is None:
            title = str(self.names[int(node)]) if before is None else before.title
        colors, scale = scalar_colors(mesh, scalars, before, colormap=colormap, scalar_range=scalar_range, title=title)
        if before is None:
            (material_id,) = added_materials(self, [Material(title, base_color=WHITE_COLOR)])
            own = {
                int(user): int(self.material_overrides[user]) for user in users if self.material_overrides[user] >= 0
            }
            assert mesh.colors is not None
            covered = Covered(mesh.colors.copy(), mesh.material_ids.copy(), own)
            keep_materials(self, [*own.values(), *mesh.material_ids])
            self.covered_by_scalars = {**self.covered_by_scalars, material_id: covered}
        self.set_materials(users, -1)
        self._recolor(users, mesh_id, colors, material_id)
        self.color_scales = {**self.color_scales, material_id: scale}

    def _take_scalars_off(self, mesh_id: int, material_id: int, users: np.ndarray) -> None:
        """Show on a mesh and on nodes that share it what lay there before; white where that is not known."""
        covered = self.covered_by_scalars.get(material_id)
        if covered is None or len(covered.colors) != self.meshes.rows["vertex_count"][mesh_id]:
            self._recolor(users, mesh_id, WHITE, found_or_added(self, [self.materials[material_id]]))
        else:
            self._recolor(users, mesh_id, covered.colors, covered.material_ids)
            for user in users[self.material_overrides[users] < 0].tolist():
                self.set_materials(user, covered.own_materials.get(user, -1))
        if not are_used(self, self.ids)[material_id]:
            drop_scales(self, {material_id})

    def _recolor(self, users: np.ndarray, mesh_id: int, colors: ArrayLike, material_ids: ArrayLike) -> None:
        """Have nodes show a mesh with other colours, (v, 4), and materials, (v,), or one for all vertices."""
        batch = self.meshes.batch(np.array([mesh_id]))
        batch.colors[:], batch.material_ids[:] = colors, material_ids
        show_instead(self, users, self.meshes.extend(batch).start)
