"""Load: files that are read on a thread, and then taken in one after the other, on the window's thread.

What taking in means is said by whoever loads: SourceFiles adds a file to the scene, Reloader replaces what came from
it, DocumentLoader makes another scene of it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from octoscope.scene.background import BackgroundChange
from octoscope.scene.loading.read import BackgroundReader, ReadResult
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.jobs import JobKind, Jobs

# Called until a file is taken in: None as long as it is not, then whether the scene has changed.
Pending = Callable[[], bool | None]


class Load:
    """Files that are being read."""

    def __init__(self, reader: BackgroundReader, take: Callable[[Path, ReadResult], bool | Pending]) -> None:
        self.reader = reader
        self._take = take
        self._pending: Pending | None = None

    @property
    def is_done(self) -> bool:
        """True once every file is taken in, or left out as the user cancelled."""
        return self._pending is None and self.reader.finished

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """The file that is read, and the fraction that is done (None: unknown); None if there is none."""
        state = self.reader.state
        if state is None:
            return None
        number = f"  {state.number} of {state.files}" if state.files > 1 else ""
        fraction = state.done_bytes / state.total_bytes if state.total_bytes else None
        return f"opening {printable(state.path.name)}{number}", fraction

    def poll(self, seconds: float = math.inf) -> bool:
        """Take in files for at most so long, at least one; return whether the scene has changed."""
        changed, deadline = False, time.perf_counter() + seconds
        while True:
            if self._pending is None:
                taken = self.reader.take()
                if taken is None:
                    break
                outcome = self._take(*taken)
                self._pending = outcome if callable(outcome) else lambda is_changed=outcome: is_changed
            done = self._pending()
            if done is None:
                break
            self._pending = None
            changed |= done
            if time.perf_counter() >= deadline:
                break
        return changed


def prepared(
    jobs: Jobs,
    kind: JobKind,
    change: BackgroundChange[Any, Any],
    join: Callable[[], object],
    *,
    out_of_memory: Callable[[], object] | None = None,
) -> Pending:
    """Have a job prepare a change of a scene, and `join` called once that is done."""
    ended: list[bool] = []  # whether it is prepared

    def fail(error: Exception) -> None:
        if out_of_memory is None or not isinstance(error, MemoryError):
            raise error
        out_of_memory()
        ended.append(False)

    def joined() -> bool | None:
        if ended == [True]:
            join()
        return ended[0] if ended else None

    then, stopped = (lambda _: ended.append(True)), (lambda: ended.append(False))
    jobs.begin(kind, "reading", lambda tell: change.prepare(), then, failed=fail, stopped=stopped)
    return joined
