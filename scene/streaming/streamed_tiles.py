"""StreamedTiles: the tiles in memory, and those of them that a scene shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from octoscope.guesses import public
from octoscope.octree.arguments import checked_point
from octoscope.scene.formats.tiles.contents import read_contents
from octoscope.scene.formats.tiles.file_properties import OWN
from octoscope.scene.formats.tiles.materials import MaterialMerger
from octoscope.scene.formats.tiles.object_content import properties_at
from octoscope.scene.formats.tiles.tables.features import ROWS
from octoscope.scene.formats.tiles.tables.property_table import PropertyTable
from octoscope.scene.formats.tiles.tile_table import NO_CONTENT, TileTable
from octoscope.scene.formats.tiles.tileset_columns import TilesetColumns
from octoscope.scene.geometry.ranges import ranges
from octoscope.scene.loaded_source import LoadedSource
from octoscope.scene.mesh.data import counted
from octoscope.scene.mesh.material import Material
from octoscope.scene.mesh.pool import KEPT, NO_MESH, Meshes
from octoscope.scene.mesh.table import ColumnTable
from octoscope.scene.node import Node
from octoscope.scene.scene import Scene
from octoscope.scene.sources import NO_SOURCE
from octoscope.scene.spatial.lod_view import LodView
from octoscope.scene.streaming.tile_content import TileContent, read_tile
from octoscope.scene.streaming.tile_selection import TileSelection, kept_contents, select
from octoscope.scene.system.elsewhere import fetch
from octoscope.scene.system.memory import free_memory_bytes, readable_bytes
from octoscope.scene.system.report import LoadReport
from octoscope.scene.system.text_file import ReadError

READ_ONLY = (
    "a tileset that is streamed cannot be changed or saved; open it without --budget, or the files that it was made of"
)
# Shares of the budget. What a picture needs, what stays when room is made, and what there may be before that: the
# rest is for copying what stays.
_NEEDED_SHARE = 0.4
_KEPT_SHARE = 0.45
_FULL_SHARE = 0.65
_FIRST_EXPANSION = 3.0  # bytes of memory for a byte of a file, until some were read
_IMAGE_COPIES = 1.0 + 4.0 / 3.0  # of an image: in main memory, and on the card with smaller ones for the distance
_LEAST_SHARE = 0.25  # for tiles, however much of the budget images take
_ALONE = 2**62  # in keys of objects that are in one tile alone
_FETCHED = 16  # contents that are fetched side by side
_ROOM_BYTES_PER_VERTEX = 200  # of a budget: a vertex with its share of triangles, of a mesh and of a node


class Eviction:
    """An eviction under way: another pool of meshes, for the contents that stay, and their materials.

    Args:
        contents: (k,) int64 that stay.
        firsts: (k,) int64 the first mesh of each in the pool before.
        counts: (k,) int64 how many each has.

    Attributes:
        numbers: (m,) int32 the id in it of each mesh of the pool before, NO_MESH for those that are left out.
        new_firsts: (k,) int64 the first mesh of each content in it.
        materials: those before until `copy`, then those that the pool shows, and the first, which is the default.
    """

    def __init__(
        self,
        old: Meshes,
        materials: Sequence[Material],
        pool: Meshes,
        contents: np.ndarray,
        firsts: np.ndarray,
        counts: np.ndarray,
    ) -> None:
        self.materials = materials
        self.pool = pool
        self.contents = contents
        self.new_firsts = np.cumsum(counts) - counts
        self.numbers = np.full(len(old), NO_MESH, dtype=np.int32)
        self.numbers[ranges(firsts, counts)] = np.arange(counts.sum())
        self._old = old
        self._parts = list(zip(firsts.tolist(), counts.tolist(), strict=True))

    def copy(self) -> None:
        """Copy the meshes, on any thread: one content after another, so that no second copy of all is needed."""
        for first, count in self._parts:
            self.pool.extend(self._old.batch(np.arange(first, first + count)), lifetime=KEPT)
        shown = self.pool.vertices["material"]
        is_used = np.zeros(len(self.materials), dtype=np.bool_)
        is_used[0] = is_used[shown] = True
        np.take(np.cumsum(is_used, dtype=np.int32) - 1, shown, out=shown)
        self.materials = [self.materials[number] for number in np.flatnonzero(is_used).tolist()]


@public(
    *("loaded_bytes", "properties", "scene", "shown"),
    instead={
        **dict.fromkeys(("bounds", "cull", "find", "nodes", "objects", "raycast"), "tiles.scene has it"),
        "close": "nothing is open between readings",
    },
)
class StreamedTiles:
    """The tiles of a tileset in a scene, which shows nothing else; `open_tileset` makes one.

    For each tile that is shown the scene has a node, and below it one for all objects that are in the tile; or one for
    each of them, or part of it, where the tile is near. Contents that are not shown any more stay in memory while there
    is room.

    Args:
        scene: an empty one.
        budget_bytes: of main memory and memory on the graphics card together, for all that is streamed.
        threshold_pixels: a tile that is off by no more is not refined.

    Attributes:
        selection: the last one; None before the first.
        shown: (s,) int64 ascending, the tiles that have nodes.
        loaded_bytes: memory of all contents that were added since room was made last, bytes.
    """

    def __init__(
        self, scene: Scene, tiles: TileTable, path: Path, *, budget_bytes: float, threshold_pixels: float = 1.0
    ) -> None:
        assert scene.row_count == 0, "its rows are reused, which nobody else must know"
        self.scene = scene
        self.tiles = tiles
        self._path = path
        self._budget_bytes = budget_bytes
        self.threshold_pixels = threshold_pixels
        self.selection: TileSelection | None = None
        self._placeable: list[tuple[int, TilesetColumns]] = []  # that were read, and whose tiles come with the next
        self._time = 0
        self._contents = ColumnTable(
            is_resident=(np.bool_, ()),
            is_broken=(np.bool_, ()),
            known_bytes=(np.float64, ()),
            last_seen=(np.int64, ()),
            first_mesh=(np.int64, ()),
            mesh_count=(np.int64, ()),
            has_properties_at_points=(np.bool_, ()),
            is_numbered=(np.bool_, ()),
        )
        self._objects: dict[int, np.ndarray] = {}  # by content, of its meshes
        self._features: dict[int, tuple[np.ndarray, list[PropertyTable]]] = {}  # by content, of its meshes
        self._told: set[tuple[str, str]] = set()
        self.shown = np.empty(0, dtype=np.int64)
        self._free_rows = np.empty(0, dtype=np.int32)
        # Of each row of the scene: what it shows of which tile; -1: nothing.
        self._rows = ColumnTable(key=(np.int64, ()), tile=(np.int64, ()))
        self._materials = MaterialMerger()
        self._materials.add(scene.materials)
        self._free_bytes = free_memory_bytes()
        self._reserve(scene.meshes)
        self.loaded_bytes = 0.0
        self._told_problems = 0  # of the tiles
        scene.report.add(LoadReport([path]))
        self._note_tiles()
        scene.loaded_sources = {NO_SOURCE: LoadedSource(properties=self)}
        scene.read_only = READ_ONLY

    def __repr__(self) -> str:
        return (
            f"StreamedTiles({str(self._path)!r}, {counted(tiles=len(self.tiles.contents))}, {len(self.shown):,} shown, "
            f"{readable_bytes(self.resident_bytes)} of {readable_bytes(self._budget_bytes)})"
        )

    @property
    def content_bytes(self) -> np.ndarray:
        """(c,) float64 memory of each content: of those that were read once, and an estimate of the others."""
        is_known = self._contents["known_bytes"] > 0.0
        files = self.tiles.file_bytes
        expansion = _FIRST_EXPANSION
        if is_known.any():
            expansion = float(self._contents["known_bytes"][is_known].sum() / max(files[is_known].sum(), 1))
        return np.where(is_known, self._contents["known_bytes"], files * expansion)

    @property
    def resident_bytes(self) -> float:
        """Memory of the contents that are in memory, without those that were left out."""
        return float(self._contents["known_bytes"][self._contents["is_resident"]].sum())

    @property
    def _tile_budget_bytes(self) -> float:
        """The part of the budget that is left for tiles: the images that some of them show take the rest."""
        images = _IMAGE_COPIES * self._materials.image_bytes
        return max(self._budget_bytes - images, _LEAST_SHARE * self._budget_bytes)

    def select(self, lod_views: Sequence[LodView], threshold_pixels: float | None = None) -> TileSelection:
        """Select which tiles to show and what to read, and keep that as `selection`."""
        if self._placeable:
            for content, error in self.tiles.place(self._placeable).items():
                self.tiles.problems.report("tile", error.reason, "left out", file=error.path)
                self.give_up(content)
            self._placeable = []
            self._note_tiles()
        self.selection = select(
            self.tiles,
            self._contents["is_resident"],
            self._contents["is_broken"],
            self.content_bytes,
            lod_views,
            threshold_pixels=self.threshold_pixels if threshold_pixels is None else threshold_pixels,
            budget_bytes=_NEEDED_SHARE * self._tile_budget_bytes,
        )
        self._time += 1
        self._contents["last_seen"][self.selection.wanted] = self._time
        return self.selection

    def _note_tiles(self) -> None:
        """Note that there are more tiles, and report what is wrong with them."""
        self._contents.append(len(self.tiles.files) - len(self._contents))
        new = self.tiles.problems[self._told_problems :]
        self._told_problems += len(new)
        self.scene.report.add(LoadReport([], problems=new))

    def fetch(self, contents: np.ndarray) -> None:
        """Bring the files of (k,) contents near that will be read next, where they are on a server."""
        fetch([file for content in contents.tolist() for file in self.tiles.files[content]])

    def read(self, content: int) -> TileContent | TilesetColumns:
        """Read a content, on any thread; raise ReadError where that cannot be done."""
        tiles = self.tiles
        if tiles.is_tileset[content]:
            return tiles.read_tileset(content)
        return read_tile(
            tiles.files[content],
            tiles.folder,
            by_object=bool(tiles.is_by_object[content]),
            is_z_up=bool(tiles.is_z_up[content]),
        )

    def add(self, content: int, read: TileContent | TilesetColumns) -> None:
        """Add a content that was read, whose tiles can be shown from then on."""
        if isinstance(read, TilesetColumns):
            self._placeable.append((content, read))
            return
        if self._contents["is_resident"][content]:
            return
        numbers, new = self._materials.add(read.materials)
        if new:
            with self._writing():
                self.scene.add_materials(new)
        assert len(self._materials) == len(self.scene.materials), "nobody else adds materials to the scene"
        batch = read.meshes
        batch.material_ids[:] = numbers[batch.material_ids]
        ids = self.scene.meshes.extend(batch, lifetime=KEPT)
        self._contents["first_mesh"][content], self._contents["mesh_count"][content] = ids.start, len(ids)
        self._objects[content] = read.objects
        self._contents["has_properties_at_points"][content] = read.has_properties_at_points
        self._contents["is_numbered"][content] = read.is_numbered
        if read.tables:
            self._features[content] = read.features, read.tables
        # What many tiles have in common is said of the first.
        new = [problem for problem in read.problems if (problem.kind, problem.what) not in self._told]
        self._told |= {(problem.kind, problem.what) for problem in new}
        self.scene.report.add(LoadReport([], problems=new))
        self._contents["known_bytes"][content] = read.memory_bytes
        self._contents["is_resident"][content] = True
        self.loaded_bytes += read.memory_bytes

    def give_up(self, content: int) -> None:
        """Note that the files of a content cannot be read: the tile above its own stays shown, if there is one."""
        files = self.tiles.files
        self._contents["is_broken"][[number for number, each in enumerate(files) if each == files[content]]] = True

    def has_room(self) -> bool:
        """Return whether more can be added without eviction."""
        return self.loaded_bytes < _FULL_SHARE * self._tile_budget_bytes

    def evict(self) -> None:
        """Free the contents that were least recently seen.

        The scene gets another pool of meshes, without them. What is shown stays.
        """
        eviction = self.begin_eviction()
        eviction.copy()
        self.commit_eviction(eviction)

    def begin_eviction(self) -> Eviction:
        """Choose the contents that stay, and can be shown from now on; any thread may copy the Eviction.

        Until `commit_eviction` nothing may be added.
        """
        wanted = np.empty(0, dtype=np.int64) if self.selection is None else self.selection.wanted
        shown = self.tiles.contents[self.shown]
        stays = kept_contents(
            self._contents["is_resident"],
            np.union1d(wanted, shown),
            self._contents["last_seen"],
            self._contents["known_bytes"],
            _KEPT_SHARE * self._tile_budget_bytes,
        )
        for content in np.flatnonzero(self._contents["is_resident"] & ~stays).tolist():
            del self._objects[content]
            self._features.pop(content, None)
        self._contents["is_resident"][:] = stays
        kept = np.flatnonzero(stays)
        pool = Meshes()
        self._reserve(pool)
        firsts, counts = self._contents["first_mesh"][kept], self._contents["mesh_count"][kept]
        return Eviction(self.scene.meshes, self.scene.materials, pool, kept, firsts, counts)

    def commit_eviction(self, eviction: Eviction) -> None:
        """Show the pool and materials of an eviction that was copied; those before are freed."""
        self._contents["first_mesh"][eviction.contents] = eviction.new_firsts
        with self._writing():
            self.scene.renumber_meshes(eviction.pool, eviction.numbers, eviction.materials)
        self._materials = MaterialMerger()
        self._materials.add(eviction.materials)
        self.loaded_bytes = self.resident_bytes
        assert self.scene.rays.trees.meshes is eviction.pool, "trees of the pool before would keep it in memory"

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Change the scene, which nobody else can."""
        self.scene.read_only = None
        try:
            yield
        finally:
            self.scene.read_only = READ_ONLY

    def _reserve(self, pool: Meshes) -> None:
        """Make room in a pool: growing would copy it, and take twice its memory meanwhile. Unused room takes none."""
        # Of a budget beyond the memory that there is, as there will not be more tiles.
        vertices = int(min(self._budget_bytes, self._free_bytes) / _ROOM_BYTES_PER_VERTEX)
        pool.vertices.reserve(vertices)
        pool.triangles.reserve(vertices)

    def read_all(self, lod_views: Sequence[LodView]) -> list[str]:
        """Read all that pictures need, and show it; return lines about what cannot be read, or does not fit."""
        problems: list[str] = []
        while len((selection := self.select(lod_views)).missing):
            content = int(selection.missing[0])
            self.fetch(selection.missing[:_FETCHED])
            try:
                read = self.read(content)
            except ReadError as error:
                problems.append(str(error))
                self.give_up(content)
                continue
            if not self.has_room():
                self.show(selection.shown)
                self.evict()
            self.add(content, read)
        self.show(selection.shown)
        if selection.is_held_back:
            problems.append("some tiles are coarser than they should be: the budget is full; give a larger one")
        return problems

    # What is shown.

    def show(self, shown: np.ndarray) -> bool:
        """Show some tiles, whose contents are there, and no others; return whether the scene changed."""
        shown = shown[np.append(self._contents["is_resident"], False)[self.tiles.contents[shown]]]
        gone = np.setdiff1d(self.shown, shown, assume_unique=True)
        coming = np.setdiff1d(shown, self.shown, assume_unique=True)
        self.shown = shown
        if len(gone):
            rows = np.flatnonzero(np.isin(self._rows["tile"], gone)).astype(np.int32)
            with self._writing():
                self.scene.set_alive(rows, False)
            self._rows["key"][rows] = self._rows["tile"][rows] = -1
            self._free_rows = np.sort(np.concatenate([self._free_rows, rows]))
        if len(coming):
            with self._writing():
                self._add_nodes(coming)
        return len(gone) > 0 or len(coming) > 0

    def _add_nodes(self, coming: np.ndarray) -> None:
        """Add the nodes of tiles: one for the tile, and below it one for each of its objects."""
        scene, tiles = self.scene, self.tiles
        contents, placements = tiles.contents[coming], tiles.placements[coming]
        counts = self._contents["mesh_count"][contents]
        total = len(coming) + int(counts.sum())
        is_reused = len(self._free_rows) >= total
        rows = self._free_rows[:total] if is_reused else np.arange(scene.row_count, scene.row_count + total)
        # A tile's node comes right before those of its objects.
        tops = np.cumsum(counts + 1) - (counts + 1)
        is_object = np.ones(total, dtype=np.bool_)
        is_object[tops] = False
        mesh = np.full(total, NO_MESH, dtype=np.int64)
        mesh[is_object] = ranges(self._contents["first_mesh"][contents], counts)
        parent = np.full(total, -1, dtype=np.int64)
        parent[is_object] = np.repeat(rows[tops], counts)
        names = np.empty(total, dtype=np.dtypes.StringDType())
        names[tops] = tiles.names[coming]
        names[is_object] = scene.meshes.rows["name"][mesh[is_object]]
        translation, rotation, scale = np.zeros((total, 3)), np.zeros((total, 4)), np.ones((total, 3))
        rotation[:, 3] = 1.0
        translation[tops] = tiles.world_from_content[placements, :3, 3]
        rotation[tops], scale[tops] = tiles.rotations[placements], tiles.scales[placements]
        if is_reused:
            self._free_rows = self._free_rows[total:]
            scene.reuse_nodes(
                rows, names, parent=parent, mesh=mesh, translation=translation, rotation=rotation, scale=scale
            )
        else:
            scene.add_nodes(names, parent=parent, mesh=mesh, translation=translation, rotation=rotation, scale=scale)
            self._rows.append(total, key=-1, tile=-1)
        different, places = np.unique(contents, return_inverse=True)
        objects = np.concatenate([self._objects[content] for content in different.tolist()]).astype(np.int64)
        ends = np.cumsum(self._contents["mesh_count"][different])
        objects = objects[ranges(ends[places] - counts, counts)]
        # Objects with a number of their own in the whole tileset are the same in all tiles.
        spaces = np.where(
            self._contents["is_numbered"][contents], placements.astype(np.int64) << 32, _ALONE | coming << 31
        )
        self._rows["key"][rows[is_object]] = np.repeat(spaces, counts) | objects
        self._rows["tile"][rows] = np.repeat(coming, counts + 1)

    @property
    def is_of_points(self) -> bool:
        """True if points of an object that was shown have properties of their own."""
        return bool(self._contents["has_properties_at_points"].any())

    def grouped_properties(self, node: Node) -> dict[str, dict[str, object]]:
        """Return what `properties` does and what is said of its tile and tileset, below headings."""
        tile, own = self.tile_of(node), {} if node.mesh_id < 0 else self.properties(node)
        return {OWN: own} if tile is None else {OWN: own} | self.tiles.grouped_properties(tile)

    def properties(self, node: ArrayLike) -> dict[str, object]:
        """Return what the tileset says of an object or tile that is shown, by the names of properties; maybe nothing.

        Objects are the features of 3D Tiles: rows of property tables and batch tables. Tiles may have metadata.

        Args:
            node: one node, or its id.
        """
        (node_id,) = self.scene.checked_ids(node)
        tile, mesh = self.tile_of(node), int(self.scene.mesh_ids[node_id])
        content = NO_CONTENT if tile is None else int(self.tiles.contents[tile])
        if tile is not None and mesh < 0:
            return self.tiles.properties_of(tile)
        if content not in self._features:
            return {}
        features, tables = self._features[content]
        feature = int(features[mesh - self._contents["first_mesh"][content]])
        return tables[feature // ROWS].row(feature % ROWS) if feature >= 0 else {}

    def properties_at(self, node: ArrayLike, point: ArrayLike) -> dict[str, object]:
        """Return what the tileset says of a point of an object, beside `properties`: in textures and of vertices.

        The object's tile is read again, which may raise ReadError.

        Args:
            node: one node, or its id.
            point: in the world, such as `raycast` returns it.
        """
        tile, tiles = self.tile_of(node), self.tiles
        if tile is None or not self._contents["has_properties_at_points"][content := int(tiles.contents[tile])]:
            return {}
        point, matrix = checked_point(point, "a point"), tiles.world_from_content[tiles.placements[tile]]
        found: dict[str, object] = {}
        for file in tiles.files[content]:
            for part in read_contents(file, tiles.folder, is_z_up=bool(tiles.is_z_up[content])):
                found |= properties_at(part, matrix, point)
        return found

    def tile_of(self, node: ArrayLike) -> int | None:
        """Return the row in `tiles` of the tile that shows a node; None where none does."""
        (node_id,) = self.scene.checked_ids(node)
        tile = int(self._rows["tile"][node_id])
        return tile if tile >= 0 else None

    def objects_of(self, ids: np.ndarray) -> np.ndarray:
        """Return (k,) int64 what tells the objects of some nodes from all others, whichever tiles they are in."""
        keys = self._rows["key"][ids]
        return np.unique(keys[keys >= 0])

    def nodes_of(self, objects: np.ndarray) -> np.ndarray:
        """Return (k,) int32 the nodes that show some of the objects that `objects_of` returned."""
        return np.flatnonzero(np.isin(self._rows["key"], objects)).astype(np.int32)
