"""The commands of the File menu."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from scene.formats.writers import WRITERS
from scene.system.text_file import printable
from viewer.commands.table import Command
from viewer.document.document import LEFT_TO_SCRIPT, Document
from viewer.document.sample import sample_path


def file_commands(
    document: Document,
    recent: Sequence[Path],
    open_settings: Callable[[], object],
    relink: Command,
) -> tuple[Command, ...]:
    """What can be done with files.

    Args:
        recent: files that were opened before, the last one first.
        open_settings: opens the person's settings file. relink: stands behind Import.
    """

    def can_leave() -> bool:
        return document.can_leave

    def open_recent(path: Path) -> Callable[[], object]:
        return lambda: document.open(path)

    return (
        Command(
            "file.new",
            "New",
            document.new,
            "File",
            keys=("Ctrl+N",),
            description="an empty scene",
            enabled=can_leave,
            refusal=LEFT_TO_SCRIPT,
            synonyms=("clear", "empty scene"),
        ),
        Command(
            "file.open",
            "Open",
            document.ask_open,
            "File",
            keys=("Ctrl+O",),
            description="a project or a mesh file, in place of the current scene",
            asks=True,
            enabled=can_leave,
            refusal=LEFT_TO_SCRIPT,
            synonyms=("load",),
        ),
        Command(
            "file.open_sample",
            "Open sample scene",
            lambda: document.open(sample_path()),
            "File",
            description="open a harbour to try things out",
            enabled=can_leave,
            refusal=LEFT_TO_SCRIPT,
            synonyms=("example", "demo", "harbour"),
        ),
        *(
            Command(
                f"file.recent_{number}",
                printable(path.name),
                open_recent(path),
                "File/Open recent",
                description=printable(path),
                enabled=can_leave,
                refusal=LEFT_TO_SCRIPT,
            )
            for number, path in enumerate(recent, start=1)
        ),
        Command(
            "file.import",
            "Import",
            document.ask_import,
            "File",
            keys=("Ctrl+Shift+O",),
            description="add a file to the scene; or drop files on the window",
            asks=True,
            synonyms=("add file", "append", "merge file"),
        ),
        relink,
        Command(
            "file.save",
            "Save",
            lambda: document.save(),
            "File",
            keys=("Ctrl+S",),
            description="write the project",
            separated=True,
        ),
        Command(
            "file.save_as",
            "Save as",
            lambda: document.save_as(),
            "File",
            keys=("Ctrl+Shift+S",),
            description="save the project under another name",
            asks=True,
            synonyms=("rename project",),
        ),
        *(_export_command(document, ending) for ending in WRITERS),
        Command(
            "file.screenshot",
            "Screenshot",
            document.screenshot,
            "File",
            keys=("F12",),
            description=f"save a picture of the scene in {printable(document.pictures)}",
            synonyms=("render", "picture", "export image", "snapshot"),
        ),
        Command(
            "file.settings",
            "Settings file",
            open_settings,
            "File",
            description="theme, scale and keys: opens config.toml, which is read at the next start",
            separated=True,
            synonyms=("preferences", "options", "configuration"),
        ),
        Command(
            "file.close",
            "Quit",
            document.close,
            "File",
            keys=("Ctrl+Q",),
            description="close the window, after asking to save",
            separated=True,
            synonyms=("quit", "exit", "close window"),
        ),
    )


def _export_command(document: Document, ending: str) -> Command:
    name = f"Export {ending[1:].upper()}"
    return Command(
        f"file.export_{ending[1:]}",
        name,
        lambda: document.export(ending),
        "File/Export",
        description=f"the scene as a file that ends in {ending}",
        asks=True,
    )
