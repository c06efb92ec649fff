"""Lighting: the key light, its shadow, and ambient occlusion, as a person chose them.

The key light is the brightest one and the only one that casts a shadow. It stays where it is in the picture while the
camera moves, so that every side can be seen, or it is fixed to the world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from octoscope.guesses import advises, public
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.geometry.pyrr_transforms import normalized, rotation_about, rotation_of_angles

Direction = tuple[float, float, float]

USUAL_DIRECTION: Direction = (-0.4130, 0.5965, 0.6883)  # from the upper left, behind the camera
STRENGTHS = (0.0, 4.0)  # the least and the greatest of the key light
# Means over visible surfaces, measured in pictures of a dozen models: 4 to 16 % and 2 to 20 %.
_MEAN_OCCLUSION, _MEAN_SHADOW = 0.08, 0.08


@public(
    *("direction", "has_occlusion", "has_shadow", "is_fixed_to_world", "occlusion", "occlusion_strength", "shadow"),
    *("mean_visibility", "shadow_strength", "strength"),
    instead={
        **dict.fromkeys(("intensity", "brightness"), "it is called strength"),
        "color": "the key light is white; render(environment=...) colours the light from all around",
        "shadows": "it is called has_shadow",
    },
    arguments={"intensity": "it is called strength", "shadows": "it is called has_shadow"},
)
@dataclass(frozen=True)
class Lighting:
    """The key light of a picture, and what dims light.

    Raises:
        ValueError: a number is out of its range, or the direction is zero or not finite.
    """

    # towards the key light, of unit length: x to the right, y up and z to the back of the camera, or along the world's
    # axes
    direction: Direction = USUAL_DIRECTION
    is_fixed_to_world: bool = False  # says which of these axes
    strength: float = 1.0  # of the key light, of STRENGTHS; 1 is the usual one
    has_shadow: bool = True  # whether objects keep the key light from others, and from the ground
    shadow_strength: float = 1.0  # share of the key light that a shadow takes, 0 to 1
    has_occlusion: bool = True  # whether ambient light is dimmed where surfaces are near each other
    occlusion_strength: float = 1.0  # share of that dimming, 0 to 1

    def __post_init__(self) -> None:
        length = math.hypot(*self.direction)
        if not (len(self.direction) == 3 and 0.0 < length < math.inf):
            raise ValueError(f"the direction of a light is three numbers that are not all 0, not {self.direction}")
        if abs(length - 1.0) > 1e-6:
            object.__setattr__(self, "direction", tuple(float(part) / length for part in self.direction))
        if not STRENGTHS[0] <= self.strength <= STRENGTHS[1]:
            raise ValueError(f"the key light's strength is {STRENGTHS[0]:g} to {STRENGTHS[1]:g}, not {self.strength}")
        for name in ("shadow_strength", "occlusion_strength"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ValueError(f"{name} is 0 to 1, not {getattr(self, name)}")

    @property
    def shadow(self) -> float:
        """Share of the key light that a shadow takes; 0 without shadows."""
        return self.shadow_strength if self.has_shadow else 0.0

    @property
    def occlusion(self) -> float:
        """Share of the dimming of ambient light; 0 without it."""
        return self.occlusion_strength if self.has_occlusion else 0.0

    @property
    def mean_visibility(self) -> tuple[float, float]:
        """Mean visibility of ambient light and of the key light, estimated.

        Moving pictures have no shadows; with these shares they are about as bright as when they come to rest.
        """
        return 1.0 - _MEAN_OCCLUSION * self.occlusion, 1.0 - _MEAN_SHADOW * self.shadow

    def in_view(self, axes: np.ndarray) -> np.ndarray:
        """Return the (3,) float64 unit direction towards the key light on the axes of a view.

        Args:
            axes: (3, 3) right, up and back of the camera, world, a row each.
        """
        direction = np.array(self.direction)
        return axes @ direction if self.is_fixed_to_world else direction

    def in_world(self, axes: np.ndarray) -> np.ndarray:
        """Return the (3,) float64 unit direction towards the key light on the world's axes; `axes` as of `in_view`."""
        direction = np.array(self.direction)
        return direction if self.is_fixed_to_world else direction @ axes

    def fixed(self, axes: np.ndarray, *, to_world: bool) -> Lighting:
        """Return the light fixed to the world or to the camera, as it falls in a view now; `axes` as of `in_view`."""
        direction = self.in_world(axes) if to_world else self.in_view(axes)
        return replace(self, direction=_direction_of(direction), is_fixed_to_world=to_world)

    def turned(self, right_rad: float, up_rad: float, axes: np.ndarray) -> Lighting:
        """Return the light turned about the vertical of a view, and then about its horizontal.

        Args:
            right_rad: angle by which a light in front of the scene moves to the right.
            up_rad: angle by which it moves up.
        """
        about_vertical, about_horizontal = rotation_about((0, 1, 0), right_rad), rotation_about((1, 0, 0), -up_rad)
        turned = about_horizontal @ about_vertical @ self.in_view(axes)
        return replace(self, direction=_direction_of(turned @ axes if self.is_fixed_to_world else turned))


@advises()
def world_light(azimuth_deg: float, elevation_deg: float, *, up_axis: UpAxis = "y") -> Lighting:
    """Return a light fixed to the world.

    Args:
        azimuth_deg: 0 shines from the front, +z, or -y if z is up; 90 from the right, +x.
        elevation_deg: above the horizon; 90 shines from straight above.
        up_axis: of the world.
    """
    upright = rotation_of_angles(math.radians(azimuth_deg), math.radians(-elevation_deg), 0.0)[:, 2]
    return Lighting(_direction_of(turn_between("y", up_axis) @ upright), is_fixed_to_world=True)


def _direction_of(vector: np.ndarray) -> Direction:
    x, y, z = normalized(vector).tolist()
    return x, y, z


LIGHTING = Lighting()
