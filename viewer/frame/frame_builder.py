"""FrameBuilder: packs a FrameData of what a camera sees, and replaces parts of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene import Scene
from octoscope.scene.cutting.caps import NO_CAPS, Caps
from octoscope.scene.mesh.polygon_edges import PolygonEdges
from octoscope.viewer.camera.camera import Camera, box_corners
from octoscope.viewer.frame.annotations import Annotations
from octoscope.viewer.frame.decoration import NO_CELLS
from octoscope.viewer.frame.detail.detail_levels import DetailLevels
from octoscope.viewer.frame.draw_lists import DrawLists, LevelChoice
from octoscope.viewer.frame.frame import (
    DrawList,
    FrameCamera,
    FrameData,
    FrameScene,
    GroundGrid,
    HelperLines,
    Look,
    Occluders,
    OutlinedLists,
)
from octoscope.viewer.frame.instances import placed_shapes
from octoscope.viewer.frame.look.environment import placed
from octoscope.viewer.frame.look.shading import Shading
from octoscope.viewer.frame.occluders import find_occluders
from octoscope.viewer.frame.picking import PickSnapshot
from octoscope.viewer.frame.projection import part_reached, with_reversed_depth
from octoscope.viewer.frame.redraw import Redraw
from octoscope.viewer.frame.view_settings import ViewSettings
from octoscope.viewer.frame.visibility import Visibility


class OutlinedIds(NamedTuple):
    """Nodes to outline; none is in two of the arrays."""

    selected: np.ndarray  # (s,) int32, but for the active ones
    active: np.ndarray  # (a,) int32, outlined in a colour of their own
    hovered: np.ndarray  # (h,) int32, outlined thinly


NOTHING_OUTLINED = OutlinedIds(*(np.empty(0, dtype=np.int32) for _ in OutlinedIds._fields))


class FrameBuilder:
    """Builds frames of one scene; keeps its nodes' instances and its polygons' edges between frames."""

    def __init__(self, scene: Scene, visibility: Visibility | None = None) -> None:
        self._scene = scene
        self.visibility = visibility or Visibility(scene, Redraw())  # the same
        self.lists = DrawLists(scene)  # makes the lists of what is drawn
        self._polygon_edges: PolygonEdges | None = None
        self._levels = DetailLevels(scene.meshes)

    @property
    def levels(self) -> DetailLevels:
        """Levels of detail of the scene's meshes; somebody else makes those that are missing."""
        if self._levels.meshes is not self._scene.meshes:  # the scene has another pool since
            self._levels = DetailLevels(self._scene.meshes)
        return self._levels

    def build(
        self,
        camera: Camera,
        size: tuple[int, int],
        visible_ids: np.ndarray,
        settings: ViewSettings | None = None,
        *,
        pixel_ratio: float = 1.0,
        outlined: OutlinedIds = NOTHING_OUTLINED,
        cells: np.ndarray = NO_CELLS,
        frozen_frustum: Frustum | None = None,
        annotations: Annotations | None = None,
        caps: Caps = NO_CAPS,
    ) -> FrameData:
        """Return the frame that a camera sees.

        Args:
            size: width and height in framebuffer pixels.
            visible_ids: (k,) int32 nodes that culling left, each once, in any order.
            pixel_ratio: framebuffer pixels to one in which widths of lines and sizes of points are given.
            cells: wire cubes to draw, as in HelperLines.
        """
        settings = settings or ViewSettings()
        shading, position = settings.shading, camera.position
        clip_from_relative = camera.clip_from_relative(size[0] / size[1])
        nearer = clip_from_relative @ _nearer(camera, size[1] / pixel_ratio, settings.strokes.nearer)
        edges = self._current_edges(are_shown=settings.draws_edges)
        levels = self.levels if settings.simplifying and settings.culling else None
        levels_of = None
        if levels is not None and edges is None:  # whose edges are those of all triangles
            levels_of = partial(self._levels_of, levels, camera, size[1])
        frame_camera = FrameCamera(
            clip_from_relative=with_reversed_depth(clip_from_relative).astype(np.float32),
            clip_from_relative_nearer=with_reversed_depth(nearer).astype(np.float32),
            view_from_relative=camera.axes.astype(np.float32),
            relative_from_upright=camera.world_from_upright.astype(np.float32),
            position=position,
            focus_distance=camera.distance,
        )
        section = settings.section.planes_about(position).astype(np.float32)
        culls_backs_for = _culls_backs_for(frame_camera, shading, section)
        return FrameData(
            size=size,
            pixel_ratio=pixel_ratio,
            camera=frame_camera,
            scene=FrameScene(
                instances=self.lists.instances,
                meshes=self._scene.meshes,
                materials=self._scene.materials,
                materials_revision=self._scene.materials_revision,
                polygon_edges=edges,
                detail_levels=levels,
                caps=caps,
            ),
            visible=self.lists.draw_list(
                visible_ids, edges, levels_of, shading.mode.opacity, caps, culls_backs_for=culls_backs_for
            ),
            outlined=self._outlined_lists(outlined, camera, size[1] / pixel_ratio, caps, culls_backs_for),
            look=Look(
                backdrop=settings.shown_backdrop,
                lighting=settings.lighting,
                environment=placed(
                    settings.environment, camera.axes @ camera.world_from_upright, settings.environment_rotation_deg
                ),
                shading=shading,
                strokes=settings.strokes,
                seen_depths=self._depths_of(visible_ids, camera) if shading.mode.define == "DEPTH" else (0.0, 1.0),
            ),
            section=section,
            grid=ground_grid(camera, self.visibility) if settings.show_grid else None,
            helpers=HelperLines(
                cells=cells,
                frozen_frustum=_relative_corners(frozen_frustum, position),
                shapes={shape: placed_shapes(self._scene, shape, visible_ids, position) for shape in settings.shapes},
            ),
            annotations=annotations,
            leaves_out_hidden=settings.leaves_out_hidden,
        )

    def whole(self, frame: FrameData, visible_ids: np.ndarray) -> FrameData:
        """Return a frame of the scene as it is now with other visible nodes, (k,) int32, and nothing simplified."""
        visible = self.lists.draw_list(
            visible_ids,
            frame.scene.polygon_edges,
            opacity=frame.look.shading.mode.opacity,
            caps=frame.scene.caps,
            culls_backs_for=_culls_backs_for(frame.camera, frame.look.shading, frame.section),
        )
        return replace(frame, visible=visible, scene=replace(frame.scene, detail_levels=None))

    def with_outlines(
        self, frame: FrameData, camera: Camera, outlined: OutlinedIds, annotations: Annotations | None
    ) -> FrameData:
        """Return a frame with other outlines and annotations; arguments are those of `build`."""
        height = frame.size[1] / frame.pixel_ratio
        culls_backs_for = _culls_backs_for(frame.camera, frame.look.shading, frame.section)
        return replace(
            frame,
            outlined=self._outlined_lists(outlined, camera, height, frame.scene.caps, culls_backs_for),
            annotations=annotations,
        )

    def with_occluders(self, frame: FrameData, snapshot: PickSnapshot) -> FrameData:
        """Return a frame with what keeps light from surfaces, and where in the picture these are."""
        bounds = self._scene.index.bounds()
        return replace(
            frame,
            occluders=self._occluders(frame, snapshot, bounds),
            scissor=None if bounds is None else _scissor(frame, bounds),
        )

    def _occluders(
        self, frame: FrameData, snapshot: PickSnapshot, bounds: tuple[np.ndarray, np.ndarray] | None
    ) -> Occluders | None:
        light, mode = frame.look.lighting, frame.look.shading.mode
        if not (mode.is_dimmed and light.shadow + light.occlusion > 0.0) or bounds is None or snapshot.frustum is None:
            return None
        spheres, visibility = self._scene.world_spheres, self.visibility

        def shadow_casters_in(volume: Frustum) -> DrawList:
            ids = visibility.isolated_of(self._scene.index.cull(volume))
            return self.lists.draw_list(ids, opacity=mode.opacity)

        return find_occluders(
            light,
            snapshot.camera,
            snapshot.frustum,
            seen=spheres[frame.visible.nodes],
            radii=spheres[visibility.shown_ids(), 3],
            bounds=bounds,
            grid=frame.grid,
            shadow_casters_in=shadow_casters_in,
        )

    def _outlined_lists(
        self, ids: OutlinedIds, camera: Camera, height: float, caps: Caps, culls_backs_for: FrameCamera | None
    ) -> OutlinedLists:
        return OutlinedLists(*(self.lists.outlined_list(some, camera, height, caps, culls_backs_for) for some in ids))

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
        nearest = max(float((depths - spheres[:, 3]).min(initial=np.inf)), camera.depth_range[0])
        farthest = float((depths + spheres[:, 3]).max(initial=-np.inf))
        return (nearest, farthest) if nearest < farthest < np.inf else (0.0, 1.0)

    def _levels_of(self, levels: DetailLevels, camera: Camera, height: int, nodes: np.ndarray) -> LevelChoice:
        mesh_ids = self._scene.mesh_ids[nodes]
        return levels, levels.chosen(nodes, mesh_ids, self._scene.world_spheres, camera, height)


def _culls_backs_for(camera: FrameCamera, shading: Shading, section: np.ndarray) -> FrameCamera | None:
    """Return the camera if back faces are culled and no section shows it those of closed objects."""
    return camera if shading.culls and len(section) == 0 else None


def _scissor(frame: FrameData, bounds: tuple[np.ndarray, np.ndarray]) -> tuple[int, int, int, int] | None:
    if frame.helpers:
        return None
    strokes = max(frame.look.strokes.line_width, frame.look.strokes.point_size) * frame.pixel_ratio
    corners = box_corners(*bounds) - frame.camera.position
    # Two more: samples are moved by parts of a pixel.
    return part_reached(corners, frame.camera.clip_from_relative, frame.size, strokes + 2.0)


def _relative_corners(frustum: Frustum | None, position: np.ndarray) -> np.ndarray:
    """Return (8, 3) float32 corners of a frustum, relative to a world position; (0, 3) of None."""
    if frustum is None:
        return np.empty((0, 3), dtype=np.float32)
    return (frustum.corners + (frustum.origin - position)).astype(np.float32)


def _nearer(camera: Camera, height: float, pixels: float) -> np.ndarray:
    """Return the (4, 4) float64 matrix that moves things towards the camera along their own rays."""
    at_pivot = pixels * camera.pixel_size(height)
    nearer = np.eye(4)
    if camera.orthographic:
        nearer[:3, 3] = at_pivot * camera.axes[2]
    else:
        nearer[:3, :3] /= 1.0 + at_pivot / camera.distance
    return nearer


def ground_grid(camera: Camera, visibility: Visibility) -> GroundGrid:
    """Return the ground's lines as a camera sees them."""
    extent, ground = float(np.ptp(visibility.bounds, axis=0).max()) or camera.distance, visibility.ground_height
    upright_from_world = camera.world_from_upright.T
    position = upright_from_world @ camera.position
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
