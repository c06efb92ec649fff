"""File types and default names, and the request for a path."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.project.paths import PROJECT_ENDINGS
from octoscope.scene.system.paths import abspath, current_folder

OPENED = (*PROJECT_ENDINGS, *MODEL_ENDINGS)

_MORE = re.compile(r" and \d+ more$")


@dataclass(frozen=True)
class PathRequest:
    """A request that the user names a file."""

    title: str
    endings: tuple[str, ...]
    # called with the path, or with a ConfirmedPath, or with a tuple of paths where several may be chosen; a flow that
    # yields the request needs none
    choose: Callable[..., object] = lambda path: None
    # path of a new file, which the user may change; None: an existing file is to be chosen
    suggestion: Path | None = None
    folder: Path | None = None  # the first that is listed, until the user has gone to another
    several: bool = False


@dataclass(frozen=True)
class ConfirmedPath:
    """The path of a new file, chosen in a dialog that has asked whether to overwrite a file that is there."""

    path: Path


def folder_of(files: Sequence[str | Path]) -> Path:
    """Return the folder of the first file; the working folder if there are no files."""
    return Path(abspath(files[0])).parent if len(files) else working_folder()


def working_folder() -> Path:
    """Return the folder that the program was started in; where it cannot write there, the user's own."""
    folder = current_folder()
    return folder if os.access(folder, os.W_OK) else Path.home()


def title_of_files(paths: Sequence[str | Path]) -> str:
    """Return a title for a scene of these files: the name of the first, and the number of others."""
    name = Path(paths[0]).name
    return f"{name} and {len(paths) - 1} more" if len(paths) > 1 else name


def suggested_path(folder: Path, name: str, ending: str) -> Path:
    """Return a path for a scene of that name with another ending; "a.obj and 2 more" becomes "a"."""
    name = _MORE.sub("", name)
    known = next((each for each in OPENED if name.lower().endswith(each)), "")
    stem = name[: len(name) - len(known)].replace("/", "-")
    return folder / f"{stem or 'scene'}{ending}"
