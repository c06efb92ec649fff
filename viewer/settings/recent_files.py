"""The list of recent files and folders, in a file of the configuration's folder."""

from __future__ import annotations

import json
from pathlib import Path

from octoscope.scene.system.atomic_file import SaveError, atomic_file
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.text_file import printable, reason_of
from octoscope.viewer.settings.config import read_settings_text

MOST = 10
_NAME = "recent.json"


def read_recent(folder: Path) -> tuple[list[Path], list[str]]:
    """Return the recent files and folders, the last one first, and lines about a list that cannot be used."""
    path = folder / _NAME
    try:
        kept = json.loads(read_settings_text(path))
        if not (isinstance(kept, list) and all(isinstance(name, str) and name for name in kept)):
            raise ValueError("not a list of paths")
        return [Path(name) for name in kept[:MOST]], []
    except FileNotFoundError:
        return [], []
    except (OSError, ValueError, RecursionError) as error:
        return [], [f"{printable(path)}: the list of recent files is reset ({reason_of(error)})"]


def add_recent(folder: Path, path: str | Path) -> str | None:
    """Put a file or folder at the head of the list; return None, or a line that says why that failed."""
    path = Path(abspath(path))
    files = [path, *(other for other in read_recent(folder)[0] if other != path)][:MOST]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with atomic_file(folder / _NAME) as file:
            file.write(json.dumps([str(each) for each in files], indent=1).encode("utf-8", "backslashreplace"))
    except SaveError as error:
        return str(error)
    except OSError as error:
        return f"{printable(folder)}: cannot be made ({reason_of(error)})"
    return None
