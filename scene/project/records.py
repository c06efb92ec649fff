"""Edits as records of a journal. What they hold is read by scene.project.replaying.

A record says what nodes get, not what they had: that is known when it is replayed. Nodes and meshes go by their places
in the file and the journal (scene.project.places), materials by value, since their ids are the running program's own.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scene.bookmarks import Bookmark
from scene.edits import BOOKMARKS, COLUMNS, MEASUREMENTS, Edit, differing_rows
from scene.project.bookmarks import written_bookmark
from scene.project.materials import written_material
from scene.project.measurements import written_measurements
from scene.project.meshes import written_meshes
from scene.project.packing import pack
from scene.project.paths import written_path
from scene.project.writer import references_of
from scene.scene import Scene

SET, ADD = "set", "add"


def written_edit(edit: Edit, scene: Scene, folder: Path) -> dict[str, object]:
    """An edit that was applied to a scene, as a record; `folder` is the project's.

    With it go the nodes that are there and that neither the file nor the journal has, whoever added them, and the
    meshes and files that they need. These have places from now on.
    """
    places = scene.project.places
    unknown = np.flatnonzero(scene.alive & (places.nodes(scene.row_count) < 0))
    places.add_nodes(unknown)
    place_of = places.nodes(scene.row_count)
    writer = _Writer(scene, folder)
    changes = []
    # First of all nodes come to life: those that come back may hang below new ones, and the other way round.
    revived = [change.ids for change in edit.changes if change.column == "alive"]
    revived = np.unique(np.concatenate([unknown, *revived]))
    revived = revived[scene.alive[revived]]
    if len(revived):
        changes.append(writer.change("alive", revived, np.ones(len(revived), dtype=np.bool_)))
    for name, column in COLUMNS.items():
        if name not in ("alive", "name"):
            values = column.values(scene)[unknown]
            other = differing_rows(values, column.new)
            if name == "mesh":  # a node whose mesh is not there has none, and yet means one
                other |= references_of(scene, unknown)[0] >= 0
            if other.any():
                changes.append(writer.change(name, unknown[other], values[other]))
    for change in edit.changes:
        if change.column == MEASUREMENTS:
            changes.append({"column": MEASUREMENTS, "values": written_measurements(change.after, place_of)})
            continue
        if change.column == BOOKMARKS:
            changes.append({"column": BOOKMARKS, "values": [_bookmark(scene, *pair) for pair in change.after.tolist()]})
            continue
        kept = (place_of[change.ids] >= 0) & ~np.isin(change.ids, unknown)
        if change.column == "alive":
            kept &= ~np.isin(change.ids, revived)
        if kept.any():
            changes.append(writer.change(change.column, change.ids[kept], change.after[kept]))
    record: dict[str, object] = {"kind": SET, "label": edit.label}
    files = [{"path": written_path(path, folder)} for path in scene.sources[places.source_count :]]
    places.source_count = len(scene.sources)
    if len(unknown) or writer.new_meshes or files:
        record |= {"kind": ADD, "nodes": scene.names[unknown].tolist(), "files": files, **writer.meshes()}
    return record | {"changes": changes}


def _bookmark(scene: Scene, name: str, bookmark: Bookmark) -> dict[str, object]:
    return written_bookmark(name, bookmark, scene.project.bookmark_fields.get(name, {}))


class _Writer:
    """Changes in the journal's terms.

    Attributes:
        new_meshes: ids of meshes that come from no file and that the journal is to hold.
    """

    def __init__(self, scene: Scene, folder: Path) -> None:
        self._scene = scene
        self._folder = folder
        self._places = scene.project.places
        self.new_meshes: list[int] = []

    def change(self, column: str, ids: np.ndarray, values: np.ndarray) -> dict[str, object]:
        node_places = self._places.nodes(self._scene.row_count)
        written = {"column": column, "ids": pack(node_places[ids])}
        match column:
            case "name":
                return written | {"values": values.tolist()}
            case "parent":
                return written | {"values": pack(np.append(node_places, np.int32(-1))[values])}
            case "material":
                return written | self._materials(values)
            case "mesh":
                return written | self._references(ids, values)
        return written | {"values": pack(values)}

    def meshes(self) -> dict[str, object]:
        """The new meshes, and the materials that they show."""
        if not self.new_meshes:
            return {}
        batch = self._scene.meshes.batch(np.array(self.new_meshes))
        used, numbers = np.unique(batch.material_ids, return_inverse=True)
        batch.material_ids[:] = numbers
        return {"meshes": written_meshes(batch), "materials": self._by_value(used)}

    def _materials(self, values: np.ndarray) -> dict[str, object]:
        used, numbers = np.unique(values, return_inverse=True)
        none = int(used[0] < 0)  # -1, the meshes' own, is no material
        return {"values": pack((numbers - none).astype(np.int32)), "materials": self._by_value(used[none:])}

    def _by_value(self, material_ids: np.ndarray) -> list[dict[str, object]]:
        return [written_material(self._scene.materials[number], self._folder) for number in material_ids.tolist()]

    def _references(self, ids: np.ndarray, meshes: np.ndarray) -> dict[str, object]:
        """Meshes as places in a list of references: to a file's object, or (file -1) to a mesh in the journal."""
        rows = self._scene.meshes.rows
        used, numbers = np.unique(meshes, return_inverse=True)
        none = int(used[0] < 0)
        values, used = numbers - none, used[none:]
        files, objects, counts = rows["source"][used], rows["name"][used], rows["occurrence"][used].copy()
        own = used[files < 0]
        known = self._places.meshes(len(self._scene.meshes))
        new = own[known[own] < 0]
        self.new_meshes += new.tolist()
        self._places.add_meshes(new)
        counts[files < 0] = self._places.meshes(len(self._scene.meshes))[own]
        missing = references_of(self._scene, ids)
        lacking = np.flatnonzero((meshes < 0) & (missing[0] >= 0))
        values[lacking] = len(files) + np.arange(len(lacking))
        files, objects, counts = (
            np.concatenate([mine, theirs[lacking]])
            for mine, theirs in zip((files, objects, counts), missing, strict=True)
        )
        objects = np.where(files < 0, "", objects).tolist()
        references = {
            "files": pack(files.astype(np.int32)),
            "objects": objects,
            "numbers": pack(counts.astype(np.int32)),
        }
        return {"values": pack(values.astype(np.int32)), "references": references}
