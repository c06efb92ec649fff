"""Read a tileset as one file: the finest contents, and those that are shown together with finer ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.content import FileContent, unmoved
from octoscope.scene.formats.nested_nodes import nested
from octoscope.scene.formats.simple_files import NODE_BYTES
from octoscope.scene.formats.tiles.contents import PlacedContent, read_contents
from octoscope.scene.formats.tiles.files.archive import ENDING
from octoscope.scene.formats.tiles.materials import merged_materials
from octoscope.scene.formats.tiles.object_content import in_tileset, meshes_by_object, objects_in
from octoscope.scene.formats.tiles.objects import Chains, Objects
from octoscope.scene.formats.tiles.tile_table import TileTable, nothing_in, read_tile_table
from octoscope.scene.formats.tiles.tileset import tileset_in
from octoscope.scene.geometry.affine import Factors, factorize
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.material import Material
from octoscope.scene.mesh.pool import NO_MESH, Meshes
from octoscope.scene.system.elsewhere import place_of
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable


class _Part(NamedTuple):
    """A part of a content that a tile shows."""

    tile: int
    file: Path
    placed: PlacedContent


def read_tileset(path: Path) -> FileContent:
    """Read the contents of a tileset's finest tiles, and of those that are shown together with finer ones.

    An object that Octoscope has cut into several tiles is one mesh again; where it was cut, its vertices are there more
    than once. Positions are as exact as those of a GLB.
    """
    path = tileset_in(path)
    tiles = read_tile_table(path, by_object=False)
    unread = tiles.read_tilesets()
    problems = tiles.problems
    for error in unread.values():
        problems.report("tile", error.reason, "left out", file=error.path)
    read: dict[Path, list[PlacedContent]] = {}
    parts: list[_Part] = []
    is_shown = ((tiles.child_counts == 0) | tiles.is_added) & (tiles.contents >= 0)
    broken = np.zeros(len(tiles), dtype=np.bool_)
    waiting = np.flatnonzero(is_shown)
    while len(waiting):
        for tile in waiting.tolist():
            before = len(parts)
            content = int(tiles.contents[tile])
            for file in () if content in unread else tiles.files[content]:
                if file not in read:
                    read[file] = _read(file, tiles.folder, problems, is_z_up=bool(tiles.is_z_up[content]))
                parts += [_Part(tile, file, placed) for placed in read[file]]
            broken[tile] = len(parts) == before
        waiting = np.flatnonzero(_stands_in(tiles, broken) & ~is_shown)
        is_shown[waiting] = True
    if not parts:
        raise nothing_in(path, [str(problem) for problem in problems])
    is_moved = (tiles.world_from_content != np.eye(4)).any()
    content = None if is_moved else _of_objects(path, parts, problems)
    if content is None:
        named = {id(placed): _by_feature(placed) for found in read.values() for placed in found}
        content = _of_nodes(path, tiles, [part._replace(placed=named[id(part.placed)]) for part in parts], problems)
    content.problems = list(problems)
    content.dependencies = frozenset(
        file for file in {*read}.union(*(part.placed.content.dependencies for part in parts)) if place_of(file) is None
    )
    return content


def _stands_in(tiles: TileTable, broken: np.ndarray) -> np.ndarray:
    """Return which tiles are shown because nothing that would replace them can be read, (n,) bool."""
    lost = tiles.lost(broken)
    lost_below = np.bincount(tiles.parents[lost[lost > 0]], minlength=len(tiles))
    return (lost_below > 0) & (lost_below == tiles.child_counts) & (tiles.contents >= 0)


def _read(file: Path, folder: Path, problems: Problems, *, is_z_up: bool) -> list[PlacedContent]:
    try:
        found = read_contents(file, folder, is_z_up=is_z_up)
    except ReadError as error:
        problems.report("tile", error.beside(file), "left out", file=file)
        return []
    for each in found:
        for problem in each.content.problems:
            problems.report(problem.kind, problem.what, problem.done, count=problem.count)
    return found


def _by_feature(placed: PlacedContent) -> PlacedContent:
    """Return a content with a node for each feature that its vertices are of, and names of the features of nodes."""
    features = placed.features()
    if not len(features.of_vertices):
        names = features.names(features.of_nodes, placed.content.node_names)
        return replace(placed, content=replace(placed.content, node_names=names))
    found = objects_in(replace(placed, matrices=np.eye(4)[None]))
    _, batch = meshes_by_object(found.geometry.by_object())
    batch.names[:] = found.names
    read = placed.content
    return replace(placed, content=FileContent.flat(read.name, read.vertex_count, batch, read.materials))


def _of_objects(path: Path, parts: list[_Part], problems: Problems) -> FileContent | None:
    """Join the objects that Octoscope has cut into several tiles, with their tree; None for tilesets of others."""
    geometries: list[MergedGeometry] = []
    chains: list[Chains] = []
    materials: list[list[Material]] = []
    silent = []
    for part in parts:
        found = objects_in(part.placed)
        numbered = in_tileset(found)
        if numbered is None:
            silent.append(part.file)
            continue
        geometries.append(replace(found.geometry, objects=numbered[0][found.geometry.objects]))
        chains.append(numbered[1])
        materials.append(part.placed.content.materials)
    for file in silent if geometries else ():
        problems.report("tile", "does not say which objects it shows", "left out", file=file)
    if not geometries:
        return None
    objects, ids = Objects.joined(chains)
    different, numbers = merged_materials(materials)
    whole = MergedGeometry.merged(
        [geometry.renumbered(None, number) for geometry, number in zip(geometries, numbers, strict=True)]
    ).by_object()
    shown, batch = meshes_by_object(whole)
    rows = np.searchsorted(ids, shown)
    node_meshes = np.full(len(ids), NO_MESH, dtype=np.int32)
    node_meshes[rows] = np.arange(len(shown))
    batch.names[:] = objects.names[rows]
    return FileContent(
        _name_of(path),
        len(whole.positions),
        objects.names,
        objects.parents,
        node_meshes,
        batch,
        different,
        *unmoved(len(ids)),
        up_axis="y",
    )


def _of_nodes(path: Path, tiles: TileTable, parts: list[_Part], problems: Problems) -> FileContent:
    """Join contents: a node for each part of a tile, below it one for each place, and below these its own nodes."""
    different, numbers = merged_materials([part.placed.content.materials for part in parts])
    pool = Meshes()
    first_meshes: dict[int, int] = {}
    names, parents, meshes, overrides, translations, factors = [], [], [], [], [], []
    count = 0
    for part, number in zip(parts, numbers, strict=True):
        content, matrices = part.placed.content, part.placed.matrices
        size = len(content.node_names)
        current_limits().take(NODE_BYTES * (1 + len(matrices) * (1 + size)))
        if id(content) not in first_meshes:
            first_meshes[id(content)] = len(pool)
            batch = content.meshes
            batch.material_ids[:] = number[batch.material_ids]
            pool.extend(batch)
        world = tiles.world_from_content[tiles.placements[part.tile]]
        tops = factorize(np.concatenate([world[None], matrices])[:, :3, :3])
        offset = np.concatenate([world[None], matrices])[:, :3, 3]
        copies = len(matrices)
        # The tile, its places, and the nodes of each place.
        places = count + 1 + np.arange(copies) * (1 + size)
        block = np.concatenate([np.full((copies, 1), NO_MESH), np.tile(content.node_meshes, (copies, 1))], axis=1)
        above = np.where(content.node_parents < 0, 0, content.node_parents + 1) + places[:, None]
        tile_name = str(tiles.names[part.tile])
        names += [tile_name, *([tile_name, *content.node_names.tolist()] * copies)]
        parents += [-1, *np.concatenate([np.full((copies, 1), count), above], axis=1).ravel().tolist()]
        meshes.append(np.append(NO_MESH, np.where(block >= 0, block + first_meshes[id(content)], NO_MESH).ravel()))
        own = np.where(content.node_materials >= 0, number[content.node_materials], -1)
        overrides.append(np.append(-1, np.tile(np.append(-1, own), copies)))
        translations.append(_interleaved(offset, content.translations))
        factors.append(
            Factors(
                _interleaved(tops.rotations, content.rotations),
                _interleaved(tops.scales, content.scales),
                _interleaved(tops.inner_rotations, np.tile((0.0, 0.0, 0.0, 1.0), (size, 1))),
                _interleaved(tops.sheared[:, None], np.zeros((size, 1), dtype=np.bool_))[:, 0],
            )
        )
        count += 1 + copies * (1 + size)
    text = np.array(names, dtype=np.dtypes.StringDType())
    whole = Factors(*map(np.concatenate, zip(*factors, strict=True)))
    node_meshes = np.concatenate(meshes)
    columns = nested(
        np.arange(count), np.array(parents), text, node_meshes, np.concatenate(translations), whole, problems
    )
    material_of = np.full(len(columns.names), -1, dtype=np.int32)
    is_second = whole.sheared  # which has the mesh
    rows = np.arange(count) + np.cumsum(is_second)
    material_of[rows] = np.concatenate(overrides)
    return FileContent(
        _name_of(path),
        sum(part.placed.content.vertex_count for part in parts),
        columns.names,
        columns.parents,
        columns.meshes.astype(np.int32),
        pool.batch(np.arange(len(pool))),
        different,
        columns.translations,
        columns.rotations,
        columns.scales,
        material_of,
        up_axis="y",
    )


def _name_of(path: Path) -> str:
    """Return what a tileset is called: the archive that it is, or its file."""
    return printable(path.parent.name if path.parent.suffix.lower() == ENDING else path.name)


def _interleaved(tops: np.ndarray, own: np.ndarray) -> np.ndarray:
    """Return a row for the tile, and for each of its places a row and those of the content."""
    places = [np.concatenate([place[None], own]) for place in tops[1:]]
    return np.concatenate([tops[:1], *places])
