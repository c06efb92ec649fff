"""`octoscope convert FILE... -o OUT`: write files as one file of another format."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from octoscope.scene import Scene, WriteError, apply
from octoscope.scene.editing.arranging import lay_out, lie_over_one_another
from octoscope.scene.editing.edits import EditError
from octoscope.scene.formats.writers import Writer
from octoscope.scene.loading.save import writer_of
from octoscope.scene.system.atomic_file import check_savable
from octoscope.scene.system.text_file import printable
from octoscope.viewer.cli.common import check_something_is_left, file_facts, read_scene, say_report
from octoscope.viewer.cli.output import UserError, answer, answer_json, say
from octoscope.viewer.frame.stats import counts_text


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    shown = printable(options.output)
    write = _writer_of(options.output)
    _check_output(options.output, options.files)
    begin = time.perf_counter()
    scene = read_scene(options.files, options)
    if scene.report.errors:  # a part of what was asked for would pass for all of it
        raise UserError(*scene.report.errors)
    say_report(scene.report, scene)
    check_something_is_left(scene, options.output)
    if options.to_unit:
        _convert_unit(scene, options.to_unit)
    top = np.flatnonzero(scene.alive & (scene.parents < 0))
    if options.lay_out and len(top) > 1:
        apply(scene, lay_out(scene, top))
        scene.update_world()
    elif lie_over_one_another(scene, top):
        say(f"{shown}: most objects at the top lie over one another: --lay-out puts them side by side")
    try:
        notes = write(scene, options.output)
    except WriteError as error:
        raise UserError(f"{shown}: {error}") from None
    seconds = time.perf_counter() - begin
    for note in notes:
        say(f"{shown}: {note}")
    size = options.output.stat().st_size
    counts = {f"{element}s": scene.element_count(element) for element in ("triangle", "line", "point")}
    if not options.json:
        answer(f"{shown}: {size:,} bytes, {counts_text(**counts)}, {seconds:.2f} s")
    else:
        answer_json(
            {
                "output": str(options.output),
                "bytes": size,
                **file_facts(scene.report),
                "objects": int((scene.mesh_ids >= 0).sum()),
                **counts,
                "notes": notes,
                "warnings": scene.report.warnings,
                "seconds": round(seconds, 3),
            }
        )
    return 0


def _convert_unit(scene: Scene, unit: str) -> None:
    from octoscope.scene.editing.units import convert_unit  # only here: few ask for it

    try:
        apply(scene, convert_unit(scene, unit))
    except EditError as error:
        raise UserError(f"--to-unit {unit}: {error}: give it, as in --unit mm") from None
    scene.update_world()


def _writer_of(path: Path) -> Writer:
    try:
        return writer_of(path)
    except WriteError as error:
        raise UserError(str(error)) from None


def _check_output(path: Path, inputs: Sequence[str]) -> None:
    check_savable(path)
    for name in inputs:
        if os.path.exists(path) and os.path.exists(name) and os.path.samefile(path, name):
            raise UserError(
                f"{printable(path)}: is one of the input files, which are never overwritten; choose another name"
            )
