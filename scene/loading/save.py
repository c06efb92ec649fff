"""Write a scene to a file of any format, by the ending of its name."""

from __future__ import annotations

import os

from octoscope.guesses import advises
from octoscope.scene.formats.writers import PAGE_WRITERS, WRITERS, Writer
from octoscope.scene.project.saving import save_project
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import WriteError, WriteProgress
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.text_file import printable

ALL_WRITERS: dict[str, Writer] = {".octo.json": save_project, **WRITERS, **PAGE_WRITERS}


@advises(nodes="octoscope.save(scene.copy(nodes), path) writes some alone")
def save(scene: Scene, path: StrPath, *, progress: WriteProgress | None = None) -> list[str]:
    """Write a scene to a file: a .glb, .obj, .ply, .stl, or a project, .octo.json, which alone keeps all of it.

    A .html is a page that any browser shows, without a network.

    Examples:
        >>> left_out = save(scene, "harbour.glb")
        >>> left_out = save(scene.copy(scene["lighthouse_tower"]), "tower.glb")

    Args:
        path: of the file, which is replaced once the new one is whole.
        progress: called now and then; an exception that it raises ends the writing, and the old file stays.

    Returns:
        a line for each thing that the format cannot hold.

    Raises:
        WriteError: the ending is of no format, or the format cannot hold the scene.
        SaveError: the file cannot be written; the old file stays.
    """
    return writer_of(path)(scene, path, progress=progress)


def writer_of(path: StrPath) -> Writer:
    """Return the function that writes a file of this name."""
    name = os.path.basename(os.fspath(path))
    for ending, write in ALL_WRITERS.items():
        if name.lower().endswith(ending) and len(name) > len(ending):
            return write
    raise WriteError(f"{printable(path)}: unknown format; end the name in {', '.join(ALL_WRITERS)}")
