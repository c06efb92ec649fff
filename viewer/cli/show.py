"""Show files or a scene in a window; without a display, draw a picture."""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from functools import partial
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from octoscope.octree.jit import compile_timer
from octoscope.scene import Scene
from octoscope.scene.formats.readers import ReadOptions
from octoscope.scene.loading.file_import import add_file
from octoscope.scene.loading.read import BackgroundReader
from octoscope.scene.system.paths import current_folder
from octoscope.viewer.cli.common import exit_status, fit_index, open_shown, open_streamed, say_report
from octoscope.viewer.cli.output import UserError, say
from octoscope.viewer.cli.render import AimCamera, draw_to_file, set_up_view
from octoscope.viewer.document.new_scene import new_scene
from octoscope.viewer.rendering.context.card_errors import DrawError, DriverReset
from octoscope.viewer.settings.config import config_folder, read_config
from octoscope.viewer.window.place import USUAL_SIZE
from octoscope.viewer.window.window import Window, WindowUnavailable, display_is_missing

if TYPE_CHECKING:
    from octoscope.viewer.app.opening import OpeningWindow
    from octoscope.viewer.frame.streamed_scene import StreamedScene

_FIRST_FILE_SECONDS = 0.5  # small files are there before the window is: bad ones then need no window at all


def show_or_draw(
    scene: Scene,
    options: argparse.Namespace,
    title: str,
    *,
    aim: AimCamera | None = None,
    reader: BackgroundReader | None = None,
    watch: bool = False,
    window: Window | None = None,
    streamed: StreamedScene | None = None,
    said: set[str] | None = None,
) -> None:
    """Show a scene in a window until it is closed, or draw it to a picture if no window can be opened.

    Args:
        said: lines about problems of files, as for say_report, which are printed as files come in; None: none is.
    """
    from octoscope.viewer.app.app import App  # only here: it loads a window library
    from octoscope.viewer.document.options import DocumentOptions

    try:
        app = App(
            scene,
            DocumentOptions(
                title,
                watch=watch,
                max_memory_bytes=getattr(options, "max_memory", None),
                smooth_degrees=getattr(options, "smooth", None),
                streamed=streamed,
            ),
            reader=reader,
            window=window,
            size=options.size,
            set_up_camera=lambda view: view.framing.look_first(options.view, orthographic=options.ortho),
        )
    except WindowUnavailable as error:
        reason = str(error)
    else:
        set_up_view(app.view, options, aim)
        Thread(target=_compile_the_rest, name="compiling", daemon=True).start()
        try:
            app.run(between_frames=partial(_say_news, scene, said, []) if said is not None else lambda: None)
        except DrawError as error:
            kept = "; unsaved changes are offered when it is started again" if app.session.document.is_unsaved else ""
            helps = "start it again" if isinstance(error, DriverReset) else "try a smaller window or fewer objects"
            raise UserError(f"{error}; {helps}{kept}") from None
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
    draw_to_file(scene, options, folder / name, aim=aim, streamed=streamed)


def open_files(files: list[str], title: str, options: argparse.Namespace, opening: OpeningWindow | None = None) -> int:
    """Read files and show them until the window is closed; without a display, draw them to a picture."""
    if display_is_missing():
        scene, streamed = open_shown(files, options)
        show_or_draw(scene, options, title, watch=options.watch, streamed=streamed)
        return exit_status(scene.report)
    read = partial(_read_first, files, options)
    if opening is None:
        started = read()
    else:
        with compile_timer.listening(opening.tell_compiling):
            started = opening.show_while(read)
    if started is None:
        return 0
    scene, reader, streamed = started
    said: set[str] = set()
    if scene.report.opened or (reader is not None and not reader.finished):
        window = None if opening is None else opening.window
        watch = options.watch and streamed is None
        show_or_draw(scene, options, title, reader=reader, watch=watch, window=window, streamed=streamed, said=said)
    elif opening is not None:
        opening.window.close()
    if not scene.report.opened and scene.report.errors:
        raise UserError(*scene.report.errors)
    say_report(scene.report, scene, said=said)
    return exit_status(scene.report)


def _say_news(scene: Scene, said: set[str], told: list[int]) -> None:
    """Print problems of files that have come in since; `told` holds their numbers, and is changed."""
    counts = [len(scene.report.failed), len(scene.report.problems)]
    if counts != told:
        told[:] = counts
        say_report(scene.report, said=said, goes_on=True)


def _compile_the_rest() -> None:
    """Compile what the window did not need first, where no library of kernels has it yet."""
    from octoscope.octree.jit import builder  # only here: it imports what most starts do not need

    builder.compile_the_rest()


def _read_first(
    files: list[str], options: argparse.Namespace
) -> tuple[Scene, BackgroundReader | None, StreamedScene | None]:
    """Return a scene with the first file, if that can be read in a moment, and what reads or streams the rest."""
    streamed = open_streamed(files, options)
    if streamed is not None:
        return streamed.scene, None, streamed
    scene = new_scene(read_config(config_folder()), up_axis=options.up)
    reader = BackgroundReader(files, options=ReadOptions(options.max_memory, options.smooth))
    while not scene.report.opened and not reader.finished:
        taken = reader.take(timeout_seconds=_FIRST_FILE_SECONDS)
        if taken is None:
            break
        add_file(scene, *taken)
    fit_index(scene, options)
    return scene, reader, None
