"""DragSolver: from mouse positions to how far a drag moves, rotates or scales, and the matrices of that.

A drag is measured along the axes of a frame: a move as three values in world units, a scale as three factors, a
rotation as one angle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from octoscope.scene.geometry.pyrr_transforms import normalized, rotation_about
from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.tools.gizmo.frames import GizmoFrame
from octoscope.viewer.tools.gizmo.settings import MOVE, ROTATE, SCALE

ALL_AXES = (0, 1, 2)
ARM_PX = 90.0  # of a handle, logical pixels
_ALONG_VIEW = 1e-3  # squared sine between an axis and a ray; below it the ray says nothing of a place on the axis
_EDGE_ON = 0.12  # of a ring's picture, width to length; below it, the mouse turns the ring by going along it
_MIDDLE_PX = 3.0  # so near to the pivot no angle is meant
_SHORTEST_PX = 40.0  # from the pivot; nearer, a scale does not get more sensitive
FINE = 0.1  # share of the mouse's way, and of a step, that counts with Shift


@dataclass(frozen=True, eq=False)
class TransformDelta:
    """The amount of a transformation."""

    values: np.ndarray  # (3,) along the frame's axes: world units of a move, factors of a scale
    angle_rad: float = 0.0  # of a rotation


class DragSolver:
    """Measures a drag of the mouse that moves, rotates or scales along some of a frame's axes.

    `_measured` is what the mouse says: (3,) along the axes for a move, a 0-d angle or factor else. `_lag` is the part
    of it that does not count: while Shift is held most of the mouse's way goes into it, and a new view or new axes
    set it so that the drag goes on from where it was. The drag's amount is `_measured - _lag` at any time.

    Args:
        axes: the free ones; all three mean across the view, or for a scale evenly.
        pull_px: (2,) direction in the picture along which a scale grows; None: away from the frame's origin.

    Raises:
        ValueError: the camera does not see the frame's origin.
    """

    def __init__(
        self,
        mode: str,
        axes: tuple[int, ...],
        frame: GizmoFrame,
        projection: ViewProjection,
        begin: PixelPoint,
        *,
        pull_px: np.ndarray | None = None,
    ) -> None:
        if not projection.sees(frame.origin):
            raise ValueError("the pivot is behind the camera")
        self.mode = mode
        self.axes = axes
        self.frame = frame
        self._projection = projection
        self._first_camera_axes = projection.camera.axes
        self._begin = begin
        self._origin = frame.origin  # the point that the mouse drags
        self._origin_px = projection.pixels(frame.origin[None])[0]
        self._pull_px = None if pull_px is None else normalized(pull_px)
        self._directions = frame.directions
        self._start = self._point_under(begin) if mode == MOVE else None
        self._turn_rad = 0.0  # whole turns included
        self._last_rad = self._ring_angle(begin) if mode == ROTATE else None
        self._measured = self._neutral = np.zeros(3) if mode == MOVE else np.array(float(mode == SCALE))
        self._lag = 0.0 * self._neutral
        # True while the amount is what the mouse says, measured from `begin` in one view and never fine
        self.is_direct = True

    @property
    def turn_axis(self) -> np.ndarray:
        """(3,) axis of a rotation, in the frame's axes; about the view it is in the world's, towards the camera."""
        if self.is_about_view:
            return self._first_camera_axes[2]
        return np.eye(3)[self.axes[0]]

    @property
    def is_about_view(self) -> bool:
        """True for a rotation about the view's axis."""
        return self.mode == ROTATE and len(self.axes) == 3

    def neutral(self) -> TransformDelta:
        """Return the delta that leaves everything as it is."""
        return self._delta(self._neutral)

    def move_to(self, mouse: PixelPoint, *, fine: bool = False) -> TransformDelta:
        """Return the amount with the mouse at a pixel; the last one where the pixel says nothing, as above the horizon.

        To be called for each mouse event, so that whole turns are counted; `fine`: the way since then counts a tenth.
        """
        measured = self._measure(mouse)
        if measured is not None:
            if fine:
                self._lag = self._lag + (1.0 - FINE) * (measured - self._measured)
                self.is_direct = False
            self._measured = measured
        return self._delta(self._measured - self._lag)

    def change_view(self, projection: ViewProjection, mouse: PixelPoint) -> None:
        """Go on from the present amount in another view, with the mouse at a pixel of it.

        Nothing changes where the new camera does not see what is dragged.
        """
        amount = self._measured - self._lag
        origin = self.frame.origin + (self._directions @ amount if self.mode == MOVE else 0.0)
        if not projection.sees(origin):
            return
        self._projection, self._begin, self._origin = projection, mouse, origin
        self._origin_px = projection.pixels(origin[None])[0]
        if self.mode == ROTATE:
            self._last_rad = self._ring_angle(mouse)
        else:
            # The mouse says nothing yet here; all of the amount so far comes from the lag.
            self._start = self._point_under(mouse) if self.mode == MOVE else None
            self._measured, self._lag = self._neutral, self._neutral - amount
        self.is_direct = False

    def continue_from(self, before: DragSolver) -> None:
        """Take over the amount of a solver along other axes, which ended where this one begins."""
        amount = before._measured - before._lag
        if self.mode == MOVE:
            amount = self._along(before._directions @ amount)
        self._lag = self._measured - amount
        self.is_direct = False

    def _measure(self, mouse: PixelPoint) -> np.ndarray | None:
        """Return what the mouse says: (3,) of a move, a 0-d angle or factor; None where it says nothing."""
        if self.mode == MOVE:
            point = self._point_under(mouse)
            if point is not None and self._start is None:  # the drag began where the mouse said nothing
                self._start = point
            return None if point is None or self._start is None else self._along(point - self._start)
        if self.mode == SCALE:
            return np.array(self._scale_factor(mouse))
        angle = self._ring_angle(mouse)
        if angle is not None:
            # The shorter way round from the last angle: so turns add up beyond a whole one.
            if self._last_rad is not None:
                self._turn_rad += math.remainder(angle - self._last_rad, math.tau)
            self._last_rad = angle
        return np.array(self._turn_rad)

    def _delta(self, amount: np.ndarray) -> TransformDelta:
        if self.mode == MOVE:
            return TransformDelta(amount)
        if self.mode == ROTATE:
            return TransformDelta(np.zeros(3), float(amount))
        return TransformDelta(self._on_axes(float(amount), 1.0))

    def delta_onto(self, point: np.ndarray) -> TransformDelta:
        """Return the move that brings the frame's origin to a (3,) world point, as near as the free axes let it."""
        offset = point - self.frame.origin
        if len(self.axes) == 1:
            direction = self._directions[:, self.axes[0]]
            return TransformDelta(self._on_axes(float(direction @ offset), 0.0))
        if len(self.axes) == 2:
            normal = self._normal()
            offset = offset - normal * (normal @ offset)
        return TransformDelta(self._along(offset))

    def _point_under(self, mouse: PixelPoint) -> np.ndarray | None:
        """Return the (3,) world point under the mouse on the free axis or plane through the dragged point, or None."""
        start, along = self._projection.ray(mouse)
        origin = self._origin
        if len(self.axes) == 1:
            # The point of the axis that is nearest to the ray. With both directions of unit length, the connection
            # between origin + a * axis and start + r * along is perpendicular to both where
            #     a - r * cosine = axis @ offset    and    a * cosine - r = along @ offset.
            axis = self._directions[:, self.axes[0]]
            cosine = float(axis @ along)
            square = 1.0 - cosine * cosine  # of the sine between them; the determinant of the two equations
            if square < _ALONG_VIEW:
                return None
            offset = start - origin
            on_axis = float(axis @ offset - cosine * (along @ offset)) / square
            on_ray = float(cosine * (axis @ offset) - along @ offset) / square
            return origin + on_axis * axis if on_ray > 0.0 else None
        # The ray's point in the plane: that of two free axes, or across the view.
        normal = self._projection.camera.axes[2] if len(self.axes) == 3 else self._normal()
        fall = float(normal @ along)
        if abs(fall) < math.sqrt(_ALONG_VIEW):  # the plane is seen edge-on
            return None
        on_ray = float(normal @ (origin - start)) / fall
        return start + on_ray * along if on_ray > 0.0 else None

    def _normal(self) -> np.ndarray:
        """Return the (3,) unit normal of the plane of the two free axes."""
        first, second = (self._directions[:, axis] for axis in self.axes)
        return normalized(np.cross(first, second))

    def _along(self, offset: np.ndarray) -> np.ndarray:
        """Return a (3,) world offset along the frame's directions; exactly 0 along those that are not free."""
        values = np.linalg.solve(self._directions, offset)
        return np.where(np.isin(ALL_AXES, self.axes), values, 0.0)

    def _on_axes(self, value: float, other: float) -> np.ndarray:
        """Return (3,): a value for the free axes, and another for the others."""
        return np.where(np.isin(ALL_AXES, self.axes), value, other)

    def _ring_angle(self, mouse: PixelPoint) -> float | None:
        """Return the mouse's angle on the ring about the rotation axis, or None at the pivot.

        The angle is measured in the picture and not where a ray meets the ring's plane: it exists also where a ray
        misses that plane, and it turns the right way about mirrored axes.
        """
        from_pivot = np.subtract(mouse, self._origin_px)
        pixels_per_unit = self._projection.pixels_per_unit(self.frame.origin)
        right, up, _ = self._first_camera_axes
        back = self._projection.camera.axes[2]
        # Two world directions that span the ring's plane, the second a quarter turn after the first ...
        if self.is_about_view:
            sides = np.column_stack((right, up))
        else:
            axis = self.axes[0]
            sides = self.frame.basis[:, [(axis + 1) % 3, (axis + 2) % 3]]
        # ... and their pixels: (2, 2), the ellipse as which the ring is seen. Its singular values are the half axes.
        ring = pixels_per_unit @ sides
        shortest, longest = np.linalg.svd(ring, compute_uv=False)[::-1]
        if shortest < _EDGE_ON * longest:
            # A line almost: going along it turns the side that faces the camera, an arm's length for a radian.
            tangent = normalized(pixels_per_unit @ np.cross(normalized(np.cross(*sides.T)), back))
            return float(tangent @ np.subtract(mouse, self._begin)) / ARM_PX
        if np.linalg.norm(from_pivot) < _MIDDLE_PX:
            return None
        # Undo the picture's stretching: the mouse in units of the two sides has the angle on the ring itself.
        x, y = np.linalg.solve(ring, from_pivot)
        return math.atan2(y, x)

    def _scale_factor(self, mouse: PixelPoint) -> float:
        """Return the factor: the growth of the mouse's distance from the pivot, or along the direction of the pull."""
        begin, now = (np.subtract(pixel, self._origin_px) for pixel in (self._begin, mouse))
        if self._pull_px is not None:
            return 1.0 + float(self._pull_px @ (now - begin)) / max(float(self._pull_px @ begin), _SHORTEST_PX)
        before = float(np.linalg.norm(begin))
        return 1.0 + (float(np.linalg.norm(now)) - before) / max(before, _SHORTEST_PX)


def in_steps(
    solver: DragSolver,
    delta: TransformDelta,
    *,
    step: float,
    step_rad: float,
    step_factor: float,
    hexagons_across: int | None = None,
) -> TransformDelta:
    """Return a delta rounded to whole steps; a scale never snaps to 0.

    Along the world's axes the moved origin ends at whole steps from the world's origin.

    Args:
        hexagons_across: the axis of the world across which a move that is free in the plane snaps to the middles of
            hexagons; None: to none.
    """
    free = np.isin(ALL_AXES, solver.axes)
    values = delta.values
    if solver.mode == MOVE:
        is_in_world = (solver.frame.basis == np.eye(3)).all()
        start = solver.frame.origin if is_in_world else np.zeros(3)
        ends = np.round((start + values) / step) * step
        plane = [axis for axis in ALL_AXES if axis != hexagons_across]
        if hexagons_across is not None and is_in_world and free[plane].all():
            ends[plane] = middle_of_hexagon((start + values)[plane], step)
        return TransformDelta(np.where(free, ends - start, 0.0))
    if solver.mode == ROTATE:
        return TransformDelta(values, round(delta.angle_rad / step_rad) * step_rad)
    steps = np.round(values / step_factor)
    steps = np.where(steps == 0.0, np.where(values < 0.0, -1.0, 1.0), steps)
    return TransformDelta(np.where(free, steps * step_factor, 1.0))


def middle_of_hexagon(point: np.ndarray, distance: float) -> np.ndarray:
    """Return the (2,) middle nearest to a (2,) point, of hexagons whose middles have a distance; one is at 0.

    Rows run along the first axis; every second one is offset by half the distance.
    """
    height = distance * math.sqrt(0.75)
    rows = math.floor(point[1] / height) + np.arange(2)
    offsets = rows % 2 * 0.5
    columns = np.round(point[0] / distance - offsets) + offsets
    middles = np.column_stack([columns * distance, rows * height])
    return middles[np.linalg.norm(middles - point, axis=1).argmin()]


def typed_delta(solver: DragSolver, values: list[float], typed_count: int) -> TransformDelta:
    """Return the delta of typed numbers (world units, degrees or factors), one for each free axis, or one for all."""
    if solver.mode == ROTATE:
        return TransformDelta(np.zeros(3), math.radians(values[0]))
    delta = solver.neutral().values.copy()
    if solver.mode == SCALE and typed_count == 1:
        values = [values[0]] * len(solver.axes)
    delta[list(solver.axes)] = values[: len(solver.axes)]
    return TransformDelta(delta)


def matrices_of(
    solver: DragSolver, delta: TransformDelta, bases: np.ndarray, inverses: np.ndarray | None = None
) -> np.ndarray:
    """Return (..., 4, 4) world matrices about a pivot, for bases (..., 3, 3) of the frame or of each object."""
    matrices = np.zeros((*bases.shape[:-2], 4, 4))
    matrices[...] = np.eye(4)
    if solver.mode == MOVE:
        directions = bases / np.linalg.norm(bases, axis=-2, keepdims=True)
        matrices[..., :3, 3] = directions @ delta.values
    elif solver.mode == ROTATE:
        turn = rotation_about(solver.turn_axis, delta.angle_rad)
        matrices[..., :3, :3] = turn if solver.is_about_view else _within(bases, turn, inverses)
    elif (delta.values == delta.values[0]).all():
        matrices[..., :3, :3] *= delta.values[0]
    else:
        matrices[..., :3, :3] = _within(bases, np.diag(delta.values), inverses)
    return matrices


def _within(bases: np.ndarray, linear: np.ndarray, inverses: np.ndarray | None) -> np.ndarray:
    """Return (..., 3, 3) world matrices that do in the coordinates of each basis what `linear` (3, 3) says."""
    if (bases == np.eye(3)).all():
        return np.broadcast_to(linear, bases.shape)
    return bases @ linear @ (np.linalg.inv(bases) if inverses is None else inverses)
