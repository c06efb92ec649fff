"""Environment: the light that comes from all around a scene, and what smooth surfaces mirror.

An environment is kept as the shader needs it: its light on a matt surface, and what a surface of each of some
roughnesses mirrors. Those of ENVIRONMENTS are made from a few numbers, in milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from octoscope.scene.system.text_file import printable
from octoscope.viewer.frame.look.studios import STUDIOS, Lamp, Studio

LAYERS = 8  # of what is mirrored, by evenly spaced roughness from 0 to 1
_SIDE = 48  # texels of a layer that is made from a formula: its lamps have no finer shapes
_SHARP = 0.03  # width of the borders of a lamp, as sines of angles, where nothing blurs it


@dataclass(frozen=True, eq=False)
class Environment:
    """Light from all around; linear colours, y up.

    Attributes:
        name: one of STUDIOS, or that of a file.
        mirrored: (LAYERS, side, side, 3) float32: by roughness, what is mirrored in each direction of the square that
            `octahedral_directions` folds the sphere onto.
        irradiance: (9, 3) float32: a matt white surface with the normal (x, y, z) has the colour that they and the
            polynomials 1, y, z, x, xy, yz, 3zz - 1, xz, xx - yy add up to.
        follows_camera: True if it turns about the vertical with the camera, False if it stays put in the world.
        notes: lines for the user, about what was altered of a file.
    """

    name: str
    mirrored: np.ndarray
    irradiance: np.ndarray
    follows_camera: bool = False
    notes: tuple[str, ...] = ()


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
        studio: its colours.
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


def placed(environment: Environment, view_from_relative: np.ndarray) -> PlacedEnvironment:
    """Return an environment as it lies about a camera with these axes, a (3, 3) rotation."""
    rotation = view_from_relative.T
    if environment.follows_camera:
        x, _, z = view_from_relative[0].tolist()  # the camera's right
        length = math.hypot(x, z)
        if length > 1e-6:  # else the camera lies on its side, and has no right
            x, z = x / length, z / length
            rotation = np.array([(x, 0.0, z), (0.0, 1.0, 0.0), (-z, 0.0, x)]) @ rotation
    return PlacedEnvironment(environment, rotation.astype(np.float32))


def _polynomials(directions: np.ndarray) -> np.ndarray:
    """Return the values of Environment.irradiance's polynomials, (..., 9), at directions, (..., 3)."""
    x, y, z = np.moveaxis(directions, -1, 0)
    return np.stack([np.ones_like(x), y, z, x, x * y, y * z, 3.0 * z * z - 1.0, x * z, x * x - y * y], axis=-1)


# Environments of files.

_FILE_SIDE = 128
_LAYER_SIDES = (128, 64, 48, 32, 32, 24, 24, 24)  # the rougher, the less there is to be seen
_LOBE_SAMPLES = 64
_MOST_OUTSHONE = np.float32(1e6)  # how much brighter than the sky the sun can be
_MEAN_LIGHT = 0.4  # luminance of a file's environment on average: files have any


def environment_of_panorama(name: str, panorama: np.ndarray) -> Environment:
    """Return the environment of a picture of all directions, scaled to a usual brightness.

    What rough surfaces mirror is the mean over samples of GGX, each of a blurred picture (Křivánek and Colbert,
    "Real-time Shading with Filtered Importance Sampling", 2008).

    Args:
        name: of the environment.
        panorama: (height, width, 3) float, linear: longitudes from left to right, -z in the middle; latitudes from the
            top. Broken pixels get the light of those around them.
    """
    light = np.array(panorama, dtype=np.float32)
    broken = _mend(light)
    pixels = "1 broken pixel gets" if broken == 1 else f"{broken:,} broken pixels get"
    notes = (f"{printable(name)}: {pixels} the light of those around",) if broken else ()
    pyramid = [_halved_to(light.clip(0.0, 65504.0, out=light), 512)]
    while min(pyramid[-1].shape[:2]) > 16:
        pyramid.append(_halved(pyramid[-1]))
    layers = np.empty((LAYERS, _FILE_SIDE, _FILE_SIDE, 3), dtype=np.float32)
    for layer, (roughness, side) in enumerate(zip(np.linspace(0.0, 1.0, LAYERS), _LAYER_SIDES, strict=True)):
        layers[layer] = _enlarged(_blurred(pyramid, octahedral_directions(side), float(roughness)), _FILE_SIDE)
    mean = (layers[-1] * solid_angles(octahedral_directions(_FILE_SIDE))[..., None]).sum(axis=(0, 1))
    layers *= _MEAN_LIGHT / max(float(mean @ (0.2126, 0.7152, 0.0722)), 1e-6)
    return Environment(name, layers, irradiance_of(layers[0]), notes=notes)


def _mend(light: np.ndarray) -> int:
    """Give each broken pixel of a panorama, (height, width, 3), the mean of the sound ones around it, in place.

    Broken is what is not finite, and a pixel that outshines both each of its neighbours and the rest of the picture a
    million times: even the sun, all of it in one pixel, does not outshine the sky so far. As the whole is scaled to a
    usual brightness, one such pixel would darken everything else.

    Returns:
        the number of broken pixels.
    """
    peaks = light.max(axis=2)
    is_finite = np.isfinite(light).all(axis=2)
    peaks[~is_finite] = 0.0
    around = np.zeros_like(peaks)
    for peak in _neighbours(peaks):
        np.maximum(around, peak, out=around)
    is_broken = peaks / _MOST_OUTSHONE > around
    rest = peaks[is_finite & ~is_broken]
    mean = float(rest.clip(min=0.0).mean(dtype=np.float64)) if len(rest) else 0.0
    is_broken &= (mean > 0.0) & (peaks / _MOST_OUTSHONE > mean)  # else the picture is black but for single lamps
    is_broken |= ~is_finite
    if is_broken.any():
        rows, columns = np.nonzero(is_broken)
        light[rows, columns] = 0.0
        counts, sums = np.zeros(len(rows)), np.zeros((len(rows), 3))
        for row in (-1, 0, 1):
            for column in (-1, 0, 1):
                place = (rows + row).clip(0, len(light) - 1), (columns + column) % light.shape[1]
                counts += ~is_broken[place]
                sums += light[place]
        light[rows, columns] = sums / np.maximum(counts, 1.0)[:, None]
    return int(np.count_nonzero(is_broken))


def _neighbours(picture: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the eight pictures in which each pixel is its neighbour; left and right meet, beyond the poles is 0."""
    padded = np.pad(np.pad(picture, ((0, 0), (1, 1)), mode="wrap"), ((1, 1), (0, 0)))
    height, width = picture.shape
    for row in range(3):
        for column in range(3):
            if (row, column) != (1, 1):
                yield padded[row : row + height, column : column + width]


def _halved(picture: np.ndarray) -> np.ndarray:
    height, width = (side // 2 * 2 for side in picture.shape[:2])
    return picture[:height, :width].reshape(height // 2, 2, width // 2, 2, 3).mean(axis=(1, 3))


def _halved_to(picture: np.ndarray, most: int) -> np.ndarray:
    while picture.shape[0] > most and picture.shape[1] > 1:
        picture = _halved(picture)
    return picture


def _looked_up(picture: np.ndarray, directions: np.ndarray) -> np.ndarray:
    """Return a panorama's light in unit directions, (..., 3), by linear interpolation."""
    height, width = picture.shape[:2]
    x, y, z = np.moveaxis(directions, -1, 0)
    column = (0.5 + np.arctan2(x, -z) / (2.0 * np.pi)) * width - 0.5
    row = np.arccos(np.clip(y, -1.0, 1.0)) / np.pi * height - 0.5
    left, above = np.floor(column).astype(int), np.floor(row).astype(int)
    right_share, below_share = (column - left)[..., None], (row - above)[..., None]
    columns = left % width, (left + 1) % width
    upper, lower = (
        picture[each, columns[0]] * (1.0 - right_share) + picture[each, columns[1]] * right_share
        for each in (np.clip(above, 0, height - 1), np.clip(above + 1, 0, height - 1))
    )
    return upper * (1.0 - below_share) + lower * below_share


def _blurred(pyramid: list[np.ndarray], directions: np.ndarray, roughness: float) -> np.ndarray:
    """Return what a surface of a roughness mirrors, seen straight ahead, in (..., 3) directions."""
    texel = 4.0 * np.pi / pyramid[0].shape[0] / pyramid[0].shape[1]  # solid angle
    if roughness == 0.0:
        return _looked_up(_level(pyramid, 4.0 * np.pi / directions[..., 0].size / texel), directions)
    alpha = roughness**2
    aside = np.cross(directions, np.where(np.abs(directions[..., 1:2]) < 0.9, (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)))
    aside /= np.linalg.norm(aside, axis=-1, keepdims=True)
    upward = np.cross(directions, aside)
    total, weights = np.zeros_like(directions), 0.0
    for number in range(_LOBE_SAMPLES):
        share, turn = (number + 0.5) / _LOBE_SAMPLES, 2.0 * np.pi * (number * 0.618034 % 1.0)
        cos_half = np.sqrt((1.0 - share) / (1.0 + (alpha**2 - 1.0) * share))
        cos, sin = 2.0 * cos_half**2 - 1.0, 2.0 * cos_half * np.sqrt(1.0 - cos_half**2)  # of twice the angle
        if cos <= 0.0:
            continue
        density = alpha**2 / (np.pi * (cos_half**2 * (alpha**2 - 1.0) + 1.0) ** 2) / 4.0  # of mirrored directions
        level = _level(pyramid, 4.0 / (_LOBE_SAMPLES * density) / texel)
        sample = cos * directions + sin * (np.cos(turn) * aside + np.sin(turn) * upward)
        total += cos * _looked_up(level, sample)
        weights += cos
    return total / weights


def _level(pyramid: list[np.ndarray], texels: float) -> np.ndarray:
    """Return the picture of a pyramid of which a texel has about so many texels of the first."""
    return pyramid[int(np.clip(np.round(0.5 * np.log2(max(texels, 1.0))), 0, len(pyramid) - 1))]


def _enlarged(square: np.ndarray, side: int) -> np.ndarray:
    """Return a square with more texels, by linear interpolation between those whose borders meet."""
    place = np.linspace(0.0, len(square) - 1.0, side)
    first = np.minimum(place.astype(int), len(square) - 2)
    share = (place - first)[:, None, None]
    rows = square[first] * (1.0 - share) + square[first + 1] * share
    share = share[:, 0]
    return rows[:, first] * (1.0 - share) + rows[:, first + 1] * share
