"""Inspector: the panel with the properties of the selection."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from imgui_bundle import imgui

from octoscope.scene.system.text_file import printable
from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.memo import State, state_of
from octoscope.viewer.tools.gizmo.settings import GizmoSettings
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.held_edit import HeldEdit
from octoscope.viewer.ui.panels.inspector.material import MaterialFoldout
from octoscope.viewer.ui.panels.inspector.mesh import MeshFoldout
from octoscope.viewer.ui.panels.inspector.properties import PropertiesFoldout
from octoscope.viewer.ui.panels.inspector.rows import Headings, NameField, fields_of, quiet
from octoscope.viewer.ui.panels.inspector.scene import SceneFoldout
from octoscope.viewer.ui.panels.inspector.texture import ImageOf
from octoscope.viewer.ui.panels.inspector.transform import TransformFoldout

_FOLDOUTS = "transform", "material", "mesh"
_VERY_MANY = 200_000  # objects


class NodeFoldout(Protocol):
    """Facts of one node."""

    @property
    def title(self) -> str:
        """The heading above it."""

    def is_for(self, ids: np.ndarray, state: State) -> bool:
        """Return whether it is drawn for the last of some nodes; `state` as for `draw`."""

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw it for the last of the ids; facts are kept until the scene has another state."""


class Inspector:
    """Name, transform, material and mesh of the selection; facts of the scene while there is none."""

    id, title, place, keys, starts_open = "inspector", "Inspector", "right", ("Ctrl+2",), True

    def __init__(
        self,
        editor: Editor,
        settings: GizmoSettings,
        *,
        run: Callable[[str], object],
        ask_path: Callable[[PathRequest], object],
        image_of: ImageOf,
        expect_field: Callable[[], object],
        foldouts: Sequence[NodeFoldout] = (),
    ) -> None:
        self.headings = Headings()
        self._editor = editor
        self._held = HeldEdit(editor)
        self._transform = TransformFoldout(editor, settings, self._held, expect_field)
        self._material = MaterialFoldout(editor, self._held, run=run, ask_path=ask_path, image_of=image_of)
        self._mesh = MeshFoldout(editor, run)
        self._more = [PropertiesFoldout(editor), *foldouts]
        self._scene = SceneFoldout(editor, run)
        self._state: State = ()
        self._name = NameField()
        self._foldouts_of: tuple[np.ndarray | None, State] = (None, ())
        self._foldout_count = 0

    def draw(self, theme: Theme) -> None:
        """Draw the foldouts."""
        self._held.follow()
        ids = self._editor.selected_ids
        if self._editor.history.transaction is None:  # facts need no update during a drag
            self._state = state_of(self._editor.scene)
        if not len(ids):
            self._draw_scene(theme)
            return
        if self._editor.read_only is not None:
            quiet(theme, f"read only: {self._editor.read_only}")
        self._draw_name(ids, theme)
        self._note_foldouts(ids)
        if self.headings.draw("Transform", theme) and self._has_come("transform"):
            self._transform.draw(ids, theme)
        if self.headings.draw("Material", theme) and self._has_come("material"):
            self._material.draw(ids, self._state, theme)
        if self._has_come("mesh") and self.headings.draw(
            "Group" if self._mesh.facts_of(ids, self._state).below else "Mesh", theme
        ):
            self._mesh.draw(ids, self._state, theme)
        for more in self._more:
            if more.is_for(ids, self._state) and self.headings.draw(more.title, theme):
                more.draw(ids, self._state, theme)

    def _note_foldouts(self, ids: np.ndarray) -> None:
        """Show one foldout more in each frame if very many objects are selected, after outliner and picture."""
        if self._foldouts_of[0] is not ids or self._foldouts_of[1] != self._state:
            self._foldouts_of = ids, self._state
            self._foldout_count = len(_FOLDOUTS) if len(ids) < _VERY_MANY else -2
        self._foldout_count += 1

    def _has_come(self, name: str) -> bool:
        return _FOLDOUTS.index(name) < self._foldout_count

    def cancel(self) -> bool:
        """Undo what the held field has done, and return whether it had done something."""
        if not self._held.is_running:
            return False
        self._material.cancel_drag()
        self._transform.cancel_drag()
        self._held.cancel()
        return True

    def _draw_scene(self, theme: Theme) -> None:
        quiet(theme, "nothing is selected")
        imgui.spacing()
        if self.headings.draw("Scene", theme):
            self._scene.draw(self._state, theme)

    def _draw_name(self, ids: np.ndarray, theme: Theme) -> None:
        scene = self._editor.scene
        if len(ids) > 1:
            imgui.text(f"{len(ids):,} objects")
            return
        node_id = int(ids[0])
        with fields_of(self._editor):
            name = self._name.draw("##name", str(scene.names[node_id]), ids)
        if name is not None:
            self._editor.rename(node_id, name)
        parent = int(scene.parents[node_id])
        if parent >= 0:
            quiet(theme, f"in {printable(scene.path_of(parent))}")
