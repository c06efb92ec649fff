"""`octoscope compile`: compile kernels ahead of time, so that nothing has to wait for numba."""

from __future__ import annotations

import argparse

from octoscope.octree.jit import builder, library
from octoscope.viewer.cli.output import UserError, answer, progress_bar, say


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    if not builder.is_complete(only_first=options.first):
        say("compiling kernels to machine code: a minute on two processors, less where few have changed")
        try:
            with progress_bar("compiling") as show:
                builder.build(lambda fraction: show(round(100.0 * fraction), 100), only_first=options.first)
        except builder.NoLibrary as error:
            raise UserError(f"no library of kernels: {error}") from None
    answer(f"compiled: {library.made()}")
    return 0
