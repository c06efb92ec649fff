"""`octoscope compile`: compile kernels ahead of time: no command has to, and each starts half a second sooner."""

from __future__ import annotations

import argparse

from octoscope.octree.jit import library
from octoscope.viewer.app.warmup.compiling import compile_kernels, is_compiled
from octoscope.viewer.cli.output import UserError, answer, say
from octoscope.viewer.cli.progress import progress_bar


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status.

    Raises:
        UserError: what is compiled cannot be kept.
    """
    if library.path() is None:
        raise UserError("no folder for compiled code can be written; set NUMBA_CACHE_DIR to one that can")
    if not is_compiled():
        say("compiling kernels to machine code: a minute on two processors, less where few have changed")
        with progress_bar("compiling") as show:
            compile_kernels(lambda fraction: show(round(100.0 * fraction), 100))
    made = library.made()
    answer("compiled, without a library of kernels" if made is None else f"compiled: {made}")
    return 0
