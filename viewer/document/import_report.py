"""The rows of the messages panel: problems of opened files, and nodes that cannot be shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from octoscope.scene import Scene, SpatialIndex
from octoscope.scene.file_state import UNSAVED_CHANGES
from octoscope.scene.system.text_file import printable

_MOST_TOLD = 3  # errors, and warnings, that are shown one by one; more are only counted


@dataclass(frozen=True, eq=False)
class Message:
    """One row of the messages panel."""

    level: str  # "error" or "warning"
    kind: str  # a short name that stays the same, as in scene.Problem
    text: str
    count: int = 1
    place: str = ""  # "file:line" or "file", or "" if unknown
    node_ids: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))  # (k,) int32, the nodes concerned


def messages_of(scene: Scene, index: SpatialIndex, *, not_drawn: Sequence[str] = ()) -> list[Message]:
    """Return errors first, then nodes that are not shown, then what was skipped or guessed in files."""
    report = scene.report
    rows = [Message("error", "file", line) for line in report.errors]
    rows += [
        Message("warning", "place", line, len(index.broken_ids()), node_ids=index.broken_ids())
        for line in index.broken_messages(scene.sources)
    ]
    rows += [Message("warning", "card", line) for line in not_drawn]
    for problem in sorted(report.merged_problems, key=lambda each: (each.file, each.line or 0)):
        if problem.kind == UNSAVED_CHANGES:
            continue  # the document tells of them, and their file may be an autosave
        place = printable(problem.file) + ("" if problem.line is None else f":{problem.line}")
        rows.append(Message("warning", problem.kind, str(problem), problem.count, place))
    return rows


def counts_by_kind(messages: list[Message]) -> dict[str, int]:
    """Return the number of messages of each kind, in their order."""
    counts = Counter[str]()
    for message in messages:
        counts[message.kind] += message.count
    return counts


def news_of(messages: Sequence[Message], keys: str) -> list[tuple[str, str]]:
    """Return level and text of the messages to show at once; many are replaced by a line with their number."""
    errors = [row for row in messages if row.level == "error"]
    warnings = [row for row in messages if row.level == "warning"]
    told = [(row.level, row.text) for rows in (errors, warnings) if len(rows) <= _MOST_TOLD for row in rows]
    listed = f"Messages ({keys}) lists them"
    if len(errors) > _MOST_TOLD:
        told.insert(0, ("error", f"{len(errors):,} files cannot be opened; {listed}"))
    if len(warnings) > _MOST_TOLD:
        rows = (*errors, *warnings)  # as the status bar counts
        count, kinds = sum(row.count for row in rows), len({row.kind for row in rows})
        of_kinds = "" if kinds == 1 else f" of {kinds} kinds"
        told.append(("warning", f"{count:,} problems{of_kinds} in the opened files; {listed}"))
    return told
