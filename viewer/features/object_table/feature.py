"""The table of objects as a feature."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.document.table_file import write_table
from octoscope.viewer.features.object_table.panel import ObjectTable

command = Declarations("File/Export", after="file.export_stl")


def _contribute(context: Context) -> Contribution:
    panel = ObjectTable(context.editor, context.run)
    return Contribution(panels=[panel], commands=command.bound_to((context, panel)))


@command(
    "file.export_table",
    "Export object table",
    "all objects as CSV: name, triangles, size, material, file, memory; sorted and filtered as in the object table",
    asks=True,
    synonyms=("csv", "spreadsheet", "excel", "list of objects", "bill of materials"),
)
def export_table(parts: tuple[Context, ObjectTable]) -> None:
    context, panel = parts
    panel.rows.update()
    ids = panel.rows.ids
    columns = {column.title.lower(): column.of(ids).tolist() for column in panel.rows.columns.all}
    context.document.export(".csv", partial(write_table, columns))


PART = WindowPart(_contribute)
