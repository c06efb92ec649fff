"""`octoscope serve FILE...`: show files in browsers."""

from __future__ import annotations

import argparse
import sys

from octoscope.viewer.cli.common import exit_status, open_scene, read_script
from octoscope.viewer.cli.output import UserError, answer, say
from octoscope.viewer.document.file_names import title_of_files
from octoscope.viewer.frame.look.backdrop import LIGHT_BACKDROP
from octoscope.viewer.settings.config import config_folder, data_folder, read_config


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    try:
        from octoscope.viewer.features.web.commands import left_out
        from octoscope.viewer.features.web.guard import is_loopback
        from octoscope.viewer.features.web.server import ServerUnavailable, kept_token
        from octoscope.viewer.features.web.session import WebOptions, WebSession
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.split(".")[0] == "octoscope":
            raise
        raise UserError(f"serve needs {error.name}: pip install 'octoscope[web]'") from None
    data = data_folder()
    web = WebOptions(
        title_of_files(options.files),
        token=kept_token(data),
        host=options.host,
        port=options.port,
        watch=options.watch,
        max_memory_bytes=options.max_memory,
        data=data,
    )
    source = None if options.script is None else read_script(options.script)
    scene = open_scene(options.files, options)
    try:
        session = WebSession(scene, web)
        if read_config(config_folder()).shown_theme == "light":
            session.view.settings.backdrop = LIGHT_BACKDROP
    except ServerUnavailable as error:
        raise UserError(str(error)) from None
    try:  # at once: Ctrl+C may come before the address is printed
        if not is_loopback(options.host):
            say(
                f"{options.host} can be reached from other machines: whoever has the address sees and edits the scene, "
                "and it goes over unencrypted"
            )
        if source is not None:
            session.script.run_file(options.script, source)
        session.step()
        for entry in session.log.entries:  # such as that another program has the project open: no browser is there yet
            say(entry.text)
        answer(session.server.address)
        sys.stdout.flush()  # a pipe's reader waits for the address
        for line in left_out(scene):
            say(f"in browsers {line}")
        say("open that address in a browser; Ctrl+C ends")
        session.run()
    finally:
        session.close()
    return exit_status(scene.report)
