"""Camera: a pose about a pivot and a lens, and the matrices and rays that follow.

Frames: `world`; `upright`, the world turned so that its Y is up, in which the angles are; `relative`, the world's axes
about the camera's position, in which float32 is exact enough however far from the origin the scene lies; `view`, the
camera looking along its -Z; `clip`, OpenGL's, z in [-1, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from octoscope.arguments import shown
from octoscope.array_arguments import checked_numbers
from octoscope.guesses import advises, made_by, public
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.geometry import pyrr_transforms
from octoscope.viewer.camera.views import VIEWS

_UPRIGHT = 1e-12  # how far from a pole a direction's heading is still known
_LONGEST_ORTHOGRAPHIC = 1e4  # times the distance: how far before and behind the eye an orthographic camera sees
_THINNEST_ORTHOGRAPHIC = 1e-9  # of that
_ROUNDING = 2.0**-48  # of a depth at most, relative to the numbers it comes from
_DEPTHS = 1e3  # near and far where they are not given, over and times the distance
_DEEPEST = 1e13  # times the distance of the near plane, so that a matrix can still tell the far plane from none

# Edges of a box, (12, 2): pairs of the corners that box_corners lists, along z, then y, then x.
BOX_EDGES = np.array([(corner, corner | bit) for bit in (1, 2, 4) for corner in range(8) if not corner & bit])


def box_corners(lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return the (8, 3) corners of a box; the bits of a corner's number say where it is in x, y and z, z lowest."""
    return lower + np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) * (upper - lower)


_FROM_POINTS = "Camera.looking_at(eye, target, fov_deg=60)"


@made_by(f"{_FROM_POINTS} takes two points")
@public(
    *("axes", "clip_from_relative", "clip_from_view", "clip_from_world", "depth_range", "distance", "far", "fov_y_rad"),
    *("intrinsics", "looking_at", "near", "orthographic", "pitch_rad", "pivot", "pixel_size", "position"),
    *("ray_through", "ray_through_pixel", "roll_rad", "up_axis", "with_axes", "with_depth_range", "with_up_axis"),
    *("world_from_view", "yaw_rad"),
    instead={
        **dict.fromkeys(
            ("fit", "frame", "look_at_nodes", "zoom_to"),
            "octoscope.Canvas(scene.copy(nodes), size).camera has nodes in the picture",
        ),
        "eye": "it is called position",
        "forward": "-camera.axes[2]",
        "fov": "camera.fov_y_rad, in radians",
        "frustum": "Frustum.from_camera(camera, aspect)",
        "look_at": "Camera.looking_at(eye, target)",
        "orbit": "dataclasses.replace(camera, yaw_rad=camera.yaw_rad + angle)",
        **dict.fromkeys(
            ("move", "pan", "rotate", "translate"),
            "dataclasses.replace(camera, pivot=..., yaw_rad=...) makes another one",
        ),
        "ray": "camera.ray_through_pixel(pixel, size)",
        "target": "it is called pivot",
        "up": "camera.axes[1]",
        "zoom": "dataclasses.replace(camera, distance=camera.distance / 2)",
        **dict.fromkeys(("matrix", "pose", "world_from_camera"), "camera.world_from_view, or clip_from_world(aspect)"),
    },
    arguments={"eye": _FROM_POINTS, "target": _FROM_POINTS, "position": _FROM_POINTS, "fov": _FROM_POINTS},
)
@dataclass(frozen=True, eq=False)
class Camera:
    """Looks at `pivot` from `distance` away. It is never changed: dataclasses.replace makes another one.

    Examples:
        >>> camera = Camera.looking_at(eye=(50, 30, 50), target=(0, 5, 0), fov_deg=60)
        >>> picture = render(scene, (640, 360), camera=camera)
        >>> closer = replace(camera, distance=20)

    Attributes:
        pivot: (3,) float64, world.
        yaw_rad: 0 looks along upright -Z (front), a quarter turn along -X (right).
        pitch_rad: above the horizon; a quarter turn looks straight down.
        roll_rad: about the line of sight, to the left; with none the horizon is level. The three angles, in this order,
            are every rotation that there is.
        distance: from the pivot, world units, above 0.
        fov_y_rad: full vertical angle of view. Orthographic, the picture shows at the pivot what perspective shows
            there.
        near, far: depths along the view that a frustum of this camera begins and ends at; None: a thousandth and a
            thousand times the distance. A picture chooses its own, of which `depth_range` tells. Negative near is
            allowed only when orthographic.
        up_axis: of the world.

    Raises:
        ValueError: a value is none of these.
    """

    pivot: np.ndarray
    yaw_rad: float = math.radians(VIEWS["iso"][0])
    pitch_rad: float = math.radians(VIEWS["iso"][1])
    roll_rad: float = 0.0
    distance: float = 10.0
    fov_y_rad: float = math.radians(35.0)
    orthographic: bool = False
    near: float | None = None
    far: float | None = None
    up_axis: UpAxis = "y"

    def __post_init__(self) -> None:
        if not (isinstance(self.pivot, np.ndarray) and self.pivot.dtype == np.float64 and self.pivot.shape == (3,)):
            object.__setattr__(self, "pivot", _point("pivot", self.pivot))
        if not self.distance > 0.0:
            raise ValueError(f"distance: a number above 0 is needed, not {self.distance!r}")
        if not 0.0 < self.fov_y_rad < math.pi:
            raise ValueError(
                f"fov_y_rad: radians above 0 and below half a turn are needed, not {self.fov_y_rad!r}; "
                f"{_FROM_POINTS} takes degrees"
            )
        if self.near is not None and self.far is not None and not self.near < self.far:
            raise ValueError(f"near and far: near must be less than far, not {self.near!r} and {self.far!r}")

    @classmethod
    @advises(
        fov="it is fov_deg, in degrees",
        fov_y_rad="it is fov_deg, in degrees",
        up="up_axis is 'y' or 'z'; dataclasses.replace(camera, roll_rad=...) turns the picture",
    )
    def looking_at(
        cls,
        eye: ArrayLike,
        target: ArrayLike,
        *,
        fov_deg: float = 35.0,
        up_axis: UpAxis = "y",
        orthographic: bool = False,
    ) -> Camera:
        """Return a camera that stands at a point and has another in the middle of its picture; its horizon is level.

        Examples:
            >>> camera = Camera.looking_at((50, 30, 50), (0, 5, 0), fov_deg=60)

        Args:
            eye: (3,) world.
            target: (3,) world.
            fov_deg: full vertical angle of view, above 0 and below 180.
            up_axis: of the world, "y" or "z"; a scene has it as up_axis.
            orthographic: True looks without perspective.

        Raises:
            ValueError: the points are the same, or a value is none of these.
        """
        position, pivot = _point("eye", eye), _point("target", target)
        distance = math.dist(position, pivot)
        if not 0.0 < distance < math.inf:
            raise ValueError("eye and target: two different points are needed")
        if not 0.0 < fov_deg < 180.0:
            raise ValueError(f"fov_deg: an angle above 0 and below 180 degrees is needed, not {fov_deg!r}")
        camera = cls(
            pivot, distance=distance, fov_y_rad=math.radians(fov_deg), orthographic=orthographic, up_axis=up_axis
        )
        back = (position - pivot) / distance @ camera.world_from_upright
        level = math.hypot(back[0], back[2])
        yaw_rad = math.atan2(back[0], back[2]) if level > _UPRIGHT else 0.0
        return replace(camera, yaw_rad=yaw_rad, pitch_rad=math.atan2(back[1], level))

    @property
    def world_from_view(self) -> np.ndarray:
        """(4, 4) float64: the camera's pose. Its columns are right, up, back and position; it looks along -Z."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.axes.T
        matrix[:3, 3] = self.position
        return matrix

    def intrinsics(self, size: tuple[int, int]) -> np.ndarray:
        """Return the (3, 3) pinhole matrix K of a picture: pixels from x to the right, y down and z forward.

        Args:
            size: width and height, pixels; the first pixel's middle is at (0.5, 0.5).

        Raises:
            ValueError: the camera is orthographic.
        """
        if self.orthographic:
            raise ValueError("an orthographic camera has no pinhole matrix")
        width, height = size
        focal = height / 2.0 / math.tan(self.fov_y_rad / 2.0)
        return np.array(((focal, 0.0, width / 2.0), (0.0, focal, height / 2.0), (0.0, 0.0, 1.0)))

    @property
    def world_from_upright(self) -> np.ndarray:
        """(3, 3) float64 rotation; its second column is the world's direction up."""
        return turn_between("y", self.up_axis)

    @cached_property  # a picture asks ten times
    def axes(self) -> np.ndarray:
        """(3, 3) float64, read only: rows right, up and back of the camera, world. The view's rotation."""
        upright_from_view = pyrr_transforms.rotation_of_angles(self.yaw_rad, -self.pitch_rad, self.roll_rad)
        axes = (self.world_from_upright @ upright_from_view).T
        axes.flags.writeable = False
        return axes

    @cached_property
    def depth_range(self) -> tuple[float, float]:
        """Near and far, as they are given or follow from the distance; those of the picture for a camera of one."""
        near = self.distance / _DEPTHS if self.near is None else self.near
        return near, self.distance * _DEPTHS if self.far is None else self.far

    @property
    def position(self) -> np.ndarray:
        """(3,) float64, world."""
        return self.pivot + self.distance * self.axes[2]

    def shows_as(self, other: Camera) -> bool:
        """Return whether another camera has the same picture: it differs in its depth range at most."""
        shown = (name for name in Camera.__dataclass_fields__ if name not in ("near", "far"))
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in shown)

    @property
    def is_finite(self) -> bool:
        """False for a camera so far away that numbers do not reach."""
        with np.errstate(all="ignore"):
            return bool(np.isfinite((*self.position, self.distance, *self.depth_range)).all())

    def clip_from_view(self, aspect: float) -> np.ndarray:
        """Return the (4, 4) float64 projection; `aspect` is width over height."""
        if not self.orthographic:
            return pyrr_transforms.perspective(self.fov_y_rad, aspect, *self.depth_range)
        half_height = self.distance * math.tan(self.fov_y_rad / 2.0)
        half_width = half_height * aspect
        near, far = self.depth_range
        return pyrr_transforms.orthographic((-half_width, -half_height, -far), (half_width, half_height, -near))

    def clip_from_relative(self, aspect: float) -> np.ndarray:
        """Return (4, 4) float64."""
        return self.clip_from_view(aspect) @ pyrr_transforms.affine_of_linear(self.axes)

    def clip_from_world(self, aspect: float) -> np.ndarray:
        """Return (4, 4) float64."""
        return self.clip_from_relative(aspect) @ pyrr_transforms.translation(-self.position)

    def ray_through(self, point: tuple[float, float], aspect: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the ray under a point of the picture.

        Args:
            point: x to the right, y down, as fractions of the picture's width and height.
            aspect: width over height.

        Returns:
            origin (3,), on the near plane, and unit direction (3,), float64, world.
        """
        origins, directions = self.rays_through(np.array((point,)), aspect)
        return origins[0], directions[0]

    def rays_through(self, points: np.ndarray, aspect: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the rays under (n, 2) points of the picture, as `ray_through`: (n, 3) origins and directions."""
        half_height, near = math.tan(self.fov_y_rad / 2.0), self.depth_range[0]
        across = (2.0 * points - 1.0) * (half_height * aspect, -half_height)
        if self.orthographic:
            offsets = np.column_stack((across * self.distance, np.full(len(points), -near)))
            return self.position + offsets @ self.axes, np.broadcast_to(-self.axes[2], offsets.shape)
        along = np.column_stack((across, np.full(len(points), -1.0))) @ self.axes
        return self.position + near * along, along / np.linalg.norm(along, axis=1, keepdims=True)

    def ray_through_pixel(self, pixel: tuple[float, float], size: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the ray through the middle of a pixel, as `ray_through` does.

        Examples:
            >>> hit = scene.raycast(*camera.ray_through_pixel((320, 180), (640, 360)))

        Args:
            pixel: column and row, from the upper left one, which is (0, 0).
            size: width and height of the picture, pixels.
        """
        width, height = size
        return self.ray_through(((pixel[0] + 0.5) / width, (pixel[1] + 0.5) / height), width / height)

    def with_axes(self, axes: np.ndarray) -> Camera:
        """Return the same camera about the same pivot, turned to axes as in `axes`; only their rotation counts."""
        axes = checked_numbers(axes, "axes", copy=None)
        if axes.shape != (3, 3):
            raise ValueError(f"axes must be of shape (3, 3), not {axes.shape}")
        right, _, back = axes @ self.world_from_upright
        level = math.hypot(back[0], back[2])
        # At a pole heading and roll are one: all of it is heading then, so that the horizon counts as level.
        yaw_rad = math.atan2(back[0], back[2]) if level > _UPRIGHT else math.atan2(-right[2], right[0])
        turned = replace(self, yaw_rad=yaw_rad, pitch_rad=math.atan2(back[1], level), roll_rad=0.0)
        level_right, level_up, _ = turned.axes
        return replace(turned, roll_rad=math.atan2(axes[0] @ level_up, axes[0] @ level_right))

    def with_up_axis(self, up_axis: UpAxis) -> Camera:
        """Return a camera that looks at the same from the same place, in a world with this up axis."""
        return self if up_axis == self.up_axis else replace(self, up_axis=up_axis).with_axes(self.axes)

    def pixel_size(self, height: float) -> float:
        """Return the world units that one pixel of a picture of this height covers at the pivot."""
        return 2.0 * self.distance * math.tan(self.fov_y_rad / 2.0) / height

    def with_depth_range(self, lower: np.ndarray, upper: np.ndarray) -> Camera:
        """Return the same camera with a depth range about a world box, and room for the ground around it.

        One that is made of it by `replace` has none of that: it may stand elsewhere.
        """
        position, corners = self.position, box_corners(lower, upper)
        depths = (position - corners) @ self.axes[2]
        size = float(np.linalg.norm(upper - lower)) or self.distance
        size += _ROUNDING * float(np.abs(position).sum() + np.abs(corners).sum(axis=1).max())
        if self.orthographic:
            # Depth is linear here: a range too long would leave nothing to tell the near things apart.
            reach = _LONGEST_ORTHOGRAPHIC * self.distance
            near, far = (
                min(max(depth, -reach), reach) for depth in (depths.min() - 0.5 * size, depths.max() + 0.5 * size)
            )
            if far - near < _THINNEST_ORTHOGRAPHIC * reach:  # the box is out of reach, or a point
                near, far = -reach, reach
            return self._with_depths(float(near), float(far))
        far = max(float(depths.max()) + 2.0 * size, 4.0 * self.distance)
        # Close to the eye, whatever is in front of the scene: the ground and the octree's cells reach up to it, and who
        # flies comes close to things long before the pivot. Depth is as fine however close it is.
        near = max(1e-4 * self.distance, min(1e-6 * far, 0.1 * self.distance))
        return self._with_depths(near, min(far, _DEEPEST * near))

    def _with_depths(self, near: float, far: float) -> Camera:
        fitted = replace(self, near=None, far=None)
        vars(fitted)["depth_range"] = near, far
        return fitted


def _point(name: str, given: ArrayLike) -> np.ndarray:
    """Return a point as (3,) float64; ValueError: it is none."""
    point = checked_numbers(given, name, "three finite numbers")
    if point.shape != (3,) or not np.isfinite(point).all():
        raise ValueError(f"{name} must be three finite numbers, not {shown(given)}")
    return point


def view_title(camera: Camera) -> str:
    """Return the title of a viewport with this camera: the axis that it looks along, or else its lens."""
    lens = "orthographic" if camera.orthographic else "perspective"
    name = view_name(camera)
    if name is None or name == "iso":
        return lens.capitalize()
    return name.capitalize() + ("" if camera.orthographic else f", {lens}")


def view_name(camera: Camera) -> str | None:
    """Return the name in VIEWS of the direction that a camera looks along, or None."""
    for name, angles in VIEWS.items():
        named = replace(camera, yaw_rad=math.radians(angles[0]), pitch_rad=math.radians(angles[1]), roll_rad=0.0)
        if np.abs(named.axes - camera.axes).max() < 1e-6:
            return name
    return None


def require_camera(given: Camera) -> None:
    """Check that a camera has finite numbers.

    Raises:
        ValueError: a number is not finite.
    """
    if not given.is_finite:
        raise ValueError("a camera's place, distance and depths must be finite numbers")
