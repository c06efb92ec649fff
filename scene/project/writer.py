"""The text of a project file: one line for a node, in pieces that keep memory small for a million nodes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import pairwise, repeat
from pathlib import Path

import numpy as np

from scene.formats.export import note_shrunk
from scene.mesh_references import references_of
from scene.project.bookmarks import bookmark_to_json
from scene.project.color_scales import color_scales_to_json
from scene.project.materials import material_to_json
from scene.project.measurements import measurements_to_json
from scene.project.meshes import meshes_to_json
from scene.project.paths import path_to_json
from scene.scene import Scene
from scene.system.atomic_file import WriteProgress
from scene.up_axis import UP_AXES

VERSION = 1
_NODES_PER_PIECE = 2**11


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
    # Lone surrogates, as in file names that are not UTF-8, become JSON escapes.
    return (piece.encode("utf-8", "backslashreplace") for piece in _pieces(scene, folder, notes, progress))


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


def _pieces(scene: Scene, folder: Path, notes: list[str], progress: WriteProgress | None) -> Iterator[str]:
    state = scene.project
    embedded = embedded_meshes(scene)
    meshes = scene.meshes.batch(embedded)
    material_ids = np.concatenate([state.material_ids, scene.material_overrides[scene.ids], meshes.material_ids])
    material_ids = _used(material_ids.astype(np.int64), len(scene.materials))
    material_numbers = _numbers(material_ids, len(scene.materials))
    meshes.material_ids[:] = material_numbers[meshes.material_ids]
    textures = {texture for number in material_ids.tolist() for texture in scene.materials[number].textures}
    note_shrunk([texture for texture in textures if not texture.has_file], notes)

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
        yield "," * (begin > 0) + _on_lines(nodes.texts(begin, end))
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

    def texts(self, begin: int, end: int) -> list[str]:
        """Return the JSON of nodes begin to end - 1."""
        scene, part = self._scene, slice(begin, end)
        ids = self._ids[part]
        names, materials = scene.names[ids], self._materials[part]
        columns = [
            _fields("name", names != "", _json_each(names[names != ""])),
            _fields("children", np.diff(self._first_child[begin : end + 1]) > 0, self._children_texts(begin, end)),
            _vectors("translation", scene.translations[ids], (0.0, 0.0, 0.0)),
            _vectors("rotation", scene.rotations[ids], (0.0, 0.0, 0.0, 1.0)),
            _vectors("scale", scene.scales[ids], (1.0, 1.0, 1.0)),
            _fields("mesh", self._sources[part] >= 0, self._references(begin, end)),
            _fields("mesh", self._embedded[part] >= 0, self._embedded_references(part)),
            _fields("material", materials >= 0, map(str, materials[materials >= 0].tolist())),
            _flags("hidden", scene.hidden[ids]),
            _flags("unselectable", scene.unselectable[ids]),
        ]
        return ["{" + "".join(fields)[1:] + "}" for fields in zip(*columns, strict=True)]

    def _children_texts(self, begin: int, end: int) -> Iterator[str]:
        firsts = self._first_child[begin : end + 1].tolist()
        children = list(map(str, self._children[firsts[0] : firsts[-1]].tolist()))
        for first, last in pairwise(firsts):
            if last > first:
                yield f"[{','.join(children[first - firsts[0] : last - firsts[0]])}]"

    def _references(self, begin: int, end: int) -> Iterator[str]:
        """Yield the references of nodes to meshes of files."""
        chosen = begin + np.flatnonzero(self._sources[begin:end] >= 0)
        columns = self._sources[chosen].tolist(), _json_each(self._objects[chosen]), self._occurrences[chosen].tolist()
        for source, name, number in zip(*columns, strict=True):
            occurrence = f',"occurrence":{number}' if number else ""
            yield f'{{"file":{source},"object":{name}{occurrence}}}'

    def _embedded_references(self, part: slice) -> Iterator[str]:
        numbers = self._embedded[part]
        return (f'{{"embedded":{number}}}' for number in numbers[numbers >= 0].tolist())


def _vectors(name: str, values: np.ndarray, default: tuple[float, ...]) -> list[str]:
    """Return the field for each row that differs in any bit from the default (-0.0 is not 0.0), "" for others."""
    other = ((values != default) | (np.signbit(values) != np.signbit(default))).any(axis=1)
    return _fields(name, other, [f"[{text}]" for text in _json(values[other].tolist())[2:-2].split("],[")])


def _flags(name: str, values: np.ndarray) -> list[str]:
    return _fields(name, values, repeat("true"))


def _fields(name: str, has_one: np.ndarray, texts: Iterable[str]) -> list[str]:
    """Return the field for each node that has one, "" for others; `texts` has a text for each that has one."""
    texts = iter(texts)
    return [f',"{name}":{next(texts)}' if has else "" for has in has_one.tolist()]


def _json_each(strings: np.ndarray) -> list[str]:
    """Return each string as JSON."""
    # '","' occurs only between two strings: a quote inside a string has a backslash before it.
    return [f'"{text}"' for text in _json(strings.tolist())[2:-2].split('","')]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


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
