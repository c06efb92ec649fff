"""View > Section: planes that cut a part of the picture away."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.section.tool import SectionTool
from octoscope.viewer.frame.section import MOST_PLANES

command = Declarations("View/Section", after="view.maximise")
_SYNONYMS = ("clipping plane", "cross section", "cut", "slice", "clip")
_FULL = f"a section has at most {MOST_PLANES} planes"
_NONE = "there is no section"


def _has_section(tool: SectionTool) -> bool:
    return bool(tool.planes)


def _has_room(tool: SectionTool) -> bool:
    return not tool.is_full


of_planes = partial(command, enabled=_has_section, refusal=_NONE, synonyms=_SYNONYMS)


@command(
    "section.toggle",
    "Section",
    "cut a part of the picture away, or show all again",
    separated=True,
    keys=("Shift+C",),
    blender_keys=("Alt+B",),
    checked=_has_section,
    synonyms=_SYNONYMS,
)
def toggle(tool: SectionTool) -> None:
    tool.toggle()


def _add(axis: int, tool: SectionTool) -> None:
    tool.add_across(axis)


for _axis, _name in enumerate("XYZ"):
    command(
        f"section.add_{_name.lower()}",
        f"Cut across {_name}",
        "add a plane through the middle of the selection, or of everything, and cut the camera's side away",
        separated=_axis == 0,
        enabled=_has_room,
        refusal=_FULL,
        synonyms=_SYNONYMS,
    )(partial(_add, _axis))


@command(
    "section.add_view",
    "Cut across the view",
    "add a plane that faces the camera, and cut the camera's side away",
    enabled=_has_room,
    refusal=_FULL,
    synonyms=_SYNONYMS,
)
def add_across_view(tool: SectionTool) -> None:
    tool.add_across_view()


@of_planes("section.flip", "Flip plane", "keep what the active plane cuts away", separated=True)
def flip(tool: SectionTool) -> None:
    tool.change(tool.active, tool.planes[tool.active].flipped)


@of_planes("section.next", "Next plane", "give the handles to the next plane")
def take_next(tool: SectionTool) -> None:
    tool.active = (tool.active + 1) % len(tool.planes)


@of_planes("section.remove", "Remove plane", "the active plane of the section")
def remove(tool: SectionTool) -> None:
    tool.remove(tool.active)


@of_planes("section.clear", "Remove all planes", "show everything")
def clear(tool: SectionTool) -> None:
    tool.clear()


@command(
    "section.handles",
    "Handles of the section",
    "drag and turn the active plane in the picture",
    checked=lambda tool: tool.shows_handles,
    separated=True,
    synonyms=("gizmo", *_SYNONYMS),
)
def toggle_handles(tool: SectionTool) -> None:
    tool.shows_handles = not tool.shows_handles
