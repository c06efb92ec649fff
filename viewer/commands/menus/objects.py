"""The Object menu."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np

from octoscope.scene import editing
from octoscope.scene.content import FileContent
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.formats.readers import read_file
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.scene.mesh.smoothing import USUAL_ANGLE_DEGREES
from octoscope.viewer.commands.context import Context, has_selection
from octoscope.viewer.commands.forms import Form, NumberField, Values
from octoscope.viewer.commands.menus.aligning import align_form
from octoscope.viewer.commands.menus.arrays import grid_form, path_form, ring_form, surface_form
from octoscope.viewer.commands.menus.mending import run_on_meshes
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.document.file_names import PathRequest, folder_of
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import Progress
from octoscope.viewer.editing.selection import AN_OBJECT

command = Declarations("Object", repeats=True)
adds = partial(command, menu="Object/Add", in_context_menu=False, repeats=False)
of_selection = partial(command, enabled=has_selection, refusal=AN_OBJECT)
of_two = partial(command, enabled=lambda context: context.facts.count > 1, refusal="select two or more objects")
of_children = partial(
    command, enabled=lambda context: context.facts.has_parents, refusal="select an object that has a parent"
)
of_meshes = partial(command, enabled=lambda context: context.facts.shown > 0, refusal="select an object with a mesh")


of_selection(
    "object.group",
    "Group",
    "make them children of a new node, in place",
    menu="Object/Hierarchy",
    keys=("Ctrl+G",),
    synonyms=("collection", "folder"),
)(lambda context: context.change(editing.group))

command(
    "object.ungroup",
    "Ungroup",
    "move the children up a level, in place, and delete the group",
    menu="Object/Hierarchy",
    keys=("Ctrl+Shift+G",),
    enabled=lambda context: context.facts.has_children,
    refusal="select a group",
    synonyms=("dissolve",),
)(lambda context: context.change(editing.ungroup))


@of_two(
    "object.parent",
    "Parent to active",
    "make the active object the parent of the others, in place",
    menu="Object/Hierarchy",
    keys=("P",),
    synonyms=("set parent", "link"),
)
def parent_to_active(context: Context) -> None:
    ids = context.selected_ids
    context.editor.run_on_nodes(ids[:-1], editing.reparent, int(ids[-1]))


of_children(
    "object.unparent",
    "Unparent",
    "move up a level in the tree, in place",
    menu="Object/Hierarchy",
    keys=("Shift+P",),
    synonyms=("clear parent",),
)(lambda context: context.change(editing.move_up))

of_children(
    "object.to_root", "Move to root", "move to the top of the tree, in place", menu="Object/Hierarchy", keys=("Alt+P",)
)(lambda context: context.change(editing.reparent, parent=-1))


for _down, _way, _key in ((False, "up", "Ctrl+Up"), (True, "down", "Ctrl+Down")):
    of_selection(
        f"object.order_{_way}",
        f"Move {_way} among siblings",
        f"one place {_way} in the outliner",
        menu="Object/Hierarchy",
        keys=(_key,),
        synonyms=("reorder", "sort", "arrange in outliner"),
    )(lambda context, down=_down: context.change(editing.reorder, down=down))


of_selection(
    "object.align",
    "Align",
    "move objects so that minimum, centre or maximum of their bounding boxes agree",
    menu="Object/Align",
    asks=True,
    synonyms=("align left", "align centre", "align objects", "line up", "flush"),
)(lambda context: context.ask(align_form(context)))


for _place, _axis in enumerate("xyz"):
    command(
        f"object.distribute_{_axis}",
        f"Distribute along {_axis.upper()}",
        "equal gaps; the first and the last stay in place",
        menu="Object/Align",
        separated=_axis == "x",
        enabled=lambda context: context.facts.count > 2,
        refusal="select three or more objects",
    )(lambda context, axis=_place: context.change(editing.distribute, axis=axis))


of_two(
    "object.lay_out",
    "Lay out in grid",
    "side by side on the ground, in rows",
    menu="Object/Align",
    synonyms=("arrange", "spread", "side by side", "contact sheet"),
)(lambda context: context.change(editing.lay_out))


for _declare, _id, _label, _what, _form, _names in (
    (of_selection, "array", "Array", "copies in a row or a grid", grid_form, ("repeat", "pattern", "copies in a grid")),
    (
        of_selection,
        "radial_array",
        "Radial array",
        "copies in a ring, or a part of one",
        ring_form,
        ("circular array", "polar array", "ring"),
    ),
    (
        of_selection,
        "array_along",
        "Array along path",
        "copies of the active object along a path: the other selected ones, the lines of one, or a measured path",
        path_form,
        ("curve", "follow path", "fence", "path array"),
    ),
    (
        of_two,
        "scatter",
        "Scatter on surface",
        "copies of the other selected objects at random points of the active one",
        surface_form,
        ("distribute on faces", "populate", "sprinkle", "instance on points", "array on surface"),
    ),
):
    _declare(f"object.{_id}", _label, _what, menu="Object/Array", asks=True, synonyms=_names)(
        lambda context, form=_form: context.ask(form(context))
    )


of_selection(
    "object.apply_transform",
    "Apply rotation and scale",
    "bake them into the mesh",
    menu="Object/Origin and scale",
    synonyms=("freeze transform", "bake", "reset scale"),
)(lambda context: context.change(editing.apply_transform))

of_meshes(
    "object.center_pivot",
    "Centre origin",
    "bring the origin to the middle of the mesh",
    menu="Object/Origin and scale",
    synonyms=("origin to geometry", "pivot"),
)(lambda context: context.change(editing.center_pivot))

of_meshes(
    "object.base_pivot",
    "Origin to base",
    "bring the origin to the middle of the lower side of the mesh's box",
    menu="Object/Origin and scale",
    synonyms=("origin to bottom", "pivot", "set origin"),
)(lambda context: context.change(editing.center_pivot, at_base=True))

command(
    "object.merge",
    "Merge",
    "join them into one object",
    separated=True,
    keys=("Ctrl+J",),
    enabled=lambda context: context.facts.shown > 1,
    refusal="select two or more objects with a mesh",
    synonyms=("join", "combine"),
)(lambda context: context.change(editing.merge))


@of_meshes(
    "object.separate",
    "Separate loose parts",
    "make an object of each connected part",
    menu="Object/Mesh",
    synonyms=("split", "explode"),
)
def separate(context: Context) -> None:
    run_on_meshes(context.editor, context.selected_ids, "separating loose parts", editing.separate)


@of_meshes(
    "object.smooth",
    "Smooth by angle",
    "smooth normals, split at edges sharper than an angle",
    menu="Object/Mesh",
    asks=True,
    synonyms=("shade smooth", "auto smooth", "normals", "shade flat", "facets"),
)
def smooth_by_angle(context: Context) -> None:
    editor, ids = context.editor, context.selected_ids

    def submit(values: Values) -> None:
        run_on_meshes(editor, ids, "smoothing", editing.smooth_by_angle, degrees=values["degrees"])

    field = NumberField("degrees", USUAL_ANGLE_DEGREES, least=0.0, most=180.0)
    context.ask(Form("Smooth by angle", (("Split edges sharper than (degrees)", (field,)),), submit, "Smooth"))


command(
    "object.share_mesh",
    "Mesh of the active",
    "give all selected objects the mesh of the active one",
    menu="Object/Mesh/Replace mesh",
    enabled=lambda context: context.facts.shown > 1 and context.facts.last_is_shown,
    refusal="select two or more objects with a mesh; the last one gives its mesh",
)(lambda context: context.change(editing.share_mesh))


@of_meshes(
    "object.replace_mesh",
    "Mesh of a file",
    "give all selected objects the mesh in a file",
    menu="Object/Mesh/Replace mesh",
    asks=True,
)
def ask_mesh(context: Context) -> None:
    ids = context.selected_ids  # those of now, whatever is selected meanwhile
    replace = partial(_replace_mesh, context.editor, ids)
    context.ask_path(
        PathRequest("Replace by the mesh of", MODEL_ENDINGS, replace, folder=folder_of(context.scene.sources))
    )


def _replace_mesh(editor: Editor, ids: np.ndarray, path: Path) -> None:
    def read(advance: Progress) -> FileContent:
        return read_file(path, progress=lambda _, done, total: advance(done, total or 0))

    def replace(content: FileContent) -> None:
        editor.run(editing.replace_mesh_by_file, ids, content, path)

    editor.read_in_background("Replace mesh by file", path, read, replace)


def _add(kind: str, context: Context) -> None:
    """Stand a primitive on the 3D cursor, or on what the middle of the picture shows: an object or the ground."""
    cursor = context.scene.cursor
    point = context.view.middle.surface(in_air=False).point if cursor is None else cursor
    place = point - PRIMITIVES[kind]().positions[:, 1].min() * up_vector(context.scene.up_axis)
    context.editor.run(editing.add_primitive, kind, translation=np.round(place, 3))


for _kind in PRIMITIVES:
    _where = "on the 3D cursor, or in the middle of the picture"
    adds(f"add.{_kind}", _kind.capitalize(), _where)(partial(_add, _kind))


for _place, _axis in enumerate("XYZ"):
    of_selection(
        f"gizmo.mirror_{_axis.lower()}",
        f"Mirror along {_axis}",
        f"scale by -1 along {_axis} of the gizmo's space, about its pivot",
        menu="Object/Mirror",
        synonyms=("flip object", "reflect", "symmetry"),
    )(lambda context, axis=_place: context.tools.gizmo.mirror(axis))
