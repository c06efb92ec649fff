"""TilesetDescription: what one tileset.json says of its tiles, those of implicit tiling included."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.formats.gltf.document import is_number
from octoscope.scene.formats.tiles.cells import LARGEST_NUMBER, filled_in
from octoscope.scene.formats.tiles.files.archive import ENDING
from octoscope.scene.formats.tiles.implicit import MOST_TILES, as_in_1_1, read_implicit
from octoscope.scene.formats.tiles.tables.metadata import BROKEN, Metadata, metadata_of, read_schema
from octoscope.scene.formats.tiles.tileset import TILESET_NAME, read_tileset_json
from octoscope.scene.formats.tiles.volumes import REGION, boxes_of, checked_numbers, volume_of
from octoscope.scene.geometry.affine import factorize
from octoscope.scene.system.elsewhere import place_of
from octoscope.scene.system.file_finder import file_beside
from octoscope.scene.system.report import Problems
from octoscope.scene.system.text_file import ReadError, printable

GATE = -1.0  # in place of an error: the tile stands for the request volume of the one below it


class DescribedTile(NamedTuple):
    """A tile."""

    parent: int  # row of the tile above, -1 for the topmost
    box: np.ndarray  # (12,)
    is_region: bool  # whether the box is in the frame of the Earth
    error: float  # in the tile's own units
    is_added: bool  # whether it is shown together with those below it
    matrix: np.ndarray | None  # (4, 4) transform from the tile above, or None
    contents: tuple[Path, ...]
    name: str  # for people
    metadata: tuple[Metadata, ...] = ()  # of it and its contents
    is_placed: bool = False  # whether its content is another tileset


class _Contents(NamedTuple):
    """The contents of a tile; those of an implicit tile are only URIs, with places for the numbers of its tiles."""

    files: list[Path]
    tilesets: list[Path]  # external ones
    templates: list[str]  # URIs, of an implicit tile
    metadata: list[list[Metadata]]  # of each content: that of its group, and its own


class TilesetDescription:
    """The tiles that one tileset.json describes, parents first; those of implicit tiling, too.

    Attributes:
        may_be_on_earth: whether the frame may be that of the Earth.
        is_z_up: whether the glTF in its contents has Z up.
        metadata: of the tileset.
        problems: of tiles that were left out, or guessed.
    """

    def __init__(self, path: Path, folder: Path) -> None:
        self._path = path
        self._folder = folder
        self.problems = Problems(path)
        self.tiles: list[DescribedTile] = []
        document = read_tileset_json(path)
        top = document.get("root") if isinstance(document, dict) else None
        if not isinstance(top, dict):
            raise ReadError(path, "not a tileset: it has no 'root'; make it again")
        self._schema = self._schema_of(document)
        self.metadata = metadata_of(document.get("metadata"), self._schema)
        groups = document.get("groups")
        self._groups = groups if isinstance(groups, list) else []
        asset = document.get("asset")
        asset = asset if isinstance(asset, dict) else {}
        up_axis = str(asset.get("gltfUpAxis", "Y")).upper()
        self.is_z_up = up_axis == "Z"
        if up_axis not in "YZ":
            self.problems.report("up-axis", f"glTF with another axis up ('{printable(up_axis[:20])}')", "Y taken")
        # Octoscope's own frames are those of scenes, which may lie as far out as the ground of the Earth.
        self.may_be_on_earth = asset.get("generator") != "Octoscope"
        waiting: deque[tuple[dict[str, Any], int]] = deque([(top, -1)])
        while waiting:
            tile, above = waiting.popleft()
            tile = as_in_1_1(tile)
            row = self._add(tile, above)
            children = tile.get("children", [])
            if not isinstance(children, list):
                self._tell(row, "'children' that are no list", "left out")
                continue
            waiting += [(each, row) for each in children if isinstance(each, dict)]
            if len(self.tiles) + len(waiting) > MOST_TILES:
                raise ReadError(path, f"more than {MOST_TILES:,} tiles; open the tilesets in it alone")

    def _schema_of(self, document: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            schema, _ = read_schema(document, self._path, self._folder)
        except ReadError as error:
            self.problems.report("schema", error.reason, "shown without metadata", file=error.path)
            schema = {}
        except (ValueError, RecursionError):
            self.problems.report("schema", "its schema is no JSON", "shown without metadata")
            schema = {}
        return schema if isinstance(schema, Mapping) else {}

    def _tell(self, row: int, what: str, done: str) -> None:
        name = self.tiles[row].name if row < len(self.tiles) else f"tile {row}"
        self.problems.report("tile", f"{name}: {what}", done, file=self._path)

    def _add(self, tile: dict[str, Any], above: int) -> int:
        """Add a tile, or what stands in its place; return the row to which its children belong."""
        outer = above
        if above >= 0 and "viewerRequestVolume" in tile:
            tile, above = self._add_gate(tile, above)
        elif "viewerRequestVolume" in tile:
            self._tell(0, "a request volume of the root", "ignored")
        row = len(self.tiles)
        contents = self._contents_of(tile, row)
        matrix = self._matrix_of(tile, row)
        box, is_region = self._box_of(tile, row, outer)
        error = tile.get("geometricError")
        if not is_number(error) or not 0.0 <= error < LARGEST_NUMBER:
            self._tell(row, "a geometric error that is no number, or too large", "that of the tile above taken")
            error = self.tiles[outer].error if outer >= 0 else 0.0
        refine = str(tile.get("refine", "")).upper()
        is_added = refine == "ADD" or (refine != "REPLACE" and above >= 0 and self.tiles[above].is_added)
        if "implicitTiling" in tile:
            try:
                self._add_implicit(tile, above, float(error), matrix, contents, is_added=is_added)
            except ReadError as problem:
                if above < 0:
                    raise
                self.problems.report("tile", problem.reason, "left out with all below", file=problem.path)
                nothing = DescribedTile(above, box, is_region, float(error), is_added, matrix, (), f"tile {row}")
                self.tiles[row:] = [nothing]
            return row
        name = self._path.parent.name if above < 0 else f"tile {row}"
        files = tuple(contents.files)
        name = Path(files[0].name.partition("?")[0]).stem if files else name
        made = DescribedTile(above, box, is_region, float(error), is_added, matrix, files, printable(name))
        metadata = chain(metadata_of(tile.get("metadata"), self._schema), *contents.metadata)
        self.tiles.append(made._replace(metadata=tuple(metadata)))
        self._place(contents.tilesets, row, is_leaf=not tile.get("children"))
        return row

    def _add_gate(self, tile: dict[str, Any], above: int) -> tuple[dict[str, Any], int]:
        """Add the request volume of a tile as one above it; return the tile without, and the row above it."""
        row, is_added = len(self.tiles), self.tiles[above].is_added
        try:
            kind, volume = volume_of(tile["viewerRequestVolume"])
        except ValueError as error:
            self._tell(row, f"a broken request volume ({error})", "ignored")
            return tile, above
        gate = boxes_of(kind, volume[None])[0], kind == REGION, GATE, is_added, self._matrix_of(tile, row)
        self.tiles.append(DescribedTile(above, *gate, (), "request volume"))
        rest = {key: value for key, value in tile.items() if key not in ("transform", "viewerRequestVolume")}
        return rest, len(self.tiles) - 1

    def _place(self, tilesets: list[Path], row: int, *, is_leaf: bool) -> None:
        """Place tilesets: one in the place of a tile that is nothing else, others below it."""
        tile = self.tiles[row]
        if len(tilesets) == 1 and not tile.contents and is_leaf:
            self.tiles[row] = tile._replace(contents=(tilesets[0],), is_placed=True)
            return
        if is_leaf:  # its other contents stay beside them
            self.tiles[row] = tile._replace(is_added=True)
        below = tile._replace(parent=row, matrix=None, metadata=(), is_placed=True)
        self.tiles += [below._replace(contents=(file,)) for file in tilesets]

    def _add_implicit(
        self,
        tile: dict[str, Any],
        above: int,
        error: float,
        matrix: np.ndarray | None,
        contents: _Contents,
        *,
        is_added: bool,
    ) -> None:
        first = len(self.tiles)
        external: list[tuple[int, list[Path]]] = []
        try:
            found = read_implicit(
                self._path, tile, error, len(contents.templates), self._schema, self._file_of, self.problems
            )
        except BROKEN:
            raise ReadError(self._path, "broken 'implicitTiling'; make it again") from None
        parents = np.where(found.parents < 0, above, found.parents + first).tolist()
        for row, parent in enumerate(parents):
            level, cell = int(found.levels[row]), found.cells[row]
            files: list[Path] = []
            placed: list[Path] = []
            metadata = [*found.metadata[row, :1]]
            for number in np.flatnonzero(found.has_content[row]).tolist():
                metadata += [*contents.metadata[number], found.metadata[row, 1 + number]]
                uri = filled_in(contents.templates[number], level, *cell.tolist())
                (placed if _names_tileset(uri) else files).append(self._file_of(uri))
            external += [(first + row, placed)] if placed else []
            name = f"tile {'/'.join(map(str, (level, *cell.tolist())))}"
            self.tiles.append(
                DescribedTile(
                    parent=parent,
                    box=found.boxes[row],
                    is_region=bool(found.is_region[row]),
                    error=max(float(found.errors[row]), 0.0),
                    is_added=is_added,
                    matrix=matrix if row == 0 else None,
                    contents=tuple(files),
                    name=name,
                    metadata=tuple(filter(None, metadata)),
                )
            )
        has_below = set(parents)
        for row, placed in external:
            self._place(placed, row, is_leaf=row not in has_below)

    def _contents_of(self, tile: dict[str, Any], row: int) -> _Contents:
        many = tile.get("contents", [])
        described = [*(many if isinstance(many, list) else []), *([tile["content"]] if "content" in tile else [])]
        contents = _Contents([], [], [], [])
        for each in described:
            uri = each.get("uri", each.get("url")) if isinstance(each, dict) else None
            if not isinstance(uri, str):
                self._tell(row, "a content without a URI", "left out")
                continue
            of = printable(uri) if len(described) > 1 else ""
            number = each.get("group")
            is_in_group = type(number) is int and 0 <= number < len(self._groups)
            group = metadata_of(self._groups[number], self._schema, of) if is_in_group else []
            contents.metadata.append([*group, *metadata_of(each.get("metadata"), self._schema, of)])
            if "implicitTiling" in tile:
                contents.templates.append(uri)
                continue
            try:
                (contents.tilesets if _names_tileset(uri) else contents.files).append(self._file_of(uri))
            except ReadError as error:
                self.problems.report("tile", error.reason, "left out", file=error.path)
        return contents

    def _file_of(self, uri: object, named_by: Path | None = None) -> Path:
        """Return the file that the tileset names, or another file of it."""
        path = named_by or self._path
        name = str(uri) if place_of(path) is not None else str(uri).partition("?")[0]
        file = file_beside(path, name, within=self._folder)
        return file / TILESET_NAME if _name_of(uri).endswith(ENDING) else file

    def _matrix_of(self, tile: dict[str, Any], row: int) -> np.ndarray | None:
        if "transform" not in tile:
            return None
        try:
            matrix = checked_numbers(tile["transform"], 16).reshape(4, 4).T
        except ValueError as error:
            self._tell(row, f"a transform of {error}", "ignored")
            return None
        if factorize(matrix[None, :3, :3]).sheared[0]:
            self._tell(row, "a transform that shears, which no object can", "ignored")
            return None
        return np.vstack([matrix[:3], (0.0, 0.0, 0.0, 1.0)])

    def _box_of(self, tile: dict[str, Any], row: int, above: int) -> tuple[np.ndarray, bool]:
        try:
            kind, volume = volume_of(tile.get("boundingVolume"))
        except ValueError as error:
            self._tell(row, str(error), "that of the tile above taken")
            if above < 0:
                raise ReadError(self._path, f"its topmost tile has {error}; make it again") from None
            return self.tiles[above].box, self.tiles[above].is_region
        return boxes_of(kind, volume[None])[0], kind == REGION


def _names_tileset(uri: str) -> bool:
    return _name_of(uri).endswith((".json", ENDING))


def _name_of(uri: object) -> str:
    return str(uri).partition("?")[0].lower()
