"""LabelTool: a click on a surface begins a label, a field takes its text; clicks on links open them."""

from __future__ import annotations

import webbrowser
from collections.abc import Callable

import numpy as np

from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import IN_WORLD, Anchor
from octoscope.viewer.camera.bookmark_pose import bookmark_of
from octoscope.viewer.features.annotations.annotation_list import AnnotationList
from octoscope.viewer.features.annotations.decoration import Labels
from octoscope.viewer.frame.look.labels import font_size_px
from octoscope.viewer.frame.points import PixelPoint
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.intents import Click, DoubleClick, Intent, KeyPress, RightClick
from octoscope.viewer.tools.tool import Hand
from octoscope.viewer.window.keys import Chord


class LabelTool:
    """Adds labels in a window."""

    def __init__(self, annotations: AnnotationList, hand: Hand, expect_field: Callable[[], object]) -> None:
        self._annotations = annotations
        self._hand = hand
        self._expect_field = expect_field
        self.view = annotations.editor.view
        self.pending: Anchor | None = None  # the point of the label whose text is being typed
        self.pending_pixel: PixelPoint = (0.0, 0.0)  # where that is in the picture

    @property
    def is_on(self) -> bool:
        """True while clicks add labels."""
        return self._hand.tool is self

    @property
    def text(self) -> str:
        """A line for users about what to do while the tool is on, else ""."""
        if not self.is_on:
            return ""
        return (
            "add label: click on an object"
            if self.pending is None
            else "add label: type its text, then Enter (Shift+Enter: a new line)"
        )

    def toggle(self) -> None:
        """Switch the tool on or off."""
        self._hand.take(None if self.is_on else self)

    def put_down(self) -> None:
        """Drop the label that is being typed, as the tool is switched off."""
        self.pending = None

    def follow(self, intent: Intent) -> bool:
        """Begin a label, or open the link or take the view of one; return whether the click was for it."""
        match intent:
            case Click(location) | DoubleClick(location) if self.is_on:
                self._begin(location)
            case RightClick() if self.is_on:
                self._hand.take(None)
            case KeyPress(chord) if self.is_on and chord == Chord("ESCAPE"):
                self._hand.take(None)
            case Click(location):
                return self._hand.tool is None and self._visit(location)
            case _:
                return False
        return True

    def finish(self, text: str) -> None:
        """Add the label that was begun; with an empty text none. The next click begins another one."""
        anchor, self.pending = self.pending, None
        if anchor is not None and text.strip():
            self._annotations.add_label(Label(text.strip(), anchor, bookmark_of(self.view.camera)))

    def _begin(self, location: PointerLocation) -> None:
        found = location.snap()
        if found is None:
            self.pending = None
            return
        node, point = found.node_id, found.local_point
        if self._annotations.editor.read_only is not None:  # nodes of a streamed scene do not stay
            node, point = IN_WORLD, found.point
        self.pending, self.pending_pixel = Anchor(node, tuple(point.tolist())), location.pixel
        self._expect_field()

    def _visit(self, location: PointerLocation) -> bool:
        """Open the link of a label under the mouse, or look from its camera; return whether there is one."""
        view, viewport = self.view, location.viewport
        area, ratio = view.layout.area(viewport), view.layout.pixel_ratio
        size = round(area.width * ratio), round(area.height * ratio)
        cursor = (np.array(location.pixel) - area.corner) * ratio
        font_px = font_size_px(size[1], view.stroke_ratio)
        for each in view.decoration(Labels).placed(viewport, size, font_px):
            if each.picture is None:
                continue
            x, y = cursor - each.corner
            height, width = each.picture.image.shape[:2]
            if not (0.0 <= x < width and 0.0 <= y < height):
                continue
            link = next((link for (a, b, c, d), link in each.picture.links if a <= x < c and b <= y < d), None)
            if link is not None:
                webbrowser.open(link)
            else:
                self._annotations.go(each.label)
            return True
        return False
