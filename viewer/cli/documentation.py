"""Write the manual page (groff_man(7)) and the shells' completion scripts from the command line's parser."""

from __future__ import annotations

import argparse
from pathlib import Path

_NAMES_OF_FILES = frozenset({"files", "camera"})


def commands_of(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    """Return the parsers of a parser's commands by name."""
    (commands,) = (action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    return dict(commands.choices)


def man_page(parser: argparse.ArgumentParser, version: str) -> str:
    """Return the page of a program with all of its commands and options."""
    name = parser.prog
    lines = [
        f'.TH {name.upper()} 1 "" "{name} {version}" "User Commands"',
        ".SH NAME",
        f"{name} \\- {_escaped((parser.description or '').rstrip('.'))}",
        ".SH SYNOPSIS",
        f".B {name}",
        "[FILE ...]",
        ".br",
        f".B {name}",
        "COMMAND ...",
        ".SH OPTIONS",
        *_options(parser),
        ".SH COMMANDS",
    ]
    for command, of_command in commands_of(parser).items():
        lines += [f'.SS "{name} {command}"', _escaped(of_command.description or ""), *_options(of_command)]
    lines += [
        ".SH EXIT STATUS",
        "0 if all went well, 1 if some of the files could not be opened and the others were, 2 for input or options "
        "that cannot be used, 130 if it was interrupted.",
    ]
    return "\n".join(lines) + "\n"


def _options(parser: argparse.ArgumentParser) -> list[str]:
    lines = []
    for action in parser._actions:
        if isinstance(action, (argparse._HelpAction, argparse._SubParsersAction)):
            continue
        value = value_of(action)
        names = ", ".join(action.option_strings)
        title = f"\\fB{_escaped(names)}\\fR \\fI{_escaped(value)}\\fR" if names else f"\\fI{_escaped(value)}\\fR"
        lines += [".TP", title.replace(" \\fI\\fR", ""), _escaped((action.help or "") % vars(action))]
    return lines


def value_of(action: argparse.Action) -> str:
    """Return what stands for an option's value, as --help shows it."""
    if action.nargs == 0:
        return ""
    if isinstance(action.metavar, tuple):
        return " ".join(action.metavar)
    name = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    if action.nargs in ("+", "*"):
        return f"{name} ..." if action.nargs == "+" else f"[{name} ...]"
    return " ".join([name] * (action.nargs if isinstance(action.nargs, int) else 1))


def _escaped(text: str) -> str:
    """Return text as man shows it: hyphens that can be copied, and no line taken for a request."""
    text = " ".join(text.split()).replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text


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
