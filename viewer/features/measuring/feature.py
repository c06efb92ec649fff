"""Measuring as a feature."""

from __future__ import annotations

from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons

from octoscope.scene.annotations.measurement import ANGLE, AREA, CIRCLE, DISTANCE, FACES, PATH
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.measuring.name_field import NameField
from octoscope.viewer.features.measuring.tool import MeasureTool

command = Declarations("Tools/Measure", after="gizmo.step_deg_90")


for _kind, _label, _description, _synonyms in (
    (
        DISTANCE,
        "Measure distance",
        "between two points; Esc or a right click drops them, Del removes the last",
        ("ruler", "length", "dimension"),
    ),
    (ANGLE, "Measure angle", "between three points, at the second", ("protractor",)),
    (
        PATH,
        "Measure path",
        "through any number of points, until Enter or another click on the last one; Array along path follows it",
        ("polyline", "length", "perimeter"),
    ),
    (
        CIRCLE,
        "Measure circle",
        "diameter and radius of a circular edge, or of the circle through three points",
        ("radius", "diameter", "hole", "bore"),
    ),
    (
        FACES,
        "Measure face to face",
        "distance between the planes of two faces where they are parallel, else their angle",
        ("thickness", "gap", "planes", "parallel"),
    ),
    (AREA, "Measure area", "of a flat face, holes left out", ("surface", "face")),
):
    command(
        f"tools.measure_{_kind}",
        _label,
        _description,
        keys={DISTANCE: ("M",), ANGLE: ("Shift+M",)}.get(_kind, ()),
        icon=icons.ICON_FA_RULER if _kind == DISTANCE else "",
        checked=lambda tool, kind=_kind: tool.kind == kind,
        separated=_kind == DISTANCE,
        synonyms=_synonyms,
    )(partial(MeasureTool.toggle, kind=_kind))


@command(
    "tools.copy_figure",
    "Copy figure",
    "the last measurement, or the selection's size; Ctrl+C while measuring",
    enabled=lambda tool: tool.last() is not None or len(tool.view.selected_ids) > 0,
)
def copy_figure(tool: MeasureTool) -> None:
    tool.copy()


@command(
    "tools.name_measurement",
    "Name last measurement",
    "over its figure; F2 while measuring",
    enabled=lambda tool: tool.last() is not None,
    needs_window=True,
    synonyms=("rename measurement",),
)
def name_measurement(tool: MeasureTool) -> None:
    tool.begin_name()


@command("tools.remove_measurement", "Remove last measurement", enabled=lambda tool: tool.last() is not None)
def remove_measurement(tool: MeasureTool) -> None:
    tool.remove_last()


def _contribute(context: Context) -> Contribution:
    editor = context.editor
    tool = MeasureTool(
        editor.view,
        editor.do_annotations,
        context.copy,
        context.tools.hand,
        lambda: editor.read_only is None,
        context.expect_field,
    )
    return Contribution(
        commands=command.bound_to(tool),
        tools=[tool.follow],
        overlays=[NameField(tool).draw],
        status=lambda: tool.text,
        corner_box=tool.corner_box,
    )


PART = WindowPart(_contribute)
