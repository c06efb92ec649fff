"""Bookmarks as a feature."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.bookmarks.bookmark_list import BookmarkList
from octoscope.viewer.features.bookmarks.panel import BookmarksPanel

command = Declarations("View/Bookmarks", after="view.maximise")
of_bookmarks = partial(command, enabled=lambda bookmarks: bool(bookmarks.names))


command(
    "bookmark.add",
    "Add bookmark",
    "save the camera under a name",
    keys=("Ctrl+B",),
    synonyms=("save view", "store camera"),
)(BookmarkList.add)

of_bookmarks("bookmark.next", "Next bookmark", keys=("PageDown",))(lambda bookmarks: bookmarks.step(1))

of_bookmarks("bookmark.previous", "Previous bookmark", keys=("PageUp",))(lambda bookmarks: bookmarks.step(-1))

command(
    "bookmark.remove",
    "Remove bookmark",
    "the bookmark visited last",
    enabled=lambda bookmarks: bookmarks.current is not None,
)(BookmarkList.remove_current)


def _contribute(context: Context) -> Contribution:
    bookmarks = BookmarkList(context.editor)
    return Contribution(panels=[BookmarksPanel(bookmarks)], commands=command.bound_to(bookmarks))


PART = WindowPart(_contribute)
