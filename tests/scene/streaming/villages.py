"""A small scene as a tileset of a few levels, and tilesets in which it is placed."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from octoscope.scene import Scene, write_glb
from octoscope.scene.formats.tiles.placed_tilesets import PlacedTileset, write_placed_tilesets
from octoscope.scene.formats.tiles.tile_table import TileTable, read_tile_table
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.builders import ball


def write_village(folder: Path) -> Path:
    """Write balls in a square as village.glb, and as a tileset in the folder tiles; return the folder."""
    made = Scene()
    mesh = made.meshes.add(ball(8))
    rng = np.random.default_rng(0)
    for number in range(60):
        made.add_node(f"ball {number}", mesh=mesh, translation=rng.uniform(-20, 20, 3) * (1, 0.2, 1))
    write_glb(made, folder / "village.glb")
    write_tiles([folder / "village.glb"], folder / "tiles", leaf_elements=600)
    return folder


def placed(folder: Path, offsets: list[tuple[float, float, float]], scale: float = 1.0) -> Path:
    """Place the tileset of a village several times, moved in a frame with Z up; return the path of the whole."""
    inner = read_tile_table(folder / "tiles" / "tileset.json", up_axis="z")
    placements = []
    for offset in offsets:
        matrix = np.diag([scale, scale, scale, 1.0])
        matrix[:3, 3] = offset
        box = np.concatenate([scale * inner.centers[0] + matrix[:3, 3], np.diag(scale * inner.halves[0]).ravel()])
        placements.append(PlacedTileset(folder / "tiles" / "tileset.json", matrix, box, scale * 100.0))
    path = folder / "placed.json"
    write_placed_tilesets(path, placements)
    return path


def whole_table(path: Path, **options) -> TileTable:
    """Read which tiles a tileset has, with those of all tilesets that are placed in it."""
    table = read_tile_table(path, **options)
    for error in table.read_tilesets().values():
        raise error
    return table
