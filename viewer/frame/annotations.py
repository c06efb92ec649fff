"""Annotations: measurements as strokes and labels of one picture, in its pixels. No OpenGL in here.

They lie over everything: a measurement through an object is meant to be seen. Pixels count from the picture's top left,
x to the right, y down. Lines are clipped to the view before they are projected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.measurement import ANGLE, POINTS_OF
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.measuring.measurements import figure_text, shown_measurements, world_points
from octoscope.scene.measuring.snapping import EDGE, FACE, MIDPOINT, VERTEX
from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.look.color_bars import placed_bars
from octoscope.viewer.frame.look.labels import font_size_px, label_image
from octoscope.viewer.frame.points import Rectangle
from octoscope.viewer.frame.projection import pixels_from_clip
from octoscope.viewer.frame.section import NO_SECTION, Section

MEASUREMENT_COLOR = (1.0, 0.84, 0.25)
PREVIEW_COLOR = (0.35, 0.9, 1.0)
_ARC_STEPS = 24
_ARC_SHARE = 0.3  # of the shorter leg
_LEAST_DEPTH = 1e-300  # keeps divisors above 0
# Outlines of unit size, y down, by the kind of point that the cursor snaps to.
_CIRCLE = np.array([(np.cos(a), np.sin(a)) for a in np.linspace(0.0, 2.0 * np.pi, 17)])
_MARKERS = {
    VERTEX: np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]),
    MIDPOINT: np.array([(0, -1.2), (1.1, 0.8), (-1.1, 0.8), (0, -1.2)]),
    EDGE: np.array([(0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0), (0, -1.3)]),
    FACE: _CIRCLE,
}


@dataclass(frozen=True, eq=False)
class Annotations:
    """Strokes and labels over a picture.

    Attributes:
        strokes: (s, 4) float32 x, y of both ends, pixels. A stroke whose ends are the same point is a dot.
        widths: (s,) float32 pixels.
        colors: (s, 3) float32 sRGB.
        labels: a text and the pixel (x, y) of its centre, each.
        font_size_px: of all labels.
        bars: pictures of colour scales, (h, w, 4) uint8, and the pixel of its centre, each.
    """

    strokes: np.ndarray
    widths: np.ndarray
    colors: np.ndarray
    labels: Sequence[tuple[str, tuple[float, float]]]
    font_size_px: int
    bars: Sequence[tuple[np.ndarray, tuple[float, float]]] = ()

    @property
    def pictures(self) -> list[tuple[np.ndarray, tuple[float, float]]]:
        """Pictures that lie over the scene, as `bars`: these, and the labels."""
        return [*self.bars, *((label_image(text, self.font_size_px), middle) for text, middle in self.labels)]


@dataclass(frozen=True, eq=False)
class MeasurementPreview:
    """A measurement that is being made.

    Attributes:
        kind: DISTANCE or ANGLE.
        points: (n, 3) world; the last one is under the cursor.
        snapped_to: kind of that last point, as of scene.measuring.snapping; "" while the cursor is over nothing.
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
    scales: Sequence[ColorScale] = (),
    section: Section = NO_SECTION,
) -> Annotations | None:
    """Return a picture's annotations: measurements, the preview and colour bars; None where there are none.

    Args:
        scene: whose measurements.
        camera: of the picture.
        size: width and height of the picture, pixels.
        measurement_preview: the measurement that is being made.
        isolated: as of shown_measurements.
        scales: those that are shown as bars.
        section: measurements with a point that it cuts away are left out.
    """
    shown = shown_measurements(scene, isolated)
    if not shown and measurement_preview is None and not scales:
        return None
    drawing = _Drawing(camera, size, Lengths.of(scene))
    for measurement in shown:
        points = world_points(scene, measurement.anchors)
        is_finite = np.isfinite(points).all()  # a node's matrix may have overflowed
        if is_finite and section.keeps(points).all():
            drawing.add(measurement.kind, points, MEASUREMENT_COLOR)
    if measurement_preview is not None:
        drawing.add(measurement_preview.kind, measurement_preview.points, PREVIEW_COLOR)
        if measurement_preview.snapped_to:
            drawing.add_marker(measurement_preview.snapped_to, measurement_preview.points[-1])
    annotations = drawing.annotations()
    return replace(annotations, bars=placed_bars(scales, size, annotations.font_size_px))


class _Drawing:
    """Lines in the world and labels on them, gathered first and projected together."""

    def __init__(self, camera: Camera, size: tuple[int, int], lengths: Lengths) -> None:
        self._camera = camera
        self._lengths = lengths
        self._size = size
        self._font_size = font_size_px(size[1])
        self._width = self._font_size / 7.0
        self._lines = [np.empty((0, 2, 3))]
        self._offsets = [np.empty((0, 2, 2))]  # of their ends, pixels
        self._styles: list[tuple[int, float, tuple[float, float, float]]] = []  # number of lines, width, colour
        self._labels: list[tuple[str, int, int]] = []  # text, and the lines on whose seen middle it lies
        self._count = 0

    def add(self, kind: str, points: np.ndarray, color: tuple[float, float, float]) -> None:
        """Add a measurement, or the points of one that there are so far."""
        along = self._add_path(points, self._width, color)
        self._add_lines(np.stack([points, points], axis=1), 3.0 * self._width, color)
        if len(points) == POINTS_OF[kind]:
            if kind == ANGLE:
                along = self._add_path(arc_of(points), self._width, color) or along  # a straight one has no arc
            self._labels.append((figure_text(kind, points, self._lengths), along.start, along.stop))

    def add_marker(self, kind: str, point: np.ndarray) -> None:
        """Add the shape that tells the kind of point that the cursor snaps to."""
        outline = 0.55 * self._font_size * _MARKERS[kind]
        offsets = np.stack([outline[:-1], outline[1:]], axis=1)
        self._add_lines(np.tile(point, (len(offsets), 2, 1)), self._width, PREVIEW_COLOR, offsets)

    def annotations(self) -> Annotations:
        """Return all of it in the picture's pixels."""
        strokes, seen = self._projected(np.concatenate(self._lines))
        strokes += np.concatenate(self._offsets).reshape(-1, 4)
        counts = [count for count, _, _ in self._styles]
        widths = np.repeat(np.array([width for _, width, _ in self._styles], dtype=np.float32), counts)
        colors = np.array([color for *_, color in self._styles], dtype=np.float32).reshape(-1, 3)
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
        """Add lines from each point to the next; return their indices."""
        return self._add_lines(np.stack([points[:-1], points[1:]], axis=1), width, color)

    def _add_lines(
        self, lines: np.ndarray, width: float, color: tuple[float, float, float], offsets: np.ndarray | None = None
    ) -> range:
        self._lines.append(lines)
        self._offsets.append(np.zeros((len(lines), 2, 2)) if offsets is None else offsets)
        self._styles.append((len(lines), width, color))
        self._count += len(lines)
        return range(self._count - len(lines), self._count)

    def _projected(self, lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Clip lines at the sides and the near end of the view, and project them.

        Args:
            lines: (n, 2, 3) world ends.

        Returns:
            (n, 4) pixels x, y of both ends, and (n,) bool: whether any of a line is seen.

        Source: Liang and Barsky's clipping ("A new concept and method for line clipping", 1984), homogeneous.
        """
        clip_from_relative = self._camera.clip_from_relative(self._size[0] / self._size[1])
        relative = np.concatenate([lines - self._camera.position, np.ones((*lines.shape[:2], 1))], axis=2)
        clip = relative @ clip_from_relative.T
        x, y, z, w = (clip[..., axis] for axis in range(4))
        inside = np.stack([w - x, w + x, w - y, w + y, w + z], axis=2)  # (n, 2, 5), below 0 beyond a plane
        start, end = inside[:, 0], inside[:, 1]
        with np.errstate(divide="ignore", invalid="ignore"):
            crossing = start / (start - end)
        # Along a line from start (0) to end (1): each of the five planes that the line crosses lets it in, where its
        # start is outside, or out. What lies after the last entry and before the first exit is seen.
        enters = np.where(start < 0.0, np.where(end < 0.0, np.inf, crossing), 0.0).max(axis=1)
        leaves = np.where(end < 0.0, np.where(start < 0.0, -np.inf, crossing), 1.0).min(axis=1)
        seen = enters <= leaves
        to_pixels = pixels_from_clip(Rectangle(0.0, 0.0, *self._size))
        pixels = np.zeros((len(lines), 2, 2))
        for which, share in enumerate((enters, leaves)):
            ends = (clip[seen, 0] + share[seen, None] * (clip[seen, 1] - clip[seen, 0])) @ to_pixels.T
            pixels[seen, which] = ends[:, :2] / np.maximum(ends[:, 3:], _LEAST_DEPTH)
        return pixels.reshape(-1, 4), seen


def arc_of(points: np.ndarray) -> np.ndarray:
    """Return points on the arc between the legs of an angle; none where the legs span no plane.

    Args:
        points: (3, 3) world; the angle is at the second.

    Returns:
        (k, 3) world.
    """
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
