"""Command: a command of the program; CommandLinePart: what a feature adds to the command line.

Imports nothing that takes long.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

if TYPE_CHECKING:
    from octoscope.scene import Scene
    from octoscope.viewer.frame.streamed_scene import StreamedScene

AddOptions = Callable[[argparse.ArgumentParser], None]


class Command(NamedTuple):
    """A command of the program."""

    summary: str
    add_options: AddOptions
    package: str = "octoscope.viewer.cli"  # where the module of the command's name lies, whose `run(options)` runs it


@dataclass(frozen=True)
class CommandLinePart:
    """A feature's options and subcommands; its file imports nothing that takes long."""

    FILE: ClassVar[str] = "command_line"
    commands: Mapping[str, Command] = field(default_factory=dict)  # by name
    options: Mapping[str, AddOptions] = field(default_factory=dict)  # of commands of the core, by the command's name
    # opens files as a scene that is streamed, where its options ask for that, else returns None; it raises UserError
    open_streamed: Callable[[Sequence[str], argparse.Namespace], StreamedScene | None] = lambda files, options: None
    # returns lines that `octoscope info` prints, or adds to the facts, which are for JSON; it raises UserError
    add_facts: Callable[[Scene, argparse.Namespace, dict[str, Any]], Sequence[str]] = lambda scene, options, facts: ()

    @classmethod
    def showing(cls, option: str, name: str, text: str) -> CommandLinePart:
        """Return a part that adds an option which shows a decoration, by its name, in pictures and windows."""

        def add(parser: argparse.ArgumentParser) -> None:
            parser.add_argument(option, dest="shown", action="append_const", const=name, help=text)

        return cls(options=dict.fromkeys(("open", "render", "demo"), add))
