"""The text of a project file: one line for a node, or packed columns of very many nodes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from octoscope.scene.annotations.annotation_json import camera_to_json
from octoscope.scene.editing.edits import frozen_value
from octoscope.scene.formats.export import note_shrunk
from octoscope.scene.geometry.ranges import index_in
from octoscope.scene.mesh_references import references_of, references_to
from octoscope.scene.project.materials import material_to_json
from octoscope.scene.project.meshes import meshes_to_json
from octoscope.scene.project.nodes import PACKED_FIELDS, FileNodes, References, node_lines, pack_nodes
from octoscope.scene.project.paths import path_from_json, path_to_json
from octoscope.scene.project.scene_values import JSON_VALUES, color_scales_to_json
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import WriteProgress
from octoscope.scene.system.paths import abspath

MOST_LINES = 10_000  # more nodes are written packed
_FILES = '"files": ['  # a line, after which each file has one
VERSION = 2  # the newest that is read; 1 is written where no packed nodes need 2


def project_text(
    scene: Scene, folder: Path | None, notes: list[str], *, progress: WriteProgress | None = None
) -> Iterator[bytes]:
    """Yield the bytes of a file in a folder (absolute, links followed), piece by piece.

    Args:
        folder: None: of a text that is in no folder; it names the files that nodes refer to, and no others.
    """
    pieces = _pieces(scene, folder, notes, progress)
    # Lone surrogates, as in file names that are not UTF-8, become JSON escapes.
    return (each if isinstance(each, bytes) else each.encode("utf-8", "backslashreplace") for each in pieces)


def source_paths(scene: Scene, folder: Path | None) -> list[str]:
    """Return the path of each of Scene.sources as the file writes it: as before if the file stays in its folder."""
    state = scene.project
    stays = state.path is not None and state.path.parent == folder
    return [
        state.paths[number] if stays and number in state.paths else path_to_json(path, folder)
        for number, path in enumerate(scene.sources)
    ]


def first_file(project: Path) -> Path | None:
    """Return the first of the files that a project file refers to, of which nothing else is read; None: it has none."""
    try:
        with project.open(encoding="utf-8", errors="replace") as lines:
            line = next(lines, "") if any(each.rstrip() == _FILES for each in lines) else ""
        return Path(abspath(path_from_json(json.loads(line.rstrip(",\n"))["path"], project.parent)))
    except (OSError, ValueError, TypeError, LookupError):  # of a damaged file, too
        return None


def embedded_meshes(scene: Scene) -> np.ndarray:
    """Return (m,) int64 ids of the meshes in the file itself, in its order: those that are shown and of no file."""
    shown = _used(scene.mesh_ids, len(scene.meshes))
    return shown[scene.meshes.rows["source"][shown] < 0]


def _pieces(
    scene: Scene, folder: Path | None, notes: list[str], progress: WriteProgress | None
) -> Iterator[str | bytes]:
    state = scene.project
    packs = len(scene) > MOST_LINES
    embedded = embedded_meshes(scene)
    meshes = scene.meshes.batch(embedded)
    material_ids = np.concatenate([state.material_ids, scene.material_overrides[scene.ids], meshes.material_ids])
    material_ids = _used(material_ids.astype(np.int64), len(scene.materials))
    material_numbers = index_in(material_ids, len(scene.materials))
    meshes.material_ids[:] = material_numbers[meshes.material_ids]
    textures = {texture for number in material_ids.tolist() for texture in scene.materials[number].textures}
    note_shrunk(list(textures), notes)
    nodes = _node_columns(scene, index_in(embedded, len(scene.meshes)), material_numbers)
    paths = source_paths(scene, folder)
    if folder is None:
        used = _used(nodes.references.files, len(paths))
        nodes.references.files = index_in(used, len(paths))[nodes.references.files]
        paths = [paths[number] for number in used.tolist()]

    yield '{\n"octoscope": ' + _json({"version": VERSION if packs else 1})
    for name, value in state.fields.items():
        yield f",\n{_json(name)}: {_json(value)}"
    if state.camera is not None:
        yield ',\n"camera": ' + _json(camera_to_json(state.camera))
    yield f",\n{_FILES}" + _on_lines(_json({"path": path}) for path in paths)
    yield '\n],\n"materials": [' + _on_lines(
        _json(material_to_json(scene.materials[number], folder)) for number in material_ids.tolist()
    )
    yield "\n]"
    scales = color_scales_to_json(scene.color_scales, material_numbers)
    if scales:
        yield ',\n"color_scales": [' + _on_lines(map(_json, scales)) + "\n]"
    if len(meshes):
        yield ',\n"meshes": ' + _json(meshes_to_json(meshes))
    node_numbers = index_in(scene.ids, scene.row_count)
    for name, value in JSON_VALUES.items():
        written = value.to_json(frozen_value(scene, name), node_numbers, folder)
        if written != value.new:
            in_lines = "[" + _on_lines(map(_json, written)) + "\n]" if isinstance(written, list) else _json(written)
            yield f",\n{_json(name)}: {in_lines}"
    if packs:
        yield ',\n"nodes": {'
        for number, (field, value) in enumerate(pack_nodes(nodes)):
            if progress is not None:
                progress(number / len(PACKED_FIELDS))
            yield f"{',' if number else ''}\n{_json(field)}: {_json(value)}"
        yield "\n}"
    else:
        if progress is not None:
            progress(0.0)
        yield ',\n"nodes": [' + _on_lines(map(_json, node_lines(nodes))) + "\n]"
    yield "\n}\n"


def _node_columns(scene: Scene, embedded_numbers: np.ndarray, material_numbers: np.ndarray) -> FileNodes:
    """Return the nodes that are not deleted; their indices are the file's ids."""
    ids = scene.ids
    parents = np.append(index_in(ids, scene.row_count), -1)[scene.parents[ids]]
    embedded = np.append(embedded_numbers, -1)[scene.mesh_ids[ids]]
    columns = zip(references_of(scene, ids), references_to(scene, scene.file_mesh_ids[ids]), strict=True)
    sources, names, occurrences = map(np.concatenate, columns)
    own, of_files = np.flatnonzero(embedded >= 0), np.flatnonzero(sources >= 0)
    references = sources[of_files], names[of_files], occurrences[of_files]
    return FileNodes(
        scene.names[ids],
        parents,
        scene.translations[ids],
        scene.rotations[ids],
        scene.scales[ids],
        np.append(material_numbers, -1)[scene.material_overrides[ids]],
        scene.hidden[ids],
        scene.unselectable[ids],
        scene.orders[ids],
        scene.instances[ids],
        scene.file_roots[ids],
        References(own, embedded[own], of_files % len(ids), *references, of_files < len(ids)),
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _on_lines(texts: Iterable[str]) -> str:
    return "".join(f"\n{text}," for text in texts)[:-1]


def _used(ids: np.ndarray, count: int) -> np.ndarray:
    """Return which of 0 to count - 1 are among `ids`, ascending; -1 is ignored."""
    return np.flatnonzero(np.bincount(ids[ids >= 0], minlength=count))
