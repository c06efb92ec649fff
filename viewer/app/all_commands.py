"""The table of all commands of a window, in the order of its menus; whoever adds some adds them here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from viewer.app.waiting import Waiting
from viewer.commands.camera import camera_commands
from viewer.commands.edit import edit_commands
from viewer.commands.file import file_commands
from viewer.commands.gizmo import gizmo_commands
from viewer.commands.measure import measure_commands
from viewer.commands.relink import relink_command
from viewer.commands.select import select_commands
from viewer.commands.table import Command
from viewer.commands.view import view_commands
from viewer.document.document import Document
from viewer.editing.bookmark_list import BookmarkList
from viewer.editing.editor import Editor
from viewer.editing.selection_facts import AN_OBJECT
from viewer.settings.config import config_folder
from viewer.settings.settings_file import open_settings_file
from viewer.tools.tools import Tools
from viewer.ui.panels.inspector import Inspector
from viewer.ui.panels.outliner import Outliner
from viewer.ui.shell import Shell


def all_commands(
    *,
    editor: Editor,
    tools: Tools,
    bookmarks: BookmarkList,
    document: Document,
    waiting: Waiting,
    recent: Sequence[Path],
    shell: Shell,
    outliner: Outliner,
    inspector: Inspector,
    picture_size: Callable[[], tuple[float, float]],
    toggle_fullscreen: Callable[[], object],
) -> tuple[Command, ...]:
    """All that can be done in a window made of these parts, once the shell has its panels.

    Args:
        toggle_fullscreen: lets the window have the whole screen, or its own place again.
        picture_size: of the picture, logical pixels. recent: files that were opened before, the last one first.
    """

    def shown_keys(command_id: str) -> str:
        return shell.table.shown_keys(shell.table[command_id])

    def stop() -> None:
        if inspector.cancel() or shell.close_menu() or tools.select.cancel():
            return
        if not waiting.cancel():
            editor.select([])

    def open_settings() -> None:
        editor.log.say(*open_settings_file(config_folder()))

    return (
        *file_commands(document, recent, open_settings, relink_command(editor, shell.ask_path)),
        *edit_commands(editor, tools.gizmo, shell.form_box.ask, shell.ask_path, shown_keys),
        *_outliner_commands(editor, shell, outliner),
        *select_commands(editor, tools.select),
        *view_commands(editor.view, picture_size),
        *gizmo_commands(editor, tools.gizmo, tools.measure),
        *camera_commands(editor.view, tools.steering, bookmarks),
        *measure_commands(tools.measure),
        Command(
            "tools.stop",
            "Cancel",
            stop,
            "Tools",
            keys=("Esc",),
            description="close a menu, leave box selection, cancel what is running, or select nothing",
            separated=True,
            synonyms=("abort", "stop"),
        ),
        *shell.commands(),
        Command(
            "view.fullscreen",
            "Full screen",
            toggle_fullscreen,
            "View",
            keys=("F11",),
            description="enter or leave full screen",
            synonyms=("fullscreen", "maximise window"),
        ),
    )


def _outliner_commands(editor: Editor, shell: Shell, outliner: Outliner) -> tuple[Command, ...]:
    def rename() -> None:
        shell.show_panel(outliner.id)
        outliner.begin_rename()
        shell.focus.expect_field()

    def find() -> None:
        shell.show_panel(outliner.id)
        outliner.find()
        shell.focus.expect_field()

    return (
        Command(
            "edit.rename",
            "Rename",
            rename,
            "Edit",
            keys=("F2",),
            description="type a new name in the outliner",
            enabled=lambda: len(editor.selected_ids) > 0,
            refusal=AN_OBJECT,
        ),
        Command(
            "select.find",
            "Find",
            find,
            "Select",
            keys=("Ctrl+F",),
            description="find by name or pattern in the outliner; Enter selects all that fit",
            synonyms=("search", "filter"),
        ),
    )
