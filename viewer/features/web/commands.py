"""BrowserCommands: the window's own commands in browsers, as menus of buttons, keys and entries of a palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from octoscope.scene import Scene, editing, save_project
from octoscope.scene.annotations.labels import spans_of
from octoscope.scene.formats.export import unshown_lines
from octoscope.scene.nodes.node_table import NO_PARENT
from octoscope.scene.project.paths import PROJECT_ENDINGS
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.commands.menus.all_commands import commands_of_menus
from octoscope.viewer.commands.table import MENUS, Command, CommandTable
from octoscope.viewer.editing.editor import REFUSED
from octoscope.viewer.editing.selection import AN_OBJECT
from octoscope.viewer.features.web.controls import Controls
from octoscope.viewer.features.web.forms import BrowserForms
from octoscope.viewer.features.web.front import MOST_TEXTS
from octoscope.viewer.window.keys import Chord

# The page's names of keys, by ours; the camera moves by the arrows, and by some letters.
_KEYS: dict[str, Any] = {
    **{letter: letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"},
    **{f"NUMBER_{digit}": str(digit) for digit in range(10)},
    **{name: name.lower() for name in ("SPACE", "ENTER", "ESCAPE", "TAB", "BACKSPACE", "DELETE", "INSERT")},
    **{name: name.lower().replace("_", "") for name in ("HOME", "END", "PAGE_UP", "PAGE_DOWN")},
}
_CAMERA_KEYS = frozenset("WASDQE")
_WHY_MISSING = (
    "These need the program's own window: its picture, light and views, its mouse and keys, or the files of the "
    "machine where it runs. Drag with Shift to select by a box; rows of the tree cannot be dragged: *Move into* does "
    "the same. Function keys, punctuation keys and the keys that move the camera run no commands."
)


def left_out(scene: Scene) -> list[str]:
    """Return a line for each thing of a scene that browsers do not show."""
    lines = ["shadows and ambient occlusion are left out, and the page has lights of its own", *unshown_lines(scene)]
    for name, drawn in (("measurements", scene.measurements), ("labels", scene.labels)):
        count = sum(each.is_shown for each in drawn)
        if count > MOST_TEXTS:
            lines.append(f"only {MOST_TEXTS} of {count:,} {name} are drawn")
    if any(span.link for label in scene.labels for span in spans_of(label.text)):
        lines.append("links in labels cannot be followed")
    return lines


def missing_text(scene: Scene, commands: Sequence[Command]) -> str:
    """Return Markdown of what browsers do not show of a scene, and of the commands that need a window, by menus."""
    menus: dict[str, list[str]] = {}
    for command in commands:
        if command.needs_window:
            menus.setdefault(command.menu.replace("/", " > "), []).append(command.label)
    listed = [f"- *{menu}*: {', '.join(labels)}" for menu, labels in menus.items()]
    return "\n".join([*(f"- {line}" for line in left_out(scene)), "", _WHY_MISSING, "", *listed])


def page_key(chord: Chord) -> dict[str, Any] | None:
    """Return the arguments by which viser binds a key; None if the page cannot, or uses the key itself."""
    held = [name for name, is_held in (("cmd/ctrl", chord.ctrl), ("alt", chord.alt), ("shift", chord.shift)) if is_held]
    if chord.key not in _KEYS or (chord.key in _CAMERA_KEYS and not held):
        return None
    return {"hotkey": _KEYS[chord.key], "modifier": "+".join(held) or None}


def _browser_commands(context: Context, forms: BrowserForms) -> Iterator[Command]:
    """Yield what a window does in other ways: by drags in the outliner, by saving under another name."""

    def move(name: str) -> None:
        scene = context.scene
        found = np.flatnonzero((scene.names == name) & scene.alive) if name else [NO_PARENT]
        if len(found) == 1:
            context.change(editing.reparent, int(found[0]))
        else:
            missing = "nothing is" if len(found) == 0 else f"{len(found):,} objects are"
            context.editor.log.say("error", f"Move into: {missing} called {printable(name)}", REFUSED)

    def ask_parent() -> None:
        parent = int(context.scene.parents[context.selected_ids[-1]])
        before = "" if parent == NO_PARENT else str(context.scene.names[parent])
        forms.ask_text("Move into", "Name of the parent; nothing: the top", before, move)

    yield Command(
        "object.move_into",
        "Move into",
        ask_parent,
        "Object/Hierarchy",
        description="another parent, by its name, in place",
        enabled=lambda: has_selection(context),
        refusal=AN_OBJECT,
        asks=True,
        after="object.to_root",
        repeats=True,
    )
    yield Command(
        "file.download_project",
        "Download project",
        partial(context.document.export, PROJECT_ENDINGS[0], save_project),
        "File",
        description="the edits as a project, which names its files where the program runs",
        after="file.save",
    )


class BrowserCommands:
    """The commands that browsers have, bound to a context.

    Args:
        more: commands of features.
        refuse: called with each command that cannot run when a browser asks for it.
        forms: asks the browser that has run a command.
    """

    def __init__(
        self,
        controls: Controls,
        context: Context,
        more: Sequence[Command],
        refuse: Callable[[Command], object],
        forms: BrowserForms,
    ) -> None:
        every = [*commands_of_menus(context), *more]
        about = "Not in browsers"

        def tell() -> None:
            forms.tell(about, missing_text(context.scene, every))

        self.table = CommandTable(
            [
                *(each for each in every if not each.needs_window),
                *_browser_commands(context, forms),
                Command("help.not_in_browsers", about, tell, "Help"),
            ],
            refuse=refuse,
        )
        self._controls = controls
        self._entries: set[str] = set()  # commands that the palette has, by their ids
        self._buttons: list[tuple[Command, Any]] = []
        self._rows: list[tuple[list[Command], Any]] = []
        self._shown: dict[int, tuple[str, bool]] = {}  # of each button: label, and whether it is on

    def add_row(self, title: str, command_ids: Sequence[str]) -> None:
        """Add a row of buttons for commands, which say what they would apply to."""
        commands = [self.table[command_id] for command_id in command_ids]

        def run(label: str) -> None:
            for command in commands:
                if command.label_now == label:
                    self.table.run(command)

        self._rows.append((commands, self._controls.buttons(title, [each.label for each in commands], run)))

    def run(self, command_id: str) -> None:
        """Run a command, if it can be done now."""
        self.table.run(self.table[command_id])

    def add_menus(self) -> None:
        """Add a folder of buttons for each menu."""
        for menu in MENUS:
            if self.table.in_menu(menu):
                self._add_menu(menu)

    def _add_entry(self, command: Command) -> None:
        """Add an entry of the palette, which has the key of the command if pages have that."""
        self._entries.add(command.id)
        keys = next(filter(None, map(page_key, self.table.keys_of(command))), {})
        label = command.label + ("…" if command.asks else "")
        self._controls.command(label, partial(self.run, command.id), description=command.description, **keys)

    def _add_menu(self, menu: str) -> None:
        with self._controls.gui.add_folder(menu.rpartition("/")[2], expand_by_default=False):
            for item in self.table.in_menu(menu):
                if isinstance(item, str):
                    self._add_menu(item)
                else:
                    self._add_button(item)

    def _add_button(self, command: Command) -> None:
        button = self._controls.button(command.label, partial(self.table.run, command), hint=command.description)
        self._buttons.append((command, button))

    def update(self) -> None:
        """Show what commands would apply to, and which are on; all are in the palette."""
        for command in self.table.commands:
            if command.id not in self._entries:
                self._add_entry(command)
        for number, (command, button) in enumerate(self._buttons):
            now = command.label_now, command.is_on
            if now != self._shown.get(number):
                self._shown[number] = now
                button.label, button.color = now[0], "orange" if now[1] else "gray"
        for commands, row in self._rows:
            labels = tuple(command.label_now for command in commands)
            if labels != row.options:
                row.options = labels
