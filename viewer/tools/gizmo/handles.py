"""Handles: arms, planes, rings and the centre of the gizmo, as they are drawn and taken hold of in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.tools.gizmo.drag_solver import ALL_AXES, ARM_PX
from octoscope.viewer.tools.gizmo.frames import GizmoFrame
from octoscope.viewer.tools.gizmo.settings import ROTATE, SCALE

ARM, PLANE, RING, MIDDLE = "arm", "plane", "ring", "middle"
_PLANE_BEGINS, _PLANE_ENDS = 0.28, 0.5  # of an arm
_VIEW_RING = 1.18  # of an arm
_MIDDLE_PX = 9.0
_REACH_PX = 7.0  # logical pixels beside a line that still take hold of it
_SHORTEST = 0.12  # of an arm in the picture: shorter, it points at the eye and cannot be taken
_FLATTEST = 0.15  # of a plane's picture, of the whole square
_RING_STEPS = 64
# Near the end of the number range a handle has no finite place in the picture; such a handle is left out.
_out_of_range = np.errstate(over="ignore", invalid="ignore")


@dataclass(frozen=True, eq=False)
class Handle:
    """A handle that can be seen and taken."""

    shape: str  # ARM, PLANE, RING or MIDDLE
    axes: tuple[int, ...]  # the axes that it moves along, rotates about or scales
    # (n, 2) pixels: the points of a line, the corners of a plane, or of MIDDLE its centre and a point of its edge
    outline: np.ndarray
    # (n - 1,) bool, pieces of a ring's line behind the gizmo's centre: drawn fainter, and not taken
    hidden: np.ndarray | None = None

    def is_like(self, other: Handle | None) -> bool:
        """Return whether another handle does the same, wherever it is."""
        return other is not None and (self.shape, self.axes) == (other.shape, other.axes)

    @_out_of_range
    def distance_px(self, mouse: PixelPoint) -> float:
        """Return the pixels between the mouse and the handle; 0 on a plane or the centre."""
        point = np.asarray(mouse, dtype=np.float64)
        if self.shape == MIDDLE:
            middle, edge = self.outline
            return max(0.0, float(np.linalg.norm(point - middle) - np.linalg.norm(edge - middle)))
        if self.shape == PLANE:
            return 0.0 if _is_inside(self.outline, point) else np.inf
        starts, ends = self.outline[:-1], self.outline[1:]
        if self.hidden is not None:
            starts, ends = starts[~self.hidden], ends[~self.hidden]
        return _distance_to_pieces(starts, ends, point)


@_out_of_range
def handles_of(mode: str, frame: GizmoFrame, projection: ViewProjection, scale: float) -> list[Handle]:
    """Return the gizmo's handles in a picture, those in front last; none where the camera does not see its origin."""
    if not projection.sees(frame.origin):
        return []
    length = ARM_PX * scale * projection.unit_per_pixel(frame.origin)
    middle = projection.pixels(frame.origin[None]) + np.array(((0.0, 0.0), (_MIDDLE_PX * scale, 0.0)))
    if mode == ROTATE:
        found = [_view_ring(frame, projection, length), *(_ring(axis, frame, projection, length) for axis in ALL_AXES)]
    else:
        arms = [_arm(axis, frame, projection, length) for axis in ALL_AXES]
        planes = [_plane(axis, frame, projection, length) for axis in ALL_AXES]
        arms = [arm for arm in arms if _length(arm.outline) > _SHORTEST * ARM_PX * scale]
        least = _FLATTEST * ((_PLANE_ENDS - _PLANE_BEGINS) * ARM_PX * scale) ** 2
        planes = [plane for plane in planes if _area(plane.outline) > least]
        found = [*planes, *arms, Handle(MIDDLE, ALL_AXES, middle)]
    return [handle for handle in found if np.isfinite(handle.outline).all()]


def handle_under(handles: list[Handle], mouse: PixelPoint, scale: float) -> Handle | None:
    """Return the handle that the mouse takes hold of, or None: the nearest, and of equally near ones the centre."""
    reached = [(handle.distance_px(mouse), handle) for handle in handles]
    reached = [(distance, handle) for distance, handle in reached if distance <= _REACH_PX * scale]
    return min(reached, key=lambda each: (each[0], each[1].shape != MIDDLE))[1] if reached else None


def pull_of(handle: Handle, mode: str) -> np.ndarray | None:
    """Return the (2,) direction in the picture along which a scale by a handle grows; None: away from the centre."""
    if mode != SCALE:
        return None
    if handle.shape == ARM:
        return handle.outline[-1] - handle.outline[0]
    if handle.shape == MIDDLE:
        return np.array((1.0, -1.0))
    return None


def _arm(axis: int, frame: GizmoFrame, projection: ViewProjection, length: float) -> Handle:
    ends = np.array((0.12, 1.0))[:, None] * length * frame.directions[:, axis]
    return Handle(ARM, (axis,), projection.pixels(frame.origin + ends))


def _plane(axis: int, frame: GizmoFrame, projection: ViewProjection, length: float) -> Handle:
    first, second = (other for other in ALL_AXES if other != axis)
    a, b = _PLANE_BEGINS * length, _PLANE_ENDS * length
    x, y = frame.directions[:, first], frame.directions[:, second]
    corners = frame.origin + np.array((a * x + a * y, b * x + a * y, b * x + b * y, a * x + b * y))
    return Handle(PLANE, (first, second), projection.pixels(corners))


def _ring(axis: int, frame: GizmoFrame, projection: ViewProjection, length: float) -> Handle:
    """Return the ring about an axis; what of it lies behind the centre is hidden."""
    x, y = (frame.directions[:, (axis + k) % 3] for k in (1, 2))
    points = _circle(x, y) * length
    toward = (
        projection.camera.position - frame.origin if not projection.camera.orthographic else projection.camera.axes[2]
    )
    middles = (points[:-1] + points[1:]) / 2.0
    hidden = middles @ toward < -0.02 * length * np.linalg.norm(toward)
    return Handle(RING, (axis,), projection.pixels(frame.origin + points), hidden)


def _view_ring(frame: GizmoFrame, projection: ViewProjection, length: float) -> Handle:
    right, up, _ = projection.camera.axes
    return Handle(RING, ALL_AXES, projection.pixels(frame.origin + _circle(right, up) * length * _VIEW_RING))


def _circle(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return (n, 3) points of a circle in the plane of two (3,) directions, closed."""
    angles = np.linspace(0.0, 2.0 * np.pi, _RING_STEPS + 1)[:, None]
    return np.cos(angles) * x + np.sin(angles) * y


def _length(line: np.ndarray) -> float:
    return float(np.linalg.norm(line[-1] - line[0]))


def _area(corners: np.ndarray) -> float:
    """Return the area of a polygon, (n, 2) corners (shoelace formula)."""
    x, y = corners.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2.0


def _is_inside(corners: np.ndarray, point: np.ndarray) -> bool:
    """Return whether a (2,) point lies in a convex polygon, (n, 2) corners."""
    sides = np.roll(corners, -1, axis=0) - corners
    to_point = point - corners
    # Seen from each side in turn, an inner point lies on the same hand.
    turns = sides[:, 0] * to_point[:, 1] - sides[:, 1] * to_point[:, 0]
    return bool((turns >= 0.0).all() or (turns <= 0.0).all())


def _distance_to_pieces(starts: np.ndarray, ends: np.ndarray, point: np.ndarray) -> float:
    """Return the distance of a (2,) point from the nearest of k line segments, (k, 2) each."""
    if not len(starts):
        return np.inf
    along = ends - starts
    squares = np.maximum((along**2).sum(axis=1), 1e-12)
    parts = np.clip(((point - starts) * along).sum(axis=1) / squares, 0.0, 1.0)
    return float(np.linalg.norm(starts + parts[:, None] * along - point, axis=1).min())
