"""A document without a window, worked by somebody who answers what it asks, and dies."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np

from octoscope.scene import Scene, load
from octoscope.scene.editing import add_primitive
from octoscope.scene.loading.file_import import add_file
from octoscope.scene.loading.read import BackgroundReader
from octoscope.viewer.document.document import Document
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.document.questions import Choice
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.frame.view import View
from tests.viewer.windows.window_boxes import write_boxes


class Person:
    """Works on a document; names the files that it is asked for from a list."""

    def __init__(self, scene: Scene, folder: Path, *, title: str = "scene", offers_lost: bool = False) -> None:
        self.names: list[Path] = []
        self.requests = []
        self.scene = scene
        self.log = Log()
        self.editor = Editor(View(scene), self.log)
        self.document = Document(
            self.editor,
            DocumentOptions(title, watch=False, offers_lost=offers_lost),
            self._ask,
            take_picture=lambda transparent: np.zeros((4, 4, 4 if transparent else 3), np.uint8),
            config=folder / "config",
            data=folder / "data",
        )
        self.wait()

    def _ask(self, request):
        self.requests.append(request)
        request.choose(self.names.pop(0))

    def wait(self) -> None:
        """Wait until nothing is under way."""
        deadline = time.monotonic() + 30.0
        for _ in range(3):
            self.turn()
            while self.document.is_busy or self.document._loader.busy:
                assert time.monotonic() < deadline
                time.sleep(0.005)
                self.turn()

    def turn(self) -> None:
        """Take in what has ended, and go on."""
        self.editor.poll()
        self.document.poll()

    def save_as(self, path: Path) -> None:
        """Save where nothing was saved before."""
        self.names = [path]
        self.document.save()
        self.wait()

    def add(self, kind: str = "cube") -> None:
        assert self.editor.run(add_primitive, kind)
        self.wait()

    def answer(self, label: str) -> None:
        assert Choice(label) in self.document.question.choices
        self.document.flows.pending.answer(Choice(label))
        self.wait()

    def die(self) -> None:
        """End as a killed program does: its locks go, its files stay."""
        recorder = self.editor.history.recorder
        if recorder is not None:
            os.close(recorder.journal._descriptor)

    @property
    def said(self) -> str:
        return "\n".join(entry.text for entry in self.log.entries)

    def follow(self, folder: Path) -> Person:
        following = self.document.next_document
        return Person(following.scene, folder, title=following.title)


def state(scene: Scene) -> list[tuple]:
    ids = scene.ids
    return [(str(scene.names[i]), *scene.translations[i].tolist()) for i in ids]


def opened(path: Path) -> Scene:
    """Open a file as a window does; `load` would add a project's files itself."""
    scene, reader = Scene(), BackgroundReader([path])
    while not reader.finished:
        taken = reader.take(timeout_seconds=0.05)
        if taken is not None:
            add_file(scene, *taken)
    scene.update_world()
    return scene


def saved_project(folder: Path) -> tuple[Person, Path]:
    """Somebody who has just saved four boxes, and where."""
    path = folder / "project.octo.json"
    person = Person(load(write_boxes(folder)), folder)
    person.save_as(path)
    return person, path
