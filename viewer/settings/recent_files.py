"""The list of recent files and folders, in a file of the configuration's folder."""

from __future__ import annotations

from pathlib import Path

from octoscope.scene.system.paths import abspath
from octoscope.scene.system.text_file import printable
from octoscope.viewer.settings.config import read_json, write_json

MOST = 10
_NAME = "recent.json"


def read_recent(folder: Path) -> tuple[list[Path], list[str]]:
    """Return the recent files and folders, the last one first, and lines about a list that cannot be used."""
    path = folder / _NAME
    try:
        kept = read_json(path, list)
        if not all(isinstance(name, str) and name for name in kept):
            raise ValueError("not a list of paths")
        return [Path(name) for name in kept[:MOST]], []
    except ValueError as error:
        return [], [f"{printable(path)}: the list of recent files is reset ({error})"]


def add_recent(folder: Path, path: str | Path) -> str | None:
    """Put a file or folder at the head of the list; return None, or a line that says why that failed."""
    path = Path(abspath(path))
    files = [path, *(other for other in read_recent(folder)[0] if other != path)][:MOST]
    return write_json(folder / _NAME, [str(each) for each in files])
