"""The formats of files that are read as models, by name. Imports nothing that takes long.

A folder beside this file can add formats by a file format.py: FORMATS there has the fields of each Format, by name;
WRITERS there is for writers.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import NamedTuple


class Format(NamedTuple):
    """A format of files."""

    # of their names; one without a dot before it is a whole name, and such a file stands for its folder
    endings: tuple[str, ...]
    # a module below scene.formats and its function, which takes a path and returns a FileContent
    reader: tuple[str, str]
    # whether the function also takes one that it calls with the bytes read and all bytes, or None
    tells_progress: bool = False
    # likewise, the function that reads a file larger than the memory, as read_obj_in_parts does
    parts_reader: tuple[str, str] | None = None
    # of those with such a function: what reading a file whole takes for each of its bytes, by ending
    memory_per_byte: Mapping[str, int] = {}


def stem_of(path: Path) -> str:
    """Return the name of a file without its ending, of a.obj.gz "a"."""
    return Path(path.stem).stem if path.suffix.lower() == ".gz" else path.stem


FORMATS = {
    "OBJ": Format(
        *((".obj.gz", ".obj"), ("obj.reader", "read_obj"), True, ("obj.reader", "read_obj_in_parts")),
        {".obj.gz": 32, ".obj": 4},
    ),
    "GLB": Format((".glb",), ("gltf.reader", "read_gltf")),
    "glTF": Format((".gltf",), ("gltf.reader", "read_gltf")),
    "PLY": Format((".ply",), ("ply.reader", "read_ply"), False, ("ply.reader", "read_ply_in_parts"), {".ply": 15}),
    "STL": Format((".stl",), ("stl_reader", "read_stl")),
    "OFF": Format((".off",), ("off_reader", "read_off")),
    "3MF": Format((".3mf",), ("threemf_reader", "read_3mf")),
}
for _path in sorted(Path(__file__).parent.glob("*/format.py")):
    _found = import_module(f"{__package__}.{_path.parent.name}.format")
    FORMATS |= {name: Format(*fields) for name, fields in getattr(_found, "FORMATS", {}).items()}

MODEL_ENDINGS = tuple(chain.from_iterable(each.endings for each in FORMATS.values()))
