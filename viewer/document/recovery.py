"""Recovery: what killed programs have left unsaved, as a document offers it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

from octoscope.viewer.document.autosaving import LostScene, find_lost, may_have_lost, remove_autosave
from octoscope.viewer.document.file_names import recent_projects
from octoscope.viewer.document.questions import Choice, Question, left_unsaved
from octoscope.viewer.editing.log import Log


class Recovery:
    """Finds unsaved changes, and asks what is to become of them.

    Args:
        autosaves: their folder; None: there are none.
        config: folder of the list of recent files; None: there is no list.
    """

    def __init__(self, log: Log, autosaves: Path | None, config: Path | None) -> None:
        self._log = log
        self._autosaves = autosaves
        self._config = config

    @property
    def may_find(self) -> bool:
        """False if there is nothing to find, which is soon known."""
        return self._autosaves is not None and may_have_lost(self._autosaves, recent_projects(self._config))

    def find(self, shown: Path | None) -> list[LostScene]:
        """Return what is left: changes to the file that is shown first, then the newest."""
        lost = [] if self._autosaves is None else find_lost(self._autosaves, recent_projects(self._config))
        return sorted(lost, key=lambda each: each.file != shown)

    def ask(self, shown: Path | None, name: str) -> Generator[Question, Choice, Path | None]:
        """Ask which of the changes are to be opened, and return their file, or None.

        Args:
            name: of the scene that they would take the place of, or "".
        """
        lost = self.find(shown)
        for others, each in zip(reversed(range(len(lost))), lost, strict=True):
            choice = yield left_unsaved(each, others, shown="" if each.file == shown else name)
            if choice is Choice.RECOVER:
                return each.path
            if choice is Choice.LATER:
                self.remind_of(each)
                return None
            if choice is Choice.DISCARD and each in self.find(shown):  # else another window has it by now
                remove_autosave(each.path)
        if not self.find(shown):
            self._log.say("info", "there are no unsaved changes to recover")
        return None

    def remind_of(self, lost: LostScene) -> None:
        """Say that changes wait, with a button that asks again."""
        text = f"unsaved changes to {lost.name} can be recovered: File > Recover unsaved changes"
        self._log.say("warning", text, offer=("Recover", "file.recover"))
