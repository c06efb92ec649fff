"""App: the window, its main loop, and the stages of a frame. It draws only what has changed.

The stages of a frame:
    events     the window's events become intents, which move the camera, pick, and run commands
    jobs       results of background jobs are taken in; files that were read join the scene
    update     world matrices, spheres and the octree are brought up to date
    panels     menus and panels are described, and what the user does in them is done
    picture    what is visible is packed into FrameData (View), and the renderer draws it (Picture)
    show       picture and panels are copied to the window
In frames in which nothing else is to be done the picture is refined, and then none is drawn any more.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from enum import IntEnum

import numpy as np

from octoscope.scene import Scene
from octoscope.scene.loading.read import BackgroundReader
from octoscope.viewer.app.input import Input
from octoscope.viewer.app.opening import open_window
from octoscope.viewer.app.picture import Picture
from octoscope.viewer.app.preferences import Preferences
from octoscope.viewer.app.session import Session, SessionHost
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.context.card_errors import DriverReset
from octoscope.viewer.rendering.context.opengl import color_texture
from octoscope.viewer.settings.config import (
    WindowState,
    config_folder,
    data_folder,
    read_window_state,
    save_window_state,
)
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.ui.dialogs.system_dialog import open_system_dialog
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.docking import Docking
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.shell import scale_with_room
from octoscope.viewer.window.window import Window, WindowUnavailable, wake

_BETWEEN_RESETS_SECONDS = 10.0  # of the driver: what is reset sooner again is not drawn once more
_LONG_SECONDS = 0.03
# A window releases the interpreter's lock in every system call, and a computing thread gives it back only after this
# interval: with Python's usual 5 ms, a frame of forty such calls takes a fifth of a second.
_SWITCH_SECONDS = 0.0005
_PROGRESS_SECONDS = 0.1  # between two pictures of a progress bar: the rest of the time is for the reader
_MEASURING_SECONDS = 0.01  # from one turn of measuring the card to the next
_BUSY_SECONDS = 0.004  # between two looks at background jobs
_KEEP_SECONDS = 2.0  # between two looks at what is remembered of the window
_LONGEST_SECONDS = 0.5  # of a wait: what depends on the clock, such as a toast, is at most that late


class FrameStage(IntEnum):
    """A stage that can be postponed, in their order."""

    UPDATE, INDEX, PANELS, PICTURE = range(1, 5)


class FrameBudget:
    """Says whether a frame has time left for its next stage; no stage is postponed twice."""

    def __init__(self) -> None:
        self._begin = 0.0
        self._reached = 0

    def begin(self) -> None:
        """Start the clock of a frame."""
        self._begin = time.perf_counter()

    @property
    def milliseconds(self) -> float:
        """The time since the frame began."""
        return 1e3 * (time.perf_counter() - self._begin)

    def puts_off(self, stage: FrameStage) -> bool:
        """Return whether the frame has lasted so long that this stage and all later ones wait for the next."""
        if stage <= self._reached or self.milliseconds < 1e3 * _LONG_SECONDS:
            return False
        self._reached = stage
        return True

    def update(self, view: View) -> bool:
        """Update world matrices and octree before panels and picture, and return whether it is time for these."""
        if self.puts_off(FrameStage.UPDATE):
            return False
        view.update_world()
        if self.puts_off(FrameStage.INDEX):
            return False
        view.update_index()
        return not self.puts_off(FrameStage.PANELS)

    def end(self) -> None:
        """Note that all stages are done."""
        self._reached = 0


class App:
    """The window program.

    Args:
        options: how documents are shown; autosaves are only offered beside the first.
        size: of the window, logical pixels; None: as it was last closed.
    """

    def __init__(
        self,
        scene: Scene,
        options: DocumentOptions,
        *,
        reader: BackgroundReader | None = None,
        window: Window | None = None,
        size: tuple[int, int] | None = None,
        set_up_camera: Callable[[View], object] = lambda view: None,
    ) -> None:
        self._keeps_place = size is None
        self._set_up_camera = set_up_camera
        self._folder = config_folder()
        self._kept: dict[str, object] = {}  # what was remembered of the window when it was last looked at
        self._next_keep = -math.inf
        self._settings = Settings(self._folder)
        state, problems = read_window_state(self._folder)
        self.window = window or open_window(size, state)
        self._make_picture()
        backend = self._imgui = ImguiBackend(self.window.ctx, load_fonts)
        backend.join_clipboard(self.window.copy, self.window.paste)
        self._host = SessionHost(
            backend,
            Docking(state.layout, self._scale, state.layout_scale),
            state,
            Preferences(state.settings),
            settings=self._settings,
            folder=self._folder,
            data=data_folder(),
            copy=self.window.copy,
            paste=self.window.paste,
            toggle_fullscreen=self.window.toggle_fullscreen,
            is_interrupted=self._is_interrupted,
            take_picture=lambda transparent: self._picture.image(self.view, transparent=transparent),
            open_dialog=lambda *asked: open_system_dialog(*asked) if self._settings.config.system_dialogs else None,
            wake=wake,
            upload_meshes=lambda meshes, waits: self._renderer.upload_meshes(meshes, waits=waits),
        )
        self.session = Session(scene, self._host, replace(options, offers_lost=True), reader=reader)
        of_settings = (*self._settings.config.problems, *problems)
        for lines in (of_settings, self._host.preferences.problems, self.session.table.problems):
            self.session.log.say_all("warning", lines)
        self._budget = FrameBudget()
        self._has_begun = False
        self._reset_time = -math.inf  # time.monotonic() of the last reset of the driver
        self._cursor: str | None = None
        self._last_panels = time.perf_counter()
        self._input = Input(self.window, backend, self.session.shell, self.session.view)
        self.window.ask_before_closing(lambda: self.session.document.close())
        for _ in range(3):  # Dear ImGui lays docked panels out over several frames
            self._describe()
            backend.render(self.window.ctx.screen)
        self._update_title()

    def _make_picture(self) -> None:
        self._picture = Picture(self.window.ctx, lambda load: self.session.note_load(load))
        self._renderer = self._picture.renderer

    @property
    def view(self) -> View:
        """The view of the session."""
        return self.session.view

    def run(
        self, *, between_frames: Callable[[], object] = lambda: None, longest_wait_seconds: float = _LONGEST_SECONDS
    ) -> None:
        """Show documents until the window is closed.

        Args:
            between_frames: called before each frame, except while the scene is locked.
            longest_wait_seconds: after which it is called, and the clock looked at, even if no event comes.
        """
        try:
            while self.step(between_frames, longest_wait_seconds):
                pass
        finally:
            self.close()

    def _is_interrupted(self) -> bool:
        self.window.dispatch_events()
        return self._input.has_ctrl_c

    def step(self, between_frames: Callable[[], object], longest_wait_seconds: float) -> bool:
        """Do what `run` does for a frame, and return whether there is to be another one."""
        self._begin()
        switch_seconds = sys.getswitchinterval()
        sys.setswitchinterval(_SWITCH_SECONDS)
        try:
            if self._goes_on and not self.session.document.holds_scene:
                self.session.script.run_waiting()
                between_frames()
            if self._goes_on:
                self.run_once(longest_wait_seconds)
        except DriverReset as reset:
            self._go_on_after(reset)
        finally:
            sys.setswitchinterval(switch_seconds)
        return self._goes_on

    def _go_on_after(self, reset: DriverReset) -> None:
        """Draw with another context in place of the lost one, unless the driver is reset again and again."""
        now = time.monotonic()
        if now - self._reset_time < _BETWEEN_RESETS_SECONDS:
            raise reset
        self._reset_time = now
        self._picture.release()
        try:
            self.window.open_anew()
        except WindowUnavailable:
            raise reset from None
        self._make_picture()
        self._imgui.move_to(self.window.ctx)
        self._budget.end()
        self._cursor = None
        self.view.redraw.request(Damage.SCENE)
        self.session.log.say("warning", "the graphics driver was reset; what is shown was uploaded to the card again")

    def close(self) -> None:
        """Close the window, and keep what is remembered of it."""
        self._begin()
        self._make_current()
        self.session.close()
        self.window.ask_before_closing(None)
        self._input.close()
        save_window_state(self._folder, self._state)
        self._imgui.close()
        self._picture.release()
        self.window.close()

    def _begin(self) -> None:
        if not self._has_begun:
            self._has_begun = True
            self._host.preferences.begin()

    @property
    def _goes_on(self) -> bool:
        """False once the document or the window was closed."""
        return not (self.session.document.is_closed or self.window.is_closing)

    def _keep_state(self) -> None:
        """Keep what is remembered of the window, from time to time and if it has changed: the program may be killed."""
        now = time.monotonic()
        if now < self._next_keep:
            return
        self._next_keep = now + _KEEP_SECONDS
        state = self._state
        before, self._kept = self._kept, asdict(state)
        if self._kept != before:
            save_window_state(self._folder, state)

    @property
    def _state(self) -> WindowState:
        state = replace(self.session.shell.state, settings=self._host.preferences.values())
        if self._keeps_place:
            place = self.window.place
            state = replace(state, maximised=self.window.fills_screen, place=list(place or state.place))
        return state

    def set_document(self, scene: Scene, title: str, *, reader: BackgroundReader | None = None) -> None:
        """Show another document in place of the present one; `reader` still reads files into its scene."""
        self.session = self.session.replaced_by(scene, title, reader=reader)
        self._input.attend(self.session.shell, self.session.view)
        self._picture.forget()
        self._describe()
        self._imgui.end_frame()
        self._set_up_camera(self.view)
        self._host.preferences.begin()

    def take_picture(self, *, transparent: bool = False) -> np.ndarray:
        """Return the picture of the scene as it is now; arguments and result are those of Picture.image."""
        self._make_current()
        self._picture.draw(self.view)
        return self._picture.image(self.view, transparent=transparent)

    def run_once(self, longest_wait_seconds: float = _LONGEST_SECONDS) -> None:
        """Wait for the next event unless there is something to do, then run the stages of a frame.

        A frame that takes long is continued by the next call.
        """
        self._budget.begin()
        document = self.session.document
        self._make_current()
        wait_seconds = 0.0
        if self._shows_all or self._is_minimised:
            due_seconds = _BUSY_SECONDS if self.session.is_busy else max(0.0, self.view.redraw.seconds_left)
            wait_seconds = min(due_seconds, longest_wait_seconds)
            if self._picture.measures_card:
                wait_seconds = min(wait_seconds, _MEASURING_SECONDS)
        self.window.dispatch_events(wait_seconds)
        if wait_seconds:
            self._budget.begin()
        if self._goes_on and self._advance():
            self.window.show_frame()
            self._picture.note_shown(self._budget.milliseconds)
        if (following := document.next_document) is not None:
            reader = self.session.files.reader_of(following.others) if following.others else None
            self.set_document(following.scene, following.title, reader=reader)

    def _make_current(self) -> None:
        """Make the window's OpenGL and Dear ImGui contexts current: callbacks may have used others."""
        self.window.make_current()
        self._imgui.make_current()

    @property
    def is_idle(self) -> bool:
        """True if nothing is under way, and the window shows the latest state."""
        return self._shows_all and not self.session.is_busy

    @property
    def _shows_all(self) -> bool:
        """True if there is nothing to draw and no event to handle."""
        is_damaged = self.view.redraw.damage > Damage.NONE or self._renderer.has_pending_uploads
        return not (is_damaged or self._input.has_any_event or self._imgui.has_events_left)

    @property
    def _is_minimised(self) -> bool:
        return min(*self.window.size, *self.window.buffer_size) == 0

    def end(self) -> None:
        """Make `run` return before the next frame, without asking about unsaved changes."""
        self.session.document.end()

    def _advance(self) -> bool:
        session, redraw = self.session, self.view.redraw
        for intent in self._input.take():
            session.follow(intent, flies_fast=self._input.flies_fast)
            if session.document.is_left:
                return False
        if self._input.take_any_event() | self._imgui.has_events_left:
            session.note_event()
        session.fly(self._input.fly_direction, fast=self._input.flies_fast)
        session.poll()
        self._update_title()
        self._picture.upload_pending(self.view)
        self._picture.take_card_time(self.view)
        panels_are_old = time.perf_counter() - self._last_panels > _PROGRESS_SECONDS
        shows_progress = panels_are_old and session.document.progress is not None
        is_due = redraw.damage > Damage.NONE or shows_progress
        if self._is_minimised or not is_due:  # jobs continue all the same
            if self.is_idle:
                self._picture.measure_card()
                self._keep_state()
            return False
        if redraw.damage == Damage.REFINEMENT and not shows_progress:
            return self._refine()
        if not self._budget.update(self.view):
            return False
        self._describe()
        self._draw()
        return True

    def _refine(self) -> bool:
        """Draw a piece of a better picture, and show that under the panels as they are if there is one."""
        if not self._picture.refine(self.view):
            return False
        self._show()
        return True

    @property
    def _scale(self) -> float:
        return scale_with_room(self._settings.config.scale, self.window.interface_scale, self.window.size)

    def _describe(self) -> None:
        before, self._last_panels = self._last_panels, time.perf_counter()
        self.session.shell.rescale(self._scale)
        self.session.describe(
            self.window.size,
            self.window.buffer_size,
            self._last_panels - before,
            flies=self._input.flies,
            draw_calls=self._renderer.draw_calls,
            hidden_count=self._renderer.hidden_count,
        )

    def _draw(self) -> None:
        view, redraw = self.view, self.view.redraw
        has_size = self._renderer.picture.size == view.layout.last_size
        if not has_size:
            redraw.request(Damage.SCENE)
        if redraw.damage < Damage.SCENE or not (has_size and self._budget.puts_off(FrameStage.PICTURE)):
            if redraw.damage == Damage.SCENE:
                self._draw_picture()
            elif redraw.damage == Damage.OVERLAY:
                self._picture.draw_outlines(view)
                redraw.note_picture()
            self._budget.end()
        with view.times.stage("show"):
            self._show()
        if self.session.shell.cursor != self._cursor:
            self._cursor = self.session.shell.cursor
            self.window.set_cursor(self._cursor)

    def _draw_picture(self) -> None:
        begin = time.perf_counter()
        is_first = not self._picture.is_drawn
        self._picture.draw(self.view)
        self.session.note_picture(time.perf_counter() - begin, self._renderer.messages)
        if not is_first:  # the first takes longer than all others
            self.view.redraw.note_picture()

    def _show(self) -> None:
        """Copy the picture, and the panels as they were described last, to the window."""
        screen = self.window.ctx.screen
        screen.use()
        screen.viewport = (0, 0, *self.window.buffer_size)
        screen.clear()
        self._imgui.render(screen, color_texture(self._renderer.picture))

    def _update_title(self) -> None:
        title = self.session.title
        if self.window.title != title:
            self.window.title = title
