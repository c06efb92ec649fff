"""FaultList: the faults of meshes that a check found, one after the other."""

from __future__ import annotations

import numpy as np

from octoscope.scene import MeshCheck, MeshFaults
from octoscope.scene.checks.fault_marks import fault_segments
from octoscope.scene.nodes.bounds import own_boxes
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.findings import Findings
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.mesh_checks.decoration import FaultMarks, MarkedFault

_MOST_MARKS = 20_000  # lines that are drawn at once
ALL_KINDS = ""
PANEL_ID = "mesh_checks"


class FaultList(Findings):
    """The faults of the last check, kind by kind. Objects that show another mesh since are left out until the next one.

    Attributes:
        faults: all of them.
        kind_counts: how many faults of each kind are listed, or would be without a choice of one.
    """

    def __init__(self, context: Context) -> None:
        super().__init__(context.editor, lambda: context.show_panel(PANEL_ID))
        self._decoration = context.view.decoration(FaultMarks)
        self._kind = ALL_KINDS
        self._checked = np.empty(0, dtype=np.int32)  # the mesh of each fault
        self._marked: tuple[object, ...] = ()
        self.faults = MeshCheck(context.scene, ids=()).run()  # none
        self.kind_counts: dict[str, int] = {}

    @property
    def kind(self) -> str:
        """The kind of faults that is listed, or ALL_KINDS."""
        return self._kind

    @kind.setter
    def kind(self, kind: str) -> None:
        self._kind = kind
        self._refresh()

    @property
    def shown_kind(self) -> str:
        """The kind of the fault that is shown, or ""."""
        place = self.place
        return "" if place < 0 else str(self.faults.kinds[self.places[place]])

    def find(self) -> None:
        """Check what is selected, or all that is shown, beside the window."""
        check = MeshCheck(self._editor.scene, ids=self._chosen_ids())
        self._editor.jobs.begin(JobKind.EDIT, "checking meshes", check.run, self._take_faults)

    def _take_faults(self, faults: MeshFaults) -> None:
        editor = self._editor
        self.faults, self._kind = faults, ALL_KINDS
        self._checked = editor.scene.mesh_ids[faults.nodes]
        self._take(faults.nodes[:, None])
        self.update()
        counts = ", ".join(f"{count:,} with {kind}" for kind, count in self.kind_counts.items())
        editor.log.say("info", f"meshes checked{self.scope}: {f'objects: {counts}' if counts else 'no faults'}")

    def _stays(self) -> np.ndarray:
        return self._editor.scene.mesh_ids[self.faults.nodes] == self._checked

    def _passes(self) -> np.ndarray:
        return self._stays() & (self.faults.kinds == self._kind if self._kind != ALL_KINDS else True)

    def _list(self) -> None:
        is_there = self._editor.scene.alive[self.faults.nodes] & ~self._is_ignored
        listed = self.faults.kinds[self._stays() & is_there]
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
