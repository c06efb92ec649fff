"""The view of the octree as a feature."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.contribution import Contribution, WindowPart
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.display import COLORINGS
from octoscope.viewer.features.octree_view.panel import CellFoldout, OctreePanel
from octoscope.viewer.settings import kept

command = Declarations("Octree", after="view.paste_camera")
of_nodes = Declarations("Octree/Cells", after="octree.freeze")


@command(
    "octree.cells",
    "Octree cells",
    "occupied cells of the octree on or off",
    checked=lambda cells: cells.is_shown,
    keys=("O",),
    synonyms=("boxes", "bounding boxes"),
)
def show_cells(cells: OctreeCells) -> None:
    cells.is_shown = not cells.is_shown
    cells.view.times.reset()  # figures from before and after must not mix


switch(
    command,
    "shows_selected",
    "octree.selected_cell",
    "Selection's cell",
    "show the octree cell that holds the active object",
)


@command(
    "octree.frame_cell",
    "Frame selection's cell",
    "frame the octree cell that holds the active object",
    enabled=lambda cells: cells.selected is not None,
)
def frame_cell(cells: OctreeCells) -> None:
    cell = cells.selected
    if cell is not None:
        cells.view.frame_bounds(cell.bounds)


def _color_by(coloring: str, cells: OctreeCells) -> None:
    cells.display = replace(cells.display, coloring=coloring)
    cells.is_shown = True


for _coloring, _label, _description in (
    ("level", "Colour by level", "a colour for each level of the octree"),
    ("count", "Colour by count", "from blue, one object in a cell, to orange, as many as in any"),
    ("cull", "Colour by culling", "red: outside of the view; orange: cut by its border; green: inside"),
):
    assert _coloring in COLORINGS
    of_nodes(
        f"octree.color_{_coloring}",
        _label,
        _description,
        checked=lambda cells, coloring=_coloring: cells.display.coloring == coloring,
        synonyms=("octree colours", "heat map" if _coloring == "count" else "cells"),
    )(partial(_color_by, _coloring))


def _toggle_display(attribute: str, cells: OctreeCells) -> None:
    changed: dict[str, bool] = {attribute: not getattr(cells.display, attribute)}
    cells.display = replace(cells.display, **changed)  # type: ignore[arg-type]  # of fields that are bool
    cells.is_shown = True


for _attribute, _label, _description in (
    ("loose", "Loose bounds", "the bounds that the objects of a cell lie in, in place of the cell"),
    ("empty", "Empty cells", "cells without objects, too, where they are not too many"),
):
    of_nodes(
        f"octree.{_attribute}",
        _label,
        _description,
        checked=lambda cells, attribute=_attribute: getattr(cells.display, attribute),
        separated=_attribute == "loose",
        synonyms=("octree", "cells", "bounding volumes"),
    )(partial(_toggle_display, _attribute))


def _contribute(context: Context) -> Contribution:
    cells = context.view.decoration(OctreeCells)
    return Contribution(
        panels=[OctreePanel(cells, context.editor.jobs, context.run)],
        commands=[*command.bound_to(cells), *of_nodes.bound_to(cells)],
        foldouts=[CellFoldout(cells, context.run)],
        settings={"view.octree": kept.switch(cells, "is_shown")},
    )


PART = WindowPart(_contribute)
