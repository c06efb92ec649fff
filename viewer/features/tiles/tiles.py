"""`octoscope tiles FILE... -o DIR`: write files as 3D Tiles."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from octoscope.scene import WriteError
from octoscope.scene.formats.tiles.placed_tilesets import beside_each_other, write_placed_tilesets
from octoscope.scene.formats.tiles.tileset import FOLDER_ENTRIES, TILESET_NAME
from octoscope.scene.mesh.data import counted
from octoscope.scene.system.memory import readable_bytes
from octoscope.scene.system.paths import realpath
from octoscope.scene.system.processes import processor_count
from octoscope.scene.system.text_file import printable
from octoscope.scene.tiling.new_folder import check_new_folder, saving_folder
from octoscope.scene.tiling.tiling import TilingReport, holds_finished_jobs, write_tiles
from octoscope.scene.tiling.workers import LOCAL_CLUSTER
from octoscope.viewer.cli.common import file_facts, say_report
from octoscope.viewer.cli.output import UserError, answer, answer_json, answer_table, progress_bar, say
from octoscope.viewer.frame.stats import counts_text


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    if options.place:
        return _place(options)
    if options.copies:
        raise UserError("--copies shows tilesets that are made already; add --place")
    shown = printable(options.output)
    begin = time.perf_counter()
    if options.workers is not None and options.cluster not in (None, LOCAL_CLUSTER):
        raise UserError("--workers counts processes of this machine, and a cluster has its own; leave it out")
    try:
        target = check_new_folder(options.output, known_by=TILESET_NAME, holds=FOLDER_ENTRIES, replaces=options.force)
        with _told_what_is_kept(shown, target), progress_bar("tiles") as show:
            report = write_tiles(
                [Path(name) for name in options.files],
                options.output,
                replaces=options.force,
                workers=options.workers or processor_count(),
                cluster=options.cluster,
                max_memory_bytes=options.max_memory,
                leaf_elements=options.leaf,
                compresses=options.compress is not None,
                up_axis=options.up,
                progress=show,
            )
    except ModuleNotFoundError as error:
        extra = "draco" if error.name == "DracoPy" else "cluster"
        raise UserError(f"this needs {error.name}: pip install 'octoscope[{extra}]'") from None
    except WriteError as error:
        raise UserError(f"{shown}: {error}") from None
    seconds = time.perf_counter() - begin
    say_report(report.opened)
    for note in report.notes:
        say(f"{shown}: {note}")
    if report.done_before and not options.json:
        answer(f"{shown}: {counted(jobs=report.done_before)} of a run that was ended did not have to be done again")
    if options.json:
        answer_json(_facts(options.output, report, seconds))
        return 0
    tiles = sum(level.tiles for level in report.levels)
    size = readable_bytes(sum(level.content_bytes for level in report.levels))
    answer(
        f"{shown}: {counted(tiles=tiles)} on {counted(levels=len(report.levels))}, {size}, "
        f"{counted(objects=report.objects)}, {counts_text(**report.counts._asdict())}, {seconds:.2f} s"
    )
    if options.stats:
        _answer_stats(report)
    return 0


@contextmanager
def _told_what_is_kept(shown: str, target: Path) -> Iterator[None]:
    """Say where the finished part is when an exception ends the block, and what to do with it."""
    try:
        yield
    except BaseException:
        kept = saving_folder(target)
        if holds_finished_jobs(kept):
            say(f"{shown}: the same command goes on from what is done, in {printable(kept.name)}; remove that if not")
        raise


def _place(options: argparse.Namespace) -> int:
    """Write a tileset that shows others, and return the exit status."""
    for name in ("cluster", "compress", "max_memory", "stats", "up", "workers"):
        if getattr(options, name):
            raise UserError(f"--place makes no tiles; leave out --{name.replace('_', '-')}")
    output = Path(realpath(options.output)) / TILESET_NAME
    paths = [Path(realpath(name)) for name in options.files]
    shown = printable(options.output / TILESET_NAME)
    for name, path in zip(options.files, paths, strict=True):
        if path == output:
            raise UserError(f"{printable(name)}: would be replaced by the tileset that shows it; name a folder above")
        if not path.is_relative_to(output.parent):
            raise UserError(f"{printable(name)}: not in a folder below {printable(options.output)}; move it there")
    if output.exists() and not options.force:
        raise UserError(f"{shown}: is there already; add --force to replace it, or name another folder")
    try:
        placed = beside_each_other(paths, options.copies or (1, 1))
        write_placed_tilesets(output, placed)
    except WriteError as error:
        raise UserError(f"{shown}: {error}") from None
    if options.json:
        answer_json({"output": str(options.output / TILESET_NAME), "files": options.files, "placed": len(placed)})
    else:
        answer(f"{shown}: shows {len(placed):,} tilesets; open it with --budget, such as 2G")
    return 0


def _answer_stats(report: TilingReport) -> None:
    """Print what each level comes to, and what each stage took."""
    from rich.table import Table  # only here: it takes long to import

    levels = report.levels
    elements = [name for name in ("triangles", "lines", "points") if any(getattr(level, name) for level in levels)]
    table = Table("level", "tiles", "leaves", *elements, "size", "error", box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    for number, level in enumerate(levels):
        counts = (f"{getattr(level, name):,}" for name in ("tiles", "leaves", *elements))
        table.add_row(str(number), *counts, readable_bytes(level.content_bytes), f"{level.error:.4g}")
    answer_table(table)
    if len(levels) > 1:
        answer(
            "Leaves hold what the files do. The other tiles show what is below them with fewer triangles, off by at "
            "most the error, in the files' units."
        )
    seconds = ", ".join(f"{stage} {value:.2f} s" for stage, value in report.seconds.items())
    peak = "" if report.peak_bytes is None else f", at most {readable_bytes(report.peak_bytes)} of memory in each"
    parts = "made as a whole" if report.buckets == 1 else f"made in {report.buckets:,} parts that each fit in memory"
    answer(f"{seconds}; {parts}, {counted(processes=report.workers)}{peak}")


def _facts(output: Path, report: TilingReport, seconds: float) -> dict[str, object]:
    return {
        "output": str(output),
        **file_facts(report.opened),
        "objects": report.objects,
        **report.counts._asdict(),
        "tiles": sum(level.tiles for level in report.levels),
        "bytes": sum(level.content_bytes for level in report.levels),
        "levels": [level._asdict() for level in report.levels],
        "buckets": report.buckets,
        "workers": report.workers,
        "done_before": report.done_before,
        "peak_bytes": report.peak_bytes,
        "notes": report.notes,
        "warnings": report.opened.warnings,
        "seconds_of_stages": {stage: round(value, 3) for stage, value in report.seconds.items()},
        "seconds": round(seconds, 3),
    }
