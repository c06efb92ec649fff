"""Annotations: measurements as strokes and labels of one picture, in its pixels. No OpenGL in here.

They lie over everything: a measurement through an object is meant to be seen. Points count from the picture's top
left, x to the right, y down. All that is before the eye is cut to what the eye sees before it is projected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scene import Scene
from scene.measurement import ANGLE, POINTS_OF
from scene.measuring.measurements import figure_text, shown_measurements, world_points
from scene.measuring.snapping import EDGE, FACE, MIDPOINT, VERTEX
from viewer.camera.camera import Camera
from viewer.frame.labels import font_size_px
from viewer.frame.points import Rectangle
from viewer.frame.projection import pixels_from_clip

MEASUREMENT_COLOR = (1.0, 0.84, 0.25)
PREVIEW_COLOR = (0.35, 0.9, 1.0)
_ARC_STEPS = 24
_ARC_SHARE = 0.3  # of the shorter leg
_LEAST_DEPTH = 1e-300  # what is divided by is above 0
# Outlines of unit size, y down, of what the cursor snaps to.
_CIRCLE = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0.0, 2.0 * np.pi, 17)])
_MARKERS = {
    VERTEX: np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]),
    MIDPOINT: np.array([(0, -1.2), (1.1, 0.8), (-1.1, 0.8), (0, -1.2)]),
    EDGE: np.array([(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0), (0, -1.3)]),
    FACE: _CIRCLE,
}


@dataclass(frozen=True, eq=False)
class Annotations:
    """What is drawn over a picture.

    Attributes:
        strokes: (s, 4) float32 x, y of both ends, pixels. A stroke whose ends are one is a dot.
        widths: (s,) float32 pixels. colors: (s, 3) float32 sRGB.
        labels: (text, (x, y) of its middle) each.
        font_size_px: of all labels.
    """

    strokes: np.ndarray
    widths: np.ndarray
    colors: np.ndarray
    labels: Sequence[tuple[str, tuple[float, float]]]
    font_size_px: int


@dataclass(frozen=True, eq=False)
class MeasurementPreview:
    """A measurement that is being made.

    Attributes:
        kind: "distance" or "angle".
        points: (n, 3) world; the last is under the cursor.
        snapped_to: what kind of place that is, or "": the cursor is over nothing, and all points are made.
    """

    kind: str
    points: np.ndarray
    snapped_to: str


def annotations_of(
    scene: Scene,
    camera: Camera,
    size: tuple[int, int],
    measurement_preview: MeasurementPreview | None = None,
    isolated: np.ndarray | None = None,
) -> Annotations | None:
    """The scene's measurements in a picture, and the one that is being made; None: there is nothing to draw.

    Args:
        isolated: as of shown_measurements.
    """
    shown = shown_measurements(scene, isolated)
    if not shown and measurement_preview is None:
        return None
    drawing = _Drawing(camera, size)
    for measurement in shown:
        points = world_points(scene, measurement.anchors)
        if np.isfinite(points).all():  # a node's matrix may have overflowed
            drawing.add(measurement.kind, points, MEASUREMENT_COLOR)
    if measurement_preview is not None:
        drawing.add(measurement_preview.kind, measurement_preview.points, PREVIEW_COLOR)
        if measurement_preview.snapped_to:
            drawing.add_marker(measurement_preview.snapped_to, measurement_preview.points[-1])
    return drawing.annotations()


class _Drawing:
    """Lines in the world and labels on them as they come together; one projection makes a picture of them all."""

    def __init__(self, camera: Camera, size: tuple[int, int]) -> None:
        self._camera = camera
        self._size = size
        self._font_size = font_size_px(size[1])
        self._width = self._font_size / 7.0
        self._lines = [np.empty((0, 2, 3))]
        self._offsets = [np.empty((0, 2, 2))]  # of their ends, pixels
        self._looks: list[tuple[int, float, tuple[float, float, float]]] = []  # how many lines, width, colour
        self._labels: list[tuple[str, int, int]] = []  # in the middle of what is seen of some lines
        self._count = 0

    def add(self, kind: str, points: np.ndarray, color: tuple[float, float, float]) -> None:
        """A measurement, or the part of one that there is yet."""
        along = self._add_path(points, self._width, color)
        self._add_lines(np.stack([points, points], axis=1), 3.0 * self._width, color)
        if len(points) == POINTS_OF[kind]:
            if kind == ANGLE:
                along = self._add_path(_arc(points), self._width, color)
            self._labels.append((figure_text(kind, points), along.start, along.stop))

    def add_marker(self, kind: str, point: np.ndarray) -> None:
        """The shape that says what the cursor snaps to."""
        outline = 0.55 * self._font_size * _MARKERS[kind]
        offsets = np.stack([outline[:-1], outline[1:]], axis=1)
        self._add_lines(np.tile(point, (len(offsets), 2, 1)), self._width, PREVIEW_COLOR, offsets)

    def annotations(self) -> Annotations:
        """All of it in the picture's pixels."""
        strokes, seen = self._projected(np.concatenate(self._lines))
        strokes += np.concatenate(self._offsets).reshape(-1, 4)
        counts = [count for count, _, _ in self._looks]
        widths = np.repeat(np.array([width for _, width, _ in self._looks], dtype=np.float32), counts)
        colors = np.array([color for *_, color in self._looks], dtype=np.float32).reshape(-1, 3)
        labels = []
        for text, first, last in self._labels:
            parts = strokes[first:last][seen[first:last]]
            if len(parts):
                x, y = parts[len(parts) // 2].reshape(2, 2).mean(axis=0).tolist()
                labels.append((text, (x, y)))
        return Annotations(
            strokes[seen].astype(np.float32),
            widths[seen],
            np.repeat(colors, counts, axis=0)[seen],
            labels,
            self._font_size,
        )

    def _add_path(self, points: np.ndarray, width: float, color: tuple[float, float, float]) -> range:
        """Lines from each point to the next; their numbers."""
        return self._add_lines(np.stack([points[:-1], points[1:]], axis=1), width, color)

    def _add_lines(
        self, lines: np.ndarray, width: float, color: tuple[float, float, float], offsets: np.ndarray | None = None
    ) -> range:
        self._lines.append(lines)
        self._offsets.append(np.zeros((len(lines), 2, 2)) if offsets is None else offsets)
        self._looks.append((len(lines), width, color))
        self._count += len(lines)
        return range(self._count - len(lines), self._count)

    def _projected(self, lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of lines, (n, 2, 3) world ends, (n, 4) pixels, cut at the sides and the near end of the view; (n,) bool seen.

        Liang and Barsky's clipping ("A new concept and method for line clipping", 1984), homogeneous.
        """
        clip_from_relative = self._camera.clip_from_relative(self._size[0] / self._size[1])
        relative = np.concatenate([lines - self._camera.position, np.ones((*lines.shape[:2], 1))], axis=2)
        clip = relative @ clip_from_relative.T
        x, y, z, w = (clip[..., axis] for axis in range(4))
        inside = np.stack([w - x, w + x, w - y, w + y, w + z], axis=2)  # (n, 2, 5), below 0 beyond a plane
        start, end = inside[:, 0], inside[:, 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = start / (start - end)
        enters = np.where(start < 0.0, np.where(end < 0.0, np.inf, crossing), 0.0).max(axis=1)
        leaves = np.where(end < 0.0, np.where(start < 0.0, -np.inf, crossing), 1.0).min(axis=1)
        seen = enters <= leaves
        to_pixels = pixels_from_clip(Rectangle(0.0, 0.0, *self._size))
        pixels = np.zeros((len(lines), 2, 2))
        for which, share in enumerate((enters, leaves)):
            ends = (clip[seen, 0] + share[seen, None] * (clip[seen, 1] - clip[seen, 0])) @ to_pixels.T
            pixels[seen, which] = ends[:, :2] / np.maximum(ends[:, 3:], _LEAST_DEPTH)
        return pixels.reshape(-1, 4), seen


def _arc(points: np.ndarray) -> np.ndarray:
    """(k, 3) points on the arc between the legs of an angle; none where a leg has no length or both are one line."""
    legs = points[[0, 2]] - points[1]
    lengths = np.sqrt((legs**2).sum(axis=1))
    if not lengths.all():
        return np.empty((0, 3))
    first, last = legs / lengths[:, None]
    sideways = last - (last @ first) * first
    if not sideways.any():
        return np.empty((0, 3))
    sideways /= np.sqrt(sideways @ sideways)
    angles = np.linspace(0.0, np.arctan2(last @ sideways, last @ first), _ARC_STEPS + 1)[:, None]
    return points[1] + _ARC_SHARE * lengths.min() * (np.cos(angles) * first + np.sin(angles) * sideways)
