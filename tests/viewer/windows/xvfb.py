"""The program in a window as a person has it: a subprocess on an X server of its own, worked by mouse and keys.

Nothing here waits by sleeping alone: every wait polls for a condition until a generous deadline. The server writes
its screen to a file, which is where the pictures come from.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np

from octoscope.octree.jit.builder import compile_the_rest
from octoscope.viewer.settings.config import FOLDER_VARIABLE, WindowState, read_window_state, save_window_state

DEADLINE_SECONDS = 40.0  # for anything: a shared machine may stand still for a while, and a failure costs one wait
_SCREEN_SIZE = (1440, 760)
_POLL_SECONDS = 0.03
_STEADY_READS = 3
# No axes in the corner, whose colours are those of the boxes that tests look for, and no cameras on their way.
PLAIN = {"view.axes": False, "view.smooth": False, "help.first_steps": False}
_DRAG_STEPS = 4

Point = tuple[int, int]
_T = TypeVar("_T")


def missing_tools() -> list[str]:
    """The programs that these tests need and this machine lacks."""
    return [tool for tool in ("Xvfb", "xdotool") if shutil.which(tool) is None]


def program(*arguments: object) -> list[str]:
    """The command line of the console script that belongs to this Python, or of the function that it calls."""
    script = Path(sys.executable).with_name("octoscope")
    in_python = [sys.executable, "-c", "from octoscope.viewer.cli import main; raise SystemExit(main())"]
    return [*([str(script)] if script.exists() else in_python), *map(str, arguments)]


def wait_for(condition: Callable[[], _T], what: str, seconds: float = DEADLINE_SECONDS) -> _T:
    """Poll until the condition is true and return its value.

    Raises:
        AssertionError: it was not within the time.
    """
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited {seconds:.0f} s in vain for {what}"
        time.sleep(_POLL_SECONDS)
    return value


def close_to(picture: np.ndarray, color: Sequence[int], tolerance: int) -> np.ndarray:
    """(h, w) bool: where a picture has a colour, give or take the tolerance in each channel."""
    low, high = (np.clip(np.array(color) + side * tolerance, 0, 255).astype(np.uint8) for side in (-1, 1))
    # A channel at a time: an axis of three to reduce over costs many times as much.
    red, green, blue = ((picture[..., k] >= low[k]) & (picture[..., k] <= high[k]) for k in range(3))
    return red & green & blue


def is_working(process: subprocess.Popen) -> bool:
    """Tell whether a thread of a process runs, wants to, or waits for a disk; one that sleeps until called does not."""
    states = []
    for path in Path(f"/proc/{process.pid}/task").glob("*/stat"):
        with suppress(OSError):  # the thread has just ended
            states.append(path.read_text().rpartition(")")[2].split()[0])
    return not {*states}.isdisjoint("RD")


class Screen:
    """An X server without a monitor, and without a window manager: keys go to the window under the pointer."""

    def __init__(self, screen_size: tuple[int, int] = _SCREEN_SIZE) -> None:
        compile_the_rest()  # the program would do it beside the first window
        self._folder = Path(tempfile.mkdtemp(prefix="octoscope-screen-"))
        size = "x".join(map(str, screen_size))
        arguments = ["-displayfd", "1", "-screen", "0", f"{size}x24", "-fbdir", str(self._folder), "-nolisten", "tcp"]
        # Without -noreset the server starts over whenever its last client leaves, be it an xdotool, and a program
        # that comes at that moment is turned away.
        self._server = subprocess.Popen(
            ["Xvfb", "-noreset", *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True
        )
        # The server picks a number that is free, and says which once it answers.
        self.display = f":{self._server.stdout.readline().decode().strip()}"
        assert self.display != ":", "Xvfb did not start"
        config = self._folder / "config"
        save_window_state(config, WindowState(panels=False, settings=PLAIN))
        self.environment = {**os.environ, "DISPLAY": self.display, FOLDER_VARIABLE: str(config)}

    def close(self) -> None:
        self._server.terminate()  # killed, it would leave its lock behind
        try:
            self._server.wait(timeout=10.0)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        self._server.stdout.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def xdotool(self, *arguments: object) -> str:
        """Run xdotool with commands that may be chained; what it prints, nothing when it fails."""
        done = subprocess.run(
            ["xdotool", *map(str, arguments)], env=self.environment, capture_output=True, text=True, timeout=60
        )
        return done.stdout.strip() if done.returncode == 0 else ""

    def ask_to_close(self, window: str) -> None:
        """Send what the cross in a title bar sends; xdotool learned that only in 2021."""
        from pyglet.libs.x11 import xlib  # only here: it fails where there is no X, and where the tests are skipped

        display = xlib.XOpenDisplay(self.display.encode())
        event = xlib.XEvent()
        event.xclient.type = xlib.ClientMessage
        event.xclient.window = int(window)
        event.xclient.message_type = xlib.XInternAtom(display, b"WM_PROTOCOLS", False)
        event.xclient.format = 32
        event.xclient.data.l[0] = xlib.XInternAtom(display, b"WM_DELETE_WINDOW", False)
        xlib.XSendEvent(display, int(window), False, 0, event)
        xlib.XCloseDisplay(display)

    @property
    def server_pid(self) -> int:
        return self._server.pid

    @property
    def is_working(self) -> bool:
        """True while the server handles what a program has sent, or what is sent to a program."""
        return is_working(self._server)

    def contents(self) -> bytes:
        """Return the screen as it is now, in the format of xwd; it may be in the middle of a change."""
        return (self._folder / "Xvfb_screen0").read_bytes()

    def picture(self, data: bytes | None = None) -> np.ndarray:
        """(h, w, 3) uint8: the screen's contents, now or as they were read before."""
        data = self.contents() if data is None else data
        header = np.frombuffer(data, ">u4", 25)
        header_size, width, height, bytes_per_line, colors = header[[0, 4, 5, 12, 19]].astype(int)
        rows = np.frombuffer(data, np.uint8, height * bytes_per_line, offset=header_size + 12 * colors)
        return rows.reshape(height, bytes_per_line // 4, 4)[:, :width, 2::-1]  # blue, green, red, unused


class Window:
    """The program with its window, at the top left of its own screen. Points are pixels of the window."""

    def __init__(
        self,
        screen: Screen,
        command: Sequence[str],
        folder: Path,
        config: Path | None = None,
        dialogs: Path | None = None,
    ) -> None:
        self._screen = screen
        environment = screen.environment | ({} if config is None else {FOLDER_VARIABLE: str(config)})
        _complete_settings(Path(environment[FOLDER_VARIABLE]), system_dialogs=dialogs is not None)
        if dialogs is not None:
            environment |= {"PATH": f"{dialogs}:{environment['PATH']}", "XDG_CURRENT_DESKTOP": ""}
        self._errors = tempfile.TemporaryFile("w+")  # noqa: SIM115  (closed with the window)
        self.process = subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            start_new_session=True,
            # Tests that run in the background of a shell inherit an ignored SIGINT; a person's program does not.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        self.last_click: Point | None = None
        self.id = wait_for(self._find, "the window")
        self._screen.xdotool("windowmove", self.id, 0, 0)

    def _find(self) -> str:
        assert self.process.poll() is None, f"the program ended by itself:\n{self.errors}"
        return self._screen.xdotool("search", "--onlyvisible", "--name", "Octoscope")

    @property
    def errors(self) -> str:
        """The program's standard error until now."""
        self._errors.seek(0)
        return self._errors.read()

    @property
    def title(self) -> str:
        return self._screen.xdotool("getwindowname", self.id)

    @property
    def size(self) -> tuple[int, int]:
        lines = self._screen.xdotool("getwindowgeometry", "--shell", self.id).splitlines()
        values = dict(line.split("=") for line in lines)
        return int(values["WIDTH"]), int(values["HEIGHT"])

    def rest(self) -> None:
        """Wait until all that was sent so far was handled, and is seen.

        Then neither the program nor the server has anything to do, and the picture stays the same for a few looks. A
        program that is slow, or has to wait for a processor, does not rest.
        """
        self._contents_at_rest()

    def picture(self) -> np.ndarray:
        """(h, w, 3) uint8: what the window shows once it rests."""
        width, height = self.size
        return self._screen.picture(self._contents_at_rest())[:height, :width]

    def _contents_at_rest(self) -> bytes:
        last, steady = self._screen.contents(), 0
        deadline = time.monotonic() + DEADLINE_SECONDS
        while steady < _STEADY_READS:
            assert time.monotonic() < deadline, "the window does not come to rest"
            time.sleep(_POLL_SECONDS)
            rests = not (is_working(self.process) or self._screen.is_working)
            now = self._screen.contents()
            steady = steady + 1 if rests and now == last else 0
            last = now
        return last

    def shown(self) -> np.ndarray:
        """(h, w, 3) uint8: what the window shows now, be it in the middle of a change."""
        width, height = self.size
        return self._screen.picture()[:height, :width]

    # Mouse and keys. The window handles events in their order, whenever it finds the time: see Window.rest.

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables for other programs on the same screen."""
        return self._screen.environment

    def move(self, point: Point) -> None:
        self._screen.xdotool("mousemove", *point)

    def click(self, point: Point, times: int = 1, modifier: str = "") -> None:
        """Click, with a key held: shift, ctrl or alt."""
        self.last_click = point
        self._screen.xdotool("mousemove", *point, *_held(modifier, ("mousedown", 1, "mouseup", 1) * times))

    def drag(self, *points: Point, button: int = 1, modifier: str = "", pause_seconds: float = 0.0) -> None:
        """Press at the first point, move in some steps to the others, release; with a key held, with time between."""
        rest = ["sleep", pause_seconds] if pause_seconds else []
        moves: list[object] = [*rest]
        for start, end in pairwise(points):
            for x, y in np.linspace(start, end, _DRAG_STEPS + 1).round().astype(int)[1:]:
                moves += ["mousemove", x, y, *rest]
        moves = ["mousemove", *points[0], "mousedown", button, *moves, "mouseup", button]
        self._screen.xdotool(*_held(modifier, moves))

    @contextmanager
    def held_button(self, point: Point, button: int) -> Iterator[None]:
        """A mouse button is down meanwhile, pressed at a point."""
        self._screen.xdotool("mousemove", *point, "mousedown", button)
        try:
            yield
        finally:
            self._screen.xdotool("mouseup", button)

    @contextmanager
    def held_keys(self, *keys: str) -> Iterator[None]:
        """Keys are down meanwhile, by their X names."""
        self._screen.xdotool("keydown", *keys)
        try:
            yield
        finally:
            self._screen.xdotool("keyup", *keys)

    def scroll(self, point: Point, steps: int) -> None:
        """Turn the wheel over a point; above 0 is away from the person."""
        button = 4 if steps > 0 else 5
        self._screen.xdotool("mousemove", *point, "click", "--repeat", abs(steps), "--delay", 5, button)

    def press(self, *keys: str) -> None:
        """Press and release keys by their X names, such as Home, F1 or ctrl+q."""
        self._screen.xdotool("key", *keys)

    def type(self, text: str) -> None:
        """Type a text, any characters."""
        self._screen.xdotool("type", text)

    def focus(self) -> None:
        """Give it the keys wherever the pointer is, as a window manager does."""
        self._screen.xdotool("windowfocus", "--sync", self.id)

    def resize(self, width: int, height: int) -> None:
        # The pointer stays in the window, for that is where keys go.
        self._screen.xdotool("mousemove", width // 2, height // 2, "windowsize", self.id, width, height)
        wait_for(lambda: self.size == (width, height), "the new size")

    def ask_to_close(self) -> None:
        self._screen.ask_to_close(self.id)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Stop the program meanwhile, so that it gets all events at once afterwards, as after a slow frame."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    # The end.

    def wait_for_exit(self) -> int:
        return self.process.wait(timeout=DEADLINE_SECONDS)

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def cpu_seconds(self) -> float:
        """Time that the process has spent on the processor, with its system calls."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._errors.close()


def _complete_settings(config: Path, *, system_dialogs: bool) -> None:
    """Add to the config.toml in a folder what the test has not chosen.

    No test opens dialogs of the system that it runs on, unless it brings its own; a picture that is drawn is final. The
    card of first steps has been seen, but where a test says otherwise.
    """
    state = read_window_state(config)[0]
    state.settings.setdefault("help.first_steps", False)
    save_window_state(config, state)
    path = config / "config.toml"
    text = path.read_text() if path.exists() else ""
    config.mkdir(parents=True, exist_ok=True)
    for name, value in (("system_dialogs", str(system_dialogs).lower()), ("quality", '"constant"')):
        if name not in text:
            text = f"{name} = {value}\n{text}"
    path.write_text(text)


def _held(modifier: str, commands: Sequence[object]) -> list[object]:
    """xdotool's commands with a key held meanwhile, if one is given."""
    return ["keydown", modifier, *commands, "keyup", modifier] if modifier else list(commands)


@contextmanager
def open_window(
    *arguments: object,
    folder: Path,
    config: Path | None = None,
    script: Path | None = None,
    dialogs: Path | None = None,
    screen_size: tuple[int, int] = _SCREEN_SIZE,
) -> Iterator[Window]:
    """Start the program in a window; in the end the program goes first, for Xlib aborts when its server goes.

    Args:
        folder: where it runs. config: its configuration's folder; None: one in which nothing was ever kept but that
            the panels and the axes in the corner are hidden, so that the picture is all of the window.
        script: of Python, which opens the window, in place of the program.
        dialogs: folder with a "zenity" that the program is to use; None: it uses no dialogs but its own.
        screen_size: pixels.
    """
    screen = Screen(screen_size)
    try:
        command = program(*arguments) if script is None else [sys.executable, str(script), *map(str, arguments)]
        window = Window(screen, command, folder, config, dialogs)
        try:
            yield window
        finally:
            window.close()
    finally:
        screen.close()
