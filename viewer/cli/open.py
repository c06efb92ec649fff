"""`octoscope FILE...`: open files in a window; without files, the sample scene; without a display, draw a picture."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from pathlib import Path

from scene import Scene
from scene.loading.file_import import add_file
from scene.loading.read import BackgroundReader
from scene.system.paths import current_folder
from viewer.cli.common import fit_index, open_scene, say_report
from viewer.cli.output import UserError, say
from viewer.cli.render import AimCamera, draw_to_file, set_up_camera, set_up_view
from viewer.document.file_names import title_of_files
from viewer.document.sample import sample_path
from viewer.rendering.renderer import DrawError
from viewer.window.place import USUAL_SIZE

_FIRST_FILE_SECONDS = 0.5  # small files are there before the window is: bad ones then need no window at all


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from viewer.window.window import display_is_missing  # only here: it loads a window library

    files = options.files or [str(sample_path())]
    title = title_of_files(files)
    if display_is_missing():
        show_or_draw(open_scene(files, options), options, title, watch=options.watch)
    else:
        _open_in_window(files, title, options)
    return 0


def show_or_draw(
    scene: Scene,
    options: argparse.Namespace,
    title: str,
    *,
    aim: AimCamera | None = None,
    reader: BackgroundReader | None = None,
    watch: bool = False,
) -> None:
    """Show a scene in a window until it is closed, or draw it to a picture if no window can be opened.

    Args:
        scene: to show.
        options: of the command line.
        title: of the window.
        aim: moves the camera after the whole scene was framed.
        reader: files that are still being read into the scene.
        watch: whether to read files again that change.
    """
    from viewer.app.app import App  # only here: it loads a window library
    from viewer.app.session import DocumentOptions
    from viewer.window.window import WindowUnavailable

    try:
        app = App(
            scene,
            DocumentOptions(title, watch=watch, max_memory_bytes=getattr(options, "max_memory", None)),
            reader=reader,
            size=options.size,
            set_up_camera=lambda view: set_up_camera(view, options),
        )
    except WindowUnavailable as error:
        reason = str(error)
    else:
        set_up_view(app.view, options, aim)
        try:
            app.run()
        except DrawError as error:
            raise UserError(f"{error}; try a smaller window or fewer objects") from None
        return
    options.size = options.size or USUAL_SIZE
    while reader is not None and not reader.finished:
        taken = reader.take(timeout_seconds=_FIRST_FILE_SECONDS)
        if taken is not None:
            add_file(scene, *taken)
    if reader is not None and not scene.report.opened:
        return  # the caller says why
    say(f"{reason}: drawing off-screen instead")
    name = "octoscope-" + (re.sub(r"[^\w.-]+", "-", Path(title).stem).strip("-") or "scene") + ".png"
    folder = current_folder() if os.access(current_folder(), os.W_OK) else Path(tempfile.gettempdir())
    draw_to_file(scene, options, folder / name, aim=aim)


def _open_in_window(files: list[str], title: str, options: argparse.Namespace) -> None:
    from viewer.app.warmup.compiling import is_kept
    from viewer.app.warmup.preparing import prepare  # only here: it loads a window library

    if not prepare(options.size or USUAL_SIZE):
        return
    if not is_kept():
        say("no folder for compiled code can be written, so every start is slow; set NUMBA_CACHE_DIR")
    scene = Scene()
    reader = BackgroundReader(files, max_memory_bytes=options.max_memory)
    while not scene.report.opened and not reader.finished:
        taken = reader.take(timeout_seconds=_FIRST_FILE_SECONDS)
        if taken is None:
            break
        add_file(scene, *taken)
    fit_index(scene, options)
    if scene.report.opened or not reader.finished:
        show_or_draw(scene, options, title, reader=reader, watch=options.watch)
    if not scene.report.opened and scene.report.errors:
        raise UserError(*scene.report.errors)
    say_report(scene.report, scene.index)
