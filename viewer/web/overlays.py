"""Overlays: what lies over the scene in a browser: boxes around the selection, measurements, cells of the octree."""

from __future__ import annotations

from typing import Any

import numpy as np
from viser import ViserServer

from octoscope.scene import Scene
from octoscope.scene.measurement import ANGLE
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.measuring.measurements import figure_text, world_points
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.scene.nodes.layers import HIDDEN
from octoscope.viewer.camera.camera import BOX_EDGES, box_corners
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.frame.annotations import MEASUREMENT_COLOR, PREVIEW_COLOR, arc_of
from octoscope.viewer.frame.look.marks import ACTIVE_COLOR
from octoscope.viewer.frame.octree_view.display import OctreeDisplay, drawn_cells
from octoscope.viewer.web.geometry import BrowserFrame

_MOST_BOXES = 2_000
_MOST_CELLS = 20_000
_MOST_MEASUREMENTS = 200
_POINT_SIZE = 0.1  # of the points of a measurement that is being made, browser units


class Overlays:
    """Lines and labels over the scene.

    Args:
        server: shows them.
        editor: of the scene; its selection gets boxes.
        frame: of what browsers show.

    Attributes:
        shows_octree: whether the octree's occupied cells are drawn.
    """

    def __init__(self, server: ViserServer, editor: Editor, frame: BrowserFrame) -> None:
        self.shows_octree = False
        self._server = server
        self._editor = editor
        self._scene = editor.scene
        self._frame = frame
        self._handles: dict[str, Any] = {}
        self._shown: dict[str, tuple[object, ...]] = {}  # what the drawn ones were made from

    def update(self) -> None:
        """Draw again what has changed."""
        scene, revision = self._scene, self._scene.world_revision
        selected = self._editor.selected_ids
        if self._is_new("selection", (revision, selected.tobytes())):
            self._draw("selection", boxes_of(scene, selected), ACTIVE_COLOR, 2.0)
        if self._is_new("octree", (self.shows_octree, revision if self.shows_octree else 0)):
            self._draw_octree()
        preview = self._editor.view.measurement_preview
        if self._is_new("measurements", (revision, scene.version if scene.measurements else 0)):
            self._draw_measurements()
        if self._is_new("points", (None if preview is None else preview.points.tobytes(),)):
            self._draw_points(np.empty((0, 3)) if preview is None else preview.points)

    def _is_new(self, name: str, facts: tuple[object, ...]) -> bool:
        before, self._shown[name] = self._shown.get(name), facts
        return before != facts

    def _draw(self, name: str, lines: np.ndarray, colors: Any, width_px: float) -> None:
        """Show (n, 2, 3) world lines in colours, one or (n, 2, 3), in place of those of that name."""
        handle = self._handles.pop(name, None)
        if handle is not None:
            handle.remove()
        if len(lines):
            self._handles[name] = self._server.scene.add_line_segments(
                f"/overlay/{name}",
                self._frame.points(lines).astype(np.float32),
                colors=(np.asarray(colors) * 255.0).round().astype(np.uint8),
                thickness=width_px,
                thickness_units="screen",
            )

    def _draw_octree(self) -> None:
        lines, colors = np.empty((0, 2, 3)), np.empty((0, 2, 3))
        if self.shows_octree:
            cells = drawn_cells(self._scene.index.cells(), OctreeDisplay(), 1.0, None, self._frame.origin)[:_MOST_CELLS]
            lower = self._frame.origin + cells[:, :3].astype(np.float64) - cells[:, 3:4]
            corners = box_corners(np.zeros(3), np.ones(3))[BOX_EDGES] * (2.0 * cells[:, 3, None, None, None])
            lines = (lower[:, None, None] + corners).reshape(-1, 2, 3)
            colors = np.repeat(cells[:, 4:], len(BOX_EDGES) * 2, axis=0).reshape(-1, 2, 3)
        self._draw("octree", lines, colors, 1.0)

    def _draw_measurements(self) -> None:
        for name in [name for name in self._handles if name.startswith("label")]:
            self._handles.pop(name).remove()
        lines = [np.empty((0, 2, 3))]
        for number, measurement in enumerate(self._editor.view.shown_measurements()[:_MOST_MEASUREMENTS]):
            points = world_points(self._scene, measurement.anchors)
            if not np.isfinite(points).all():
                continue
            arc = arc_of(points) if measurement.kind == ANGLE else points[:0]
            lines += [_path(points), _path(arc)]
            self._handles[f"label {number}"] = self._server.scene.add_label(
                f"/overlay/label{number}",
                figure_text(measurement.kind, points, Lengths.of(self._scene)),
                position=self._frame.points((arc if len(arc) else points).mean(axis=0)),
                anchor="center-center",
            )
        self._draw("measurements", np.concatenate(lines), MEASUREMENT_COLOR, 2.0)

    def _draw_points(self, points: np.ndarray) -> None:
        """Show the points (n, 3), world, of a measurement that is being made."""
        handle = self._handles.pop("points", None)
        if handle is not None:
            handle.remove()
        if len(points):
            self._handles["points"] = self._server.scene.add_point_cloud(
                "/overlay/points",
                self._frame.points(points).astype(np.float32),
                colors=PREVIEW_COLOR,
                point_size=_POINT_SIZE,
                point_shape="circle",
                precision="float32",
            )


def _path(points: np.ndarray) -> np.ndarray:
    """Return (n - 1, 2, 3) lines from each of (n, 3) points to the next."""
    return np.stack([points[:-1], points[1:]], axis=1)


def boxes_of(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return (12 n, 2, 3) edges of the boxes around nodes and all below them, along the nodes' own axes, world."""
    below = with_all_below(scene, ids)
    shown = below[(scene.mesh_ids[below] >= 0) & (scene.layers[below] != HIDDEN)][:_MOST_BOXES]
    rows = scene.meshes.rows
    lower, upper = (rows[side][scene.mesh_ids[shown]] for side in ("lower", "upper"))
    unit = box_corners(np.zeros(3), np.ones(3))
    corners = lower[:, None] + unit * (upper - lower)[:, None]
    world = scene.world_from_local[shown]
    placed = corners @ world[:, :3, :3].transpose(0, 2, 1) + world[:, None, :3, 3]
    return placed[:, BOX_EDGES].reshape(-1, 2, 3)
