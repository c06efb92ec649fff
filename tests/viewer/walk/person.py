"""A person who does anything at all: whatever the interface offers, in any order, and never stops to think."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from octoscope.viewer.commands.table import Command, CommandTable
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.frame.viewports import PointerLocation
from octoscope.viewer.tools.intents import (
    Click,
    DoubleClick,
    Drag,
    Drop,
    Hover,
    KeyPress,
    Press,
    RightClick,
    Steering,
    Zoom,
)
from octoscope.viewer.window.drags import LOOK, PAN
from octoscope.viewer.window.keys import Chord
from tests.viewer.headless_app import HeadlessApp, Point
from tests.viewer.walk import files
from tests.viewer.walk.hands import Hands

# What leaves this document for another, or the window, after which there is nothing left to walk on; and what opens a
# program outside the window, an editor for the settings.
LEAVES = (
    *("file.new", "file.open", "file.next", "file.previous", "file.recent_", "file.recover", "file.revert"),
    *("file.close", "file.settings"),
)
_EDITS = ("edit.", "object.", "add.", "select.", "bookmark.")
_KEYS_WHILE_MOVING = (
    *"XYZ0123456789",
    "Shift+X", "Shift+Z", ".", "-", "Tab", "Backspace", "Enter", "Esc", "Num 5", "Ctrl+Z", "Del", "F",
)  # fmt: skip
_PATIENCE_SECONDS = 4.0  # then what goes on is stopped
_LONGEST_SECONDS = 600.0  # kernels are compiled when they are first needed


class Person(Hands):
    """Works an app at random; the same seed does the same.

    Args:
        folder: where files are written and found.
        most_nodes, most_triangles: when there are more, most of what is done makes it fewer.

    Attributes:
        kinds: how often each kind of act was done. commands: how often each command of the table was run.
        lately: the last of both, in their order.
    """

    def __init__(
        self, app: HeadlessApp, seed: int, folder: Path, *, most_nodes: int = 2000, most_triangles: int = 200_000
    ) -> None:
        super().__init__(app, np.random.default_rng(seed), folder)
        self.editor = app.editor
        self.scene = app.editor.scene
        self.kinds: Counter[str] = Counter()
        self.commands: Counter[str] = Counter()
        self.lately: deque[str] = deque(maxlen=30)
        self._most_nodes = most_nodes
        self._most_triangles = most_triangles
        stays = [
            replace(command, run=lambda: None) if command.id.startswith(LEAVES) else command
            for command in app.table.commands
        ]
        table = app.session.table = CommandTable(stays, after_run=self._note)
        table.replace_menu = lambda menu, commands: None  # recent files lead to another document, whenever they come
        acts: dict[Callable[[], None], float] = {
            self.run_any: 22.0,
            self.run_an_edit: 24.0,
            self.press_a_key: 6.0,
            self.use_the_palette: 1.5,
            self.select_some: 9.0,
            self.click_the_picture: 8.0,
            self.drag_over_the_picture: 4.0,
            self.take_a_handle: 6.0,
            self.move_by_keys: 4.0,
            self.measure: 2.5,
            self.click_a_row: 4.0,
            self.drag_a_row: 3.0,
            self.rename: 2.0,
            self.use_a_panel: 7.0,
            self.click_anywhere: 3.0,
            self.drag_anywhere: 2.5,
            self.undo_some: 4.0,
            self.redo_some: 3.0,
            self.go_in_the_history: 0.7,
            self.drop_a_file: 1.0,
            self.change_a_file: 0.5,
        }
        self._acts = list(acts)
        weights = np.array(list(acts.values()))
        self._chances = weights / weights.sum()

    def act(self) -> None:
        """Do one thing or another, and answer whatever that brings up."""
        act = self._acts[self.rng.choice(len(self._acts), p=self._chances)]
        if self._is_too_much() and self.rng.random() < 0.7:
            act = self.make_it_fewer
        self.kinds[act.__name__] += 1
        self.lately.append(act.__name__)
        act()
        if self.rng.random() < 0.25:  # before the next picture
            self.run_any()
        self.answer()
        self.wait()

    def wait(self) -> None:
        """Wait until no background job is under way, and answer every box."""
        begun = time.monotonic()
        pause = 0.0005
        self.app.frame()
        while self._is_waiting():
            waited = time.monotonic() - begun
            assert waited < _LONGEST_SECONDS, "it goes on and on"
            if waited > _PATIENCE_SECONDS and self.editor.jobs.is_busy(JobKind.EDIT):
                self.run("tools.stop")
            if not self.is_asked():
                time.sleep(pause)
                pause = min(2.0 * pause, 0.1)  # what is waited for may need the processor to be compiled
            self.answer()
            self.app.frame()

    def rest(self) -> None:
        """End everything that is under way, so that the scene can be checked."""
        self.wait()
        self.app.tools.gizmo.cancel()
        self.editor.finish()
        self.wait()

    # Commands.

    def run(self, command_id: str) -> None:
        """Run a command as a menu does: only if it can be done now."""
        self.app.table.run(self.app.table[command_id])

    def run_any(self) -> None:
        self._run(lambda command: True)

    def run_an_edit(self) -> None:
        self._run(lambda command: command.id.startswith(_EDITS) and command.id not in ("edit.undo", "edit.redo"))

    def press_a_key(self) -> None:
        table = self.app.table
        chords = [chord for command in table.commands for chord in table.keys_of(command)]
        chord = chords[self.rng.integers(len(chords))]
        self.app.window.chord_down(chord)
        self.app.frame()
        self.app.window.chord_up(chord)
        self.app.frame()

    def use_the_palette(self) -> None:
        if self.is_asked():
            return
        self.run("help.commands")
        self.frames(3)
        if self.app.backend.wants_keyboard:
            commands = self.app.table.commands
            label = commands[self.rng.integers(len(commands))].label
            self.app.backend.character(label[: self.rng.integers(1, 9)])
            self.frames(2)
            self.key("Enter")
            self.key("Esc")

    def undo_some(self) -> None:
        for _ in range(self.rng.integers(1, 8)):
            self.run("edit.undo")

    def redo_some(self) -> None:
        for _ in range(self.rng.integers(1, 8)):
            self.run("edit.redo")

    def go_in_the_history(self) -> None:
        history = self.editor.history
        position = history.position + int(self.rng.integers(-12, 13))
        self.editor.go_to(min(max(position, 0), len(history.entries)))
        while self.editor.is_traversing:
            self.editor.poll()

    def make_it_fewer(self) -> None:
        self.app.tools.gizmo.cancel()
        ids = self.scene.ids
        shown = self.scene.mesh_ids[ids] >= 0
        counts = self.scene.meshes.rows["triangle_count"][self.scene.mesh_ids[ids[shown]]]
        heavy = ids[shown][np.argsort(counts)[::-1][:3]]
        few = self.rng.choice(ids, min(len(ids), len(ids) // 4 + 1), replace=False)
        self.editor.select(np.union1d(few, heavy))
        self.run("edit.delete")

    # Selection.

    def select_some(self) -> None:
        """Select some nodes, as a script does."""
        ids = self.scene.ids
        count = min(len(ids), int(self.rng.choice((0, 1, 1, 1, 2, 3, 5, 12))))
        self.editor.select(self.rng.choice(ids, count, replace=False) if count else [])

    # The picture.

    def click_the_picture(self) -> None:
        self._look()
        point = self._point()
        held = dict(zip(("shift", "ctrl", "alt"), (self.rng.random(3) < 0.25).tolist(), strict=True))
        self.app.follow(Hover(point))
        self.app.follow(Press(point))
        which = self.rng.random()
        self.app.follow(
            Click(point, **held) if which < 0.8 else DoubleClick(point) if which < 0.9 else RightClick(point)
        )

    def drag_over_the_picture(self) -> None:
        self._look()
        if self.rng.random() < 0.5:
            self.run("select.box")
        match self.rng.integers(4):
            case 0:
                self.app.follow(Zoom(float(self.rng.integers(-3, 4)), self._point()))
            case 1:
                self.app.follow(Steering(PAN, *self.rng.uniform(-40.0, 40.0, 2).tolist()))
            case 2:
                self.app.follow(Steering(LOOK, *self.rng.uniform(-40.0, 40.0, 2).tolist()))
            case _:
                self._drag(self._point(), self._point())

    def take_a_handle(self) -> None:
        self._select_if_none()
        self._look()
        gizmo = self.app.tools.gizmo
        handles = [handle for each in gizmo.projections() for handle in gizmo.handles(each)]
        if not handles:
            self.run(str(self.rng.choice(("gizmo.move", "gizmo.rotate", "gizmo.scale"))))
            handles = [handle for each in gizmo.projections() for handle in gizmo.handles(each)]
        if handles:
            handle = handles[self.rng.integers(len(handles))]
            place = int(self.rng.integers(len(handle.outline) - 1))
            share = self.rng.uniform(0.2, 0.8)
            pixel = share * handle.outline[place] + (1.0 - share) * handle.outline[place + 1]
            view = self.app.view
            end = pixel + self.rng.normal(0.0, 0.15, 2) * view.layout.size
            self._drag(view.locate(tuple(pixel.tolist())), view.locate(tuple(end.tolist())), disturbed=True)

    def move_by_keys(self) -> None:
        self._select_if_none()
        self._look()
        self.app.follow(Hover(self._point()))
        self.run(f"gizmo.{self.rng.choice(('move', 'rotate', 'scale'))}_by_keys")
        for _ in range(self.rng.integers(0, 8)):
            if self.rng.random() < 0.3:
                self.app.follow(Hover(self._point(), ctrl=bool(self.rng.integers(2))))
            else:
                self.app.follow(KeyPress(Chord.parse(str(self.rng.choice(_KEYS_WHILE_MOVING)))))
            self.disturb()
        if self.rng.random() < 0.8:
            keeps, takes_back = Chord("ENTER"), Chord("ESCAPE")
            last = (KeyPress(keeps), KeyPress(takes_back), Click(self._point()), RightClick(self._point()))
            self.app.follow(last[self.rng.integers(4)])

    def measure(self) -> None:
        self._look()
        if self.app.tools.hand.tool is None:
            self.run(str(self.rng.choice(("tools.measure_distance", "tools.measure_angle"))))
        for _ in range(self.rng.integers(1, 5)):
            point = self._point()
            self.app.follow(Hover(point))
            self.app.follow(Click(point))
            self.disturb()
        if self.app.tools.hand.tool is not None and self.rng.random() < 0.9:
            self.app.tools.hand.take(None)

    def drop_a_file(self) -> None:
        self.app.follow(Drop((str(self.any_model()),)))

    def change_a_file(self) -> None:
        """One that the scene has, in another program; here it is read again."""
        path = self._models[self.rng.integers(2)]
        if path not in self.scene.sources:
            return
        files.move_vertices(path, self.rng)
        self.changed.paths.append(path.resolve())
        while self.changed.paths or self.app.files._reloader.busy:
            self.app.files.reload()
            self.app.frame()

    # Panels.

    def click_a_row(self) -> None:
        """Click a row of the outliner: its name, its arrow or one of its icons."""
        x = float(self.rng.choice((120.0, 120.0, 32.0, 217.0, 237.0)))
        held = str(self.rng.choice(("", "", "ctrl", "shift", "ctrl+shift")))
        self.click((x, self._row()[1]), held=held, button=int(self.rng.random() < 0.1))

    def drag_a_row(self) -> None:
        self.drag_mouse(self._row(), self._row())

    def rename(self) -> None:
        self._select_if_none()
        self.run("edit.rename")
        self.frames(3)
        self.type()

    def use_a_panel(self) -> None:
        """Any of them, the inspector most of all: its fields are typed in and dragged, its buttons and rows clicked."""
        panels = [panel.id for panel in self.app.shell.panels]
        panel_id = "inspector" if self.rng.random() < 0.6 else str(self.rng.choice(panels))
        if self.rng.random() < 0.8:
            self._select_if_none()
        self.app.shell.show_panel(panel_id)
        self.frames(2)
        for _ in range(self.rng.integers(1, 4)):
            point = self.place_in(panel_id)
            if self.rng.random() < 0.35:
                self.drag_mouse(point, (point[0] + float(self.rng.normal(0.0, 60.0)), point[1]))
            else:
                self.click(point, times=int(self.rng.choice((1, 1, 2))))
            self.type()

    def click_anywhere(self) -> None:
        point = self.place()
        times = 1 + int(self.rng.random() < 0.3)
        self.click(point, times=times, button=int(self.rng.random() < 0.15))
        self.type()

    def drag_anywhere(self) -> None:
        self.drag_mouse(self.place(), self.place())
        self.type()

    # How.

    def _is_waiting(self) -> bool:
        app = self.app
        is_long = app.files.reading or self.editor.jobs.is_busy(JobKind.EDIT) or app.document.is_busy
        return is_long or app.document.progress is not None or self.is_asked()

    def _run(self, fits: Callable[[Command], bool]) -> None:
        commands = [command for command in self.app.table.commands if fits(command) and command.enabled()]
        self.app.table.run(commands[self.rng.integers(len(commands))])

    def _note(self, command: Command) -> None:
        self.commands[command.id] += 1
        self.lately.append(command.id)
        self.app.shell.focus.expect_change()

    def _look(self) -> None:
        """Build the picture's frames, most times: a click may mean a picture that is older than the scene."""
        if self.rng.random() < 0.8:
            size = self.app.shell.picture.size
            self.app.view.build_frames((max(1, round(size[0])), max(1, round(size[1]))))

    def _point(self) -> PointerLocation:
        """Return a random location in the picture, most times near an object."""
        view = self.app.view
        ids = view.snapshot.visible_ids
        ids = ids[ids < self.scene.row_count]
        if len(ids) and self.rng.random() < 0.7:
            center = self.scene.world_spheres[self.rng.choice(ids), :3]
            projection = self.app.tools.gizmo.projections()[view.viewports.index(view.active)]
            if np.isfinite(center).all() and projection.sees(center):
                pixel = projection.pixels(center[None])[0] + self.rng.normal(0.0, 3.0, 2)
                if ((pixel > 0.0) & (pixel < view.layout.size)).all():
                    return view.locate(tuple(pixel.tolist()))
        return view.locate(tuple((self.rng.random(2) * view.layout.size).tolist()))

    def _drag(self, begin: PointerLocation, end: PointerLocation, *, disturbed: bool = False) -> None:
        """Over the picture, in pieces."""
        held = {"shift": bool(self.rng.random() < 0.2), "ctrl": bool(self.rng.random() < 0.2)}
        self.app.follow(Press(begin))
        fractions = np.sort(self.rng.random(self.rng.integers(1, 6)))
        for place, fraction in enumerate(fractions):
            now = np.array(begin.pixel) + fraction * np.subtract(end.pixel, begin.pixel)
            now = self.app.view.locate(tuple(now.tolist()))
            self.app.follow(Drag(4.0, -3.0, begin, now, is_first=place == 0, **held))
            if disturbed:
                if self.rng.random() < 0.2:
                    self.app.follow(KeyPress(Chord.parse(str(self.rng.choice(_KEYS_WHILE_MOVING)))))
                self.disturb()
        self.app.follow(Drag(0.0, 0.0, begin, end, is_last=True, **held))

    def disturb(self) -> None:
        """Run a command or draw a frame while an act goes on, now and then."""
        dice = self.rng.random()
        if dice < 0.04:
            self.run_any()
        elif dice < 0.08:
            self.run(str(self.rng.choice(("edit.undo", "edit.redo", "edit.delete", "file.save"))))
        elif dice < 0.3:
            self.app.frame()

    def _select_if_none(self) -> None:
        if not len(self.editor.selected_ids):
            self.select_some()

    def _row(self) -> Point:
        rows = max(1, min(len(self.app.outliner.rows), 24))
        return self.app.row(int(self.rng.integers(rows)))

    def _is_too_much(self) -> bool:
        return len(self.scene) > self._most_nodes or self.scene.element_count("triangle") > self._most_triangles
