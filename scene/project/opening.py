"""Open a project: its file, the files that it refers to, and the journal that a killed program left."""

from __future__ import annotations

import codecs
import json
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from octoscope.guesses import advises
from octoscope.scene.annotations.annotation_json import camera_from_json
from octoscope.scene.file_ids import FileIds
from octoscope.scene.file_state import FileMark
from octoscope.scene.formats.readers import AS_USUAL, FileProgress, ReadOptions, read_file
from octoscope.scene.mesh.color_scale import ColorScale
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.material import Material
from octoscope.scene.project.journal import digest_of
from octoscope.scene.project.materials import material_from_json
from octoscope.scene.project.meshes import FIELDS as MESH_FIELDS
from octoscope.scene.project.meshes import meshes_from_json
from octoscope.scene.project.nodes import PACKED_FIELDS, FileNodes, read_nodes, unpack_nodes
from octoscope.scene.project.paths import path_from_json
from octoscope.scene.project.replaying import replay
from octoscope.scene.project.scene_values import JSON_VALUES, color_scales_from_json
from octoscope.scene.project.sources import Reader, find_meshes
from octoscope.scene.project.writer import VERSION
from octoscope.scene.scene import Scene
from octoscope.scene.system.json_fields import MalformedError, object_in, objects_in, report_unknown, unknown_fields
from octoscope.scene.system.memory import no_collections
from octoscope.scene.system.paths import StrPath, realpath, stat_of
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable, read_bytes, shortened

LARGEST_BYTES = 2 * 2**30
_KNOWN = frozenset({"octoscope", "files", "materials", "meshes", "nodes", "color_scales", "camera", *JSON_VALUES})


@advises()
def open_project(
    path: StrPath, options: ReadOptions = AS_USUAL, *, replays: bool = True, progress: FileProgress | None = None
) -> Scene:
    """Open a project file into a new scene, and replay the journal that a killed program has left.

    Nothing on disk is changed; a Recorder does that. The scene's report says what is missing, was replaced or left out.
    A node whose mesh is missing has none, and the next save writes its reference as it was.

    Args:
        options: for reading each of the files that the project refers to.
        replays: False: open the project as it was saved; its journal must be removed before edits are recorded.
        progress: called with each of these files, as `load` does, and once with the project.

    Raises:
        ReadError: the file cannot be read, is no project, is damaged, or was written by a newer release.
    """
    path = Path(path)
    problems = Problems(path)
    read = partial(read_file, options=options, progress=progress)
    if progress is not None:
        progress(path, 0, None)
    try:
        stat = stat_of(path)  # before reading, so that the next save notices a file that replaces it meanwhile
        data = read_bytes(path, largest_bytes=LARGEST_BYTES)
        scene = Scene()
        scene.project.path = Path(realpath(path))
        scene.project.content = FileMark(digest_of(data), stat)
        with no_collections():
            document = parsed_project(data, problems)
            del data
            _fill(scene, document, read, problems)
            del document
        if replays:
            replay(scene, read, problems)
        scene.update_world()  # on this thread, so that the window need not wait for it later
    except MalformedError as malformed:
        raise ReadError(path, f"{printable(malformed)}") from None
    except MemoryError:
        raise ReadError(path, "too large for this machine's memory; open it on a larger one") from None
    scene.report.opened.append(path)
    scene.report.problems += problems
    return scene


def parsed_project(data: bytes, problems: Problems) -> dict[str, Any]:
    """Return the JSON of a project; MalformedError if it is none."""
    no_numbers: list[str] = []
    if not data.strip():
        raise MalformedError("the file is empty; restore it from a copy")
    if not data.removeprefix(codecs.BOM_UTF8).lstrip().startswith((b"{", b"[")):
        raise MalformedError("not a project: no JSON object; give it an .octo.json")
    try:
        parsed = json.loads(data.decode("utf-8-sig"), parse_constant=no_numbers.append)  # which returns None
    except UnicodeDecodeError:
        raise MalformedError("not a project: not UTF-8 text; give it an .octo.json") from None
    except RecursionError:
        raise MalformedError("nested too deeply for a project; restore it from a copy") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno} column {error.colno}"
        raise MalformedError(f"damaged at {where} ({error.msg}); restore it from a copy, or mend it there") from None
    except ValueError as error:  # a number of thousands of digits
        raise MalformedError(f"damaged ({error}); restore it from a copy") from None
    if no_numbers:
        problems.report("json", f"{printable(no_numbers[0])} is not JSON", "null instead", count=len(no_numbers))
    document = parsed if isinstance(parsed, dict) else {}
    head = document.get("octoscope")
    version = head.get("version") if isinstance(head, dict) else None
    if type(version) is not int or version < 1:
        raise MalformedError("not a project: no 'octoscope' with a version in it; give it an .octo.json")
    if version > VERSION:
        raise MalformedError(
            f"of version {shortened(str(version))}, newer than this Octoscope, which reads {VERSION}; update it"
        )
    return document


def _fill(scene: Scene, document: dict[str, Any], read: Reader, problems: Problems) -> None:
    state = scene.project
    folder = state.saved_file()[0].parent
    state.fields = unknown_fields(document, _KNOWN, problems)
    report_unknown([document["octoscope"]], {"version"}, problems)
    state.camera = camera_from_json(document.get("camera"), problems)
    parts = parts_of(document, folder, problems)
    state.paths = dict(enumerate(parts.paths))
    scene.sources = tuple(path_from_json(path, folder) for path in parts.paths)
    state.material_ids = scene.add_materials(parts.materials)
    scene.color_scales = {1 + number: scale for number, scale in parts.color_scales.items()}
    if parts.meshes is not None:
        parts.meshes.material_ids[:] += 1
        add_embedded(scene, parts.meshes)
    _add_nodes(scene, parts.nodes, read, problems)
    for name, value in JSON_VALUES.items():
        if name in document:
            setattr(scene, name, value.from_json(document[name], len(scene), problems, folder))


class Parts(NamedTuple):
    """The nodes of a project file and what they refer to, by places in these lists."""

    paths: list[str]  # of files, as it writes them
    materials: list[Material]
    color_scales: dict[int, ColorScale]  # by material
    meshes: MeshBatch | None  # those in the file itself
    nodes: FileNodes


def parts_of(document: dict[str, Any], folder: Path, problems: Problems) -> Parts:
    """Return the parts of a project's JSON, whose paths start in a folder; MalformedError if they are damaged."""
    files = _objects_of(document, "files")
    report_unknown(files, {"path"}, problems)
    for number, file in enumerate(files):
        if not isinstance(file.get("path"), str):
            raise MalformedError(f"file {number} in it has no path; restore it from a copy, or mend it there")
    materials = [material_from_json(written, folder, problems) for written in _objects_of(document, "materials")]
    meshes = _embedded(document.get("meshes"), len(materials), problems)
    mesh_count = 0 if meshes is None else len(meshes)
    counts = {"file_count": len(files), "mesh_count": mesh_count, "material_count": len(materials)}
    nodes = _nodes(document.get("nodes", []), problems, **counts)
    unused = int((np.bincount(nodes.references.embedded, minlength=mesh_count) == 0).sum())
    problems.report("unused-mesh", "meshes that no node shows", "the next save leaves them out", count=unused)
    return Parts(
        [file["path"] for file in files],
        materials,
        color_scales_from_json(document.get("color_scales", []), len(materials), problems),
        meshes,
        nodes,
    )


def _nodes(written: object, problems: Problems, **counts: int) -> FileNodes:
    if isinstance(written, list):
        return read_nodes(written, problems, **counts)
    fields = object_in(written, "'nodes' is neither a list nor columns; restore it from a copy, or mend it there")
    report_unknown([fields], PACKED_FIELDS, problems)
    try:
        return unpack_nodes(fields, **counts)
    except ValueError as error:
        raise MalformedError(f"its nodes are damaged ({error}); restore it from a copy") from None


def _objects_of(document: dict[str, Any], field: str) -> list[dict[str, Any]]:
    wrong = f"'{field}' is not a list of objects; restore it from a copy, or mend it there"
    return objects_in(document.get(field, []), wrong)


def _embedded(written: object, material_count: int, problems: Problems) -> MeshBatch | None:
    if written is None:
        return None
    fields = object_in(written, "'meshes' is not an object; restore it from a copy")
    report_unknown([fields], MESH_FIELDS, problems)
    try:
        return meshes_from_json(fields, material_count)
    except ValueError as error:
        raise MalformedError(f"its meshes are damaged ({error}); restore it from a copy") from None


def add_embedded(scene: Scene, meshes: MeshBatch) -> range:
    """Add the meshes in a project file itself, whose materials are the scene's; return their ids."""
    try:
        ids = scene.meshes.extend(meshes)
    except ValueError as error:
        raise MalformedError(f"its meshes are damaged ({error}); restore it from a copy") from None
    scene.report.vertex_count += len(meshes.positions)
    return ids


def _add_nodes(scene: Scene, columns: FileNodes, read: Reader, problems: Problems) -> None:
    count, embedded_count = len(columns.names), len(scene.meshes)  # before the files are read
    references = columns.references
    meshes = np.full((2, count), -1, dtype=np.int64)  # those shown, and those whose files say what the nodes are
    meshes[0, references.embedded_nodes] = references.embedded
    wanted = references.files, references.names, references.occurrences
    meshes[np.where(references.shown, 0, 1), references.nodes] = find_meshes(
        scene, *wanted, read, problems, shown=references.shown
    )
    file_roots = columns.file_root
    if not file_roots.any():  # as projects of before that field were written: known by the names of files
        names = {path.name for path in scene.sources}
        file_roots = np.array([name in names for name in columns.names.tolist()], dtype=np.bool_)
        file_roots[[*references.embedded_nodes, *references.nodes]] = False
    ids = scene.add_nodes(
        columns.names,
        mesh=meshes[0],
        file_mesh=meshes[1],
        material=np.where(columns.materials < 0, -1, columns.materials + 1),
        translation=columns.translations,
        rotation=columns.rotations,
        scale=columns.scales,
        hidden=columns.hidden,
        unselectable=columns.unselectable,
        order=columns.orders,
        instance=columns.instances,
        file_root=file_roots,
    )
    scene.set_parents(
        np.array(ids, dtype=np.int64), columns.parents
    )  # now, since parents may come after their children
    state = scene.project
    state.file_ids = FileIds.of(scene.ids, np.arange(embedded_count), len(scene.sources))
    gone = references.shown & (meshes[0, references.nodes] < 0)
    state.unresolved_meshes.append(
        int(gone.sum()),
        node=references.nodes[gone],
        source=references.files[gone],
        name=references.names[gone],
        occurrence=references.occurrences[gone],
    )
