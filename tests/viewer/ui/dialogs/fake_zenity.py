"""A program called zenity for tests: it writes its arguments to a file, and ends as another file tells it to."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

_SCRIPT = """#!/bin/sh
cd "$(dirname "$0")"
rm -f answer
echo $$ > pid
printf '%s\\n' "$@" > asked.part
mv asked.part asked
while [ ! -e answer ]; do sleep 0.02; done
. ./answer
"""


class FakeZenity:
    """A folder for PATH with a program called zenity, which works one dialog at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        program = folder / "zenity"
        program.write_text(_SCRIPT)
        program.chmod(0o755)

    @property
    def asked(self) -> list[str]:
        """The arguments of the dialog that is open; empty where none was opened since the last answer."""
        path = self.folder / "asked"
        return path.read_text(errors="surrogateescape").splitlines() if path.exists() else []

    @property
    def pid(self) -> int:
        return int((self.folder / "pid").read_text())

    def is_running(self) -> bool:
        """Return whether the last dialog's process is there."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        return True

    def answer(self, path: str | Path | bytes = "", status: int = 0) -> None:
        """Print a path, if one is given, and end with a status."""
        (self.folder / "asked").unlink()
        text = path.decode(errors="surrogateescape") if isinstance(path, bytes) else str(path)
        printing = f"printf '%s\\n' {shlex.quote(text)}\n" if text else ""
        part = self.folder / "answer.part"
        part.write_text(f"{printing}exit {status}\n", errors="surrogateescape")
        part.rename(self.folder / "answer")
