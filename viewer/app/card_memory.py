"""CardMemory: the measured times of cards, kept in the user's cache folder by renderer and driver."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from octoscope.viewer.frame.quality import CardTimes
from octoscope.viewer.rendering.context.opengl import Context
from octoscope.viewer.settings.config import cache_folder, read_json, write_json

_MOST_CARDS = 20  # and drivers; the oldest are forgotten


class CardMemory:
    """The times of one card with one driver; a file that is damaged or cannot be written is none."""

    def __init__(self, ctx: Context) -> None:
        self._path: Path = cache_folder() / "cards.json"
        self._name = f"{ctx.info['GL_RENDERER']}, {ctx.info['GL_VERSION']}, {ctx.version_code}"

    def times(self) -> CardTimes | None:
        """Return what was measured, or None."""
        with suppress(KeyError, TypeError, ValueError):
            return CardTimes.from_table(self._tables()[self._name])
        return None

    def keep(self, times: CardTimes) -> None:
        """Keep what was measured, for the next start."""
        tables = {name: table for name, table in self._tables().items() if name != self._name}
        write_json(self._path, dict(list(tables.items())[1 - _MOST_CARDS :]) | {self._name: asdict(times)})

    def _tables(self) -> dict[str, Any]:
        with suppress(ValueError):
            return read_json(self._path, dict)
        return {}
