"""Labels in pictures: a box with the text, and a line that leads to its point."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from octoscope.scene.annotations.labels import Label
from octoscope.scene.measuring.measurements import shown_labels, world_places
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.features.annotations.label_picture import LabelPicture, label_picture
from octoscope.viewer.frame.annotations import AnnotationBuilder
from octoscope.viewer.frame.decoration import Decoration
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.redraw import Damage, RedrawProperty
from octoscope.viewer.frame.view import DecorationPart, View
from octoscope.viewer.frame.viewports import Viewport

LABEL_COLOR = (0.92, 0.92, 0.92)
_FAINT_COLOR = (0.5, 0.5, 0.5)
_FAINT = 0.55  # opacity of a box whose point is hidden behind objects
_MOST = 60  # boxes in a picture, those of the nearest points; others have a dot
_SAME_DEPTH = 1e-4  # relative: a surface that lies so little before a point is the one that the point lies on
_SIDES = ((1, -1), (-1, -1), (1, 1), (-1, 1))  # of the point where a box may stand, the best first
_GAP = (1.4, 1.8)  # between point and box, font sizes


class PlacedLabel(NamedTuple):
    """A label in a picture."""

    label: Label
    point: np.ndarray  # (3,) world
    pixel: np.ndarray  # (2,) of the point
    picture: LabelPicture | None  # None where there is no room: a dot alone
    corner: np.ndarray  # (2,) upper left pixel of the box
    is_hidden: bool  # whether objects are before the point


class Labels(Decoration):
    """The labels in the pictures of a view."""

    name = "labels"
    is_shown = RedrawProperty[bool](Damage.OVERLAY)

    def __init__(self, view: View) -> None:
        super().__init__(view.redraw)
        self.view = view
        self._columns: tuple[object, np.ndarray, np.ndarray] = (None, np.empty(0), np.empty(0))

    def annotate(self, annotations: AnnotationBuilder, viewport: Viewport) -> None:
        """Add lines, dots and boxes."""
        width = annotations.line_width
        for each in self.placed(viewport, annotations.size, annotations.font_size_px):
            color = _FAINT_COLOR if each.is_hidden else LABEL_COLOR
            ends = np.tile(each.point, (1, 2, 1))
            annotations.add_lines(ends, 3.0 * width, color)
            if each.picture is None:
                continue
            image = each.picture.image
            size = np.array(image.shape[1::-1])
            offsets = np.stack([np.zeros(2), np.clip(each.pixel, each.corner, each.corner + size) - each.pixel])
            annotations.add_lines(ends, width, color, offsets[None])
            if each.is_hidden:
                image = (image * np.array((1.0, 1.0, 1.0, _FAINT))).astype(np.uint8)
            x, y = (each.corner + size / 2.0).tolist()
            annotations.add_image(image, (x, y))
            annotations.keep_free(np.append(each.corner, each.corner + size))

    def placed(self, viewport: Viewport, size: tuple[int, int], font_size_px: int) -> list[PlacedLabel]:
        """Place the labels in a viewport of a size in pixels, the nearest first; boxes keep off each other."""
        labels, view, camera = self.view.scene.labels, self.view, viewport.snapshot.camera
        if not labels or not self.is_shown:
            return []
        if self._columns[0] is not labels:
            nodes = np.array([label.anchor.node if label.is_shown else -2 for label in labels])
            self._columns = labels, nodes, np.array([label.anchor.point for label in labels], dtype=np.float64)
        _, nodes, local_points = self._columns
        chosen = np.flatnonzero(nodes > -2)
        chosen = chosen[shown_labels(view.scene, nodes[chosen], view.visibility.isolated)]
        points = world_places(view.scene, nodes[chosen], local_points[chosen])
        projection = ViewProjection.of_size(camera, (float(size[0]), float(size[1])))
        pixels = projection.pixels(points)
        seen = ((pixels >= 0.0) & (pixels < size)).all(axis=1) & view.settings.section.keeps(points)
        chosen, points, pixels = chosen[seen], points[seen], pixels[seen]
        nearest = np.argsort((points - camera.position) @ -camera.axes[2], kind="stable")[:_MOST]
        chosen, points, pixels = chosen[nearest], points[nearest], pixels[nearest]
        hidden = self._hidden(camera, size[0] / size[1], points, pixels / size)
        placed: list[PlacedLabel] = []
        boxes = view.covered_in(viewport)
        for index in np.argsort(hidden, kind="stable").tolist():  # what is seen has its room first
            place, point, pixel, is_hidden = int(chosen[index]), points[index], pixels[index], bool(hidden[index])
            picture = label_picture(labels[place].text, font_size_px)
            corner = _free_corner(pixel, picture.image.shape[1::-1], boxes, size, font_size_px)
            if corner is None:
                placed.append(PlacedLabel(labels[place], point, pixel, None, pixel, is_hidden))
                continue
            boxes = np.vstack([boxes, (*corner, *(corner + picture.image.shape[1::-1]))])
            placed.append(PlacedLabel(labels[place], point, pixel, picture, corner, is_hidden))
        return placed

    def _hidden(self, camera: Camera, aspect: float, points: np.ndarray, places: np.ndarray) -> np.ndarray:
        """Return (n,) bool: whether a triangle lies before a point, (n, 3), at (n, 2) normalized places."""
        if not len(points):
            return np.zeros(0, dtype=np.bool_)
        rays = [camera.ray_through((x, y), aspect) for x, y in places.tolist()]
        origins, directions = (np.array(each) for each in zip(*rays, strict=True))
        depths = ((points - origins) * directions).sum(axis=1)
        view = self.view
        hits = view.scene.raycast_many(origins, directions, among=view.visibility.isolated)
        return (hits.nodes >= 0) & (hits.t < depths * (1.0 - _SAME_DEPTH))


PART = DecorationPart(Labels)


def _free_corner(
    pixel: np.ndarray, box: tuple[int, int], boxes: np.ndarray, size: tuple[int, int], font_size_px: int
) -> np.ndarray | None:
    """Return the upper left pixel of a box that lies in the picture and over no other, (n, 4), beside a point."""
    for side in np.array(_SIDES):
        middle = pixel + side * (np.array(_GAP) * font_size_px + np.array(box) / 2.0)
        corner = np.round(middle - np.array(box) / 2.0)
        end = corner + box
        is_free = (boxes[:, :2] >= end).any(axis=1) | (boxes[:, 2:] <= corner).any(axis=1)
        if (corner >= 0.0).all() and (end <= size).all() and is_free.all():
            return corner
    return None
