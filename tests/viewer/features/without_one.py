"""Try what the core can do in a checkout from which features were taken: run as a module, with a FOLDER and MODULEs.

FOLDER gets a picture; MODULEs must not be found.

It draws a picture by the command line, opens the interface of a window off-screen, opens every panel, menu, the palette
and the key sheet, runs the commands that change nothing but the picture, edits, undoes, and picks.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope.viewer.cli import main
from octoscope.viewer.commands.table import MENUS
from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.tools.intents import Click
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene, place_at

SAMPLE = Path(__file__).parents[3] / "assets" / "harbour.obj"


def use_the_command_line(folder: Path) -> None:
    """Read the help, count, and draw the sample."""
    for command in ("render", "show", "info"):
        assert main([command, "--help"]) == 0
    assert main(["info", str(SAMPLE)]) == 0
    picture = folder / "picture.png"
    assert main(["render", str(SAMPLE), "-o", str(picture), "--size", "64x48"]) == 0
    with Image.open(picture) as image:
        assert np.ptp(np.asarray(image)) > 50


def use_a_window() -> None:
    """Open everything that can be opened; switch the picture; pick, delete, undo."""
    ctx = create_context()
    app = HeadlessApp(ctx, box_scene())
    app.view.framing.frame_nodes(None)
    app.settle()
    for panel in app.shell.panels:
        app.shell.show_panel(panel.id)
        app.frame()
    assert {command.menu.split("/")[0] for command in app.table.commands} == set(MENUS)
    app.press("Ctrl+P", "Escape", "F1", "Escape")
    for command in app.table.commands:
        if command.menu.startswith("View") and command.checked is not None and command.enabled():
            app.table.run(command)
            app.frame()
            app.view.build_frames(app.view.layout.size)
    app.view.layout.set_count(1)
    app.view.visibility.isolated_ids = None
    app.view.framing.frame_nodes(None)
    app.settle()
    app.follow(Click(place_at(app.view, (0.5, 0.5))))
    assert len(app.selected) == 1
    count = len(app.view.scene)
    app.table.run(app.table["edit.delete"])
    assert len(app.view.scene) < count
    app.table.run(app.table["edit.undo"])
    assert len(app.view.scene) == count
    app.close()
    assert ctx.error == "GL_NO_ERROR"


if __name__ == "__main__":
    assert not any(map(find_spec, sys.argv[2:])), "they were not taken away"
    use_the_command_line(Path(sys.argv[1]))
    use_a_window()
    print("whole")
