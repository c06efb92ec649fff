"""The formats that a scene is exported to, by the ending of a file's name."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from scene.formats.gltf import write_glb
from scene.formats.obj.writer import write_obj
from scene.formats.ply_stl_writer import write_ply, write_stl
from scene.scene import Scene
from scene.system.atomic_file import WriteProgress


class Writer(Protocol):
    """A function that writes a scene."""

    def __call__(self, scene: Scene, path: Path, *, progress: WriteProgress | None = None) -> list[str]:
        """Write a scene.

        Args:
            scene: with its world up to date.
            path: of the file.
            progress: called now and then; an exception that it raises ends the writing.

        Returns:
            a line for each thing that the format cannot hold.

        Raises:
            WriteError: the format cannot hold the scene.
            SaveError: the file cannot be written.
        """


WRITERS: dict[str, Writer] = {".glb": write_glb, ".obj": write_obj, ".ply": write_ply, ".stl": write_stl}
