"""Opening config.toml and the guide in the system's text editor."""

from __future__ import annotations

import importlib.resources
import os
import re
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
    _open(path)
    return "info", f"settings: {printable(path)}"


def open_documentation(folder: Path, page: str = "") -> tuple[str, str]:
    """Open the guide of the installed version, or a page of it, which is written to a folder.

    Returns as `open_settings_file`.
    """
    path = folder / f"{page or 'octoscope'}.md"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(page_of_guide(page) if page else guide(), encoding="utf-8")
    except OSError as error:
        return "error", f"{printable(path)}: cannot be written ({reason_of(error)})"
    _open(path)
    return "info", f"the guide: {printable(path)}"


def page_of_guide(name: str) -> str:
    """Return a page of the guide."""
    return (importlib.resources.files("octoscope.docs") / f"{name}.md").read_text(encoding="utf-8")


def guide() -> str:
    """Return the pages of the guide as one text, in the order of its navigation."""
    text, *navigation = page_of_guide("index").split("```{toctree}")
    # A name with a slash is a page of the repository that lies outside of the guide.
    names = [name for block in navigation for name in re.findall(r"(?m)^[a-z_]+$", block)]
    return "\n\n".join([text, *map(page_of_guide, names)])


def _open(path: Path) -> None:
    """Open a file with the program that the system knows for it, if there is one."""
    if sys.platform == "win32":
        os.startfile(path)
        return
    opener = shutil.which("open" if sys.platform == "darwin" else "xdg-open")
    if opener is not None:
        nothing = subprocess.DEVNULL
        subprocess.Popen([opener, path], stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
