"""Bookmarks as a feature."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.bookmarks.bookmark_list import BookmarkList
from octoscope.viewer.features.bookmarks.commands import command
from octoscope.viewer.features.bookmarks.panel import BookmarksPanel
from octoscope.viewer.features.contribution import Contribution, WindowPart


def _contribute(context: Context) -> Contribution:
    """Return the panel and the commands."""
    bookmarks = BookmarkList(context.editor)
    return Contribution(panels=[BookmarksPanel(bookmarks)], commands=command.bound_to(bookmarks))


PART = WindowPart(_contribute)
