"""Scripts with which shells complete commands, options and files; the library shtab writes them."""

from __future__ import annotations

import argparse
from pathlib import Path

from octoscope.viewer.cli.documentation.man_page import commands_of

_NAMES_OF_FILES = frozenset({"files", "camera"})


def completion_script(parser: argparse.ArgumentParser, shell: str) -> str:
    """Return the script for a shell, one of shtab's."""
    import shtab  # only here: it takes long to import

    for command in commands_of(parser).values():
        for action in command._actions:
            if action.type is Path or action.dest in _NAMES_OF_FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks for it
    script = shtab.complete(parser, shell)
    if shell == "bash":  # a file may stand in place of a command
        script += f"\ncomplete -o default -o filenames -F _shtab_{parser.prog} {parser.prog}\n"
    return script
