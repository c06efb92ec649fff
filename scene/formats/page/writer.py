"""Write a scene as a web page of one file."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path

from octoscope.guesses import advises
from octoscope.scene.formats.export import exported_nodes, tell
from octoscope.scene.formats.gltf.writer import glb_parts
from octoscope.scene.formats.page.contents import shown_beside
from octoscope.scene.formats.page.look import PageLook, usual_look
from octoscope.scene.formats.page.packing import packed
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import WriteProgress, atomic_file
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.report import warn

_FOLDER = Path(__file__).parent
_MANY = 5_000  # nodes: the page draws each by a call of its own


@advises()
def write_page(
    scene: Scene, path: StrPath, *, look: PageLook | None = None, progress: WriteProgress | None = None
) -> list[str]:
    """Write a page that shows a scene in any browser; return a line for each thing that it does not show.

    Args:
        look: None: that of a window that has just been opened.

    Raises:
        WriteError: nothing to write.
    """
    page, notes = page_of(scene, Path(path).stem, look=look, progress=progress)
    with atomic_file(path) as file:
        file.write(page.encode())
    tell(progress, 1.0)
    return notes


def page_of(
    scene: Scene, title: str, *, look: PageLook | None = None, progress: WriteProgress | None = None
) -> tuple[str, list[str]]:
    """Return the page's text, and the lines; arguments as of write_page."""
    look = usual_look() if look is None else look
    nodes = exported_nodes(scene)
    notes = list(look.notes)
    if len(nodes.ids) > _MANY:
        notes.append(f"{len(nodes.ids):,} objects are many for a page: it may be slow")
    if look.planes:
        notes.append("what the section cuts is shown open")
    document, views = glb_parts(
        scene, nodes, notes, bookmarks={}, as_webp=True, length_unit=scene.length_unit, progress=progress
    )
    beside = {"title": title, "look": look.values(), **shown_beside(scene, nodes, notes)}
    data = base64.b64encode(packed(document, views, beside)).decode()
    tell(progress, 0.9)
    parts = {
        "title": html.escape(title),
        "style": _text("page.css"),
        "scene": data,
        "licence": _text("three_licence.txt"),
        "script": _text("page.js"),
        "theme": "dark" if look.is_dark else "light",
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _text("page.html")), notes


def page_text(scene: Scene, title: str) -> str:
    """Return the page's text, for Scene.to_html, and warn of what it does not show of the scene, a line each."""
    page, notes = page_of(scene, title)
    for note in notes:
        warn(f"the page of the scene: {note}")
    return page


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
