"""`octoscope demo [--objects N]`: a city of separate objects, made in memory, opened or drawn."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace

import numpy as np

from octoscope.scene.city import city
from octoscope.viewer.cli.common import check_picture_path, fit_index
from octoscope.viewer.cli.output import say
from octoscope.viewer.cli.render import draw_to_file
from octoscope.viewer.cli.show import show_or_draw
from octoscope.viewer.frame.view import View

_LARGEST_SEEN_WHOLE = 10_000  # objects: a larger city is looked at from within, all of it at once is a grey carpet
_LOOK_METRES = 900.0


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    if options.output is not None:
        check_picture_path(options.output)
    begin = time.perf_counter()
    scene = city(options.objects, up_axis=options.up or "y")
    made = time.perf_counter()
    fit_index(scene, options)
    indexed = time.perf_counter()
    say(f"{options.objects:,} objects made in {made - begin:.2f} s, indexed in {indexed - made:.2f} s")
    aim = _look_from_within if options.objects > _LARGEST_SEEN_WHOLE else None
    if options.output is not None:
        draw_to_file(scene, options, options.output, aim=aim)
    else:
        show_or_draw(scene, options, f"city of {options.objects:,}", aim=aim)
    return 0


def _look_from_within(view: View) -> None:
    # The pivot of the framed city lies far below its streets: below the middle of its outline.
    bounds = view.scene.index.bounds()
    assert bounds is not None, "a city has objects"
    view.camera = replace(view.camera, pivot=np.mean(bounds, axis=0), distance=min(view.camera.distance, _LOOK_METRES))
