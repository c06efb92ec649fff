"""Octoscope's own tilesets, tile by tile."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from octoscope.scene.formats.tiles.cells import Root, Tile, corners_of_box
from octoscope.scene.formats.tiles.contents import read_contents
from octoscope.scene.formats.tiles.implicit import read_implicit
from octoscope.scene.formats.tiles.object_content import in_tileset, objects_in
from octoscope.scene.formats.tiles.tables.property_table import Columns
from octoscope.scene.formats.tiles.tileset import TileFacts, Tileset
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.system.file_finder import file_beside
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError


def read_content(path: Path) -> tuple[MergedGeometry, Columns]:
    (part,) = read_contents(path, path.parent)
    found = objects_in(part)
    numbered = in_tileset(found)
    if numbered is None:
        raise ReadError(path, "does not say which objects it shows")
    return replace(found.geometry, objects=numbered[0][found.geometry.objects]), found.features.tables[0].columns


def read_tileset_file(path: Path) -> Tileset:
    def file_of(uri: object, named_by: Path | None = None) -> Path:
        return file_beside(named_by or path, uri)

    document = json.loads(path.read_text())
    top, problems = document["root"], Problems(path)
    found = read_implicit(path, top, top["geometricError"], 1, document["schema"], file_of, problems)
    assert not problems
    lower, upper = corners_of_box(np.array(top["boundingVolume"]["box"]))
    return Tileset(
        Root(lower, float((upper - lower).max())),
        {
            Tile(level, *cell): TileFacts(box, error, has_content)
            for level, cell, box, error, (has_content,) in zip(
                found.levels.tolist(),
                found.cells.tolist(),
                found.boxes,
                found.errors.tolist(),
                found.has_content.tolist(),
                strict=True,
            )
        },
        top["content"]["uri"],
    )


def leaves_of(tileset: Tileset) -> list[Tile]:
    """The tiles with nothing below them, in the order of `tiles`."""
    inner = {tile.parent for tile in tileset.tiles if tile.level}
    return [tile for tile in tileset.tiles if tile not in inner]
