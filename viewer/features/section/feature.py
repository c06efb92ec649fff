"""The section as a feature."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.section.panel import SectionPanel
from octoscope.viewer.features.section.tool import SectionTool
from octoscope.viewer.frame.section import MOST_PLANES
from octoscope.viewer.ui.overlays.gizmo_overlay import draw_gizmo

command = Declarations("View/Section", after="view.maximise")
_SYNONYMS = ("clipping plane", "cross section", "cut", "slice", "clip")
_FULL = f"a section has at most {MOST_PLANES} planes"
_NONE = "there is no section"


of_planes = partial(command, enabled=lambda tool: bool(tool.planes), refusal=_NONE, synonyms=_SYNONYMS)
of_room = partial(command, enabled=lambda tool: not tool.is_full, refusal=_FULL, synonyms=_SYNONYMS)


command(
    "section.toggle",
    "Section",
    "cut a part of the picture away, or show all again",
    separated=True,
    keys=("Shift+C",),
    blender_keys=("Alt+B",),
    checked=lambda tool: bool(tool.planes),
    synonyms=_SYNONYMS,
)(SectionTool.toggle)


for _axis, _name in enumerate("XYZ"):
    of_room(
        f"section.add_{_name.lower()}",
        f"Cut across {_name}",
        "add a plane through the middle of the selection, or of everything, and cut the camera's side away",
        separated=_axis == 0,
    )(lambda tool, axis=_axis: tool.add_across(axis))


of_room("section.add_view", "Cut across the view", "add a plane that faces the camera, and cut the camera's side away")(
    SectionTool.add_across_view
)

of_planes("section.flip", "Flip plane", "keep what the active plane cuts away", separated=True)(
    lambda tool: tool.change(tool.active, tool.planes[tool.active].flipped)
)


@of_planes("section.next", "Next plane", "give the handles to the next plane")
def take_next(tool: SectionTool) -> None:
    tool.active = (tool.active + 1) % len(tool.planes)


of_planes("section.remove", "Remove plane", "the active plane of the section")(lambda tool: tool.remove(tool.active))

of_planes("section.clear", "Remove all planes", "show everything")(SectionTool.clear)

switch(
    command,
    "shows_handles",
    "section.handles",
    "Handles of the section",
    "drag and turn the active plane in the picture",
    needs_window=True,
    separated=True,
    synonyms=("gizmo", *_SYNONYMS),
)


def _contribute(context: Context) -> Contribution:
    tool = SectionTool(context.editor, context.tools.gizmo.settings)
    return Contribution(
        panels=[SectionPanel(context.editor, tool, context.run, context.expect_field)],
        commands=command.bound_to(tool),
        tools=[tool.follow],
        overlays=[partial(draw_gizmo, tool)],
        status=lambda: tool.text() or "",
        hint=lambda: tool.hint,
    )


PART = WindowPart(_contribute)
