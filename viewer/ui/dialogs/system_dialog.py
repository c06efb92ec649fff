"""SystemDialog: the operating system's own dialog that chooses a file, in a window of its own.

On Linux it is a program of the desktop: zenity (or a program that takes the same arguments) or kdialog; without them
portal.py, which has the desktop show a dialog. The program is started here rather than by portable-file-dialogs, which
cannot tell a dialog that failed from one that was cancelled, nor take a name that is not UTF-8. Elsewhere
portable-file-dialogs asks the system.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.ui.dialogs import portal

_ZENITY_LIKE = ("zenity", "qarma", "matedialog")
_CANCELLED_STATUS = 1  # of all of them
# Becomes the program after having the kernel kill it when this process ends, whatever ends that: 1 is PR_SET_PDEATHSIG.
_ENDING_WITH_US = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(1, 9)
try:
    if os.getppid() == int(sys.argv[1]):
        os.execv(sys.argv[2], sys.argv[2:])
finally:
    os._exit(127)
"""


class Outcome(Enum):
    """The end of a dialog without paths."""

    CANCELLED = auto()
    FAILED = auto()  # there was no dialog, or it ended before the user did anything


class SystemDialog(Protocol):
    """A dialog that is open. It asks by itself before a file is overwritten."""

    def poll(self) -> tuple[Path, ...] | Outcome | None:
        """Return the absolute paths that were chosen, or how else the dialog ended; None while it is open."""

    def close(self) -> None:
        """Close the dialog; nothing is chosen."""


OpenDialog = Callable[[PathRequest, Path], SystemDialog | None]


def open_system_dialog(request: PathRequest, folder: Path) -> SystemDialog | None:
    """Open the system's dialog for a request, at its suggestion for a new file or else in a folder."""
    start = request.suggestion or folder
    if not sys.platform.startswith("linux"):
        return _LibraryDialog(request, start)
    command = dialog_command(request, start)
    try:
        return None if command is None else _ProgramDialog(command, several=request.several)
    except OSError:
        return None


def dialog_command(request: PathRequest, start: Path) -> list[str] | None:
    """Return the command line of the desktop's dialog, which starts at a path; None if there is no desktop with one."""
    on_kde = "KDE" in os.environ.get("XDG_CURRENT_DESKTOP", "")
    names = ("kdialog", *_ZENITY_LIKE) if on_kde else (*_ZENITY_LIKE, "kdialog")
    program = next((found for name in names if (found := shutil.which(name)) is not None), None)
    writes, filters = request.suggestion is not None, _filters(request.endings)
    if program is None:
        if "DBUS_SESSION_BUS_ADDRESS" not in os.environ:
            return None
        how = "SaveFile" if writes else "OpenFile", request.title, str(start), "several" if request.several else "one"
        return [sys.executable, portal.__file__, *how, *(text for choice in filters for text in choice)]
    if Path(program).name == "kdialog":
        texts = " | ".join(f"{label} ({patterns})" for label, patterns in filters)
        several = ("--multiple", "--separate-output") if request.several else ()
        kind = f"--get{'save' if writes else 'open'}filename"
        return [program, "--title", request.title, *several, kind, str(start), texts]
    return [
        program,
        "--file-selection",
        f"--title={request.title}",
        f"--filename={start}" if writes else f"--filename={start}{os.sep}",
        *(f"--file-filter={label} | {patterns}" for label, patterns in filters),
        *(("--save", "--confirm-overwrite") if writes else ()),
        *(("--multiple", "--separator=\n") if request.several else ()),
    ]


def _filters(endings: Sequence[str]) -> list[tuple[str, str]]:
    """Return the label of each choice of files, and its patterns with blanks between them."""
    patterns = " ".join(f"*{case}" for ending in endings for case in (ending, ending.upper()))
    return [(", ".join(endings), patterns), ("All files", "*")]


class _ProgramDialog:
    """The dialog of a program that prints the chosen path, or paths in lines, and ends with status 0 then."""

    def __init__(self, command: Sequence[str], *, several: bool) -> None:
        self._takes_several = several
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _ENDING_WITH_US, str(os.getpid()), *command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def poll(self) -> tuple[Path, ...] | Outcome | None:
        status = self._process.poll()
        if status is None:
            return None
        printed = self._end()
        if status == _CANCELLED_STATUS:
            return Outcome.CANCELLED
        text = os.fsdecode(printed.removesuffix(b"\n"))
        paths = tuple(map(Path, text.split("\n") if self._takes_several else [text]))
        # zenity prints "(null)" for a name that it cannot print.
        return paths if status == 0 and all(path.is_absolute() for path in paths) else Outcome.FAILED

    def close(self) -> None:
        self._process.kill()
        self._end()

    def _end(self) -> bytes:
        return self._process.communicate()[0]


class _LibraryDialog:
    """A dialog of portable-file-dialogs, which does not tell a failure from a cancelled one."""

    def __init__(self, request: PathRequest, start: Path) -> None:
        from imgui_bundle import portable_file_dialogs as dialogs

        filters = [text for choice in _filters(request.endings) for text in choice]
        kind = dialogs.open_file if request.suggestion is None else dialogs.save_file
        options = dialogs.opt.multiselect if request.several else dialogs.opt.none
        self._dialog = kind(request.title, str(start), filters, options)

    def poll(self) -> tuple[Path, ...] | Outcome | None:
        if not self._dialog.ready(0):
            return None
        result = self._dialog.result()
        paths = [result] if isinstance(result, str) else result
        return tuple(Path(path) for path in paths if path) or Outcome.CANCELLED

    def close(self) -> None:
        self._dialog.kill()
