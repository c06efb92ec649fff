"""Hands: how a person who does anything at all works mouse and keys, and answers whatever is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from imgui_bundle import imgui

from octoscope.scene.formats.endings import MODEL_ENDINGS
from octoscope.scene.mesh.images import TEXTURE_ENDINGS
from octoscope.scene.project.paths import PROJECT_ENDINGS
from octoscope.viewer.document.reloader import Reloader
from octoscope.viewer.ui.imgui.backend import imgui_key_from_name
from octoscope.viewer.window.keys import Chord
from tests.viewer.headless_app import HeadlessApp, Point
from tests.viewer.walk import files

_TEXTS = ("", "a", "2.5", "-1e3", "1e400", "tower (2)", "*", "[", "ä 漢\u0301 ", "a/b", "nan", "x" * 300, " ", "0")
_LARGE_FILE_BYTES = 200_000
_BOX_KEYS = ("Tab", "Enter", "Down", "Up", "Esc", "Space", "Backspace")


class Hands:
    """Work an app at random.

    Args:
        folder: where files are written and found.
    """

    def __init__(self, app: HeadlessApp, rng: np.random.Generator, folder: Path) -> None:
        self.app = app
        self.rng = rng
        self._folder = folder
        self._models = files.write_models(folder)
        self._images = files.write_images(folder)
        self.changed = files.Changed()
        app.files._reloader = Reloader(app.editor, app.files.notes, self.changed)
        self._exports = 0

    def answer(self) -> None:
        """Whatever box is open, and whatever field waits for text."""
        for _ in range(12):
            if not self.is_asked():
                break
            self.frames(3)
            if self.app.shell.boxes.path.is_open and not self.app.shell.boxes.question.is_open:
                self._name_a_file()
            elif self.rng.random() < 0.3 and self.app.backend.wants_keyboard:
                self.app.backend.character(str(self.rng.choice(("3", "-2.5", "1e9", "x"))))
                self.frames(2)
            else:
                self.key(str(self.rng.choice(_BOX_KEYS)))
        for _ in range(20):
            if not self.is_asked():
                break
            self.key("Esc")
        assert not self.is_asked(), "a box that cannot be left"
        self.type()

    def key(self, text: str) -> None:
        """Press and release a key of the interface's alone."""
        key = imgui_key_from_name(Chord.parse(text).key)
        for pressed in (True, False):
            self.app.backend.key(key, pressed)
            self.app.frame()
        self.app.frame()

    def _name_a_file(self) -> None:
        if not self.app.backend.wants_keyboard:
            self.key("Esc")
            return
        request = self.app.shell.boxes.path.request
        if request.endings == TEXTURE_ENDINGS:
            path = self._images[self.rng.integers(len(self._images))]
        elif request.suggestion is None:
            path = self.any_model()
        elif request.endings == PROJECT_ENDINGS:
            path = self._folder / str(self.rng.choice(("scene", "other", "third")))
        else:  # a file that was imported must stay what it is
            self._exports += 1
            path = self._folder / f"export {self._exports}"
        texts = (str(path), str(path), str(path), str(self._folder), f"no such name {self._exports}", "")
        text = str(texts[self.rng.integers(len(texts))])
        with self.held("LEFT_CTRL"):
            self.key("A")
        self.app.backend.character(text) if text else self.key("Backspace")
        self.frames(2)
        self.key("Enter" if self.rng.random() < 0.9 else "Esc")

    def type(self) -> None:
        """Into the field that has the keyboard, if one has."""
        for _ in range(3):
            if not self.app.backend.wants_keyboard:
                return
            self.app.backend.character(str(self.rng.choice(_TEXTS)))
            self.frames(2)
            self.key(str(self.rng.choice(("Enter", "Enter", "Tab", "Esc"))))
        if self.app.backend.wants_keyboard:
            self.app.backend.release_keyboard()
            self.frames(2)

    def is_asked(self) -> bool:
        shell, any_popup = self.app.shell, imgui.PopupFlags_.any_popup_id | imgui.PopupFlags_.any_popup_level
        return shell.boxes.question.is_open or shell.boxes.path.is_open or imgui.is_popup_open("", any_popup)

    def place(self) -> Point:
        """In a panel or a menu, as a rule: not over the picture."""
        width, height = self.app.size
        for _ in range(20):
            point = (float(self.rng.uniform(0.0, width)), float(self.rng.uniform(0.0, height)))
            if self.app.shell.covers(point):
                break
        return point

    def place_in(self, panel_id: str) -> Point:
        """In a panel that is shown, below its tab; anywhere, where it has no place."""
        window = imgui.internal.find_window_by_name(f"###{panel_id}")
        if window is None or not window.active:
            return self.place()
        share = self.rng.random(2)
        return float(window.pos.x + share[0] * window.size.x), float(window.pos.y + share[1] * window.size.y)

    def click(self, point: Point, *, times: int = 1, held: str = "", button: int = 0) -> None:
        backend = self.app.backend
        with self.held(*(f"LEFT_{name.upper()}" for name in held.split("+") if name)):
            self.app.move(point)
            for _ in range(times):
                for pressed in (True, False):
                    backend.mouse_button(button, pressed)
                    self.app.frame()
        self.frames(2)

    def drag_mouse(self, begin: Point, end: Point) -> None:
        backend = self.app.backend
        self.app.move(begin)
        backend.mouse_button(0, True)
        self.app.frame()
        for fraction in (0.1, 0.4, 1.0):
            self.app.move(tuple((np.array(begin) + fraction * np.subtract(end, begin)).tolist()))
            self.disturb()
        self.app.frame()
        backend.mouse_button(0, False)
        self.frames(2)

    @contextmanager
    def held(self, *names: str) -> Iterator[None]:
        keys = [imgui_key_from_name(name) for name in names]
        for key in keys:
            self.app.backend.key(key, True)
        yield
        for key in keys:
            self.app.backend.key(key, False)

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.app.frame()

    def any_model(self) -> Path:
        """One of those that were there at first, or, if it is not large, one that was exported since."""
        models = self._models
        if self.rng.random() < 0.15:
            exports = [path for path in self._folder.glob("export *") if path.name.endswith(MODEL_ENDINGS)]
            models = sorted(path for path in exports if path.stat().st_size < _LARGE_FILE_BYTES) or models
        return models[self.rng.integers(len(models))]

    def disturb(self) -> None:
        """Do something else while an act goes on; subclasses say what."""
