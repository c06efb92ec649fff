"""A headless Chromium for tests, driven by its DevTools protocol: pages, screenshots, clicks, drags."""

import base64
import io
import itertools
import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
from PIL import Image

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_SECONDS = 60.0  # software rendering on a busy machine
# The page says that drawing without a graphics card is slow; that would lie over the picture.
_WITHOUT_NOTICES = """
new MutationObserver(() => document.querySelectorAll('[class*="Notifications-root"]').forEach(each => each.remove()))
    .observe(document, {childList: true, subtree: true});
"""
SIZE = (760, 400)


class Page:
    """A page in a Chromium."""

    def __init__(self, address: str) -> None:
        from websockets.sync.client import connect

        self._connection = connect(address, max_size=None, compression=None)
        self._numbers = itertools.count(1)
        self.console: list[str] = []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)

    def call(self, method: str, **parameters):
        number = next(self._numbers)
        self._connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._connection.recv(timeout=_SECONDS))
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]
            if message.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
                self.console.append(json.dumps(message["params"])[:1000])

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)

    def evaluate(self, expression: str):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def picture(self) -> np.ndarray:
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        with Image.open(io.BytesIO(data)) as image:
            return np.array(image.convert("RGB"))

    def mouse(self, kind: str, x: float, y: float, *, held: bool = False, modifiers: int = 0) -> None:
        button = "none" if kind == "mouseMoved" and not held else "left"
        self.call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button=button,
            buttons=int(held),
            clickCount=int(kind != "mouseMoved"),
            modifiers=modifiers,
        )

    def click(self, x: float, y: float, *, modifiers: int = 0) -> None:
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, held=True, modifiers=modifiers)
        self.mouse("mouseReleased", x, y, modifiers=modifiers)

    def touch(self, kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)

    def drag(self, begin: tuple[float, float], end: tuple[float, float], steps: int = 8, *, modifiers: int = 0) -> None:
        begin, end = (tuple(map(float, place)) for place in (begin, end))
        self.mouse("mouseMoved", *begin)
        self.mouse("mousePressed", *begin, held=True, modifiers=modifiers)
        for share in np.linspace(0.0, 1.0, steps):
            place = (np.array(begin) * (1 - share) + np.array(end) * share).tolist()
            self.mouse("mouseMoved", *place, held=True, modifiers=modifiers)
        self.mouse("mouseReleased", *end, modifiers=modifiers)

    def close(self) -> None:
        self._connection.close()


class Chromium:
    """A running Chromium with a profile of its own."""

    def __init__(self, profile: Path) -> None:
        self._process = subprocess.Popen(
            [
                str(PROGRAM),
                "--headless=new",
                "--no-sandbox",
                "--remote-debugging-port=0",
                f"--user-data-dir={profile}",
                f"--window-size={SIZE[0]},{SIZE[1]}",
                "--hide-scrollbars",
                "--use-angle=swiftshader",
                "--enable-unsafe-swiftshader",
                "--ignore-gpu-blocklist",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        place = profile / "DevToolsActivePort"
        wait_for(lambda: place.exists() and place.read_text().count("\n") > 0, "Chromium to start")
        self._port = int(place.read_text().split()[0])
        self.pages: list[Page] = []

    def new_page(self, address: str) -> Page:
        request = urllib.request.Request(f"http://127.0.0.1:{self._port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=_SECONDS) as response:
            page = Page(json.load(response)["webSocketDebuggerUrl"])
        self.pages.append(page)
        page.call("Page.addScriptToEvaluateOnNewDocument", source=_WITHOUT_NOTICES)
        width, height = SIZE
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        page.open(address + "?fixedDpr=1")  # else the page lowers its resolution where drawing is slow
        return page

    def close_pages(self) -> None:
        for page in self.pages:
            with suppress(Exception):
                page.call("Page.close")
            page.close()
        self.pages = []

    def close(self) -> None:
        self.close_pages()
        self._process.terminate()
        self._process.wait(timeout=_SECONDS)


@contextmanager
def running_chromium() -> Iterator[Chromium]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        chromium = Chromium(Path(folder))
        try:
            yield chromium
        finally:
            chromium.close()


def wait_for(is_so: Callable[[], object], what: str, *, seconds: float = _SECONDS):
    """Return the first true answer; poll until then."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        answer = is_so()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds:g} s for {what}")
