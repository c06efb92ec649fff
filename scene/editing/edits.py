"""Edits: the changes of one user action, as values before and after, so that they can be undone and written.

Applying an edit and then its inverse leaves every value as it was, bit for bit. Adding and deleting nodes is a change
of the column `alive`, like others: an operation that adds nodes makes their rows at once (Scene.add_nodes with
alive=False), and the edit makes them nodes. So ids are known before the edit is applied, and an edit that is never
applied leaves rows that nobody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from octoscope.array_arguments import checked_numbers, for_each
from octoscope.guesses import advises
from octoscope.scene.annotations.bookmarks import Bookmark
from octoscope.scene.annotations.cursor import checked_cursor
from octoscope.scene.conventions.length_unit import checked_decimals, checked_length_unit
from octoscope.scene.conventions.up_axis import checked_up_axis
from octoscope.scene.geometry.affine import unit_rotations
from octoscope.scene.loaded_source import free_form_of
from octoscope.scene.nodes.arguments import checked_flags, checked_names, checked_orders, checked_rows
from octoscope.scene.nodes.coloring import keep_materials
from octoscope.scene.nodes.node_table import NO_PARENT
from octoscope.scene.nodes.unused_meshes import hold
from octoscope.scene.scene import Scene

_SHORT_STRING = 15  # bytes; a longer numpy string has memory of its own


class EditError(ValueError):
    """An operation that cannot be done to these nodes; the message is one line for a person that says why."""


@dataclass(frozen=True)
class _Column:
    dtype: DTypeLike
    row_shape: tuple[int, ...]
    checked: Callable[[str, ArrayLike], np.ndarray]  # converts values, given by this name, to its dtype, or ValueError
    values: Callable[[Scene], np.ndarray]
    set_values: Callable[[Scene, np.ndarray, np.ndarray], None]
    new: ArrayLike  # value of a new node


_STRING = np.dtypes.StringDType()


def _numbers(name: str, given: ArrayLike) -> np.ndarray:
    return checked_numbers(given, name, copy=None)


def _names(_: str, given: ArrayLike) -> np.ndarray:
    return checked_names(given)


def _ids(name: str, given: ArrayLike) -> np.ndarray:
    return checked_rows(name, given, 2**31, lowest=-1).astype(np.int32)


COLUMNS = {
    "alive": _Column(np.bool_, (), checked_flags, lambda scene: scene.alive, Scene.set_alive, True),
    "translation": _Column(
        np.float64, (3,), _numbers, lambda scene: scene.translations, Scene.set_translations, (0.0, 0.0, 0.0)
    ),
    "rotation": _Column(
        np.float64, (4,), _numbers, lambda scene: scene.rotations, Scene.set_rotations, (0.0, 0.0, 0.0, 1.0)
    ),
    "scale": _Column(np.float64, (3,), _numbers, lambda scene: scene.scales, Scene.set_scales, (1.0, 1.0, 1.0)),
    "name": _Column(_STRING, (), _names, lambda scene: scene.names, Scene.set_names, ""),
    "parent": _Column(np.int32, (), _ids, lambda scene: scene.parents, Scene.set_parents, NO_PARENT),
    "order": _Column(np.int32, (), checked_orders, lambda scene: scene.orders, Scene.set_orders, 0),
    "instance": _Column(np.int32, (), checked_orders, lambda scene: scene.instances, Scene.set_instances, 0),
    "file_mesh": _Column(np.int32, (), _ids, lambda scene: scene.file_mesh_ids, Scene.set_file_meshes, -1),
    "mesh": _Column(np.int32, (), _ids, lambda scene: scene.mesh_ids, Scene.set_meshes, -1),
    "material": _Column(np.int32, (), _ids, lambda scene: scene.material_overrides, Scene.set_materials, -1),
    "hidden": _Column(np.bool_, (), checked_flags, lambda scene: scene.hidden, Scene.set_hidden, False),
    "unselectable": _Column(
        np.bool_, (), checked_flags, lambda scene: scene.unselectable, Scene.set_unselectable, False
    ),
    "file_root": _Column(np.bool_, (), checked_flags, lambda scene: scene.file_roots, Scene.set_file_roots, False),
}


def _pairs(given: Mapping[str, Bookmark]) -> tuple[tuple[str, Bookmark], ...]:
    return tuple(given.items())


# By attribute of Scene: makes the immutable value that a Change holds, which compares by all that counts.
# Their JSON: scene.project.scene_values.
SCENE_VALUES: Mapping[str, Callable[[Any], Any]] = {
    "up_axis": checked_up_axis,
    "length_unit": checked_length_unit,
    "length_decimals": checked_decimals,
    "bookmarks": _pairs,
    "measurements": tuple,
    "labels": tuple,
    "cursor": checked_cursor,
    "unused_materials": tuple,
}


@dataclass(frozen=True, eq=False)
class Change:
    """Values of one column of some nodes, or a value of the scene."""

    column: str  # one of COLUMNS or of SCENE_VALUES
    ids: np.ndarray  # (k,) int32 node ids, none twice; for a value of the scene empty
    before: np.ndarray  # (k, ...) the old values of these nodes; (1,) object, the old value of the scene
    after: np.ndarray  # (k, ...) the new values, likewise

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return self.ids.nbytes + sum(map(_nbytes, (self.before, self.after)))


@dataclass(frozen=True, eq=False)
class Edit:
    """The changes of one user action.

    Attributes:
        label: its name, for a menu: "Move 3 objects".
        changes: applied in this order; empty when nothing changes.
        selects: (s,) int32 ids to select once it is applied, such as copies; None: the selection stays. A scene ignores
            it, a History does not.
        notes: lines for the user: what may be unexpected.
        outcome: a line for the user about what it has done, such as counts before and after; or "".
        scene: whose nodes these are, which no other takes; None: not told.
    """

    label: str
    changes: tuple[Change, ...]
    selects: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    scene: Scene | None = None
    outcome: str = ""

    def __post_init__(self) -> None:
        if self.scene is not None:
            hold(self.scene, self)

    @property
    def nbytes(self) -> int:
        """Memory that it takes."""
        return sum(change.nbytes for change in self.changes) + (0 if self.selects is None else self.selects.nbytes)


@advises(
    COLUMNS,
    color="scene.set_colors(nodes, colors), which cannot be undone",
    world_from_local="octoscope.editing.transform(scene, nodes, matrix), or set_world",
)
def change_nodes(scene: Scene, ids: ArrayLike, *, label: str = "", **columns: ArrayLike) -> Edit:
    """Make the edit that sets columns of nodes; nothing is set yet.

    Args:
        ids: (k,) node ids, none twice.
        **columns: column = one value for all or one for each, for any of name, parent, translation, rotation, scale,
            mesh, material, hidden, unselectable, file_root and order.

    Raises:
        ValueError: an id is there twice, or values do not fit.
    """
    ids = scene.checked_ids(ids)
    if np.bincount(ids).max(initial=0) > 1:  # np.unique takes fifty times as long
        raise ValueError("a node is given twice")
    if "mesh" in columns:
        columns["mesh"] = scene.checked_meshes(columns["mesh"])
        columns.setdefault("file_mesh", scene.stating_meshes(ids))
    if "parent" in columns:
        columns["parent"] = scene.checked_parents(columns["parent"], scene.row_count)
    if "material" in columns:
        columns["material"] = scene.checked_materials(columns["material"])
    before = {name: COLUMNS[name].values(scene)[ids] for name in columns}
    if "material" in columns:
        keep_materials(scene, np.append(before["material"], columns["material"]))
    notes = _free_form_notes(scene, before["mesh"], columns["mesh"]) if "mesh" in columns else ()
    return replace(changed(ids, before, columns, label=label), notes=notes, scene=scene)


def _free_form_notes(scene: Scene, before: np.ndarray, after: ArrayLike) -> tuple[str, ...]:
    """Say of how many nodes a mesh of curves and surfaces gives way to a mesh that no file has."""
    meshes = np.broadcast_to(after, before.shape)
    is_own = (meshes != before) & (meshes >= 0) & (scene.meshes.rows["source"][meshes] < 0)
    forms = free_form_of(scene.meshes, scene.loaded_sources, before[is_own]).values()
    count = sum(form is not None for _, form in forms)
    whose = "1 object" if count == 1 else f"{count:,} objects"
    return (f"curves and surfaces of {whose} become the lines and triangles that are shown",) if count else ()


@advises(SCENE_VALUES)
def change_scene(scene: Scene, *, label: str = "", **values: object) -> Edit:
    """Make the edit that sets values of a scene, which belong to no node; nothing is set yet.

    Args:
        **values: whole values of SCENE_VALUES, as their attributes of Scene take them. The order of bookmarks counts.

    Raises:
        ValueError: the scene cannot have such a value.
    """
    before = {name: frozen_value(scene, name) for name in values}
    after = {name: SCENE_VALUES[name](value) for name, value in values.items()}
    return Edit(label, changed_values(before, after), scene=scene)


def changed_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return the changes of values of a scene, by name in the form that a Change holds."""
    none = np.empty(0, dtype=np.int32)
    differ = (name for name, value in after.items() if before[name] != value)
    return tuple(Change(name, none, _holding(before[name]), _holding(after[name])) for name in differ)


def frozen_value(scene: Scene, name: str) -> Any:
    """Return a value of a scene, one of SCENE_VALUES, in the form that a Change holds and the scene takes."""
    return SCENE_VALUES[name](getattr(scene, name))


def changed(
    ids: np.ndarray, before: Mapping[str, np.ndarray], after: Mapping[str, ArrayLike], *, label: str = ""
) -> Edit:
    """Make the edit from the values `before` of nodes to those `after`, by column; only of rows that differ."""
    changes = []
    for name, values in after.items():
        column = COLUMNS[name]
        new = for_each(column.checked(name, values), name, (len(ids), *column.row_shape))
        differ = differing_rows(before[name], new)
        if differ.all() and len(ids):  # a frequent case, as in a drag of many: no need to choose rows
            changes.append(Change(name, ids.astype(np.int32), before[name].copy(), new.copy()))
        elif differ.any():
            changes.append(Change(name, ids[differ].astype(np.int32), before[name][differ], new[differ]))
    return Edit(label, tuple(changes))


def differing_rows(values: np.ndarray, others: ArrayLike) -> np.ndarray:
    """Tell which rows differ, to the bit: (k,) bool.

    -0.0 differs from 0.0, since a file that holds one must give it back.
    """
    differ = values != others
    if values.dtype == np.float64:
        differ |= np.signbit(values) != np.signbit(others)
    return differ if differ.ndim == 1 else differ.any(axis=1)


def restore(scene: Scene, rows: ArrayLike, *, label: str = "") -> Edit:
    """Make the edit that turns rows (Scene.add_nodes, alive=False) into nodes, or restores deleted ones; selects them.

    Their parents must exist when it is applied.
    """
    edit = change_nodes(scene, rows, label=label, alive=True)
    return replace(edit, selects=np.array(rows, dtype=np.int32).ravel())


def combined(
    scene: Scene, label: str, *edits: Edit, selects: ArrayLike | None = None, notes: Iterable[str] | None = None
) -> Edit:
    """Combine edits of different values from one state of a scene; they are applied in their order.

    Args:
        selects: ids to select; None: those of the last edit that selects any.
        notes: lines for the user; None: those of all edits.
    """
    changes = tuple(change for edit in edits for change in edit.changes)
    if notes is None:
        notes = dict.fromkeys(note for edit in edits for note in edit.notes)
    if selects is None:
        selects = next((edit.selects for edit in reversed(edits) if edit.selects is not None), None)
    ids = None if selects is None else np.array(selects, dtype=np.int32).ravel()
    return Edit(label, changes, ids, tuple(notes), scene)


def merged(first: Edit, second: Edit) -> Edit:
    """Merge two edits, the second made after the first was applied; where both set something it is set once.

    The result has the second's label, selection and notes.
    """
    changes = list(first.changes)
    for change in second.changes:
        last = changes[-1] if changes else None
        if last is not None and last.column == change.column and np.array_equal(last.ids, change.ids):
            changes[-1] = Change(change.column, change.ids, last.before, change.after)
        elif (same := _find_same(changes, change)) is not None:
            changes[same] = Change(change.column, change.ids, changes[same].before, change.after)
        else:
            changes.append(change)
    return replace(second, changes=tuple(changes))


def _find_same(changes: list[Change], wanted: Change) -> int | None:
    """Find the index of a change of the same values, if nothing depends on the order of the changes since then."""
    if wanted.column in ("alive", "parent") or any(change.column in ("alive", "parent") for change in changes):
        return None
    for index in reversed(range(len(changes))):  # the last one counts: it may be of some of the same nodes
        if changes[index].column == wanted.column:
            return index if np.array_equal(changes[index].ids, wanted.ids) else None
    return None


def inverse(edit: Edit) -> Edit:
    """Make the edit that undoes an edit."""
    changes = (Change(change.column, change.ids, change.after, change.before) for change in reversed(edit.changes))
    return Edit(edit.label, tuple(changes), scene=edit.scene)


def apply(scene: Scene, edit: Edit) -> None:
    """Set the new values of an edit.

    Raises:
        EditError: it was made for another scene.
        ValueError: a value is not finite, does not exist or puts a node below itself; the scene is as it was.
        IndexError: no such node; the scene is as it was.
    """
    _require_made_for(scene, edit)
    for done, change in enumerate(edit.changes):
        try:
            _set(scene, change, change.after)
        except (ValueError, IndexError):
            for earlier in reversed(edit.changes[:done]):
                _set(scene, earlier, earlier.before)
            raise


def changed_since(scene: Scene, edit: Edit) -> str:
    """Return what of a scene is no longer as it was when an edit was made, or "": the edit would overwrite it.

    Raises:
        EditError: it was made for another scene.
    """
    _require_made_for(scene, edit)
    seen: dict[str, np.ndarray] = {}
    for change in edit.changes:
        if change.column in SCENE_VALUES:
            if change.column not in seen and frozen_value(scene, change.column) != change.before.item():
                return change.column
            seen[change.column] = change.ids
            continue
        before = unit_rotations(change.before) if change.column == "rotation" else change.before  # as scenes keep it
        differ = differing_rows(COLUMNS[change.column].values(scene)[change.ids], before)
        if change.column in seen:
            differ &= ~np.isin(change.ids, seen[change.column])
        if differ.any():
            node = int(change.ids[np.argmax(differ)])
            what = "whether there is" if change.column == "alive" else f"the {change.column} of"
            return f"{what} {str(scene.names[node])!r}"
        seen[change.column] = np.concatenate([seen.get(change.column, change.ids[:0]), change.ids])
    return ""


def _require_made_for(scene: Scene, edit: Edit) -> None:
    if edit.scene is not None and edit.scene is not scene:
        raise EditError(f"{edit.label or 'an edit'!r} was made for another scene; make it for this one")


def _set(scene: Scene, change: Change, values: np.ndarray) -> None:
    if change.column in SCENE_VALUES:
        setattr(scene, change.column, values.item())
    else:
        COLUMNS[change.column].set_values(scene, change.ids, values)


def _nbytes(values: np.ndarray) -> int:
    if values.dtype != _STRING:
        return values.nbytes
    lengths = np.strings.str_len(values)
    return values.nbytes + int(lengths[lengths > _SHORT_STRING].sum())


def _holding(value: object) -> np.ndarray:
    """Return a value in a (1,) array of objects; numpy would make an array of a tuple's elements."""
    array = np.empty(1, dtype=object)
    array[0] = value
    return array
