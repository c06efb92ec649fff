"""Environment: the light that comes from all around a scene, and what smooth surfaces mirror.

An environment is kept as the shader needs it: its light on a matt surface, and what a surface of each of some
roughnesses mirrors. Those of ENVIRONMENTS are made from a few numbers, in milliseconds.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from octoscope.scene.geometry.pyrr_transforms import rotation_about
from octoscope.viewer.frame.look.studios import STUDIOS, Lamp, Studio

LAYERS = 8  # of what is mirrored, by evenly spaced roughness from 0 to 1
_SIDE = 48  # texels of a layer that is made from a formula: its lamps have no finer shapes
_SHARP = 0.03  # width of the borders of a lamp, as sines of angles, where nothing blurs it


@dataclass(frozen=True, eq=False)
class Environment:
    """Light from all around; linear colours, y up."""

    name: str  # one of STUDIOS, or that of a file
    # (LAYERS, side, side, 3) float32: by roughness, what is mirrored in each direction of the square that
    # `octahedral_directions` folds the sphere onto
    mirrored: np.ndarray
    # (9, 3) float32: a matt white surface with the normal (x, y, z) has the colour that they and the polynomials 1, y,
    # z, x, xy, yz, 3zz - 1, xz, xx - yy add up to
    irradiance: np.ndarray
    # True if it turns about the vertical with the camera, False if it stays put in the world
    follows_camera: bool = False
    notes: tuple[str, ...] = ()  # lines for the user, about what was altered of a file


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
    return _made(name, STUDIOS[name])


def _made(name: str, studio: Studio) -> Environment:
    directions = octahedral_directions(_SIDE)
    weights = solid_angles(directions)
    lamps = [(lamp, _places(lamp, directions)) for lamp in studio.lamps]
    sharp = [_shape(lamp, places, _SHARP) for lamp, places in lamps]
    totals = [(shape * weights).sum() for shape in sharp]
    layers = np.empty((LAYERS, _SIDE, _SIDE, 3), dtype=np.float32)
    for layer, roughness in enumerate(np.linspace(0.0, 1.0, LAYERS)):
        # GGX spreads half vectors by the square of the roughness, and what is mirrored by twice that angle.
        blur = 1.2 * roughness**2
        radiance = _sky(studio, directions[..., 1], blur)
        for (lamp, places), shape, total in zip(lamps, sharp, totals, strict=True):
            if blur:
                shape = _shape(lamp, places, _SHARP + blur)
            radiance += (shape * (total / (shape * weights).sum()))[..., None] * np.array(lamp.color)
        layers[layer] = radiance
    means = np.einsum("ij,lijc->lc", weights, layers)
    layers *= (means[0] / means)[:, None, None, :]
    return Environment(name, layers, irradiance_of(layers[0]), studio.follows_camera)


def _sky(studio: Studio, height: np.ndarray, blur: float) -> np.ndarray:
    """Return the (side, side, 3) light of a studio without its lamps.

    Args:
        height: (side, side) sines of the directions above the horizon.
        blur: radians, about, by which borders are softened.
    """
    above = (0.5 + 0.5 * np.tanh(height / (0.25 + blur)))[..., None]
    away = np.clip(np.abs(height) - 0.4 * blur, 0.0, 1.0)[..., None]
    sky, horizon, ground = (np.array(color) for color in (studio.sky, studio.horizon, studio.ground))
    return above * (away * sky + (1.0 - away) * horizon) + (1.0 - above) * ground


def _places(lamp: Lamp, directions: np.ndarray) -> list[np.ndarray]:
    """Return the (side, side) cosines between directions and a lamp, and between them and each of its two sides."""
    toward = np.array(lamp.toward) / np.linalg.norm(lamp.toward)
    aside = np.cross((0.0, 1.0, 0.0) if abs(toward[1]) < 0.99 else (0.0, 0.0, 1.0), toward)
    aside /= np.linalg.norm(aside)
    return [directions @ axis for axis in (toward, aside, np.cross(toward, aside))]


def _shape(lamp: Lamp, places: list[np.ndarray], soft: float) -> np.ndarray:
    """Return the (side, side) brightness of a lamp, 0 to 1, at its `_places`; `soft` is the width of its borders."""
    toward, *across = places
    shape = 0.5 + 0.5 * np.tanh(2.0 * toward / soft)
    for place, half in zip(across, lamp.size, strict=True):
        # About the integral of a normal distribution of the standard deviation `soft`.
        shape = shape * 0.5 * (np.tanh(0.85 * (place + half) / soft) - np.tanh(0.85 * (place - half) / soft))
    return shape


@dataclass(frozen=True, eq=False)
class PlacedEnvironment:
    """An environment as it lies about a camera."""

    environment: Environment  # the light
    environment_from_view: np.ndarray  # (3, 3) float32 rotation


def placed(environment: Environment, view_from_relative: np.ndarray, rotation_deg: float) -> PlacedEnvironment:
    """Return an environment as it lies about a camera with these axes, a (3, 3) rotation.

    Args:
        rotation_deg: of the environment about the vertical, counterclockwise seen from above.
    """
    rotation = view_from_relative.T
    if environment.follows_camera:
        x, _, z = view_from_relative[0].tolist()  # the camera's right
        length = math.hypot(x, z)
        if length > 1e-6:  # else the camera lies on its side, and has no right
            x, z = x / length, z / length
            rotation = np.array([(x, 0.0, z), (0.0, 1.0, 0.0), (-z, 0.0, x)]) @ rotation
    rotation = rotation_about((0.0, 1.0, 0.0), -math.radians(rotation_deg)) @ rotation
    return PlacedEnvironment(environment, rotation.astype(np.float32))


def _polynomials(directions: np.ndarray) -> np.ndarray:
    """Return the values of Environment.irradiance's polynomials, (..., 9), at directions, (..., 3)."""
    x, y, z = np.moveaxis(directions, -1, 0)
    return np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y], axis=-1)


def interpolated(texels: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """Return what lies between the texels of a square, (n, n, k), at places, by linear interpolation."""
    last = len(texels) - 2
    row, column = (np.clip(each.astype(np.int64), 0, last) for each in (rows, columns))
    down, across = (rows - row)[..., None], (columns - column)[..., None]
    upper = texels[row, column] * (1.0 - across) + texels[row, column + 1] * across
    lower = texels[row + 1, column] * (1.0 - across) + texels[row + 1, column + 1] * across
    mixed: np.ndarray = upper * (1.0 - down) + lower * down
    return mixed
