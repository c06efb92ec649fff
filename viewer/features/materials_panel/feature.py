"""Materials as a feature."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from octoscope.scene import Material
from octoscope.scene.editing.material_list import MaterialRow
from octoscope.scene.mesh.images import TEXTURE_ENDINGS
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.document.file_names import PathRequest, folder_of
from octoscope.viewer.editing.selection import AN_OBJECT
from octoscope.viewer.features.materials_panel.material_list import MaterialList
from octoscope.viewer.features.materials_panel.panel import MaterialsPanel
from octoscope.viewer.settings.kept import number
from octoscope.viewer.tools.intents import Intent, KeyPress
from octoscope.viewer.ui.widgets.thumbnail_grid import SIZES


class Parts(NamedTuple):
    """What the commands act on."""

    context: Context
    materials: MaterialList
    begin_rename: Callable[[MaterialRow], object]


def _has_current(parts: Parts) -> bool:
    return parts.materials.current is not None


command = Declarations("Object/Material", after="object.replace_mesh")
of_current = partial(command, enabled=_has_current, refusal="choose a material in View > Panels > Materials")


@command(
    "material.new",
    "New material",
    "asks its name; no object shows it until it is assigned, and the inspector changes it",
    synonyms=("add material", "create material", "shader"),
)
def new(parts: Parts) -> None:
    parts.materials.add(Material("material"))
    rename(parts)


@command(
    "material.from_image",
    "New material from image",
    "whose base colour is a picture; no object shows it until it is assigned",
    asks=True,
    synonyms=("texture", "import images as materials"),
)
def from_image(parts: Parts) -> None:
    folder = folder_of(parts.context.scene.sources)
    request = PathRequest("New material from image", TEXTURE_ENDINGS, parts.materials.add_from_image, folder=folder)
    parts.context.ask_path(request)


@command(
    "material.assign",
    "Assign to selection",
    "the selected objects show the chosen material all over",
    enabled=lambda parts: _has_current(parts) and parts.materials.has_targets,
    refusal=f"choose a material in View > Panels > Materials, and {AN_OBJECT}",
    synonyms=("apply material", "link material"),
    repeats=True,
)
def assign(parts: Parts) -> None:
    if (row := parts.materials.current) is not None:
        parts.materials.assign(row.material)


@of_current("material.select", "Select objects of material", "that show the chosen material", synonyms=("find users",))
def select(parts: Parts) -> None:
    if (row := parts.materials.current) is not None:
        parts.materials.select_objects(row)


@of_current("material.rename", "Rename material", "in the panel; so do a double click, and the key of Rename there")
def rename(parts: Parts) -> None:
    if (row := parts.materials.current) is not None:
        parts.begin_rename(row)


@of_current("material.duplicate", "Duplicate material", "no object shows the copy yet", synonyms=("copy material",))
def duplicate(parts: Parts) -> None:
    if (row := parts.materials.current) is not None:
        parts.materials.duplicate(row)


@command(
    "material.remove",
    "Remove material",
    "if no object shows it",
    enabled=lambda parts: (row := parts.materials.current) is not None and not row.ids,
    refusal="choose a material that no object shows",
    synonyms=("delete material",),
)
def remove(parts: Parts) -> None:
    if (row := parts.materials.current) is not None:
        parts.materials.remove(row)


command(
    "material.remove_unused",
    "Remove unused materials",
    "all that no object shows",
    enabled=lambda parts: bool(parts.materials.unused),
    refusal="objects show all materials",
    synonyms=("purge", "clean up", "orphan data"),
)(lambda parts: parts.materials.remove_unused())


def _take_rename_key(parts: Parts, panel: MaterialsPanel, intent: Intent) -> bool:
    """Rename the chosen material by the key of Edit > Rename, while the panel has the keys."""
    if not (isinstance(intent, KeyPress) and panel.is_focused and _has_current(parts)):
        return False
    owner = parts.context.table().owner_of(intent.chord)
    if owner is None or owner.id != "edit.rename":
        return False
    rename(parts)
    return True


def _contribute(context: Context) -> Contribution:
    materials = MaterialList(context)
    panel = MaterialsPanel(context, materials)
    parts = Parts(context, materials, panel.begin_rename)
    return Contribution(
        panels=[panel],
        commands=command.bound_to(parts),
        tools=[partial(_take_rename_key, parts, panel)],
        settings={"materials.size": number(panel, "size", *SIZES)},
    )


PART = WindowPart(_contribute)
