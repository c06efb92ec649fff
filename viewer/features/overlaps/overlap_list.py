"""OverlapList: the pairs of objects that a search found, one after the other; where each pair overlaps and how deep."""

from __future__ import annotations

import numpy as np

from octoscope.scene import Overlaps, OverlapSearch, Scene
from octoscope.scene.nodes.bounds import own_boxes
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.overlaps.decoration import OverlapMark

# Framed on each side of where a pair overlaps: so much of its size, and at least so much of the smaller object's.
_SURROUNDINGS, _LEAST_SURROUNDINGS = 0.3, 0.15


class OverlapList:
    """The pairs of the last search. What has changed since is judged by boxes alone, until the next search.

    Attributes:
        has_searched: whether there was a search.
        pairs: (m, 2) int32 objects that reach into each other, none of them deleted or ignored; the deepest first, as
            it was when they were found.
        common: (m, 2, 3) float64 world: lower and upper corner of the box that both objects' boxes have in common;
            lower above upper where they lie apart.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._mark = context.view.decoration(OverlapMark)
        self._found = np.empty((0, 2), dtype=np.int32)  # by the search
        self._is_ignored = np.empty(0, dtype=bool)  # of those
        self._shown = -1  # the place among those of the pair that is shown
        self._places = np.empty(0, dtype=np.int64)  # among those, of `pairs`
        self._made_for: tuple[object, ...] = ()
        self.has_searched = False
        self.pairs, self.common = self._found, np.empty((0, 2, 3))

    @property
    def is_busy(self) -> bool:
        """True while a search, or another edit, runs beside the window."""
        return self._context.editor.jobs.is_busy(JobKind.EDIT)

    @property
    def has_pairs(self) -> bool:
        """True if there are pairs to go through."""
        return len(self._found) > self.ignored_count

    def find(self) -> None:
        """Search what is selected, or all that is shown, beside the window."""
        context = self._context
        context.view.update()
        shown_ids = context.view.visibility.shown_ids()
        chosen_ids = with_all_below(context.scene, context.selected_ids) if has_selection(context) else shown_ids
        ids = np.intersect1d(chosen_ids, shown_ids)
        search = OverlapSearch(context.scene, ids=ids)
        context.editor.jobs.begin(JobKind.EDIT, "looking for overlaps", search.run, self._take)

    def _take(self, overlaps: Overlaps) -> None:
        editor = self._context.editor
        # Objects may have been deleted during the search.
        crossing, touching = (pairs[editor.scene.alive[pairs].all(axis=1)] for pairs in overlaps)
        deepest_first = np.argsort(-depths_of(common_boxes(editor.scene, crossing)), kind="stable")
        self._found, self._is_ignored, self._shown = crossing[deepest_first], np.zeros(len(crossing), dtype=bool), -1
        self.has_searched, self._made_for, self._mark.box = True, (), None
        editor.select(np.unique(crossing))
        counts = len(crossing), len(touching)
        crossing, touching = ("1 pair" if count == 1 else f"{count:,} pairs" for count in counts)
        if overlaps.left_out:
            editor.log.say("warning", f"overlapping: {overlaps.left_out}")
        editor.log.say("info", f"overlapping: {crossing} of objects; only touching: {touching}")

    def update(self) -> None:
        """Take in what has changed in the scene, but not the steps of a drag."""
        editor, scene = self._context.editor, self._context.scene
        wanted = scene.version, scene.world_revision, int(self._is_ignored.sum())
        if wanted == self._made_for or (self._made_for and editor.history.transaction is not None):
            return
        self._made_for = wanted
        stays = scene.alive[self._found].all(axis=1) & ~self._is_ignored
        self.pairs, self._places = self._found[stays], np.flatnonzero(stays)
        self.common = common_boxes(scene, self.pairs)
        self._mark_shown()

    @property
    def depths(self) -> np.ndarray:
        """(m,) float64: how deep each pair can overlap at most, by the boxes, world units; 0 where they lie apart."""
        return depths_of(self.common)

    @property
    def place(self) -> int:
        """The place in `pairs` of the pair that is shown, or -1."""
        (found,) = np.nonzero(self._places == self._shown)
        return int(found[0]) if len(found) else -1

    @property
    def ignored_count(self) -> int:
        """Number of pairs of the search that are ignored."""
        return int(self._is_ignored.sum())

    def show(self, place: int) -> None:
        """Select a pair, and frame where it overlaps; isolation that does not show it goes on to it."""
        self._shown = int(self._places[place])
        view, (lower, upper) = self._context.view, self.common[place]
        self._context.editor.select(self.pairs[place])
        isolated = view.visibility.isolated
        if isolated is not None and not isolated[self.pairs[place]].all():
            view.visibility.isolated_ids = with_all_below(view.scene, self.pairs[place])
        self._mark_shown()
        lower, upper = np.minimum(lower, upper), np.maximum(lower, upper)  # where they lie apart: what is between
        sizes = np.ptp(own_boxes(view.scene, self.pairs[place]), axis=1).max(axis=1)
        margin = max(_SURROUNDINGS * float((upper - lower).max()), _LEAST_SURROUNDINGS * float(sizes.min()))
        view.frame_bounds((lower - margin, upper + margin))

    def step(self, by: int) -> None:
        """Show the pair that is so many further; after the last comes the first."""
        self.update()
        if len(self.pairs):
            first = 0 if by > 0 else len(self.pairs) - 1
            self.show(first if self.place < 0 else (self.place + by) % len(self.pairs))

    def ignore(self) -> None:
        """Take the pair that is shown from the list until the next search, and show the next one."""
        place = self.place
        if place >= 0:
            self._is_ignored[self._shown] = True
            self.update()
            self._shown, self._mark.box = -1, None
            if len(self.pairs):
                self.show(place % len(self.pairs))

    def show_ignored(self) -> None:
        """List again what was ignored."""
        self._is_ignored[:] = False

    def _mark_shown(self) -> None:
        place = self.place
        self._mark.box = None if place < 0 or self.depths[place] == 0.0 else self.common[place]


def common_boxes(scene: Scene, pairs: np.ndarray) -> np.ndarray:
    """Return (m, 2, 3) the box that the boxes of both objects of each pair have in common, as OverlapList.common."""
    ids, rows = np.unique(pairs, return_inverse=True)
    boxes = own_boxes(scene, ids)[rows.reshape(-1, 2)]
    return np.stack([boxes[:, :, 0].max(axis=1), boxes[:, :, 1].min(axis=1)], axis=1)


def depths_of(common: np.ndarray) -> np.ndarray:
    """Return (m,) the least side of each box, 0 where lower is above upper."""
    return np.maximum((common[:, 1] - common[:, 0]).min(axis=1, initial=np.inf), 0.0)
