"""Annotations: line segments, labels and images over one picture, in its pixels. No OpenGL in here.

They lie over everything: a measurement through an object is meant to be seen. Labels keep off each other. Pixels count
from the picture's top left, x to the right, y down. Lines are clipped to the view before they are projected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.look.labels import font_size_px, label_image
from octoscope.viewer.frame.points import Rectangle
from octoscope.viewer.frame.projection import pixels_from_clip

_FARTHEST = 1e100  # from the camera: products of what is farther are out of the range of numbers
_LEAST_DEPTH = 1e-300  # keeps divisors above 0
_MOST_APART = 300  # labels that keep off each other; so many more could not be read anyway
_LEAST_EXTENT = 0.7  # font sizes: a label on lines that fill less of the picture is left out
_MOST_MOVED = 1.5  # heights: so is one that would have to be farther off, where others hide the line to it


@dataclass(frozen=True, eq=False)
class Annotations:
    """Line segments, labels and images over a picture."""

    segments: np.ndarray  # (s, 4) float32 x, y of both ends, pixels. A segment whose ends are the same point is a dot.
    widths: np.ndarray  # (s,) float32 pixels
    colors: np.ndarray  # (s, 3) float32 sRGB
    labels: Sequence[tuple[str, tuple[float, float]]]  # a text and the pixel (x, y) of its centre, each
    font_size_px: int  # of all labels
    # (h, w, 4) uint8, and the pixel (x, y) of its centre, each
    images: Sequence[tuple[np.ndarray, tuple[float, float]]] = ()

    @property
    def pictures(self) -> list[tuple[np.ndarray, tuple[float, float]]]:
        """All that is drawn as a picture: the images, and the labels."""
        return [*self.images, *((label_image(text, self.font_size_px), middle) for text, middle in self.labels)]


class AnnotationBuilder:
    """Gathers lines in the world and labels on them, and projects them together; the picture's size is in pixels."""

    def __init__(self, camera: Camera, size: tuple[int, int], stroke_ratio: float = 1.0) -> None:
        self._camera = camera
        self.size = size
        self.font_size_px = font_size_px(size[1], stroke_ratio)  # of labels
        self.line_width = self.font_size_px / 7.0  # usual one, pixels
        self._lines = [np.empty((0, 2, 3))]
        self._offsets = [np.empty((0, 2, 2))]  # of their ends, pixels
        self._styles: list[tuple[int, float, tuple[float, float, float]]] = []  # number of lines, width, colour
        self._pixel_lines: list[tuple[np.ndarray, float, tuple[float, float, float]]] = []  # (n, 4), width, colour
        self._labels: list[tuple[str, range, range]] = []  # as add_label has them
        self._images: list[tuple[np.ndarray, tuple[float, float]]] = []
        self._boxes: list[tuple[float, float, float, float]] = []  # x, y of their middles, widths and heights
        self._count = 0

    def add_lines(
        self, lines: np.ndarray, width: float, color: tuple[float, float, float], offsets: np.ndarray | None = None
    ) -> range:
        """Add lines; return their indices.

        Args:
            lines: (n, 2, 3) world ends; a line whose ends are the same point is a dot.
            width: pixels.
            color: sRGB.
            offsets: (n, 2, 2) pixels by which the ends are moved in the picture.
        """
        self._lines.append(lines)
        self._offsets.append(np.zeros((len(lines), 2, 2)) if offsets is None else offsets)
        self._styles.append((len(lines), width, color))
        self._count += len(lines)
        return range(self._count - len(lines), self._count)

    def add_pixel_lines(self, segments: ArrayLike, width: float, color: tuple[float, float, float]) -> None:
        """Add lines in the picture's pixels, (n, 4) x, y of both ends; arguments are those of add_lines."""
        self._pixel_lines.append((np.array(segments, dtype=np.float64).reshape(-1, 4), width, color))

    def add_label(self, text: str, along: range, described: range) -> None:
        """Add a text at the middle of the visible part of the lines `along`.

        If the lines `described` are shorter than the text, it stands above them; if they are tiny or there is no room,
        it is left out.
        """
        self._labels.append((text, along, described))

    def add_image(self, image: np.ndarray, middle: tuple[float, float]) -> None:
        """Add an image, (h, w, 4) uint8, about a pixel (x, y)."""
        self._images.append((image, middle))

    def keep_free(self, box: np.ndarray) -> None:
        """Keep texts off a box of the picture: (4,) x and y of its upper left and its lower right pixel."""
        self._boxes.append((*((box[:2] + box[2:]) / 2.0).tolist(), *(box[2:] - box[:2]).tolist()))

    def annotations(self) -> Annotations | None:
        """Return all of it in the picture's pixels; None if there is nothing."""
        if not (self._styles or self._pixel_lines or self._images):
            return None
        segments, seen = self._projected(np.concatenate(self._lines))
        segments += np.concatenate(self._offsets).reshape(-1, 4)
        counts = [count for count, _, _ in self._styles]
        widths = np.repeat(np.array([width for _, width, _ in self._styles], dtype=np.float32), counts)
        colors = np.array([color for *_, color in self._styles], dtype=np.float32).reshape(-1, 3)
        colors = np.repeat(colors, counts, axis=0)
        texts, middles, wanted, leaders = [], [], [], []
        for text, along, described in reversed(self._labels):  # the newest one first finds room
            parts, ends = (
                segments[each][seen[each]] for each in (slice(each.start, each.stop) for each in (along, described))
            )
            extent = np.ptp(ends.reshape(-1, 2), axis=0).max() if len(parts) else 0.0
            if extent >= _LEAST_EXTENT * self.font_size_px:
                height, width = label_image(text, self.font_size_px).shape[:2]
                middle = parts[len(parts) // 2].reshape(2, 2).mean(axis=0)
                above = max(ends[:, 1::2].min() - height / 2.0, height / 2.0)
                texts.append(text)
                middles.append(middle)
                wanted.append(middle if extent >= width else (middle[0], above))
                leaders.append(colors[along.start])
        places = self._kept_apart(texts, np.array(wanted).reshape(-1, 2))
        labels = []
        for text, middle, place, color in zip(texts, middles, places, leaders, strict=True):
            if np.isfinite(place).all():
                labels.append((text, tuple(place.tolist())))
                if (middle != place).any():
                    self.add_pixel_lines([(*middle, *place)], self.line_width, tuple(color.tolist()))
        drawn = [(segments[seen], widths[seen], colors[seen])]
        for lines, width, color in self._pixel_lines:
            drawn.append((lines, np.full(len(lines), width), np.tile(color, (len(lines), 1))))
        all_segments, all_widths, all_colors = (np.concatenate(column) for column in zip(*drawn, strict=True))
        return Annotations(
            all_segments.astype(np.float32),
            all_widths.astype(np.float32),
            all_colors.astype(np.float32),
            labels,
            self.font_size_px,
            self._images,
        )

    def _kept_apart(self, texts: list[str], middles: np.ndarray) -> np.ndarray:
        """Return (n, 2) middles of labels, each moved as little as it takes to lie over none before it.

        They go up or down, or else aside, and lie over nothing that `keep_free` was told, either. What would be moved
        too far is NaN.
        """
        boxes = np.array(self._boxes).reshape(-1, 4)
        places = np.concatenate([boxes[:, :2], middles])
        sizes = [label_image(text, self.font_size_px).shape[1::-1] for text in texts]
        sizes = np.concatenate([boxes[:, 2:], np.array(sizes).reshape(-1, 2)])
        for k in range(max(1, len(boxes)), len(boxes) + min(len(texts), _MOST_APART)):
            reach = (sizes[:k] + sizes[k]) / 2.0
            for axis in (1, 0):
                near = np.abs(places[:k, 1 - axis] - places[k, 1 - axis]) < reach[:, 1 - axis]
                others, room = places[:k][near, axis], reach[near, axis]
                at, half = places[k, axis], sizes[k, axis] / 2.0
                ways = np.concatenate([[at], others - room, others + room])
                is_free = (np.abs(ways[:, None] - others) >= room - 1e-9).all(axis=1)
                is_seen = (ways >= half) & (ways <= self.size[axis] - half)
                place = ways[np.argmin(np.abs(ways - at) + 1e9 * ~is_free + 1e6 * ~is_seen)]
                if abs(place - at) <= _MOST_MOVED * sizes[k, 1]:
                    places[k, axis] = place
                    break
            else:
                places[k] = np.nan
        return places[len(boxes) :]

    def _projected(self, lines: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Clip lines at the sides and the near end of the view, and project them.

        Args:
            lines: (n, 2, 3) world ends.

        Returns:
            (n, 4) pixels x, y of both ends, and (n,) bool: whether any of a line is seen.

        Source: Liang and Barsky's clipping ("A new concept and method for line clipping", 1984), homogeneous.
        """
        clip_from_relative = self._camera.clip_from_relative(self.size[0] / self.size[1])
        with np.errstate(over="ignore"):
            relative = np.clip(lines - self._camera.position, -_FARTHEST, _FARTHEST)
        clip = np.concatenate([relative, np.ones((*lines.shape[:2], 1))], axis=2) @ clip_from_relative.T
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
        to_pixels = pixels_from_clip(Rectangle(0.0, 0.0, *self.size))
        pixels = np.zeros((len(lines), 2, 2))
        for which, share in enumerate((enters, leaves)):
            ends = (clip[seen, 0] + share[seen, None] * (clip[seen, 1] - clip[seen, 0])) @ to_pixels.T
            pixels[seen, which] = ends[:, :2] / np.maximum(ends[:, 3:], _LEAST_DEPTH)
        return pixels.reshape(-1, 4), seen
