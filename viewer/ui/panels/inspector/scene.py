"""The foldout about the scene, while nothing is selected: what is in it, how large it is, where it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.scene.conventions.length_unit import LENGTH_UNITS
from octoscope.scene.measuring import Lengths
from octoscope.scene.mesh_references import files_in_use
from octoscope.scene.one_object_files import one_object_files
from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.frame.stats import counts_text
from octoscope.viewer.ui.imgui.items import cut_text, item, rows_in_sight
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import draw_box, fact, link

_MOST_SEEN = 8  # files, of which the others are scrolled to
_EVERYTHING = np.empty(0, dtype=np.int32)


class SceneFoldout:
    """The foldout about the scene of an editor."""

    def __init__(self, editor: Editor, run: Callable[[str], object]) -> None:
        self._editor = editor
        self._run = run  # a command by its id
        self._counts: Memo[list[tuple[str, str]]] = Memo()
        self._files: Memo[list[Path]] = Memo()

    def draw(self, state: State, theme: Theme) -> None:
        """Draw the foldout."""
        scene = self._editor.scene
        key = (*state, scene.materials_revision, len(scene.materials))
        for name, text in self._counts.get(_EVERYTHING, key, lambda: _counts_of(scene)):
            fact(theme, name, text)
        draw_box(theme, self._editor.view.index.bounds(), Lengths.of(scene))
        if link(theme, "unit", scene.length_unit or "None: choose one", "what one unit of the scene is"):
            imgui.open_popup("units")
        if imgui.begin_popup("units"):
            for unit in LENGTH_UNITS:
                if imgui.menu_item_simple(item(unit or "None", f"unit {unit}"), "", unit == scene.length_unit):
                    self._run(f"scene.unit_{unit or 'none'}")
            imgui.end_popup()
        fact(theme, "up axis", scene.up_axis.upper())
        files = self._files.get(_EVERYTHING, state, lambda: files_in_use(scene))
        if len(files) == 1:
            fact(theme, "file", printable(files[0].name))
        elif files:
            fact(theme, "files", f"{len(files):,}")
            _draw_names(files)


def _draw_names(files: Sequence[Path]) -> None:
    height = imgui.get_text_line_height_with_spacing()
    if imgui.begin_child("files", (0.0, height * min(len(files), _MOST_SEEN))):
        for row in rows_in_sight(len(files), height):
            cut_text(printable(files[row].name))
    imgui.end_child()


def _counts_of(scene: Scene) -> list[tuple[str, str]]:
    """Return labels and counts over the whole scene; those of meshes count once for each object that shows them."""
    objects = int((scene.mesh_ids >= 0).sum())
    groups = len(scene) - objects - len(one_object_files(scene)[0])  # as the outliner shows them
    elements = (scene.element_count(element) for element in ("triangle", "line", "point"))
    return [
        ("objects", f"{objects:,}"),
        *([("groups", f"{groups:,}")] if groups else []),
        ("shows", counts_text(*elements)),
        ("vertices", f"{scene.element_count('vertex'):,}"),
        ("materials", f"{len(scene.used_materials):,}"),
    ]
