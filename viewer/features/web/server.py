"""WebServer: a viser server behind a guard, and its address; the token in that address."""

from __future__ import annotations

import atexit
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import rich
import viser

from octoscope.scene import SaveError
from octoscope.scene.system.atomic_file import atomic_file
from octoscope.scene.system.quiet import ignore_for_good
from octoscope.scene.system.text_file import printable
from octoscope.viewer.features.web.guard import Guard, guarding, is_loopback

LOOPBACK = "127.0.0.1"
_TOKEN_FILE = "web-token"
_TOKEN_BYTES = 24
_SHORTEST_TOKEN = 16  # characters


class ServerUnavailable(RuntimeError):
    """The server cannot be started; the message is one line that says why."""


def kept_token(folder: Path) -> str:
    """Return the user's token, kept in a folder's file that nobody else can read, or else one of this start alone.

    So a page that is open in a browser finds the server again after it was started anew.
    """
    path = folder / _TOKEN_FILE
    try:
        token = path.read_text(encoding="ascii").strip()
        is_private = path.stat().st_mode & 0o077 == 0
    except (OSError, ValueError):
        token, is_private = "", False
    if is_private and len(token) >= _SHORTEST_TOKEN and token.replace("-", "").replace("_", "").isalnum():
        return token
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.touch(mode=0o600)
        with atomic_file(path) as file:  # keeps the mode
            file.write(token.encode())
    except (OSError, SaveError):
        pass  # this start's alone
    return token


class WebServer:
    """A server for browsers; port 0 takes any that is free. ServerUnavailable says why there can be none."""

    def __init__(self, host: str, port: int, token: str, label: str) -> None:
        try:
            family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
            listener = socket.create_server((host, port), family=family)
        except UnicodeError:  # an empty label, or a long one
            raise ServerUnavailable(f"--host: '{printable(host)}' is no name of a machine") from None
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror
            raise ServerUnavailable(
                f"{printable(host)}, port {port}: {reason}; --port 0 takes any port that is free"
            ) from None
        self.port: int = listener.getsockname()[1]
        self._host = host
        self._token = token
        self._guard = Guard(token, is_local=is_loopback(host))
        # Browsers leave at any moment.
        ignore_for_good("Queued a .* on a closed connection")
        with guarding(self._guard, listener, f"{label} - Octoscope") as begun, _quiet():
            self.viser = viser.ViserServer(host, self.port, label=label, verbose=False)
        atexit.unregister(self.viser.stop)  # it prints
        atexit.register(self.stop)
        if not begun:  # never serve without the guard
            self.stop()
            raise ServerUnavailable("this version of viser cannot be guarded; install the one in constraints.txt")

    @property
    def address(self) -> str:
        """The address for a browser on this machine, or on another one where the host is no loopback address."""
        host = socket.gethostname() if self._host in ("0.0.0.0", "::", "") else self._host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}/{self._token}/"

    def stop(self) -> None:
        """Close all connections and the port; done at the end of the process, if not before."""
        atexit.unregister(self.stop)
        with _quiet():
            self._guard.drop_all()
            self.viser.stop()  # waits for its thread, which prints at its end


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep viser, which announces itself by rich, from printing."""
    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before
