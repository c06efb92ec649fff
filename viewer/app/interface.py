"""The interface of a window put together: its panels, and the table of all its commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from viewer.app.preferences import Remembered
from viewer.app.waiting import Waiting
from viewer.commands.context import Context
from viewer.commands.menus import commands_of_menus
from viewer.commands.table import Command, CommandTable
from viewer.document.document import Document
from viewer.document.import_report import Message
from viewer.document.source_files import OpenFiles
from viewer.editing.bookmark_list import BookmarkList
from viewer.editing.editor import Editor
from viewer.settings.config import WindowState
from viewer.tools.tools import Tools
from viewer.ui import shell_commands
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
    question_box = QuestionBox(lambda: document.question, document.flows.answer)
    shell = Shell(backend, state, question_box, scale=scale, toggle_fullscreen=toggle_fullscreen)
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
    waiting = Waiting(files, editor.work, document)

    def type_in_outliner(begin: Callable[[], object]) -> None:
        shell.show_panel(outliner.id)
        begin()
        shell.focus.expect_field()

    def stop() -> None:
        if not (inspector.cancel() or shell.close_menu() or tools.select.cancel() or waiting.cancel()):
            editor.select([])

    context = Context(
        editor=editor,
        tools=tools,
        document=document,
        bookmarks=bookmarks,
        recent=recent,
        ask=shell.form_box.ask,
        ask_path=shell.ask_path,
        rename=lambda: type_in_outliner(outliner.begin_rename),
        find=lambda: type_in_outliner(outliner.find),
        stop=stop,
        shown_keys=lambda command_id: shell.table.shown_keys(shell.table[command_id]),
        picture_size=lambda: shell.picture.size,
    )
    commands = (*commands_of_menus(context), *shell_commands.command.bound_to(shell))
    shell.table = CommandTable(commands, preset=preset, rebound=rebound)

    def refuse(command: Command) -> None:
        if command.refusal:
            editor.log.say("info", f"{command.label}: {command.refusal}")

    shell.table.refuse = refuse
    return shell
