"""Bounding volumes of 3D Tiles as boxes: three half edges about a centre. Regions lie on the WGS84 ellipsoid.

A box is (12,) float64: the centre, and half the edges as three vectors. The frame of regions is that of the Earth
(ECEF: X through the meridian of Greenwich, Z through the north pole), whatever transforms a tile has.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from octoscope.scene.conventions.upright import turn_between
from octoscope.scene.formats.tiles.cells import LARGEST_NUMBER
from octoscope.scene.geometry.pyrr_transforms import affine_of_linear

BOX, REGION, SPHERE = "box", "region", "sphere"
TILES_FROM_CONTENT = affine_of_linear(turn_between("y", "z"))  # contents have Y up, as glTF has it, and tiles Z
_LENGTHS = {BOX: 12, REGION: 6, SPHERE: 4}
_EQUATOR, _POLE = 6378137.0, 6356752.314245179  # radii of WGS84, metres
_SQUARES = np.array([_EQUATOR, _EQUATOR, _POLE]) ** 2
_SAMPLES = 17  # of a region, along each side
_NEAR_GROUND = 2e5  # metres from the ellipsoid, within which something stands on the Earth


def volume_of(described: object) -> tuple[str, np.ndarray]:
    """Return the kind and the numbers of a bounding volume in JSON; ValueError if it is none, or not sound."""
    if isinstance(described, Mapping):
        for kind, length in _LENGTHS.items():
            if kind in described:
                return kind, checked_numbers(described[kind], length)
    raise ValueError("a bounding volume of no known kind")


def checked_numbers(values: object, count: int) -> np.ndarray:
    """Convert a list of JSON to (count,) float64; ValueError if it is none, or a number is too large."""
    try:
        numbers = np.array(values, dtype=np.float64)
    except (TypeError, OverflowError):
        raise ValueError("no numbers") from None
    if numbers.shape != (count,) or not (np.abs(numbers) < LARGEST_NUMBER).all():
        raise ValueError(f"not {count} numbers, or too large ones")
    return numbers


def boxes_of(kind: str, volumes: np.ndarray) -> np.ndarray:
    """Return boxes around volumes of one kind, (n, 12); those of regions are in the frame of the Earth."""
    if kind == BOX:
        return volumes
    if kind == SPHERE:
        return np.concatenate([volumes[:, :3], (np.abs(volumes[:, 3:, None]) * np.eye(3)).reshape(-1, 9)], axis=1)
    west, south, east, north, low, high = volumes.T
    east = np.where(east < west, east + 2.0 * np.pi, east)  # across the 180th meridian
    frames = east_north_up((west + east) / 2.0, (south + north) / 2.0)
    shares = np.linspace(0.0, 1.0, _SAMPLES)
    longitudes = west[:, None] + (east - west)[:, None] * shares
    latitudes = south[:, None] + (north - south)[:, None] * shares
    samples = [
        on_earth(longitudes[:, :, None], latitudes[:, None, :], height[:, None, None]).reshape(len(volumes), -1, 3)
        for height in (low, high)
    ]
    local = np.concatenate(samples, axis=1) @ frames
    lower, upper = local.min(axis=1), local.max(axis=1)
    # Between two samples the ground is farther out by the height of an arc.
    steps = np.maximum(east - west, np.abs(north - south)) / (_SAMPLES - 1)
    margin = ((_EQUATOR + np.maximum(high, 0.0)) * steps**2 / 8.0)[:, None]
    centers = np.einsum("nij,nj->ni", frames, (lower + upper) / 2.0)
    edges = frames.transpose(0, 2, 1) * ((upper - lower) / 2.0 + margin)[:, :, None]
    return np.concatenate([centers, edges.reshape(-1, 9)], axis=1)


def subdivided(kind: str, volume: np.ndarray, levels: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Return the volumes of cells of an implicit octree or quadtree: (n, 12) or (n, 6).

    Args:
        volume: bounding volume of the root, (12,) or (6,).
        levels: (n,) level of each cell; the root has 0.
        cells: (n, d) coordinates on their levels; a quadtree, d = 2, leaves the third axis whole.
    """
    axes = cells.shape[1]
    shares = np.full((len(cells), 3), 0.5)  # where middles lie
    shares[:, :axes] = (cells + 0.5) / 2.0 ** levels[:, None]
    sizes = np.ones((len(cells), 3))
    sizes[:, :axes] = 1.0 / 2.0 ** levels[:, None]
    if kind == REGION:
        west, south, east, north, low, high = volume
        lower = np.array([west, south, low])
        spans = np.array([(east - west) % (2.0 * np.pi) if east < west else east - west, north - south, high - low])
        begins, ends = lower + spans * (shares - sizes / 2.0), lower + spans * (shares + sizes / 2.0)
        return np.stack([begins[:, 0], begins[:, 1], ends[:, 0], ends[:, 1], begins[:, 2], ends[:, 2]], axis=1)
    edges = volume[3:].reshape(3, 3)
    centers = volume[:3] + (2.0 * shares - 1.0) @ edges
    return np.concatenate([centers, (sizes[:, :, None] * edges).reshape(-1, 9)], axis=1)


def on_earth(longitudes: np.ndarray, latitudes: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Return (..., 3) points of the Earth; angles in radians, metres above the ellipsoid."""
    normals = _normals(longitudes, latitudes)
    scaled = normals * _SQUARES
    return scaled / np.sqrt((normals * scaled).sum(axis=-1))[..., None] + normals * heights[..., None]


def east_north_up(longitudes: np.ndarray, latitudes: np.ndarray) -> np.ndarray:
    """Return (..., 3, 3) rotations whose columns point east, north and up at places of the Earth."""
    up = _normals(longitudes, latitudes)
    east = np.stack(np.broadcast_arrays(-np.sin(longitudes), np.cos(longitudes), 0.0 * latitudes), axis=-1)
    return np.stack([east, np.cross(up, east), up], axis=-1)


def frame_on_earth(point: np.ndarray) -> np.ndarray | None:
    """Return the (4, 4) world_from_local of a point near the ground: X east, Y north, Z up; None for any other."""
    if not 0.5 * _POLE < float(np.linalg.norm(point)) < 2.0 * _EQUATOR:
        return None
    longitude = np.arctan2(point[1], point[0])
    across = float(np.hypot(point[0], point[1]))
    latitude = np.arctan2(point[2], across * (_POLE / _EQUATOR) ** 2)
    for _ in range(5):  # it converges by a factor of 300 a step
        foot = on_earth(longitude, latitude, np.zeros(()))
        height = float((point - foot) @ _normals(longitude, latitude))
        sine, square = np.sin(latitude), 1.0 - (_POLE / _EQUATOR) ** 2
        radius = _EQUATOR / np.sqrt(1.0 - square * sine**2)
        latitude = np.arctan2(point[2], across * (1.0 - square * radius / (radius + height)))
    if not abs(height) < _NEAR_GROUND:
        return None
    frame = np.eye(4)
    frame[:3, :3], frame[:3, 3] = east_north_up(longitude, latitude), point
    return frame


def _normals(longitudes: np.ndarray, latitudes: np.ndarray) -> np.ndarray:
    level = np.cos(latitudes)
    parts = level * np.cos(longitudes), level * np.sin(longitudes), np.sin(latitudes)
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def up_on_earth(points: np.ndarray) -> np.ndarray:
    """Return (n, 3, 3) rotations whose columns point east, north and up at (n, 3) points near the ground."""
    longitudes = np.arctan2(points[:, 1], points[:, 0])
    latitudes = np.arctan2(points[:, 2], np.hypot(points[:, 0], points[:, 1]) * (_POLE / _EQUATOR) ** 2)
    return east_north_up(longitudes, latitudes)
