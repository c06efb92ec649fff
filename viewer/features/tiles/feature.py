"""PropertiesFoldout of the inspector: what an object's file states of it, and of the point that was clicked."""

from __future__ import annotations

import numpy as np

from octoscope.scene.sources import rows_of
from octoscope.scene.system.text_file import ReadError, printable
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.memo import Memo, State
from octoscope.viewer.features.tiles.stream import TileStream
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import fact, quiet

_AT_CLICK = "At the click"


class PropertiesFoldout:
    """The properties of an object and of the point that was clicked; while it streams, the tile that shows it."""

    title = "Properties"

    def __init__(self, editor: Editor, stream: TileStream | None = None) -> None:
        self._editor = editor
        self._scene = editor.scene
        self._stream = stream
        self._facts: Memo[list[tuple[str, str]]] = Memo()
        self._clicked: tuple[object, int | None] = None, None  # the hit, and the tile whose node it is on
        self._of_point: Memo[list[tuple[str, str]]] = Memo()

    def is_for(self, ids: np.ndarray, state: State) -> bool:
        """Return whether there are facts; parts of an object in several tiles are selected together."""
        return len(self.facts_of(ids, state)) > 0

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the foldout for one node."""
        for name, text in self.facts_of(ids, state):
            if text:
                fact(theme, name, text)
            else:
                quiet(theme, name)

    def facts_of(self, ids: np.ndarray, state: State) -> list[tuple[str, str]]:
        """Return what it shows, as names and texts; headings have no text."""
        if len(ids) > 1 and self._stream is None:
            return []
        node, hit = int(ids[-1]), self._editor.clicked_hit
        tile = None if self._stream is None else self._stream.tiles.tile_of(node)
        if hit is not self._clicked[0]:
            self._clicked = hit, tile
        facts = self._facts.get(
            ids, state, lambda: self._facts_of_tile(tile) + rows_of(self._scene.grouped_properties(node))
        )
        if hit is None or hit.node.id != node or tile != self._clicked[1]:
            return facts
        # Those of the click, which stay though the object moves on.
        return facts + self._of_point.get(ids, tuple(hit.point), lambda: self._facts_at_click(node, hit.point))

    def _facts_at_click(self, node: int, point: np.ndarray) -> list[tuple[str, str]]:
        try:
            found = self._scene.properties_at(node, point)
        except ReadError as error:
            return [(_AT_CLICK, ""), ("not read", error.reason)]
        return rows_of({_AT_CLICK: found} if found else {})

    def _facts_of_tile(self, tile: int | None) -> list[tuple[str, str]]:
        """Return the name of a tile that streams, and its files."""
        if self._stream is None or tile is None:
            return []
        table = self._stream.tiles.tiles
        files = ", ".join(printable(file.name) for file in table.files[table.contents[tile]])
        return [("tile", printable(table.names[tile])), ("file", files)]


def contribute(context: Context) -> Contribution:
    """Return what the inspector has more."""
    stream = context.stream if isinstance(context.stream, TileStream) else None
    return Contribution(foldouts=[PropertiesFoldout(context.editor, stream)])


PART = WindowPart(contribute)
