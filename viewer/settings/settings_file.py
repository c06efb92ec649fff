"""Opening config.toml, or another file, in the program that the system has for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from octoscope.scene.system.text_file import printable, reason_of

_AT_FIRST = """\
# Settings of Octoscope: Edit > Settings changes them, too. Take away a "#" to set one.

# theme = "light"        # or "dark"
# scale = 1.25           # of text and spacing; without it, as the display asks for
# preset = "blender"     # of keys and mouse; or "maya", "cad"

# [keys]                 # F1 lists the commands; [] is for no key
# view.frame = ["F", "Ctrl+F"]
"""


def open_settings_file(folder: Path) -> tuple[str, str]:
    """Open config.toml, made first where there is none; return a level of the log, and where it is or why it is not."""
    path = folder / "config.toml"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(_AT_FIRST)
    except FileExistsError:
        pass
    except OSError as error:
        return "error", f"{printable(path)}: cannot be made ({reason_of(error)})"
    open_file(path)
    return "info", f"settings: {printable(path)}"


def open_file(path: Path) -> None:
    """Open a file with the program that the system knows for it, if there is one."""
    if sys.platform == "win32":
        os.startfile(path)
        return
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if opener is not None:
        nothing = subprocess.DEVNULL
        subprocess.Popen([opener, path], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
