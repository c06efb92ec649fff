"""Read 3MF files: objects of triangles, objects made of others, and what is built of them.

Not by trimesh: it takes 35 bytes of memory for each byte of the text, minutes for the names of many equal objects, and
has no limit for copies of copies.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from xml.parsers import expat

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.formats.simple_files import NODE_BYTES, Parts, mesh_of_triangles, read_simple
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.system.read_limits import check_unpacked, current_limits
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, not_of_format, printable

_MODEL = "3d/3dmodel.model"  # part of the name of the file that says what is built, in any case
_PIECE_BYTES = 2**16
_DEEPEST = 100  # objects that are parts of parts
# Few bytes can place an object any number of times, as a copy of copies.
_COPIES_OF_ANY, _COPIES_PER_BYTE = 2**17, 0.25

# What is not read, by the name of an element.
_LEFT_OUT = {
    "basematerials": "materials",
    "colorgroup": "colours",
    "texture2dgroup": "textures",
    "compositematerials": "mixed materials",
    "beamlattice": "beam lattices",
    "slicestack": "slices",
    "displacementmesh": "displaced meshes",
    "booleanshape": "Boolean shapes",
    "implicitfunction": "implicit functions",
    "volumetricstack": "volumes",
}

# Units of length by the name that a model has for them, and how long they are.
_UNITS = {"millimeter": ("mm", 1.0), "centimeter": ("cm", 1.0), "meter": ("m", 1.0), "inch": ("in", 1.0)}
_UNITS |= {"foot": ("ft", 1.0), "micron": ("mm", 0.001)}

_Key = tuple[str, str]  # the file in the archive that an object is in, and its id there


class _Use(NamedTuple):
    """An object as a part of another, or of what is built; `above_from_local` (4, 4), `name` or ""."""

    key: _Key
    above_from_local: np.ndarray
    name: str


@dataclass
class _Object:
    """An object: its name, its meshes as arrays of numbers, three for each vertex or triangle, and its parts."""

    name: str
    meshes: list[tuple[array[float], array[int]]] = field(default_factory=list)
    parts: list[_Use] = field(default_factory=list)


class _Model:
    """The objects of an archive, `built`, what is to be shown of them, and `left_out`, what is not read."""

    def __init__(self) -> None:
        self.objects: dict[_Key, _Object] = {}
        self.built: list[_Use] = []
        self.left_out: Counter[str] = Counter()
        self.unit = "millimeter"  # of the file that says what is built
        self._file = ""
        self._now = _Object("")

    def read(self, file: str, pieces: Iterable[bytes]) -> None:
        """Read one of the archive's files, of whose text there are pieces."""
        self._file = file
        parser = expat.ParserCreate()
        started: dict[str, Callable[[dict[str, str]], object]] = {
            "vertex": lambda of: self._now.meshes[-1][0].extend((float(of["x"]), float(of["y"]), float(of["z"]))),
            "triangle": lambda of: self._now.meshes[-1][1].extend((int(of["v1"]), int(of["v2"]), int(of["v3"]))),
            "mesh": lambda of: self._now.meshes.append((array("d"), array("q"))),
            "object": self._start_object,
            "component": lambda of: self._now.parts.append(self._use(of)),
            "item": lambda of: self.built.append(self._use(of)),
            "model": self._start_model,
        }

        def start(tag: str, attributes: dict[str, str]) -> None:
            name = tag.rpartition(":")[2]
            called = started.get(name)
            if called is not None:
                called(attributes)
            elif name in _LEFT_OUT:
                self.left_out[_LEFT_OUT[name]] += 1

        def refuse(*_: object) -> None:
            raise ValueError("a document type, which may make much of little")

        parser.StartElementHandler = start
        parser.StartDoctypeDeclHandler = refuse
        for piece in pieces:
            parser.Parse(piece)
        parser.Parse(b"", True)

    def _start_model(self, attributes: dict[str, str]) -> None:
        if not self.objects:  # the first file
            self.unit = attributes.get("unit", self.unit)

    def _start_object(self, attributes: dict[str, str]) -> None:
        number = attributes["id"]
        self._now = self.objects[self._file, number] = _Object(attributes.get("name") or number)

    def _use(self, attributes: dict[str, str]) -> _Use:
        above_from_local = np.eye(4)
        if "transform" in attributes:
            numbers = np.array(attributes["transform"].split(), dtype=np.float64)
            above_from_local[:3] = numbers.reshape(4, 3).T
        file = next((value.strip("/") for key, value in attributes.items() if key.endswith("path")), self._file)
        return _Use((file, attributes["objectid"]), above_from_local, attributes.get("partnumber", ""))

    def copy_count(self) -> int | None:
        """Count the objects that are shown, with all their parts; None if some contain themselves."""
        counts: dict[_Key, int] = {}
        for _ in range(_DEEPEST):
            ready = {
                key: 1 + sum(counts.get(use.key, 1) for use in each.parts)
                for key, each in self.objects.items()
                if key not in counts and all(use.key in counts or use.key not in self.objects for use in each.parts)
            }
            if not ready:
                break
            counts |= ready
        return sum(counts.get(use.key, 1) for use in self.built) if len(counts) == len(self.objects) else None

    def placed(self) -> list[tuple[str, _Key, np.ndarray]]:
        """Return the objects with meshes that are shown: name, key and world_from_local."""
        found = []
        scale = np.diag([*[_UNITS.get(self.unit, ("", 1.0))[1]] * 3, 1.0])
        waiting = [(use, scale @ use.above_from_local) for use in reversed(self.built)]
        while waiting:
            use, world_from_local = waiting.pop()
            each = self.objects.get(use.key)
            if each is None:
                continue
            if each.meshes:
                found.append((use.name or each.name, use.key, world_from_local))
            waiting += [(part, world_from_local @ part.above_from_local) for part in reversed(each.parts)]
        return found


def read_3mf(path: Path) -> FileContent:
    """Read a 3MF file, as a node for each copy of an object that is built."""
    return read_simple(path, _read)


def _read(data: bytes, path: Path, problems: Problems) -> Parts:
    if not data.startswith(b"PK"):
        raise not_of_format(path, "a 3MF", "it is no ZIP archive")
    try:
        model = _model_of(data, path)
    except expat.ExpatError as error:
        raise _broken(path, f"line {error.lineno}: {expat.ErrorString(error.code)}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError) as error:
        raise _broken(path, str(error) or "cut off") from None
    except KeyError as error:
        raise _broken(path, f"no {error}") from None
    except StopIteration:
        raise not_of_format(path, "a 3MF", "it is a ZIP archive without a 3D model") from None
    except (ValueError, IndexError, OverflowError) as error:
        raise _broken(path, str(error)) from None
    for feature, times in model.left_out.items():
        problems.report("extension", f"{feature} are not read", "opened without them", count=times)
    if model.unit not in _UNITS:
        problems.report("unit", "a unit that 3MF does not have", "lengths are as written")
    count = model.copy_count()
    if count is None or count > _COPIES_OF_ANY + _COPIES_PER_BYTE * len(data):
        raise ReadError(path, "its objects contain themselves, or are too many; export it again, in several files")
    current_limits().check(NODE_BYTES * count)  # counted where they are made
    meshes: list[tuple[str, MeshData]] = []
    numbers: defaultdict[_Key, list[int]] = defaultdict(list)
    vertex_count = 0
    placed = model.placed()
    for key in dict.fromkeys(key for _, key, _ in placed):
        each = model.objects[key]
        for vertices, triangles in each.meshes:
            read = {"vertices": np.frombuffer(vertices), "faces": np.frombuffer(triangles, dtype=np.int64)}
            numbers[key].append(len(meshes))
            meshes.append((each.name, mesh_of_triangles(read, problems)))
            vertex_count += len(vertices) // 3
    nodes = [(name, number, matrix) for name, key, matrix in placed for number in numbers[key]]
    return Parts(vertex_count, meshes, nodes, length_unit=_UNITS.get(model.unit, (NO_UNIT,))[0])


def _model_of(data: bytes, path: Path) -> _Model:
    model = _Model()
    unpacked_bytes = 0
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = {name.strip("/"): name for name in archive.namelist()}

        def pieces(file: str) -> Iterator[bytes]:
            nonlocal unpacked_bytes
            with archive.open(names[file]) as text:
                while piece := text.read(_PIECE_BYTES):
                    unpacked_bytes += len(piece)
                    check_unpacked(unpacked_bytes, len(data), path)
                    current_limits().take(len(piece))  # the numbers in it take no more
                    yield piece

        seen = {next(name for name in names if _MODEL in name.lower())}
        waiting = list(seen)
        while waiting:
            file = waiting.pop()
            model.read(file, pieces(file))
            uses = [use for each in model.objects.values() for use in each.parts] + model.built
            further = {use.key[0] for use in uses} & names.keys() - seen
            waiting += sorted(further)
            seen |= further
    return model


def _broken(path: Path, reason: str) -> ReadError:
    reason = printable(" ".join(reason.split()))[:80]
    return ReadError(path, f"broken 3MF ({reason}); export it again")
