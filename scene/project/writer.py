"""The text of a project file: one line for a node, in pieces that keep memory small for a million nodes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from octoscope.scene.formats.export import note_shrunk
from octoscope.scene.mesh_references import references_of
from octoscope.scene.project.bookmarks import bookmark_to_json
from octoscope.scene.project.color_scales import color_scales_to_json
from octoscope.scene.project.materials import material_to_json
from octoscope.scene.project.measurements import measurements_to_json
from octoscope.scene.project.meshes import meshes_to_json
from octoscope.scene.project.node_text.writing import nodes_text
from octoscope.scene.project.paths import path_to_json
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import WriteProgress
from octoscope.scene.up_axis import UP_AXES

VERSION = 1
_NODES_PER_PIECE = 2**13


def project_text(
    scene: Scene, folder: Path, notes: list[str], *, progress: WriteProgress | None = None
) -> Iterator[bytes]:
    """Yield the file's bytes, piece by piece.

    Args:
        scene: to be written.
        folder: where the file goes, absolute, links followed.
        notes: receives a line for each kind of thing that the file holds less of than there was.
        progress: called before each of the larger pieces is made.
    """
    pieces = _pieces(scene, folder, notes, progress)
    return (piece if isinstance(piece, bytes) else _bytes(piece) for piece in pieces)


def source_paths(scene: Scene, folder: Path) -> list[str]:
    """Return the path of each of Scene.sources as the file writes it: as before if the file stays in its folder."""
    state = scene.project
    stays = state.path is not None and state.path.parent == folder
    return [
        state.paths[number] if stays and number in state.paths else path_to_json(path, folder)
        for number, path in enumerate(scene.sources)
    ]


def embedded_meshes(scene: Scene) -> np.ndarray:
    """Return (m,) int64 ids of the meshes in the file itself, in its order: those that are shown and of no file."""
    shown = _used(scene.mesh_ids, len(scene.meshes))
    return shown[scene.meshes.rows["source"][shown] < 0]


def _pieces(scene: Scene, folder: Path, notes: list[str], progress: WriteProgress | None) -> Iterator[str | bytes]:
    state = scene.project
    embedded = embedded_meshes(scene)
    meshes = scene.meshes.batch(embedded)
    material_ids = np.concatenate([state.material_ids, scene.material_overrides[scene.ids], meshes.material_ids])
    material_ids = _used(material_ids.astype(np.int64), len(scene.materials))
    material_numbers = _numbers(material_ids, len(scene.materials))
    meshes.material_ids[:] = material_numbers[meshes.material_ids]
    textures = {texture for number in material_ids.tolist() for texture in scene.materials[number].textures}
    note_shrunk(list(textures), notes)

    yield '{\n"octoscope": ' + _json({"version": VERSION})
    if scene.up_axis != UP_AXES[0]:
        yield f',\n"up_axis": {_json(scene.up_axis)}'
    for name, value in state.fields.items():
        yield f",\n{_json(name)}: {_json(value)}"
    yield ',\n"files": [' + _on_lines(_json({"path": path}) for path in source_paths(scene, folder))
    yield '\n],\n"materials": [' + _on_lines(
        _json(material_to_json(scene.materials[number], folder) | state.unread_textures.get(number, {}))
        for number in material_ids.tolist()
    )
    yield "\n]"
    scales = color_scales_to_json(scene.color_scales, material_numbers)
    if scales:
        yield ',\n"color_scales": [' + _on_lines(map(_json, scales)) + "\n]"
    if len(meshes):
        yield ',\n"meshes": ' + _json(meshes_to_json(meshes))
    if scene.bookmarks:
        yield ',\n"bookmarks": [' + _on_lines(
            _json(bookmark_to_json(name, bookmark)) for name, bookmark in scene.bookmarks.items()
        )
        yield "\n]"
    yield ',\n"nodes": ['
    nodes = _Nodes(scene, _numbers(embedded, len(scene.meshes)), material_numbers)
    for begin in range(0, len(scene), _NODES_PER_PIECE):
        end = min(begin + _NODES_PER_PIECE, len(scene))
        if progress is not None:
            progress(begin / len(scene))
        if begin:
            yield ","
        yield nodes.text(begin, end)
    yield "\n]"
    measurements = measurements_to_json(scene.measurements, _numbers(scene.ids, scene.row_count))
    if measurements:
        yield ',\n"measurements": [' + _on_lines(map(_json, measurements)) + "\n]"
    yield "\n}\n"


class _Nodes:
    """Columns of nodes with the file's ids: indices among the nodes that are not deleted."""

    def __init__(self, scene: Scene, embedded_numbers: np.ndarray, material_numbers: np.ndarray) -> None:
        self._scene = scene
        self._ids = ids = scene.ids
        self._materials = np.append(material_numbers, -1)[scene.material_overrides[ids]]
        self._embedded = np.append(embedded_numbers, -1)[scene.mesh_ids[ids]]
        self._sources, self._objects, self._occurrences = references_of(scene, ids)
        places = np.append(_numbers(ids, scene.row_count), -1)
        parents = places[scene.parents[ids]]
        below = np.flatnonzero(parents >= 0)
        self._children = below[np.argsort(parents[below], kind="stable")]
        counts = np.bincount(parents[below], minlength=len(ids))
        self._first_child = np.concatenate([[0], np.cumsum(counts)])

    def text(self, begin: int, end: int) -> bytes:
        """Return the lines of nodes begin to end - 1."""
        scene, part = self._scene, slice(begin, end)
        ids = self._ids[part]
        sources = self._sources[part]
        firsts = self._first_child[begin : end + 1]
        return nodes_text(
            _bytes(_json(scene.names[ids].tolist())[1:-1]),
            np.diff(firsts),
            self._children[firsts[0] : firsts[-1]],
            np.concatenate([scene.translations[ids], scene.rotations[ids], scene.scales[ids]], axis=1),
            np.stack([sources, self._occurrences[part], self._embedded[part], self._materials[part]], axis=1),
            _bytes(_json(self._objects[part][sources >= 0].tolist())[1:-1]),
            np.stack([scene.hidden[ids], scene.unselectable[ids]], axis=1),
        )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _bytes(text: str) -> bytes:
    """Return a text as UTF-8; lone surrogates, as in file names that are not UTF-8, become JSON escapes."""
    return text.encode("utf-8", "backslashreplace")


def _on_lines(texts: Iterable[str]) -> str:
    return "".join(f"\n{text}," for text in texts)[:-1]


def _used(ids: np.ndarray, count: int) -> np.ndarray:
    """Return which of 0 to count - 1 are among `ids`, ascending; -1 is ignored."""
    return np.flatnonzero(np.bincount(ids[ids >= 0], minlength=count))


def _numbers(ids: np.ndarray, count: int) -> np.ndarray:
    """Return (count,) index of each id in `ids`, -1 for others."""
    numbers = np.full(count, -1, dtype=np.int64)
    numbers[ids] = np.arange(len(ids))
    return numbers
