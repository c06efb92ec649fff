"""BrowserBookmarks: the bookmarks in browsers: a click looks from one, in that browser."""

from __future__ import annotations

from functools import partial
from typing import Any

from octoscope.scene.system.text_file import printable
from octoscope.viewer.features.bookmarks.bookmark_list import BookmarkList
from octoscope.viewer.features.bookmarks.feature import command
from octoscope.viewer.features.web.front import BrowserFront, BrowserPart

_MOST = 50


class BrowserBookmarks:
    """A button for each bookmark."""

    def __init__(self, front: BrowserFront) -> None:
        self._bookmarks = BookmarkList(front.editor)
        self.commands = command.bound_to(self._bookmarks)
        self._controls = front.controls
        self._folder: Any = front.controls.gui.add_folder("Bookmarks", visible=False)
        self._shown: list[str] = []
        self._buttons: list[Any] = []

    def update(self) -> None:
        """Show other buttons if there are other bookmarks."""
        names = self._bookmarks.names[:_MOST]
        if names == self._shown:
            return
        self._shown = names
        while self._buttons:
            self._buttons.pop().remove()
        with self._folder:
            for name in names:
                self._buttons.append(self._controls.button(printable(name), partial(self._bookmarks.go, name)))
        self._folder.visible = bool(names)


PART = BrowserPart(BrowserBookmarks)
