"""SelectTool: what clicks and drawn boxes select.

A click selects what it hits, Shift adds, Ctrl toggles; on nothing it clears. Alt+click goes on to what lies behind, and
lists it. A double click frames what it hits. In box mode a drag to the right selects what touches the box, a drag to
the left only what lies wholly in it; Shift adds, Ctrl removes.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from viewer.camera import controls
from viewer.editing.editor import Editor
from viewer.editing.selection import active_of, added, removed, toggled
from viewer.frame.viewports import PointerLocation
from viewer.tools.hover import HoverPicker
from viewer.tools.intents import Click, DoubleClick, Drag

_SAME_PLACE = 4.0  # logical pixels between two clicks that go through the same list


@dataclass(frozen=True)
class StackedHits:
    """The list of what lies under a point, nearest first.

    Attributes:
        chosen: place in `node_ids` of what is selected.
    """

    location: PointerLocation
    node_ids: tuple[int, ...]
    chosen: int


@dataclass(frozen=True)
class SelectionBox:
    """A box being drawn. `wholly`: it selects only what lies wholly in it."""

    begin: PointerLocation
    end: PointerLocation

    @property
    def wholly(self) -> bool:
        return self.end.pixel[0] < self.begin.pixel[0]


class SelectTool:
    """Turns clicks and drags over a view's picture into its selection.

    Args:
        editor: selects.

    Attributes:
        draws_boxes: whether the next drag draws a box. box: the one being drawn, or None.
        behind: the list under the cursor, or None. hover: what a click would select.
    """

    def __init__(self, editor: Editor) -> None:
        self._editor = editor
        self._view = editor.view
        self.hover = HoverPicker(editor.view)
        self.draws_boxes = False
        self.box: SelectionBox | None = None
        self.stack: StackedHits | None = None
        self._has_drag = False

    def click(self, click: Click) -> bool:
        """Select by a click; whether a list comes with it, or goes."""
        before = self.stack
        self._click(click)
        return before is not None or self.stack is not None

    def _click(self, click: Click) -> None:
        if click.alt:
            self._select_next_stacked(click.location)
            return
        self.stack = None
        hit = click.location.pick()
        if hit is None:
            if not (click.shift or click.ctrl):
                self._editor.select([])
            return
        ids, clicked = self._editor.selected_ids, [hit.node.id]
        self._editor.select(added(ids, clicked) if click.shift else toggled(ids, clicked) if click.ctrl else clicked)

    def take_under(self, location: PointerLocation) -> None:
        """Select what lies there, if it is not selected; where nothing does, all stays as it is."""
        self.stack = None
        hit = location.pick()
        if hit is not None and hit.node.id not in self._editor.selected_ids:
            self._editor.select([hit.node.id])

    def double_click(self, click: DoubleClick) -> None:
        """Fit what was hit in the picture, and turn about the point from now on."""
        self.stack = None
        hit = click.location.pick()
        if hit is None:  # it is a click all the same
            self._editor.select([])
            return
        self._editor.select([hit.node.id])
        box = self._view.scene.bounds(np.array([hit.node.id]))
        self._view.camera = controls.frame_box(self._view.camera, *box, self._view.area().aspect, pivot=hit.point)

    def drag(self, drag: Drag) -> bool:
        """Draw a box, if that is what a drag does now; whether it is."""
        self.stack = None
        if drag.is_first:
            self._has_drag = self.draws_boxes
        if not self._has_drag:
            return False
        if self.draws_boxes:  # else it was cancelled on the way
            self.box = SelectionBox(drag.begin, drag.end)
            if drag.is_last:
                self._select_box(self.box, shift=drag.shift, ctrl=drag.ctrl)
                self.cancel()
        return True

    def choose_stacked(self, index: int) -> None:
        """Select an entry of the list, which has done its work then."""
        self._editor.select([self.stack.node_ids[index]])
        self.stack = None

    def toggle_boxes(self) -> None:
        """Begin to draw a box, or think better of it."""
        if self.draws_boxes:
            self.cancel()
        else:
            self.draws_boxes = True
            self.stack = None

    def cancel(self) -> bool:
        """Leave the list and the box; whether there was any to leave."""
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
            # What is selected already is not what is looked for.
            chosen = (node_ids.index(active) + 1) % len(node_ids) if active in node_ids else 0
            stack = StackedHits(location, node_ids, chosen)
        self._editor.select([stack.node_ids[stack.chosen]])
        self.stack = stack

    def _select_box(self, box: SelectionBox, *, shift: bool, ctrl: bool) -> None:
        ids = self._editor.selected_ids
        viewport = box.begin.viewport  # and what of the box lies in others is cut off
        end = tuple(np.clip(self._view.area(viewport).point(box.end.pixel), 0.0, 1.0).tolist())
        found = viewport.snapshot.pick_box(box.begin.point, end, wholly=box.wholly)
        self._editor.select(added(ids, found) if shift else removed(ids, found) if ctrl else found)


def _is_same(first: PointerLocation, second: PointerLocation) -> bool:
    return math.dist(first.pixel, second.pixel) <= _SAME_PLACE
