"""The window from Python: a script opens it on its scene, is notified of what the user does, and may change the scene.

A window is drawn and worked by the thread that opened it, in one of three ways:

    window.run()       until it is closed; what moves the scene is a callback, or another thread by `window.call`
    window.update()    once; for a script with a loop of its own
    beside a loop      show(scene, block=False): it lives while IPython's prompt waits for keys (%gui octoscope), or a
                       notebook, or another program of asyncio, waits

Callbacks, and what `call` was given, run on that thread, between two frames. What they change in the scene is in the
next picture; an exception that they raise closes the window and leaves `run` or `update`.
"""

from __future__ import annotations

import atexit
import math
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Literal, ParamSpec, TypeVar, overload

import numpy as np

from octoscope.guesses import public
from octoscope.scene import Edit, Nodes, Scene
from octoscope.viewer.app.app import App
from octoscope.viewer.app.contribution import NotebookPart
from octoscope.viewer.app.open_window import GUESSES, OpenWindow, ShownScene
from octoscope.viewer.app.prompt import join_loop
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.features import parts
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.rendering.drawn import Drawn, checked_size, scene_of, takes_size
from octoscope.viewer.window.place import USUAL_SIZE
from octoscope.viewer.window.window import WindowUnavailable, wake

if TYPE_CHECKING:
    from PIL import Image

OnNodes = Callable[[Nodes], object]
OnFrame = Callable[[float], object]
_P = ParamSpec("_P")
_T = TypeVar("_T")

_SHORTEST_FRAME_SECONDS = 1.0 / 120.0  # as nothing else limits it
_LOOK_SECONDS = 1.0 / 30.0  # between two looks at the scene, which other threads may change
_MOVING_COLUMNS = frozenset(("translation", "rotation", "scale", "parent"))


@public(
    instead={
        **GUESSES,
        **dict.fromkeys(("on_click", "on_pick"), "window.run(on_select=...), or octoscope.show(scene, on_select=...)"),
        **dict.fromkeys(("render", "save", "screenshot"), "window.take_picture().save(path)"),
        **dict.fromkeys(("size", "title"), "it is chosen when the window is made: Window(scene, title=..., size=...)"),
        "show": "window.run(), or window.update() in a loop of your own",
    },
)
class Window(OpenWindow):
    """A window on a scene. It opens with the whole scene in the picture, and is shown by `run` or `update`.

    Args:
        scene: to show; or the path of a file; or what open_tileset returns, which then streams.
        title: name of the scene; None: the name of its first file.
        size: logical pixels.
        watch: whether to read files again that change on disk.

    Raises:
        WindowUnavailable: there is no display, or no OpenGL 3.3 on it; the message is one line that says why.
    """

    _keeps_work = False  # it is the script's

    @takes_size
    def __init__(
        self, scene: Drawn, *, title: str | None = None, size: tuple[int, int] = USUAL_SIZE, watch: bool = False
    ) -> None:
        size = checked_size(size)
        shown, streamed = scene_of(scene)
        options = DocumentOptions(
            _title_of(shown, title), watch=watch, can_leave=False, keeps_work=self._keeps_work, streamed=streamed
        )
        self._app = App(shown, options, size=size)
        super().__init__(self._app.session.context)
        self._is_open = True
        self._thread = threading.get_ident()
        self._is_stepping = False
        self._calls: deque[tuple[Future, Callable[[], object]]] = deque()  # of `call`, oldest first
        self._calls_lock = threading.Lock()  # what comes when the window is closed is cancelled, too
        self._begin: float | None = None
        self._last_frame = -math.inf
        self._on_frame: OnFrame | None = None
        self._on_select: OnNodes | None = None
        self._on_transform: OnNodes | None = None
        self._moved: list[np.ndarray] = []  # ids that edits have moved since on_transform was called
        self._told_selection = self._editor.selected_ids
        self._app.view.update()
        self._app.view.framing.look_first()
        self._seen = self._shown()
        self.history.listeners.append(self._note_edit)
        _open_windows.append(self)

    def take_picture(self, *, transparent: bool = False) -> Image.Image:
        """Return the picture of the scene without panels and outlines; to be called before `run`, or in a callback.

        Args:
            transparent: True leaves out the background.

        Returns:
            An RGB image, or RGBA if it is transparent; numpy.asarray(image) is (height, width, 3 or 4) uint8.

        Raises:
            DrawError: the scene is too much for the graphics card.
            ValueError: the window was closed.
        """
        from PIL import Image  # only here: the window itself does without it

        self._require_open()
        return Image.fromarray(self._app.take_picture(transparent=transparent))

    @property
    def is_open(self) -> bool:
        """False once it was closed, by the person or by `close`."""
        return self._is_open

    def close(self) -> None:
        """Close the window without asking about unsaved changes, after the callback that calls this if there is one.

        May be called on any thread, and again.
        """
        if threading.get_ident() != self._thread:
            self.call(self.close)
        elif self.is_open:
            self._app.end()
            if not self._is_stepping:
                self._finish()

    def run(
        self, *, on_frame: OnFrame | None = None, on_select: OnNodes | None = None, on_transform: OnNodes | None = None
    ) -> None:
        """Show the window until it is closed.

        Args:
            on_frame: called before each frame with the seconds since the first call.
            on_select: called with the selected nodes when the selection has changed.
            on_transform: called with the nodes whose transform or parent edits have changed since the last frame: each
                step of a drag, typed numbers, undo and redo; not by assignments of a script.

        Raises:
            DrawError: the scene is too much for the graphics card.
            RuntimeError: called on another thread than the one that opened the window, or by a callback of the window.
            ValueError: the window was closed.
            Exception: whatever a callback raises; the window is closed then.
        """
        self._require_open()
        self._tell_of(on_frame, on_select, on_transform)
        while self.update(_LOOK_SECONDS if on_frame is None else _SHORTEST_FRAME_SECONDS / 2.0):
            pass

    def update(self, wait_seconds: float = 0.0) -> bool:
        """Handle what the person did, and draw what has changed, once; to be called again and again.

        Between two calls the window stands still. A script that computes for long calls this in between, or computes on
        another thread and uses `run` and `call`.

        Args:
            wait_seconds: how long to wait at most for something to happen, while there is nothing to draw.

        Returns:
            whether the window is open; nothing happens once it was closed.

        Raises:
            Exception: those of `run`.
        """
        if threading.get_ident() != self._thread:
            raise RuntimeError("a window is updated by the thread that opened it; other threads use window.call")
        if self._is_stepping:
            raise RuntimeError("a window is not updated by its own callbacks")
        if not self.is_open:
            return False
        self._script.end_edit()
        self._is_stepping = True
        try:
            goes_on = self._app.step(self._call_back, wait_seconds)
        except BaseException:
            self._finish()
            raise
        finally:
            self._is_stepping = False
        self._seen = self._shown()
        if not goes_on:
            self._finish()
            self._tell()  # of the last frame
        return goes_on

    def call(self, function: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Have the window's thread call a function before its next frame; may be called on any thread.

        This is how a simulation on another thread changes the scene: functions are called in their order, never while
        the scene is drawn. A thread that waits for the result (`.result()`) keeps step with the window; one that does
        not may be ahead of it.

        Returns:
            what becomes the function's result; it is cancelled if the window was closed before. An exception of the
            function is there as well, and closes the window, as those of callbacks do.
        """
        future: Future[_T] = Future()

        def run() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(function(*args, **kwargs))
            except BaseException as error:
                future.set_exception(error)
                raise

        with self._calls_lock:
            if not self.is_open:
                future.cancel()
            elif threading.get_ident() != self._thread:
                self._calls.append((future, run))
        if threading.get_ident() == self._thread:
            run()  # whoever waited for the result would wait for ever
        else:
            wake()
        return future

    def _take_calls(self) -> None:
        for _ in range(len(self._calls)):
            _, run = self._calls.popleft()
            run()

    def _finish(self) -> None:
        with self._calls_lock:
            self._is_open = False
        for future, _ in self._calls:
            future.cancel()
        self._calls.clear()
        _open_windows.remove(self)
        self.history.listeners.remove(self._note_edit)
        self._app.close()

    def _require_open(self) -> None:
        if not self.is_open:
            raise ValueError("this window was closed; open another")

    def _tell_of(self, on_frame: OnFrame | None, on_select: OnNodes | None, on_transform: OnNodes | None) -> None:
        for name, callback in {"on_frame": on_frame, "on_select": on_select, "on_transform": on_transform}.items():
            if not (callback is None or callable(callback)):
                raise TypeError(f"{name}: a function is needed, not {callback!r}")
        self._on_frame, self._on_select, self._on_transform = on_frame, on_select, on_transform
        self._moved = []

    def _note_edit(self, edit: Edit) -> None:
        self._moved += [change.ids for change in edit.changes if change.column in _MOVING_COLUMNS]

    def _call_back(self) -> None:
        """Run the callbacks, and request another picture if the scene has changed."""
        was_stale = self.scene.is_stale
        self._take_calls()
        self._tell()
        now = time.perf_counter()
        self._begin = now if self._begin is None else self._begin
        if self._on_frame is not None and now - self._last_frame >= _SHORTEST_FRAME_SECONDS:
            self._last_frame = now
            self._on_frame(now - self._begin)
        if was_stale or self.scene.is_stale or self._shown() != self._seen:
            self._app.view.redraw.request(Damage.SCENE)

    def _shown(self) -> tuple[object, ...]:
        scene = self.scene
        return scene.world_revision, scene.names_revision, len(scene.materials), scene.up_axis

    def _tell(self) -> None:
        """Call on_select and on_transform if something happened since the last time."""
        selected = self._editor.selected_ids
        if selected is not self._told_selection:
            self._told_selection = selected
            if self._on_select is not None:
                self._on_select(Nodes(self.scene, selected))
        moved, self._moved = self._moved, []
        if moved and self._on_transform is not None:
            ids = np.unique(np.concatenate(moved))
            ids = ids[self.scene.alive[ids]]
            if len(ids):
                self._on_transform(Nodes(self.scene, ids))


_open_windows: list[Window] = []


@atexit.register
def _close_open_windows() -> None:
    """Close what a script has left open, so that settings are kept."""
    for window in _open_windows[:]:
        window.close()


def _update_open_windows(wait_seconds: float) -> bool:
    """Update the windows of this thread, and return whether there is one."""
    mine = [window for window in _open_windows if window._thread == threading.get_ident()]
    for window in mine:
        window.update(wait_seconds / len(mine))
    return bool(mine)


@overload
def show(
    scene: Drawn,
    *,
    block: Literal[False],
    title: str | None = None,
    size: tuple[int, int] = USUAL_SIZE,
    watch: bool = False,
    on_frame: OnFrame | None = None,
    on_select: OnNodes | None = None,
    on_transform: OnNodes | None = None,
) -> Window: ...
@overload
def show(
    scene: Drawn,
    *,
    title: str | None = None,
    size: tuple[int, int] = USUAL_SIZE,
    watch: bool = False,
    on_frame: OnFrame | None = None,
    on_select: OnNodes | None = None,
    on_transform: OnNodes | None = None,
    where: Literal["window", "page"] = "window",
    block: Literal[True] = True,
) -> None: ...
@overload
def show(
    scene: Drawn, *, where: Literal["notebook"], title: str | None = None, size: tuple[int, int] = USUAL_SIZE
) -> ShownScene: ...
@takes_size
def show(
    scene: Drawn,
    *,
    title: str | None = None,
    size: tuple[int, int] = USUAL_SIZE,
    watch: bool = False,
    on_frame: OnFrame | None = None,
    on_select: OnNodes | None = None,
    on_transform: OnNodes | None = None,
    where: Literal["window", "notebook", "page"] = "window",
    block: bool = True,
) -> Window | ShownScene | None:
    """Show a scene in a window until it is closed; edits made in the window are then in the scene.

    With block=False the call returns the window at once, for a script that calls its `update` in a loop of its own. In
    IPython in a terminal the window lives by itself while the prompt waits for keys, as after `%gui octoscope`; in a
    notebook, whose kernel must have a display, between two cells; and in other programs of asyncio while these wait.

    With where="notebook" it is shown in the cell of a Jupyter notebook, of the size's height; the call returns at once,
    and edits made there are in the scene when the next cell runs. What is returned takes buttons and sliders of a
    script. With where="page" the cell holds the page of `scene.to_html()`: it edits nothing, needs no kernel, and is
    kept in the saved notebook. Callbacks are for windows alone.

    Other arguments, and errors, are those of Window and Window.run.

    Raises:
        RuntimeError: where="notebook" or "page" outside of a notebook, or "notebook" without octoscope[web]; the
            message is one line.
        ValueError: there is no such place, or a callback was given for a notebook.
    """
    for part in parts(NotebookPart) if where != "window" else ():
        if part.where == where:
            if watch or on_frame or on_select or on_transform or not block:
                raise ValueError(f"watch, block and callbacks are for windows, not for where={where!r}")
            shown, streamed = scene_of(scene)
            if streamed is not None:
                raise ValueError(f"a streamed scene is shown in a window, not with where={where!r}")
            made = part.show(shown, title=_title_of(shown, title), height=size[1])
            return made if isinstance(made, ShownScene) else None
    try:
        window = Window(scene, title=title, size=size, watch=watch)
    except WindowUnavailable as error:
        raise WindowUnavailable(
            f"{error}; where='notebook' or 'page' shows it in a notebook, and render() needs none"
        ) from None
    if block:
        window.run(on_frame=on_frame, on_select=on_select, on_transform=on_transform)
        return None
    window._tell_of(on_frame, on_select, on_transform)
    window.update()
    join_loop(_update_open_windows)
    return window


def _title_of(scene: Scene, title: str | None) -> str:
    return title or (scene.sources[0].name if scene.sources else "scene")
