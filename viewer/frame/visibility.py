"""Visibility: which nodes of a scene a view shows, and which of these a camera sees."""

from __future__ import annotations

import numpy as np

from octoscope.octree import CullStats, Frustum
from octoscope.scene import Scene
from octoscope.scene.conventions.up_axis import up_index
from octoscope.scene.cutting.caps import NO_CAPS, Caps, caps_of
from octoscope.scene.nodes.hierarchy import owners, with_all_below
from octoscope.scene.nodes.layers import HIDDEN
from octoscope.scene.spatial.fitting import indexable
from octoscope.scene.spatial.frustum_select import nodes_cut
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.detail.screen_size_culling import contributing
from octoscope.viewer.frame.redraw import Damage, Redraw, RedrawProperty
from octoscope.viewer.frame.section import Section
from octoscope.viewer.frame.view_settings import ViewSettings

_NO_BOUNDS = np.zeros(3), np.zeros(3)  # of an empty scene, which has a ground all the same


class Visibility:
    """Nodes that are shown: neither hidden, nor left out while others are isolated, nor cut away by a section.

    Attributes:
        frozen: the frustum that culling keeps in all viewports while the cameras move, or None.
        redraw: gets a request when what is shown changes.
    """

    frozen = RedrawProperty[Frustum | None](Damage.SCENE)

    def __init__(self, scene: Scene, redraw: Redraw) -> None:
        self._scene = scene
        self.redraw = redraw
        self.frozen = None
        self._isolated_ids: np.ndarray | None = None
        self._rows_when_isolated = 0
        self._isolated: np.ndarray | None = None  # once they are needed
        self._caps: tuple[np.ndarray | None, tuple[object, ...], Caps] | None = None  # and what they follow from

    @property
    def isolated_ids(self) -> np.ndarray | None:
        """(k,) int32 nodes that alone are shown, with those made since; None: all that are not hidden."""
        return self._isolated_ids

    @isolated_ids.setter
    def isolated_ids(self, ids: np.ndarray | None) -> None:
        self._isolated_ids = ids
        self._isolated = None
        self._rows_when_isolated = self._scene.row_count  # no row is used twice: later ones are new nodes
        self.redraw.request(Damage.SCENE)

    def toggle_freeze(self, frustum: Frustum | None) -> None:
        """Freeze culling at the frustum of a picture, if there is one yet, or end that."""
        self.frozen = frustum if self.frozen is None else None

    def toggle_isolation(self, ids: np.ndarray) -> None:
        """Show nothing but some nodes, (k,) int32, and their descendants, or everything again."""
        if self.isolated_ids is not None:
            self.isolated_ids = None
        elif len(ids):
            self.isolated_ids = with_all_below(self._scene, ids)

    @property
    def isolated(self) -> np.ndarray | None:
        """(nodes,) bool by node id of those that alone are shown; None: all that are not hidden."""
        if self._isolated_ids is None:
            return None
        rows = self._isolated
        if rows is None or len(rows) != self._scene.row_count:
            rows = self._isolated = np.zeros(self._scene.row_count, dtype=bool)
            rows[self._isolated_ids] = True
            rows[self._rows_when_isolated :] = True
        return rows

    @property
    def bounds(self) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper corner of a world box around the scene, (3,) each."""
        return self._scene.index.bounds() or _NO_BOUNDS

    @property
    def ground_height(self) -> float:
        """The height of the ground: 0 where the scene hangs or floats a little over that, else its lowest point."""
        return self._ground_below(self.bounds)

    def ground_height_without(self, ids: np.ndarray) -> float:
        """Return the height of the ground of the scene but for some nodes and all below them."""
        others = self._scene.index.all_ids()
        others = others[owners(self._scene, ids)[others] < 0]
        return self._ground_below(self._scene.own_bounds(others) or _NO_BOUNDS)

    def _ground_below(self, bounds: tuple[np.ndarray, np.ndarray]) -> float:
        lowest, highest = (float(corner[up_index(self._scene.up_axis)]) for corner in bounds)
        return 0.0 if 0.0 <= lowest <= highest - lowest else lowest

    def shown_ids(self) -> np.ndarray:
        """Return (k,) int32 objects that are shown, whether a camera sees them or not."""
        return self.isolated_of(self._scene.index.shown_ids())

    def shown_rows(self) -> np.ndarray:
        """Return (nodes,) bool by node id of those that are neither hidden, themselves or by a parent, nor left out."""
        shown, isolated = self._scene.layers != HIDDEN, self.isolated
        return shown if isolated is None else shown & isolated

    def isolated_of(self, ids: np.ndarray) -> np.ndarray:
        """Return those of some nodes that are not left out."""
        isolated = self.isolated
        return ids if isolated is None else ids[isolated[ids]]

    def left_by(self, section: Section, ids: np.ndarray) -> np.ndarray:
        """Return those of some nodes that no plane of a section cuts away wholly."""
        return ids[section.touches(self._scene.world_spheres[ids])] if section else ids

    def cut_ids(self, section: Section) -> np.ndarray:
        """Return (k,) int32 shown objects of which a section cuts a part away, and leaves a part."""
        origin = np.mean(self.bounds, axis=0)
        return nodes_cut(
            self._scene.index, self.left_by(section, self.shown_ids()), section.planes_about(origin), origin
        )

    def caps(self, section: Section) -> Caps:
        """Return the faces that close objects where a section cuts them open; kept until something changes."""
        if not section:
            return NO_CAPS
        ids, state = self._isolated_ids, (section, self._scene.version, self._rows_when_isolated)
        if self._caps is None or self._caps[0] is not ids or self._caps[1] != state:
            origin = np.mean(self.bounds, axis=0)
            self._caps = ids, state, caps_of(self._scene, self.shown_ids(), section.planes_about(origin), origin)
        return self._caps[2]

    def box_around(self, ids: np.ndarray | None) -> tuple[np.ndarray, np.ndarray] | None:
        """Return a world box around nodes and their descendants, or all that is shown; None around nothing."""
        if ids is None:
            ids = self.shown_ids()
        else:
            ids = with_all_below(self._scene, ids)
            ids = ids[indexable(self._scene.world_spheres[ids])]  # what is farther or larger is not shown
        return self._scene.own_bounds(ids)

    def visible_ids(self, frustum: Frustum | None, settings: ViewSettings, stats: CullStats) -> np.ndarray:
        """Return (k,) int32 shown objects that a frustum (None: everything) meets; others may be among them."""
        index = self._scene.index
        if settings.culling and frustum is not None:
            ids = index.cull(frustum, stats=stats)
        else:
            ids = index.shown_ids()
        return self.left_by(settings.section, self.isolated_of(ids))

    def without_tiny(
        self, ids: np.ndarray, settings: ViewSettings, camera: Camera, size: tuple[int, int]
    ) -> np.ndarray:
        """Leave out those of (k,) int32 nodes that add nothing to a picture; lines and points are never tiny."""
        scene, meshes = self._scene, self._scene.meshes
        if not (settings.culling and settings.tiny_culling) or settings.draws_edges:
            return ids
        drawn = contributing(ids, scene.world_spheres, camera, size)
        if len(meshes.lines) or len(meshes.points):
            mesh_ids = scene.mesh_ids[ids]
            drawn |= meshes.rows["line_count"][mesh_ids] + meshes.rows["point_count"][mesh_ids] > 0
        return ids[drawn]

    def frustum_of(
        self, camera: Camera, settings: ViewSettings, size: tuple[int, int], pixel_ratio: float
    ) -> Frustum | None:
        """Return the frustum of a camera, widened by the pixels that lines and points are drawn wider than they are.

        Args:
            size: of the picture, framebuffer pixels.
            pixel_ratio: framebuffer pixels to one in which widths of lines and sizes of points are given.

        Returns:
            None where the camera is so far out that numbers do not tell one side of its picture from the other.
        """
        clip_from_relative = camera.clip_from_relative(size[0] / size[1])
        meshes = self._scene.meshes
        if settings.draws_edges or len(meshes.lines) or len(meshes.points):
            widest = 2.0 * settings.strokes.widest * pixel_ratio
            clip_from_relative[:2] /= 1.0 + widest / np.array(size)[:, None]
        try:
            return Frustum.from_matrix(clip_from_relative, camera.position)
        except ValueError:
            return None
