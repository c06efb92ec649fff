"""Distribution of tests to the processes of pytest-xdist."""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

_WINDOWS = "tests/viewer/windows/test_"


class FilesToWorkers(LoadScopeScheduling):
    """A file goes as a whole to the process that is free, so that what its tests share is made once.

    All that open windows go to the same one: two windows at a time would make each other wait.
    """

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return _WINDOWS if _WINDOWS in file else file
