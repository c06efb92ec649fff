"""What every writer of files needs: which nodes are written, and how it says what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, NamedTuple

import numpy as np

from scene.geometry.forest import children_of, preorder
from scene.geometry.ranges import ranges
from scene.measurement import IN_WORLD
from scene.mesh.data import ALL_EDGES
from scene.mesh.material import DEFAULT_MATERIAL, Material
from scene.mesh.pool import NO_MESH, Meshes
from scene.mesh.texture import Texture
from scene.scene import Scene
from scene.system.atomic_file import WriteProgress
from scene.system.text_file import printable

_BYTES_AT_ONCE = 2**22
UNPLACED = (DEFAULT_MATERIAL.uv_scale, DEFAULT_MATERIAL.uv_offset)


class WriteError(Exception):
    """A scene that a format cannot hold; the message is one line that says why and what to do."""


def tell(progress: WriteProgress | None, fraction: float) -> None:
    """How much is written, to whoever wants to know."""
    if progress is not None:
        progress(fraction)


def write_arrays(file: BinaryIO, arrays: Sequence[np.ndarray], progress: WriteProgress | None, *, begin: float) -> None:
    """Write arrays one after the other, in pieces; `begin` is the fraction of the work that was done before."""
    total, written = max(1, sum(array.nbytes for array in arrays)), 0
    for array in arrays:
        data = memoryview(np.ascontiguousarray(array).view(np.uint8).reshape(-1))
        for first in range(0, len(data), _BYTES_AT_ONCE):
            tell(progress, begin + (1.0 - begin) * written / total)
            piece = data[first : first + _BYTES_AT_ONCE]
            file.write(piece)
            written += len(piece)


def shown_names(materials: Sequence[Material]) -> str:
    """Materials for a note: the only one by its name, several as a number."""
    return f"material '{printable(materials[0].name)}'" if len(materials) == 1 else f"{len(materials):,} materials"


def say_placement_left_out(materials: Sequence[Material], notes: list[str]) -> None:
    """Note the materials whose uv_scale and uv_offset are lost in a format that places each texture, not each material.

    Args:
        materials: those that are written without a texture.
    """
    placed = [material for material in materials if (material.uv_scale, material.uv_offset) != UNPLACED]
    if placed:
        notes.append(f"the texture placement of {shown_names(placed)} is left out: no texture is placed by it")


class ExportedNodes(NamedTuple):
    """The nodes of a scene that a writer writes.

    ids (n,) int64 node ids, each before its children. parents (n,) int64 places in `ids`, -1 at the top.
    """

    ids: np.ndarray
    parents: np.ndarray


def exported_nodes(scene: Scene) -> ExportedNodes:
    """All nodes from the top down, but for the node that stands for an opened file if it is the only one at the top.

    That one would become one more level each time that a file is converted. Hidden nodes are written like all others:
    hiding is for looking at the rest, and no other format that is written here knows of it.

    Raises:
        WriteError: there are none.
    """
    ids = preorder(*children_of(scene.parents))
    ids = ids[scene.alive[ids]]
    if len(ids) and (scene.parents[ids] < 0).sum() == 1 and _is_just_a_file(scene, int(ids[0])):
        ids = ids[1:]
    if len(ids) == 0:
        raise WriteError("nothing to write: the scene holds no objects")
    places = np.full(scene.row_count + 1, -1)
    places[ids] = np.arange(len(ids))
    return ExportedNodes(ids, places[scene.parents[ids]])


def nodes_to_bake(scene: Scene, nodes: ExportedNodes, notes: list[str]) -> np.ndarray:
    """(k,) ids of those that show something at a finite place; the others are said.

    Raises:
        WriteError: there are none.
    """
    ids = nodes.ids[scene.mesh_ids[nodes.ids] >= 0]
    finite = np.isfinite(scene.world_spheres[ids]).all(axis=1)
    if not finite.all():
        notes.append(f"{(~finite).sum():,} objects left out: their positions are not finite")
    if not finite.any():
        raise WriteError("nothing to write: no object has a mesh")
    return ids[finite]


def say_left_out(scene: Scene, nodes: ExportedNodes, notes: list[str], *, keeps_bookmarks: bool = False) -> None:
    """Note what a person made that is in no mesh, material or node of the file: the project has it all."""
    measured = sum(
        all(anchor.node == IN_WORLD or scene.alive[anchor.node] for anchor in measurement.anchors)
        for measurement in scene.measurements
    )
    bookmarks = 0 if keeps_bookmarks else len(scene.bookmarks)
    counts = {"measurement": measured, "bookmark": bookmarks}
    left_out = [f"{count:,} {name}{'s' * (count > 1)}" for name, count in counts.items() if count]
    if left_out:
        is_one = measured + bookmarks == 1
        done = "is left out: save a project to keep it" if is_one else "are left out: save a project to keep them"
        notes.append(f"{' and '.join(left_out)} {done}")
    marked = int((scene.hidden[nodes.ids] | scene.unselectable[nodes.ids]).sum())
    if marked:
        what = "1 hidden or locked node is" if marked == 1 else f"{marked:,} hidden or locked nodes are"
        notes.append(f"{what} written like all others: save a project to keep that")


def say_shrunk(textures: Sequence[Texture], notes: list[str]) -> None:
    """Note which textures lose pixels where they are written as they are shown, for want of a file to copy."""
    shrunk = [texture for texture in textures if texture.is_shrunk]
    if shrunk:
        width, height = max(texture.full_size for texture in shrunk)
        side = max(max(texture.pixels.shape[:2]) for texture in shrunk)
        whose = "a texture is" if len(shrunk) == 1 else f"{len(shrunk):,} textures are"
        largest = "it is" if len(shrunk) == 1 else "the largest is"
        notes.append(f"{whose} written as shown, at most {side:,} pixels a side; {largest} {width:,} x {height:,}")


def has_polygons(meshes: Meshes, mesh_ids: np.ndarray) -> bool:
    """Whether any of these meshes is made of more than triangles."""
    rows = meshes.rows
    triangles = ranges(rows["first_triangle"][mesh_ids], rows["triangle_count"][mesh_ids])
    return bool((meshes.triangles["edges"][triangles] != ALL_EDGES).any())


def is_moved(scene: Scene, ids: np.ndarray) -> bool:
    """Whether any of these nodes is anywhere but where its mesh says."""
    return bool((scene.world_from_local[ids] != np.eye(4)).any())


def _is_just_a_file(scene: Scene, node: int) -> bool:
    return (
        scene.mesh_ids[node] == NO_MESH
        and scene.names[node] in {printable(source.name) for source in scene.sources}
        and not scene.translations[node].any()
        and scene.rotations[node].tolist() == [0.0, 0.0, 0.0, 1.0]
        and scene.scales[node].tolist() == [1.0, 1.0, 1.0]
    )
