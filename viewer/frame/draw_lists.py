"""DrawLists: sorts nodes and makes the draws of them.

Objects are drawn by mesh and then by node: the order does not depend on what culling returned, so a picture with
culling equals one without, pixel for pixel.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from octoscope.scene import Material, Meshes, Scene
from octoscope.scene.cutting.caps import NO_CAPS, Caps
from octoscope.scene.mesh.polygon_edges import PolygonEdges
from octoscope.scene.mesh.table import ColumnTable
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.detail.back_face_culling import OutwardMeshes
from octoscope.viewer.frame.detail.detail_levels import DetailLevels
from octoscope.viewer.frame.detail.level_choice import LEVELS
from octoscope.viewer.frame.frame import INDICES_OF, DrawList, FrameCamera
from octoscope.viewer.frame.instances import Instances
from octoscope.viewer.frame.look.shading import BY_MATERIAL, SEE_THROUGH

# An outlined object whose sphere has at most this radius gets its outline around a dot: it is not seen which shape it
# has, and thousands of them cost little. Logical pixels.
_DOT_RADIUS = 1.5

LevelChoice = tuple[DetailLevels, np.ndarray]  # and (k,) int64 rows in it, -1 for the mesh itself
_OPAQUE = 255  # of a vertex's colour


class DrawLists:
    """Makes draw lists of one scene's nodes."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._translucency = Translucency(scene)
        self._outward = OutwardMeshes(scene)
        self.instances = Instances(scene)  # the nodes' world transforms, to which the lists refer

    def draw_list(
        self,
        node_ids: np.ndarray,
        edges: PolygonEdges | None = None,
        levels_of: Callable[[np.ndarray], LevelChoice] | None = None,
        opacity: int = BY_MATERIAL,
        caps: Caps = NO_CAPS,
        culls_backs_for: FrameCamera | None = None,
    ) -> DrawList:
        """Sort nodes by mesh and level, and make the indexed draws of each element that their meshes have.

        Translucent nodes come after all opaque ones, and these after those without back faces. Nodes without a mesh
        draw nothing.

        Args:
            node_ids: (k,) int32.
            levels_of: returns for nodes the levels of detail, and the row in them of each, -1 for the mesh itself;
                None: all are drawn as they are.
            culls_backs_for: the camera that sees them, if back faces that it cannot see are left out.
        """
        scene, instances = self._scene, self.instances
        instances.update()
        # Marks on ranks are in drawing order, whatever order culling returned the nodes in.
        marks = np.zeros(len(instances.node_by_rank), dtype=bool)
        marks[instances.rank_of_node[node_ids[scene.mesh_ids[node_ids] >= 0]]] = True
        nodes = instances.node_by_rank[marks]
        # Opaque first, translucent after them; within each part still by mesh, then by node.
        if opacity == BY_MATERIAL:
            translucent = self._translucency.of(nodes)
        else:
            translucent = np.full(len(nodes), opacity == SEE_THROUGH)
        opaque_count = len(nodes) - int(np.count_nonzero(translucent))
        if opaque_count < len(nodes):
            nodes = np.concatenate([nodes[~translucent], nodes[translucent]])
        back_culled_count = 0
        if culls_backs_for is not None:
            self._outward.update()
            camera = culls_backs_for
            culled = self._outward.hide_backs(nodes[:opaque_count], camera.position, camera.clip_from_relative)
            back_culled_count = int(np.count_nonzero(culled))
            if 0 < back_culled_count < opaque_count:
                opaque = nodes[:opaque_count]
                nodes = np.concatenate([opaque[culled], opaque[~culled], nodes[opaque_count:]])
        parts = back_culled_count, opaque_count  # where others begin
        levels, level_rows = (None, np.full(len(nodes), -1)) if levels_of is None else levels_of(nodes)
        if (level_rows >= 0).any():
            order = _order_by_level(scene.mesh_ids[nodes], parts, level_rows)
            nodes, level_rows = nodes[order], level_rows[order]
        meshes = scene.meshes
        surfaces_of = partial(self._surface_commands, nodes, parts, levels, level_rows, caps)
        commands = surfaces_of(np.arange(len(nodes)))
        pools = {"line": (meshes.rows, meshes.lines), "point": (meshes.rows, meshes.points)}
        if edges is not None:
            pools["edge"] = (edges.rows, edges.edges)
        if any(len(pool) for _, pool in pools.values()):
            drawn, groups = self._groups(nodes, parts, scene.mesh_ids[nodes], np.arange(len(nodes)))
            commands |= {
                element: _commands(element, rows, drawn, *groups)
                for element, (rows, pool) in pools.items()
                if len(pool)
            }
        return DrawList(nodes, commands, opaque_count, back_culled_count, surfaces_of)

    def _surface_commands(
        self,
        nodes: np.ndarray,
        parts: tuple[int, int],
        levels: DetailLevels | None,
        level_rows: np.ndarray,
        caps: Caps,
        places: np.ndarray,
    ) -> dict[str, np.ndarray]:
        """Make the draws of the triangles of some nodes of a list.

        Args:
            parts: where in `nodes` others begin: with back faces, and translucent ones.
            level_rows: (k,) rows in them, -1 for the mesh itself.
            places: (p,) ascending places in `nodes` of those that are drawn.

        Returns:
            "triangle" and, where there are some, "coarse" and "cap" commands, as DrawList.commands.
        """
        meshes = self._scene.meshes
        if len(meshes.triangles) == 0:
            return {}
        drawn_caps = _cap_commands(caps, nodes, places) if len(caps.nodes) else {}
        # Levels are told apart by numbers that no mesh has.
        level_rows = level_rows[places]
        shapes = np.where(level_rows < 0, self._scene.mesh_ids[nodes[places]], len(meshes) + level_rows)
        drawn, groups = self._groups(nodes, parts, shapes, places)
        if levels is None or not (level_rows >= 0).any():
            return {"triangle": _commands("triangle", meshes.rows, drawn, *groups), **drawn_caps}
        is_coarse = drawn >= len(meshes)
        whole, coarse = ([part[chosen] for part in groups] for chosen in (~is_coarse, is_coarse))
        return {
            "triangle": _commands("triangle", meshes.rows, drawn[~is_coarse], *whole),
            "coarse": _commands("coarse", levels.rows, drawn[is_coarse] - len(meshes), *coarse),
            **drawn_caps,
        }

    def _groups(
        self, nodes: np.ndarray, parts: tuple[int, int], shapes: np.ndarray, places: np.ndarray
    ) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Gather neighbours of one shape, such as a mesh, into groups; none mixes nodes of two parts.

        Args:
            nodes: (k,) int32.
            parts: where in `nodes` others begin.
            shapes: (p,) of the nodes at `places`.
            places: (p,) ascending, in `nodes`.

        Returns:
            (m,) the shape of each group, and those arguments of `_commands` that tell of groups.
        """
        begins = (np.diff(shapes, prepend=-1) != 0) | (np.diff(places, prepend=-1) != 1)
        for first in np.searchsorted(places, parts).tolist():
            begins[first : first + 1] = True
        begins = np.flatnonzero(begins)
        firsts = places[begins]
        counts = np.diff(begins, append=len(places))
        return shapes[begins], (
            counts,
            firsts,
            self.instances.is_lone[nodes[firsts]],
            np.searchsorted(parts, firsts, side="right"),
        )

    def outlined_list(
        self,
        node_ids: np.ndarray,
        camera: Camera,
        height: float,
        caps: Caps,
        culls_backs_for: FrameCamera | None = None,
    ) -> DrawList:
        """Make the draws of nodes that are outlined, with dots for the smallest.

        Args:
            node_ids: (k,) int32, with or without a mesh.
            height: of the picture, logical pixels.
            culls_backs_for: as in `draw_list`.
        """
        if len(node_ids) == 0:  # most pictures have no outlines
            return DrawList(np.empty(0, dtype=np.int32), {}, 0, 0, lambda places: {})
        scene = self._scene
        node_ids = node_ids[scene.mesh_ids[node_ids] >= 0]
        # Lines and points are as wide as they are, however far away.
        rows, mesh_ids = scene.meshes.rows, scene.mesh_ids[node_ids]
        is_surface = (rows["line_count"][mesh_ids] == 0) & (rows["point_count"][mesh_ids] == 0)
        spheres = scene.world_spheres[node_ids]
        smallest = _DOT_RADIUS * camera.pixel_size(height)  # radius at the pivot, world units
        if camera.orthographic:
            is_dot = is_surface & (spheres[:, 3] < smallest)
        else:
            offsets = spheres[:, :3] - camera.position
            distances = np.sqrt(np.einsum("ij,ij->i", offsets, offsets))
            is_dot = is_surface & (spheres[:, 3] < smallest / camera.distance * distances)
        draws = self.draw_list(node_ids[~is_dot], caps=caps, culls_backs_for=culls_backs_for)
        dots = node_ids[is_dot]
        return replace(draws, nodes=np.concatenate([draws.nodes, np.sort(dots)]), dot_count=len(dots))


def _order_by_level(mesh_ids: np.ndarray, parts: tuple[int, int], level_rows: np.ndarray) -> np.ndarray:
    """Return the order that puts nodes of one mesh, which follow each other already, by level, and then as before."""
    begins = np.diff(mesh_ids, prepend=mesh_ids[0]) != 0
    for first in parts:
        begins[first : first + 1] = True
    key = np.cumsum(begins) * (LEVELS + 1) + np.where(level_rows < 0, 0, level_rows % LEVELS + 1)
    # numpy sorts 16 bits much faster than more of them.
    return np.argsort(key.astype(np.uint16) if key[-1] + LEVELS < 2**16 else key, kind="stable")


def _commands(
    element: str,
    rows: ColumnTable,
    mesh_ids: np.ndarray,
    instance_counts: np.ndarray,
    first_instances: np.ndarray,
    is_lone: np.ndarray,
    part_of: np.ndarray,
) -> np.ndarray:
    """Make the draws of one element.

    Args:
        element: of INDICES_OF.
        rows: of the meshes, where their elements are in the pool.
        mesh_ids: (m,) meshes to draw.
        instance_counts: (m,) how many nodes show each.
        first_instances: (m,) place of the first of them in DrawList.nodes.
        is_lone: (m,) bool: one node of the scene alone shows the mesh.
        part_of: (m,) number of the part of the list that they are in.

    Returns:
        (c, 5) uint32, as DrawList.commands.
    """
    counts, firsts = rows[f"{element}_count"][mesh_ids], rows[f"first_{element}"][mesh_ids]
    has_any = counts > 0
    if not has_any.all():
        columns = (counts, firsts, instance_counts, first_instances, is_lone, part_of)
        counts, firsts, instance_counts, first_instances, is_lone, part_of = (column[has_any] for column in columns)
    # Lone neighbours in the pool become one draw.
    begins = np.ones(len(counts), dtype=bool)
    begins[1:] = ~(is_lone[1:] & is_lone[:-1]) | (firsts[:-1] + counts[:-1] != firsts[1:])
    begins[1:] |= part_of[1:] != part_of[:-1]
    starts = np.flatnonzero(begins)
    commands = np.zeros((len(starts), 5), dtype=np.uint32)
    if len(starts):
        commands[:, 0] = INDICES_OF[element] * np.add.reduceat(counts, starts)
        commands[:, 1] = instance_counts[starts]
        commands[:, 2] = INDICES_OF[element] * firsts[starts]
        commands[:, 4] = first_instances[starts]
    return commands


def _cap_commands(caps: Caps, nodes: np.ndarray, places: np.ndarray) -> dict[str, np.ndarray]:
    """Make the draws of the caps of the nodes at some places of a list, one for each node that has some."""
    drawn = nodes[places]
    rows = np.minimum(np.searchsorted(caps.nodes, drawn), len(caps.nodes) - 1)
    has_some = caps.nodes[rows] == drawn
    rows = rows[has_some]
    commands = np.zeros((len(rows), 5), dtype=np.uint32)
    commands[:, 0] = INDICES_OF["cap"] * caps.counts[rows]
    commands[:, 1] = 1
    commands[:, 2] = INDICES_OF["cap"] * caps.firsts[rows]
    commands[:, 4] = places[has_some]
    return {"cap": commands}


class Translucency:
    """Finds the translucent objects of a scene.

    An object is translucent if one of its materials has an opacity below 1 or a texture with such texels, or if one of
    its vertices has such a colour. Results are kept until materials or meshes change.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._materials_key: tuple[int, int] | None = None  # count and revision
        self._of_materials = np.empty(0, dtype=bool)
        self._meshes: Meshes | None = None
        self._meshes_key: tuple[int, bytes] | None = None  # count of meshes, and the translucent materials
        self._colors_of_meshes = self._of_meshes = np.empty(0, dtype=bool)

    def of(self, node_ids: np.ndarray) -> np.ndarray:
        """Return (k,) bool: which of (k,) int32 nodes with a mesh are translucent."""
        scene = self._scene
        self._update_materials()
        self._update_meshes()
        if not (self._of_materials.any() or self._colors_of_meshes.any()):
            return np.zeros(len(node_ids), dtype=bool)
        mesh_ids, overrides = scene.mesh_ids[node_ids], scene.material_overrides[node_ids]
        by_material = np.where(overrides >= 0, self._of_materials[overrides], self._of_meshes[mesh_ids])
        return by_material | self._colors_of_meshes[mesh_ids]

    def _update_materials(self) -> None:
        materials = self._scene.materials
        key = len(materials), self._scene.materials_revision
        if key != self._materials_key:
            self._of_materials = np.fromiter(map(is_translucent, materials), dtype=bool, count=len(materials))
            self._materials_key = key

    def _update_meshes(self) -> None:
        meshes = self._scene.meshes
        if meshes is not self._meshes:  # the scene has another pool
            self._meshes, self._meshes_key, self._colors_of_meshes = meshes, None, np.empty(0, dtype=bool)
        key = len(meshes), self._of_materials.tobytes()
        if key == self._meshes_key:
            return
        self._meshes_key = key
        firsts = meshes.rows["first_vertex"]
        done = len(self._colors_of_meshes)
        if done < len(meshes):
            colors = meshes.vertices["color"][firsts[done] :, 3] < _OPAQUE
            new = np.logical_or.reduceat(colors, firsts[done:] - firsts[done])
            self._colors_of_meshes = np.concatenate([self._colors_of_meshes, new])
        if self._of_materials.any():
            self._of_meshes = np.logical_or.reduceat(self._of_materials[meshes.vertices["material"]], firsts)
        else:
            self._of_meshes = np.zeros(len(meshes), dtype=bool)


def is_translucent(material: Material) -> bool:
    """Return whether something may be seen through a surface of a material."""
    texture = material.base_color_texture
    return material.opacity < 1.0 or (texture is not None and not texture.is_opaque)
