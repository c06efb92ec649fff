"""The table of all commands of a window, in the order of its menus; whoever adds some adds them here."""

from __future__ import annotations

from collections.abc import Callable

from viewer.bookmark_list import BookmarkList
from viewer.camera_commands import camera_commands
from viewer.commands import Command
from viewer.edit_commands import edit_commands
from viewer.editor import Editor
from viewer.gizmo.commands import gizmo_commands
from viewer.gizmo.tool import GizmoTool
from viewer.measure_tool import MeasureTool
from viewer.open_files import OpenFiles
from viewer.select_commands import select_commands
from viewer.select_tool import SelectTool
from viewer.steering import Steering
from viewer.ui.outliner import Outliner
from viewer.ui.shell import Shell
from viewer.view_commands import view_commands


def all_commands(
    *,
    editor: Editor,
    steering: Steering,
    bookmarks: BookmarkList,
    select_tool: SelectTool,
    gizmo: GizmoTool,
    files: OpenFiles,
    shell: Shell,
    outliner: Outliner,
    measure: MeasureTool,
    picture_size: Callable[[], tuple[float, float]],
    close: Callable[[], object],
) -> tuple[Command, ...]:
    """All that can be done in a window made of these parts, once the shell has its panels.

    Args:
        picture_size: of the picture, logical pixels. close: closes the window.
    """
    return (
        *_file_commands(files, shell, select_tool, editor, close),
        *edit_commands(editor),
        *_outliner_commands(editor, shell, outliner),
        *select_commands(editor, select_tool),
        *view_commands(editor.view, picture_size),
        *gizmo_commands(editor, gizmo),
        *camera_commands(editor.view, steering, bookmarks),
        *measure.commands(),
        *shell.commands(),
    )


def _file_commands(
    files: OpenFiles, shell: Shell, select_tool: SelectTool, editor: Editor, close: Callable[[], object]
) -> tuple[Command, ...]:
    def escape() -> None:
        if select_tool.cancel():
            return
        if files.state is not None or editor.work.busy:
            files.cancel()
            editor.work.cancel()
        else:
            editor.select([])

    return (
        Command(
            "file.open",
            "Open",
            shell.open_box.toggle,
            "File",
            keys=("Ctrl+O",),
            description="add a file; or drop files on the window",
        ),
        Command(
            "file.stop",
            "Stop",
            escape,
            "File",
            keys=("Esc",),
            description="draw no box, stop what is under way, or select nothing",
        ),
        Command("file.close", "Close", close, "File", keys=("Ctrl+Q",), description="close the window", separated=True),
    )


def _outliner_commands(editor: Editor, shell: Shell, outliner: Outliner) -> tuple[Command, ...]:
    def rename() -> None:
        shell.show_panel(outliner.id)
        outliner.begin_rename()

    def find() -> None:
        shell.show_panel(outliner.id)
        outliner.find()

    return (
        Command(
            "edit.rename",
            "Rename",
            rename,
            "Edit",
            keys=("F2",),
            description="type a new name in the outliner",
            enabled=lambda: len(editor.selected_ids) > 0,
        ),
        Command(
            "select.find",
            "Find",
            find,
            "Select",
            keys=("Ctrl+F",),
            description="find by name or pattern in the outliner; Enter selects all that fit",
        ),
    )
