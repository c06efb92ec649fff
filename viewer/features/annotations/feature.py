"""Measurements and labels as a feature: their panel, the tool that adds labels, and the table that is written."""

from __future__ import annotations

from functools import partial

from imgui_bundle import icons_fontawesome_6 as icons

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.document.table_file import write_table
from octoscope.viewer.features.annotations.annotation_list import AnnotationList
from octoscope.viewer.features.annotations.label_field import LabelField
from octoscope.viewer.features.annotations.panel import AnnotationsPanel
from octoscope.viewer.features.annotations.tool import LabelTool

command = Declarations("Tools", after="gizmo.step_deg_90")
export_command = Declarations("File/Export", after="file.export_stl")


command(
    "tools.add_label",
    "Add label",
    "a text at a point of an object: click, type, Enter; **bold** and [links](https://...)",
    keys=("Shift+T",),
    icon=icons.ICON_FA_TAG,
    checked=lambda parts: parts[2].is_on,
    synonyms=("note", "annotation", "text", "callout", "leader"),
)(lambda parts: parts[2].toggle())


@export_command(
    "file.export_annotations",
    "Export measurements and labels",
    "all of them as CSV: kind, name, figure, objects, place",
    asks=True,
    enabled=lambda parts: bool(parts[1].all),
    refusal="there are no measurements and no labels",
    synonyms=("csv", "spreadsheet", "excel"),
)
def export_annotations(parts: tuple[Context, AnnotationList, LabelTool]) -> None:
    context, annotations, _ = parts
    context.document.export(".csv", partial(write_table, annotations.table()))


def _contribute(context: Context) -> Contribution:
    annotations = AnnotationList(context.editor)
    tool = LabelTool(annotations, context.tools.hand, context.expect_field)
    parts = context, annotations, tool
    return Contribution(
        panels=[AnnotationsPanel(context, annotations)],
        commands=[*command.bound_to(parts), *export_command.bound_to(parts)],
        tools=[tool.follow],
        overlays=[LabelField(tool).draw],
        status=lambda: tool.text,
    )


PART = WindowPart(_contribute)
