"""The view of the octree as a feature."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.octree_view import walks
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.display import COLORINGS
from octoscope.viewer.features.octree_view.panel import CellFoldout, OctreePanel, draw_legend_over
from octoscope.viewer.settings import kept
from octoscope.viewer.settings.config import config_folder
from octoscope.viewer.settings.guide import open_guide

command = Declarations("Octree", after="view.paste_camera")
of_guide = Declarations("Octree", after="octree.frame_root")
of_nodes = Declarations("Octree/Cell display", after="octree.walk_end")


@command(
    "octree.cells",
    "Octree cells",
    "the selection's cell and those above it, or all while nothing is selected; on or off",
    checked=lambda cells: cells.is_shown,
    keys=("O",),
    synonyms=("boxes", "bounding boxes"),
)
def show_cells(cells: OctreeCells) -> None:
    cells.is_shown = not cells.is_shown
    cells.view.times.reset()  # figures from before and after must not mix


@command(
    "octree.selected_cell",
    "Selection's cell",
    "show the octree cell that holds the active object, and those above it",
    checked=lambda cells: cells.follows_selection,
)
def show_selected(cells: OctreeCells) -> None:
    cells.is_shown = not cells.follows_selection
    cells.shows_whole = False


@command(
    "octree.whole_tree",
    "Whole tree",
    "show all cells, also while something is selected",
    checked=lambda cells: cells.is_shown and cells.shows_whole,
    synonyms=("all cells", "boxes"),
)
def show_whole(cells: OctreeCells) -> None:
    cells.shows_whole = not (cells.is_shown and cells.shows_whole)
    cells.is_shown = True


@command(
    "octree.frame_cell",
    "Frame selection's cell",
    "frame the octree cell that holds the active object",
    enabled=lambda cells: cells.selected is not None,
)
def frame_cell(cells: OctreeCells) -> None:
    cell = cells.selected
    if cell is not None:
        cells.view.framing.frame_box(cell.bounds)


command("octree.frame_root", "Frame root", "frame the root, the cell around everything")(
    lambda cells: cells.view.framing.frame_box(cells.tree.root)
)


@of_guide(
    "octree.guide",
    "How an octree works",
    "the page of the guide, in the browser",
    needs_window=True,
    separated=True,
    synonyms=("help", "explain", "learn", "manual", "documentation"),
)
def explain(context: Context, section: str = "") -> None:
    context.editor.log.say(*open_guide(config_folder(), "octree", section))


def _color_by(coloring: str, cells: OctreeCells) -> None:
    cells.display = replace(cells.display, coloring=coloring)
    cells.shows_whole = True
    cells.is_shown = True


for _coloring, _label, _description in (
    ("level", "Colour by level", "a colour for each level of the octree"),
    ("count", "Colour by count", "from blue, one object in a cell, to orange, as many as in any"),
    ("cull", "Colour by culling", "violet: outside of the view; cyan: cut by its border; yellow: inside"),
):
    assert _coloring in COLORINGS
    of_nodes(
        f"octree.color_{_coloring}",
        _label,
        _description,
        checked=lambda cells, coloring=_coloring: cells.display.coloring == coloring,
        synonyms=("octree colours", *(("heat map", "occupancy") if _coloring == "count" else ("cells",))),
    )(partial(_color_by, _coloring))


def _toggle_display(attribute: str, cells: OctreeCells) -> None:
    changed: dict[str, bool] = {attribute: not getattr(cells.display, attribute)}
    cells.display = replace(cells.display, **changed)  # type: ignore[arg-type]  # of fields that are bool
    cells.shows_whole = True
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
        synonyms=("cells", "bounding volumes"),
    )(partial(_toggle_display, _attribute))


def _contribute(context: Context) -> Contribution:
    cells = context.view.decoration(OctreeCells)
    walker = walks.Walks(context, cells)
    panel = OctreePanel(cells, context.editor.jobs, context.run, partial(explain, context))
    return Contribution(
        panels=[panel],
        commands=[
            *command.bound_to(cells),
            *of_guide.bound_to(context),
            *walks.command.bound_to(walker),
            *of_nodes.bound_to(cells),
        ],
        tools=[walker.follow],
        overlays=[partial(draw_legend_over, panel, cells, partial(context.is_in_front, panel.id))],
        status=lambda: walker.text,
        foldouts=[CellFoldout(cells, context.run)],
        settings={
            "view.octree": kept.switch(cells, "is_shown"),
            "view.octree_whole": kept.switch(cells, "shows_whole"),
            "octree.closed": panel.headings.setting,
        },
    )


PART = WindowPart(_contribute)
