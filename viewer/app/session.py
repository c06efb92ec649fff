"""Session: one document and everything that a person works on it with, without window and OpenGL.

Tests drive it without a window. Another document gets another session (App.set_document).
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from octoscope.scene import Scene
from octoscope.scene.loading.read import BackgroundReader
from octoscope.viewer.app.contribution import StreamPart, WindowPart
from octoscope.viewer.app.preferences import Preferences
from octoscope.viewer.app.source_integrator import SourceIntegrator
from octoscope.viewer.app.tool_router import route
from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.menus.all_commands import commands_of_menus
from octoscope.viewer.commands.menus.file import RECENT_MENU, open_recent
from octoscope.viewer.commands.table import Command, CommandTable
from octoscope.viewer.document.document import Document
from octoscope.viewer.document.image_files import TakePicture, no_picture
from octoscope.viewer.document.new_scene import new_scene
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.editing.log import Log, LogEntry
from octoscope.viewer.editing.script import Script
from octoscope.viewer.features import parts
from octoscope.viewer.frame.detail.detail_levels import Simplified
from octoscope.viewer.frame.redraw import Damage
from octoscope.viewer.frame.view import View
from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.settings.recent_files import read_recent
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.tools.intents import Intent
from octoscope.viewer.tools.tools import Tools
from octoscope.viewer.ui import shell_commands
from octoscope.viewer.ui.boxes import Boxes
from octoscope.viewer.ui.dialogs.question_box import QuestionBox
from octoscope.viewer.ui.dialogs.system_dialog import OpenDialog
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.docking import Area, Docking
from octoscope.viewer.ui.overlays.gizmo_overlay import draw_gizmo
from octoscope.viewer.ui.overlays.hud import HudState
from octoscope.viewer.ui.overlays.menus import ContextMenu
from octoscope.viewer.ui.overlays.select_overlay import SelectOverlay
from octoscope.viewer.ui.overlays.statistics import statistics_of
from octoscope.viewer.ui.overlays.status_bar import line_of, name_of_selected, status_bar
from octoscope.viewer.ui.overlays.viewport_labels import viewport_labels
from octoscope.viewer.ui.panels.inspector import Inspector
from octoscope.viewer.ui.panels.messages import MessagesPanel
from octoscope.viewer.ui.panels.outliner import Outliner
from octoscope.viewer.ui.shell import Shell

if TYPE_CHECKING:
    from octoscope.viewer.frame.streamed_scene import Stream, UploadMeshes

_REST_SECONDS = 0.45  # until Dear ImGui shows a tooltip under a resting mouse
_MANY_TRIANGLES = 50_000  # in the scene, of all objects together
_DIALOG_SECONDS = 0.1  # between two looks at a dialog of the system
_STEP = 16.0  # logical pixels, to which areas that labels keep off are rounded


@dataclass(frozen=True)
class SessionHost:
    """The parts of the program that all documents share."""

    backend: ImguiBackend
    docking: Docking
    state: WindowState  # of the window, which is saved when it closes; sessions keep it up to date
    preferences: Preferences
    settings: Settings = field(default_factory=Settings)
    folder: Path | None = None  # of the list of recent files; None: there is none
    data: Path | None = None  # folder of autosaves; None: there are none
    copy: Callable[[str], object] = lambda text: None
    paste: Callable[[], str] = lambda: ""
    toggle_fullscreen: Callable[[], object] = lambda: None
    is_interrupted: Callable[[], bool] = lambda: False  # whether a person has pressed Ctrl+C while a script runs
    take_picture: TakePicture = no_picture
    # opens a dialog of the system, which asks for paths; None: a box in the window does
    open_dialog: OpenDialog | None = None
    wake: Callable[[], object] = lambda: None  # ends the window's wait for events; may be called on any thread
    # brings meshes to the graphics card, as a Stream asks for it
    upload_meshes: UploadMeshes = lambda meshes, waits: True


class Session:
    """One document in a window."""

    def __init__(
        self, scene: Scene, host: SessionHost, options: DocumentOptions, *, reader: BackgroundReader | None = None
    ) -> None:
        self.host = host
        self._options = options
        self.log = Log()
        self.view = View(scene, tiny_culling=True, simplifying=True, occlusion_culling=True)
        self.view.layout.eases = True
        self.editor = Editor(self.view, self.log)
        self._simple_version = -1  # of the scene, when it was found to have few triangles
        self.stream: Stream | None = None
        if options.streamed is not None:
            begun = (part.begin(self.editor, options.streamed, host.upload_meshes) for part in parts(StreamPart))
            self.stream = next(filter(None, begun), None)
        question = QuestionBox(lambda: self.document.question, lambda choice: self.document.answer(choice))
        self.boxes = Boxes(host.backend, question, open_dialog=host.open_dialog)
        self.document = Document(
            self.editor,
            options,
            self.boxes.ask_path,
            reader=reader,
            on_change=host.wake,
            take_picture=host.take_picture,
            config=host.folder,
            on_recent=self._list_recent,
            data=host.data,
        )
        self.files = self.document.files
        self.tools = Tools(self.editor)
        self.integrator = SourceIntegrator(
            self.view, self.files, self.log, message_keys=partial(self._shown_keys, "panel.messages")
        )
        self._select_overlay = SelectOverlay()
        context_menu = ContextMenu()
        self.outliner = Outliner(
            self.editor, frame_selection=partial(self.run_command, "view.frame"), open_menu=context_menu.open
        )
        recent_problems = [] if host.folder is None else read_recent(host.folder)[1]
        self.script = Script(self.editor, host.is_interrupted)
        context = self.context = self._context(context_menu)
        self.features = [part.contribute(context) for part in parts(WindowPart)]
        self.inspector = Inspector(
            self.editor,
            self.tools.gizmo.settings,
            run=self.run_command,
            ask_path=self.boxes.path.ask,
            image_of=host.backend.image_of,
            expect_field=self.boxes.focus.expect_field,
            foldouts=[foldout for feature in self.features for foldout in feature.foldouts],
        )
        self._messages = MessagesPanel(self.editor, lambda: self.integrator.messages)
        self.shell = self._shell(context_menu)
        self.table = CommandTable(
            [
                *commands_of_menus(context),
                *shell_commands.command.bound_to(self.shell),
                *(command for feature in self.features for command in feature.commands),
            ],
            after_run=self._note_run,
            refuse=self._refuse,
        )
        settings = {name: setting for feature in self.features for name, setting in feature.settings.items()}
        settings["inspector.closed"] = self.inspector.headings.setting
        host.preferences.attach(self.view, self.tools, settings)
        host.settings.listen(self._apply_settings, partial(self.log.say, "warning"))
        self._apply_settings()
        self.log.say_all("warning", recent_problems)
        self.integrator.tell()

    def _apply_settings(self) -> None:
        """Have config.toml's settings take effect."""
        config = self.host.settings.config
        self.table.rebind(config.preset, config.keys)
        self.shell.apply_theme()
        self.tools.select.right_touches = config.box_right_touches
        self.tools.select.takes_files = config.clicks_take_files
        self.editor.history.undoes_selections = config.undo_selections
        self.document.autosaves, self.files.watches = config.autosave, config.watch
        self.document.new_scene = partial(new_scene, config)
        if config.quality != self.view.settings.quality:
            self.view.settings.quality = config.quality
            self.view.times.reset()  # figures from before and after must not mix
        self.view.redraw.request(Damage.PANELS)

    def _shell(self, context_menu: ContextMenu) -> Shell:
        """Return the panels and overlays around the viewports."""
        return Shell(
            self.boxes,
            context_menu,
            self.host.docking,
            self.host.state,
            self.host.settings,
            (
                self.outliner,
                self.inspector,
                self._messages,
                *(panel for feature in self.features for panel in feature.panels),
            ),
            ways_in=[way for feature in self.features for way in feature.ways_in],
            overlay_covers=self._select_overlay.covers,
            toggle_fullscreen=self.host.toggle_fullscreen,
        )

    # Commands.

    def _recent(self) -> list[Path]:
        """Return the recent files and folders that are still there."""
        files = [] if self.host.folder is None else read_recent(self.host.folder)[0]
        return [path for path in files if os.path.exists(path)]

    def _list_recent(self) -> None:
        self.context.recent = self._recent()
        self.table.replace_menu(RECENT_MENU, list(open_recent(self.context)))

    def _context(self, context_menu: ContextMenu) -> Context:
        outliner, boxes = self.outliner, self.boxes

        def type_in_outliner(begin: Callable[[], object]) -> None:
            self.shell.show_panel(outliner.id)
            begin()
            boxes.focus.expect_field()

        return Context(
            editor=self.editor,
            tools=self.tools,
            document=self.document,
            recent=self._recent(),
            image_of=self.host.backend.image_of,
            ask=lambda form: boxes.form.ask(form, self.view.framing.pixels_around(self.editor.selected_ids)),
            ask_path=boxes.ask_path,
            rename=lambda: type_in_outliner(outliner.begin_rename),
            find=lambda: type_in_outliner(outliner.find),
            run=self.run_command,
            show_panel=lambda panel_id: self.shell.show_panel(panel_id),  # made later
            is_in_front=lambda panel_id: self.shell.is_in_front(panel_id),
            expect_field=boxes.focus.expect_field,
            open_menu=context_menu.open,
            stop=self._stop,
            shown_keys=self._shown_keys,
            copy=self.host.copy,
            paste=self.host.paste,
            table=lambda: self.table,
            settings=self.host.settings,
            script=self.script,
            stream=self.stream,
        )

    def run_command(self, command_id: str) -> None:
        """Run a command, if it can be done now."""
        self.table.run(self.table[command_id])

    def _shown_keys(self, command_id: str) -> str:
        return self.table.shown_keys(self.table[command_id])

    def _note_run(self, command: Command) -> None:
        self.boxes.focus.expect_change()
        if self.tools.gizmo.is_running:
            self.boxes.focus.release_keyboard()  # Enter confirms, and is not for the panel that had the focus
        self.view.layout.ease_cameras()

    def _refuse(self, command: Command) -> None:
        if command.refusal:
            self.log.say("info", f"{command.label}: {command.refusal}")

    def _stop(self) -> None:
        """Cancel the innermost operation that is under way, or else deselect everything."""
        if self.inspector.cancel() or self.boxes.focus.leave_menu() or self.tools.select.cancel():
            return
        if self.boxes.path.has_dialog:
            self.boxes.path.close()
        elif not self.document.cancel() and not self.shell.close_floating():
            self.editor.select([])

    # Frames.

    def follow(self, intent: Intent, *, flies_fast: bool = False) -> None:
        """Pass an intent to the tool or command that it is for; `flies_fast`: whether Shift is held."""
        camera_before = self.view.camera
        first = [follow for feature in self.features for follow in feature.tools]
        route(intent, self.tools, first, self.shell, self.table, self.document, flies_fast=flies_fast)
        if self.view.camera is not camera_before:
            self.integrator.note_camera_moved()

    def note_event(self) -> None:
        """Draw the panels again after an event, and once more when the mouse has rested, for tooltips."""
        self.view.redraw.request(Damage.PANELS)
        self.view.redraw.request_in(Damage.PANELS, _REST_SECONDS)

    def fly(self, direction: tuple[float, float, float], *, fast: bool) -> None:
        """Move the camera along the fly keys that are held."""
        if self.tools.camera.fly_on(direction, fast=fast):
            self.tools.select.hover.move(None)
            self.integrator.note_camera_moved()

    def poll(self) -> None:
        """Take in results of background jobs, and continue what is under way."""
        redraw = self.view.redraw
        self.host.settings.poll()
        if self.view.layout.is_moving:
            redraw.request(Damage.SCENE)
        if self.editor.poll() | self.document.poll(may_ask=not self.boxes.path.is_asking):
            redraw.request(Damage.PANELS)
        if self.boxes.poll():
            redraw.request(Damage.PANELS)
        if self.boxes.path.has_dialog:
            redraw.request_in(Damage.NONE, _DIALOG_SECONDS)
        if self.stream is not None and self.stream.poll():
            redraw.request(Damage.PANELS)
        self._make_levels()
        if not self.document.holds_scene:
            self.integrator.poll()
            if self.files.nothing_came:  # the command line says why
                self.document.end()
        if redraw.damage < Damage.SCENE:
            self.tools.select.hover.update()
        if not self.shell.reads_toasts and self.log.expire(self._lists):
            redraw.request(Damage.PANELS)
        redraw.request_due()

    def _make_levels(self) -> None:
        """Start making levels of detail beside the window, where so much is drawn that they are worth it."""
        view, levels, jobs = self.view, self.view.builder.levels, self.editor.jobs
        if not view.settings.simplifying or levels.is_complete or jobs.is_busy(JobKind.SIMPLIFY):
            return
        if self._simple_version == view.scene.version:
            return
        mesh_ids = view.scene.mesh_ids
        if view.scene.meshes.rows["triangle_count"][mesh_ids[mesh_ids >= 0]].sum() < _MANY_TRIANGLES:
            self._simple_version = view.scene.version
            return

        def take(made: Simplified) -> None:
            levels.add(made)
            if len(made.corners):
                view.redraw.request(Damage.SCENE)

        make = levels.missing()
        jobs.begin(JobKind.SIMPLIFY, "levels of detail", lambda tell: make(), take)

    @property
    def is_busy(self) -> bool:
        """True while `poll` has to be called often."""
        return (
            self.document.is_going
            or (self.stream is not None and self.stream.is_going)
            or self.editor.is_traversing
            or self.tools.select.hover.is_due
            or self.view.layout.is_moving
        )

    @property
    def title(self) -> str:
        """The title of the window: the selection, the name of the scene, the name of the program."""
        return " - ".join(filter(None, (name_of_selected(self.view), self.document.title, "Octoscope")))

    def describe(
        self,
        size: tuple[int, int],
        pixels: tuple[int, int],
        seconds: float,
        *,
        flies: bool = False,
        draw_calls: int = 0,
        hidden_count: int = 0,
    ) -> None:
        """Describe a frame of the interface, with its size in logical pixels, and do what users did."""
        shell, view = self.shell, self.view
        view.interface_scale = self.host.docking.scale
        pixel_ratio = pixels[0] / size[0], pixels[1] / size[1]
        view.redraw.note_panels()
        with view.times.stage("panels"):
            self.host.backend.new_frame(size, pixels, seconds)
            status = status_bar(
                view,
                self.document,
                self.tools,
                self.status_line,
                flies=flies,
                streams=self.stream.text if self.stream else "",
                problem_count=self.integrator.problem_count,
            )
            shell.draw(self.table, self._hud_state(draw_calls, hidden_count), status, pixel_ratio)
            if shell.places_tabs:
                view.redraw.request(Damage.PANELS)
            self._select_overlay.draw(self.tools.select, view.scene, shell.picture)
            if self.tools.gizmo_has_clicks:
                draw_gizmo(self.tools.gizmo, shell.picture)
            for overlay in [each for feature in self.features for each in feature.overlays]:
                overlay(shell.picture)
        view.settings.backdrop = shell.theme.backdrop
        (across, down), (width, height) = pixel_ratio, shell.picture.size
        view.framing.refit((round(width * across), round(height * down)), across, shell.toolbar_width)
        view.covered = tuple(map(_rounded_outward, [*self._overlay_areas, *shell.lasting_areas]))

    @property
    def status_line(self) -> str:
        """The line at the left of the status bar, as long as no keys fly the camera."""
        status = next(filter(None, (feature.status() for feature in self.features)), "")
        hint = next(filter(None, (feature.hint() for feature in self.features)), "")
        return line_of(self.view, self.document, self.tools, status=status, hint=hint)

    @property
    def _overlay_areas(self) -> list[Area]:
        return [area for feature in self.features for area in feature.covered()]

    def _lists(self, toast: LogEntry) -> bool:
        return self.shell.is_in_front(self._messages.id) and self._messages.lists(toast)

    def _take_offer(self, entry: LogEntry) -> None:
        if entry.offer is not None:
            self.log.toasts.remove(entry)
            self.run_command(entry.offer[1])

    def _hud_state(self, draw_calls: int, hidden_count: int) -> HudState:
        view, document = self.view, self.document
        counted = self.shell.shows("statistics")
        return HudState(
            statistics=statistics_of(view, draw_calls, self.table, hidden_count) if counted else None,
            status=self.status_line,
            corner_box=next(filter(None, (feature.corner_box() for feature in self.features)), None),
            loading=document.progress,
            toasts=self.log.toasts,
            corners=self._overlay_areas,
            viewports=viewport_labels(view),
            free_size=view.free_size,
            is_empty=len(view.scene) == 0 and not document.opening,
            cancel=document.cancel,
            dismiss=self.log.dismiss,
            can_take=lambda offer: self.table[offer[1]].enabled(),
            take=self._take_offer,
        )

    def note_picture(self, seconds: float, not_drawn: list[str]) -> None:
        """Note how long the last picture took, and what it leaves out (Renderer.messages)."""
        self.integrator.note_picture(seconds, not_drawn)
        self.tools.select.hover.refresh()

    def note_load(self, load: float) -> None:
        """Note the time that a picture took, as a share of what it may take while it moves."""
        if self.stream is not None:
            self.stream.note_picture(load)

    def replaced_by(self, scene: Scene, title: str, *, reader: BackgroundReader | None = None) -> Session:
        """Close the document, and return a session of another one."""
        self.close()
        self.host.backend.close_popups()
        return Session(
            scene, self.host, replace(self._options, title=title, offers_lost=False, streamed=None), reader=reader
        )

    def close(self) -> None:
        """Close the document without saving; unsaved changes can be recovered."""
        self.boxes.path.close()
        self.document.abandon()


def _rounded_outward(area: Area) -> tuple[float, ...]:
    """Return left, top, right, bottom, rounded so that numbers in a box that change all the time do not move labels."""
    low, high = (area.left, area.top), (area.right, area.bottom)
    return *(_STEP * math.floor(side / _STEP) for side in low), *(_STEP * math.ceil(side / _STEP) for side in high)
