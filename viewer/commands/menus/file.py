"""The File menu."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.loading.relinking import relink
from octoscope.scene.system.paths import abspath
from octoscope.scene.system.text_file import printable
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Command, Declarations
from octoscope.viewer.document.document import LEFT_TO_SCRIPT
from octoscope.viewer.document.file_names import PathRequest, sample_path
from octoscope.viewer.settings.config import pictures_folder

command = Declarations("File")
leaving = partial(
    command, enabled=lambda context: context.document.can_leave, refusal=LEFT_TO_SCRIPT, needs_window=True
)


leaving("file.new", "New", "an empty scene", keys=("Ctrl+N",), synonyms=("clear", "empty scene"))(
    lambda context: context.document.new()
)

leaving(
    "file.open",
    "Open",
    "a project or a mesh file, in place of the current scene",
    keys=("Ctrl+O",),
    asks=True,
    synonyms=("load",),
)(lambda context: context.document.ask_open())

leaving(
    "file.open_sample", "Open sample scene", "open a harbour to try things out", synonyms=("example", "demo", "harbour")
)(lambda context: context.document.open(sample_path()))


NO_RECENT, RECENT_MENU = "file.recent", "File/Open recent"


@command.several
def open_recent(context: Context) -> Iterator[Command]:
    if not context.recent:
        yield Command(
            NO_RECENT,
            "No files yet",
            lambda: None,
            RECENT_MENU,
            enabled=lambda: False,
            refusal="no file was opened before",
            needs_window=True,
        )
    counts = Counter(path.name for path in context.recent)
    for number, path in enumerate(context.recent, start=1):
        yield Command(
            f"file.recent_{number}",
            printable(path.name) if counts[path.name] == 1 else f"{printable(path.name)} in {printable(path.parent)}",
            partial(context.document.open, path),
            RECENT_MENU,
            description=printable(path),
            enabled=lambda: context.document.can_leave,
            refusal=LEFT_TO_SCRIPT,
            needs_window=True,
        )


for _name, _step in (("next", 1), ("previous", -1)):
    leaving(
        f"file.{_name}",
        f"{_name.capitalize()} file",
        "of the same folder, by name, in place of the current scene",
        menu="File/Other files",
        keys=(f"Alt+{'Right' if _step > 0 else 'Left'}",),
        synonyms=("folder", "browse", "flip through"),
    )(lambda context, steps=_step: context.document.open_neighbour(steps))


leaving(
    "file.recover",
    "Recover unsaved changes",
    "left by a program that was killed",
    enabled=lambda context: context.document.can_recover,
    refusal="no program was killed with unsaved changes",
    synonyms=("restore", "autosave", "crash", "recover last session"),
)(lambda context: context.document.recover())


command(
    "file.import",
    "Import",
    "add a file to the scene; or drop files on the window",
    keys=("Ctrl+Shift+O",),
    asks=True,
    synonyms=("add file", "append", "merge file"),
)(lambda context: context.document.ask_import())


@command(
    "file.relink",
    "Relink",
    "choose where a missing file is now; other missing files beside it are found by name",
    enabled=lambda context: len(context.missing_meshes.current.ids) > 0,
    refusal="no file is missing",
    asks=True,
)
def ask_relink(context: Context) -> None:
    # The file that a selected object waits for, or else the one that most objects wait for.
    now, selected = context.missing_meshes.current, context.missing_meshes.among(context.selected_ids)
    source = int(np.bincount(now.sources[selected] if len(selected) else now.sources).argmax())
    missing = context.scene.sources[source]
    folder = next((each for each in Path(abspath(missing)).parents if each.is_dir()), None)

    def choose(path: Path) -> None:
        doing = f"reading {printable(path.name)}"
        context.editor.run_in_background(doing, relink, source, path)

    context.ask_path(PathRequest(f"Find {printable(missing.name)}", MODEL_ENDINGS, choose, folder=folder))


command("file.save", "Save", "write the project", keys=("Ctrl+S",), separated=True)(
    lambda context: context.document.save()
)

command(
    "file.save_as",
    "Save as",
    "save the project under another name",
    keys=("Ctrl+Shift+S",),
    asks=True,
    needs_window=True,
    synonyms=("rename project",),
)(lambda context: context.document.save_as())


command(
    "file.revert",
    "Revert to saved",
    "show the project as it was saved; the changes stay in a file beside it",
    enabled=lambda context: context.document.can_leave and context.document.can_revert,
    refusal="no project has changed since it was saved",
    needs_window=True,
    synonyms=("discard changes", "reload", "go back"),
)(lambda context: context.document.revert())


for _ending in WRITERS:
    command(
        f"file.export_{_ending[1:]}",
        f"Export {_ending[1:].upper()}",
        f"the scene as a file that ends in {_ending}",
        menu="File/Export",
        asks=True,
    )(lambda context, ending=_ending: context.document.export(ending))


@command.several
def screenshot(context: Context) -> Iterator[Command]:
    yield Command(
        "file.screenshot",
        "Screenshot",
        context.document.screenshot,
        "File",
        keys=("F12",),
        description=f"save a picture of the scene in {printable(pictures_folder())}",
        needs_window=True,
        synonyms=("render", "picture", "export image", "snapshot"),
    )
    yield Command(
        "file.screenshot_transparent",
        "Screenshot without background",
        partial(context.document.screenshot, transparent=True),
        "File",
        keys=("Shift+F12",),
        description="the same picture, which shows what is put behind it",
        needs_window=True,
        synonyms=("transparent", "alpha", "cut out", "export image"),
    )


command(
    "file.close",
    "Quit",
    "close the window, after asking to save",
    keys=("Ctrl+Q",),
    needs_window=True,
    separated=True,
    synonyms=("quit", "exit", "close window"),
)(lambda context: context.document.close())
