"""Distribution of tests to the processes of pytest-xdist."""

from __future__ import annotations

import pytest
from xdist.scheduler import LoadScopeScheduling

_WINDOWS = "tests/viewer/windows/test_", "_in_window.py", "_between_windows.py"
# Files of five seconds and more that stand late in the alphabet. Begun last, one of them would run alone in the end.
_LONG = (
    "tests/viewer/walk/",
    "tests/viewer/rendering/test_shadows.py",
    "tests/viewer/test_questions.py",
    "tests/viewer/tools/gizmo/test_tool.py",
)


def turn(item: pytest.Item) -> int:
    """Return the group of a test; a lower one begins earlier: windows, which take longest, then long files."""
    if item.get_closest_marker("window") is not None:
        return 0
    return 1 if item.nodeid.startswith(_LONG) else 2


class FilesToWorkers(LoadScopeScheduling):
    """A file goes as a whole to the process that is free, so that what its tests share is made once.

    All that open windows go to the same one: two windows at a time would make each other wait. The others use the
    processors while it waits.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return _WINDOWS[0] if any(part in file for part in _WINDOWS) else file
