"""Files that lie in no folder of this system: in an archive, or on a server. Formats that have them add their places.

Such a file has a Path like any other, by which it is named and told from others; only reading it is another thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol


class Place(Protocol):
    """A kind of place where files lie."""

    def has(self, path: Path) -> bool:
        """Return whether a path leads there, by its name alone."""

    def read(self, path: Path, largest_bytes: int) -> bytes:
        """Read a file; raise ReadError where it is missing, broken or larger."""

    def size(self, path: Path) -> int:
        """Return the size of a file in bytes; a guess, if it is not known."""

    def beside(self, path: Path, uri: str, within: Path | None) -> Path | None:
        """Return the file that another one there names; None: as in folders. Raise ReadError where that is not read.

        Args:
            within: a folder in which it must lie, if it lies in one.
        """

    def fetch(self, paths: Sequence[Path]) -> None:
        """Bring files near that will be read next; what cannot be fetched is said when it is read."""


PLACES: list[Place] = []


def place_of(path: Path) -> Place | None:
    """Return the place of a file; None: a folder of this system."""
    return next((place for place in PLACES if place.has(path)), None)


def fetch(paths: Sequence[Path]) -> None:
    """Bring files near that will be read next, where they are far."""
    if paths and (place := place_of(paths[0])) is not None:
        place.fetch(paths)
