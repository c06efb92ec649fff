"""Add, copy, delete and group nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import advises
from octoscope.scene.content import FileContent
from octoscope.scene.conventions.upright import quaternion_between
from octoscope.scene.editing.chosen import title, topmost
from octoscope.scene.editing.edits import COLUMNS, Edit, EditError, change_nodes, change_scene, combined, restore
from octoscope.scene.editing.local_transforms import LocalTransforms, ignore_overflow, inverses, premultiplied
from octoscope.scene.geometry.ranges import index_in
from octoscope.scene.mesh.data import MeshData
from octoscope.scene.mesh.pool import UNTIL_UNUSED
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.scene.mesh_references import copy_references
from octoscope.scene.nodes import free_name, free_names, names_of_copies
from octoscope.scene.nodes.bounds import world_boxes
from octoscope.scene.nodes.hierarchy import common_parent, subtrees
from octoscope.scene.nodes.node_table import NO_PARENT
from octoscope.scene.nodes.placing import parent_worlds
from octoscope.scene.one_object_files import with_whole_files
from octoscope.scene.scene import Scene, all_or_nothing
from octoscope.scene.system.memory import free_memory_bytes, readable_bytes
from octoscope.scene.system.paths import StrPath

_MOST_NEW_NODES = 10**6
_MEMORY_SHARE = 0.7  # of the free memory
NODE_BYTES = 1200  # of a node: its columns, those of the edit that adds it, the octree's, and intermediate ones
_ELEMENT_BYTES = {"vertex": 200, "triangle": 60, "line": 40, "point": 20}  # three times a pool's: it grows by doubling


@advises()
def delete(scene: Scene, ids: ArrayLike) -> Edit:
    """Delete nodes and everything below them; the node of a file goes with the file's one object."""
    ids = topmost(scene, ids)
    edit = change_nodes(scene, subtrees(scene, with_whole_files(scene, ids)), alive=False)
    return combined(scene, title(scene, "Delete", ids), edit, selects=())


class ImportedFile:
    """A file's content as rows of a scene that are not alive yet; `at` makes the edit that adds them.

    The object of a file that holds one is named after the file. Further nodes of a file that was added before get names
    of their own, as copies do: "tower.001".

    Args:
        content: is used up.
    """

    def __init__(self, scene: Scene, content: FileContent, path: StrPath) -> None:
        self._scene = scene
        self._label = f"Import {content.name}"
        is_one_object = len(content.node_meshes) == 1 and content.node_meshes[0] >= 0
        if is_one_object:
            content.node_names = np.array([Path(content.name).stem], dtype=content.node_names.dtype)
        if is_one_object or Path(path) in scene.sources:
            names = free_names(scene, np.append(content.node_names, content.name))
            content.node_names, content.name = names[:-1], str(names[-1])
        self.rows = scene.add_content(content, path, alive=False)
        self._values = change_scene(scene, **scene.values_with(content, self.rows))
        self._nodes = restore(scene, self.rows)
        self._top = LocalTransforms.of(scene, np.array([self.rows.start]))
        self._placed = LocalTransforms.of(scene, self._top.ids + 1) if is_one_object else self._top

    def at(self, translation: ArrayLike = (0.0, 0.0, 0.0), rotation: ArrayLike | None = None) -> Edit:
        """Make the edit that adds the nodes, placed as `import_content` does, from the scene without them."""
        turn = np.array([(0.0, 0.0, 0.0, 1.0) if rotation is None else rotation])
        offset = np.array([translation], dtype=np.float64)
        move = LocalTransforms(self._top.ids, offset, turn, np.ones((1, 3))).matrices()
        if self._placed is not self._top:
            file = self._top.matrices()
            move = inverses(file) @ move @ file
        placed = premultiplied(self._placed, move)
        return combined(self._scene, self._label, self._nodes, placed, self._values, selects=self._placed.ids)


@advises()
@all_or_nothing
def import_content(
    scene: Scene,
    content: FileContent,
    path: StrPath,
    *,
    translation: ArrayLike = (0.0, 0.0, 0.0),
    rotation: ArrayLike | None = None,
) -> Edit:
    """Add what was read from a file: a node for it, below it the file's own, and bookmarks; the content is used up.

    The file's node is placed and selected, or the object of a file that holds one: to a person they are one thing, and
    clicks select the object.

    Args:
        translation: (3,) world.
        rotation: quaternion x, y, z, w, by which it is turned as well as its up axis asks for; None: no further.
    """
    return ImportedFile(scene, content, path).at(translation, rotation)


@advises()
@all_or_nothing
def add_mesh(
    scene: Scene,
    name: str,
    mesh: MeshData,
    *,
    parent: ArrayLike | None = NO_PARENT,
    translation: ArrayLike = (0.0, 0.0, 0.0),
    rotation: ArrayLike = (0.0, 0.0, 0.0, 1.0),
    material: int = -1,
) -> Edit:
    """Add a node with a mesh of its own, such as one of scene.mesh.primitives, and select it.

    Args:
        parent: a node or its id; None or NO_PARENT: the top.
        translation: (3,), in the parent's frame.
        rotation: quaternion x, y, z, w, in the parent's frame.
        material: of the whole node; -1: the mesh's own.
    """
    row = scene.add_node(
        name,
        mesh=scene.meshes.add(mesh, lifetime=UNTIL_UNUSED),
        parent=parent,
        translation=translation,
        rotation=rotation,
        material=material,
        alive=False,
    )
    return restore(scene, [row.id], label=f"Add {name}")


@advises()
def add_primitive(
    scene: Scene,
    kind: str,
    *,
    parent: ArrayLike | None = NO_PARENT,
    translation: ArrayLike = (0.0, 0.0, 0.0),
    material: int = -1,
    **sizes: float,
) -> Edit:
    """Add one of scene.mesh.primitives.PRIMITIVES, upright if its parent is, and select it.

    Its name is that of the primitive, or "cube.001" and so on where that is taken.

    Args:
        kind: a key of PRIMITIVES, such as "cube".
        **sizes: as the primitive's function takes them.

    Raises:
        EditError: a size that is not possible, or no such primitive.
    """
    if kind not in PRIMITIVES:
        raise EditError(f"there is no primitive {kind!r}; there are {', '.join(PRIMITIVES)}")
    try:
        mesh = PRIMITIVES[kind](**sizes)
    except ValueError as error:
        raise EditError(str(error)) from None
    rotation = quaternion_between("y", scene.up_axis)
    name = free_name(scene, kind)
    return add_mesh(scene, name, mesh, parent=parent, translation=translation, rotation=rotation, material=material)


@advises()
def duplicate(scene: Scene, ids: ArrayLike, *, copy_meshes: bool = False) -> Edit:
    """Copy nodes and everything below them, with the same parents and transforms; selects the copies.

    The node of a file is copied with the file's one object.

    Raises:
        EditError: there is no room for so many.
    """
    ids = topmost(scene, ids)
    whole = with_whole_files(scene, ids)
    require_room(cost_of_copies(scene, whole, 1, copy_meshes=copy_meshes))
    copies = copied(scene, whole, None, copy_meshes=copy_meshes)
    assert copies.selects is not None
    # In place of the copy of a file's node its one object is selected, as before.
    selects, child_of = copies.selects.copy(), np.empty(scene.row_count, dtype=np.int32)
    files = selects[whole != ids]
    children = np.flatnonzero(np.isin(scene.parents, files))
    child_of[scene.parents[children]] = children
    selects[whole != ids] = child_of[files]
    return combined(scene, title(scene, "Duplicate", ids), copies, selects=selects)


class CopyCost(NamedTuple):
    """The cost of copies."""

    nodes: int  # how many there will be
    nbytes: int  # about how much memory they take


@advises()
def cost_of_copies(scene: Scene, ids: ArrayLike, count: int, *, copy_meshes: bool = False) -> CopyCost:
    """Estimate the cost of `count` copies of (k,) nodes and everything below them; `copy_meshes` as for `copied`."""
    below = subtrees(scene, ids)
    nbytes = NODE_BYTES * len(below)
    if copy_meshes:
        mesh = scene.mesh_ids[below]
        rows, used = scene.meshes.rows, np.unique(mesh[mesh >= 0])
        nbytes += sum(size * int(rows[f"{element}_count"][used].sum()) for element, size in _ELEMENT_BYTES.items())
    return CopyCost(len(below) * count, nbytes * count)


@advises()
def require_room(cost: CopyCost) -> None:
    """Raise EditError if copies are too many, or do not fit into memory."""
    if cost.nodes > _MOST_NEW_NODES:
        raise EditError(f"{cost.nodes:,} more objects are too many: {_MOST_NEW_NODES:,} at a time is the limit")
    free = free_memory_bytes()
    if cost.nbytes > _MEMORY_SHARE * free:
        raise EditError(
            f"{cost.nodes:,} more objects would take about {readable_bytes(cost.nbytes)} of memory, "
            f"and {readable_bytes(free)} are free"
        )


@all_or_nothing
def copied(scene: Scene, ids: np.ndarray, matrices: np.ndarray | None, *, copy_meshes: bool = False) -> Edit:
    """Make the edit that adds copies of subtrees, each transformed by a matrix, and selects the topmost ones.

    Every copied node, also those below, gets a name of its own: "tower.001".

    Args:
        matrices: (c, k, 4, 4), in each node's parent's frame; c copies are made. None: one copy with the same
            transform.
    """
    below = subtrees(scene, ids)
    count, size, first = 1 if matrices is None else len(matrices), len(below), scene.row_count
    # Copy c of below[i] is row first + c * size + i.
    index_in_copy = index_in(below, first)
    tops = (index_in_copy[ids] + size * np.arange(count)[:, None]).ravel()
    columns = {name: column for name, column in COLUMNS.items() if name not in ("alive", "name")}
    values = {name: column.values(scene)[np.tile(below, count)] for name, column in columns.items()}
    inner = np.tile(np.append(index_in_copy, -1)[scene.parents[below]], count)
    inner[tops] = -1
    values["parent"] = np.where(inner < 0, values["parent"], first + inner + np.repeat(size * np.arange(count), size))
    if copy_meshes:
        shown = values["mesh"][:size] >= 0
        used, kinds = np.unique(values["mesh"][:size][shown], return_inverse=True)
        if len(used):
            made = np.array(scene.meshes.extend(scene.meshes.batch(np.tile(used, count))))
            values["mesh"].reshape(count, size)[:, shown] = made.reshape(count, -1)[:, kinds]
            values["file_mesh"] = np.tile(scene.stating_meshes(below), count)
    notes: tuple[str, ...] = ()
    if matrices is not None:
        originals = LocalTransforms(tops, values["translation"][tops], values["rotation"][tops], values["scale"][tops])
        placed = premultiplied(originals, matrices.reshape(-1, 4, 4))
        notes = placed.notes
        for change in placed.changes:
            values[change.column][change.ids] = change.after
    rows = scene.add_nodes(names_of_copies(scene, below, count), alive=False, **values)
    copy_references(scene, np.array(rows), np.tile(below, count))
    return combined(scene, "", restore(scene, rows), selects=first + tops, notes=notes)


@advises()
@all_or_nothing
@ignore_overflow
def group(scene: Scene, ids: ArrayLike, *, name: str | None = None, at: Literal["median", "centre"] = "median") -> Edit:
    """Put nodes under a new node, without moving them, and select it; its parent is the nearest that they share.

    Args:
        name: of the new node; None: "group", with a number where that is taken.
        at: whether its origin is the mean of their origins, or the middle of their world box.

    Raises:
        EditError: they are too far apart.
    """
    ids = with_whole_files(scene, topmost(scene, ids))
    parent = common_parent(scene, ids)
    if at == "median":
        center = scene.world_from_local[ids, :3, 3].mean(axis=0)
    else:
        boxes = world_boxes(scene, ids)
        center = (boxes[:, 0].min(axis=0) + boxes[:, 1].max(axis=0)) / 2.0
    local_from_world = inverses(parent_worlds(scene, np.array([parent])))[0]
    translation = local_from_world[:3, :3] @ center + local_from_world[:3, 3]
    if not np.isfinite(translation).all():
        raise EditError("they are too far apart")
    name = free_name(scene, "group") if name is None else name
    row = scene.add_node(name, parent=parent, translation=translation, alive=False).id
    reparented = change_nodes(scene, ids, parent=row)
    # From the frames they are in to the group's: children of the group's own parent are only translated.
    parents, which = np.unique(scene.parents[ids], return_inverse=True)
    matrices = local_from_world @ parent_worlds(scene, parents)
    matrices[parents == parent] = np.eye(4)
    matrices[:, :3, 3] -= translation
    return combined(
        scene,
        title(scene, "Group", ids),
        restore(scene, [row]),
        reparented,
        premultiplied(LocalTransforms.of(scene, ids), matrices, which),
        selects=[row],
    )


@advises()
@ignore_overflow
def ungroup(scene: Scene, ids: ArrayLike) -> Edit:
    """Put the children of nodes in place of the nodes, without moving them, and delete the nodes; selects the children.

    A node that shows a mesh stays.

    Raises:
        EditError: none of them has children.
    """
    ids = topmost(scene, ids)
    children = np.flatnonzero(scene.alive & np.isin(scene.parents, ids))
    if len(children) == 0:
        raise EditError("nothing to ungroup: the selection has no children")
    groups, which = np.unique(scene.parents[children], return_inverse=True)
    moved = premultiplied(LocalTransforms.of(scene, children), LocalTransforms.of(scene, groups).matrices()[which])
    reparented = change_nodes(scene, children, parent=scene.parents[groups][which])
    emptied = change_nodes(scene, groups[scene.mesh_ids[groups] < 0], alive=False)
    return combined(scene, title(scene, "Ungroup", groups), reparented, moved, emptied, selects=children)
