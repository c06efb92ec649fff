"""The interface of a window put together: its panels, and the table of all its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from viewer.app.all_commands import all_commands
from viewer.app.preferences import Remembered
from viewer.app.waiting import Waiting
from viewer.commands.table import Command, CommandTable
from viewer.document.document import Document
from viewer.document.import_report import Message
from viewer.document.source_files import OpenFiles
from viewer.editing.bookmark_list import BookmarkList
from viewer.editing.editor import Editor
from viewer.settings.config import WindowState
from viewer.tools.tools import Tools
from viewer.ui.dialogs.question_box import QuestionBox
from viewer.ui.imgui.backend import ImguiBackend
from viewer.ui.overlays import menus
from viewer.ui.panels.bookmarks import BookmarksPanel
from viewer.ui.panels.history import HistoryPanel
from viewer.ui.panels.inspector import Inspector
from viewer.ui.panels.messages import MessagesPanel
from viewer.ui.panels.outliner import Outliner
from viewer.ui.shell import Shell


def make_interface(
    backend: ImguiBackend,
    editor: Editor,
    files: OpenFiles,
    tools: Tools,
    *,
    state: WindowState,
    messages: Callable[[], list[Message]],
    document: Document,
    recent: Sequence[Path] = (),
    scale: float = 1.0,
    preset: str = "default",
    rebound: Mapping[str, Sequence[str]] | None = None,
    before: Shell | None = None,
    toggle_fullscreen: Callable[[], object] = lambda: None,
) -> Shell:
    """A shell with its panels, and in `table` all that can be done in it.

    Args:
        tools: those over its picture, whose commands are among the others.
        state: how the window was left. messages: what opening files brought, as MessagesPanel takes it.
        document: what the window shows as a file. recent: files that were opened before, the last one first.
        scale: of text and spacing. preset, rebound: keys, as CommandTable takes them.
        before: of the scene that the window has shown before this one, whose settings go on.
        toggle_fullscreen: lets the window have the whole screen, or its own place again.
    """
    question_box = QuestionBox(lambda: document.question, document.answer)
    shell = Shell(backend, state, question_box, scale=scale)
    shell.remembered = Remembered(
        editor.view,
        tools,
        kept=state.settings,
        before=None if before is None else before.remembered,
    )
    tools.gizmo.scale = scale
    document.ask_path = shell.ask_path

    def frame_selection() -> None:
        run("view.frame")

    def draw_menu() -> None:
        menus.draw_context_menu(shell.table)

    def run(command_id: str) -> None:
        shell.table.run(shell.table[command_id])

    inspector = Inspector(
        editor,
        tools.gizmo.settings,
        run=run,
        ask_path=shell.path_box.ask,
        image_of=backend.image_of,
        expect_field=shell.focus.expect_field,
    )
    outliner = Outliner(editor, frame_selection=frame_selection, draw_menu=draw_menu)
    bookmarks = BookmarkList(editor)
    shell.panels += [
        outliner,
        inspector,
        BookmarksPanel(bookmarks),
        MessagesPanel(editor, messages),
        HistoryPanel(editor),
    ]
    commands = all_commands(
        editor=editor,
        tools=tools,
        bookmarks=bookmarks,
        document=document,
        waiting=Waiting(files, editor.work, document),
        recent=recent,
        shell=shell,
        outliner=outliner,
        inspector=inspector,
        picture_size=lambda: shell.picture.size,
        toggle_fullscreen=toggle_fullscreen,
    )
    shell.table = CommandTable(commands, preset=preset, rebound=rebound)

    def refuse(command: Command) -> None:
        if command.refusal:
            editor.log.say("info", f"{command.label}: {command.refusal}")

    shell.table.refuse = refuse
    return shell
