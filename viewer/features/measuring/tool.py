"""MeasureTool: clicks on points become measurements; their figures go to the panel and the clipboard."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from octoscope.scene import Edit
from octoscope.scene.editing.edits import change_scene
from octoscope.scene.measurement import ANGLE, DISTANCE, IN_WORLD, POINTS_OF
from octoscope.scene.measuring import Anchor, Lengths, Measurement, Measurer, Snap, size_rows, snap
from octoscope.scene.measuring.measurements import bare_figure_text, figure_rows, world_points
from octoscope.scene.measuring.snapping import FACE
from octoscope.viewer.editing.memo import Memo, state_of
from octoscope.viewer.features.measuring.decoration import MeasurementPreview, Measurements
from octoscope.viewer.frame.picking import PickSnapshot
from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.intents import Click, DoubleClick, Hover, Intent, KeyPress, RightClick
from octoscope.viewer.tools.tool import Hand
from octoscope.viewer.ui.overlays.hud import CornerBox, Rows
from octoscope.viewer.window.keys import Chord

_TOLERANCE_PX = 10.0  # logical
_SAME_DEPTH = 1e-5  # relative: a surface that lies so little before a point is the one that the point lies on
_BESIDE = [(np.cos(a), np.sin(a)) for a in np.arange(8) * np.pi / 4.0]  # directions to look for objects in


class MeasureTool:
    """Measures distances and angles in a view.

    Args:
        nodes_stay: returns whether nodes go on showing the same objects, so that points can move with them.
    """

    def __init__(
        self,
        view: View,
        do: Callable[[Edit], object],
        copy: Callable[[str], object],
        hand: Hand,
        nodes_stay: Callable[[], bool] = lambda: True,
    ) -> None:
        self.view = view
        self.measurements = view.decoration(Measurements)
        self._kind = DISTANCE
        self._do = do
        self._copy = copy
        self._hand = hand
        self._nodes_stay = nodes_stay
        self._anchors: tuple[Anchor, ...] = ()
        self._snap: Snap | None = None
        self._is_refused = False  # whether the last click added no point, until the mouse is where one adds some
        self._measurer = Measurer(view.scene)
        self._size_rows: Memo[Rows] = Memo()
        self._copied = ""

    def follow(self, intent: Intent) -> bool:
        """Handle an intent if the tool is on and it is meant for it; return whether it was."""
        if self.kind is None:
            return False
        match intent:
            case Hover(location):
                self.hover(location)
            case Click(location) | DoubleClick(location):
                self.add_point(location)
            case RightClick():
                self.cancel()
            case KeyPress(chord):
                return self.press(chord)
            case _:
                return False
        return True

    @property
    def kind(self) -> str | None:
        """DISTANCE or ANGLE, or None while the tool is off."""
        return self._kind if self._hand.tool is self else None

    def toggle(self, kind: str) -> None:
        """Switch measuring distances or angles on, or off where that kind is on already."""
        if self.kind == kind:
            self._hand.take(None)
            return
        snapped = self._snap
        self.put_down()
        self._kind, self._snap = kind, snapped
        self._hand.take(self)
        self._show()

    def put_down(self) -> None:
        """Drop the points of an unfinished measurement, as the tool is switched off."""
        self._anchors = ()
        self._is_refused = False
        self._snap = None
        self._copied = ""
        self.measurements.preview = None

    def hover(self, location: PointerLocation | None) -> None:
        """Snap to what is under the mouse; None: it is not over the picture."""
        self._snap = None if location is None else _snap_at(location.viewport.snapshot, location.pixel)
        self._is_refused &= bool(self._refusal)
        self._show()

    def add_point(self, location: PointerLocation) -> None:
        """Add the point that a click snaps to; with the last one that is needed the measurement is made."""
        self._snap = _snap_at(location.viewport.snapshot, location.pixel)
        self._is_refused = bool(self._refusal)
        if self._snap is not None and not self._is_refused and self.kind is not None:
            self._anchors += (self._anchor(self._snap),)
            if len(self._anchors) == POINTS_OF[self.kind]:
                made = Measurement(self.kind, self._anchors)
                scene = self.view.scene
                self._do(
                    change_scene(scene, measurements=[*scene.measurements, made], label=f"Measure {_a(self.kind)}")
                )
                self._anchors = ()
                self._copied = ""
        self._show()

    def cancel(self) -> None:
        """Drop the points of an unfinished measurement; without any, switch the tool off."""
        if self._anchors:
            self._anchors = ()
            self._show()
        elif self.kind is not None:
            self._hand.take(None)

    def remove_last(self) -> None:
        """Remove the last point of an unfinished measurement; without any, remove the last measurement."""
        scene = self.view.scene
        if self._anchors:
            self._anchors = self._anchors[:-1]
        elif (last := self.last()) is not None:
            others = [measurement for measurement in scene.measurements if measurement is not last]
            self._do(change_scene(scene, measurements=others, label=f"Remove {_a(last.kind)}"))
        self._copied = ""
        self._show()

    def copy(self) -> None:
        """Copy the last figure as a bare number; without any, the sizes of the selection."""
        scene = self.view.scene
        last = self.last()
        if last is not None:
            text = bare_figure_text(last.kind, world_points(scene, last.anchors))
        else:
            text = "\n".join(f"{label}\t{value}" for label, value in self.selection_rows())
        if text:
            self._copy(text)
            self._copied = text.split("\n")[0].replace("\t", " ")

    def press(self, chord: Chord) -> bool:
        """Handle a key if the tool is on and the key is its own; return whether it is."""
        actions = {
            Chord("ESCAPE"): self.cancel,
            Chord("DELETE"): self.remove_last,
            Chord("BACKSPACE"): self.remove_last,
            Chord("C", ctrl=True): self.copy,
        }
        action = actions.get(chord)
        if self.kind is None or action is None:
            return False
        action()
        return True

    @property
    def text(self) -> str:
        """A line for users about what to click while the tool is on, else ""."""
        return f"measure {_a(self.kind)}: {self._request}" if self.kind else ""

    @property
    def _request(self) -> str:
        """What to click next, after the reason why the last click added nothing."""
        refusal = f"{self._refusal}; " if self._is_refused and self._refusal else ""
        return f"{refusal}click point {len(self._anchors) + 1} of {POINTS_OF[self.kind]}" if self.kind else ""

    @property
    def _refusal(self) -> str:
        """The reason why a click would add no point where the mouse is, or ""."""
        if self._snap is None:
            return "nothing was hit"
        return "that point was clicked already" if self._is_on_last else ""

    @property
    def _is_on_last(self) -> bool:
        """True while the mouse is on the point that was added last."""
        return self._snap is not None and self._anchors[-1:] == (self._anchor(self._snap),)

    def rows(self) -> Rows:
        """Return (label, text) rows: what to do, the snapped point, the last figure, the selection's sizes."""
        if self.kind is None:
            return []
        needed, lengths = POINTS_OF[self.kind], Lengths.of(self.view.scene)
        rows = [(f"measure {_a(self.kind)}", self._request)]
        if self._snap is not None:
            name = self.view.scene.names[self._snap.node_id]
            rows.append((self._snap.kind, f"{lengths.point(self._snap.point)}  {name}"))
        points = self._points()
        if len(points) == needed:
            rows += figure_rows(self.kind, points, lengths)
        elif (last := self.last()) is not None:
            rows += figure_rows(last.kind, world_points(self.view.scene, last.anchors), lengths)
        if self._copied:
            rows.append(("copied", self._copied))
        return rows + self.selection_rows()

    def corner_box(self) -> CornerBox | None:
        """Return the rows, which leave free the points that they are about in each viewport; None while it is off."""
        if self.kind is None:
            return None
        points, last = self._points(), self.last()
        size = np.divide(self.view.last_size, self.view.pixel_ratio)
        if last is not None:
            points = np.vstack([points, world_points(self.view.scene, last.anchors)])
        places: list[tuple[float, float]] = []
        for viewport in self.view.viewports:
            projection = viewport.snapshot.projection
            pixels = projection.pixels(points)
            within = (pixels - projection.area.corner) / projection.area.size
            seen = ((within >= 0.0) & (within <= 1.0)).all(axis=1)
            places += [(x, y) for x, y in (pixels[seen] / size).tolist()]
        return CornerBox(self.rows(), places)

    def selection_rows(self) -> Rows:
        """Return (label, text) rows: size, area and volume of the selection; kept until the scene changes."""
        scene, ids = self.view.scene, self.view.selected_ids
        if len(ids) == 0:
            return []
        return self._size_rows.get(
            ids, state_of(scene), lambda: size_rows(self._measurer.measure(ids), Lengths.of(scene))
        )

    def last(self) -> Measurement | None:
        """Return the last of the shown measurements, or None."""
        shown = self.measurements.shown()
        return shown[-1] if shown else None

    def _points(self) -> np.ndarray:
        """Return (n, 3) world points of the unfinished measurement, with the one under the mouse."""
        points = world_points(self.view.scene, self._anchors)
        # While the mouse is still on the point that it has just added, there is no figure yet.
        if self._snap is None or self._is_on_last:
            return points
        return np.vstack([points, self._snap.point])

    def _anchor(self, place: Snap) -> Anchor:
        if not self._nodes_stay():
            return Anchor(IN_WORLD, tuple(place.point.tolist()))
        return Anchor(place.node_id, tuple(place.local_point.tolist()))

    def _show(self) -> None:
        points = self._points()
        if self.kind is None or not len(points):
            self.measurements.preview = None
        else:
            snapped_to = "" if self._snap is None else self._snap.kind
            self.measurements.preview = MeasurementPreview(self.kind, points, snapped_to)


def _snap_at(snapshot: PickSnapshot, cursor: PixelPoint) -> Snap | None:
    """Return what a pixel of a picture snaps to, also from just beside an object's outline."""
    found = _snap_through(snapshot, cursor, cursor)
    if found is not None:
        return found
    for offset in _BESIDE:
        beside = tuple((cursor + 0.7 * _TOLERANCE_PX * np.array(offset)).tolist())
        found = _snap_through(snapshot, beside, cursor)
        if found is not None and found.kind != FACE:
            return found
    return None


def _snap_through(snapshot: PickSnapshot, through: PixelPoint, cursor: PixelPoint) -> Snap | None:
    """Return what is near the cursor of the triangle, line or point under another pixel, and can be seen there."""
    projection = snapshot.projection
    hit = snapshot.hit_under(projection.area.point(through))
    if hit is None:
        return None
    matrix, position = projection.pixels_from_relative, projection.camera.position
    found = snap(hit, cursor, matrix, position, _TOLERANCE_PX)
    if found.kind != FACE and _is_hidden(snapshot, found.point):
        return snap(hit, cursor, matrix, position, -1.0)  # nothing is that near: the hit itself
    return found


def _is_hidden(snapshot: PickSnapshot, point: np.ndarray) -> bool:
    """Return whether a triangle of a picture lies before a world point."""
    projection = snapshot.projection
    (pixel,) = projection.pixels(point[None])
    hit = snapshot.nearest_triangle(projection.area.point(pixel), snapshot.drawn)
    if hit is None:
        return False
    origin, direction = projection.ray(pixel)
    return hit.t < (point - origin) @ direction * (1.0 - _SAME_DEPTH)


def _a(kind: str) -> str:
    return {DISTANCE: "a distance", ANGLE: "an angle"}[kind]
