"""ObjectTree: the objects of a file as a tree, and the faces, lines and points of each.

`o` makes a node, `g` a node below the last `o`. Elements before either belong to a node with the file's own name.
Nodes that would show nothing are left out. A `g` with the name of the one before continues that node, and one that only
repeats its object's name is that object.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from octoscope.octree.jit import kernel
from octoscope.scene.formats.obj.block_arrays import FREE_FORM, GROUP, LIBRARY, MATERIAL, OBJECT, SMOOTHING
from octoscope.scene.formats.obj.collected import Collected

_BATCH_BYTES = 2**26  # of names that are converted to strings at a time


@dataclass(frozen=True, eq=False)
class Runs:
    """A property that holds from one statement to the next, over faces, lines and points."""

    first: np.ndarray  # (r, 3) int64, the face, line and point from which it holds; the first row is zero
    value: np.ndarray  # (r,) int64


@dataclass(frozen=True, eq=False)
class ObjectTree:
    """The tree of a file, without its geometry."""

    node_names: np.ndarray  # as in FileContent
    node_parents: np.ndarray  # as in FileContent
    node_meshes: np.ndarray  # as in FileContent
    mesh_names: np.ndarray  # (m,) StringDType
    mesh_lines: np.ndarray  # (m,) int64, the line of each one's `o` or `g`, 0 where it has none
    first: np.ndarray  # (m + 1, 3) int64, the first face, line and point of every mesh, and at last the file's counts
    material_names: list[str]  # those that are used, in the order of their first use; "" is no material
    material_lines: np.ndarray  # (u,) int64, the line of each one's first use
    materials: Runs  # indices into material_names
    smoothing: Runs  # smoothing groups, 0 for none
    libraries: list[tuple[str, int]]  # the text after each `mtllib`, and its line
    empty_lines: np.ndarray  # (e,) int64, the lines of the `o` and `g` statements that nothing follows


def object_tree_of(file: Collected, default_name: str) -> ObjectTree:
    """Read the tree from a file's events; `default_name` is for objects without a name."""
    total = np.array([len(file.face_sizes), len(file.lines), len(file.points)])
    statements = _events(file, OBJECT, GROUP)
    first = statements[:, 1:4]
    has_elements: np.ndarray = np.any(np.diff(first, axis=0, append=total[None]) > 0, axis=1)
    grouped = statements[:, 0] == GROUP
    # The `o` of each statement; 0, which stands for the file, where there is none.
    owners = np.maximum.accumulate(np.where(grouped, 0, np.arange(len(statements))))
    name_ids, _, names = _interned(file, statements)
    names[names == ""] = default_name
    shown = np.flatnonzero(has_elements)
    continued = grouped[shown] & (name_ids[shown] == name_ids[np.roll(shown, 1)])
    continued &= grouped[np.roll(shown, 1)] & (owners[shown] == owners[np.roll(shown, 1)])
    continued[:1] = False
    shown = shown[~continued]
    node_names, node_parents, node_meshes = _tree(shown, owners, grouped, name_ids, names)
    uses = _events(file, MATERIAL)
    material_ids, first_uses, materials = _interned(file, uses)
    smoothing = _events(file, SMOOTHING)
    libraries = _events(file, LIBRARY)[1:]
    texts = _strings(file.names.values, libraries[:, 5], libraries[:, 6]).tolist()
    empty = ~has_elements
    empty[owners[shown]] = False
    return ObjectTree(
        node_names,
        node_parents,
        node_meshes,
        names[name_ids[shown]],
        statements[shown, 4],
        np.concatenate([first[shown], total[None]]),
        materials.tolist(),
        uses[first_uses, 4],
        Runs(uses[:, 1:4].copy(), material_ids),  # contiguous, as those of a part: a kernel has one version for both
        Runs(smoothing[:, 1:4].copy(), smoothing[:, 5].copy()),
        list(zip(texts, libraries[:, 4].tolist(), strict=True)),
        statements[1:, 4][empty[1:]],
    )


def _events(file: Collected, *kinds: int) -> np.ndarray:
    """Return the events of some kinds, after a row of zeros for what holds before the first of them."""
    events = file.events.values
    wanted = np.zeros(FREE_FORM + 1, dtype=bool)
    wanted[list(kinds)] = True
    rows = np.flatnonzero(wanted[events[:, 0]])
    chosen = np.zeros((len(rows) + 1, events.shape[1]), dtype=np.int64)
    np.take(events, rows, axis=0, out=chosen[1:])
    return chosen


def _tree(
    shown: np.ndarray, owners: np.ndarray, grouped: np.ndarray, name_ids: np.ndarray, names: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return names, parents and meshes of nodes: one for each statement shown, one for an `o` with groups alone."""
    owner = owners[shown]
    grouped = grouped[shown]
    begins = np.diff(owner, prepend=-1) != 0  # the first of those under one `o`
    alone = begins & np.append(begins[1:], True)
    itself = ~grouped | (owner == 0) | (alone & (name_ids[owner] == name_ids[shown]))
    only_holds = begins & ~itself
    node_of = np.arange(len(shown)) + np.cumsum(only_holds)
    holders = node_of[only_holds] - 1
    count = len(shown) + len(holders)
    statement = np.empty(count, dtype=np.int64)
    statement[node_of] = shown
    statement[holders] = owner[only_holds]
    meshes = np.full(count, -1, dtype=np.int32)
    meshes[node_of] = np.arange(len(shown))
    node_of_owner = np.maximum.accumulate(np.where(begins, node_of - only_holds, 0))
    parents = np.full(count, -1, dtype=np.int32)
    parents[node_of] = np.where(itself, -1, node_of_owner)
    return names[name_ids[statement]], parents, meshes


def _interned(file: Collected, events: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Number the names of (e, 7) events.

    Returns:
        (e,) int64, a number for each event, equal for equal names, in the order of their first use; (u,) int64, the
        first event of each name; (u,) StringDType, the names.
    """
    ids, firsts = _intern(file.names.values, events[:, 5].copy(), events[:, 6].copy())  # one layout, one kernel to load
    return ids, firsts, _strings(file.names.values, events[firsts, 5], events[firsts, 6])


@kernel
def _intern(data: np.ndarray, firsts: np.ndarray, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Number byte strings by first use, equal ones alike; return each string's number, and each number's first use."""
    size = 16
    while size < 2 * len(firsts):
        size *= 2
    table = np.full(size, -1, np.int64)
    ids = np.empty(len(firsts), np.int64)
    first_use = np.empty(len(firsts), np.int64)
    count = 0
    for n in range(len(firsts)):
        first = firsts[n]
        length = lengths[n]
        hashed = np.uint64(14_695_981_039_346_656_037)  # FNV-1a
        for k in range(first, first + length):
            hashed = (hashed ^ np.uint64(data[k])) * np.uint64(1_099_511_628_211)
        slot = np.int64((hashed ^ (hashed >> np.uint64(32))) & np.uint64(size - 1))
        while True:
            known = table[slot]
            if known < 0:
                table[slot] = count
                first_use[count] = n
                ids[n] = count
                count += 1
                break
            other = first_use[known]
            same = lengths[other] == length
            k = 0
            while same and k < length:
                same = data[first + k] == data[firsts[other] + k]
                k += 1
            if same:
                ids[n] = known
                break
            slot = (slot + 1) & (size - 1)
    return ids, first_use[:count]


def _strings(data: np.ndarray, firsts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Convert names to StringDType, (n,); from UTF-8, or from Latin-1 if one of the file's names is not UTF-8."""
    strings = np.empty(len(firsts), dtype=np.dtypes.StringDType())
    if _is_utf_8(data):
        for rows in _batches(lengths):
            strings[rows] = _padded(data, firsts[rows], lengths[rows])
    else:
        for n, (first, length) in enumerate(zip(firsts.tolist(), lengths.tolist(), strict=True)):
            strings[n] = data[first : first + length].tobytes().decode("latin-1")
    return strings


def _is_utf_8(data: np.ndarray) -> bool:
    try:
        data.tobytes().decode()
    except UnicodeDecodeError:
        return False
    return True


def _batches(lengths: np.ndarray) -> list[slice]:
    """Cut rows into batches of limited size when padded to the longest: one long name must not widen all."""
    longest = int(lengths.max(initial=1))
    step = max(1, _BATCH_BYTES // longest)
    return [slice(first, first + step) for first in range(0, len(lengths), step)]


def _padded(data: np.ndarray, firsts: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return (n,) byte strings, padded with zeros."""
    width = int(lengths.max(initial=1)) or 1
    rows = np.zeros((len(firsts), width), dtype=np.uint8)
    _copy_rows(data, firsts, lengths, rows)
    return rows.view(f"S{width}")[:, 0]


@kernel
def _copy_rows(data: np.ndarray, firsts: np.ndarray, lengths: np.ndarray, rows: np.ndarray) -> None:
    """Copy byte strings to rows."""
    for n in range(len(firsts)):
        for k in range(lengths[n]):
            rows[n, k] = data[firsts[n] + k]
