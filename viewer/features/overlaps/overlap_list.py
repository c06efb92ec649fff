"""OverlapList: the pairs of objects that a search found, one after the other; where each pair overlaps and how deep."""

from __future__ import annotations

from functools import partial

import numpy as np

from octoscope.scene import Overlaps, OverlapSearch
from octoscope.scene.measuring import Lengths
from octoscope.scene.nodes.bounds import own_boxes
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.findings import Findings
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.overlaps.decoration import OverlapMark, common_boxes

PANEL_ID = "overlaps"


class OverlapList(Findings):
    """The pairs of the last search, the deepest first, as it was when they were found.

    Pairs of which an object has moved since, or got another mesh, are judged by boxes alone until the next search.

    Attributes:
        only_different_parents: whether pairs of objects with the same parent are left out.
        least_depth: world: pairs that were found less deep are left out.
        common: (m, 2, 3) float64 world: lower and upper corner of the box that both objects' boxes have in common, of
            each listed pair; lower above upper where they lie apart.
        depths: (m,) float64 world: how deep each pair overlaps, or for what has moved can overlap at most, by its
            boxes; 0 where they lie apart.
        inside: (m,) bool: whether one of a listed pair lies inside the other; False of what has moved.
        lengths: writes the depths.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context.editor, lambda: context.show_panel(PANEL_ID))
        self._decoration = context.view.decoration(OverlapMark)
        self.only_different_parents, self.least_depth = False, 0.0
        self._found = self.nodes = np.empty((0, 2), dtype=np.int32)
        # Of all pairs, as they were found: depth, point, normal, whether one lies inside the other.
        self._measured, self._points, self._normals = np.empty(0), np.empty((0, 3)), np.empty((0, 3))
        self._inside = np.empty(0, dtype=bool)
        self._searched_matrices = np.empty((0, 4, 4))
        self.common, self.depths, self.inside = np.empty((0, 2, 3)), np.empty(0), self._inside
        self.lengths = Lengths()

    @property
    def pairs(self) -> np.ndarray:
        """(m, 2) int32 objects that reach into each other, none of them deleted or ignored."""
        return self.nodes

    def found_at(self, row: int) -> tuple[np.ndarray, np.ndarray]:
        """Return point and normal of a listed pair, as of `Overlaps`, as it was found."""
        place = self.places[row]
        return self._points[place], self._normals[place]

    def find(self) -> None:
        """Search pairs of what is selected with all that is shown, or of all that is shown, beside the window."""
        scene, ids = self._editor.scene, self._shown_ids()
        search = OverlapSearch(scene, ids=ids, about=self._ids_to_search())
        take = partial(self._take_overlaps, ids, scene.mesh_ids[ids], scene.world_from_local[ids])
        self._editor.jobs.begin(JobKind.EDIT, "looking for overlaps", search.run, take)

    def _take_overlaps(self, ids: np.ndarray, meshes: np.ndarray, matrices: np.ndarray, overlaps: Overlaps) -> None:
        editor = self._editor
        # Objects may have been deleted during the search.
        is_crossing, is_touching = (editor.scene.alive[pairs].all(axis=1) for pairs in overlaps)
        crossing, touching = overlaps.crossing[is_crossing], overlaps.touching[is_touching]
        deepest_first = np.argsort(-overlaps.depths[is_crossing], kind="stable")
        self._measured, self._points, self._normals, self._inside = (
            values[is_crossing][deepest_first]
            for values in (overlaps.depths, overlaps.points, overlaps.normals, overlaps.inside)
        )
        self._searched_matrices = matrices
        self._take(crossing[deepest_first], ids, meshes)
        found, also = ("1 pair" if len(each) == 1 else f"{len(each):,} pairs" for each in (crossing, touching))
        if overlaps.left_out:
            editor.log.say("warning", f"overlaps found{self.scope}: {overlaps.left_out}")
        found = f"overlaps found{self.scope}: {found}" if len(crossing) else f"no objects overlap{self.scope}"
        editor.log.say("info", f"{found}; only touching: {also}" if len(touching) else found)

    @property
    def _choices(self) -> tuple[object, ...]:
        return self.only_different_parents, self.least_depth

    def _passes(self) -> np.ndarray:
        parents = self._editor.scene.parents[self._found]
        is_wanted = (parents[:, 0] != parents[:, 1]) | (not self.only_different_parents)
        return is_wanted & (self._measured >= self.least_depth)

    def _list(self) -> None:
        self.common = common_boxes(self._editor.scene, self.pairs)
        scene, ids = self._editor.scene, self._searched_ids
        stays = (scene.world_from_local[ids] == self._searched_matrices).all(axis=(1, 2))
        stays &= scene.mesh_ids[ids] == self._searched_meshes
        is_as_found = stays[np.searchsorted(ids, self.pairs)].all(axis=1)
        self.inside = is_as_found & self._inside[self.places]
        self.depths = np.where(is_as_found, self._measured[self.places], depths_of(self.common))
        self.lengths = Lengths.of(scene)

    def _where(self, place: int) -> np.ndarray:
        if self.inside[place]:  # alone in the picture, the outer one would fill all of it
            boxes = own_boxes(self._editor.scene, self.pairs[place])
            return np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
        return np.sort(self.common[place], axis=0)  # where they lie apart: what is between

    def _mark(self) -> None:
        place = self.place
        self._decoration.pair = None if place < 0 else self.pairs[place]


def depths_of(common: np.ndarray) -> np.ndarray:
    """Return (m,) the least side of each box, 0 where lower is above upper."""
    return np.maximum((common[:, 1] - common[:, 0]).min(axis=1, initial=np.inf), 0.0)
