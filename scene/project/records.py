"""Edits as records of a journal, and back.

A record says what nodes get, not what they had: that is known when it is replayed. Materials go by value, since their
ids are the running program's own.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from scene.edits import COLUMNS, Edit, change_nodes
from scene.materials import Material
from scene.project.fields import whole_text
from scene.project.materials import material_from, written_material
from scene.project.packing import pack, unpack
from scene.report import Problems
from scene.scene import Scene

_KIND = "set"


def written_edit(edit: Edit, scene: Scene, folder: Path) -> dict[str, object]:
    """An edit as a record; `folder` is the project's."""
    return {
        "kind": _KIND,
        "label": edit.label,
        "changes": [
            {
                "column": change.column,
                "ids": pack(change.ids),
                **_written_values(change.column, change.after, scene, folder),
            }
            for change in edit.changes
        ],
    }


def edit_from(
    record: dict[str, object], scene: Scene, folder: Path, material_ids: dict[Material, int], problems: Problems
) -> Edit:
    """The edit that a record describes, for a scene as it was then.

    Args:
        material_ids: the scene's materials; those of the edit that are not among them are added, to the scene too.

    Raises:
        ValueError: it is none that this release knows.
    """
    changes = record.get("changes")
    if record.get("kind") != _KIND or not isinstance(changes, list):
        raise ValueError("a kind of change that this release does not know")
    edits = []
    for change in changes:
        column = change.get("column") if isinstance(change, dict) else None
        if not isinstance(column, str) or column not in COLUMNS:
            raise ValueError("a change to what this release does not know")
        ids = unpack(change.get("ids"), np.int32, ())
        values = _values(column, len(ids), change, scene, folder, material_ids, problems)
        try:
            edits.append(change_nodes(scene, ids, **{column: values}))
        except IndexError:
            raise ValueError("a node that is not there") from None
    label = record.get("label")
    return Edit(label if isinstance(label, str) else "", tuple(change for edit in edits for change in edit.changes))


def _written_values(column: str, values: np.ndarray, scene: Scene, folder: Path) -> dict[str, object]:
    if column == "name":
        return {"values": values.tolist()}
    if column != "material":
        return {"values": pack(values)}
    used, numbers = np.unique(values, return_inverse=True)
    none = int(used[0] < 0)  # -1, the meshes' own, is no material
    materials = [written_material(scene.materials[number], folder) for number in used[none:]]
    return {"values": pack((numbers - none).astype(np.int32)), "materials": materials}


def _values(
    column: str,
    count: int,
    change: dict[str, object],
    scene: Scene,
    folder: Path,
    material_ids: dict[Material, int],
    problems: Problems,
) -> np.ndarray | list[str]:
    if column == "name":
        names = change.get("values")
        if not isinstance(names, list) or len(names) != count or not set(map(type, names)) <= {str}:
            raise ValueError("names that are none")
        return [whole_text(name) for name in names]
    layout = COLUMNS[column]
    values = unpack(change.get("values"), layout.dtype, layout.row_shape)
    if len(values) != count:
        raise ValueError("more or fewer values than nodes")
    if column != "material":
        return values
    materials = change.get("materials")
    if not isinstance(materials, list) or not set(map(type, materials)) <= {dict}:
        raise ValueError("materials that are none")
    if ((values < -1) | (values >= len(materials))).any():
        raise ValueError("a material that is not there")
    ids = np.array(
        [*(_material_id(material, scene, folder, material_ids, problems) for material in materials), -1], dtype=np.int32
    )
    return ids[values]  # the last, for -1


def _material_id(
    written: dict[str, object], scene: Scene, folder: Path, material_ids: dict[Material, int], problems: Problems
) -> int:
    """The scene's material that is as written, added if there is none."""
    material, kept = material_from(written, folder, problems)
    if kept:
        number = scene.add_material(material)
        scene.project.material_fields[number] = kept
        return number
    if material not in material_ids:
        material_ids[material] = scene.add_material(material)
    return material_ids[material]
