"""The formats that a scene is exported to, by the ending of a file's name.

A folder beside this file can add formats by its file format.py: WRITERS there has the module below scene.formats and
its function of each, by ending.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from octoscope.scene.scene import Scene
    from octoscope.scene.system.atomic_file import WriteProgress
    from octoscope.scene.system.paths import StrPath


class Writer(Protocol):
    """A function that writes a scene."""

    def __call__(self, scene: Scene, path: StrPath, *, progress: WriteProgress | None = None) -> list[str]:
        """Write a scene whose world is up to date; return a line for each thing that the format cannot hold."""


def _writer(module: str, name: str) -> Writer:
    """Return a writer whose module is imported when it writes first: to list the formats takes none of them."""

    def write(scene: Scene, path: StrPath, *, progress: WriteProgress | None = None) -> list[str]:
        return getattr(import_module(module), name)(scene, path, progress=progress)

    return write


# Of files that programs read again.
WRITERS: dict[str, Writer] = {
    ".glb": _writer("octoscope.scene.formats.gltf.writer", "write_glb"),
    ".obj": _writer("octoscope.scene.formats.obj.writer", "write_obj"),
    ".ply": _writer("octoscope.scene.formats.ply_stl_writer", "write_ply"),
    ".stl": _writer("octoscope.scene.formats.ply_stl_writer", "write_stl"),
}
# Of files that people look at.
PAGE_WRITERS: dict[str, Writer] = {}
for _path in sorted(Path(__file__).parent.glob("*/format.py")):
    _found = import_module(f"{__package__}.{_path.parent.name}.format")
    for _ending, (_module, _name) in getattr(_found, "WRITERS", {}).items():
        PAGE_WRITERS[_ending] = _writer(f"{__package__}.{_module}", _name)
