"""What a person waits for: files that are opened, work beside the window, a scene that is written."""

from __future__ import annotations

from dataclasses import dataclass

from scene.system.text_file import printable
from viewer.document.document import Document
from viewer.document.source_files import OpenFiles
from viewer.editing.background_job import Work


@dataclass(frozen=True)
class Waiting:
    """All in a window that can take long."""

    files: OpenFiles
    work: Work
    document: Document

    @property
    def progress(self) -> tuple[str, float | None] | None:
        """What takes long just now, and the fraction of it that is done, None where nobody knows; None: nothing."""
        state = self.files.state
        if state is not None:
            number = f"  {state.number} of {state.files}" if state.files > 1 else ""
            fraction = state.done_bytes / state.total_bytes if state.total_bytes else None
            return f"opening {printable(state.path.name)}{number}", fraction
        if self.work.busy:
            return self.work.label, self.work.fraction
        return self.document.progress

    @property
    def is_busy(self) -> bool:
        """Whether any of it goes on, for however short."""
        return self.files.is_going or self.work.busy or self.document.is_going

    def cancel(self) -> bool:
        """Stop it; whether there was anything."""
        was_waiting = self.progress is not None
        self.files.cancel()
        self.work.cancel()
        return self.document.cancel() or was_waiting
