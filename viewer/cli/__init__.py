"""The command line: `octoscope FILE...` opens files, `octoscope COMMAND ...` runs the file of that name.

The parser is in this file. It imports the module of a command only to run it, so that nobody waits for help.

Imports everything. arguments/ has the options of every command.

    output     what is printed: results, problems, tables, a progress bar.
    common     opening files, and checks of what is to be written.
    open       open files in a window, the default: the window comes first.
    show       show files or a scene in a window, or draw a picture where there is no display.
    render     draw a picture without a window, and depths, numbers and normals as arrays.
    turntable  render --turntable.
    info       show what files contain.
    pick       cast a ray.
    convert    write files in another format.
    demo       a city of many objects.
    compile    compile kernels ahead of time.
    doctor     find out what works on this machine.
    documentation  scripts for shells that complete, and the manual's page, made of the parser.

Features have commands, too (viewer/features/__init__.py).
"""

from __future__ import annotations

import argparse
import errno
import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from octoscope.scene.loading.folders import MOST_FILES, files_in, unread_in
from octoscope.scene.system.atomic_file import SaveError
from octoscope.scene.system.text_file import ReadError, printable, reason_of
from octoscope.viewer.cli.arguments import options as core
from octoscope.viewer.cli.arguments.command_line import Command, CommandLinePart
from octoscope.viewer.cli.output import UserError, answer, say
from octoscope.viewer.features import parts
from octoscope.viewer.window import opengl_request

_WITHOUT_COMMAND = ("-h", "--help", "--version", "--completion", "--man")


@cache
def commands() -> dict[str, Command]:
    """Return the commands of the core and of features, by name."""
    of_features = [command for part in parts(CommandLinePart) for command in part.commands.items()]
    return {**core.COMMANDS, **dict(of_features)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit status.

    0; 1 if some files could not be opened; 2 for bad input; 130 when interrupted.
    """
    _prepare_streams()
    # A program that calls this one has objects of its own, which the garbage collector is to look after.
    import_command = import_without_collecting if arguments is None else import_module
    arguments = [_kept_as_value(argument) for argument in (sys.argv[1:] if arguments is None else arguments)]
    try:
        if arguments[:1] == ["help"]:
            arguments[0] = "--help"
        if not arguments or arguments[0].partition("=")[0] not in (*commands(), *_WITHOUT_COMMAND):
            _refuse_misspelt_command(arguments[:1])
            arguments.insert(0, "open")
        try:
            options, unknown = _parser(only=arguments[0]).parse_known_args(arguments)
            if unknown:  # else argparse would tell it for the whole program, and point at a help without the options
                options.refuse(f"unrecognized arguments: {' '.join(unknown)}")
            contradiction = core.contradiction_in(options)
            if contradiction is not None:
                options.refuse(contradiction)
            if getattr(options, "opengl", None):
                os.environ[opengl_request.VARIABLE] = " ".join(options.opengl)
            if getattr(options, "files", None):
                options.files = _files_of_folders(options.files)
            if options.command == "render":
                from octoscope.viewer.rendering.context.driver_loading import (
                    load_driver_beside,  # only here: help needs none
                )

                # A system loads one library at a time: numpy's come first, as all that is imported waits for them.
                import_command("numpy")
                load_driver_beside()
            status = import_command(f"{commands()[options.command].package}.{options.command}").run(options)
        except SystemExit as leaving:  # argparse, with its help printed or an error told; or a script
            if isinstance(leaving.code, str):
                say(leaving.code)
            status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
        sys.stdout.flush()  # here, where a full disk can still be told, and a reader that went away is no fault
        return status
    except (UserError, ReadError, SaveError) as error:
        for line in str(error).split("\n"):
            say(line)
        return 2
    except RuntimeError as error:
        from octoscope.octree.jit import NoMachineCode  # only here: help needs no kernels

        if not isinstance(error, NoMachineCode):
            raise
        say(str(error))
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
        say(f"standard output cannot be written ({reason_of(error)}); free some space")
        return 2


def _kept_as_value(argument: str) -> str:
    """Return a negative number with a blank before it: argparse takes -1e-3 for an option, but not " -1e-3"."""
    try:
        return f" {argument}" if argument.startswith("-") and float(argument) <= 0.0 else argument
    except ValueError:
        return argument


def _refuse_misspelt_command(first: list[str]) -> None:
    """Reject a first word such as `rendr` that looks like a command, unless there is a file of that name."""
    from difflib import get_close_matches  # only here: most words are not misspelt

    for word in first:
        is_option = f"--{word}" in _WITHOUT_COMMAND
        meant = [f"--{word}"] if is_option else get_close_matches(word, commands(), n=1, cutoff=0.7)
        if meant and not os.path.exists(word):
            raise UserError(f"no command '{word}', and no file of that name: did you mean octoscope {meant[0]}?")


def _files_of_folders(given: list[str]) -> list[str]:
    """Return the files that are given, with the files in them in place of folders."""
    files: list[str] = []
    for name in given:
        found = list(map(str, files_in(Path(name)))) if os.path.isdir(name) else [name]
        unread = unread_in(Path(name))
        if unread is not None:
            say(str(unread))
        if not found:
            raise UserError(f"{printable(name)}: a folder without files of the formats that are read; name a file")
        if len(found) > MOST_FILES:
            raise UserError(
                f"{printable(name)}: a folder with {len(found):,} files, more than {MOST_FILES:,}; "
                "name those to open, such as FOLDER/*.obj"
            )
        files += found
    return files


class _Parser(argparse.ArgumentParser):
    """A parser that reports wrong arguments in one line."""

    _arguments: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse arguments, and remember them for what an error may advise."""
        self._arguments = args or ()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Print the error, with the option that a misspelt one may have meant, and exit with status 2."""
        say(f"{message}; {self._advice()}see {self.prog} --help")
        raise SystemExit(2)

    def _advice(self) -> str:
        from difflib import get_close_matches  # only here: most options are not misspelt

        known = [option for option in self._option_string_actions if option.startswith("--")]
        for name in (argument.partition("=")[0] for argument in self._arguments if argument.startswith("--")):
            near = get_close_matches(name, known, n=1)
            if near and not any(option.startswith(name) for option in known):
                return f"did you mean {near[0]}? "
        return ""


class _Print(argparse.Action):
    """Prints what a function returns for the option's value, and exits with status 0."""

    def __init__(self, *arguments: Any, text_of: Callable[[Any], str], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._text_of = text_of

    def __call__(self, parser: object, namespace: object, value: object, _: object = None) -> NoReturn:
        """Print the text and exit."""
        answer(self._text_of(value))
        raise SystemExit(0)


# These import what they need only when they are called.


def _completion(shell: str) -> str:
    from octoscope.viewer.cli.documentation import completion_script

    return completion_script(_parser(only=None), shell)


def _man_page(_: object) -> str:
    from importlib import metadata

    from octoscope.viewer.cli.documentation import man_page

    return man_page(_parser(only=None), metadata.version("octoscope")).rstrip("\n")


def _version(_: object) -> str:
    from importlib import metadata

    return f"octoscope {metadata.version('octoscope')}"


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


def _parser(only: str | None) -> argparse.ArgumentParser:
    """Return the parser, with the options of one command; None: of all."""
    parser = _Parser(
        prog="octoscope",
        usage="octoscope [FILE ...]\n       octoscope COMMAND ...",
        description="View big OBJ scenes, pick in them, and see the octree that makes it fast.",
        epilog="`octoscope COMMAND --help` lists a command's options.",
    )
    parser.add_argument(
        "--version", action=_Print, text_of=_version, nargs=0, help="show the program's version number and exit"
    )
    parser.add_argument(
        "--completion",
        action=_Print,
        text_of=_completion,
        choices=("bash", "zsh", "fish", "tcsh", "powershell"),
        help="print a script that makes a shell complete commands, options and files, and exit",
    )
    parser.add_argument(
        "--man", action=_Print, text_of=_man_page, nargs=0, help="print the manual's page, for man, and exit"
    )
    added = parts(CommandLinePart)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True, prog="octoscope")
    for name, command in commands().items():
        summary = command.summary
        of_command = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".")
        if only in (name, None):
            command.add_options(of_command)
            for add_options in (part.options[name] for part in added if name in part.options):
                add_options(of_command)
            of_command.set_defaults(command=name, refuse=of_command.error)
    return parser


def import_without_collecting(*names: str) -> ModuleType:
    """Import modules and return the first; the garbage collector leaves out all that exists by then, from now on.

    Of what is imported nothing goes away, and Python would search it again and again for cycles that nobody refers to.
    """
    gc.disable()
    modules = [import_module(name) for name in names]
    gc.freeze()
    gc.enable()
    return modules[0]
