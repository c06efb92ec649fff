"""MeasureTool: clicks on points and faces become measurements; their figures go to the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from octoscope.scene import Edit
from octoscope.scene.annotations.measurement import (
    ANGLE,
    AREA,
    CIRCLE,
    DISTANCE,
    FACES,
    IN_WORLD,
    PATH,
    has_points,
    numbered_name,
)
from octoscope.scene.editing.edits import change_scene
from octoscope.scene.measuring import Anchor, Lengths, Measurement, Measurer, Snap, size_rows
from octoscope.scene.measuring.measurements import (
    bare_figure_text,
    figure_rows,
    is_same,
    world_places,
    world_points,
)
from octoscope.scene.measuring.snapping import CIRCULAR_EDGE, FACE
from octoscope.viewer.editing.memo import Memo, state_of
from octoscope.viewer.features.measuring.decoration import MeasurementPreview, Measurements
from octoscope.viewer.features.measuring.picked import Picked, picked_at
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.intents import Click, DoubleClick, Hover, Intent, KeyPress, RightClick
from octoscope.viewer.tools.tool import Hand
from octoscope.viewer.ui.overlays.hud import CornerBox, Rows
from octoscope.viewer.window.keys import Chord


class _Way(NamedTuple):
    words: str  # what is measured
    clicks: int  # 0: any number, until Enter, or another click on the last point
    points: int  # that each click adds; 0: as many as the outline of the face has
    clicked: str  # what a click is on


WAYS = {
    DISTANCE: _Way("a distance", 2, 1, "point"),
    PATH: _Way("a path", 0, 1, "point"),
    ANGLE: _Way("an angle", 3, 1, "point"),
    CIRCLE: _Way("a circle", 3, 1, "point"),
    FACES: _Way("face to face", 2, 3, "face"),
    AREA: _Way("an area", 1, 0, "face"),
}


class MeasureTool:
    """Measures what WAYS lists in a view.

    Args:
        nodes_stay: returns whether nodes go on showing the same objects, so that points can move with them.
        expect_field: called before the field for a name appears.

    Attributes:
        naming: the measurement whose name is being typed, or None.
    """

    def __init__(
        self,
        view: View,
        do: Callable[[Edit], object],
        copy: Callable[[str], object],
        hand: Hand,
        nodes_stay: Callable[[], bool] = lambda: True,
        expect_field: Callable[[], object] = lambda: None,
    ) -> None:
        self.view = view
        self.measurements = view.decoration(Measurements)
        self._kind = DISTANCE
        self._do = do
        self._copy = copy
        self._hand = hand
        self._nodes_stay = nodes_stay
        self._expect_field = expect_field
        self.naming: Measurement | None = None
        self._anchors: tuple[Anchor, ...] = ()
        self._picked: Picked | None = None  # what is under the mouse
        self._is_refused = False  # whether the last click added no point, until the mouse is where one adds some
        self._measurer = Measurer(view.scene)
        self._size_rows: Memo[Rows] = Memo()
        self._said: Rows = []  # what the last command has done

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
        """One of WAYS, or None while the tool is off."""
        return self._kind if self._hand.tool is self else None

    def toggle(self, kind: str) -> None:
        """Switch measuring one kind on, or off where that is on already."""
        if self.kind == kind:
            self._hand.take(None)
            return
        picked = self._picked if WAYS[kind].points == WAYS[self._kind].points and not self._is_whole else None
        self.put_down()
        self._kind, self._picked = kind, picked
        self._hand.take(self)
        self._show()

    def put_down(self) -> None:
        """Drop the points of an unfinished measurement, as the tool is switched off."""
        self._anchors = ()
        self._is_refused = False
        self._picked = None
        self._said = []
        self.measurements.preview = None

    def hover(self, location: PointerLocation | None) -> None:
        """Snap to what is under the mouse; None: it is not over the picture."""
        self._picked = None if location is None else self._picked_at(location)
        self._is_refused &= bool(self._refusal)
        self._show()

    def _picked_at(self, location: PointerLocation) -> Picked | None:
        picked = picked_at(location.viewport.snapshot, location.pixel, self._kind, is_first=not self._anchors)
        if picked is not None or WAYS[self._kind].points != 1 or not self.view.settings.show_grid:
            return picked
        ground = location.ground_point()
        return None if ground is None else Picked(Snap(FACE, IN_WORLD, ground, ground), ground[None])

    def add_point(self, location: PointerLocation) -> None:
        """Add the point that a click snaps to; with the last one that is needed the measurement is made."""
        self._picked, self._said = self._picked_at(location), []
        ends_path = self.kind == PATH and self._is_on_last and has_points(PATH, len(self._anchors))
        self._is_refused = bool(self._refusal) and not ends_path
        if self._picked is not None and not self._refusal:
            self._anchors += self._anchors_of(self._picked)
        if self.kind != PATH or ends_path:
            self.finish()
        self._show()

    def finish(self) -> None:
        """Make the measurement, if it has all points that it needs."""
        if self.kind is None or not has_points(self.kind, len(self._anchors)):
            return
        scene = self.view.scene
        name = numbered_name(self.kind, {each.name for each in scene.measurements})
        made = Measurement(self.kind, self._anchors, name)
        same = next((each for each in self.measurements.shown() if is_same(scene, made, each)), None)
        if same is not None:
            self._said = [("measured already", same.name or same.kind)]
        else:
            label = f"Measure {WAYS[self.kind].words}"
            self._do(change_scene(scene, measurements=[*scene.measurements, made], label=label))
        self._anchors = ()
        self._show()

    def cancel(self) -> None:
        """Drop the points of an unfinished measurement; without any, switch the tool off."""
        if self._anchors:
            self._anchors = ()
            self._show()
        elif self.kind is not None:
            self._hand.take(None)

    def remove_last(self) -> None:
        """Remove the last click of an unfinished measurement; without any, remove the last measurement."""
        scene = self.view.scene
        if self._anchors:
            self._anchors = self._anchors[: -WAYS[self._kind].points]
        elif (last := self.last()) is not None:
            others = [measurement for measurement in scene.measurements if measurement is not last]
            self._do(change_scene(scene, measurements=others, label=f"Remove {WAYS[last.kind].words}"))
        self._said = []
        self._show()

    def begin_name(self) -> None:
        """Have the name of the last measurement typed."""
        self.naming = self.last()
        if self.naming is not None:
            self._expect_field()

    def end_name(self, name: str | None) -> None:
        """Give the measurement that is being named a name; None: it keeps its own."""
        named, self.naming, scene = self.naming, None, self.view.scene
        if named is None or name in (None, named.name):
            return
        if any(each is named for each in scene.measurements):  # an undo may have taken it away
            made = [replace(each, name=name.strip()) if each is named else each for each in scene.measurements]
            self._do(change_scene(scene, measurements=made, label="Rename measurement"))

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
            self._said = [("copied", text.split("\n")[0].replace("\t", " "))]

    def press(self, chord: Chord) -> bool:
        """Handle a key if the tool is on and the key is its own; return whether it is."""
        actions = {
            Chord("ENTER"): self.finish,
            Chord("ESCAPE"): self.cancel,
            Chord("DELETE"): self.remove_last,
            Chord("BACKSPACE"): self.remove_last,
            Chord("C", ctrl=True): self.copy,
            Chord("F2"): self.begin_name,
        }
        action = actions.get(chord)
        if self.kind is None or action is None:
            return False
        action()
        return True

    @property
    def text(self) -> str:
        """A line for users about what to click, and which keys to press, while the tool is on, else ""."""
        if not self.kind:
            return ""
        of_last = "F2 names the last one, Ctrl+C copies it, Del removes it, Esc ends" if self.last() else "Esc ends"
        keys = "Backspace takes the last click back, Esc all" if self._anchors else of_last
        return f"measure {WAYS[self.kind].words}: {self._request}    {keys}"

    @property
    def _request(self) -> str:
        """What to click next, after the reason why the last click added nothing."""
        refusal = f"{self._refusal}; " if self._is_refused and self._refusal else ""
        if not self.kind:
            return ""
        way = WAYS[self.kind]
        click = len(self._anchors) // max(way.points, 1) + 1
        if self.kind == CIRCLE and click == 1:
            return f"{refusal}click a circular edge, or point 1 of 3"
        if self.kind == PATH:
            return f"{refusal}click point {click}{', or the last one again to end' if click > 2 else ''}"
        return f"{refusal}click {way.clicked} {click} of {way.clicks}" if way.clicks > 1 else f"{refusal}click a face"

    @property
    def _refusal(self) -> str:
        """The reason why a click would add no point where the mouse is, or ""."""
        if self._picked is None:
            return "nothing was hit" if self._kind != AREA else "no flat face was hit"
        return "that point was clicked already" if self._is_on_last else ""

    @property
    def _is_whole(self) -> bool:
        """True while a click would take a circular edge, all points of a measurement at once."""
        return self._picked is not None and self._picked.snap.kind == CIRCULAR_EDGE

    @property
    def _is_point(self) -> bool:
        """True where a click adds a point, and not a face or a circle."""
        return WAYS[self._kind].points == 1 and not self._is_whole

    @property
    def _is_on_last(self) -> bool:
        """True while the mouse is on the point that was added last."""
        if self._picked is None:
            return False
        added = self._anchors_of(self._picked)
        return self._anchors[-len(added) :] == added

    def rows(self) -> Rows:
        """Return (label, text) rows: what to do, the snapped point, the figures of this measurement or the last one."""
        if self.kind is None:
            return []
        lengths = Lengths.of(self.view.scene)
        rows = [(f"measure {WAYS[self.kind].words}", self._request)]
        if self._picked is not None:
            snap = self._picked.snap
            name = "the ground" if snap.node_id == IN_WORLD else str(self.view.scene.names[snap.node_id])
            rows += (
                [(snap.kind, lengths.point(snap.point)), ("object", name)] if self._is_point else [(snap.kind, name)]
            )
        points = self._points()
        if has_points(self.kind, len(points)):
            rows += figure_rows(self.kind, points, lengths)
        elif not self._anchors and (last := self.last()) is not None and last.kind == self.kind:
            rows += figure_rows(last.kind, world_points(self.view.scene, last.anchors), lengths)
        return rows + self._said

    def corner_box(self) -> CornerBox | None:
        """Return the rows, which leave free the points that they are about in each viewport; None while it is off."""
        if self.kind is None:
            return None
        points, last = self._points(), self.last()
        size = self.view.layout.size
        if last is not None:
            points = np.vstack([points, world_points(self.view.scene, last.anchors)])
        places: list[tuple[float, float]] = []
        for viewport in self.view.viewports:
            projection = viewport.snapshot.projection
            pixels = projection.pixels(points)
            within = (pixels - projection.area.corner) / projection.area.size
            seen = ((within >= 0.0) & (within <= 1.0)).all(axis=1)
            places += [(x, y) for x, y in (pixels[seen] / size).tolist()]
        return CornerBox(self.rows()[1:], places)  # the status bar says what to do

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
        if self._picked is None or self._is_on_last:
            return points
        return np.vstack([points, self._world_points_of(self._picked)])

    def _anchors_of(self, picked: Picked) -> tuple[Anchor, ...]:
        """Return the anchors that a click adds."""
        if not self._nodes_stay():
            return tuple(Anchor(IN_WORLD, tuple(point)) for point in self._world_points_of(picked).tolist())
        return tuple(Anchor(picked.snap.node_id, tuple(point)) for point in picked.local_points.tolist())

    def _world_points_of(self, picked: Picked) -> np.ndarray:
        nodes = np.full(len(picked.local_points), picked.snap.node_id)
        return world_places(self.view.scene, nodes, picked.local_points)

    def _show(self) -> None:
        points = self._points()
        if self.kind is None or not len(points):
            self.measurements.preview = None
        else:
            snapped_to = self._picked.snap.kind if self._is_point and self._picked is not None else ""
            self.measurements.preview = MeasurementPreview(self.kind, points, snapped_to)
