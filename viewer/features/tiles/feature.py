"""Foldout of the inspector: which tile shows an object, and what its tileset says of it."""

from __future__ import annotations

import numpy as np

from octoscope.scene.streaming.streamed_tiles import StreamedTiles
from octoscope.scene.system.text_file import printable, shortened
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.features.tiles.stream import TileStream
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import fact, quiet

_MOST_ROWS = 200  # of properties
_LONGEST_TEXT = 300  # characters


class TileFoldout:
    """The tile that shows an object, its files, and the object's properties."""

    title = "Tile"

    def __init__(self, tiles: StreamedTiles) -> None:
        self._tiles = tiles
        self._facts: Memo[list[tuple[str, str]]] = Memo()

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the foldout for one node."""
        facts = self._facts.get(ids, state, lambda: facts_of(self._tiles, int(ids[-1])))
        for name, text in facts:
            if text:
                fact(theme, name, text)
            else:
                quiet(theme, name)


def facts_of(tiles: StreamedTiles, node_id: int) -> list[tuple[str, str]]:
    """Return the tile of a node and its files, then what is said of it, as names and texts; headings have no text."""
    tile = tiles.tile_of(node_id)
    if tile is None:
        return []
    table = tiles.tiles
    files = table.files[table.contents[tile]]
    facts = [("tile", printable(table.names[tile])), ("file", ", ".join(printable(file.name) for file in files))]
    own = tiles.properties(node_id)
    of_tile = table.properties_of(tile)
    for heading, values in (
        ("Properties", own),
        ("Properties of the tile", of_tile if of_tile != own else {}),
        ("Properties of the tileset", table.properties_of_tileset(tile)),
    ):
        rows = list(values.items())
        facts += [(heading, "")] if rows else []
        facts += [(printable(name), _text(value) or "-") for name, value in rows[:_MOST_ROWS]]
        if len(rows) > _MOST_ROWS:
            facts.append(("more", f"{len(rows) - _MOST_ROWS:,}"))
    return facts


def _text(value: object) -> str:
    """Return a value as a line for people."""
    if isinstance(value, bool):
        text = "yes" if value else "no"
    elif isinstance(value, float):
        text = f"{value:.7g}"
    elif isinstance(value, int):
        text = f"{value:,}" if abs(value) >= 10_000 else f"{value}"
    elif isinstance(value, (list, tuple)):
        text = ", ".join(_text(each) for each in value)
    else:
        text = str(value)
    return shortened(text, _LONGEST_TEXT)


def contribute(context: Context) -> Contribution:
    """Return what a window has more while a tileset streams into it."""
    stream = context.stream
    return Contribution(foldouts=[TileFoldout(stream.tiles)]) if isinstance(stream, TileStream) else Contribution()


PART = WindowPart(contribute)
