"""`octoscope run SCRIPT FILE...`: open files in a window, and run a script there."""

from __future__ import annotations

import argparse

from octoscope.scene import Scene
from octoscope.viewer.app.scripting import Window
from octoscope.viewer.cli.common import exit_status, open_scene, read_script
from octoscope.viewer.cli.output import UserError
from octoscope.viewer.document.file_names import title_of_files
from octoscope.viewer.window.place import USUAL_SIZE
from octoscope.viewer.window.window import WindowUnavailable


class _Window(Window):
    """A window whose scene nobody else keeps."""

    _keeps_work = True


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status: 1 also if the script has failed."""
    path, source = options.script, read_script(options.script)
    scene = open_scene(options.files, options) if options.files else Scene(up_axis=options.up)
    title = title_of_files(options.files) if options.files else path.stem
    try:
        window = _Window(scene, title=title, size=options.size or USUAL_SIZE, watch=options.watch)
    except WindowUnavailable as error:
        raise UserError(f"{error}; octoscope.render() in a script of Python draws without one") from None
    window.update()
    has_run = window._script.run_file(path, source, options.args)
    if window.is_open:
        window.run()
    return exit_status(scene.report) or int(not has_run)
