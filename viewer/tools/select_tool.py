"""SelectTool: selection by clicks and boxes.

A click selects the object that it hits, or all of its file where clicks take files; Shift adds, Ctrl toggles; a click
on nothing clears. Alt+click goes on to the object behind, and lists all of them. A double click selects and frames the
object itself. In box mode a drag to the right selects what lies wholly in the box, a drag to the left all that touches
it, or the other way round; Shift adds, Ctrl removes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from octoscope.scene.one_object_files import file_of
from octoscope.viewer.camera import controls
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.selection import active_of, added, removed, toggled
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.intents import Click, DoubleClick, Drag
from octoscope.viewer.window.drags import BOX

_SAME_PLACE_PX = 4.0  # logical, between two clicks that go through the same list
_BUDGET_SECONDS = 1.0 / 60.0
_REST = 20.0  # a pick over the budget is followed by a rest of 20 times its time, so that picks take a twentieth of all
_LONGEST_REST_SECONDS = 2.0  # the very first pick takes long because it is compiled


@dataclass(frozen=True)
class StackedHits:
    """The nodes under a point, one behind the other, nearest first."""

    location: PointerLocation
    node_ids: tuple[int, ...]
    chosen: int  # index into `node_ids` of the selected one


@dataclass(frozen=True)
class SelectionBox:
    """A box that is being drawn."""

    begin: PointerLocation
    end: PointerLocation
    wholly: bool  # True selects only what lies wholly in it, False all that touches it


class SelectTool:
    """Turns clicks and drags over the picture into the selection."""

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._view = editor.view
        self.hover = HoverPicker(editor.view, self._clicked)
        self.draws_boxes = False
        self.takes_files = False
        self.right_touches = False
        self.box: SelectionBox | None = None
        self.stack: StackedHits | None = None
        self._has_drag = False

    @property
    def text(self) -> str:
        """A line for users about boxes while they are drawn, else ""."""
        if not self.draws_boxes:
            return ""
        right, left = ("touches it", "lies in it")[:: 1 if self.right_touches else -1]
        return f"drag a box: to the right what {right}, to the left what {left}; Shift adds, Ctrl removes"

    def click(self, click: Click) -> bool:
        """Select by a click; return whether the list under the cursor was or is shown."""
        before = self.stack
        self._click(click)
        return before is not None or self.stack is not None

    def _click(self, click: Click) -> None:
        if click.alt:
            self._select_next_stacked(click.location)
            return
        self.stack = None
        self._editor.clicked_hit = hit = click.location.pick()
        if hit is None:
            if not (click.shift or click.ctrl):
                self._editor.select([])
            return
        ids, clicked = self._editor.selected_ids, [self._clicked(hit.node.id)]
        self._editor.select(added(ids, clicked) if click.shift else toggled(ids, clicked) if click.ctrl else clicked)

    def _clicked(self, node_id: int) -> int:
        """Return the node that a click on an object selects."""
        return file_of(self._view.scene, node_id) if self.takes_files else node_id

    def take_under(self, location: PointerLocation) -> None:
        """Select the node at a location unless it is selected already; nothing there changes nothing."""
        self.stack = None
        hit = location.pick()
        if hit is not None and hit.node.id not in self._editor.selected_ids:
            clicked = self._clicked(hit.node.id)
            if clicked not in self._editor.selected_ids:
                self._editor.select([clicked])

    def double_click(self, click: DoubleClick) -> None:
        """Frame the object that was hit, with the point as the new pivot."""
        self.stack = None
        hit = click.location.pick()
        if hit is None:  # then it acts as a click
            self._editor.select([])
            return
        self._editor.select([hit.node.id])
        bounds = self._view.scene.own_bounds(hit.node)
        if bounds is not None:
            aspect = self._view.framing.aspect(self._view.active)
            self._view.camera = controls.frame_box(self._view.camera, *bounds, aspect, pivot=hit.point)
            self._view.layout.ease_cameras()

    def drag(self, drag: Drag) -> bool:
        """Draw a box, if drags do so now; return whether they do."""
        self.stack = None
        if drag.is_first:
            self._has_drag = self.draws_boxes = self.draws_boxes or drag.action == BOX
        if not self._has_drag:
            return False
        if self.draws_boxes:  # else it was cancelled on the way
            is_to_the_right = drag.end.pixel[0] >= drag.begin.pixel[0]
            self.box = SelectionBox(drag.begin, drag.end, wholly=is_to_the_right != self.right_touches)
            if drag.is_last:
                self._select_box(self.box, shift=drag.shift, ctrl=drag.ctrl)
                self.cancel()
        return True

    def choose_stacked(self, index: int) -> None:
        """Select an entry of the list under the cursor, and close the list."""
        if self.stack is not None:
            self._editor.select([self.stack.node_ids[index]])
            self.stack = None

    def toggle_boxes(self) -> None:
        """Switch on or off that the next drag draws a box."""
        if self.draws_boxes:
            self.cancel()
        else:
            self.draws_boxes = True
            self.stack = None

    def cancel(self) -> bool:
        """Close the list and end drawing a box; return whether there was either."""
        was_busy = self.draws_boxes or self.stack is not None
        self.draws_boxes = False
        self.box = self.stack = None
        return was_busy

    def _select_next_stacked(self, location: PointerLocation) -> None:
        node_ids = tuple(hit.node.id for hit in location.viewport.snapshot.pick_through(location.point))
        if not node_ids:
            self.stack = None
            return
        before = self.stack
        if before is not None and before.node_ids == node_ids and _is_same(before.location, location):
            stack = StackedHits(before.location, node_ids, (before.chosen + 1) % len(node_ids))
        else:
            active = active_of(self._editor.selected_ids)
            # The active node is selected already, so the user looks for the one behind it.
            chosen = (node_ids.index(active) + 1) % len(node_ids) if active in node_ids else 0
            stack = StackedHits(location, node_ids, chosen)
        self._editor.select([stack.node_ids[stack.chosen]])
        self.stack = stack

    def _select_box(self, box: SelectionBox, *, shift: bool, ctrl: bool) -> None:
        ids = self._editor.selected_ids
        viewport = box.begin.viewport  # the part of the box in other viewports is cut off
        end = tuple(np.clip(self._view.layout.area(viewport).point(box.end.pixel), 0.0, 1.0).tolist())
        found = viewport.snapshot.pick_box(box.begin.point, end, wholly=box.wholly)
        self._editor.select(added(ids, found) if shift else removed(ids, found) if ctrl else found)


def _is_same(first: PointerLocation, second: PointerLocation) -> bool:
    return math.dist(first.pixel, second.pixel) <= _SAME_PLACE_PX


class HoverPicker:
    """Keeps View.hovered up to date."""

    def __init__(self, view: View, clicked: Callable[[int], int] = int) -> None:
        self._view = view
        self._clicked = clicked  # returns the node that a click on an object would select
        self.enabled = True  # False leaves nothing hovered
        self.is_due = False  # True while `update` has yet to pick
        self.location: PointerLocation | None = None  # of the mouse; None: it is not over the scene, or used otherwise
        self._next_pick = 0.0

    def move(self, location: PointerLocation | None) -> None:
        """Take note of the mouse's location; None: it is not over the scene, or used for something else."""
        self.location = location
        self.is_due = True

    def refresh(self) -> None:
        """Take note that another picture is under the mouse, or that the hover picker was switched."""
        self.is_due = True

    def update(self) -> None:
        """Pick once, if that is due and the rest after a slow pick is over."""
        wanted = self.location if self.enabled else None
        if not self.is_due or (wanted is not None and time.perf_counter() < self._next_pick):
            return
        self.is_due = False
        hovered = None
        if wanted is not None:
            begin = time.perf_counter()
            hit = self._view.locate(wanted.pixel).pick()  # there may be another viewport by now
            end = time.perf_counter()
            if end - begin > _BUDGET_SECONDS:
                self._next_pick = end + min(_REST * (end - begin), _LONGEST_REST_SECONDS)
            hovered = None if hit is None else self._clicked(hit.node.id)
        self._view.hovered = hovered
