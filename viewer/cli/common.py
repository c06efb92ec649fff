"""Parts that several commands share: opening files with progress, options, output, errors."""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from octree.layout.slots import MAX_SPLIT_LEVEL
from scene import LoadReport, ReadError, SaveError, Scene, SpatialIndex, load
from scene.system.atomic_file import check_savable
from scene.system.text_file import printable
from viewer.app.warmup.compiling_progress import time_compiling
from viewer.camera.camera import VIEWS
from viewer.document import image_files
from viewer.window.place import USUAL_SIZE

_LONGEST_SIDE = 16384
_MOST_WARNINGS = 20
_WIDEST_TABLE = 10_000  # characters, where no terminal says how wide it is
_FILE_HELP = {
    "+": "OBJ (plain or .gz), glTF, GLB, PLY, STL, OFF, 3MF or .octo.json; - reads an OBJ from standard input",
    "*": "files of the formats that `octoscope info --help` lists (default: the sample scene)",
}


class UserError(Exception):
    """A problem that the user can solve; `lines` say what it is, one line each."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def say(line: str) -> None:
    """Print a line to standard error: problems and progress. Results are printed by `answer`."""
    print(f"octoscope: {line}", file=sys.stderr)


def answer(line: str) -> None:
    """Print a line of the result to standard output."""
    print(line)


def answer_table(table: Table) -> None:
    """Print a table to standard output; in a pipe it is as wide as its contents."""
    console = Console(width=None if sys.stdout.isatty() else _WIDEST_TABLE)
    with console.capture() as text:  # printed by rich, a reader that went away would end the program as a failure
        console.print(table)
    for line in text.get().splitlines():
        print(line.rstrip())


def answer_json(value: object) -> None:
    """Print a value as JSON to standard output.

    Raises:
        ValueError: a number is not finite, which is an error of the program.
    """
    print(json.dumps(value, indent=2, allow_nan=False))


def readable(values: ArrayLike) -> str:
    """Return numbers as text with up to ten digits, which coordinates far from the origin need."""
    return " ".join(f"{value:.10g}" for value in np.atleast_1d(values))


def say_report(report: LoadReport, index: SpatialIndex | None = None) -> None:
    """Print problems of opened files, errors first; a long list is cut."""
    for line in report.errors:
        say(line)
    warnings = [*report.warnings, *(() if index is None else index.broken_messages())]
    for line in warnings[:_MOST_WARNINGS]:
        say(line)
    if len(warnings) > _MOST_WARNINGS:
        say(f"and {len(warnings) - _MOST_WARNINGS} more warnings: octoscope info --json FILE... lists them all")


def add_octree_options(parser: argparse.ArgumentParser) -> None:
    """Add --split-level and --octree-size."""
    parser.add_argument(
        "--split-level",
        type=_split_level,
        metavar="N",
        help=f"level of the octree's leaves, 0 to {MAX_SPLIT_LEVEL} (default: from the number of objects)",
    )
    parser.add_argument(
        "--octree-size",
        type=_positive,
        metavar="UNITS",
        help="edge length of the octree (default: from the scene's bounds)",
    )


def add_file_options(parser: argparse.ArgumentParser, *, files: str = "+") -> None:
    """Add the files and --max-memory; `files` is the number of files, as argparse's nargs."""
    parser.add_argument("files", nargs=files, metavar="FILE", help=_FILE_HELP[files])
    parser.add_argument(
        "--max-memory",
        type=_bytes,
        metavar="SIZE",
        help="most memory that reading may use, such as 500M or 2G (default: most of what is free)",
    )


def add_picture_options(parser: argparse.ArgumentParser, *, for_window: bool = False) -> None:
    """Add the options of commands that draw a picture or open a window, which by default has its last size."""
    size, named = (None, "as it was when last closed") if for_window else (USUAL_SIZE, "{}x{}".format(*USUAL_SIZE))
    parser.add_argument("--size", type=_size, default=size, metavar="WxH", help=f"pixels (default: {named})")
    parser.add_argument("--view", choices=tuple(VIEWS), default="iso", help="where to look from (default: iso)")
    parser.add_argument("--ortho", action="store_true", help="orthographic instead of perspective")
    parser.add_argument("--octree", action="store_true", help="draw the octree's occupied nodes")
    parser.add_argument("--edges", action="store_true", help="draw the edges of the files' polygons")
    parser.add_argument("--no-grid", action="store_true", help="leave out the ground grid")
    parser.add_argument("--no-culling", action="store_true", help="draw every object, visible or not")


def open_scene(paths: Sequence[str], options: argparse.Namespace) -> Scene:
    """Open files, show progress on a terminal, and say at once which files could not be opened.

    Raises:
        UserError: none of them could be opened.
    """
    return open_timed(paths, options)[0]


def open_timed(paths: Sequence[str], options: argparse.Namespace) -> tuple[Scene, float]:
    """Open files as `open_scene` does, and return also the seconds it took, without those of compiling kernels."""
    begin = time.perf_counter()
    with time_compiling(_say_compiling) as compiling:
        scene = read_scene(paths, options)
        fit_index(scene, options)
    say_report(scene.report, scene.index)
    seconds = time.perf_counter() - begin - compiling.seconds
    return scene, seconds


def _say_compiling() -> None:
    say("compiling, as is needed once after installing; this may take half a minute")


def read_scene(paths: Sequence[str], options: argparse.Namespace) -> Scene:
    """Read files, with progress on a terminal; problems are not printed.

    Raises:
        UserError: none of them could be opened.
    """
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(binary_units=True),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not sys.stderr.isatty(),
    ) as bar:
        task = bar.add_task("opening", total=None)

        def advance(path: Path, done_bytes: int, total_bytes: int | None) -> None:
            bar.update(task, completed=done_bytes, total=total_bytes, description=f"opening {printable(path.name)}")

        try:
            return load(paths, progress=advance, max_memory_bytes=options.max_memory)
        except ReadError as error:
            raise UserError(*str(error).split("\n")) from None


def check_picture_path(path: Path) -> None:
    """Check that a picture can be written, before any work is done for it.

    Raises:
        UserError: the format is unknown, or the file cannot be written.
    """
    if Image.registered_extensions().get(path.suffix.lower()) not in Image.SAVE:
        raise UserError(f"{printable(path)}: unknown picture format; end the name in .png")
    check_output_path(path)


def check_output_path(path: Path) -> None:
    """Check that a file can be written, before any work is done for it.

    Raises:
        UserError: it cannot.
    """
    try:
        check_savable(path)
    except SaveError as error:
        raise UserError(str(error)) from None


def fit_index(scene: Scene, options: argparse.Namespace) -> None:
    """Make the scene's octree with the size and level of the options."""
    half_size = None if options.octree_size is None else options.octree_size / 2.0
    scene.index.fit(split_level=options.split_level, half_size=half_size)


def save_picture(image: Image.Image, path: Path) -> None:
    """Write a picture whole or not at all.

    Raises:
        UserError: it cannot be written.
    """
    try:
        image_files.save_picture(image, path)
    except SaveError as error:
        raise UserError(str(error)) from None


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(side) for side in text.lower().split("x"))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not WIDTHxHEIGHT, such as 1280x720") from None
    if not (1 <= width <= _LONGEST_SIDE and 1 <= height <= _LONGEST_SIDE):
        raise argparse.ArgumentTypeError(f"{text!r}: each side must be 1 to {_LONGEST_SIDE} pixels")
    return width, height


def _split_level(text: str) -> int:
    if not text.isdecimal() or int(text) > MAX_SPLIT_LEVEL:
        raise argparse.ArgumentTypeError(f"{text.strip()!r} is not a level, 0 to {MAX_SPLIT_LEVEL}")
    return int(text)


def _bytes(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d*)?) ?([KMGT]?)(?:i?B)?", text.strip(), re.IGNORECASE)
    if match is None:
        raise argparse.ArgumentTypeError(f"{text.strip()!r} is not a size, such as 500M or 2G")
    size = int(float(match[1]) * 1024 ** " KMGT".index(match[2].upper() or " "))
    if size == 0:
        raise argparse.ArgumentTypeError(f"{text.strip()!r}: the size must be above 0")
    return size


def _positive(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 < value < 1e30:
        raise argparse.ArgumentTypeError(f"{text.strip()!r} is not a length above 0")
    return value
