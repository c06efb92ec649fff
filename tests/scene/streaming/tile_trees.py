"""Random trees of tiles, and what a plain walk over them selects."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from octoscope.scene.formats.tiles.tile_table import NO_CONTENT, TileTable
from octoscope.scene.spatial.lod_view import LodView
from octoscope.scene.streaming.tile_selection import TileSelection
from octoscope.scene.system.report import Problems


def random_tiles(seed: int, most: int = 120) -> TileTable:
    """Tiles in boxes that lie within those of their parents; some show nothing, some share a content."""
    rng = np.random.default_rng(seed)
    parents, lower, upper, errors = [-1], [np.full(3, -10.0)], [np.full(3, 10.0)], [float(rng.uniform(1, 4))]
    level = [0]
    while level and len(parents) < most:
        below = []
        for tile in level:
            for _ in range(int(rng.choice([0, 1, 2, 5, 8])) if tile else 6):
                size = upper[tile] - lower[tile]
                first = lower[tile] + size * rng.uniform(0, 0.6, 3)
                parents.append(tile)
                lower.append(first)
                upper.append(np.minimum(first + size * rng.uniform(0.2, 0.5, 3), upper[tile]))
                errors.append(errors[tile] * float(rng.choice([0.0, 0.3, 0.6, 1.0])))
                below.append(len(parents) - 1)
        level = below
    count = len(parents)
    contents = rng.permutation(count)
    contents[rng.random(count) < 0.1] = 0  # several tiles, one content
    contents[rng.random(count) < 0.1] = -1
    children = [[row for row in range(count) if parents[row] == tile] for tile in range(count)]
    return TileTable(
        parents=np.array(parents, dtype=np.int32),
        first_children=np.array([rows[0] if rows else 0 for rows in children], dtype=np.int32),
        child_counts=np.array([len(rows) for rows in children], dtype=np.int32),
        centers=(np.array(lower) + np.array(upper)) / 2.0,
        halves=(np.array(upper) - np.array(lower)) / 2.0,
        errors=np.array(errors),
        is_added=np.zeros(count, dtype=bool),
        contents=contents.astype(np.int32),
        placements=np.zeros(count, dtype=np.int32),
        names=np.array([f"tile {row}" for row in range(count)], dtype=np.dtypes.StringDType()),
        metadata=np.full(count, None),
        tilesets=np.zeros(count, dtype=np.int32),
        files=[(Path(f"{row}.glb"),) for row in range(count)],
        is_by_object=np.ones(count, dtype=bool),
        is_tileset=np.zeros(count, dtype=bool),
        is_z_up=np.zeros(count, dtype=bool),
        file_bytes=rng.integers(1, 100, count),
        world_from_content=np.eye(4)[None],
        rotations=np.array([(0.0, 0.0, 0.0, 1.0)]),
        scales=np.ones((1, 3)),
        folder=Path(),
        by_object=True,
        problems=Problems(Path()),
    )


def random_lod_view(rng: np.random.Generator) -> LodView:
    """A camera anywhere, also within the tiles, with four planes around its view; some are without perspective."""
    position = rng.uniform(-25, 25, 3)
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    planes = np.zeros((4, 4))
    if rng.random() < 0.7:
        spread = rng.uniform(0.2, 1.5)
        sides = np.stack([axes[0], -axes[0], axes[1], -axes[1]])
        planes[:, :3] = sides - spread * axes[2]
        planes /= np.linalg.norm(planes[:, :3], axis=1, keepdims=True)
        return LodView(position, planes, float(rng.uniform(1, 60)))
    planes[:, :3] = np.stack([axes[0], -axes[0], axes[1], -axes[1]])
    planes[:, 3] = rng.uniform(1, 20)
    return LodView(position, planes, float(rng.uniform(0.1, 5)), is_perspective=False)


def urgency_of(tiles: TileTable, tile: int, lod_views: list[LodView]) -> float:
    """The pixels that a tile is off: a tile that shows nothing is off without end."""
    return pixels_off(tiles, tile, lod_views) if tiles.contents[tile] >= 0 else np.inf


def pixels_off(tiles: TileTable, tile: int, lod_views: list[LodView]) -> float:
    """The pixels that a tile is off, -1 if nobody sees it."""
    most = -1.0
    for lod_view in lod_views:
        center = tiles.centers[tile] - lod_view.position
        normals, offsets = lod_view.planes[:, :3], lod_view.planes[:, 3]
        seen = (normals @ center + offsets + np.abs(normals) @ tiles.halves[tile] >= 0.0).all()
        if not seen:
            continue
        pixels = float(tiles.errors[tile]) * lod_view.pixels_per_unit
        if lod_view.is_perspective and pixels:
            distance = float(np.linalg.norm(np.maximum(np.abs(center) - tiles.halves[tile], 0.0)))
            pixels = pixels / distance if distance else np.inf
        most = max(most, pixels)
    return most


def children_of(tiles: TileTable, tile: int) -> list[int]:
    return np.flatnonzero(tiles.parents == tile).tolist()


def without_broken(tiles: TileTable, is_broken: np.ndarray) -> TileTable:
    """The same tiles, those that cannot be read without content."""
    return replace(tiles, contents=np.where(np.append(is_broken, False)[tiles.contents], NO_CONTENT, tiles.contents))


def lost_one_by_one(tiles: TileTable, is_broken: np.ndarray) -> list[bool]:
    """Return by tile whether nothing of it and of the tiles below it can be read."""
    broken = [bool(content >= 0 and is_broken[content]) for content in tiles.contents]
    is_lost = list(broken)
    for tile in reversed(range(len(tiles))):
        below = children_of(tiles, tile)
        if below:
            is_lost[tile] = (broken[tile] or tiles.contents[tile] < 0) and all(is_lost[child] for child in below)
    return is_lost


def would_lose(tiles: TileTable, is_lost: list[bool], tile: int) -> bool:
    """Return whether refining a tile would leave a hole where it has shown something."""
    below = children_of(tiles, tile)
    return bool(tiles.contents[tile] >= 0 and not tiles.is_added[tile] and any(is_lost[child] for child in below))


def select_one_by_one(
    tiles: TileTable,
    is_resident: np.ndarray,
    is_broken: np.ndarray,
    content_bytes: np.ndarray,
    lod_views: list[LodView],
    *,
    threshold_pixels: float,
    budget_bytes: float,
) -> TileSelection:
    """Refine the most urgent tile, then the next, until the budget is full."""

    is_lost = lost_one_by_one(tiles, is_broken)
    tiles = without_broken(tiles, is_broken)

    def is_there(tile: int) -> bool:
        return tiles.contents[tile] < 0 or bool(is_resident[tiles.contents[tile]])

    def can_refine(tile: int) -> bool:
        return bool(children_of(tiles, tile)) and not would_lose(tiles, is_lost, tile)

    urgency = {0: urgency_of(tiles, 0, lod_views)}
    wanted = [int(tiles.contents[0])] if tiles.contents[0] >= 0 else []
    used = sum(content_bytes[content] for content in wanted)
    may_refine: set[int] = set()
    is_held_back = False
    while True:
        ready = [tile for tile, pixels in urgency.items() if pixels > threshold_pixels and can_refine(tile)]
        if not ready:
            break
        tile = max(ready, key=lambda each: (urgency[each], -each))
        below = children_of(tiles, tile)
        new = list(dict.fromkeys(int(tiles.contents[child]) for child in below if tiles.contents[child] >= 0))
        new = [content for content in new if content not in wanted]
        used += sum(content_bytes[content] for content in new)
        if used > budget_bytes:
            is_held_back = True
            break
        may_refine.add(tile)
        wanted += new
        above = urgency.pop(tile)
        urgency |= {child: min(above, urgency_of(tiles, child, lod_views)) for child in below}
    shown: list[int] = []

    def show(tile: int) -> None:
        if tile in may_refine and all(map(is_there, children_of(tiles, tile))):
            for child in children_of(tiles, tile):
                show(child)
        else:
            shown.append(tile)

    if is_there(0):
        show(0)
    missing = [content for content in wanted if not is_resident[content]]
    return TileSelection(np.array(sorted(shown)), np.array(wanted), np.array(missing), is_held_back)
