"""App: a window on a scene. It owns the parts and runs the stages of a frame; nothing is redrawn for no reason.

The stages:
    events     the window's events become intents
    navigate   intents move the camera, pick, and switch things
    load       files that were read meanwhile join the scene
    update, index, cull, frame    (View) what is seen becomes a FrameData
    render     the renderer draws it
    panels     the heads-up panels are drawn over it
"""

from __future__ import annotations

import time

import moderngl_window
import numpy as np

from scene import Scene, SpatialIndex
from scene.files import BackgroundReader
from scene.text_file import printable
from viewer import navigation
from viewer.commands import Command, view_commands
from viewer.input import Click, Input, Intent, KeyPress, Orbit, Pan, Zoom
from viewer.open_files import OpenFiles
from viewer.renderer import Renderer
from viewer.ui.hud import Hud, HudState, figures_of, status_of
from viewer.ui.imgui_backend import ImguiBackend
from viewer.view import View

_IDLE_SECONDS = 0.004
_PROGRESS_SECONDS = 0.1  # between two looks at a loading bar: the rest of the time is the reader's
_PANEL_SETTLES = 6  # imgui lays out changes over two frames, and takes a click's press and release in two more
_READING_SHARE = 4.0  # times as long as a picture takes, reading has the machine to itself between two of them
_SMALLEST_WINDOW = (480, 320)
_MOUSE_SHEET = (
    ("left drag", "orbit"),
    ("middle or right drag, Shift + left drag", "pan"),
    ("wheel", "zoom to the cursor"),
    ("click", "select; on nothing: select nothing"),
)


class WindowUnavailable(Exception):
    """No window can be opened here; the message is one line that says why."""


class App:
    """The window program.

    Args:
        scene, index: what is shown.
        title: names the scene in the window's title.
        reader: files still being read, or None.
        watch: whether files that change on disk are read again.
        size: of the window, logical pixels.

    Raises:
        WindowUnavailable: there is no display, or no OpenGL 3.3 on it.
    """

    def __init__(
        self,
        scene: Scene,
        index: SpatialIndex,
        *,
        title: str,
        reader: BackgroundReader | None = None,
        watch: bool = True,
        size: tuple[int, int] = (1280, 720),
    ) -> None:
        self._window = _open_window(size)
        self._title = title
        self._files = OpenFiles(scene, reader, watch=watch)
        self.view = View(scene, index)
        self._renderer = Renderer(self._window.ctx)
        self._imgui = ImguiBackend(self._window.ctx)
        self._hud = Hud()
        self._input = Input(self._window, self._imgui, self._hud.covers)
        self._commands = (*view_commands(self.view, lambda: self._window.size), *self._window_commands())
        self._show_keys = False
        self._show_figures = True
        self._dismissed: set[str] = set()
        self._notes = self._files.notes
        self._messages = self._undismissed_messages()
        self._camera_untouched = True
        self._picture_stale = True
        self._picture_behind = False  # of what was read; redrawn now and then while reading goes on
        self._next_picture = 0.0
        self._pictures_drawn = 0
        self._panel_frames = _PANEL_SETTLES
        self._last_panels = time.perf_counter()
        self._closing = False
        self._update_title()

    @property
    def window_size(self) -> tuple[int, int]:
        """Logical pixels."""
        return self._window.size

    def run(self) -> None:
        """Show the window until it is closed."""
        window = self._window._window
        try:
            while not (self._closing or self._window.is_closing):
                window.switch_to()
                window.dispatch_events()
                if self._window.is_closing or not self._advance():
                    continue
                window.flip()
        finally:
            self._files.close()
            self._imgui.close()
            self._renderer.release()
            self._window.close()

    def _advance(self) -> bool:
        """One turn of the stages; False when there was nothing new to show."""
        if min(*self._window.size, *self._window.buffer_size) == 0:  # minimised
            time.sleep(_IDLE_SECONDS)
            return False
        intents, any_event = self._input.take()
        for intent in intents:
            self._follow(intent)
        if self._closing:
            return False
        self._picture_behind |= self._load()
        if self._picture_behind and (not self._files.reading or time.perf_counter() >= self._next_picture):
            self._picture_stale = True
        if any_event or self._picture_stale:
            self._panel_frames = _PANEL_SETTLES
        size = self._window.buffer_size
        progress_due = self._files.state is not None and time.perf_counter() - self._last_panels > _PROGRESS_SECONDS
        if not (progress_due or self._panel_frames):
            time.sleep(_IDLE_SECONDS)
            return False
        self._panel_frames = max(0, self._panel_frames - 1)
        if self._picture_stale or self._renderer.picture.size != size:
            self._draw_picture(size)
        self._draw_panels(size)
        return True

    # Navigate.

    def _follow(self, intent: Intent) -> None:
        view = self.view
        camera_before = view.camera
        match intent:
            case Orbit(dx, dy):
                view.camera = navigation.orbit(view.camera, dx, dy)
            case Pan(dx, dy):
                view.camera = navigation.pan(view.camera, dx, dy, self._window.size[1])
            case Zoom(steps, point):
                farthest = view.farthest_distance()
                view.camera = navigation.zoom(view.camera, steps, view.point_under(point), farthest=farthest)
            case Click(point):
                hit = view.pick(point)
                view.selected_ids = np.array([] if hit is None else [hit.node.id], dtype=np.int32)
                self._update_title()
            case KeyPress(name, ctrl):
                for command in self._commands:
                    if name in command.keys and ctrl == command.ctrl:
                        command.run()
        self._camera_untouched &= view.camera is camera_before
        self._picture_stale = True

    def _window_commands(self) -> tuple[Command, ...]:
        def toggle_figures() -> None:
            self._show_figures = not self._show_figures

        def toggle_keys() -> None:
            self._show_keys = not self._show_keys

        def close() -> None:
            self._closing = True

        return (
            Command(("I",), "I", "figures panel on or off", toggle_figures),
            Command(("F1",), "F1", "this list", toggle_keys),
            Command(("ESCAPE",), "Esc", "stop opening files", self._files.cancel),
            Command(("Q",), "Ctrl+Q", "close", close, ctrl=True),
        )

    # Load.

    def _load(self) -> bool:
        """Add the files that were read since, and those that changed; True when the picture changed."""
        added, reloaded = self._files.add(), self._files.reload()
        if added or reloaded:
            self.view.update()
            if added and self._camera_untouched:
                self.view.frame_box_of(None, self._window.size)
            self._update_title()
        if added or reloaded or self._files.notes != self._notes:
            self._notes = self._files.notes
            self._messages = self._undismissed_messages()
            self._panel_frames = _PANEL_SETTLES
        self._closing |= self._files.nothing_came  # the window would only hide the reasons
        return added or reloaded

    # Draw.

    def _draw_picture(self, size: tuple[int, int]) -> None:
        begin = time.perf_counter()
        frame = self.view.build_frame(size)
        with self.view.times.stage("render"):
            self._renderer.render(frame)
            # So that the stage is the time the card takes, and not the time to ask it.
            self._window.ctx.finish()
        end = time.perf_counter()
        self._next_picture = end + _READING_SHARE * (end - begin)
        self._picture_behind = False
        self._pictures_drawn += 1
        self._picture_stale = self._pictures_drawn < 2  # the first one's times would say nothing of the others

    def _draw_panels(self, size: tuple[int, int]) -> None:
        now = time.perf_counter()
        with self.view.times.stage("panels"):
            screen = self._window.ctx.screen
            screen.use()
            screen.viewport = (0, 0, *size)
            self._window.ctx.copy_framebuffer(screen, self._renderer.picture)
            self._imgui.new_frame(self._window.size, size, now - self._last_panels)
            answers = self._hud.draw(self._hud_state(), self._window.size)
            if answers.dismissed:
                self._dismissed.update(self._messages)
                self._messages = []
            if answers.cancelled:
                self._files.cancel()
            self._imgui.render(screen)
        self._last_panels = now

    def _undismissed_messages(self) -> list[str]:
        report = self.view.scene.report
        told = (*self._notes, *report.errors, *report.warnings, *self.view.index.broken_messages())
        return [line for line in told if line not in self._dismissed]

    def _hud_state(self) -> HudState:
        loading = None
        state = self._files.state
        if state is not None:
            number = f"  {state.number} of {state.files}" if state.files > 1 else ""
            fraction = state.done_bytes / state.total_bytes if state.total_bytes else 0.0
            loading = (f"opening {printable(state.path.name)}{number}", fraction)
        return HudState(
            figures=figures_of(self.view, self._renderer.draw_calls, self._commands) if self._show_figures else None,
            status=status_of(self.view),
            loading=loading,
            messages=self._messages,
            key_sheet=(*_MOUSE_SHEET, *((c.shown, c.description) for c in self._commands)) if self._show_keys else None,
        )

    def _update_title(self) -> None:
        ids = self.view.selected_ids
        name = str(self.view.scene.names[ids[0]]) if len(ids) else ""
        self._window.title = " - ".join(part for part in (name, self._title, "Octoscope") if part)


def _open_window(size: tuple[int, int]) -> moderngl_window.BaseWindow:
    try:
        # Not at the top of the file: without a display the import itself fails.
        window_class = moderngl_window.get_window_cls("moderngl_window.context.pyglet.Window")
        window = window_class(title="Octoscope", gl_version=(3, 3), size=size, resizable=True, vsync=True, samples=0)
    except Exception as error:  # pyglet has an exception of its own for each thing that can be missing
        reason = " ".join(str(error).split()) or type(error).__name__
        raise WindowUnavailable(f"no window can be opened ({reason})") from error
    window.exit_key = window.fullscreen_key = None
    window._window.set_minimum_size(*_SMALLEST_WINDOW)
    moderngl_window.activate_context(window=window)
    return window
