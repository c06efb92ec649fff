"""Panoramas in files become the environment of a view, read in the background."""

from __future__ import annotations

from pathlib import Path

from octoscope.scene.system.paths import abspath
from octoscope.scene.system.text_file import ReadError, printable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.frame.look.environment import Environment
from octoscope.viewer.frame.look.environment_files import PANORAMA_ENDINGS, environment_called

_SUBJECT = "environment"  # in the log


def is_panorama(path: Path) -> bool:
    """Return whether a file is a panorama, by its ending."""
    return path.name.lower().endswith(PANORAMA_ENDINGS)


def open_panorama(editor: Editor, path: Path) -> None:
    """Read a panorama in the background and light the scene by it; the log says where it cannot be read."""
    if editor.has_job(_SUBJECT):
        return

    def show(environment: Environment) -> None:
        editor.log.settle(_SUBJECT)
        editor.view.settings.environment = environment
        for note in environment.notes:
            editor.log.say("warning", note, _SUBJECT)

    def say(error: Exception) -> None:
        if not isinstance(error, ReadError):
            raise error
        editor.log.say("error", str(error), _SUBJECT)

    editor.jobs.begin(
        JobKind.EDIT,
        f"reading {printable(path.name)}",
        lambda tell: environment_called(str(abspath(path))),
        show,
        failed=say,
    )
