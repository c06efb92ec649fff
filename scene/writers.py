"""The formats that a scene is exported to, by the ending of a file's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scene.gltf import write_glb
from scene.mesh_writers import write_ply, write_stl
from scene.obj.writer import write_obj
from scene.scene import Scene

# Writes a scene; returns a line for each thing that the format cannot hold. It raises WriteError and SaveError.
Writer = Callable[[Scene, Path], list[str]]

WRITERS: dict[str, Writer] = {".glb": write_glb, ".obj": write_obj, ".ply": write_ply, ".stl": write_stl}
