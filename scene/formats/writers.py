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
    """Writes a scene, and is told by `progress` when to stop."""

    def __call__(self, scene: Scene, path: Path, *, progress: WriteProgress | None = None) -> list[str]:
        """Returns a line for each thing that the format cannot hold; raises WriteError and SaveError."""


WRITERS: dict[str, Writer] = {".glb": write_glb, ".obj": write_obj, ".ply": write_ply, ".stl": write_stl}
