"""Edits as records of the journal; scene.project.replaying reads them.

A record has the new values of nodes; the old ones are known when it is replayed. Nodes and meshes are named by their
file ids (scene.file_ids), materials by value, since their ids belong to the running program.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.scene.editing.edits import COLUMNS, differing_rows
from octoscope.scene.file_ids import FileIds
from octoscope.scene.mesh_references import references_of
from octoscope.scene.project.journal import EDIT
from octoscope.scene.project.materials import material_to_json
from octoscope.scene.project.meshes import meshes_to_json
from octoscope.scene.project.packing import pack
from octoscope.scene.project.paths import path_to_json
from octoscope.scene.project.scene_values import JSON_VALUES, color_scale_to_json
from octoscope.scene.scene import Scene

COLOR_SCALE = "color_scale"  # a field beside those of a material: what the colours of its vertices stand for

# A column, (k,) ids of the nodes that get another value, and (n, ...) the column's values of all nodes, by id.
# Or one of SCENE_VALUES, no ids, and the value as a Change holds it.
Assignment = tuple[str, np.ndarray, Any]


def edit_to_json(
    scene: Scene, file_ids: FileIds, folder: Path, *, label: str, added: np.ndarray, changes: Iterable[Assignment]
) -> dict[str, object]:
    """Return the record of an edit, with the meshes and files that it needs and no record has yet.

    Args:
        added: (k,) ids of nodes that no record has, parents before their children. Replaying adds them as deleted
            nodes.
    """
    encoder = _Encoder(scene, file_ids, folder)
    record: dict[str, object] = {"kind": EDIT, "label": label}
    if len(added):
        record["nodes"] = encoder.nodes(added)
    written = [encoder.change(*change) for change in changes]
    files = scene.sources[file_ids.source_count :]
    file_ids.source_count = len(scene.sources)
    if files:
        record["files"] = [{"path": path_to_json(path, folder)} for path in files]
    return record | encoder.meshes() | {"changes": written}


class _Encoder:
    """Converts values to JSON with file ids."""

    def __init__(self, scene: Scene, file_ids: FileIds, folder: Path) -> None:
        self._scene = scene
        self._folder = folder
        self._file_ids = file_ids
        self._node_file_ids = np.append(
            file_ids.nodes(scene.row_count), np.int32(-1)
        )  # the last element is for index -1
        self.new_meshes: list[int] = []  # ids of meshes of no file that the record has to contain

    def nodes(self, ids: np.ndarray) -> dict[str, object]:
        """Return the columns of new nodes, without those that have only the values of a new node."""
        written: dict[str, object] = {"name": self._scene.names[ids].tolist()}
        for name, column in COLUMNS.items():
            if name in ("alive", "name"):
                continue
            values = column.values(self._scene)[ids]
            is_other = differing_rows(values, column.new)
            if name == "mesh":  # a node whose mesh is missing still refers to it
                is_other |= references_of(self._scene, ids)[0] >= 0
            if is_other.any():
                written[name] = self._values(name, ids, values)
        return written

    def change(self, column: str, ids: np.ndarray, values: Any) -> dict[str, object]:
        """Return the change of one column of some nodes, or of a value of the scene."""
        if column in JSON_VALUES:
            return {"column": column, "values": JSON_VALUES[column].to_json(values, self._node_file_ids, self._folder)}
        new = values.take(ids, axis=0)  # a third of the time of values[ids]
        return {"column": column, "ids": pack(self._node_file_ids.take(ids)), **self._values(column, ids, new)}

    def _values(self, column: str, ids: np.ndarray, values: np.ndarray) -> dict[str, object]:
        match column:
            case "name":
                return {"values": values.tolist()}
            case "parent":
                return {"values": pack(self._node_file_ids[values])}
            case "material":
                return self._materials(values)
            case "mesh" | "file_mesh":
                return self._references(column, ids, values)
        return {"values": pack(values)}

    def meshes(self) -> dict[str, object]:
        """Return the new meshes and their materials."""
        if not self.new_meshes:
            return {}
        batch = self._scene.meshes.batch(np.array(self.new_meshes))
        used, numbers = np.unique(batch.material_ids, return_inverse=True)
        batch.material_ids[:] = numbers
        return {"meshes": meshes_to_json(batch), "materials": self._by_value(used)}

    def _materials(self, values: np.ndarray) -> dict[str, object]:
        used, numbers = np.unique(values, return_inverse=True)
        none = int(used[0] < 0)  # -1 means the meshes' own materials
        return {"values": pack((numbers - none).astype(np.int32)), "materials": self._by_value(used[none:])}

    def _by_value(self, material_ids: np.ndarray) -> list[dict[str, object]]:
        scales = self._scene.color_scales
        return [
            material_to_json(self._scene.materials[number], self._folder)
            | ({COLOR_SCALE: color_scale_to_json(scales[number])} if number in scales else {})
            for number in material_ids.tolist()
        ]

    def _references(self, column: str, ids: np.ndarray, meshes: np.ndarray) -> dict[str, object]:
        """Return meshes as indices in a list of references, to meshes of files or (file -1) of the journal."""
        rows = self._scene.meshes.rows
        used, numbers = np.unique(meshes, return_inverse=True)
        none = int(used[0] < 0)
        values, used = numbers - none, used[none:]
        files, objects, counts = rows["source"][used], rows["name"][used], rows["occurrence"][used].copy()
        own = used[files < 0]
        known = self._file_ids.meshes(len(self._scene.meshes))
        new = own[known[own] < 0]
        self.new_meshes += new.tolist()
        self._file_ids.add_meshes(new)
        counts[files < 0] = self._file_ids.meshes(len(self._scene.meshes))[own]
        lacking = np.flatnonzero((meshes < 0) & (column == "mesh"))
        missing = references_of(self._scene, ids[lacking])
        is_missed = missing[0] >= 0
        lacking, missing = lacking[is_missed], [column[is_missed] for column in missing]
        values[lacking] = len(files) + np.arange(len(lacking))
        files, objects, counts = (
            np.concatenate([mine, theirs]) for mine, theirs in zip((files, objects, counts), missing, strict=True)
        )
        objects = np.where(files < 0, "", objects).tolist()
        references = {
            "files": pack(files.astype(np.int32)),
            "objects": objects,
            "numbers": pack(counts.astype(np.int32)),
        }
        return {"values": pack(values.astype(np.int32)), "references": references}
