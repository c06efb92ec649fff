"""BrowserMaterials: the material of the selection in browsers: which it is, its colour, roughness and metal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from octoscope.scene import DEFAULT_MATERIAL, Material
from octoscope.scene.editing.material_list import MaterialRow
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.table import Command
from octoscope.viewer.editing.editor import LiveEdit
from octoscope.viewer.editing.material_editing import MaterialEditing
from octoscope.viewer.features.materials_panel.feature import Parts, command
from octoscope.viewer.features.materials_panel.material_list import MaterialList
from octoscope.viewer.features.web.front import BrowserFront, BrowserPart

_REST_SECONDS = 0.5  # after the last step of a drag, which is one entry of the history


class BrowserMaterials:
    """A list of materials, and the values of the one that the active object shows."""

    def __init__(self, front: BrowserFront) -> None:
        self._context = front.context
        self._scene = front.context.scene
        self._materials = MaterialList(front.context)
        self._editing = MaterialEditing(front.editor)
        self._live: LiveEdit | None = None
        self._changed = 0.0  # when a value was changed last
        self._state: tuple[object, ...] = ()
        self._shown: dict[str, object] = {}  # what both sides had last, by the names of fields

        def rename(row: MaterialRow) -> None:
            front.forms.ask_text("Rename material", "Name", row.title, partial(self._materials.rename, row))

        self.commands: Sequence[Command] = command.bound_to(Parts(front.context, self._materials, rename))
        gui = front.controls.gui
        self._folder: Any = gui.add_folder("Material", visible=False, expand_by_default=False)
        with self._folder:
            self._handles: dict[str, Any] = {
                "name": gui.add_dropdown("Material", ("",)),
                "base_color": gui.add_rgb("Colour", (0, 0, 0)),
                "roughness": gui.add_slider("Roughness", 0.0, 1.0, 0.01, 0.0),
                "metallic": gui.add_slider("Metallic", 0.0, 1.0, 0.01, 0.0),
            }
        for name, handle in self._handles.items():
            front.controls.follow(handle, partial(self._take, name))

    def _take(self, name: str) -> None:
        """Take what a browser has set."""
        value = self._handles[name].value
        if value == self._shown.get(name):  # set by `update`
            return
        self._shown[name] = value
        if name == "name":
            for row in self._materials.all:
                if printable(row.title) == value:
                    self._materials.choose(row.material)
                    self._materials.assign(row.material)
                    break  # others have the same name
            return
        if self._live is None or not self._live.is_alive:
            self._live = self._context.editor.begin_live()
        self._changed = time.monotonic()
        made: Any = tuple(part / 255.0 for part in value) if name == "base_color" else value
        self._editing.change(self._context.selected_ids, self._live, **{name: made})

    def update(self) -> None:
        """Show the material of the active object, unless its values are being set."""
        if self._live is not None and time.monotonic() - self._changed > _REST_SECONDS:
            self._live.commit()
            self._live = None
        scene, ids = self._scene, self._context.selected_ids
        state = ids.tobytes(), scene.version, scene.materials_revision
        if state == self._state or self._live is not None:
            return
        self._state = state
        ids = ids[scene.mesh_ids[ids] >= 0][-1:]
        self._folder.visible = len(ids) > 0
        if len(ids):
            self._show(scene.materials[int(self._editing.use.first(ids)[0])])

    def _show(self, material: Material) -> None:
        if material != DEFAULT_MATERIAL:
            self._materials.choose(material)
        titles = {row.material: printable(row.title) for row in self._materials.all}
        name = titles.get(material, printable(material.name))
        self._handles["name"].options = tuple(dict.fromkeys((name, *titles.values())))
        self._shown = {
            "name": name,
            "base_color": tuple(np.round(np.array(material.base_color) * 255.0).astype(int).tolist()),
            "roughness": round(material.shown_roughness, 2),
            "metallic": round(material.metallic, 2),
        }
        for field, handle in self._handles.items():
            handle.value = self._shown[field]


PART = BrowserPart(BrowserMaterials)
