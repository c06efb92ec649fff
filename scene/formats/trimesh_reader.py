"""Read PLY, STL, OFF and 3MF files through trimesh: the only file that knows trimesh.

trimesh returns the arrays as the file has them; no object of trimesh is made that would merge or reorder them. glTF is
not read this way: for 100,000 nodes trimesh takes five times as long as scene/formats/gltf, makes their names unique,
joins lines of all kinds into one path, and loses what is below a camera.
"""

from __future__ import annotations

import io
import logging
import re
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
from trimesh.exchange.off import load_off
from trimesh.exchange.ply import load_ply
from trimesh.exchange.stl import load_stl
from trimesh.exchange.threemf import load_3MF

from scene.content import FileContent
from scene.formats.gltf.document import file_beside
from scene.formats.nested_nodes import nested
from scene.formats.ply_elements import mesh_of_elements
from scene.geometry.affine import factorize
from scene.mesh.data import MeshBatch, MeshData
from scene.mesh.images import read_texture
from scene.mesh.material import DEFAULT_MATERIAL, Material
from scene.system.report import Problems
from scene.system.text_file import ReadError, printable, read_bytes

# Its problems are reported here, in our own words, and without a traceback.
logging.getLogger("trimesh").setLevel(logging.CRITICAL)

_LARGEST_BYTES = 4 * 2**30
_LARGEST_UNPACKED_BYTES = 2**29
_MOST_INSTANCES = 1_000_000
_DEEPEST = 100  # objects that are parts of parts

# Names that trimesh must not understand: edges would need scipy, and corners' texture coordinates would move vertices.
_RENAMED = (
    (rb"(?m)^(element\s+)edge(?=\s)", rb"\1wires"),
    (rb"(?m)^(property\s+list\s+\S+\s+\S+\s+)texcoord", rb"\1uvs"),
)


class _Parts(NamedTuple):
    """The contents of a file.

    Attributes:
        vertex_count: as the file states it.
        meshes: (name, mesh).
        nodes: (name, index of the mesh, world_from_local).
        material: of all meshes.
        dependencies: the other files that were read.
    """

    vertex_count: int
    meshes: list[tuple[str, MeshData]]
    nodes: list[tuple[str, int, np.ndarray]]
    material: Material = DEFAULT_MATERIAL
    dependencies: frozenset[Path] = frozenset()


def read_other(path: str | Path) -> FileContent:
    """Read a PLY, STL, OFF or 3MF file, by the ending of its name.

    PLY, STL and OFF are one node, a text STL of several solids one for each. A 3MF has one for each copy that is built.

    Args:
        path: of the file.

    Returns:
        the contents.

    Raises:
        ReadError: it is missing, cut off, broken, or holds nothing to show; or a package that it needs is not
            installed.
    """
    path = Path(path)
    problems = Problems(path)
    data = read_bytes(path, largest_bytes=_LARGEST_BYTES)
    if not data:
        raise ReadError(f"{printable(path)}: the file is empty; export it again")
    with np.errstate(all="ignore"):  # NaN and infinity are left out and reported
        return _content(path, _READERS[path.suffix.lower()](data, path, problems), problems)


def _called(function: Callable[..., Any], data: bytes, path: Path, **options: object) -> Any:
    """Call a function of trimesh with a file's bytes.

    Raises:
        ReadError: it raised an exception, which may be any that its numpy calls raise.
    """
    try:
        with warnings.catch_warnings(action="ignore"):
            warnings.filterwarnings("error", category=DeprecationWarning)  # numpy's, for text that is no number
            return function(io.BytesIO(data), **options)
    except (ReadError, MemoryError):
        raise
    except ModuleNotFoundError:  # trimesh asks for a package that guesses the encoding
        kind = path.suffix[1:].upper()
        raise ReadError(f"{printable(path)}: broken {kind} (its text is not UTF-8); export it again") from None
    except Exception as error:
        reason = printable(" ".join(str(error).split())[:80]) or type(error).__name__
        raise ReadError(f"{printable(path)}: broken {path.suffix[1:].upper()} ({reason}); export it again") from None


def _read_ply(data: bytes, path: Path, problems: Problems) -> _Parts:
    end = data.find(b"end_header")
    heading = data[: max(end, 0)]
    if end < 0 or not data.startswith(b"ply"):
        raise ReadError(f"{printable(path)}: not a PLY file: it has no PLY header; export it again")
    for name, count in re.findall(rb"(?m)^element[ \t]+(\S+)[ \t]+(\d+)", heading):
        if int(count) > len(data):
            shown = printable(name.decode(errors="replace"))
            raise ReadError(f"{printable(path)}: cut off: no {int(count):,} of '{shown}' are in it; export it again")
    for pattern, replacement in _RENAMED:
        heading = re.sub(pattern, replacement, heading)
    read = _called(load_ply, heading + data[end:], path, fix_texture=False, skip_materials=True)
    elements = read["metadata"]["_ply_raw"]
    columns = {name: element.get("data") for name, element in elements.items() if element["length"]}
    if columns.get("vertex") is None:
        return _Parts(0, [], [])
    face = columns.get("face")
    if face is not None and "red" in (face if isinstance(face, dict) else face.dtype.names):
        problems.report("face-colors", "colours of faces", "left out")
    for name in columns.keys() - {"vertex", "face", "wires"}:
        problems.report("element", f"'{printable(name)}' elements", "left out", count=elements[name]["length"])
    try:
        mesh = mesh_of_elements(columns["vertex"], face, columns.get("wires"), corner_uvs="uvs", problems=problems)
    except (KeyError, ValueError) as error:
        raise ReadError(f"{printable(path)}: broken PLY ({printable(error)[:80]}); export it again") from None
    texture = re.search(rb"(?mi)^comment\s+TextureFile\s+(.*?)\s*$", heading)
    material = DEFAULT_MATERIAL
    dependencies: frozenset[Path] = frozenset()
    if mesh.colors is not None or texture:
        material = Material("default", base_color=(1.0, 1.0, 1.0))
    if texture:
        name = texture[1].decode(errors="replace")
        try:
            image_path = file_beside(path, name)
            dependencies = frozenset({image_path})
            material = replace(material, base_color_texture=read_texture(image_path))
        except (ReadError, OSError):
            problems.report("texture", f"texture '{printable(name[:60])}' cannot be read", "shown without it")
    return _one(path, elements["vertex"]["length"], mesh, material)._replace(dependencies=dependencies)


def _read_stl(data: bytes, path: Path, problems: Problems) -> _Parts:
    read = _called(load_stl, data, path)
    solids = list(read["geometry"].items()) if "geometry" in read else [(path.stem, read)]
    facets = len(re.findall(rb"(?i)endfacet", data)) if data[:5].lower() == b"solid" else 0
    read_facets = sum(len(solid["faces"]) for _, solid in solids)
    if facets > read_facets:
        problems.report("mesh-data", "facets that are broken", "skipped", count=facets - read_facets)
    meshes = [(name or path.stem, _mesh(solid, problems)) for name, solid in solids]
    vertex_count = sum(len(solid["vertices"]) for _, solid in solids)
    return _Parts(vertex_count, meshes, [(name, index, np.eye(4)) for index, (name, _) in enumerate(meshes)])


def _read_off(data: bytes, path: Path, problems: Problems) -> _Parts:
    read = _called(load_off, data, path)
    return _one(path, len(read["vertices"]), _mesh(read, problems))


def _read_3mf(data: bytes, path: Path, problems: Problems) -> _Parts:
    if not all(map(find_spec, ("lxml", "networkx"))):
        needed = "reading 3MF needs the packages lxml and networkx: install octoscope[3mf], or save it as GLB"
        raise ReadError(f"{printable(path)}: {needed}")
    if not _called(_stays_within_bounds, data, path):
        raise ReadError(
            f"{printable(path)}: its objects contain themselves, or are too many or too large; export it again, in "
            "several files"
        )
    read = _called(load_3MF, data, path, postprocess=False)
    names = list(read["geometry"])
    meshes = [(name, _mesh(read["geometry"][name], problems)) for name in names]
    index_of = {name: index for index, name in enumerate(names)}
    nodes = [(node["frame_to"], index_of.get(node["geometry"], -1), node["matrix"]) for node in read["graph"]]
    return _Parts(sum(len(mesh["vertices"]) for mesh in read["geometry"].values()), meshes, nodes)


def _stays_within_bounds(file: io.BytesIO) -> bool:
    """Tell whether a 3MF file unpacks, and its objects with their parts multiply, to no more than can be shown."""
    with zipfile.ZipFile(file) as archive:
        if sum(info.file_size for info in archive.infolist()) > _LARGEST_UNPACKED_BYTES:
            return False
        model = next(info for info in archive.infolist() if "3d/3dmodel.model" in info.filename.lower())
        parts: dict[str | None, list[str]] = {}
        with archive.open(model) as text:
            for _, element in ElementTree.iterparse(text):
                tag = element.tag.rpartition("}")[2]
                if tag in ("object", "build"):
                    wanted = "component" if tag == "object" else "item"
                    parts[element.get("id") if tag == "object" else None] = [
                        str(part.get("objectid")) for part in element.iter() if part.tag.rpartition("}")[2] == wanted
                    ]
                    element.clear()
    # How many nodes each object becomes, beginning with those that have no parts.
    counts: dict[str | None, int] = {}
    for _ in range(_DEEPEST):
        ready = {
            name: 1 + sum(counts.get(part, 1) for part in inside)
            for name, inside in parts.items()
            if name not in counts and all(part in counts or part not in parts for part in inside)
        }
        if not ready:
            break
        counts |= ready
    return len(counts) == len(parts) and max(counts.values(), default=0) <= _MOST_INSTANCES


def _mesh(read: dict[str, np.ndarray], problems: Problems) -> MeshData:
    """Make a mesh of vertices and faces, or of points where there are no faces."""
    positions = np.array(read["vertices"], dtype=np.float64).reshape(-1, 3)
    triangles = np.asarray(read.get("faces", ()), dtype=np.int64).reshape(-1, 3)
    columns = {"x": positions[:, 0], "y": positions[:, 1], "z": positions[:, 2]}
    face = {"vertex_indices": triangles} if len(triangles) else None
    return mesh_of_elements(columns, face, None, corner_uvs="", problems=problems)


def _one(path: Path, vertex_count: int, mesh: MeshData, material: Material = DEFAULT_MATERIAL) -> _Parts:
    name = printable(path.stem)
    return _Parts(vertex_count, [(name, mesh)], [(name, 0, np.eye(4))], material)


def _content(path: Path, parts: _Parts, problems: Problems) -> FileContent:
    shown = [
        index
        for index, (_, mesh) in enumerate(parts.meshes)
        if any(elements is not None and len(elements) for elements in (mesh.triangles, mesh.lines, mesh.points))
    ]
    row_of = {index: row for row, index in enumerate(shown)}
    nodes = [(name, row_of[index], matrix) for name, index, matrix in parts.nodes if index in row_of]
    if not nodes:
        reason = "; ".join(f"{problem.what}: {problem.done}" for problem in problems[-2:])
        raise ReadError(f"{printable(path)}: nothing to show in it{f' ({reason})' if reason else ''}; export it again")
    matrices = np.array([matrix for _, _, matrix in nodes], dtype=np.float64)
    if not np.isfinite(matrices).all():
        problems.report("transform", "a transform that is not finite", "ignored")
        matrices[~np.isfinite(matrices).all(axis=(1, 2))] = np.eye(4)
    columns = nested(
        np.arange(len(nodes)),
        np.full(len(nodes), -1),
        np.array([printable(name) for name, _, _ in nodes], dtype=np.dtypes.StringDType()),
        np.array([row for _, row, _ in nodes]),
        matrices[:, :3, 3],
        factorize(matrices[:, :3, :3]),
        problems,
    )
    names = [printable(parts.meshes[index][0]) for index in shown]
    meshes = [parts.meshes[index][1] for index in shown]
    return FileContent(
        printable(path.name),
        parts.vertex_count,
        columns.names,
        columns.parents,
        columns.meshes.astype(np.int32),
        MeshBatch.of(meshes, names),
        [parts.material],
        columns.translations,
        columns.rotations,
        columns.scales,
        np.full(len(columns.names), -1, dtype=np.int32),
        problems=list(problems),
        dependencies=parts.dependencies,
    )


_READERS = {".ply": _read_ply, ".stl": _read_stl, ".off": _read_off, ".3mf": _read_3mf}
