"""open_tileset: a tileset that streams."""

from __future__ import annotations

from octoscope.guesses import advises
from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.formats.tiles.tile_table import nothing_in, read_tile_table
from octoscope.scene.formats.tiles.tileset import tileset_in
from octoscope.scene.scene import Scene
from octoscope.scene.streaming.streamed_tiles import StreamedTiles
from octoscope.scene.system.memory import bytes_called, free_memory_bytes, give_back_freed_memory
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.report import LoadReport, Problem


@advises()
def open_tileset(
    path: StrPath,
    *,
    budget: int | str | None = None,
    tile_pixels: float = 1.0,
    up_axis: UpAxis | None = None,
) -> StreamedTiles:
    """Open a tileset that streams: pictures and windows of it read what they see, as finely as a pixel needs.

    Its scene shows the coarsest tiles at first, and cannot be edited. `load` reads a whole tileset into a scene.

    Examples:
        >>> tiles = open_tileset("city/tileset.json", budget="2G")  # doctest: +SKIP
        >>> picture = render(tiles, (640, 360), camera=camera)  # doctest: +SKIP

    Args:
        path: of tileset.json, its folder or an archive (.3tz); or its address, https://... What is fetched is
            kept in the user's cache.
        budget: main memory and memory on the graphics card together, for all that is streamed: bytes, or a text such as
            "500M"; None: half of the free memory.
        tile_pixels: pixels by which a tile may be off; those that are off by more are refined.
        up_axis: of the scene; None: "y".

    Raises:
        ReadError: it is no tileset, or one of which nothing can be read.
        ValueError: the budget is no size.
    """
    budget = free_memory_bytes() // 2 if budget is None else budget
    budget_bytes = bytes_called(budget) if isinstance(budget, str) else budget
    if not (isinstance(budget_bytes, (int, float)) and budget_bytes >= 1 and tile_pixels > 0.0):
        raise ValueError(f"budget: bytes or a text such as '2G' are needed, not {budget!r}; tile_pixels is above 0")
    path = tileset_in(path)
    give_back_freed_memory()
    scene = Scene(up_axis=up_axis)
    tiles = read_tile_table(path, up_axis=scene.up_axis)
    streamed = StreamedTiles(scene, tiles, path, budget_bytes=budget_bytes, threshold_pixels=tile_pixels)
    lines = streamed.read_all([])
    if not streamed.resident_bytes and not tiles.is_gate.any():  # without cameras every gate is closed
        raise nothing_in(path, lines)
    scene.report.add(LoadReport([], problems=[Problem(str(path), None, "tile", line, "left out") for line in lines]))
    return streamed
