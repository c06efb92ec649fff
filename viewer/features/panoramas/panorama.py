"""The environment of a panorama: what surfaces of each roughness mirror of a picture of all directions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from octoscope.scene.system.text_file import printable
from octoscope.viewer.frame.look.environment import (
    LAYERS,
    Environment,
    interpolated,
    irradiance_of,
    octahedral_directions,
    solid_angles,
)

_FILE_SIDE = 128
_MOST_ROWS = 512  # of a panorama that are looked at
_LAYER_SIDES = (128, 64, 48, 32, 32, 24, 24, 24)  # the rougher, the less there is to be seen
_LOBE_SAMPLES = 64
_MOST_OUTSHONE = np.float32(1e6)  # how much brighter than the sky the sun can be
_MEAN_LIGHT = 0.4  # luminance of a file's environment on average: files have any


def environment_of_panorama(name: str, panorama: np.ndarray) -> Environment:
    """Return the environment of a picture of all directions, scaled to a usual brightness.

    What rough surfaces mirror is the mean over samples of GGX, each of a blurred picture (Křivánek and Colbert,
    "Real-time Shading with Filtered Importance Sampling", 2008).

    Args:
        panorama: (height, width, 3) float, linear: longitudes from left to right, -z in the middle; latitudes from the
            top. Broken pixels get the light of those around them.
    """
    light = np.array(panorama, dtype=np.float32)
    broken = _mend(light)
    pixels = "1 broken pixel gets" if broken == 1 else f"{broken:,} broken pixels get"
    notes = (f"{printable(name)}: {pixels} the light of those around",) if broken else ()
    picture = light.clip(0.0, 65504.0, out=light)
    while picture.shape[0] > _MOST_ROWS and picture.shape[1] > 1:
        picture = _halved(picture)
    pyramid = [picture]
    while min(pyramid[-1].shape[:2]) > 16:
        pyramid.append(_halved(pyramid[-1]))
    layers = np.empty((LAYERS, _FILE_SIDE, _FILE_SIDE, 3), dtype=np.float32)
    for layer, (roughness, side) in enumerate(zip(np.linspace(0.0, 1.0, LAYERS), _LAYER_SIDES, strict=True)):
        blurred = _blurred(pyramid, octahedral_directions(side), float(roughness))
        places = np.linspace(0.0, side - 1.0, _FILE_SIDE)
        layers[layer] = interpolated(blurred, *np.meshgrid(places, places, indexing="ij"))
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
