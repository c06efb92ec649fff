"""FrameBuilder: packs a FrameData.

Objects are drawn by mesh and then by node: the order does not depend on what culling returned, so a picture with
culling equals one without, pixel for pixel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene import Scene
from octoscope.scene.cutting.caps import NO_CAPS, Caps
from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.mesh.polygon_edges import PolygonEdges
from octoscope.scene.mesh.table import ColumnTable
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.annotations import MeasurementPreview, annotations_of
from octoscope.viewer.frame.detail.detail_levels import DetailLevels
from octoscope.viewer.frame.detail.level_choice import LEVELS
from octoscope.viewer.frame.detail.occlusion_culling import OcclusionCuller
from octoscope.viewer.frame.frame import INDICES_OF, DrawList, FrameData, GroundGrid
from octoscope.viewer.frame.instances import Instances, placed_shapes
from octoscope.viewer.frame.look.environment import placed
from octoscope.viewer.frame.look.look import Look
from octoscope.viewer.frame.look.shading import BY_MATERIAL, SEE_THROUGH
from octoscope.viewer.frame.projection import with_reversed_depth
from octoscope.viewer.frame.section import NO_SECTION, Section
from octoscope.viewer.frame.translucency import Translucency

# An outlined object whose sphere has at most this radius gets its outline around a dot: it is not seen which shape it
# has, and thousands of them cost little. Logical pixels.
_DOT_RADIUS = 1.5
_NO_CELLS = np.empty((0, 7), dtype=np.float32)

LevelChoice = tuple[DetailLevels, np.ndarray]  # and (k,) int64 rows in it, -1 for the mesh itself


class OutlinedIds(NamedTuple):
    """Nodes to outline; none is in two of the arrays.

    Attributes:
        selected: (s,) int32, but for the active ones.
        active: (a,) int32, outlined in a colour of their own.
        hovered: (h,) int32, outlined thinly.
    """

    selected: np.ndarray
    active: np.ndarray
    hovered: np.ndarray


NOTHING_OUTLINED = OutlinedIds(*(np.empty(0, dtype=np.int32) for _ in OutlinedIds._fields))


class FrameBuilder:
    """Builds frames of one scene; keeps its nodes' instances and its polygons' edges between frames."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._polygon_edges: PolygonEdges | None = None
        self._translucency = Translucency(scene)
        self._instances = Instances(scene)

    def build(
        self,
        camera: Camera,
        size: tuple[int, int],
        visible_ids: np.ndarray,
        *,
        pixel_ratio: float = 1.0,
        outlined: OutlinedIds = NOTHING_OUTLINED,
        show_edges: bool = False,
        detail_levels: DetailLevels | None = None,
        cells: np.ndarray = _NO_CELLS,
        frozen_frustum: Frustum | None = None,
        shapes: Sequence[str] = (),
        ground: tuple[np.ndarray, np.ndarray] | None = None,
        measurement_preview: MeasurementPreview | None = None,
        isolated: np.ndarray | None = None,
        scales: Sequence[ColorScale] = (),
        look: Look | None = None,
        occlusion_culler: OcclusionCuller | None = None,
        section: Section = NO_SECTION,
        caps: Caps = NO_CAPS,
    ) -> FrameData:
        """Return the frame that a camera sees.

        Args:
            camera: with its depth range set.
            size: width and height in framebuffer pixels.
            visible_ids: (k,) int32 nodes that culling left, each once, in any order.
            pixel_ratio: framebuffer pixels to a logical one, in which widths of lines and points are given.
            outlined: nodes to outline.
            show_edges: draws the sides of polygons, which are gathered when first shown.
            detail_levels: in which small objects are drawn; None draws all as they are.
            cells: octree cells to draw, as in FrameData.
            frozen_frustum: a frustum to draw, or None.
            shapes: of SHAPES, those that are drawn around objects.
            ground: the world box (lower, upper) that the ground grid lies under; None for no grid.
            measurement_preview: a measurement that is being made, or None.
            isolated: (nodes,) bool of those whose measurements are drawn; None: of all that are not hidden.
            scales: colour scales that are shown as bars.
            look: background, light, way of seeing; None: the usual ones.
            occlusion_culler: of the viewport, or None.
            section: planes that cut away a part of the objects.
            caps: faces where these cut objects open.
        """
        look = look or Look()
        mode, position = look.shading.mode, camera.position
        clip_from_relative = camera.clip_from_relative(size[0] / size[1])
        nearer = clip_from_relative @ _nearer(camera, size[1] / pixel_ratio, look.strokes.nearer)
        edges = self._current_edges(are_shown=show_edges or not mode.draws_faces)
        selected, active, hovered = self.outlined_lists(outlined, camera, size[1] / pixel_ratio, caps)
        levels_of = None
        if detail_levels is not None and edges is None:  # whose edges are those of all triangles
            levels_of = partial(self._levels_of, detail_levels, camera, size[1])
        return FrameData(
            size=size,
            pixel_ratio=pixel_ratio,
            clip_from_relative=with_reversed_depth(clip_from_relative).astype(np.float32),
            clip_from_relative_nearer=with_reversed_depth(nearer).astype(np.float32),
            view_from_relative=camera.axes.astype(np.float32),
            relative_from_upright=camera.world_from_upright.astype(np.float32),
            camera_position=position,
            focus_distance=camera.distance,
            instances=self._instances,
            visible=self.draw_list(visible_ids, edges, levels_of, opacity=mode.opacity, caps=caps),
            selected=selected,
            active=active,
            hovered=hovered,
            meshes=self._scene.meshes,
            materials=self._scene.materials,
            materials_revision=self._scene.materials_revision,
            polygon_edges=edges,
            detail_levels=detail_levels,
            cells=cells,
            frozen_frustum=_relative_corners(frozen_frustum, position),
            shapes={shape: placed_shapes(self._scene, shape, visible_ids, position) for shape in shapes},
            grid=None if ground is None else _grid(camera, *ground),
            annotations=annotations_of(self._scene, camera, size, measurement_preview, isolated, scales, section),
            backdrop=look.backdrop,
            lighting=look.lighting,
            environment=placed(look.environment, camera.axes @ camera.world_from_upright),
            shading=look.shading,
            strokes=look.strokes,
            seen_depths=self._depths_of(visible_ids, camera) if mode.define == "DEPTH" else (0.0, 1.0),
            occlusion_culler=occlusion_culler,
            section=section.planes_about(position).astype(np.float32),
            caps=caps,
        )

    def whole(self, frame: FrameData, visible_ids: np.ndarray) -> FrameData:
        """Return a frame of the scene as it is now with other visible nodes, (k,) int32, and nothing simplified."""
        visible = self.draw_list(visible_ids, frame.polygon_edges, opacity=frame.shading.mode.opacity, caps=frame.caps)
        return replace(frame, visible=visible, detail_levels=None)

    def _current_edges(self, *, are_shown: bool) -> PolygonEdges | None:
        """Return the sides of all polygons, those of meshes that came since included; None if they are not shown."""
        if self._polygon_edges is not None and self._polygon_edges.meshes is not self._scene.meshes:
            self._polygon_edges = None  # the scene has another pool since, and the old one is to be freed
        if not are_shown:
            return None
        if self._polygon_edges is None:
            self._polygon_edges = PolygonEdges(self._scene.meshes)
        self._polygon_edges.update()
        return self._polygon_edges

    def _depths_of(self, node_ids: np.ndarray, camera: Camera) -> tuple[float, float]:
        """Return the depths along the view between which the spheres of nodes lie before the camera, world units."""
        spheres = self._scene.world_spheres[node_ids[self._scene.mesh_ids[node_ids] >= 0]]
        depths = (camera.position - spheres[:, :3]) @ camera.axes[2]
        nearest = max(float((depths - spheres[:, 3]).min(initial=np.inf)), camera.near)
        farthest = float((depths + spheres[:, 3]).max(initial=-np.inf))
        return (nearest, farthest) if nearest < farthest < np.inf else (0.0, 1.0)

    def _levels_of(self, levels: DetailLevels, camera: Camera, height: int, nodes: np.ndarray) -> LevelChoice:
        mesh_ids = self._scene.mesh_ids[nodes]
        return levels, levels.chosen(nodes, mesh_ids, self._scene.world_spheres, camera, height)

    def draw_list(
        self,
        node_ids: np.ndarray,
        edges: PolygonEdges | None = None,
        levels_of: Callable[[np.ndarray], LevelChoice] | None = None,
        opacity: int = BY_MATERIAL,
        caps: Caps = NO_CAPS,
    ) -> DrawList:
        """Sort nodes by mesh and level, and make the indexed draws of each element that their meshes have.

        Translucent nodes come after all opaque ones. Nodes without a mesh draw nothing.

        Args:
            node_ids: (k,) int32.
            edges: of the polygons, or None.
            levels_of: returns for nodes the levels of detail, and the row in them of each, -1 for the mesh itself;
                None: all are drawn as they are.
            opacity: as of viewer.frame.look.shading.Mode.
            caps: of the nodes that have some.
        """
        scene, instances = self._scene, self._instances
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
        levels, level_rows = (None, np.full(len(nodes), -1)) if levels_of is None else levels_of(nodes)
        if (level_rows >= 0).any():
            order = _order_by_level(scene.mesh_ids[nodes], opaque_count, level_rows)
            nodes, level_rows = nodes[order], level_rows[order]
        meshes = scene.meshes
        surfaces_of = partial(self._surface_commands, nodes, opaque_count, levels, level_rows, caps)
        commands = surfaces_of(np.arange(len(nodes)))
        pools = {"line": (meshes.rows, meshes.lines), "point": (meshes.rows, meshes.points)}
        if edges is not None:
            pools["edge"] = (edges.rows, edges.edges)
        if any(len(pool) for _, pool in pools.values()):
            drawn, groups = self._groups(nodes, opaque_count, scene.mesh_ids[nodes], np.arange(len(nodes)))
            commands |= {
                element: _commands(element, rows, drawn, *groups)
                for element, (rows, pool) in pools.items()
                if len(pool)
            }
        return DrawList(nodes, commands, opaque_count, surfaces_of)

    def _surface_commands(
        self,
        nodes: np.ndarray,
        opaque_count: int,
        levels: DetailLevels | None,
        level_rows: np.ndarray,
        caps: Caps,
        places: np.ndarray,
    ) -> dict[str, np.ndarray]:
        """Make the draws of the triangles of some nodes of a list.

        Args:
            nodes: (k,) int32 of the list, in drawing order.
            opaque_count: number of opaque nodes, which come first.
            levels: of detail, or None.
            level_rows: (k,) rows in them, -1 for the mesh itself.
            caps: of the nodes that have some.
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
        drawn, groups = self._groups(nodes, opaque_count, shapes, places)
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
        self, nodes: np.ndarray, opaque_count: int, shapes: np.ndarray, places: np.ndarray
    ) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
        """Gather neighbours of one shape, such as a mesh, into groups; none mixes opaque and translucent nodes.

        Args:
            nodes: (k,) int32, opaque ones first.
            opaque_count: number of those.
            shapes: (p,) of the nodes at `places`.
            places: (p,) ascending, in `nodes`.

        Returns:
            (m,) the shape of each group, and those arguments of `_commands` that tell of groups.
        """
        begins = (np.diff(shapes, prepend=-1) != 0) | (np.diff(places, prepend=-1) != 1)
        first_translucent = int(np.searchsorted(places, opaque_count))
        begins[first_translucent : first_translucent + 1] = True
        begins = np.flatnonzero(begins)
        firsts = places[begins]
        counts = np.diff(begins, append=len(places))
        return shapes[begins], (counts, firsts, self._instances.is_lone[nodes[firsts]], firsts < opaque_count)

    def outlined_lists(self, ids: OutlinedIds, camera: Camera, height: float, caps: Caps) -> list[DrawList]:
        """Make the draws of nodes that are outlined, with dots for the smallest.

        Args:
            ids: of the nodes, with or without a mesh.
            camera: that sees them.
            height: of the picture, logical pixels.
            caps: of the nodes that have some.

        Returns:
            those of the selected, the active and the hovered nodes.
        """
        return [self._outlined_list(some, camera, height, caps) for some in ids]

    def _outlined_list(self, node_ids: np.ndarray, camera: Camera, height: float, caps: Caps) -> DrawList:
        if len(node_ids) == 0:  # most pictures have no outlines
            return DrawList(np.empty(0, dtype=np.int32), {}, 0, lambda places: {})
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
        draws = self.draw_list(node_ids[~is_dot], caps=caps)
        dots = node_ids[is_dot]
        return replace(draws, nodes=np.concatenate([draws.nodes, np.sort(dots)]), dot_count=len(dots))


def _relative_corners(frustum: Frustum | None, position: np.ndarray) -> np.ndarray:
    """Return (8, 3) float32 corners of a frustum, relative to a world position; (0, 3) of None."""
    if frustum is None:
        return np.empty((0, 3), dtype=np.float32)
    return (frustum.corners + (frustum.origin - position)).astype(np.float32)


def _order_by_level(mesh_ids: np.ndarray, opaque_count: int, level_rows: np.ndarray) -> np.ndarray:
    """Return the order that puts nodes of one mesh, which follow each other already, by level, and then as before."""
    begins = np.diff(mesh_ids, prepend=mesh_ids[0]) != 0
    begins[opaque_count : opaque_count + 1] = True
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
    is_opaque: np.ndarray,
) -> np.ndarray:
    """Make the draws of one element.

    Args:
        element: of INDICES_OF.
        rows: of the meshes, where their elements are in the pool.
        mesh_ids: (m,) meshes to draw.
        instance_counts: (m,) how many nodes show each.
        first_instances: (m,) place of the first of them in DrawList.nodes.
        is_lone: (m,) bool: one node of the scene alone shows the mesh.
        is_opaque: (m,) bool.

    Returns:
        (c, 5) uint32, as DrawList.commands.
    """
    counts, firsts = rows[f"{element}_count"][mesh_ids], rows[f"first_{element}"][mesh_ids]
    has_any = counts > 0
    if not has_any.all():
        parts = (counts, firsts, instance_counts, first_instances, is_lone, is_opaque)
        counts, firsts, instance_counts, first_instances, is_lone, is_opaque = (part[has_any] for part in parts)
    # Lone neighbours in the pool become one draw.
    begins = np.ones(len(counts), dtype=bool)
    begins[1:] = ~(is_lone[1:] & is_lone[:-1]) | (firsts[:-1] + counts[:-1] != firsts[1:])
    begins[1:] |= is_opaque[1:] != is_opaque[:-1]
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


def _nearer(camera: Camera, height: float, pixels: float) -> np.ndarray:
    """Return the (4, 4) float64 matrix that moves things towards the camera along their own rays."""
    at_pivot = pixels * camera.pixel_size(height)
    nearer = np.eye(4)
    if camera.orthographic:
        nearer[:3, 3] = at_pivot * camera.axes[2]
    else:
        nearer[:3, :3] /= 1.0 + at_pivot / camera.distance
    return nearer


def _grid(camera: Camera, lower: np.ndarray, upper: np.ndarray) -> GroundGrid:
    extent = float((upper - lower).max()) or camera.distance
    upright_from_world = camera.world_from_upright.T
    position = upright_from_world @ camera.position
    ground = min(float((upright_from_world @ corner)[1]) for corner in (lower, upper))
    # Powers of ten that follow the zoom: about ten lines across what is looked at.
    cell_size = 10.0 ** np.floor(np.log10(max(camera.distance, 1e-3 * extent) / 4.0))
    phase = np.remainder(position, 10.0 * cell_size)
    return GroundGrid(
        height=ground - float(position[1]),
        cell_size=float(cell_size),
        phase=(float(phase[0]), float(phase[2])),
        fade_distance=float(max(3.0 * extent, 3.0 * camera.distance)),
        # All lines of sight of a parallel projection have one direction, wherever the camera is.
        is_behind=bool(
            (upright_from_world @ camera.axes[2])[1] >= 0.0 if camera.orthographic else ground <= position[1]
        ),
    )
