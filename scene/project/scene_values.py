"""Values of a scene that belong to no node, from and to JSON: fields of a project file, changes in its journal."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from octoscope.scene.project.bookmarks import bookmarks_from_json, bookmarks_to_json
from octoscope.scene.project.measurements import measurements_from_json, measurements_to_json
from octoscope.scene.system.report import Problems
from octoscope.scene.up_axis import UP_AXES, UpAxis


@dataclass(frozen=True)
class JsonValue:
    """The JSON form of one of scene.editing.edits.SCENE_VALUES."""

    new: object  # the JSON of a new scene's value, which a project file leaves out
    # from the value as a Change holds it, and (n,) int by node id: the id in the file or journal, or -1
    to_json: Callable[[Any, np.ndarray], object]
    # to what the attribute of Scene takes, from what was written and the number of nodes. Reports what makes no sense
    from_json: Callable[[object, int, Problems], Any]


def _up_axis_from_json(written: object, node_count: int, problems: Problems) -> UpAxis:
    if isinstance(written, list) and len(written) == 1:  # as older journals have it
        written = written[0]
    if written in UP_AXES:
        return written
    problems.report("up-axis", 'an \'up_axis\' that is neither "y" nor "z"', f'"{UP_AXES[0]}" instead')
    return UP_AXES[0]


JSON_VALUES: Mapping[str, JsonValue] = {
    "up_axis": JsonValue(UP_AXES[0], lambda axis, json_ids: axis, _up_axis_from_json),
    "bookmarks": JsonValue(
        [],
        lambda bookmarks, json_ids: bookmarks_to_json(bookmarks),
        lambda written, node_count, problems: bookmarks_from_json(written, problems),
    ),
    "measurements": JsonValue([], measurements_to_json, measurements_from_json),
}
