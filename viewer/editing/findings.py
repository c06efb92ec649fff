"""Findings: what a search has found in a scene, gone through one after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from octoscope.scene.nodes.bounds import own_boxes
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind

# Framed on each side of where a finding is: so much of its size, and at least so much of the smallest object's.
_SURROUNDINGS, _LEAST_SURROUNDINGS = 0.3, 0.15


class Findings(ABC):
    """The findings of the last search, each about one or several nodes.

    Attributes:
        has_searched: whether there was a search.
        places: (m,) int64 which of the findings are listed: those whose nodes are there, that are not ignored, and that
            the list shows (`_passes`).
        nodes: (m, k) int32 the nodes of each of them.
        scope: where the last search looked, such as " in 2 selected objects"; "" for the whole scene.
    """

    def __init__(self, editor: Editor, show_panel: Callable[[], object]) -> None:
        self._editor = editor
        self._show_panel = show_panel
        self._found = np.empty((0, 1), dtype=np.int32)  # (n, k) nodes of all findings
        self._is_ignored = np.empty(0, dtype=bool)  # of those
        self._shown = -1  # which of those is shown
        self._searched_ids = np.empty(0, dtype=np.int32)  # ascending, of the last search
        self._searched_meshes = np.empty(0, dtype=np.int32)  # of those, as they were searched
        self._made_for: tuple[object, ...] = ()
        self._asked_scope = self.scope = ""  # of the search under way, of the last one
        self.has_searched = False
        self.places, self.nodes = np.empty(0, dtype=np.int64), self._found

    @abstractmethod
    def find(self) -> None:
        """Search anew, beside the window."""

    @property
    @abstractmethod
    def _choices(self) -> tuple[object, ...]:
        """The settings by which the list is filtered."""

    @abstractmethod
    def _passes(self) -> np.ndarray:
        """Return which of all findings the list shows, (n,) bool."""

    @abstractmethod
    def _where(self, place: int) -> np.ndarray:
        """Return the world box (2, 3) of where a listed finding is."""

    @abstractmethod
    def _mark(self) -> None:
        """Mark where the finding that is shown is, or nothing."""

    @abstractmethod
    def _list(self) -> None:
        """Take in that other findings are listed, or their nodes have changed."""

    @property
    def is_busy(self) -> bool:
        """True while a search, or another edit, runs beside the window."""
        return self._editor.jobs.is_busy(JobKind.EDIT)

    @property
    def has_any(self) -> bool:
        """True if there are findings to go through."""
        return len(self._found) > self.ignored_count

    @property
    def ignored_count(self) -> int:
        """Number of findings that are ignored."""
        return int(self._is_ignored.sum())

    @property
    def place(self) -> int:
        """The place in the list of the finding that is shown, or -1."""
        (found,) = np.nonzero(self.places == self._shown)
        return int(found[0]) if len(found) else -1

    def _shown_ids(self) -> np.ndarray:
        """Return all nodes that are shown, (n,) ascending."""
        view = self._editor.view
        view.update()
        return view.visibility.shown_ids()

    def _ids_to_search(self) -> np.ndarray:
        """Return what the user selected with all below it, or everything, as far as it is shown."""
        shown_ids, selected_ids, scene = self._shown_ids(), self._editor.chosen_ids, self._editor.scene
        below = with_all_below(scene, selected_ids)
        ids = np.intersect1d(below, shown_ids) if len(selected_ids) else shown_ids
        count, all_count = (int((scene.mesh_ids[each] >= 0).sum()) for each in (ids, scene.ids))
        which = "selected" if len(selected_ids) else "shown"
        is_whole = count == all_count
        self._asked_scope = "" if is_whole else f" in {count:,} {which} object{'s' if count != 1 else ''}"
        return ids

    def _take(self, found: np.ndarray, ids: np.ndarray, meshes: np.ndarray) -> None:
        """Take in the (n, k) nodes that a search found, of (m,) ascending ids with these meshes, and show the first."""
        self._searched_ids, self._searched_meshes = ids, meshes
        self._found, self._is_ignored, self._shown = found, np.zeros(len(found), dtype=bool), -1
        self.has_searched, self.scope = True, self._asked_scope
        self._show_panel()
        self._refresh()
        self.step(1)
        self._editor.view.layout.ease_cameras()

    def _refresh(self) -> None:
        """Make the list anew at the next update."""
        self._made_for = ()

    def update(self) -> None:
        """Take in what has changed in the scene, but not the steps of a drag."""
        editor, scene = self._editor, self._editor.scene
        wanted = scene.version, scene.world_revision, self.ignored_count, self._choices
        if wanted == self._made_for or (self._made_for and editor.history.transaction is not None):
            return
        self._made_for = wanted
        self.places = np.flatnonzero(scene.alive[self._found].all(axis=1) & ~self._is_ignored & self._passes())
        self.nodes = self._found[self.places]
        self._list()
        self._mark()

    def show(self, place: int) -> None:
        """Select the nodes of a finding, and frame where it is; isolation that does not show it goes on to it."""
        self._shown = int(self.places[place])
        view, ids = self._editor.view, self.nodes[place]
        self._editor.select_listed(ids)
        isolated = view.visibility.isolated
        if isolated is not None and not isolated[ids].all():
            view.visibility.isolated_ids = with_all_below(view.scene, ids)
        self._mark()
        lower, upper = self._where(place)
        sizes = np.ptp(own_boxes(view.scene, ids), axis=1).max(axis=1)
        margin = max(_SURROUNDINGS * float((upper - lower).max()), _LEAST_SURROUNDINGS * float(sizes.min()))
        view.framing.frame_box((lower - margin, upper + margin))

    def look_at(self, place: int) -> None:
        """Show a finding; the camera goes there smoothly."""
        self.show(place)
        self._editor.view.layout.ease_cameras()

    def step(self, by: int) -> None:
        """Show the finding that is so many further; after the last comes the first."""
        self.update()
        if len(self.nodes):
            first = 0 if by > 0 else len(self.nodes) - 1
            self.show(first if self.place < 0 else (self.place + by) % len(self.nodes))

    def select_all(self) -> None:
        """Select the nodes of all listed findings."""
        self.update()
        self._editor.select_listed(np.unique(self.nodes))

    def ignore(self) -> None:
        """Take the finding that is shown from the list until the next search, and show the next one."""
        place = self.place
        if place >= 0:
            self._is_ignored[self._shown] = True
            self._shown = -1
            self.update()
            if len(self.nodes):
                self.show(place % len(self.nodes))

    def show_ignored(self) -> None:
        """List again what was ignored."""
        self._is_ignored[:] = False
