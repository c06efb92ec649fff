"""App: a window on a scene. It owns the parts and runs the stages of a frame; nothing is redrawn for no reason.

The stages:
    events     the window's events become intents
    navigate   intents move the camera, pick, and run commands
    load       files that were read meanwhile join the scene
    panels     menus and panels are described; what is done in them is done
    update, index, cull, frame    (View) what is seen becomes a FrameData
    render     the renderer draws it
    show       picture and panels come to the window
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from scene import Scene
from scene.loading.load import BackgroundReader
from viewer.app.frame_budget import Pace, Stage
from viewer.app.idle_wait import Patience
from viewer.app.input import Input
from viewer.app.interface import make_interface
from viewer.app.source_integrator import Loading
from viewer.app.tool_router import Dispatch, Stale
from viewer.app.waiting import Waiting
from viewer.commands.table import Command
from viewer.document.document import Document, Following
from viewer.document.source_files import OpenFiles
from viewer.editing.editor import Editor
from viewer.editing.log import Log
from viewer.frame.frame import PlacedFrame
from viewer.frame.view import View
from viewer.rendering.offscreen import image_of
from viewer.rendering.renderer import Renderer
from viewer.settings.config import config_folder, data_folder, read_config, read_window_state, save_window_state
from viewer.settings.recent_files import read_recent
from viewer.tools.tools import Tools
from viewer.ui.imgui.backend import ImguiBackend
from viewer.ui.imgui.fonts import load_fonts
from viewer.ui.overlays.figures import figures_of
from viewer.ui.overlays.gizmo_overlay import draw_gizmo
from viewer.ui.overlays.hud import HudState
from viewer.ui.overlays.select_overlay import SelectOverlay
from viewer.ui.overlays.status_text import status_bar, status_of, title_of
from viewer.ui.overlays.viewport_labels import viewport_labels
from viewer.window.intents import Intent
from viewer.window.place import USUAL_SIZE
from viewer.window.window import (
    clipboard_of,
    dispatch_events,
    interface_scale,
    on_close_request,
    open_window,
    put_back,
    set_cursor,
    toggle_fullscreen,
    wake,
    with_place,
)

_UPLOAD_SECONDS = 0.03  # for new meshes, in one turn
# A window gives the interpreter's lock away in every call of its system's, and has it back so late from a thread that
# computes: with Python's own 5 ms, a turn of forty such calls takes a fifth of a second.
_SWITCH_SECONDS = 0.0005
_PROGRESS_SECONDS = 0.1  # between two looks at a loading bar: the rest of the time is the reader's
_PANEL_SETTLES = 6  # imgui lays out changes over two frames, and takes a click's press and release in two more


class App:
    """The window program.

    Args:
        scene, index: what is shown.
        title: names the scene in the window's title.
        reader: files still being read, or None.
        watch: whether files that change on disk are read again.
        size: of the window, logical pixels; None: as when it was closed.
        max_memory_bytes: what reading a file may take, or None: most of it.
        before: the App that has left its window to this one, which goes on with what was set in it; or None.
        for_script: whether the scene is a script's, to which it is left: nothing is asked, nor kept elsewhere.

    Attributes:
        between_frames: called before each turn of the stages; whether the picture shows something else now.
        patience: how long it waits between two turns where nothing happens.

    Raises:
        WindowUnavailable: there is no display, or no OpenGL 3.3 on it.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        title: str,
        reader: BackgroundReader | None = None,
        watch: bool = True,
        size: tuple[int, int] | None = None,
        max_memory_bytes: int | None = None,
        before: App | None = None,
        for_script: bool = False,
    ) -> None:
        self.window = open_window(size or USUAL_SIZE) if before is None else before.window
        self._keeps_place = size is None if before is None else before._keeps_place
        self._title = title
        self._log = Log()
        self.view = View(scene)
        self.editor = Editor(self.view, self._log)
        self._files = OpenFiles(
            scene, reader, watch=watch, editor=self.editor, max_memory_bytes=max_memory_bytes, on_change=wake
        )
        self._renderer = Renderer(self.window.ctx)
        self._renderer.upload_seconds = _UPLOAD_SECONDS
        self._imgui = ImguiBackend(self.window.ctx, load_fonts)
        self._pace = Pace()
        self._picture_stale, self._pictures_drawn = True, 0
        self._panel_frames = _PANEL_SETTLES
        self._last_panels = time.perf_counter()
        self._select_overlay = SelectOverlay()
        self._frames: tuple[PlacedFrame, ...] = ()  # the last ones that were drawn
        self._outlines_stale, self._cursor = False, None
        self.between_frames: Callable[[], bool] = lambda: False
        self._loading = Loading(
            self.view,
            self._files,
            self._renderer,
            self._log,
            picture_size=lambda: self.picture_size,
            message_keys=lambda: self._table.shown_keys(self._table["panel.messages"]),
        )
        self._make_interface(before, for_script=for_script)
        self._loading.tell()
        self._update_title()

    def _make_interface(self, before: App | None, *, for_script: bool) -> None:
        """Panels and commands, as the person's configuration has them."""
        self._config_folder = config_folder()
        config = read_config(self._config_folder)
        state, problems = read_window_state(self._config_folder)
        recent, recent_problems = read_recent(self._config_folder)
        if self._keeps_place and before is None:
            put_back(self.window, state)
        if config.theme is not None:
            state.theme = config.theme
        copy, paste = clipboard_of(self.window)
        self._imgui.join_clipboard(copy, paste)
        self._tools = Tools(self.editor, lambda: self.picture_size, copy)
        self._document = Document(
            self.editor,
            self._files,
            title=self._title,
            take_picture=lambda: image_of(self._renderer.picture),
            config=self._config_folder,
            data=data_folder(),
            offers_lost=before is None,
            for_script=for_script,
        )
        self._waiting = Waiting(self._files, self.editor.work, self._document)
        self.patience = Patience(self._waiting, self.editor, self._tools.select.hover)
        self._shell = make_interface(
            self._imgui,
            self.editor,
            self._files,
            self._tools,
            state=state,
            messages=lambda: self._loading.messages,
            document=self._document,
            recent=recent,
            scale=config.scale or interface_scale(self.window),
            preset=config.preset,
            rebound=config.keys,
            before=None if before is None else before._shell,
            toggle_fullscreen=lambda: toggle_fullscreen(self.window),
        )
        self._table = self._shell.table
        self._table.after_run = self._note_run
        shell = self._shell
        shell.overlay_covers = self._select_overlay.covers
        self._input = Input(self.window, self._imgui, shell, None if before is None else before._input)
        self._dispatch = Dispatch(self.editor, self._tools, shell, self._document)
        self._stop_asking = on_close_request(self.window, self._document.close)
        for lines in (config.problems, problems, recent_problems, shell.remembered.problems, self._table.problems):
            self._log.say_all("warning", lines)
        for _ in range(3):  # Dear ImGui lays docked panels out over several frames
            self._describe()
            self._imgui.render(self.window.ctx.screen)

    @property
    def picture_size(self) -> tuple[float, float]:
        """Of the part of the window that the picture has, logical pixels."""
        return self._shell.picture.size

    def run(self) -> Following | None:
        """Show the scene until the window is closed, or until another takes its place, which is returned."""
        self._shell.remembered.begin()
        switch_seconds = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            while not (self._document.is_left or self.window.is_closing):
                self.turn()
        finally:
            sys.setswitchinterval(switch_seconds)
            self._make_current()
            self._document.abandon()
            self._stop_asking()
            self._input.close()
            self._files.close()
            state = self._shell.state
            save_window_state(self._config_folder, with_place(self.window, state) if self._keeps_place else state)
            self._imgui.close()
            self._renderer.release()
            if self._document.following is None:
                self.window.close()
        return self._document.following

    def turn(self) -> None:
        """Look once at what a person does, and run the stages; behind one that takes long the next turn goes on.

        Where there is nothing to do it waits for the next event first.
        """
        self._pace.begin()
        if not self._document.holds_scene and self.between_frames():
            self._note_change()
        self._make_current()
        wait_seconds = self.patience.seconds if self._shows_all or self._is_minimised else 0.0
        dispatch_events(self.window, wait_seconds)
        if wait_seconds:
            self._pace.begin()
        if not (self._document.is_left or self.window.is_closing) and self._advance():
            self.window._window.flip()

    def _make_current(self) -> None:
        """What was called may have drawn elsewhere, or opened and closed other windows."""
        self.window._window.switch_to()
        self._imgui.make_current()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way, and the window shows all that there is to show."""
        return self._shows_all and not self.patience.is_busy

    @property
    def _shows_all(self) -> bool:
        """Whether there is nothing to draw, nor to look at."""
        stale = self._picture_stale or self._outlines_stale or self._renderer.is_behind or self._panel_frames > 0
        return not (stale or self.editor.changed or self._input.has_any_event or self._imgui.has_events_left)

    @property
    def _is_minimised(self) -> bool:
        return min(*self.window.size, *self.window.buffer_size) == 0

    def end(self) -> None:
        """Let `run` return before the next turn, without asking anybody."""
        self._document.is_closed = True

    def _advance(self) -> bool:
        """One turn of the stages; False when there was nothing new to show."""
        for intent in self._input.take():
            self._follow(intent)
            if self._document.is_left:
                return False
        any_event = self._input.take_any_event()
        if self._tools.steering.fly_on(self._input.fly_direction, fast=self._input.flies_fast):
            self._tools.select.hover.move(None)
            self._loading.note_camera_moved()
            self._picture_stale = True
        any_event |= self._document.turn()
        self._update_title()
        self._load()
        if not self._picture_stale and self._tools.select.hover.look():
            self._outlines_stale = True
        any_event |= self._imgui.has_events_left | self.editor.turn()
        any_event = self.patience.look(any_event)
        if any_event or self._picture_stale or self._outlines_stale or self._log.expire():
            self._panel_frames = _PANEL_SETTLES
        panels_are_old = time.perf_counter() - self._last_panels > _PROGRESS_SECONDS
        is_due = self._panel_frames > 0 or (panels_are_old and self._waiting.progress is not None)
        if self._is_minimised or not is_due:  # jobs go on all the same
            return False
        if not self._pace.update(self.view):
            return False
        self._panel_frames = max(0, self._panel_frames - 1)
        self._draw()
        return True

    # Navigate.

    def _follow(self, intent: Intent) -> None:
        camera_before = self.view.camera
        stale = self._dispatch.follow(intent, flies_fast=self._input.flies_fast)
        if self.view.camera is not camera_before:
            self._loading.note_camera_moved()
        self._outlines_stale |= stale is Stale.OUTLINES
        self._picture_stale |= stale is Stale.PICTURE
        if stale is not Stale.NOTHING:
            self._update_title()

    def _note_change(self) -> None:
        """Something happened that the picture may show."""
        self._picture_stale = True
        self._update_title()

    def _note_run(self, command: Command) -> None:
        self._shell.focus.expect_change()
        self._note_change()

    # Load.

    def _load(self) -> None:
        """Let files that were read join, unless the scene is being written."""
        if not self._document.holds_scene:
            if self._loading.turn():
                self._update_title()
                self._panel_frames = _PANEL_SETTLES
            self._document.is_closed |= self._files.nothing_came  # the window would only hide the reasons
        self._picture_stale |= self._loading.upload_more() or self._loading.wants_picture

    # Draw.

    def _draw(self) -> None:
        self._describe()
        across, down = self._pixel_ratio()
        width, height = self._shell.picture.size
        size = (round(width * across), round(height * down))
        if self.editor.changed:
            self.editor.changed = False
            self._note_change()
        has_size = self._renderer.picture.size == size
        if has_size and self._picture_stale and self._pace.puts_off(Stage.PICTURE):
            self._panel_frames = max(1, self._panel_frames)
        else:
            if self._picture_stale or not has_size:
                self._draw_picture(size)
            elif self._outlines_stale:
                self._renderer.render_outlines(self.view.with_outlines(self._frames))
            self._outlines_stale = False
            self._pace.end()
        with self.view.times.stage("show"):
            screen = self.window.ctx.screen
            screen.use()
            screen.viewport = (0, 0, *self.window.buffer_size)
            screen.clear()
            self._imgui.picture = self._renderer.picture.color_attachments[0]
            self._imgui.render(screen)
        if self._shell.cursor != self._cursor:
            self._cursor = self._shell.cursor
            set_cursor(self.window, self._cursor)

    def _describe(self) -> None:
        """Begin a frame of the interface, and do what was done in it."""
        now = time.perf_counter()
        with self.view.times.stage("panels"):
            self._imgui.new_frame(self.window.size, self.window.buffer_size, now - self._last_panels)
            status = status_bar(self.view, self._document, self._tools, flies=self._input.flies)
            answers = self._shell.draw(self._hud_state(), status, self._pixel_ratio())
            if answers.dismissed:
                self._log.dismiss()
            if answers.cancelled:
                self._waiting.cancel()
            self._select_overlay.draw(self._tools.select, self.view.scene, self._shell.picture)
            draw_gizmo(self._tools.gizmo, self._shell.picture)
        self._last_panels = now

    def _draw_picture(self, size: tuple[int, int]) -> None:
        begin = time.perf_counter()
        self.view.pixel_ratio = self._pixel_ratio()[0]
        self._frames = self.view.build_frames(size)
        self._renderer.backdrop = self._shell.theme.backdrop
        with self.view.times.stage("render"):
            self._renderer.render_parts(self._frames, size)
            # So that the stage is the time the card takes, and not the time to ask it.
            self.window.ctx.finish()
        self._loading.note_picture(time.perf_counter() - begin)
        self._tools.select.hover.refresh()
        self._pictures_drawn += 1
        self._picture_stale = self._pictures_drawn < 2  # the first one's times would say nothing of the others

    def _pixel_ratio(self) -> tuple[float, float]:
        size, pixels = self.window.size, self.window.buffer_size
        return pixels[0] / size[0], pixels[1] / size[1]

    def _hud_state(self) -> HudState:
        shows_figures = self._shell.shows_figures
        return HudState(
            figures=figures_of(self.view, self._renderer.draw_calls, self._table) if shows_figures else None,
            status=self._tools.gizmo.text() or status_of(self.view),
            measuring=self._tools.measure.rows() if self._tools.measure.kind else None,
            measured=self._tools.measure.places() if self._tools.measure.kind else (),
            loading=self._waiting.progress,
            toasts=self._log.toasts,
            viewports=viewport_labels(self.view),
            is_empty=len(self.view.scene) == 0 and not self._waiting.is_busy,
        )

    def _update_title(self) -> None:
        title = title_of(self.view, self._document)
        if self.window.title != title:
            self.window.title = title
