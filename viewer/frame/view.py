"""View: one or several viewports on a scene. It runs those stages of a frame that need no graphics card, in order.

    update   the scene's changes become world matrices and spheres
    index    the octree takes the changed ids
    cull     each viewport's frustum finds the ids that are visible in it
    frame    they become a FrameData for each, which the renderer draws

Windows and scripts both use it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from octoscope.octree import CullStats, Frustum
from octoscope.scene import Scene, SpatialIndex
from octoscope.scene.cutting.caps import NO_CAPS, Caps, caps_of
from octoscope.scene.geometry.colors import color_called
from octoscope.scene.history.selection import Selection
from octoscope.scene.measuring import Measurement
from octoscope.scene.measuring.measurements import shown_measurements
from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.layers import HIDDEN
from octoscope.scene.spatial.frustum_select import nodes_cut
from octoscope.scene.spatial.index import StoredCell, indexable
from octoscope.viewer.camera import controls
from octoscope.viewer.camera.camera import Camera, box_corners
from octoscope.viewer.frame.annotations import MeasurementPreview, annotations_of
from octoscope.viewer.frame.detail.contribution import contributing
from octoscope.viewer.frame.detail.detail_levels import DetailLevels
from octoscope.viewer.frame.detail.occlusion_culling import OcclusionCuller
from octoscope.viewer.frame.frame import DrawList, FrameData, Occluders, ViewportFrame
from octoscope.viewer.frame.frame_builder import FrameBuilder, OutlinedIds
from octoscope.viewer.frame.instances import SHAPES
from octoscope.viewer.frame.look.backdrop import DARK_BACKDROP, Backdrop, Color, plain_backdrop
from octoscope.viewer.frame.look.color_bars import ShownScales, width_beside_bars
from octoscope.viewer.frame.look.environment import Environment, built_in
from octoscope.viewer.frame.look.labels import font_size_px
from octoscope.viewer.frame.look.lighting import LIGHTING, Lighting
from octoscope.viewer.frame.look.look import Look
from octoscope.viewer.frame.look.octree_display import NO_CELLS, ListedTree, OctreeDisplay, drawn_cells
from octoscope.viewer.frame.look.shading import EDGES, MATCAPS, MODES, STROKES, Shading, Strokes
from octoscope.viewer.frame.look.studios import ENVIRONMENT, USUAL
from octoscope.viewer.frame.occluders import find_occluders
from octoscope.viewer.frame.picking import PickSnapshot
from octoscope.viewer.frame.points import COUNTS, PixelPoint, Rectangle, viewport_rectangles
from octoscope.viewer.frame.projection import ViewProjection, part_reached
from octoscope.viewer.frame.quality import MODES as QUALITY_MODES
from octoscope.viewer.frame.redraw import Damage, Redraw, RedrawProperty
from octoscope.viewer.frame.section import NO_SECTION, Section
from octoscope.viewer.frame.stats import FrameStats, stats_of
from octoscope.viewer.frame.timing import StageTimes
from octoscope.viewer.frame.viewports import PointerLocation, Viewport, first_camera

_FARTHEST_LOOK = 30.0  # times the scene's size
_NO_BOUNDS = np.zeros(3), np.zeros(3)  # of an empty scene, which has a ground all the same


class View:
    """Viewports on a scene, the overlays of all of them, and their frames.

    Attributes:
        viewports: one at first; viewport_rectangles says where they lie.
        active: the viewport that keys and camera commands mean.
        culling: False draws every object, seen or not.
        tiny_culling: True leaves objects smaller than a pixel out of the picture, and of nothing else.
        simplifying: True draws small objects with fewer triangles, as far as `levels` has them.
        occlusion_culling: True leaves out triangles of objects that others hide, where they are many.
        show_octree: draws the octree's cells.
        octree_display: says which cells, and in which colours.
        tree_comparison: another octree over the same objects, whose cells the last of several viewports shows, or None.
        show_selected_cell: draws the cell of the active object.
        show_grid: draws the ground.
        show_color_bars: draws the colour scales of what is shown, in modes that show the colours of materials.
        show_boxes, show_spheres, show_axes: draws each object's box, sphere, and local axes.
        show_edges: draws the sides of the files' polygons, over whatever the mode shows.
        mode: the way of seeing, a name of viewer.frame.look.shading.MODES.
        matcap: the material of the mode matcap, a name of MATCAPS.
        strokes: sizes of lines and points.
        is_flat: shades every triangle in its own direction.
        culls_back_faces: leaves out back faces of single-sided materials; they are not picked, either.
        backdrop: colours of the theme's gradient and ground, where the background is no single colour.
        lighting: the key light, and what dims light.
        environment: the light from all around.
        background: ENVIRONMENT shows the environment behind the scene; a colour, sRGB, 0 to 1, shows only that; None
            shows the backdrop's gradient.
        quality: one of viewer.frame.quality.MODES.
        section: planes that cut away a part of what is seen.
        frozen: the frustum that culling keeps in all viewports while the cameras move, or None.
        selection: the selected nodes, which are outlined.
        hovered: the node that a click would select, outlined thinly, or None.
        measurement_preview: a measurement that is being made, or None.
        last_size: of the last picture, framebuffer pixels.
        pixel_ratio: framebuffer pixels to a logical one.
        builder: packs the frames.
        eases: moves cameras smoothly after a command.
        clock: time in seconds, by which they move.
        times: of the stages of the last frames.
        redraw: gets a request when any of this changes.
    """

    viewports = RedrawProperty[tuple[Viewport, ...]](Damage.SCENE)
    culling = RedrawProperty[bool](Damage.SCENE)
    tiny_culling = RedrawProperty[bool](Damage.SCENE)
    simplifying = RedrawProperty[bool](Damage.SCENE)
    occlusion_culling = RedrawProperty[bool](Damage.SCENE)
    show_octree = RedrawProperty[bool](Damage.SCENE)
    octree_display = RedrawProperty[OctreeDisplay](Damage.SCENE)
    tree_comparison = RedrawProperty[ListedTree | None](Damage.SCENE)
    show_selected_cell = RedrawProperty[bool](Damage.SCENE)
    show_grid = RedrawProperty[bool](Damage.SCENE)
    show_boxes = RedrawProperty[bool](Damage.SCENE)
    show_spheres = RedrawProperty[bool](Damage.SCENE)
    show_axes = RedrawProperty[bool](Damage.SCENE)
    show_color_bars = RedrawProperty[bool](Damage.OVERLAY)
    show_edges = RedrawProperty[bool](Damage.SCENE)
    mode = RedrawProperty[str](Damage.SCENE)
    matcap = RedrawProperty[str](Damage.SCENE)
    is_flat = RedrawProperty[bool](Damage.SCENE)
    culls_back_faces = RedrawProperty[bool](Damage.SCENE)
    strokes = RedrawProperty[Strokes](Damage.SCENE)
    backdrop = RedrawProperty[Backdrop](Damage.SCENE)
    lighting = RedrawProperty[Lighting](Damage.SCENE)
    environment = RedrawProperty[Environment](Damage.SCENE)
    background = RedrawProperty[str | Color | None](Damage.SCENE)
    quality = RedrawProperty[str](Damage.REFINEMENT)
    section = RedrawProperty[Section](Damage.SCENE)
    frozen = RedrawProperty[Frustum | None](Damage.SCENE)
    hovered = RedrawProperty[int | None](Damage.OVERLAY)
    measurement_preview = RedrawProperty[MeasurementPreview | None](Damage.OVERLAY)

    def __init__(
        self,
        scene: Scene,
        *,
        tiny_culling: bool = False,
        simplifying: bool = False,
        occlusion_culling: bool = False,
        eases: bool = False,
    ) -> None:
        self.scene = scene
        self.redraw = Redraw()
        self.selection = Selection(on_change=self._show_selection)
        self.active = Viewport(scene, Camera(np.zeros(3)), self.redraw)
        self.viewports = (self.active,)
        self._placed = {0: self.active}  # every viewport that was ever shown, by index: it comes back as it was
        self._several = max(COUNTS)  # the last count above 1
        self.last_size = (1, 1)
        self.pixel_ratio = 1.0
        self.culling = True
        self.tiny_culling = tiny_culling
        self.simplifying = simplifying
        self.occlusion_culling = occlusion_culling
        self._levels = DetailLevels(scene.meshes)
        self.show_octree = self.show_selected_cell = False
        self.octree_display = OctreeDisplay()
        self.tree_comparison = None
        self.show_grid = True
        self.show_color_bars = True
        self._shown_scales = ShownScales(scene)
        self.show_boxes = self.show_spheres = self.show_axes = False
        self.show_edges = self.is_flat = False
        self.culls_back_faces = True
        self.strokes = STROKES
        self.mode, self.matcap = next(iter(MODES)), next(iter(MATCAPS))
        self.quality = QUALITY_MODES[0]
        self.backdrop = DARK_BACKDROP
        self.lighting = LIGHTING
        self.environment = built_in(USUAL)
        self.background = None
        self.section = NO_SECTION
        self._isolated_rows: np.ndarray | None = None  # once they are needed
        self._caps: tuple[np.ndarray | None, tuple[object, ...], Caps] | None = None  # and what they follow from
        self.frozen = self.measurement_preview = self.hovered = None
        self.isolated_ids = None
        self.eases = eases
        self.clock = time.perf_counter
        self.times = StageTimes()
        self.builder = FrameBuilder(scene)

    @property
    def isolated_ids(self) -> np.ndarray | None:
        """(k,) int32 nodes that alone are shown, with those made since; None: all that are not hidden."""
        return self._isolated_ids

    @isolated_ids.setter
    def isolated_ids(self, ids: np.ndarray | None) -> None:
        self._isolated_ids = ids
        self._isolated_rows = None
        self.redraw.request(Damage.SCENE)
        self._rows_when_isolated = self.scene.row_count  # no row is used twice: later ones are new nodes

    @property
    def selected_ids(self) -> np.ndarray:
        """(s,) int32 nodes that are selected; the last is the active one."""
        return self.selection.ids

    def _show_selection(self) -> None:
        self.redraw.request(Damage.SCENE if self.show_selected_cell else Damage.OVERLAY)

    @property
    def levels(self) -> DetailLevels:
        """Levels of detail of the scene's meshes; somebody else makes those that are missing."""
        if self._levels.meshes is not self.scene.meshes:  # the scene has another pool since
            self._levels = DetailLevels(self.scene.meshes)
        return self._levels

    @property
    def index(self) -> SpatialIndex:
        """The scene's octree."""
        return self.scene.index

    @property
    def camera(self) -> Camera:
        """Camera of the active viewport."""
        return self.active.camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        self.active.camera = camera

    @property
    def stats(self) -> FrameStats:
        """Counts of the active viewport's last frame."""
        return self.active.stats

    @property
    def snapshot(self) -> PickSnapshot:
        """The active viewport's last picture, for picking."""
        return self.active.snapshot

    def set_viewport_count(self, count: int) -> None:
        """Show 1, 2 or 4 viewports: 1 is the active one, and several are those shown before."""
        if count == 1:
            self.viewports = (self.active,)
            return
        self._several = count
        for place in range(count):
            if place not in self._placed:
                self._placed[place] = Viewport(self.scene, first_camera(place, self._placed[0].camera), self.redraw)
        self.viewports = tuple(self._placed[place] for place in range(count))
        if self.active not in self.viewports:
            self.active = self.viewports[0]

    def maximise(self, viewport: Viewport | None = None) -> None:
        """Show one of several viewports (None: the active one) alone, or several again."""
        if len(self.viewports) == 1:
            self.set_viewport_count(self._several)
        else:
            self.active = viewport or self.active
            self.set_viewport_count(1)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the last picture, logical pixels."""
        return self.last_size[0] / self.pixel_ratio, self.last_size[1] / self.pixel_ratio

    def resize(self, size: tuple[int, int], pixel_ratio: float | None = None) -> None:
        """Set the size of the next picture.

        Args:
            size: framebuffer pixels.
            pixel_ratio: how many of them are a logical one across; None: as before.
        """
        self.last_size, self.pixel_ratio = size, pixel_ratio or self.pixel_ratio

    def locate(self, pixel: PixelPoint) -> PointerLocation:
        """Return the location of a pixel of the picture, in the viewport under it or nearest to it."""
        places = [PointerLocation(pixel, each, self.area(each).point(pixel)) for each in self.viewports]
        return min(places, key=lambda place: max(max(-part, part - 1.0) for part in place.point))

    def area(self, viewport: Viewport | None = None) -> Rectangle:
        """Return the part of the picture that a viewport (None: the active one) fills, logical pixels."""
        part = viewport_rectangles(len(self.viewports), self.last_size)[self.viewports.index(viewport or self.active)]
        return Rectangle(*(side / self.pixel_ratio for side in (*part.corner, *part.size)))

    def projection_of(self, viewport: Viewport) -> ViewProjection:
        """Return the projection of a viewport with its present camera, to logical pixels of the picture."""
        return ViewProjection(viewport.shown_camera, self.area(viewport))

    def update(self) -> None:
        """Bring world matrices, spheres and the octree up to date with the scene's changes."""
        self.update_world()
        self.update_index()

    def update_world(self) -> None:
        """Recompute world matrices and spheres below what changed: the first half of `update`."""
        with self.times.stage("update"):
            self.scene.update_world()

    def update_index(self) -> None:
        """Take the changed spheres into the octree: the second half of `update`."""
        with self.times.stage("index"):
            self.scene.index.update()

    def build_frame(self, size: tuple[int, int]) -> FrameData:
        """Return the next picture of a view with one viewport; `size` in framebuffer pixels.

        Raises:
            ValueError: the view has several viewports.
        """
        (placed,) = self.build_frames(size)
        return placed.frame

    def build_frames(self, size: tuple[int, int]) -> tuple[ViewportFrame, ...]:
        """Bring everything up to date, once, and return the next picture of each viewport.

        Args:
            size: of the whole picture, framebuffer pixels.
        """
        if self.scene.is_stale:
            self.update()
        self.resize(size)
        parts = viewport_rectangles(len(self.viewports), size)
        sizes = [(int(part.width), int(part.height)) for part in parts]
        with self.times.stage("cull"):
            culled = [self._cull(viewport, each) for viewport, each in zip(self.viewports, sizes, strict=True)]
        placed = []
        with self.times.stage("frame"):
            for viewport, part, part_size, (drawn_ids, stats) in zip(self.viewports, parts, sizes, culled, strict=True):
                frame = self.builder.build(
                    viewport.snapshot.camera,
                    part_size,
                    drawn_ids,
                    pixel_ratio=self.pixel_ratio,
                    outlined=self._outlined_ids(viewport),
                    show_edges=self.show_edges,
                    detail_levels=self.levels if self.simplifying and self.culling else None,
                    cells=self._drawn_cells(viewport),
                    frozen_frustum=self.frozen,
                    shapes=self._shown_shapes(),
                    ground=(self.index.bounds() or _NO_BOUNDS) if self.show_grid else None,
                    measurement_preview=self.measurement_preview,
                    isolated=self._isolated(),
                    scales=self._color_scales(),
                    look=self._look(),
                    occlusion_culler=self._occlusion_culler(viewport),
                    section=self.section,
                    caps=viewport.snapshot.caps,
                )
                tiny = len(viewport.snapshot.visible_ids) - len(drawn_ids)
                viewport.stats = stats_of(len(self.index), frame, stats, tiny)
                placed.append(ViewportFrame(frame, (int(part.x), int(part.y))))
        return tuple(placed)

    def _look(self) -> Look:
        return Look(self._shown_backdrop(), self.lighting, self.environment, self._shading(), self.strokes)

    def _shading(self) -> Shading:
        return Shading(MODES[self.mode], MATCAPS[self.matcap], self.is_flat, self.culls_back_faces)

    def _color_scales(self) -> list[ColorScale]:
        is_explained = self.show_color_bars and MODES[self.mode].shows_materials
        return self._shown_scales.find(self._isolated()) if is_explained else []

    def _shown_shapes(self) -> list[str]:
        is_shown = (self.show_boxes, self.show_spheres, self.show_axes)
        return [shape for shape, shows in zip(SHAPES, is_shown, strict=True) if shows]

    def _drawn_cells(self, viewport: Viewport) -> np.ndarray:
        """Return the cells that a viewport shows, as FrameData has them."""
        position = viewport.snapshot.camera.position  # of the frame that is built: on its way during a transition
        if not self.show_octree:
            cell = self.selected_cell if self.show_selected_cell else None
            cells = NO_CELLS if cell is None else cell.drawn()
            return drawn_cells(cells, OctreeDisplay(), 1.0, None, position)
        display = self.octree_display
        is_last = viewport is self.viewports[-1] and len(self.viewports) > 1
        tree = (self.tree_comparison if is_last else None) or self.index
        frustum = (self.frozen or self.active.snapshot.frustum) if self.culling else None
        return drawn_cells(tree.cells(empty=display.empty), display, tree.settings.cell_bounds, frustum, position)

    @property
    def selected_cell(self) -> StoredCell | None:
        """The octree cell of the active object, or None."""
        return self.index.cell_of(int(self.selected_ids[-1])) if len(self.selected_ids) else None

    def _cull(self, viewport: Viewport, size: tuple[int, int]) -> tuple[np.ndarray, CullStats]:
        """Find the nodes that a viewport sees, and keep them in its snapshot; return those of them that are drawn."""
        camera = viewport.begin_frame(self.index.bounds() or _NO_BOUNDS, self.clock())
        own_frustum = self._frustum(camera, size)
        stats = CullStats()
        frustum = self.frozen or own_frustum
        if self.culling and frustum is not None:
            visible_ids = self.index.cull(frustum, stats=stats)
        else:
            visible_ids = self.index.shown_ids()
        isolated = self._isolated()
        if isolated is not None:
            visible_ids = visible_ids[isolated[visible_ids]]
        visible_ids = self._left_by_section(visible_ids)
        projection = ViewProjection(camera, self.area(viewport))
        viewport.snapshot = PickSnapshot(
            self.scene,
            projection,
            own_frustum,
            visible_ids,
            self.strokes,
            self.section,
            self._section_caps(),
            self._shading().culls,
        )
        return self._without_tiny(visible_ids, camera, size), stats

    def _section_caps(self) -> Caps:
        """Return the faces that close objects where the section cuts them open."""
        if not self.section:
            return NO_CAPS
        ids, state = self._isolated_ids, (self.section, self.scene.version, self._rows_when_isolated)
        if self._caps is None or self._caps[0] is not ids or self._caps[1] != state:
            origin = np.mean(self.index.bounds() or _NO_BOUNDS, axis=0)
            self._caps = ids, state, caps_of(self.scene, self.shown_ids(), self.section.planes_about(origin), origin)
        return self._caps[2]

    def _left_by_section(self, ids: np.ndarray) -> np.ndarray:
        """Return those of some nodes that no plane of the section cuts away wholly."""
        return ids[self.section.touches(self.scene.world_spheres[ids])] if self.section else ids

    def _occlusion_culler(self, viewport: Viewport) -> OcclusionCuller | None:
        if self.occlusion_culling and self.culling and MODES[self.mode].draws_faces:
            return viewport.occlusion_culler
        viewport.occlusion_culler.forget()
        return None

    def _without_tiny(self, ids: np.ndarray, camera: Camera, size: tuple[int, int]) -> np.ndarray:
        """Leave out nodes that add nothing to the picture, but none with lines or points, which are never tiny."""
        meshes = self.scene.meshes
        if not (self.culling and self.tiny_culling) or self._draws_edges:
            return ids
        drawn = contributing(ids, self.scene.world_spheres, camera, size)
        if len(meshes.lines) or len(meshes.points):
            mesh_ids = self.scene.mesh_ids[ids]
            drawn |= meshes.rows["line_count"][mesh_ids] + meshes.rows["point_count"][mesh_ids] > 0
        return ids[drawn]

    @property
    def _draws_edges(self) -> bool:
        return self.show_edges or not MODES[self.mode].draws_faces

    def show_as(self, name: str) -> None:
        """Choose a way of seeing by its name, as options and scripts give it: of MODES, or EDGES.

        Raises:
            ValueError: there is no such way.
        """
        _check_name("mode", name, (*MODES, EDGES))
        self.mode = "shaded" if name == EDGES else name
        self.show_edges |= name == EDGES

    def show_matcap(self, name: str) -> None:
        """Show everything in a material of MATCAPS.

        Raises:
            ValueError: there is no such material.
        """
        _check_name("matcap", name, tuple(MATCAPS))
        self.mode, self.matcap = "matcap", name

    def show_before(self, background: str | Color | None) -> None:
        """Choose the background as options and scripts give it.

        Args:
            background: "environment"; a colour, sRGB, 0 to 1, or as color_called reads it; or None for the
                gradient.

        Raises:
            ValueError: there is no such background.
        """
        if isinstance(background, str) and background != ENVIRONMENT:
            background = color_called(background)
        self.background = background

    def _shown_backdrop(self) -> Backdrop:
        """Return the backdrop that the background asks for."""
        if self.background is None or isinstance(self.background, str):
            return replace(self.backdrop, shows_environment=self.background == ENVIRONMENT)
        return replace(plain_backdrop(self.background), is_transparent=self.backdrop.is_transparent)

    def _frustum(self, camera: Camera, size: tuple[int, int]) -> Frustum | None:
        """Return the frustum of a camera, widened by the pixels that lines and points are drawn wider than they are.

        None where the camera is so far out that numbers do not tell one side of its picture from the other.
        """
        clip_from_relative = camera.clip_from_relative(size[0] / size[1])
        meshes = self.scene.meshes
        if self._draws_edges or len(meshes.lines) or len(meshes.points):
            widest = 2.0 * self.strokes.widest * self.pixel_ratio
            clip_from_relative[:2] /= 1.0 + widest / np.array(size)[:, None]
        try:
            return Frustum.from_matrix(clip_from_relative, camera.position)
        except ValueError:
            return None

    def toggle_freeze(self) -> None:
        """Freeze culling at the frustum of the active viewport's last picture, or end that."""
        self.frozen = self.snapshot.frustum if self.frozen is None else None

    def with_outlines(self, placed: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
        """Return the last frames with selection, hovering and measurements as they are now."""
        return tuple(
            replace(part, frame=self._with_outlines(viewport, part.frame))
            for viewport, part in zip(self.viewports, placed, strict=True)
        )

    def with_everything(self, placed: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
        """Return the last frames with all that is in view as it is, as a picture shows it that stands still.

        They have what is tiny, too, nothing is simplified, and what keeps light off does so.
        """
        whole = (
            replace(part, frame=self.builder.whole(part.frame, viewport.snapshot.visible_ids))
            for viewport, part in zip(self.viewports, placed, strict=True)
        )
        return self.with_occluders(tuple(whole))

    def with_occluders(self, placed: Sequence[ViewportFrame]) -> tuple[ViewportFrame, ...]:
        """Return the last frames with what keeps light from surfaces, and where in the picture these are."""
        return tuple(
            replace(
                part,
                frame=replace(
                    part.frame, occluders=self._occluders(viewport, part.frame), reach=self._reach(part.frame)
                ),
            )
            for viewport, part in zip(self.viewports, placed, strict=True)
        )

    def _reach(self, frame: FrameData) -> tuple[int, int, int, int] | None:
        bounds = self.index.bounds()
        if bounds is None or len(frame.cells) or len(frame.frozen_frustum) or frame.shapes:
            return None
        strokes = max(frame.strokes.line_width, frame.strokes.point_size) * frame.pixel_ratio
        corners = box_corners(*bounds) - frame.camera_position
        # Two more: samples are moved by parts of a pixel.
        return part_reached(corners, frame.clip_from_relative, frame.size, strokes + 2.0)

    def _occluders(self, viewport: Viewport, frame: FrameData) -> Occluders | None:
        bounds, frustum = self.index.bounds(), viewport.snapshot.frustum
        light, mode = frame.lighting, frame.shading.mode
        if not (mode.is_dimmed and light.shadow + light.occlusion > 0.0) or bounds is None or frustum is None:
            return None
        spheres, isolated = self.scene.world_spheres, self._isolated()

        def casters_in(volume: Frustum) -> DrawList:
            ids = self.index.cull(volume)
            return self.builder.draw_list(ids if isolated is None else ids[isolated[ids]], opacity=mode.opacity)

        return find_occluders(
            light,
            viewport.snapshot.camera,
            frustum,
            seen=spheres[frame.visible.nodes],
            radii=spheres[self.shown_ids(), 3],
            bounds=bounds,
            grid=frame.grid,
            casters_in=casters_in,
        )

    def _with_outlines(self, viewport: Viewport, frame: FrameData) -> FrameData:
        selected, active, hovered = self.builder.outlined_lists(
            self._outlined_ids(viewport), viewport.snapshot.camera, frame.size[1] / frame.pixel_ratio, frame.caps
        )
        return replace(
            frame,
            selected=selected,
            active=active,
            hovered=hovered,
            annotations=annotations_of(
                self.scene,
                viewport.snapshot.camera,
                frame.size,
                self.measurement_preview,
                self._isolated(),
                self._color_scales(),
                viewport.snapshot.section,
            ),
        )

    def shown_ids(self) -> np.ndarray:
        """Return (k,) int32 objects that are shown, whether a camera sees them or not."""
        ids, isolated = self.index.shown_ids(), self._isolated()
        return ids if isolated is None else ids[isolated[ids]]

    def cut_ids(self) -> np.ndarray:
        """Return (k,) int32 shown objects of which the section cuts a part away, and leaves a part."""
        ids, origin = self._left_by_section(self.shown_ids()), np.mean(self.index.bounds() or _NO_BOUNDS, axis=0)
        return nodes_cut(self.index, ids, self.section.planes_about(origin), origin)

    def shown_measurements(self) -> list[Measurement]:
        """Return the scene's measurements between nodes that are shown."""
        return shown_measurements(self.scene, self._isolated())

    def toggle_isolation(self) -> None:
        """Show nothing but the selection and its descendants, or everything again."""
        if self.isolated_ids is not None:
            self.isolated_ids = None
        elif len(self.selected_ids):
            self.isolated_ids = with_all_below(self.scene, self.selected_ids)

    def farthest_distance(self) -> float:
        """Return the distance from the pivot beyond which zooming out ends."""
        bounds = self.index.bounds()
        size = 0.0 if bounds is None else float(np.linalg.norm(bounds[1] - bounds[0]))
        return _FARTHEST_LOOK * size or math.inf

    def frame_nodes(self, ids: np.ndarray | None, *, every: bool = False) -> None:
        """Fit nodes and their descendants (None: all that is shown) in the active viewport, or in every one."""
        bounds = self._bounds_to_frame(ids)
        if bounds is not None:
            self.frame_bounds(bounds, every=every)

    def _bounds_to_frame(self, ids: np.ndarray | None) -> tuple[np.ndarray, np.ndarray] | None:
        if ids is None:
            ids = self.shown_ids()
        else:
            ids = with_all_below(self.scene, ids)
            ids = ids[indexable(self.scene.world_spheres[ids])]  # what is farther or larger is not shown
        return self.scene.own_bounds(ids)

    @property
    def frames_all(self) -> bool:
        """True while the active viewport's camera stands where framing everything brings it."""
        bounds = self._bounds_to_frame(None)
        return bounds is not None and controls.is_framed(self.camera, *bounds, self._framed_aspect(self.active))

    def frame_bounds(self, bounds: tuple[np.ndarray, np.ndarray], *, every: bool = False) -> None:
        """Fit a world box (lower, upper) in the active viewport, or in every one."""
        for viewport in self.viewports:
            if every or viewport is self.active:
                viewport.camera = controls.frame_box(viewport.camera, *bounds, self._framed_aspect(viewport))

    def _framed_aspect(self, viewport: Viewport) -> float:
        """Return width over height of the part of a viewport that bounds are fitted in: colour bars are beside it."""
        area, scales = self.area(viewport), self._color_scales()
        if not scales:
            return area.aspect
        size = round(area.width * self.pixel_ratio), round(area.height * self.pixel_ratio)
        return width_beside_bars(scales, size, font_size_px(size[1])) / size[1]

    def reorient(self, camera: Camera) -> None:
        """Give the active viewport a camera with another direction or lens, and frame again what was framed."""
        aspect = self._framed_aspect(self.active)
        for ids in (self.selected_ids, None):
            bounds = self._bounds_to_frame(ids)
            if bounds is not None and controls.is_framed(self.camera, *bounds, aspect):
                camera = controls.frame_box(camera, *bounds, aspect)
                break
        self.camera = camera

    def ease_cameras(self) -> None:
        """Show where a command has moved cameras as a smooth way there from the last picture, unless switched off."""
        if self.eases:
            for viewport in self.viewports:
                viewport.ease(self.clock())

    @property
    def is_moving(self) -> bool:
        """True while a camera is on its way."""
        return any(viewport.is_moving for viewport in self.viewports)

    def _isolated(self) -> np.ndarray | None:
        """Return (nodes,) bool by node id of those that alone are shown; None: all that are not hidden."""
        if self.isolated_ids is None:
            return None
        rows = self._isolated_rows
        if rows is None or len(rows) != self.scene.row_count:
            rows = self._isolated_rows = np.zeros(self.scene.row_count, dtype=bool)
            rows[self.isolated_ids] = True
            rows[self._rows_when_isolated :] = True
        return rows

    def shown_rows(self) -> np.ndarray:
        """Return (nodes,) bool by node id of those that are neither hidden, themselves or by a parent, nor left out."""
        shown, isolated = self.scene.layers != HIDDEN, self._isolated()
        return shown if isolated is None else shown & isolated

    def _outlined_ids(self, viewport: Viewport) -> OutlinedIds:
        selected = self._outlined(viewport, self.selected_ids)
        active = self._outlined(viewport, self.selected_ids[-1:])
        hovered = np.array([] if self.hovered is None else [self.hovered], dtype=np.int32)
        hovered = self._outlined(viewport, hovered)
        return OutlinedIds(selected[~np.isin(selected, active)], active, hovered[~np.isin(hovered, selected)])

    def _outlined(self, viewport: Viewport, ids: np.ndarray) -> np.ndarray:
        """Return those of some nodes that a viewport shows; one without a mesh stands for its descendants."""
        if len(ids) == 0:  # what follows takes time for each node of the scene
            return ids
        empty = ids[self.scene.mesh_ids[ids] < 0]
        if len(empty):
            outlined = np.zeros(self.scene.row_count, dtype=bool)
            outlined[ids] = outlined[with_all_below(self.scene, empty)] = True
            ids = np.flatnonzero(outlined).astype(np.int32)
        if self.frozen is not None:  # also objects that the frozen frustum leaves out
            return self._left_by_section(ids[self.shown_rows()[ids]])
        visible = np.zeros(self.scene.row_count, dtype=bool)
        visible[viewport.snapshot.visible_ids] = True
        return ids[visible[ids]]


def _check_name(kind: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise ValueError(f"there is no such {kind} as {name!r}; there are {', '.join(names)}")
