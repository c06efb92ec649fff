"""Parts that several commands share: opening files with progress, checks of what is to be written."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from octoscope.scene import LoadReport, Scene
from octoscope.scene.conventions.length_unit import NO_UNIT
from octoscope.scene.formats.readers import ReadOptions
from octoscope.scene.loading.load import opened
from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.scene.system.atomic_file import check_savable
from octoscope.scene.system.text_file import printable, reason_of
from octoscope.viewer.cli.arguments.command_line import CommandLinePart
from octoscope.viewer.cli.output import PARTIAL_FAILURE, UserError, progress_bar, say
from octoscope.viewer.document.image_files import has_format
from octoscope.viewer.features import parts

if TYPE_CHECKING:
    from octoscope.viewer.frame.streamed_scene import StreamedScene

_MOST_WARNINGS = 20


def say_report(
    report: LoadReport, scene: Scene | None = None, *, said: set[str] | None = None, goes_on: bool = False
) -> None:
    """Print problems of opened files, errors first; a long list is cut.

    Args:
        said: lines that were printed before, and are not again; those that are printed are added.
        goes_on: whether more is to follow; the number of what was cut is told when nothing is.
    """
    said = set() if said is None else said
    warnings = [*report.warnings, *(() if scene is None else scene.index.broken_messages(scene.sources))]
    lines = [*report.errors, *warnings[:_MOST_WARNINGS]]
    if len(warnings) > _MOST_WARNINGS and not goes_on:
        lines.append(
            f"and {len(warnings) - _MOST_WARNINGS} more warnings: octoscope info --json FILE... lists them all"
        )
    for line in dict.fromkeys(lines):
        if line not in said:
            said.add(line)
            say(line)


def exit_status(report: LoadReport) -> int:
    """Return the status with which a command ends that did its work: another one if files could not be opened."""
    return PARTIAL_FAILURE if report.failed else 0


def is_nothing_left(scene: Scene) -> bool:
    """Tell whether a scene has objects of which none can be shown: out of range, or with meshes that are missing."""
    if len(scene.index):
        return False
    from octoscope.scene.formats.export import missing_meshes_lines  # here: most have something to show

    return bool(len(scene.index.broken_ids()) or missing_meshes_lines(scene))


def check_something_is_left(scene: Scene, output: Path) -> None:
    """Raise UserError if a file of a scene, whose problems have been printed, would show nothing."""
    if is_nothing_left(scene):
        raise UserError(f"{printable(output)}: not written, as nothing of what was opened can be shown")


def file_facts(report: LoadReport) -> dict[str, object]:
    """Return which files were opened, and which could not be and why, for JSON."""
    return {
        "files": [str(path) for path in report.opened],
        "failed": [{"file": str(path), "reason": reason} for path, reason in report.failed.items()],
    }


def open_scene(paths: Sequence[str], options: argparse.Namespace) -> Scene:
    """Open files, show progress on a terminal, and say at once which files could not be opened."""
    scene = read_scene(paths, options)
    fit_index(scene, options)
    say_report(scene.report, scene)
    return scene


def read_script(path: Path) -> bytes:
    """Read a file of Python that is to run."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(f"{printable(str(path))}: {reason_of(error)}") from None


def read_scene(paths: Sequence[str], options: argparse.Namespace) -> Scene:
    """Read files, with progress on a terminal; problems are not printed."""
    with progress_bar("opening", in_bytes=True) as show:

        def advance(path: Path, done_bytes: int, total_bytes: int | None) -> None:
            show(done_bytes, total_bytes, f"opening {printable(path.name)}")

        read_options = ReadOptions(options.max_memory, getattr(options, "smooth", None))
        up, unit = getattr(options, "up", None), getattr(options, "unit", NO_UNIT)
        return opened(paths, progress=advance, options=read_options, up_axis=up, length_unit=unit)


def open_shown(paths: Sequence[str], options: argparse.Namespace) -> tuple[Scene, StreamedScene | None]:
    """Open files as `open_scene` does, or as a scene that is streamed, where an option asks for that."""
    streamed = open_streamed(paths, options)
    return (open_scene(paths, options), None) if streamed is None else (streamed.scene, streamed)


def open_streamed(paths: Sequence[str], options: argparse.Namespace) -> StreamedScene | None:
    """Open files as a scene that is streamed; None: they are to be read whole."""
    opened = (part.open_streamed(paths, options) for part in parts(CommandLinePart))
    streamed = next(filter(None, opened), None)
    if streamed is not None:
        fit_index(streamed.scene, options)
    return streamed


def check_picture_path(path: Path) -> None:
    """Check that a picture can be written, before any work is done for it."""
    if not has_format(path):
        raise UserError(f"{printable(path)}: unknown picture format; end the name in .png")
    check_savable(path)


def fit_index(scene: Scene, options: argparse.Namespace) -> None:
    """Make the scene's octree with the size and level of the options."""
    half_size = None if options.octree_size is None else options.octree_size / 2.0
    scene.index.settings = IndexSettings(options.split_level, half_size)
