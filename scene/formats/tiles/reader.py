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
from octoscope.scene.formats.tiles.file_properties import ContentSource, DescribedContent, add_properties, described
from octoscope.scene.formats.tiles.files.archive import ENDING
from octoscope.scene.formats.tiles.materials import merged_materials
from octoscope.scene.formats.tiles.object_content import in_tileset, meshes_by_object, objects_in
from octoscope.scene.formats.tiles.objects import Chains, Objects
from octoscope.scene.formats.tiles.tables.features import ROWS
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable
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
    number: int  # of it in the file


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
                parts += [_Part(tile, file, placed, number) for number, placed in enumerate(read[file])]
            broken[tile] = len(parts) == before
        waiting = np.flatnonzero(_stands_in(tiles, broken) & ~is_shown)
        is_shown[waiting] = True
    if not parts:
        raise nothing_in(path, [str(problem) for problem in problems])
    is_moved = (tiles.world_from_content != np.eye(4)).any()
    content = None if is_moved else _of_objects(path, parts, problems)
    if content is None:
        content = _of_nodes(path, tiles, parts, problems)
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
        _, told = each.features, each.content.problems  # what is broken in features is told, too
        for problem in told:
            problems.report(problem.kind, problem.what, problem.done, count=problem.count)
    return found


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
    """Join contents: a node for each part of a tile, and below it their own nodes, with one for each place between."""
    placed = {id(part.placed): part.placed for part in parts}  # several tiles may show one content
    found = {key: described(content) for key, content in placed.items()}
    different, numbers = merged_materials([part.placed.content.materials for part in parts])
    pool = Meshes()
    firsts: dict[int, tuple[int, int]] = {}  # by content, of its meshes and tables
    tables: list[PropertyTable] = []
    sources: dict[int, ContentSource] = {}
    blocks: list[dict[str, np.ndarray]] = []
    count = 0
    for part, number in zip(parts, numbers, strict=True):
        each = found[id(part.placed)]
        if id(part.placed) not in firsts:
            firsts[id(part.placed)] = len(pool), len(tables)
            batch = each.content.meshes
            batch.material_ids[:] = number[batch.material_ids]
            ids = pool.extend(batch)
            tables += each.features.tables
            if part.placed.has_properties_at_points:
                is_z_up = bool(tiles.is_z_up[tiles.contents[part.tile]])
                sources |= dict.fromkeys(ids, ContentSource(part.file, tiles.folder, is_z_up, part.number))
        block = _nodes_of(part, each, tiles, count)
        first_mesh, first_table = firsts[id(part.placed)]
        block["mesh"] += np.where(block["mesh"] < 0, 0, first_mesh)
        block["key"] += np.where(block["key"] < 0, 0, first_table * ROWS)
        block["material"] = np.append(number, -1)[block["material"]]
        blocks.append(block)
        count += len(block["mesh"])
    whole = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    rest = Factors(*(whole[name] for name in Factors._fields))
    order, parents, names = np.arange(count), whole["parent"], whole["name"]
    columns = nested(order, parents, names, whole["mesh"], whole["translation"], rest, problems)
    content = FileContent(
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
        np.where(columns.meshes < 0, -1, whole["material"][columns.sources]).astype(np.int32),
        up_axis="y",
    )
    return add_properties(
        content, tables, whole["key"][columns.sources], sources, tiles, whole["tile"][columns.sources]
    )


def _nodes_of(part: _Part, each: DescribedContent, tiles: TileTable, before: int) -> dict[str, np.ndarray]:
    """Return the columns of a part's nodes, behind `before` others; meshes, materials and tables are its own."""
    content, matrices = each.content, part.placed.matrices
    copies, size = len(matrices), len(content.node_names)
    has_places = copies > 1 or bool((matrices != np.eye(4)).any())
    current_limits().take(NODE_BYTES * (1 + copies * (has_places + size)))
    tops = np.concatenate([tiles.world_from_content[tiles.placements[part.tile]][None], matrices])
    factors = factorize(tops[:, :3, :3])
    firsts = before + 1 + np.arange(copies)[:, None] * (has_places + size)

    def column(of_tops: np.ndarray, own: np.ndarray) -> np.ndarray:
        """Return a row for the tile, and for each of its places a row and (k, n, ...) or (1, n, ...) of the content."""
        rows = np.broadcast_to(own, (copies, *own.shape[1:]))
        if has_places:
            rows = np.concatenate([of_tops[1:, None], rows], axis=1)
        return np.concatenate([of_tops[:1], rows.reshape(-1, *rows.shape[2:])])

    nothing, tile_name = np.full(1 + copies, -1), tiles.names[[part.tile]]
    if len(tiles.files[tiles.contents[part.tile]]) > 1:  # each has a node
        tile_name[0] = printable(part.file.stem)
    place_names = each.features.names(each.of_places, np.repeat(tile_name, copies))
    parents = np.where(content.node_parents < 0, firsts if has_places else before, content.node_parents + firsts)
    parents += np.where(content.node_parents < 0, 0, int(has_places))
    return {
        "name": column(np.concatenate([tile_name, place_names]), content.node_names[None]),
        "parent": column(np.append(-1, np.full(copies, before)), parents),
        "mesh": column(nothing, content.node_meshes[None].astype(np.int64)),
        "material": column(nothing, content.node_materials[None]),
        "key": column(nothing, each.keys),
        "tile": np.full(1 + copies * (has_places + size), part.tile),
        "translation": column(tops[:, :3, 3], content.translations[None]),
        "rotations": column(factors.rotations, content.rotations[None]),
        "scales": column(factors.scales, content.scales[None]),
        "inner_rotations": column(factors.inner_rotations, np.tile((0.0, 0.0, 0.0, 1.0), (1, size, 1))),
        "sheared": column(factors.sheared, np.zeros((1, size), dtype=np.bool_)),
    }


def _name_of(path: Path) -> str:
    """Return what a tileset is called: the archive that it is, or its file."""
    return printable(path.parent.name if path.parent.suffix.lower() == ENDING else path.name)
