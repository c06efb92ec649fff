"""The nodes that a writer writes, and notes of what a format cannot hold: what all writers share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import BinaryIO, NamedTuple

import numpy as np

from octoscope.scene.annotations.measurement import IN_WORLD
from octoscope.scene.formats.mtl.statements import SHOWN_OR_UNSAID
from octoscope.scene.geometry.forest import children_of, preorder
from octoscope.scene.geometry.ranges import index_in
from octoscope.scene.mesh.material import Material
from octoscope.scene.mesh.pool import NO_MESH
from octoscope.scene.mesh.texture import Texture
from octoscope.scene.mesh_references import nodes_without_their_mesh
from octoscope.scene.scene import Scene
from octoscope.scene.system.atomic_file import WriteError, WriteProgress
from octoscope.scene.system.text_file import printable

_BYTES_AT_ONCE = 2**22


def tell(progress: WriteProgress | None, fraction: float) -> None:
    """Report the fraction that is written, if anybody wants to know."""
    if progress is not None:
        progress(fraction)


def write_arrays(file: BinaryIO, arrays: Sequence[np.ndarray], progress: WriteProgress | None, *, begin: float) -> None:
    """Write arrays one after the other, in pieces; `begin` is the fraction of the work that was done before."""
    total, written = max(1, sum(array.nbytes for array in arrays)), 0
    for array in arrays:
        data = np.ascontiguousarray(array).view(np.uint8).reshape(-1)
        for first in range(0, len(data), _BYTES_AT_ONCE):
            tell(progress, begin + (1.0 - begin) * written / total)
            piece = data[first : first + _BYTES_AT_ONCE]
            file.write(piece.data)
            written += len(piece)


def note_materials(materials: Sequence[Material], text: str, notes: list[str]) -> None:
    """Note something of materials, if there are any; {} in it becomes the name of a single one, or their number."""
    if materials:
        one = f"material '{printable(materials[0].name)}'"
        notes.append(text.format(one if len(materials) == 1 else f"{len(materials):,} materials"))


def note_kept_mtl_left_out(materials: Sequence[Material], notes: list[str]) -> None:
    """Note the materials that lose statements of an .mtl file that are kept for the next one."""
    keywords: dict[str, None] = {}
    lost = []
    for material in materials:
        words = (line.split()[0] for line in material.kept_mtl.split("\n") if line)
        unshown = [word for word in words if word not in SHOWN_OR_UNSAID or material.missing_textures]
        keywords |= dict.fromkeys(unshown)
        if unshown:
            lost.append(material)
    note_materials(lost, f"{', '.join(keywords)} of {{}} are left out: only MTL has them", notes)


def require_ending(path: object, ending: str) -> None:
    """Refuse to write a file whose name has the ending of another format; files that are open have none.

    Raises:
        WriteError: it has.
    """
    from octoscope.scene.formats.writers import WRITERS

    name = os.fspath(path).lower() if isinstance(path, (str, os.PathLike)) else ""
    if not name.endswith(ending) and name.endswith(tuple(WRITERS)):
        raise WriteError(f"{name}: this would be a {ending}; octoscope.save(scene, path) writes what the ending says")


class ExportedNodes(NamedTuple):
    """The nodes of a scene that a writer writes."""

    ids: np.ndarray  # (n,) int64 node ids, each before its children
    parents: np.ndarray  # (n,) int64 indices into `ids`, -1 at the top


def exported_nodes(scene: Scene) -> ExportedNodes:
    """Return all nodes from the top down, without a single topmost node that stands for an opened file.

    That node would become one more level each time that a file is converted. Hidden nodes are written like all others:
    they are hidden to see the rest, and no format that is written here can hold it.
    """
    if scene.read_only is not None:  # only a part of it is here
        raise WriteError(scene.read_only)
    ids = preorder(*children_of(scene.parents, scene.orders))
    ids = ids[scene.alive[ids]]
    if len(ids) and (scene.parents[ids] < 0).sum() == 1 and _is_just_a_file(scene, int(ids[0])):
        ids = ids[1:]
    if len(ids) == 0:
        raise WriteError("nothing to write: the scene holds no objects")
    return ExportedNodes(ids, index_in(ids, scene.row_count + 1)[scene.parents[ids]])


def nodes_to_bake(scene: Scene, nodes: ExportedNodes, notes: list[str]) -> np.ndarray:
    """Return the ids of those nodes that show something at a finite position, (k,); the others are noted."""
    ids = nodes.ids[scene.mesh_ids[nodes.ids] >= 0]
    finite = np.isfinite(scene.world_spheres[ids]).all(axis=1)
    if not finite.all():
        notes.append(f"{(~finite).sum():,} objects left out: their positions are not finite")
    if not finite.any():
        missing = missing_meshes_lines(scene)
        raise WriteError(f"nothing to write: {missing[0] if missing else 'no object has a mesh'}")
    if scene.up_axis != "y":
        notes.append(f"{scene.up_axis.upper()} stays up, which the format cannot say: open the file with that up axis")
    return ids[finite]


def missing_meshes_lines(scene: Scene) -> list[str]:
    """Return a line about the objects that are written without their meshes, if there are any."""
    count = len(nodes_without_their_mesh(scene)[0])
    if not count:
        return []
    return [f"{'1 object has' if count == 1 else f'{count:,} objects have'} no mesh, as their files are missing"]


def unshown_lines(scene: Scene) -> list[str]:
    """Return lines about what browsers do not show of a scene, in pages of one file or by a server."""
    count = len(scene.color_scales)
    bars = ["1 colour bar is left out" if count == 1 else f"{count:,} colour bars are left out"] if count else []
    return bars + missing_meshes_lines(scene)


def note_left_out(scene: Scene, nodes: ExportedNodes, notes: list[str], *, keeps_annotations: bool = False) -> None:
    """Note what a user made that no mesh, material or node of the file holds; a project holds all of it."""
    counts = {"colour scale": len(scene.color_scales)}
    if not keeps_annotations:
        measured, labelled = (
            sum(all(anchor.node == IN_WORLD or scene.alive[anchor.node] for anchor in each.anchors) for each in given)
            for given in (scene.measurements, scene.labels)
        )
        counts = {"measurement": measured, "label": labelled, "bookmark": len(scene.bookmarks)} | counts
    left_out = [f"{count:,} {name}{'s' * (count > 1)}" for name, count in counts.items() if count]
    if left_out:
        is_one = sum(counts.values()) == 1
        done = "is left out: save a project to keep it" if is_one else "are left out: save a project to keep them"
        listed = " and ".join([", ".join(left_out[:-1])] * (len(left_out) > 1) + left_out[-1:])
        notes.append(f"{listed} {done}")
    marked = int((scene.hidden[nodes.ids] | scene.unselectable[nodes.ids]).sum())
    if marked:
        what = "1 hidden or locked node is" if marked == 1 else f"{marked:,} hidden or locked nodes are"
        notes.append(f"{what} written like all others: save a project to keep that")
    if len(scene.nodes_with_properties()):
        notes.append("the properties that files state of their objects are left out: save a project to keep them")
    notes += missing_meshes_lines(scene)


def note_shrunk(textures: Sequence[Texture], notes: list[str]) -> None:
    """Note which textures lose pixels: those that were made of others are written as they are shown."""
    shrunk = [texture for texture in textures if texture.loses_pixels]
    if shrunk:
        width, height = max(texture.full_size for texture in shrunk)
        side = max(max(texture.pixels.shape[:2]) for texture in shrunk)
        whose = "a texture is" if len(shrunk) == 1 else f"{len(shrunk):,} textures are"
        largest = "it is" if len(shrunk) == 1 else "the largest is"
        notes.append(f"{whose} written as shown, at most {side:,} pixels a side; {largest} {width:,} x {height:,}")


def is_moved(scene: Scene, ids: np.ndarray) -> bool:
    """Tell whether any of these nodes has a world matrix other than the identity."""
    return bool((scene.world_from_local[ids] != np.eye(4)).any())


def _is_just_a_file(scene: Scene, node: int) -> bool:
    return (
        scene.mesh_ids[node] == NO_MESH
        and scene.names[node] in {printable(source.name) for source in scene.sources}
        and not scene.translations[node].any()
        and scene.rotations[node].tolist() == [0.0, 0.0, 0.0, 1.0]
        and scene.scales[node].tolist() == [1.0, 1.0, 1.0]
    )
