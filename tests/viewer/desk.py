"""A window's interface without a window: drawn off-screen, worked by events as a window would send them.

What `wires` is told happens at once, before the next frame; the Desk's own press, click, drag and type take their time.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import moderngl
import numpy as np
from imgui_bundle import imgui
from PIL import Image

from scene import Scene
from tests.viewer.rendering.wires import Wires
from viewer.app.input import Input
from viewer.app.interface import make_interface
from viewer.app.tool_router import Dispatch
from viewer.document.document import Document
from viewer.document.import_report import messages_of
from viewer.document.source_files import OpenFiles
from viewer.editing.editor import Editor
from viewer.editing.log import Log
from viewer.frame.view import View
from viewer.settings.config import WindowState
from viewer.tools.tools import Tools
from viewer.ui.imgui.backend import ImguiBackend
from viewer.ui.imgui.fonts import load_fonts
from viewer.ui.overlays.figures import figures_of
from viewer.ui.overlays.gizmo_overlay import draw_gizmo
from viewer.ui.overlays.hud import HudState
from viewer.ui.overlays.select_overlay import SelectOverlay
from viewer.ui.overlays.status_bar import Status
from viewer.ui.overlays.viewport_labels import viewport_labels
from viewer.ui.panels.outliner import Outliner
from viewer.window.intents import Intent, KeyPress
from viewer.window.keys import Chord

SIZE = (1280, 720)
ROW_HEIGHT = 20
_SETTLES = 4
_LONGEST = 200  # frames that anything takes
_FRAME_SECONDS = 0.02

Point = tuple[float, float]


class Desk:
    """All of the interface over a scene; what an App does with it, but for the picture.

    Args:
        draws: whether frames come to the card; else they are only described, which takes a twentieth of the time.
        rebound: keys, as CommandTable takes them. before: whose wires it goes on with, as an App with its window.

    Attributes:
        view, editor, tools, files, document, shell, outliner, table: as in viewer.app.app.App.
        backend: what Dear ImGui is fed with.
        wires: plays the window's part. followed: the intents that came of it.
        has_figures: whether the last picture's are shown, and what is said of several viewports.
    """

    def __init__(
        self,
        ctx: moderngl.Context,
        scene: Scene,
        *,
        state: WindowState | None = None,
        size: tuple[int, int] = SIZE,
        pixel_ratio: float = 1.0,
        scale: float = 1.0,
        preset: str = "default",
        folder: Path | None = None,
        for_script: bool = False,
        draws: bool = True,
        rebound: Mapping[str, Sequence[str]] | None = None,
        before: Desk | None = None,
    ) -> None:
        self.size = size
        self.has_figures = False
        self._draws = draws
        self._frames = 0
        self._ctx = ctx
        self._pixel_ratio = pixel_ratio
        pixels = tuple(round(side * pixel_ratio) for side in size)
        self._target = ctx.framebuffer([ctx.renderbuffer(pixels, 4)])
        self.backend = ImguiBackend(ctx, load_fonts)
        self.view = View(scene)
        self.editor = Editor(self.view, Log())
        messages = messages_of(scene, self.view.index)
        self.files = OpenFiles(scene, None, watch=False, editor=self.editor)
        self.document = Document(
            self.editor,
            self.files,
            title="scene",
            take_picture=lambda: Image.new("RGB", (64, 48)),
            config=folder,
            data=folder,
            for_script=for_script,
        )
        self.tools = Tools(self.editor, lambda: self.shell.picture.size, lambda text: None)
        self.shell = make_interface(
            self.backend,
            self.editor,
            self.files,
            self.tools,
            state=state or WindowState(),
            messages=lambda: messages,
            document=self.document,
            scale=scale,
            preset=preset,
            rebound=rebound,
        )
        self._overlay = SelectOverlay()
        self.wires = Wires() if before is None else before.wires
        self.shell.overlay_covers = self._overlay.covers
        self.input = Input(self.wires, self.backend, self.shell, None if before is None else before.input)
        self._dispatch = Dispatch(self.editor, self.tools, self.shell, self.document)
        self.followed: list[Intent] = []
        self.table = self.shell.table
        self.table.after_run = lambda command: self.shell.focus.expect_change()
        self.outliner = next(panel for panel in self.shell.panels if isinstance(panel, Outliner))
        self.settle()

    def frame(self) -> None:
        """Follow what came, and draw once."""
        for intent in self.input.take():
            self.follow(intent)
        self.document.turn()
        if not self.document.is_busy:
            self.files.add()
        self.editor.turn()
        self.backend.new_frame(self.size, tuple(round(side * self._pixel_ratio) for side in self.size), _FRAME_SECONDS)
        hud = HudState(
            figures=figures_of(self.view, 0, self.table) if self.has_figures else None,
            status=self.tools.gizmo.text() or "",
            loading=None,
            toasts=self.editor.log.toasts,
            measuring=self.tools.measure.rows() if self.tools.measure.kind else None,
            measured=self.tools.measure.places() if self.tools.measure.kind else (),
            viewports=viewport_labels(self.view) if self.has_figures else (),
            is_empty=len(self.view.scene) == 0,
        )
        self.shell.draw(hud, Status("", ""), (self._pixel_ratio,) * 2)
        self._overlay.draw(self.tools.select, self.view.scene, self.shell.picture)
        self._frames += 1
        if self._draws or self._frames % 4 == 0:  # it takes as long as all the rest
            draw_gizmo(self.tools.gizmo, self.shell.picture)
        if self._draws:
            self._target.use()
            self._target.clear()
            self.backend.render(self._target)
        else:
            self.backend.end_frame()
        self.view.update()
        self.wires.seconds += _FRAME_SECONDS

    def settle(self) -> None:
        """Draw until nothing moves any more."""
        frames = 0
        focus = self.shell.focus
        while self.input.take_any_event() or focus.clicks_are_due or self.backend.has_events_left or frames < _SETTLES:
            self.frame()
            frames += 1
            assert frames < _LONGEST, "events are kept for ever"

    def wait_for_work(self) -> None:
        """Until what is done beside the window is there."""
        self.editor.work.wait()
        self.settle()

    def picture(self) -> np.ndarray:
        """(h, w, 3) uint8: what was drawn last; the picture's part is black."""
        width, height = self._target.size
        rows = np.frombuffer(self._target.read(components=3), np.uint8).reshape(height, width, 3)
        return rows[::-1]

    def chosen_color(self, *, also: bool = False) -> np.ndarray:
        """Return the colour behind what is chosen in a panel, or also chosen beside that, (3,), 0 to 255."""
        theme = self.shell.theme
        *color, opacity = theme.also_chosen if also else theme.chosen
        return 255.0 * (opacity * np.array(color) + (1.0 - opacity) * np.array(theme.panel[:3]))

    # Events.

    def follow(self, intent: Intent) -> None:
        """Do what was meant over the picture; a key only where it may be a command."""
        if isinstance(intent, KeyPress) and self.shell.question_box.is_open:
            return
        self.followed.append(intent)
        self._dispatch.follow(intent, flies_fast=self.input.flies_fast)

    def press(self, *texts: str) -> None:
        """Press and release keys, as Chord.parse reads them: the interface's, or a command's."""
        for chord in map(Chord.parse, texts):
            self.wires.chord_down(chord)
            self.frame()
            self.wires.chord_up(chord)
            self.settle()

    def type(self, text: str) -> None:
        """Type into the field that has the keyboard."""
        assert self.backend.wants_keyboard, "there is no field to type in"
        self.wires.unicode_char_entered_func(text)
        self.settle()

    def move(self, point: Point) -> None:
        """Bring the mouse to a point."""
        self.wires.move(point)
        self.frame()

    def click(self, point: Point, *, times: int = 1, held: str = "", button: int = 0) -> None:
        """Press and release the mouse; `held` is "ctrl", "shift", or both with a plus between."""
        self.wires.click(
            point, times=times, held=[f"LEFT_{name.upper()}" for name in held.split("+") if name], button=button + 1
        )
        self.settle()
        self.wires.seconds += 1.0  # so that the next click is not the second of a double one

    def drag(self, *points: Point) -> None:
        """Press at the first point, go to the others, release."""
        with self.mouse_down(*points):
            self.frame()

    @contextmanager
    def mouse_down(self, *points: Point) -> Iterator[None]:
        """Press at the first point and go to the others; the mouse is released at the end."""
        self.move(points[0])
        self.wires.button_down()
        self.frame()
        for start, end in itertools.pairwise(points):
            for fraction in np.linspace(0.0, 1.0, 6)[1:]:
                self.move(tuple(np.add(start, fraction * np.subtract(end, start))))
        yield
        self.wires.button_up()
        self.settle()

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """A modifier key is down: "ctrl", "shift" or "alt"."""
        self.wires.key_down(f"LEFT_{name.upper()}")
        yield
        self.wires.key_up(f"LEFT_{name.upper()}")
        self.settle()

    # Where things are.

    def row(self, number: int) -> Point:
        """The middle of a row of the outliner's, on the screen as it is."""
        return 120.0, 90.0 + ROW_HEIGHT * number

    def row_of(self, node_id: int) -> Point:
        """The row that shows a node, as long as nothing was scrolled."""
        row = self.outliner.outline.row_of(node_id)
        assert row >= 0, "it has no row"
        return self.row(row)

    @property
    def selected(self) -> list[int]:
        return self.editor.selected_ids.tolist()

    @property
    def done(self) -> list[str]:
        """What the history lists as done."""
        history = self.editor.history
        return [entry.label for entry in history.entries[: history.position]]

    def close(self) -> None:
        """Leave the graphics card as it was."""
        imgui.set_current_context(self.backend._context)
        self.backend.close()
        # moderngl would bind a deleted framebuffer again.
        self._ctx.simple_framebuffer((1, 1)).use()
        self._target.release()
