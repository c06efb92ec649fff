"""`octoscope FILE...`: open files in a window; without files, the sample scene; without a display, draw a picture.

The window is there before what takes long is imported: viewer.cli.show, which this file hands over to.
"""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from functools import partial

from octoscope.viewer.cli import import_without_collecting
from octoscope.viewer.document.file_names import sample_path, title_of_files

_PROGRAM = ("octoscope.viewer.cli.show", "octoscope.viewer.app.app")  # what takes long to import


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from octoscope.viewer.window.window import WindowUnavailable, display_is_missing  # only here: it loads OpenGL

    files = options.files or [str(sample_path())]
    title = title_of_files(files)
    opening = None
    if not display_is_missing() and any(map(os.path.exists, files)):  # else a line says what is wrong, without a window
        from octoscope.viewer.app.opening import OpeningWindow

        with suppress(WindowUnavailable):  # the next attempt will say why
            opening = OpeningWindow(title, options.size)
    if opening is not None and opening.show_while(partial(import_without_collecting, *_PROGRAM)) is None:
        return 0
    from octoscope.viewer.cli.show import open_files

    return open_files(files, title, options, opening)
