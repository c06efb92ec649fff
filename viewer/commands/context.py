"""Context: what commands act on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene import Edit, Scene
from octoscope.viewer.commands.forms import Form
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.document.document import Document
from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.memo import Memo
from octoscope.viewer.editing.missing_meshes import MissingMeshFinder
from octoscope.viewer.editing.script import Script
from octoscope.viewer.editing.selection import SelectionFacts, selection_facts
from octoscope.viewer.frame.streamed_scene import Stream
from octoscope.viewer.frame.view import View
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.tools.tools import Tools


@dataclass(eq=False)
class Context:
    """The parts of a window that commands act on."""

    editor: Editor  # changes the scene
    tools: Tools  # select, camera, gizmo
    document: Document  # the scene as a file
    recent: Sequence[Path]  # files that were opened before, the last one first
    image_of: Callable[[np.ndarray], Any]  # from pixels, (h, w, 4) uint8, to an image of Dear ImGui for this frame
    ask: Callable[[Form], object]  # lets the user fill in a form
    ask_path: Callable[[PathRequest], object]  # lets the user name a file
    rename: Callable[[], object]  # lets the user type a name for the active node
    find: Callable[[], object]  # lets the user type a name to look for
    run: Callable[[str], object]  # runs a command by its id
    show_panel: Callable[[str], object]  # opens a panel by its id, and brings it to the front
    is_in_front: Callable[[str], bool]  # returns whether a panel is open and no other tab hides it, by its id
    expect_field: Callable[[], object]  # called before a text field appears, which takes the keyboard
    open_menu: Callable[[str], object]  # opens a menu by its path at the mouse, as "Object/Snap"
    stop: Callable[[], object]  # cancels the innermost operation, as Esc does
    shown_keys: Callable[[str], str]  # returns the keys of a command by its id
    copy: Callable[[str], object]  # puts a text on the clipboard
    paste: Callable[[], str]  # returns the text on the clipboard, or ""
    table: Callable[[], CommandTable]  # returns all commands, once the window has them
    settings: Settings  # config.toml
    script: Script  # names, controls and calls of scripts and the console
    stream: Stream | None = None  # brings in parts of a scene that is streamed

    def __post_init__(self) -> None:
        self.missing_meshes = MissingMeshFinder(self.scene)  # the nodes whose files are missing
        self._facts: Memo[SelectionFacts] = Memo()

    @property
    def view(self) -> View:
        """The view that shows the scene."""
        return self.editor.view

    @property
    def scene(self) -> Scene:
        """The scene that commands change."""
        return self.editor.scene

    @property
    def selected_ids(self) -> np.ndarray:
        """(s,) int32; the last is the active one."""
        return self.editor.selected_ids

    @property
    def facts(self) -> SelectionFacts:
        """Properties of the selection that decide which commands can run."""
        scene, ids = self.scene, self.selected_ids
        return self._facts.get(ids, (scene.tree_revision,), lambda: selection_facts(scene, ids))

    @property
    def is_shown(self) -> np.ndarray:
        """The nodes that are neither hidden nor left out by isolation, (n,) bool by node id."""
        mask = np.zeros(self.scene.row_count, dtype=bool)
        mask[self.view.visibility.shown_ids()] = True
        return mask

    def change(self, operation: Callable[..., Edit], *arguments: object, **options: object) -> None:
        """Run an operation of scene.editing on the selected nodes."""
        self.editor.run_on_nodes(self.selected_ids, operation, *arguments, **options)


def has_selection(context: Context) -> bool:
    """Return whether any node is selected."""
    return len(context.selected_ids) > 0
