"""The command line: `octoscope FILE...` opens files, `octoscope COMMAND ...` runs the command in the file of that name.

The parser, and what --help prints first, are in this file.

Imports everything.

    common    options, opening files, output and errors that several commands share.
    open      open files in a window, the default.
    render    draw a picture without a window.
    info      show what files contain.
    overlaps  info --overlaps.
    pick      cast a ray.
    convert   write files in another format.
    demo      a city of many objects.
    bench     measure, and compare with other libraries.
"""

from __future__ import annotations

import argparse
import atexit
import errno
import gc
import io
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module, metadata
from typing import NoReturn

from viewer.cli.common import UserError, say

_COMMANDS = {
    "open": "open files in a window (the default: `octoscope FILE...`)",
    "render": "draw files to a picture, without a window",
    "info": "show what files contain, and the octree over them",
    "convert": "write files as one file of another format: GLB, OBJ, PLY, STL or a project",
    "pick": "cast a ray at files and show what it hits",
    "demo": "make a city of many separate objects, and open or draw it",
    "bench": "measure octree, frames, loading, picking and responsiveness, and compare with other libraries",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status: 0, 2 for bad input, 130 when interrupted."""
    _prepare_streams()
    atexit.register(gc.freeze)  # else Python looks for cycles among all that numba has loaded, for a second or more
    arguments = [_kept_as_value(argument) for argument in (sys.argv[1:] if arguments is None else arguments)]
    try:
        if arguments[:1] == ["help"]:
            arguments[0] = "--help"
        if not arguments or arguments[0] not in (*_COMMANDS, "-h", "--help", "--version"):
            _refuse_misspelt_command(arguments[:1])
            arguments.insert(0, "open")
        try:
            options, unknown = _parser(only=arguments[0]).parse_known_args(arguments)
            if unknown:  # else argparse would tell it for the whole program, and point at a help without the options
                options.refuse(f"unrecognized arguments: {' '.join(unknown)}")
            status = options.run(options)
        except SystemExit as leaving:  # argparse, with its help printed or an error told
            status = int(leaving.code or 0)
        sys.stdout.flush()  # here, where a full disk can still be told, and a reader that went away is no fault
        return status
    except UserError as error:
        for line in error.lines:
            say(line)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader of our output went away: nobody is left to tell
        _drop_output()
        return 0
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _drop_output()
        say(f"standard output cannot be written ({error.strerror}); free some space")
        return 2


def _kept_as_value(argument: str) -> str:
    """Return a negative number with a blank before it: argparse takes -1e-3 for an option, but not " -1e-3"."""
    try:
        return f" {argument}" if argument.startswith("-") and float(argument) <= 0.0 else argument
    except ValueError:
        return argument


def _refuse_misspelt_command(first: list[str]) -> None:
    """Reject a first word such as `rendr` that looks like a command, unless there is a file of that name."""
    for word in first:
        meant = get_close_matches(word, _COMMANDS, n=1, cutoff=0.7)
        if meant and not os.path.exists(word):
            raise UserError(f"no command '{word}', and no file of that name: did you mean octoscope {meant[0]}?")


class _Parser(argparse.ArgumentParser):
    """A parser that reports wrong arguments in one line."""

    def error(self, message: str) -> NoReturn:
        """Print the error and exit with status 2."""
        say(f"{message}; see {self.prog} --help")
        raise SystemExit(2)


def _prepare_streams() -> None:
    """Make sure that both output streams exist and can print any name.

    If a stream is closed when the program starts, Python has None for it, and printing to standard error would write to
    standard output.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115  (for as long as the program runs)
    # As standard error is: names from files hold characters that not every terminal's encoding has.
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Redirect standard output to nothing, so that Python's own flush at the end does not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser(only: str) -> argparse.ArgumentParser:
    """Return the parser. Only the module of the used command is imported: `info` need not wait for window libraries."""
    parser = _Parser(
        prog="octoscope",
        usage="octoscope [FILE ...]\n       octoscope COMMAND ...",
        description="View big OBJ scenes, pick in them, and see the octree that makes it fast.",
        epilog="`octoscope COMMAND --help` lists a command's options.",
    )
    parser.add_argument("--version", action="version", version=f"octoscope {metadata.version('octoscope')}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True, prog="octoscope")
    for name, summary in _COMMANDS.items():
        command = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if name == only:
            module = import_module(f"viewer.cli.{name}")
            module.add_options(command)
            command.set_defaults(run=module.run, refuse=command.error)
    return parser
