"""Operations that make new meshes from those that nodes show: bake, centre, merge. The old meshes stay as they are."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from octoscope.array_arguments import checked_numbers
from octoscope.guesses import advises
from octoscope.scene.bake import baked, transformed
from octoscope.scene.content import FileContent
from octoscope.scene.editing.chosen import checked_nodes, title
from octoscope.scene.editing.edits import Edit, EditError, change_nodes, changed, combined
from octoscope.scene.editing.local_transforms import (
    LocalTransforms,
    decomposed,
    ignore_overflow,
    inverses,
    premultiplied,
    translated,
)
from octoscope.scene.geometry.forest import children_of, mark_above
from octoscope.scene.geometry.ranges import index_in, ranges, unique_rows
from octoscope.scene.loaded_source import LoadedSource
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.smoothing import USUAL_ANGLE_DEGREES, smoothed
from octoscope.scene.node import Node
from octoscope.scene.one_object_files import with_whole_files
from octoscope.scene.scene import Scene, all_or_nothing
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.text_file import printable


@advises()
def replace_mesh(scene: Scene, ids: ArrayLike, mesh_id: ArrayLike) -> Edit:
    """Make nodes show a mesh, by its id or as another node shows it."""
    ids = checked_nodes(scene, ids)
    return combined(scene, title(scene, "Replace mesh of", ids), change_nodes(scene, ids, mesh=mesh_id), notes=())


@advises()
def share_mesh(scene: Scene, ids: ArrayLike) -> Edit:
    """Make nodes show the mesh of the last of them, in place of their own; those that show none stay as they are.

    Raises:
        EditError: the last one, or none of the others, has a mesh.
    """
    ids = checked_nodes(scene, ids)
    mesh = int(scene.mesh_ids[ids[-1]])
    if mesh < 0:
        raise EditError(f"{scene.names[ids[-1]] or 'the active object'} has no mesh to share")
    return replace_mesh(scene, _with_mesh(scene, ids[:-1]), mesh)


@advises()
@all_or_nothing
def replace_mesh_by_file(scene: Scene, ids: ArrayLike, content: FileContent, path: StrPath) -> Edit:
    """Make nodes show a file's contents as one mesh, in place of their own; those that show none stay as they are.

    If the file has a single object, the mesh refers to it and is read again when the file changes. Several objects are
    merged, each at its place in the file. The content is used up.

    Raises:
        EditError: nothing to show in the file, or none of the nodes has a mesh.
    """
    ids = _with_mesh(scene, checked_nodes(scene, ids))
    of_file = Scene()
    of_file.add_content(content, path)
    shown = np.flatnonzero(of_file.mesh_ids >= 0)
    if len(shown) == 0:
        raise EditError(f"nothing to show in {printable(content.name)}")
    source, own = -1, of_file.mesh_ids[shown]
    is_plain = (of_file.world_from_local[shown] == np.eye(4)).all() and (of_file.material_overrides[shown] < 0).all()
    if len(shown) == 1 and is_plain:
        batch = of_file.meshes.batch(own)
        source = scene.add_source(path)
    else:
        batch = _joined(baked(of_file, shown), content.name)
    # The first material of the file's scene is the default one, which stands for none.
    mesh = scene.meshes.extend(batch, first_material=len(scene.materials) - 1, source=source).start
    materials = scene.add_materials(of_file.materials[1:])
    if source >= 0:
        scene.loaded_sources = {**scene.loaded_sources, source: LoadedSource.of(content, materials)}
        for name in ("source_line", "occurrence", "place"):
            scene.meshes.rows[name][mesh] = of_file.meshes.rows[name][own[0]]
    edit = replace_mesh(scene, ids, mesh)
    scene.report.problems += content.problems
    return edit


@advises()
@all_or_nothing
@ignore_overflow
def apply_transform(
    scene: Scene, ids: ArrayLike, *, translation: bool = False, rotation: bool = True, scale: bool = True
) -> Edit:
    """Bake parts of nodes' local transforms into copies of their meshes, and reset these parts.

    The picture stays. Nodes that shared a mesh and get the same shape share the copy. Children move with their own
    transforms instead; where one would need shear, it is as near as possible.

    Raises:
        EditError: a scale of zero that is not baked: the rest cannot be baked below it.
    """
    ids = checked_nodes(scene, ids)
    before = LocalTransforms.of(scene, ids)
    matrices = before.matrices()
    # above[i] is the index in ids of the parent of ids[i], or -1. Level by level from the top: the parent's baked
    # matrix goes into the child's, whose own parts are split into what stays and what is baked.
    above = np.append(index_in(ids, scene.row_count), -1)[scene.parents[ids]]
    baked = np.tile(np.eye(4), (len(ids), 1, 1))
    after = before
    for level in _levels(above):
        inner = level[above[level] >= 0]
        matrices[inner] = baked[above[inner]] @ matrices[inner]
        part, _ = decomposed(LocalTransforms(*(column[level] for column in after)), matrices[level])
        # Those that no parent changes keep their values, to the bit.
        same = (above[level] < 0) | (baked[above[level]] == np.eye(4)).all(axis=(1, 2))
        for column, values in zip(part[1:], before[1:], strict=True):
            column[same] = values[level[same]]
        if translation:
            part.translations[:] = 0.0
        if rotation:
            part.rotations[:] = (0.0, 0.0, 0.0, 1.0)
        if scale:
            part.scales[:] = 1.0
        elif not (part.scales != 0.0).all():
            raise EditError("the scale of an object that is scaled to zero cannot be baked")
        rest = part.matrices()
        baked[level] = inverses(rest) @ matrices[level]
        baked[level[(rest == matrices[level]).all(axis=(1, 2))]] = np.eye(4)
        after = LocalTransforms(
            ids, *(_with(column, level, values) for column, values in zip(after[1:], part[1:], strict=True))
        )
    edits = [changed(ids, before.columns(), after.columns()), _other_shapes(scene, ids, baked)]
    children = _children(scene, ids)
    if len(children):
        of_parents = index_in(ids, scene.row_count)[scene.parents[children]]
        edits.append(premultiplied(LocalTransforms.of(scene, children), baked[of_parents]))
    return combined(scene, title(scene, "Apply transform of", ids), *edits)


@advises()
@all_or_nothing
@ignore_overflow
def center_pivot(scene: Scene, ids: ArrayLike, *, at_base: bool = False) -> Edit:
    """Move nodes' origins to the middles of their meshes' boxes; the picture stays.

    Args:
        at_base: whether to move them to the middle of the box's lower side, along the scene's up axis in the node's own
            frame: what the object stands on.

    Raises:
        EditError: no selected object has a mesh.
    """
    ids = _with_mesh(scene, checked_nodes(scene, ids))
    rows = scene.meshes.rows
    meshes = scene.mesh_ids[ids]
    centers = rows["lower"][meshes] / 2.0 + rows["upper"][meshes] / 2.0
    if at_base:
        up = "xyz".index(scene.up_axis)
        centers[:, up] = rows["lower"][meshes, up]
    return _with_origins(scene, ids, centers, "Centre pivot of")


@advises()
@all_or_nothing
@ignore_overflow
def set_origin(scene: Scene, ids: ArrayLike, point: ArrayLike) -> Edit:
    """Move nodes' origins to a (3,) world point; the picture stays.

    Raises:
        EditError: a node is scaled to zero.
    """
    ids, point = checked_nodes(scene, ids), checked_numbers(point, "point")
    if point.shape != (3,):
        raise ValueError(f"a point of three numbers is needed, not of shape {point.shape}")
    local_from_world = inverses(scene.world_from_local[ids])
    return _with_origins(scene, ids, local_from_world[:, :3, :3] @ point + local_from_world[:, :3, 3], "Set origin of")


def _with_origins(scene: Scene, ids: np.ndarray, centers: np.ndarray, verb: str) -> Edit:
    """Make the edit that moves the origins of nodes to (k, 3) points in their own frames."""
    ids, centers = ids[centers.any(axis=1)], centers[centers.any(axis=1)]
    if len(ids) == 0:
        return Edit("", ())
    back = np.tile(np.eye(4), (len(ids), 1, 1))
    back[:, :3, 3] = -centers
    nodes = LocalTransforms.of(scene, np.concatenate([ids, _children(scene, ids)]))
    offsets = np.zeros((len(nodes.ids), 3))
    offsets[: len(ids)] = (nodes.matrices()[: len(ids), :3, :3] @ centers[:, :, None])[:, :, 0]
    above = np.append(index_in(ids, scene.row_count), -1)[scene.parents[nodes.ids]]
    offsets[above >= 0] -= centers[above[above >= 0]]
    edits = translated(nodes, offsets), _other_shapes(scene, ids, back)
    return combined(scene, title(scene, verb, ids), *edits)


@advises()
@all_or_nothing
@ignore_overflow
def merge(scene: Scene, ids: ArrayLike, *, name: str | None = None) -> Edit:
    """Merge objects: the first of them gets all their meshes as one, where they are; selects it.

    Materials stay. The others are deleted, except those with children that stay: these lose only their mesh.

    Args:
        name: of the merged object; None: the first one's.

    Raises:
        EditError: fewer than two have a mesh, or the first is scaled to zero.
    """
    ids = _with_mesh(scene, checked_nodes(scene, ids))
    if len(ids) < 2:
        raise EditError("select two or more objects with a mesh")
    first, others = ids[0], ids[1:]
    worlds = scene.world_from_local[ids]
    if not np.isfinite(worlds).all():
        raise EditError("the result is out of the range of numbers")
    matrices = inverses(worlds[:1]) @ worlds
    matrices[0] = np.eye(4)
    batch = transformed(scene.meshes, scene.mesh_ids[ids], matrices)
    overrides = np.repeat(scene.material_overrides[ids], batch.vertex_counts)
    batch = replace(batch, material_ids=np.where(overrides >= 0, overrides, batch.material_ids).astype(np.int32))
    try:
        mesh = scene.meshes.extend(_joined(batch, str(scene.names[first]))).start
    except ValueError:  # positions that are not finite
        raise EditError("the result is out of the range of numbers") from None
    needed = scene.alive.copy()
    needed[others] = False
    mark_above(scene.parents_first(), scene.parents, needed)
    emptied, gone = others[needed[others]], others[~needed[others]]
    lost = np.count_nonzero(np.isin(others, scene.nodes_with_properties()))
    whose = "1 object is merged without its" if lost == 1 else f"{lost:,} objects are merged without their"
    note = f"{whose} properties: what the file says of {scene.names[first]} is kept"
    edits = [
        change_nodes(scene, [first], mesh=mesh, material=-1, name=scene.names[first] if name is None else name),
        change_nodes(scene, emptied, mesh=-1),
        change_nodes(scene, np.union1d(gone, with_whole_files(scene, gone)), alive=False),
        Edit("", (), notes=(note,) if lost else ()),
    ]
    return combined(scene, title(scene, "Merge", ids), *edits, selects=[first])


@advises()
@all_or_nothing
def smooth_by_angle(scene: Scene, ids: ArrayLike, *, degrees: float = USUAL_ANGLE_DEGREES) -> Edit:
    """Make nodes show copies of their meshes with smooth normals, split where triangles meet at a larger angle.

    Nodes that shared a mesh share the copy; those that show none stay as they are.

    Args:
        degrees: 0 to 180.

    Raises:
        EditError: none of the nodes has a mesh.
        ValueError: no such angle.
    """
    if not 0.0 <= degrees <= 180.0:
        raise ValueError(f"degrees must be 0 to 180, not {degrees}")
    ids = _with_mesh(scene, checked_nodes(scene, ids))
    meshes, kinds = np.unique(scene.mesh_ids[ids], return_inverse=True)
    copies = np.array(scene.meshes.extend(smoothed(scene.meshes.batch(meshes), math.radians(degrees))))
    return combined(scene, title(scene, "Smooth", ids), change_nodes(scene, ids, mesh=copies[kinds]))


@advises()
@all_or_nothing
def set_vertices(scene: Scene, node: Node, vertices: ArrayLike, *, normals: ArrayLike | None = None) -> Edit:
    """Move the vertices of a node's mesh; arguments and errors are those of Scene.set_vertices."""
    users, mesh = scene.with_vertices(node, vertices, normals)
    return combined(scene, title(scene, "Move vertices of", users), change_nodes(scene, users, mesh=mesh))


def _with_mesh(scene: Scene, ids: np.ndarray) -> np.ndarray:
    ids = ids[scene.mesh_ids[ids] >= 0]
    if len(ids) == 0:
        raise EditError("no selected object has a mesh")
    return ids


def _children(scene: Scene, ids: np.ndarray) -> np.ndarray:
    """Return the children of nodes, except those among `ids`: (c,)."""
    children = np.flatnonzero(scene.alive & np.isin(scene.parents, ids))
    return children[~np.isin(children, ids)]


def _levels(above: np.ndarray) -> list[np.ndarray]:
    """Group indices by depth; `above` (k,) has the index of each one's parent, or -1."""
    starts, children = children_of(above)
    levels = []
    level = children[starts[-2] :]
    while len(level):
        levels.append(level)
        level = children[ranges(starts[level], starts[level + 1] - starts[level])]
    return levels


def _with(column: np.ndarray, rows: np.ndarray, values: np.ndarray) -> np.ndarray:
    column = column.copy()
    column[rows] = values
    return column


def _other_shapes(scene: Scene, ids: np.ndarray, matrices: np.ndarray) -> Edit:
    """Make the edit that gives nodes copies of their meshes, through (k, 4, 4) matrices; equal ones share one."""
    changes = (scene.mesh_ids[ids] >= 0) & (matrices != np.eye(4)).any(axis=(1, 2))
    ids, matrices = ids[changes], matrices[changes]
    if len(ids) == 0:
        return Edit("", ())
    meshes = scene.mesh_ids[ids]
    firsts, kinds = unique_rows(meshes, *matrices[:, :3].reshape(-1, 12).T)
    batch = transformed(scene.meshes, meshes[firsts], matrices[firsts])
    try:
        copies = np.array(scene.meshes.extend(batch))
    except ValueError:  # positions that are not finite
        raise EditError("the result is out of the range of numbers") from None
    return change_nodes(scene, ids, mesh=copies[kinds])


def _joined(batch: MeshBatch, name: str) -> MeshBatch:
    sources = np.zeros(len(batch), dtype=np.int64)
    np.maximum.at(sources, batch.mesh_of_vertices, batch.source_vertices + 1)
    source_firsts = np.repeat(np.cumsum(sources) - sources, batch.vertex_counts)
    return replace(
        batch,
        names=np.array([name], dtype=np.dtypes.StringDType()),
        source_vertices=(batch.source_vertices + source_firsts).astype(np.int32),
        **{f"{element}_counts": counts.sum(keepdims=True) for element, counts in batch.counts.items()},
        **{f"{element}s": batch.rows_of(element).astype(np.int32) for element in ("triangle", "line", "point")},
    )
