"""Captions: what a window says in words about what it shows: its title, and the bar below the picture."""

from __future__ import annotations

from viewer.document import Document
from viewer.gizmo.tool import GizmoTool
from viewer.steering import Steering
from viewer.ui.hud import name_of_selected, status_of
from viewer.ui.status_bar import Status
from viewer.view import View


def title_of(view: View, document: Document) -> str:
    """The window's title: what is selected, the scene's name, the program's."""
    return " - ".join(filter(None, (name_of_selected(view), document.title, "Octoscope")))


def status_bar(view: View, document: Document, gizmo: GizmoTool, steering: Steering, *, flies: bool) -> Status:
    """The bar below the picture; `flies`: whether keys fly the camera."""
    unsaved = "not saved    " if document.is_unsaved else ""
    counts = f"{unsaved}{view.stats.drawn:,} of {view.stats.objects:,} objects drawn"
    text = gizmo.text() or status_of(view)
    if flies:
        text = steering.flying_text
    return Status(text, counts)
