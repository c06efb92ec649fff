"""MaterialList: the materials of a scene as rows, and what a user does to them, each with undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from octoscope.scene import Material, Texture, change_scene
from octoscope.scene.editing.material_list import MaterialRow, assign_material, free_material_names, material_rows
from octoscope.scene.selecting import with_material_ids
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.material_editing import MaterialEditing

_IMAGE_ROUGHNESS = 0.6  # of a material that is made from an image: most pictures are of matt things


class MaterialList:
    """The materials that objects show, and those that are kept for later.

    Attributes:
        query: a part of the names of the rows.
    """

    def __init__(self, context: Context) -> None:
        self.query = ""
        self._context = context
        self._scene = context.scene
        self._editing = MaterialEditing(context.editor)
        self._current: Material | None = None
        self._found_in: list[MaterialRow] | None = None  # the rows among which `_found` was looked for
        self._found: MaterialRow | None = None
        self._all: list[MaterialRow] = []
        self._state: tuple[object, ...] = ()

    @property
    def all(self) -> list[MaterialRow]:
        """All rows, as they were before a drag that is under way."""
        scene = self._scene
        versions = scene.column_versions.get("material"), scene.tree_revision, scene.materials_revision
        state = (*versions, len(scene.materials), id(scene.meshes), id(scene.unused_materials))
        if state != self._state and (not self._state or self._context.editor.history.transaction is None):
            self._state, self._all = state, material_rows(scene, self._editing.use)
        return self._all

    @property
    def rows(self) -> list[MaterialRow]:
        """Those of the rows that match the query."""
        part = self.query.casefold()
        return [row for row in self.all if part in row.material.name.casefold()] if part else self.all

    @property
    def current(self) -> MaterialRow | None:
        """The row that was chosen last; after a change of its values the one that has its name."""
        rows = self.all
        if rows is not self._found_in:  # not in each frame: there may be thousands
            self._found_in, self._found = rows, None
            named = [row for row in rows if self._current is not None and row.material.name == self._current.name]
            self._found = next((row for row in named if row.material == self._current), named[0] if named else None)
        return self._found

    def choose(self, material: Material) -> None:
        """Make a material the current one."""
        self._current, self._found_in = material, None

    def add(self, material: Material) -> None:
        """Add a material, under a name that is free, and choose it; no object shows it yet."""
        self._keep_copy(material, "Add")

    def add_from_image(self, path: Path) -> None:
        """Add a material whose base colour is an image, which is read in the background."""

        def show(texture: Texture) -> None:
            white = 1.0, 1.0, 1.0
            self.add(Material(path.stem, base_color=white, roughness=_IMAGE_ROUGHNESS, base_color_texture=texture))

        self._editing.read_image(path, show)

    def duplicate(self, row: MaterialRow) -> None:
        """Add a copy of a material, which no object shows yet."""
        self._keep_copy(row.material, "Duplicate")

    @property
    def has_targets(self) -> bool:
        """True if an object with a mesh is selected."""
        return self._context.facts.shown > 0

    def assign(self, material: Material) -> None:
        """Have the selected objects show a material."""
        self._context.change(assign_material, material)

    def select_objects(self, row: MaterialRow) -> None:
        """Select the objects that show a material, all over or on a part."""
        ids = np.array(row.ids, dtype=np.int32)
        self._context.editor.select(with_material_ids(self._scene, ids, self._context.is_shown))

    def rename(self, row: MaterialRow, name: str) -> None:
        """Rename a material; an empty name changes nothing."""
        self.choose(self._editing.rename(row.material, name))

    @property
    def unused(self) -> list[Material]:
        """The materials that no object shows."""
        return [row.material for row in self.all if not row.ids]

    def remove_unused(self) -> None:
        """Remove all materials that no object shows."""
        count = len(self.unused)
        self._keep((), f"Remove {count:,} unused {'material' if count == 1 else 'materials'}")

    def remove(self, row: MaterialRow) -> None:
        """Remove one that no object shows."""
        left = [each for each in self._scene.unused_materials if each != row.material]
        self._keep(left, f"Remove material {row.material.name}")

    def _keep_copy(self, material: Material, verb: str) -> None:
        names = free_material_names(self._scene, self._editing.use)
        copy = replace(material, name=names.take(material.name))
        self._keep((*self._scene.unused_materials, copy), f"{verb} material {material.name}")
        self.choose(copy)

    def _keep(self, materials: Sequence[Material], label: str) -> None:
        self._context.editor.do(change_scene(self._scene, unused_materials=materials, label=label))
