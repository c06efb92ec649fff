"""Environment: the light that comes from all around a scene, and what smooth surfaces mirror.

An environment is kept as the shader needs it: its light on a matt surface, and what a surface of each of some
roughnesses mirrors. Those of ENVIRONMENTS are made from a few numbers, in milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

Color = tuple[float, float, float]
Direction = tuple[float, float, float]

LAYERS = 8  # of what is mirrored, by evenly spaced roughness from 0 to 1
_SIDE = 48  # texels of a layer that is made from a formula: its lamps have no finer shapes


@dataclass(frozen=True, eq=False)
class Environment:
    """Light from all around; linear colours, y up.

    Attributes:
        label: in menus.
        mirrored: (LAYERS, side, side, 3) float32: by roughness, what is mirrored in each direction of the square that
            `octahedral_directions` folds the sphere onto.
        irradiance: (9, 3) float32: a matt white surface with the normal (x, y, z) has the colour that they and the
            polynomials 1, y, z, x, xy, yz, 3zz - 1, xz, xx - yy add up to.
        follows_camera: True if it turns about the vertical with the camera, False if it stays put in the world.
    """

    label: str
    mirrored: np.ndarray
    irradiance: np.ndarray
    follows_camera: bool = False


@dataclass(frozen=True)
class Lamp:
    """A lit rectangle with soft borders, far away.

    Attributes:
        toward: its middle; x is to the right of the camera and z behind it if the environment follows it.
        size: half its width and half its height, as sines of angles.
        color: of its light.
    """

    toward: Direction
    size: tuple[float, float]
    color: Color


@dataclass(frozen=True)
class Studio:
    """A formula of an environment: three colours one above the other, and lamps.

    Attributes:
        label: in menus.
        sky: straight above.
        horizon: all around.
        ground: straight below.
        lamps: added to them.
        follows_camera: as of Environment.
    """

    label: str
    sky: Color
    horizon: Color
    ground: Color
    lamps: tuple[Lamp, ...] = ()
    follows_camera: bool = False


STUDIOS = {
    "studio": Studio(
        "Studio",
        (0.20, 0.22, 0.25),
        (0.28, 0.29, 0.31),
        (0.10, 0.085, 0.075),
        (
            Lamp((0.10, 0.95, 0.25), (0.50, 0.34), (0.80, 0.86, 0.92)),
            Lamp((0.92, 0.15, 0.36), (0.16, 0.50), (1.15, 1.25, 1.45)),
            Lamp((-0.75, 0.30, -0.60), (0.30, 0.34), (1.20, 1.10, 1.00)),
        ),
        follows_camera=True,
    ),
    "day": Studio(
        "Clear day",
        (0.16, 0.32, 0.72),
        (0.66, 0.76, 0.88),
        (0.20, 0.17, 0.13),
        (Lamp((0.5, 0.7, 0.5), (0.12, 0.12), (9.0, 8.4, 7.2)),),
    ),
    "overcast": Studio("Overcast sky", (0.78, 0.80, 0.84), (0.48, 0.50, 0.53), (0.14, 0.13, 0.12)),
    "sunset": Studio(
        "Sunset",
        (0.17, 0.20, 0.40),
        (0.72, 0.38, 0.24),
        (0.10, 0.07, 0.06),
        (Lamp((-0.8, 0.10, 0.5), (0.14, 0.14), (14.0, 6.0, 2.0)),),
    ),
    "even": Studio("Even light", (0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
}

USUAL = "studio"


def octahedral_directions(side: int) -> np.ndarray:
    """Return the (side, side, 3) unit directions of the texels of a square, the sphere as an octahedron unfolded.

    The middle is up, the corners are down. The middles of the outermost texels lie on the border, where the two
    halves of an edge are one direction: interpolation has no seam.
    """
    across = np.linspace(-1.0, 1.0, side)
    z, x = np.meshgrid(across, across, indexing="ij")
    y = 1.0 - np.abs(x) - np.abs(z)
    fold = np.maximum(-y, 0.0)
    directions = np.stack([x - np.copysign(fold, x), y, z - np.copysign(fold, z)], axis=-1)
    return directions / np.linalg.norm(directions, axis=-1, keepdims=True)


def solid_angles(directions: np.ndarray) -> np.ndarray:
    """Return the (side, side) weights of an octahedral square's texels, which add up to 1."""
    # A piece of an octahedron's face is seen from its centre under an angle that falls with the cube of the distance.
    nearness = np.abs(directions).sum(axis=-1) ** 3
    nearness[[0, -1]] *= 0.5
    nearness[:, [0, -1]] *= 0.5
    return nearness / nearness.sum()


def irradiance_of(radiance: np.ndarray) -> np.ndarray:
    """Return Environment.irradiance of an octahedral square of light, (side, side, 3).

    Ramamoorthi and Hanrahan, "An Efficient Representation for Irradiance Environment Maps" (2001).
    """
    directions = octahedral_directions(len(radiance))
    weights = _polynomials(directions) * solid_angles(directions)[..., None]
    # Their squared norms over the sphere, and the shares of each degree that a matt surface's cosine leaves.
    squared = np.array([1.0, 1 / 3, 1 / 3, 1 / 3, 1 / 15, 1 / 15, 4 / 5, 1 / 15, 4 / 15])
    shares = np.array([1.0, 2 / 3, 2 / 3, 2 / 3, 1 / 4, 1 / 4, 1 / 4, 1 / 4, 1 / 4])
    return (np.einsum("ijk,ijc->kc", weights, radiance) * (shares / squared)[:, None]).astype(np.float32)


@cache
def built_in(name: str) -> Environment:
    """Return an environment of STUDIOS."""
    return _made(STUDIOS[name])


def _made(studio: Studio) -> Environment:
    directions = octahedral_directions(_SIDE)
    weights = solid_angles(directions)
    layers = np.empty((LAYERS, _SIDE, _SIDE, 3), dtype=np.float32)
    for layer, roughness in enumerate(np.linspace(0.0, 1.0, LAYERS)):
        # GGX spreads half vectors by the square of the roughness, and what is mirrored by twice that angle.
        layers[layer] = _radiance(studio, directions, weights, 1.2 * roughness**2)
    means = np.einsum("ij,lijc->lc", weights, layers)
    layers *= (means[0] / means)[:, None, None, :]
    return Environment(studio.label, layers, irradiance_of(layers[0]), studio.follows_camera)


def _radiance(studio: Studio, directions: np.ndarray, weights: np.ndarray, blur: float) -> np.ndarray:
    """Return the (side, side, 3) light of a studio whose borders are softened by about so many radians."""
    height = directions[..., 1]
    soft = 0.25 + blur
    is_above = 0.5 + 0.5 * np.tanh(height / soft)
    away = np.clip(np.abs(height) - 0.4 * blur, 0.0, 1.0)[..., None]
    above = is_above[..., None]
    sky, horizon, ground = (np.array(color) for color in (studio.sky, studio.horizon, studio.ground))
    radiance = above * (away * sky + (1.0 - away) * horizon) + (1.0 - above) * ground
    for lamp in studio.lamps:
        sharp = _shape(lamp, directions, 0.03)
        shape = _shape(lamp, directions, 0.03 + blur) if blur else sharp
        radiance += (shape * ((sharp * weights).sum() / (shape * weights).sum()))[..., None] * np.array(lamp.color)
    return radiance


def _shape(lamp: Lamp, directions: np.ndarray, soft: float) -> np.ndarray:
    """Return the (side, side) brightness of a lamp in each direction, 0 to 1; `soft` is the width of its borders."""
    toward = np.array(lamp.toward) / np.linalg.norm(lamp.toward)
    aside = np.cross((0.0, 1.0, 0.0) if abs(toward[1]) < 0.99 else (0.0, 0.0, 1.0), toward)
    aside /= np.linalg.norm(aside)
    upward = np.cross(toward, aside)
    shape = 0.5 + 0.5 * np.tanh(2.0 * (directions @ toward) / soft)
    for axis, half in zip((aside, upward), lamp.size, strict=True):
        place = directions @ axis
        # About the integral of a normal distribution of the standard deviation `soft`.
        shape = shape * 0.5 * (np.tanh(0.85 * (place + half) / soft) - np.tanh(0.85 * (place - half) / soft))
    return shape


@dataclass(frozen=True, eq=False)
class PlacedEnvironment:
    """An environment as it lies about a camera.

    Attributes:
        environment: the light.
        environment_from_view: (3, 3) float32 rotation.
        irradiance: (9, 3) float32, of normals on the view's axes.
    """

    environment: Environment
    environment_from_view: np.ndarray
    irradiance: np.ndarray


def placed(environment: Environment, view_from_relative: np.ndarray) -> PlacedEnvironment:
    """Return an environment as it lies about a camera with these axes, a (3, 3) rotation."""
    rotation = view_from_relative.T
    if environment.follows_camera:
        right, up = view_from_relative[0], np.array([0.0, 1.0, 0.0])
        back = np.cross(right, up)
        length = float(np.linalg.norm(back))
        if length > 1e-6:  # else the camera lies on its side, and has no right
            back /= length
            rotation = np.stack([np.cross(up, back), up, back]) @ rotation
    turned = _FROM_SAMPLES @ (_polynomials(_SAMPLES @ rotation.T) @ environment.irradiance)
    return PlacedEnvironment(environment, rotation.astype(np.float32), turned.astype(np.float32))


def _polynomials(directions: np.ndarray) -> np.ndarray:
    """Return the values of Environment.irradiance's polynomials, (..., 9), at directions, (..., 3)."""
    x, y, z = np.moveaxis(directions, -1, 0)
    return np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y], axis=-1)


# Directions at which the values of the polynomials say what their factors are.
_SAMPLES = np.concatenate([np.eye(3), -np.eye(3), [(0.6, 0.8, 0.0), (0.0, 0.6, 0.8), (0.8, 0.0, 0.6)]])
_FROM_SAMPLES = np.linalg.pinv(_polynomials(_SAMPLES))
