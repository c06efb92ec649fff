"""Implicit tiling: the tiles of an octree or quadtree that subtrees list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from octoscope.octree.layout.morton import decode_2d, decode_3d
from octoscope.scene.formats.tiles.cells import filled_in
from octoscope.scene.formats.tiles.files.packed_file import read_unpacked
from octoscope.scene.formats.tiles.subtree import Subtree, first_bit, unpack_subtree
from octoscope.scene.formats.tiles.tables.metadata import BROKEN, Metadata, extension_of
from octoscope.scene.formats.tiles.volumes import REGION, SPHERE, boxes_of, subdivided, volume_of
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable

_BRANCHING = {"OCTREE": 8, "QUADTREE": 4}
_DEEPEST = {8: 20, 4: 30}  # levels whose Morton codes fit in 64 bits
_LARGEST_SUBTREE = 2**28
MOST_TILES = 2**19  # of one file: a file of bytes can claim any number, and each tile takes memory
_MOST_SUBTREES = 2**13  # each takes time: one that lies below itself would be read for ever


class ImplicitTiles(NamedTuple):
    """The tiles, level by level and in Morton order, the root first."""

    levels: np.ndarray  # (n,) int64
    cells: np.ndarray  # (n, 2) or (n, 3) int64, coordinates on the level
    parents: np.ndarray  # (n,) int64, -1 for the root
    boxes: np.ndarray  # (n, 12) float64
    is_region: np.ndarray  # (n,) bool: the box is in the frame of the Earth
    errors: np.ndarray  # (n,) float64
    has_content: np.ndarray  # (n, c) bool, for each template of contents
    metadata: np.ndarray  # (n, 1 + c) object: Metadata of the tile and of each of its contents, or None


def read_implicit(
    path: Path,
    root: Mapping[str, Any],
    error: float,
    content_count: int,
    schema: Mapping[str, Any],
    file_of: Callable[..., Path],
    problems: Problems,
) -> ImplicitTiles:
    """Read the tiles below a tile with "implicitTiling".

    Args:
        error: of the root, world units.
    """
    tiling = root["implicitTiling"]
    branching = _BRANCHING[tiling["subdivisionScheme"]]
    kind, volume = volume_of(root["boundingVolume"])
    levels, depth, template = int(tiling["subtreeLevels"]), int(tiling["availableLevels"]), tiling["subtrees"]["uri"]
    if kind == SPHERE or levels < 1 or not 1 <= depth <= _DEEPEST[branching] + 1 or not isinstance(template, str):
        raise ValueError("no implicit tiling")
    bits = branching.bit_length() - 1
    parts: list[tuple[np.ndarray, ...]] = []
    waiting, tile_count, subtree_count = [(0, 0)], 0, 0
    while waiting:
        top, code = waiting.pop()
        subtree_count += 1
        cell = _cells(np.array([code]), bits)[0]
        try:
            subtree = _read_subtree(
                file_of(filled_in(template, top, *cell.tolist())), levels, branching, schema, file_of
            )
            if len(subtree.children) and top + levels >= depth:
                raise ReadError(path, "broken subtree: deeper than its tileset; make it again")
        except ReadError as problem:
            if not parts:
                raise
            problems.report("tile", problem.reason, "left out with all below", file=problem.path)
            continue
        tile_count += len(subtree.tiles)
        tiles_ahead = len(waiting) + len(subtree.children)
        for number, most, name in (
            (tile_count + tiles_ahead, MOST_TILES, "tiles"),
            (subtree_count + tiles_ahead, _MOST_SUBTREES, "subtrees"),
        ):
            if number > most:
                raise ReadError(
                    path,
                    f"more than {most:,} {name}; open the files that it was made of, or make it "
                    "again with a larger --leaf",
                )
        within = subtree.level_of_tiles
        codes = code << bits * within | subtree.codes_of_tiles
        parts.append(_facts(subtree, top + within, codes, kind, volume, error, content_count))
        if len(subtree.children):  # else the level below may be deeper than a code of 64 bits
            waiting += [(top + levels, each) for each in (code << bits * levels | subtree.children).tolist()]
    places, tile_levels, codes, *columns = map(np.concatenate, zip(*parts, strict=True))
    order = np.argsort(places)
    above = np.array([first_bit(max(level - 1, 0), branching) for level in range(depth + levels + 1)])
    parent_places = above[tile_levels[order]] + (codes[order] >> bits)
    parents = np.searchsorted(places[order], parent_places)
    parents[0] = -1
    if tile_levels[order[0]] != 0 or (places[order][parents[1:]] != parent_places[1:]).any():
        raise ReadError(path, "broken subtree: tiles without one above; make it again")
    levels_in_order, cells = tile_levels[order], _cells(codes[order], bits)
    return ImplicitTiles(levels_in_order, cells, parents, *(column[order] for column in columns))


def _cells(codes: np.ndarray, bits: int) -> np.ndarray:
    return np.stack(decode_3d(codes) if bits == 3 else decode_2d(codes), axis=1)


def _read_subtree(
    file: Path, levels: int, branching: int, schema: Mapping[str, Any], file_of: Callable[..., Path]
) -> Subtree:
    def read_buffer(uri: object) -> bytes:
        return read_unpacked(file_of(uri, file), largest_bytes=_LARGEST_SUBTREE)

    try:
        content = read_unpacked(file, largest_bytes=_LARGEST_SUBTREE)
        return unpack_subtree(content, levels, branching, schema=schema, read_buffer=read_buffer)
    except BROKEN as error:
        raise ReadError(file, f"broken subtree: {printable(str(error)[:80])}; make it again") from None


def _facts(
    subtree: Subtree,
    levels: np.ndarray,
    codes: np.ndarray,
    kind: str,
    volume: np.ndarray,
    error: float,
    content_count: int,
) -> tuple[np.ndarray, ...]:
    """Return columns of a subtree's tiles: place among all possible tiles, level, code, and those of ImplicitTiles."""
    bits = subtree.branching.bit_length() - 1
    volumes, volume_kind = subtree.volumes, subtree.volume_kind
    if volumes is None:
        volumes, volume_kind = subdivided(kind, volume, levels, _cells(codes, bits)), kind
    errors = error / 2.0**levels if subtree.errors is None else subtree.errors
    has_content = np.zeros((len(codes), content_count), dtype=np.bool_)
    given = subtree.has_content[:, :content_count]
    has_content[:, : given.shape[1]] = given
    firsts = np.array([first_bit(level, subtree.branching) for level in range(int(levels.max()) + 1)])
    is_region = np.full(len(codes), volume_kind == REGION)
    metadata = np.full((len(codes), 1 + content_count), None, dtype=object)
    tables = [subtree.metadata, *subtree.content_metadata[:content_count]]
    for number, table in enumerate(tables):
        if table is None:
            continue
        rows = np.flatnonzero(has_content[:, number - 1]) if number else np.arange(len(codes))
        for place, row in enumerate(rows.tolist()):
            metadata[row, number] = Metadata("", table, place)
    boxes = boxes_of(volume_kind, volumes)
    return firsts[levels] + codes, levels, codes, boxes, is_region, errors, has_content, metadata


def as_in_1_1(tile: dict[str, Any]) -> dict[str, Any]:
    """Return a tile with what extensions of 3D Tiles 1.0 say of it as 1.1 says it."""
    tiling, contents = (extension_of(tile, f"3DTILES_{name}") for name in ("implicit_tiling", "multiple_contents"))
    if contents:
        tile = tile | {"contents": contents.get("contents", contents.get("content"))}
    if tiling:
        deepest = tiling.get("maximumLevel")
        more = {"availableLevels": deepest + 1} if isinstance(deepest, int) else {}
        tile = tile | {"implicitTiling": {**tiling, **more}}
    return tile
