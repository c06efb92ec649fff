"""Which nodes of the octree are drawn, and in which colours, in the Octree menu."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.frame.look.octree_display import COLORINGS

command = Declarations("Octree", after="view.paste_camera")
of_nodes = Declarations("Octree/Nodes", after="octree.freeze")

switch(
    command,
    "show_octree",
    "octree.cells",
    "Octree nodes",
    "occupied octree nodes on or off",
    keys=("O",),
    synonyms=("boxes", "bounding boxes"),
)

switch(
    command,
    "show_selected_cell",
    "octree.selected_cell",
    "Selection's node",
    "show the octree node that holds the active object",
)


@command(
    "octree.frame_cell",
    "Frame selection's node",
    "frame the octree node that holds the active object",
    enabled=lambda context: context.view.selected_cell is not None,
)
def frame_cell(context: Context) -> None:
    cell = context.view.selected_cell
    if cell is not None:
        context.view.frame_bounds(cell.bounds)


def _color_by(coloring: str, context: Context) -> None:
    view = context.view
    view.settings.octree_display = replace(view.settings.octree_display, coloring=coloring)
    view.settings.show_octree = True


def _is_colored_by(coloring: str, context: Context) -> bool:
    return context.view.settings.octree_display.coloring == coloring


for _coloring, _label, _description in (
    ("level", "Colour by level", "a colour for each level of the octree"),
    ("count", "Colour by count", "from blue, one object in a node, to orange, as many as in any"),
    ("cull", "Colour by culling", "red: outside of the view; orange: cut by its border; green: inside"),
):
    assert _coloring in COLORINGS
    of_nodes(
        f"octree.color_{_coloring}",
        _label,
        _description,
        checked=partial(_is_colored_by, _coloring),
        synonyms=("octree colours", "heat map" if _coloring == "count" else "cells"),
    )(partial(_color_by, _coloring))


def _toggle_display(attribute: str, context: Context) -> None:
    view = context.view
    changed: dict[str, bool] = {attribute: not getattr(view.settings.octree_display, attribute)}
    view.settings.octree_display = replace(view.settings.octree_display, **changed)  # type: ignore[arg-type]  # of fields that are bool
    view.settings.show_octree = True


def _displays(attribute: str, context: Context) -> bool:
    return getattr(context.view.settings.octree_display, attribute)


for _attribute, _label, _description in (
    ("loose", "Loose bounds", "the bounds that the objects of a node lie in, in place of the node"),
    ("empty", "Empty nodes", "nodes without objects, too, where they are not too many"),
):
    of_nodes(
        f"octree.{_attribute}",
        _label,
        _description,
        checked=partial(_displays, _attribute),
        separated=_attribute == "loose",
        synonyms=("octree", "cells", "bounding volumes"),
    )(partial(_toggle_display, _attribute))
