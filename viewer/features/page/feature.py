"""File > Share as web page."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from octoscope.scene.formats.page.writer import write_page
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.features.page.look import page_look_of

command = Declarations("File", after="file.export_stl")


@command(
    "file.share_page",
    "Share as web page",
    "a page of one file that any browser opens, without a network",
    asks=True,
    synonyms=("export html", "web", "browser", "three.js", "send", "publish"),
)
def share(context: Context) -> None:
    view = context.view
    look = page_look_of(view.settings, view.camera)
    notes = []
    if view.visibility.isolated_ids is not None:
        notes.append("all objects are shown, not only the isolated ones")
    if controls := context.script.controls:
        notes.append(f"scripts' controls are left out: {', '.join(each.label for each in controls)}")
    look = replace(look, notes=(*look.notes, *notes))
    context.document.export(".html", partial(write_page, look=look))


PART = WindowPart(lambda context: Contribution(commands=command.bound_to(context)))
