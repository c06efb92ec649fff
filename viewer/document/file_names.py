"""Which files are asked for, and what they are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scene.system.paths import abspath, current_folder

PROJECT_ENDINGS = (".octo.json",)
MODEL_ENDINGS = (".obj.gz", ".obj", ".glb", ".gltf", ".ply", ".stl", ".off", ".3mf")

_MORE = re.compile(r" and \d+ more$")


@dataclass(frozen=True)
class PathRequest:
    """A file that is to be named.

    Attributes:
        title: what for.
        endings: of the names that are listed.
        choose: called with the path; a flow that yields the request needs none.
        suggestion: a path to begin with; None: an existing file is to be chosen.
        folder: to look for it in, as long as the user has not looked elsewhere.
    """

    title: str
    endings: tuple[str, ...]
    choose: Callable[[Path], object] = lambda path: None
    suggestion: Path | None = None
    folder: Path | None = None


def folder_of(files: Sequence[str | Path]) -> Path:
    """Where the first of them lies; without any, where the program runs."""
    return Path(abspath(files[0])).parent if len(files) else current_folder()


def title_of_files(paths: Sequence[str | Path]) -> str:
    """What a scene of these files is called: as the first of them, with how many others there are."""
    name = Path(paths[0]).name
    return f"{name} and {len(paths) - 1} more" if len(paths) > 1 else name


def suggested_path(folder: Path, name: str, ending: str) -> Path:
    """A path for a scene of that name, whose own ending gives way to another; of several files the first's counts."""
    name = _MORE.sub("", name)
    known = next((each for each in (*PROJECT_ENDINGS, *MODEL_ENDINGS) if name.lower().endswith(each)), "")
    stem = name[: len(name) - len(known)].replace("/", "-")
    return folder / f"{stem or 'scene'}{ending}"
