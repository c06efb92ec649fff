"""ShownScene, OpenWindow: what scripts and the console do with a browser's page, and with a window."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

import octoscope
from octoscope.guesses import public
from octoscope.scene import History, Nodes, Scene
from octoscope.viewer.camera.camera import Camera, require_camera
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Command
from octoscope.viewer.editing.controls import Control
from octoscope.viewer.window.keys import Chord

SCRIPT_MENU = "Tools/Script"
GUESSES: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("add_key_event", "bind", "key_callback"), "window.on_key(key, function)"),
        **dict.fromkeys(("add_button", "add_button_widget"), "window.button(label, on_click)"),
        **dict.fromkeys(("add_slider", "add_slider_widget"), "window.slider(label, lowest, highest, value, on_change)"),
        **dict.fromkeys(("add_checkbox", "add_checkbox_button_widget"), "window.checkbox(label, value, on_change)"),
        "add_dropdown": "window.dropdown(label, choices, value, on_change)",
        "add_mesh": "window.scene.add_mesh(name, vertices, faces)",
        "fit": "window.frame(nodes)",
        "pick": "window.scene.raycast(*window.camera.ray_through_pixel(pixel, size)); on_select tells of clicks",
        "select": "window.selection = nodes",
        "selected": "it is called selection",
    }
)


@public(instead=GUESSES)
class ShownScene:
    """A scene that a window or a browser shows: scene, selection, history and commands; controls and keys of a script.

    Functions of controls and keys are called between two frames. What one call changes in the scene is one undo; what
    it raises is told where the scene is shown, and on standard error.
    """

    def __init__(self, context: Context) -> None:
        self._context, self._editor, self._script = context, context.editor, context.script
        self._script.names.update(scene=context.scene, window=self, np=np, octoscope=octoscope)

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self._editor.scene

    @property
    def history(self) -> History:
        """The history of edits, for undo and redo; a script's edits through it can be undone by a person."""
        return self._editor.history

    @property
    def selection(self) -> Nodes:
        """The selected nodes, the active one last; can be set to any nodes."""
        return Nodes(self.scene, self._editor.selected_ids)

    @selection.setter
    def selection(self, nodes: ArrayLike) -> None:
        self.history.select(self._ids_of(nodes))

    def button(self, label: str, on_click: Callable[[], object]) -> Control:
        """Add a button to the panel of scripts, which calls a function that takes nothing."""
        return self._add("button", label, None, on_click)

    def slider(
        self,
        label: str,
        lowest: float,
        highest: float,
        value: float | None = None,
        on_change: Callable[[float], object] | None = None,
    ) -> Control:
        """Add a slider: of whole numbers if all that it is given are. All of one drag is one undo.

        Args:
            value: at first; None: the lowest.
            on_change: takes the value; None: `value` of what is returned is read.

        Raises:
            ValueError: the value lies outside.
        """
        begin = lowest if value is None else value
        return self._add("slider", label, begin, on_change, lowest=lowest, highest=highest)

    def checkbox(self, label: str, value: bool = False, on_change: Callable[[bool], object] | None = None) -> Control:
        """Add a check box; `on_change` takes True or False."""
        return self._add("checkbox", label, value, on_change)

    def dropdown(
        self,
        label: str,
        choices: Sequence[str],
        value: str | None = None,
        on_change: Callable[[str], object] | None = None,
    ) -> Control:
        """Add a list of which one is chosen, at first the first; `on_change` takes the choice.

        Raises:
            ValueError: the value is none of the choices, or there are none.
        """
        begin = next(iter(choices), "") if value is None else value
        return self._add("dropdown", label, begin, on_change, choices=choices)

    def text_field(self, label: str, value: str = "", on_change: Callable[[str], object] | None = None) -> Control:
        """Add a field to type in; `on_change` takes the text once it is entered."""
        return self._add("text", label, value, on_change)

    @property
    def commands(self) -> dict[str, str]:
        """The names of all commands, as `run_command` and config.toml take them, with their labels."""
        return {command.id: command.label for command in self._context.table().commands}

    def run_command(self, name: str) -> None:
        """Run a command of the menus; one that asks for something opens its box and returns.

        Raises:
            ValueError: there is no such command, or it cannot be run now; the message is one line that says why.
        """
        self._require_open()
        table = self._context.table()
        if name not in self.commands:
            near = "".join(f"; did you mean {each!r}?" for each in difflib.get_close_matches(name, self.commands, n=1))
            raise ValueError(f"there is no command {name!r}{near or '; window.commands has all names'}")
        command = table[name]
        if not command.enabled():
            raise ValueError(f"{command.label}: {command.refusal or 'this cannot be done now'}")
        table.run(command)

    def on_key(self, key: str, function: Callable[[], object], *, label: str = "") -> None:
        """Call a function whenever a key is pressed; menu, palette and list of keys have it as a command.

        Args:
            key: as config.toml has them, such as "k", "F6" or "Ctrl+Shift+K".
            function: takes nothing; another one for the same key takes its place.
            label: of the command; "": the name of the function.

        Raises:
            ValueError: there is no such key, or a command has it; the message is one line.
        """
        self._require_open()
        chord, table = Chord.parse(key), self._context.table()
        command_id = f"script.{str(chord).lower()}"
        owner = table.owner_of(chord)
        if owner is not None and owner.id != command_id:
            raise ValueError(f"{chord} is the key of {owner.label!r} ({owner.id}); choose another")
        label = label or getattr(function, "__name__", "").strip("<>") or str(chord)
        run = partial(self._script.call_later, label, function)
        table.add(Command(command_id, label, run, SCRIPT_MENU, keys=(str(chord),), description="by a script"))

    def _add(self, *arguments: object, **options: object) -> Control:
        self._require_open()
        return self._script.add(*arguments, **options)

    def _require_open(self) -> None:
        """Raise a ValueError if it was closed."""

    def _ids_of(self, nodes: ArrayLike) -> np.ndarray:
        """Return the ids of nodes, (k,) int32; ValueError: they belong to another scene."""
        return self.scene.checked_ids(nodes, alive=True).astype(np.int32)


@public(instead=GUESSES)
class OpenWindow(ShownScene):
    """A window that is open: what a browser has, too, and the camera."""

    @property
    def camera(self) -> Camera:
        """The camera of the active viewport; can be set, for example to dataclasses.replace(camera, distance=5)."""
        return self._context.view.camera

    @camera.setter
    def camera(self, camera: Camera) -> None:
        require_camera(camera)
        self._context.view.camera = camera

    def frame(self, nodes: ArrayLike | None = None) -> None:
        """Move the camera so that nodes and their descendants fill the picture; None: everything that is shown."""
        self._require_open()
        self._context.view.update()
        self._context.view.framing.frame_nodes(None if nodes is None else self._ids_of(nodes))
