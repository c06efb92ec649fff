"""HeadlessApp: a window's interface without a window, drawn off-screen and worked by events.

Events of `window` happen at once, before the next frame; press, click, drag and type of the app itself are followed by
frames until everything is settled.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

import moderngl
import numpy as np
from imgui_bundle import imgui

from octoscope.scene import Scene
from octoscope.viewer.app.input import Input
from octoscope.viewer.app.preferences import Preferences
from octoscope.viewer.app.session import Session, SessionHost
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.document.document import Document
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.document.source_files import SourceFiles
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.frame.streamed_scene import StreamedScene
from octoscope.viewer.frame.view import View
from octoscope.viewer.settings.config import Config, WindowState
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.tools.intents import Intent, KeyPress
from octoscope.viewer.tools.tools import Tools
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.docking import Docking
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.panels.outliner import Outliner
from octoscope.viewer.ui.shell import Shell
from octoscope.viewer.window.keys import Chord
from tests.viewer.fake_window import FakeWindow

SIZE = (1280, 720)
ROW_HEIGHT = 20
_OPENS, _SETTLES = 4, 2  # frames until panels stand in their places, and until what was done is seen
_LONGEST = 200  # frames that anything takes
_FRAME_SECONDS = 0.02

Point = tuple[float, float]
AnyTool = TypeVar("AnyTool")


class HeadlessApp:
    """The session of an App over a scene, without its window; the picture itself is not drawn.

    Frames are only described, and drawn when `picture` is asked for: drawing takes twenty times as long.

    Args:
        rebound: keys, as CommandTable takes them.

    Attributes:
        session: as in viewer.app.app.App.
        backend: what Dear ImGui is fed with.
        clipboard: the text on it.
        window: plays the window's part. followed: the intents that came of it.
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
        preset: str = "octoscope",
        theme: str = "dark",
        folder: Path | None = None,
        for_script: bool = False,
        rebound: Mapping[str, Sequence[str]] | None = None,
        streamed: StreamedScene | None = None,
    ) -> None:
        self.size = size
        self._ctx = ctx
        self._pixels = tuple(round(side * pixel_ratio) for side in size)
        self._target = ctx.framebuffer([ctx.renderbuffer(self._pixels, 4)])
        self.backend = ImguiBackend(ctx, load_fonts)
        state = state or WindowState()
        self.clipboard = ""
        host = SessionHost(
            self.backend,
            Docking(state.layout, scale, state.layout_scale),
            state,
            Preferences({"help.first_steps": False, **state.settings}),
            settings=Settings(folder, Config(theme=theme, preset=preset, keys=rebound or {})),
            folder=folder,
            data=folder,
            copy=partial(setattr, self, "clipboard"),
            paste=lambda: self.clipboard,
            take_picture=lambda transparent: np.zeros((48, 64, 4 if transparent else 3), np.uint8),
        )
        options = DocumentOptions(
            "scene", watch=False, can_leave=not for_script, keeps_work=not for_script, streamed=streamed
        )
        self.session = Session(scene, host, options)
        self.session.view.layout.eases = False  # pictures show at once what was asked for
        self.window = FakeWindow()
        self.input = Input(self.window, self.backend, self.session.shell, self.session.view)
        self.followed: list[Intent] = []
        self.settle(_OPENS)

    def show(self, scene: Scene) -> None:
        """Show another document, as an App does."""
        self.session = self.session.replaced_by(scene, "scene")
        self.input.attend(self.session.shell, self.session.view)
        self.settle(_OPENS)

    def feature_tool(self, kind: type[AnyTool]) -> AnyTool:
        """Return the tool of that class that a feature added."""
        tools = (getattr(follow, "__self__", None) for each in self.session.features for follow in each.tools)
        (found,) = (tool for tool in tools if isinstance(tool, kind))
        return found

    @property
    def view(self) -> View:
        return self.session.view

    @property
    def editor(self) -> Editor:
        return self.session.editor

    @property
    def tools(self) -> Tools:
        return self.session.tools

    @property
    def files(self) -> SourceFiles:
        return self.session.files

    @property
    def document(self) -> Document:
        return self.session.document

    @property
    def shell(self) -> Shell:
        return self.session.shell

    @property
    def outliner(self) -> Outliner:
        return self.session.outliner

    @property
    def table(self) -> CommandTable:
        return self.session.table

    def frame(self) -> None:
        """Follow what came, and draw once."""
        for intent in self.input.take():
            self.follow(intent)
        if self.input.take_any_event():
            self.session.note_event()
        self.session.poll()
        self.session.describe(self.size, self._pixels, _FRAME_SECONDS, flies=self.input.flies)
        self.backend.end_frame()
        self.view.update()
        self.window.seconds += _FRAME_SECONDS

    def settle(self, least: int = _SETTLES) -> None:
        """Draw until nothing moves any more."""
        frames = 0
        focus = self.shell.focus
        while self.input.has_any_event or focus.clicks_are_due or self.backend.has_events_left or frames < least:
            self.frame()
            frames += 1
            assert frames < _LONGEST, "events are kept for ever"

    def wait_for_work(self) -> None:
        """Wait until background jobs have ended and their results are shown."""
        self.editor.jobs.wait(JobKind.EDIT)
        self.settle()

    def picture(self) -> np.ndarray:
        """(h, w, 3) uint8: the last frame; the picture's part is black."""
        self._target.use()
        self._target.clear()
        self.backend.render(self._target)
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
        if isinstance(intent, KeyPress) and self.session.boxes.question.is_open:
            return
        self.followed.append(intent)
        self.session.follow(intent, flies_fast=self.input.flies_fast)

    def press(self, *texts: str) -> None:
        """Press and release keys, as Chord.parse reads them: the interface's, or a command's."""
        for chord in map(Chord.parse, texts):
            self.window.chord_down(chord)
            self.frame()
            self.window.chord_up(chord)
            self.settle()

    def type(self, text: str) -> None:
        """Type into the field that has the keyboard."""
        assert self.backend.wants_keyboard, "there is no field to type in"
        self.window.type(text)
        self.settle()

    def move(self, point: Point) -> None:
        """Bring the mouse to a point."""
        self.window.move(point)
        self.frame()

    def click(self, point: Point, *, times: int = 1, held: str = "", button: int = 0) -> None:
        """Press and release the mouse; `held` is "ctrl", "shift", or both with a plus between."""
        self.window.click(
            point, times=times, held=[f"LEFT_{name.upper()}" for name in held.split("+") if name], button=button + 1
        )
        self.settle()
        self.window.seconds += 1.0  # so that the next click is not the second of a double one

    def drag(self, *points: Point) -> None:
        """Press at the first point, go to the others, release."""
        with self.mouse_down(*points):
            self.frame()

    @contextmanager
    def mouse_down(self, *points: Point) -> Iterator[None]:
        """Press at the first point and go to the others; the mouse is released at the end."""
        self.move(points[0])
        self.window.button_down()
        self.frame()
        for start, end in itertools.pairwise(points):
            for fraction in np.linspace(0.0, 1.0, 6)[1:]:
                self.move(tuple(np.add(start, fraction * np.subtract(end, start))))
        yield
        self.window.button_up()
        self.settle()

    @contextmanager
    def held(self, name: str) -> Iterator[None]:
        """A modifier key is down: "ctrl", "shift" or "alt"."""
        self.window.key_down(f"LEFT_{name.upper()}")
        yield
        self.window.key_up(f"LEFT_{name.upper()}")
        self.settle()

    # Where things are.

    def row(self, number: int) -> Point:
        """The middle of a row of the outliner's, on the screen as it is."""
        return 120.0, 90.0 + ROW_HEIGHT * number

    def row_of(self, node_id: int) -> Point:
        """The row that shows a node, as long as nothing was scrolled."""
        row = self.outliner.rows.row_of(node_id)
        assert row >= 0, "it has no row"
        return self.row(row)

    @property
    def selected(self) -> list[int]:
        return self.editor.selected_ids.tolist()

    @property
    def done(self) -> list[str]:
        """The labels of the history's entries that are done."""
        history = self.editor.history
        return [entry.label for entry in history.entries[: history.position]]

    def close(self) -> None:
        """Leave the graphics card as it was."""
        imgui.set_current_context(self.backend._context)
        self.backend.close()
        # moderngl would bind a deleted framebuffer again.
        self._ctx.simple_framebuffer((1, 1)).use()
        self._target.release()
