"""Motions: how far something goes while the mouse does, and the matrices of that.

How far is counted along a frame's axes: `values` (3,), world units of a move, factors of a scale; of a turn one angle.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from viewer.frame.points import PixelPoint
from viewer.frame.projection import ViewProjection
from viewer.tools.gizmo.frames import GizmoFrame
from viewer.tools.gizmo.settings import MOVE, ROTATE, SCALE

ALL_AXES = (0, 1, 2)
ARM_PX = 90.0  # of a handle, logical pixels
_ALONG_VIEW = 1e-3  # squared sine between an axis and a ray: under it one says nothing of the other
_EDGE_ON = 0.12  # of a ring's picture, width to length: thinner, the mouse turns it by going along it
_MIDDLE_PX = 3.0  # so near to the pivot no angle is meant
_SHORTEST_PX = 40.0  # from the pivot: nearer, a scale does not get more sensitive
FINE = 0.1  # times as far as the mouse says, and of a step, with Shift


@dataclass(frozen=True, eq=False)
class TransformDelta:
    """How far: `values` (3,) of a move or a scale, `angle_rad` of a turn."""

    values: np.ndarray
    angle_rad: float = 0.0


class DragSolver:
    """A mouse that moves, rotates or scales along some of a frame's axes.

    Args:
        mode: one of settings.MODES. axes: those that are free; all three: across the view, or, scaling, evenly.
        begin: where the mouse was. pull_px: (2,) a direction in the picture that a scale grows along, instead of away
            from the frame's origin.

    Attributes:
        is_direct: whether the mouse alone, as one eye saw it, has brought it where it is.

    Raises:
        ValueError: the eye does not see the frame's origin.
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
        self._first_axes = projection.camera.axes
        self._begin = begin
        self._origin = frame.origin  # where the mouse has hold of it
        self._origin_px = projection.pixels(frame.origin[None])[0]
        self._pull_px = None if pull_px is None else pull_px / np.linalg.norm(pull_px)
        self._directions = frame.directions
        self._start = self._place(begin) if mode == MOVE else None
        self._turn_rad = 0.0
        self._last_rad = self._angle(begin) if mode == ROTATE else None
        self._told = self._rest = np.zeros(3) if mode == MOVE else np.float64(mode == SCALE)
        self._behind = 0.0 * self._rest  # by how much it is not what the mouse says
        self.is_direct = True

    @property
    def turn_axis(self) -> np.ndarray:
        """(3,): what a turn is about, in the frame's axes; of all axes, towards the eye, in the world's."""
        if self.is_about_view:
            return self._first_axes[2]
        return np.eye(3)[self.axes[0]]

    @property
    def is_about_view(self) -> bool:
        """Whether it turns about the view's axis."""
        return self.mode == ROTATE and len(self.axes) == 3

    def at_rest(self) -> TransformDelta:
        """Those that leave everything where it is."""
        return self._delta(self._rest)

    def to(self, mouse: PixelPoint, *, fine: bool = False) -> TransformDelta:
        """How far it goes with the mouse here; what the last one said where that says nothing, as beyond the horizon.

        For each place on its way, so that turns are counted.

        Args:
            fine: whether it goes but a tenth of the way that the mouse has gone since it was last asked.
        """
        told = self._tell(mouse)
        if told is not None:
            if fine:
                self._behind = self._behind + (1.0 - FINE) * (told - self._told)
                self.is_direct = False
            self._told = told
        return self._delta(self._told - self._behind)

    def look_through(self, projection: ViewProjection, mouse: PixelPoint) -> None:
        """Go on from where it is as another eye sees it, with the mouse here; where that does not see it: as before."""
        so_far = self._told - self._behind
        origin = self.frame.origin + (self._directions @ so_far if self.mode == MOVE else 0.0)
        if not projection.sees(origin):
            return
        self._projection, self._begin, self._origin = projection, mouse, origin
        self._origin_px = projection.pixels(origin[None])[0]
        if self.mode == ROTATE:
            self._last_rad = self._angle(mouse)
        else:
            self._start = self._place(mouse) if self.mode == MOVE else None
            self._told, self._behind = self._rest, self._rest - so_far
        self.is_direct = False

    def carry_on(self, before: DragSolver) -> None:
        """Begin where one along other axes has come to, which has its end where this one begins."""
        so_far = before._told - before._behind
        if self.mode == MOVE:
            so_far = self._along(before._directions @ so_far)
        self._behind = self._told - so_far
        self.is_direct = False

    def _tell(self, mouse: PixelPoint) -> np.ndarray | np.float64 | None:
        """What the mouse says: (3,) of a move, an angle or a factor; None: nothing."""
        if self.mode == MOVE:
            place = self._place(mouse)
            if place is not None and self._start is None:
                self._start = place
            return None if place is None else self._along(place - self._start)
        if self.mode == SCALE:
            return np.float64(self._factor(mouse))
        angle = self._angle(mouse)
        if angle is not None:
            if self._last_rad is not None:
                self._turn_rad += math.remainder(angle - self._last_rad, math.tau)
            self._last_rad = angle
        return np.float64(self._turn_rad)

    def _delta(self, told: np.ndarray | np.float64) -> TransformDelta:
        if self.mode == MOVE:
            return TransformDelta(told)
        if self.mode == ROTATE:
            return TransformDelta(np.zeros(3), float(told))
        return TransformDelta(self._on_axes(float(told), 1.0))

    def onto(self, point: np.ndarray) -> TransformDelta:
        """How far a move goes to bring the frame's origin to a world point, as near as its axes let it."""
        offset = point - self.frame.origin
        if len(self.axes) == 1:
            direction = self._directions[:, self.axes[0]]
            return TransformDelta(self._on_axes(float(direction @ offset), 0.0))
        if len(self.axes) == 2:
            normal = self._normal()
            offset = offset - normal * (normal @ offset)
        return TransformDelta(self._along(offset))

    def _place(self, mouse: PixelPoint) -> np.ndarray | None:
        """(3,) world: where the mouse is on the axis or the plane through the frame's origin, if it is anywhere."""
        start, along = self._projection.ray(mouse)
        origin = self._origin
        if len(self.axes) == 1:
            axis = self._directions[:, self.axes[0]]
            cosine = float(axis @ along)
            square = 1.0 - cosine * cosine
            if square < _ALONG_VIEW:
                return None
            offset = start - origin
            on_axis = float(axis @ offset - cosine * (along @ offset)) / square
            on_ray = float(cosine * (axis @ offset) - along @ offset) / square
            return origin + on_axis * axis if on_ray > 0.0 else None
        normal = self._projection.camera.axes[2] if len(self.axes) == 3 else self._normal()
        fall = float(normal @ along)
        if abs(fall) < math.sqrt(_ALONG_VIEW):
            return None
        on_ray = float(normal @ (origin - start)) / fall
        return start + on_ray * along if on_ray > 0.0 else None

    def _normal(self) -> np.ndarray:
        first, second = (self._directions[:, axis] for axis in self.axes)
        normal = np.cross(first, second)
        return normal / np.linalg.norm(normal)

    def _along(self, offset: np.ndarray) -> np.ndarray:
        """(3,): a world offset along the frame's directions; exactly nothing along those that are not free."""
        values = np.linalg.solve(self._directions, offset)
        return np.where(np.isin(ALL_AXES, self.axes), values, 0.0)

    def _on_axes(self, value: float, other: float) -> np.ndarray:
        return np.where(np.isin(ALL_AXES, self.axes), value, other)

    def _angle(self, mouse: PixelPoint) -> float | None:
        """Where the mouse is on the ring about the axis, judged by the ring's picture at the frame's origin.

        So it has an answer everywhere, also where a ray through the mouse misses the ring's plane, and turns the right
        way about mirrored axes.
        """
        from_pivot = np.subtract(mouse, self._origin_px)
        pixels_per_unit = self._projection.pixels_per_unit(self.frame.origin)
        right, up, _ = self._first_axes
        back = self._projection.camera.axes[2]
        if self.is_about_view:
            sides = np.column_stack((right, up))
        else:
            axis = self.axes[0]
            sides = self.frame.basis[:, [(axis + 1) % 3, (axis + 2) % 3]]
        ring = pixels_per_unit @ sides
        shortest, longest = np.linalg.svd(ring, compute_uv=False)[::-1]
        if shortest < _EDGE_ON * longest:
            normal = np.cross(*sides.T)
            tangent = pixels_per_unit @ np.cross(normal / np.linalg.norm(normal), back)
            return float(tangent @ np.subtract(mouse, self._begin) / np.linalg.norm(tangent)) / ARM_PX
        if np.linalg.norm(from_pivot) < _MIDDLE_PX:
            return None
        x, y = np.linalg.solve(ring, from_pivot)
        return math.atan2(y, x)

    def _factor(self, mouse: PixelPoint) -> float:
        """How many times as large: as the mouse's distance from the pivot grows, or as far as it is pulled."""
        begin, now = (np.subtract(place, self._origin_px) for place in (self._begin, mouse))
        if self._pull_px is not None:
            return 1.0 + float(self._pull_px @ (now - begin)) / max(float(self._pull_px @ begin), _SHORTEST_PX)
        before = float(np.linalg.norm(begin))
        return 1.0 + (float(np.linalg.norm(now)) - before) / max(before, _SHORTEST_PX)


# Steps.


def in_steps(
    solver: DragSolver, delta: TransformDelta, *, step: float, step_rad: float, step_factor: float
) -> TransformDelta:
    """Round a delta to whole steps; along the world's axes a move ends at whole steps from the world's origin.

    A scale never snaps to nothing.
    """
    free = np.isin(ALL_AXES, solver.axes)
    values = delta.values
    if solver.mode == MOVE:
        start = solver.frame.origin if (solver.frame.basis == np.eye(3)).all() else np.zeros(3)
        return TransformDelta(np.where(free, np.round((start + values) / step) * step - start, 0.0))
    if solver.mode == ROTATE:
        return TransformDelta(values, round(delta.angle_rad / step_rad) * step_rad)
    steps = np.round(values / step_factor)
    steps = np.where(steps == 0.0, np.where(values < 0.0, -1.0, 1.0), steps)
    return TransformDelta(np.where(free, steps * step_factor, 1.0))


def typed_delta(solver: DragSolver, values: list[float], typed_count: int) -> TransformDelta:
    """What typed numbers mean: world units, degrees, factors; a single factor is all free axes'.

    Args:
        values: one for each free axis. typed_count: how many of them were begun.
    """
    if solver.mode == ROTATE:
        return TransformDelta(np.zeros(3), math.radians(values[0]))
    delta = solver.at_rest().values.copy()
    if solver.mode == SCALE and typed_count == 1:
        values = [values[0]] * len(solver.axes)
    delta[list(solver.axes)] = values[: len(solver.axes)]
    return TransformDelta(delta)


# Matrices.


def matrices_of(
    solver: DragSolver, delta: TransformDelta, bases: np.ndarray, inverses: np.ndarray | None = None
) -> np.ndarray:
    """Return (..., 4, 4) world matrices about a pivot, for bases (..., 3, 3) of the frame or of each object.

    Args:
        inverses: of the bases, where they are known.
    """
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


def rotation_about(axis: np.ndarray, angle_rad: float) -> np.ndarray:
    """(3, 3): a turn about a unit axis, counterclockwise for who looks against it (Rodrigues)."""
    x, y, z = axis
    cross = np.array([(0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)])
    return np.eye(3) + math.sin(angle_rad) * cross + (1.0 - math.cos(angle_rad)) * (cross @ cross)


def _within(bases: np.ndarray, linear: np.ndarray, inverses: np.ndarray | None) -> np.ndarray:
    if (bases == np.eye(3)).all():
        return np.broadcast_to(linear, bases.shape)
    return bases @ linear @ (np.linalg.inv(bases) if inverses is None else inverses)
