"""FaultList: the faults of meshes that a check found, one after the other."""

from __future__ import annotations

from functools import partial

import numpy as np

from octoscope.scene import MeshCheck, MeshFaults
from octoscope.scene.checks.fault_marks import fault_segments
from octoscope.scene.checks.mesh_check import FAULT_KINDS
from octoscope.scene.nodes.bounds import own_boxes
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.findings import Findings
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.mesh_checks.decoration import FaultMarks, MarkedFault

_MOST_MARKS = 20_000  # lines that are drawn at once
_KINDS = np.array(list(FAULT_KINDS), dtype=np.dtypes.StringDType())
ALL_KINDS = ""
PANEL_ID = "mesh_checks"


class FaultList(Findings):
    """The faults of the last check, kind by kind. Objects that show another mesh since are checked again.

    Attributes:
        faults: all of them.
        kind: the kind of faults that is listed, or ALL_KINDS.
        kind_counts: how many faults of each kind are listed, or would be without a choice of one.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context.editor, lambda: context.show_panel(PANEL_ID))
        self._decoration = context.view.decoration(FaultMarks)
        self.kind = ALL_KINDS
        self._changed_ids = self._searched_ids  # those of them that show another mesh since
        self._marked: tuple[object, ...] = ()
        self.faults = MeshCheck(context.scene, ids=()).run()  # none
        self.kind_counts: dict[str, int] = {}

    @property
    def shown_kind(self) -> str:
        """The kind of the fault that is shown, or ""."""
        place = self.place
        return "" if place < 0 else str(self.faults.kinds[self.places[place]])

    def select_kind(self, kind: str) -> None:
        """Select the objects with listed faults of a kind."""
        self._editor.select_listed(np.unique(self.nodes[self.faults.kinds[self.places] == kind]))

    def find(self) -> None:
        """Check what is selected, or all that is shown, beside the window."""
        ids, scene = self._ids_to_search(), self._editor.scene
        take = partial(self._take_faults, ids, scene.mesh_ids[ids])
        self._editor.jobs.begin(JobKind.EDIT, "checking meshes", MeshCheck(scene, ids=ids).run, take)

    def _take_faults(self, ids: np.ndarray, meshes: np.ndarray, faults: MeshFaults) -> None:
        editor = self._editor
        self.faults, self.kind = faults, ALL_KINDS
        self._take(faults.nodes[:, None], ids, meshes)
        counts = ", ".join(f"{count:,} with {kind}" for kind, count in self.kind_counts.items())
        editor.log.say("info", f"meshes checked{self.scope}: {f'objects: {counts}' if counts else 'no faults'}")

    def update(self) -> None:
        """Take in what has changed in the scene, and check the objects again that show another mesh since."""
        super().update()
        jobs, scene, ids = self._editor.jobs, self._editor.scene, self._changed_ids
        if len(ids) and not (self.is_busy or jobs.is_busy(JobKind.MEASURE)):
            self._changed_ids = ids[:0]
            take = partial(self._take_again, ids, scene.mesh_ids[ids])
            jobs.begin(JobKind.MEASURE, "checking changed meshes", MeshCheck(scene, ids=ids).run, take)

    def _take_again(self, ids: np.ndarray, meshes: np.ndarray, news: MeshFaults) -> None:
        """Take in the faults of some of the objects; whether they are tiny among all is known from the whole check."""
        is_again = np.isin(self._searched_ids, ids)
        self._searched_meshes[is_again] = meshes[np.searchsorted(ids, self._searched_ids[is_again])]
        old, tiny = self.faults, "tiny objects"
        is_kept = ~np.isin(old.nodes, ids) | (old.kinds == tiny)
        is_new = np.isin(news.nodes, self._searched_ids) & (news.kinds != tiny)
        columns = [np.concatenate([each[is_kept], new[is_new]]) for each, new in zip(old, news, strict=True)]
        merged = MeshFaults(*columns)
        order = np.lexsort((merged.nodes, -merged.counts, _codes(merged)))
        self.faults = MeshFaults(*(column[order] for column in merged))
        keys, old_keys = _keys(self.faults), _keys(old)
        self._found, self._is_ignored = self.faults.nodes[:, None], np.isin(keys, old_keys[self._is_ignored])
        is_shown = keys == old_keys[self._shown] if self._shown >= 0 else np.zeros(len(keys), bool)
        place, was_shown, self._shown = self.place, self._shown >= 0, int(is_shown.argmax()) if is_shown.any() else -1
        self._refresh()
        self.update()
        if was_shown and self._shown < 0 and len(self.nodes) and self._editor.selection_is_listed:
            self.look_at(max(place, 0) % len(self.nodes))  # it was mended: the next one

    @property
    def _choices(self) -> tuple[object, ...]:
        return (self.kind,)

    def _passes(self) -> np.ndarray:
        return (self.faults.kinds == self.kind) | (self.kind == ALL_KINDS)

    def _list(self) -> None:
        scene, ids = self._editor.scene, self._searched_ids
        self._changed_ids = ids[scene.alive[ids] & (scene.mesh_ids[ids] != self._searched_meshes)]
        listed = self.faults.kinds[scene.alive[self.faults.nodes] & ~self._is_ignored]
        # Kinds stand together, in the order in which they first occur.
        begins = np.flatnonzero(np.append(True, listed[1:] != listed[:-1])[: len(listed)])
        self.kind_counts = dict(zip(listed[begins].tolist(), np.diff(begins, append=len(listed)).tolist(), strict=True))

    def _where(self, place: int) -> np.ndarray:
        points = self._decoration.segments.reshape(-1, 3)
        if len(points) == 0:
            return own_boxes(self._editor.scene, self.nodes[place])[0]
        return np.stack([points.min(axis=0), points.max(axis=0)])

    def _mark(self) -> None:
        scene, place = self._editor.scene, self.place
        if place < 0:
            self._decoration.marked, self._marked = None, ()
            return
        node, kind = int(self.nodes[place, 0]), self.shown_kind
        wanted = node, kind, int(scene.mesh_ids[node])
        if wanted != self._marked:
            ends = fault_segments(scene, node, kind, _MOST_MARKS)
            self._decoration.marked, self._marked = MarkedFault(node, ends), wanted


def _codes(faults: MeshFaults) -> np.ndarray:
    """Return the place of each fault's kind among all."""
    return (faults.kinds[:, None] == _KINDS).argmax(axis=1)


def _keys(faults: MeshFaults) -> np.ndarray:
    """Return a number for node and kind of each fault."""
    return faults.nodes.astype(np.int64) * len(_KINDS) + _codes(faults)
