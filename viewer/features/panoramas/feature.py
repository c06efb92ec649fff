"""Panoramas in a window: chosen by a command, or dropped on it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from octoscope.scene.system.paths import abspath
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.document.file_names import PathRequest, folder_of
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.features.panoramas.environment import ENDINGS
from octoscope.viewer.features.panoramas.reading import read_environment
from octoscope.viewer.frame.look.environment import Environment
from octoscope.viewer.frame.look.studios import STUDIOS
from octoscope.viewer.tools.intents import Drop, Intent

_SUBJECT = "environment"  # in the log

command = Declarations("View/Light", after="light.reset")


@command(
    "view.environment_open",
    "Open panorama",
    "light from a picture of all around, .hdr or .exr; or drop one on the window",
    asks=True,
    separated=True,
    checked=lambda context: context.view.settings.environment.name not in STUDIOS,
    synonyms=("environment", "hdri", "hdr", "exr", "sky", "world", "image based lighting"),
)
def ask_panorama(context: Context) -> None:
    choose = partial(_open, context.editor)
    context.ask_path(PathRequest("Open panorama", ENDINGS, choose, folder=folder_of(context.scene.sources)))


def _take_drop(context: Context, intent: Intent) -> bool:
    """Light the scene by the last panorama that is dropped on the window; other files are for the document."""
    paths = [Path(path) for path in intent.paths] if isinstance(intent, Drop) else []
    panoramas = [path for path in paths if path.name.lower().endswith(ENDINGS)]
    if not panoramas:
        return False
    _open(context.editor, panoramas[-1])
    others = [path for path in paths if path not in panoramas]
    if others:
        context.document.drop(others)
    return True


def _open(editor: Editor, path: Path) -> None:
    """Read a panorama in the background and light the scene by it; the log says where it cannot be read."""

    def show(environment: Environment) -> None:
        editor.view.settings.environment = environment
        for note in environment.notes:
            editor.log.say("warning", note, _SUBJECT)

    editor.read_in_background(_SUBJECT, path, lambda _: read_environment(str(abspath(path))), show)


def _contribute(context: Context) -> Contribution:
    return Contribution(commands=command.bound_to(context), tools=[partial(_take_drop, context)])


PART = WindowPart(_contribute)
