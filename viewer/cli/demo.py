"""`octoscope demo [--objects N]`: a city of separate objects, made in memory, opened or drawn."""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from pathlib import Path

from scene.city import city
from viewer.cli.common import add_octree_options, add_picture_options, check_picture_path, fit_index, say
from viewer.cli.open import show_or_draw
from viewer.cli.render import draw_to_file
from viewer.frame.view import View

_MOST_OBJECTS = 1_000_000
_LARGEST_SEEN_WHOLE = 10_000  # objects: a larger city is looked at from within, all of it at once is a grey carpet
_LOOK_METRES = 900.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument(
        "--objects", type=_count, default=100_000, metavar="N", help="how many, 1 to a million (default: 100000)"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="PICTURE", help="draw to this file instead of a window")
    add_picture_options(parser)
    add_octree_options(parser)


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from viewer.app.warmup.preparing import prepare  # only here: they load a window library
    from viewer.window.window import display_is_missing

    if options.output is not None:
        check_picture_path(options.output)
    elif not display_is_missing() and not prepare(options.size):
        return 0
    begin = time.perf_counter()
    scene = city(options.objects)
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
    view.camera = replace(view.camera, distance=min(view.camera.distance, _LOOK_METRES))


def _count(text: str) -> int:
    try:
        number = float(text.replace(",", ""))
    except ValueError:
        number = 0.0
    if not (number.is_integer() and 1 <= number <= _MOST_OBJECTS):
        raise argparse.ArgumentTypeError(f"{text.strip()!r} is not a whole number from 1 to {_MOST_OBJECTS:,}")
    return int(number)
