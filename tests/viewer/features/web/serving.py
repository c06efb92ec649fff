"""A session for browsers in a test, stepped by the test itself, and connections that do what no page does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import numpy as np
import viser
from websockets.sync.client import ClientConnection, connect

from octoscope.scene import Scene
from octoscope.viewer.features.web.server import WebServer
from octoscope.viewer.features.web.session import WebOptions, WebSession
from tests.viewer.chromium import Page, wait_for

TOKEN = "a-token-for-tests-only"


class Served:
    """A session whose steps run wherever the test waits."""

    def __init__(self, scene: Scene, *, port: int = 0, **options: object) -> None:
        self.scene = scene
        self._is_closed = False
        self.session = WebSession(scene, WebOptions("test", token=TOKEN, port=port, **options))
        self.address = self.session.server.address

    def until(self, is_so: Callable[[], object], what: str):
        """Run steps until something is so; return it."""

        def step():
            self.session.step()
            return is_so()

        return wait_for(step, what)

    def until_connected(self, count: int = 1) -> None:
        """Wait until so many browsers have opened the page, and all of the scene has gone over."""
        viser = self.session.server.viser
        self.until(lambda: len(viser.get_clients()) >= count, f"{count} browsers")
        self.until(lambda: self.session.mirror.is_complete, "the scene to go over")

    def until_picture(self, page: Page, facts: Callable[[np.ndarray], object], expected: object) -> np.ndarray:
        """Wait until the page's picture has some facts, and return it; the last facts are in the error."""
        found: list[object] = [None]
        pictures = []

        def is_so():
            pictures.append(page.picture())
            found[0] = facts(pictures[-1])
            return found[0] == expected

        try:
            self.until(is_so, f"a picture with {expected}")
        except AssertionError:
            raise AssertionError(f"found {found[0]}, expected {expected}; console: {page.console[-3:]}") from None
        return pictures[-1]

    def close(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self.session.close()


def connected(server: WebServer, *, origin: str | None = "", path: str | None = None, **headers: str):
    """Open a WebSocket as the page does; `origin` "": its own, None: none."""
    authority = f"127.0.0.1:{server.port}"
    return connect(
        f"ws://{authority}/{TOKEN if path is None else path}",
        origin=f"http://{authority}" if origin == "" else origin,
        subprotocols=[f"viser-v{viser.__version__}"],
        compression=None,
        close_timeout=1.0,  # for those whose server has ended the connection without a word
        max_size=None,
        additional_headers=headers,
    )


def packed(kind: str, **fields: object) -> bytes:
    """Return a message as a page sends it."""
    return msgspec.msgpack.encode({"type": kind, **fields})


CAMERA = {
    "wxyz": [1.0, 0.0, 0.0, 0.0],
    "position": [0.0, 0.0, -20.0],
    "fov": 0.6,
    "near": 0.001,
    "far": 1000.0,
    "image_height": 300,
    "image_width": 400,
    "look_at": [0.0, 0.0, 0.0],
    "up_direction": [0.0, 1.0, 0.0],
}


@contextmanager
def served_to_one(scene: Scene, **options: object) -> Iterator[tuple[Served, ClientConnection]]:
    """Serve a scene, and open a connection to it that has sent its first camera."""
    served = Served(scene, **options)
    try:
        with connected(served.session.server) as connection:
            connection.send(packed("ViewerCameraMessage", **CAMERA))
            served.until_connected()
            yield served, connection
    finally:
        served.close()


def closes(connection: ClientConnection, seconds: float = 10.0) -> bool:
    """Return whether the server closes a connection."""
    done = threading.Event()

    def read() -> None:
        try:
            while True:
                connection.recv(timeout=seconds)
        except TimeoutError:
            pass
        except Exception:
            done.set()

    reader = threading.Thread(target=read)
    reader.start()
    deadline = time.monotonic() + seconds
    while reader.is_alive() and time.monotonic() < deadline:
        reader.join(0.05)
    return done.is_set()
