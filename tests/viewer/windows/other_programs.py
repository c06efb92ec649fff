"""Other programs on the screen of a window: they copy, paste and drag; see x_client.py."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tests.viewer.windows import x_client
from tests.viewer.windows.xvfb import Window


def client_command(*arguments: object) -> list[str]:
    return [sys.executable, x_client.__file__, *map(str, arguments)]


def ask_client(window: Window, *arguments: object) -> str:
    """Run another program on the window's screen, and return what it prints."""
    done = subprocess.run(
        client_command(*arguments), env=window.environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextmanager
def other_client(window: Window, how: str, text: str) -> Iterator[subprocess.Popen]:
    """Another program holds a text on the clipboard meanwhile, or until something else is copied, which ends it."""
    other = subprocess.Popen(client_command(how, text), env=window.environment, stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout.readline().strip() == "copied"
        yield other
    finally:
        other.kill()
        other.wait()
        other.stdout.close()
