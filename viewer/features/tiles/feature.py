"""TileFoldout of the inspector: the tile that shows an object, while a tileset streams."""

from __future__ import annotations

import numpy as np

from octoscope.scene.system.text_file import printable
from octoscope.viewer.app.contribution import Contribution, WindowPart
from octoscope.viewer.commands.context import Context
from octoscope.viewer.editing.memo import State
from octoscope.viewer.features.tiles.stream import TileStream
from octoscope.viewer.ui.imgui.theme import Theme
from octoscope.viewer.ui.panels.inspector.rows import fact


class TileFoldout:
    """The name and the files of the tile that shows the last of the selected nodes."""

    title = "Tile"

    def __init__(self, stream: TileStream) -> None:
        self._tiles = stream.tiles

    def is_for(self, ids: np.ndarray, state: State) -> bool:
        """Return whether a tile shows it."""
        return self._tiles.tile_of(int(ids[-1])) is not None

    def draw(self, ids: np.ndarray, state: State, theme: Theme) -> None:
        """Draw the foldout for one node."""
        table, tile = self._tiles.tiles, self._tiles.tile_of(int(ids[-1]))
        files = table.files[table.contents[tile]]
        fact(theme, "name", printable(table.names[tile]))
        fact(theme, "files" if len(files) > 1 else "file", ", ".join(printable(file.name) for file in files))


def _contribute(context: Context) -> Contribution:
    return Contribution(foldouts=[TileFoldout(context.stream)] if isinstance(context.stream, TileStream) else [])


PART = WindowPart(_contribute)
