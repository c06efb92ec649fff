"""Edits as records of a journal. What they hold is read by scene.project.replaying.

A record says what nodes get, not what they had: that is known when it is replayed. Nodes and meshes go by their places
in the file and the journal (scene.project.places), materials by value, since their ids are the running program's own.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scene.editing.edits import BOOKMARKS, COLUMNS, MEASUREMENTS, Edit, differing_rows
from scene.mesh_references import references_of
from scene.project.bookmarks import written_bookmark
from scene.project.materials import written_material
from scene.project.measurements import written_measurements
from scene.project.meshes import written_meshes
from scene.project.packing import pack
from scene.project.paths import written_path
from scene.scene import Scene

SET, ADD, UNDO, REDO = "set", "add", "undo", "redo"
# Of these replaying has what was before, bit for bit. Materials and meshes may become others under their ids, and
# measurements and bookmarks may be more in the scene than in the file.
_TAKEN_BACK = {"alive", "translation", "rotation", "scale", "name", "parent", "hidden", "unselectable"}


def written_edit(edit: Edit, scene: Scene, folder: Path) -> dict[str, object]:
    """An edit that was applied to a scene, as a record; `folder` is the project's.

    With it go the nodes that are there and that neither the file nor the journal has, whoever added them, the meshes
    and files that they need, and the measurements of them. These have places from now on.
    """
    places = scene.project.places
    unknown = np.flatnonzero(scene.alive & (places.nodes(scene.row_count) < 0))
    places.add_nodes(unknown)
    place_of = places.nodes(scene.row_count)
    writer = _Writer(scene, folder)
    changes = []
    # First of all nodes come to life: those that come back may hang below new ones, and the other way round.
    is_unknown, is_revived = np.zeros((2, scene.row_count), dtype=np.bool_)
    is_unknown[unknown] = is_revived[unknown] = True
    for change in edit.changes:
        if change.column == "alive":
            is_revived[change.ids] = True
    is_revived &= scene.alive
    revived = np.flatnonzero(is_revived)
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
            changes.append({"column": BOOKMARKS, "values": [written_bookmark(*pair) for pair in change.after.tolist()]})
            continue
        kept = (place_of[change.ids] >= 0) & ~is_unknown[change.ids]
        if change.column == "alive":
            kept &= ~is_revived[change.ids]
        if kept.any():
            changes.append(writer.change(change.column, change.ids[kept], change.after[kept]))
    if (
        len(unknown)
        and _are_measured(scene, is_unknown)
        and all(change.column != MEASUREMENTS for change in edit.changes)
    ):
        # Those of deleted nodes are in no file: they come back with their nodes.
        changes.append({"column": MEASUREMENTS, "values": written_measurements(scene.measurements, place_of)})
    record: dict[str, object] = {"kind": SET, "label": edit.label}
    files = [{"path": written_path(path, folder)} for path in scene.sources[places.source_count :]]
    places.source_count = len(scene.sources)
    if len(unknown) or writer.new_meshes or files:
        record |= {"kind": ADD, "nodes": scene.names[unknown].tolist(), "files": files, **writer.meshes()}
    return record | {"changes": changes}


def written_step(kind: str, back: int) -> dict[str, object]:
    """A record that takes back (UNDO) or does again (REDO) what the record so many before it did."""
    return {"kind": kind, "back": back}


def is_taken_back_by_name(edit: Edit, unknown: np.ndarray, scene: Scene) -> bool:
    """Whether taking back what an edit's record did takes back what the edit did, no more and no less.

    Args:
        unknown: (k,) ids of the nodes that went with the record because no file and no journal had them.
    """
    place_of = scene.project.places.nodes(scene.row_count)
    new = np.zeros(scene.row_count, dtype=np.bool_)
    new[unknown] = True
    others = new.copy()  # whom the edit does not bring
    for change in edit.changes:
        if change.column not in _TAKEN_BACK or (place_of[change.ids] < 0).any():
            return False
        if change.column == "alive":
            others[change.ids] = False
        elif new[change.ids].any():
            return False
    return not others.any()


def _are_measured(scene: Scene, nodes: np.ndarray) -> bool:
    """Whether a measurement is of one of these nodes, (n,) bool by id."""
    return any(anchor.node >= 0 and nodes[anchor.node] for each in scene.measurements for anchor in each.anchors)


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
        lacking = np.flatnonzero(meshes < 0)
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
