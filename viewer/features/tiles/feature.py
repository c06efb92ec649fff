"""Foldout of the inspector: which tile shows an object, and what its tileset says of it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from octoscope.scene.streaming.streamed_tiles import StreamedTiles
from octoscope.scene.system.text_file import ReadError, printable, shortened
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.features.tiles.stream import TileStream
from octoscope.viewer.tools.intents import Click, Intent
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import fact, quiet

_MOST_ROWS = 200  # of properties
_LONGEST_TEXT = 300  # characters


class TileFoldout:
    """The tile that shows an object, its files, and the object's properties; those of the point that was clicked.

    It is offered clicks as a tool, and leaves all of them to others.
    """

    title = "Tile"
    is_for_active = True  # the parts of an object in several tiles are selected together

    def __init__(self, tiles: StreamedTiles) -> None:
        self._tiles = tiles
        self._facts: Memo[list[tuple[str, str]]] = Memo()
        self._clicked: tuple[int, int | None] = -1, None  # the node, and the tile that showed it
        self._point: np.ndarray = np.zeros(3)  # that was clicked
        self._of_point: Memo[list[tuple[str, str]]] = Memo()

    def follow(self, intent: Intent) -> bool:
        """Note the point that is clicked."""
        if isinstance(intent, Click) and (hit := intent.location.pick()) is not None:
            self._clicked, self._point = (hit.node.id, self._tiles.tile_of(hit.node)), hit.point
        return False

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the foldout for one node."""
        facts = self._facts.get(ids, state, lambda: facts_of(self._tiles, int(ids[-1])))
        node_id = int(ids[-1])
        if self._clicked == (node_id, self._tiles.tile_of(node_id)):
            facts = facts + self._of_point.get(ids, (*self._clicked, *self._point), self._facts_at_click)
        for name, text in facts:
            if text:
                fact(theme, name, text)
            else:
                quiet(theme, name)

    def _facts_at_click(self) -> list[tuple[str, str]]:
        heading = "Properties at the click"
        try:
            return _section(heading, self._tiles.properties_at(self._clicked[0], self._point))
        except ReadError as error:
            return [(heading, ""), ("not read", error.reason)]


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
        facts += _section(heading, values)
    return facts


def _section(heading: str, values: Mapping[str, object]) -> list[tuple[str, str]]:
    """Return a heading and properties as names and texts; nothing where there are none."""
    rows = list(values.items())
    facts = [(heading, "")] if rows else []
    facts += [(printable(name), _text(value) or "-") for name, value in rows[:_MOST_ROWS]]
    return facts + ([("more", f"{len(rows) - _MOST_ROWS:,}")] if len(rows) > _MOST_ROWS else [])


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
    if not isinstance(stream, TileStream):
        return Contribution()
    foldout = TileFoldout(stream.tiles)
    return Contribution(foldouts=[foldout], tools=[foldout])


PART = WindowPart(contribute)
