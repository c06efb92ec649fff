"""A context of commands, without a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.document.document import Document
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.script import Script
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.tools.tools import Tools


def context_of(editor: Editor, size: tuple[float, float] = (640.0, 360.0), recent: Sequence[Path] = ()) -> Context:
    """Return the context of a picture of a size in logical pixels; nobody answers what commands ask for."""
    editor.view.layout.resize((round(size[0]), round(size[1])))
    return Context(
        editor=editor,
        tools=Tools(editor),
        document=Document(editor, DocumentOptions("scene", watch=False), lambda request: None),
        recent=recent,
        image_of=lambda pixels: None,
        ask=lambda form: None,
        ask_path=lambda request: None,
        rename=lambda: None,
        find=lambda: None,
        run=lambda command_id: None,
        show_panel=lambda panel_id: None,
        is_in_front=lambda panel_id: False,
        expect_field=lambda: None,
        open_menu=lambda menu: None,
        stop=lambda: None,
        shown_keys=lambda command_id: "",
        copy=lambda text: None,
        paste=lambda: "",
        table=lambda: CommandTable([]),
        settings=Settings(),
        script=Script(editor),
    )
