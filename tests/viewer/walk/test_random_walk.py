"""Random walks through the whole interface: undone they leave every bit as it was, done again as it became."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import moderngl
import numpy as np
import pytest

from octoscope.scene import save_project
from octoscope.scene.history.history import Entry
from octoscope.viewer.editing.log import LogEntry
from tests.scene.editing.walks import walking_scene
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.walk.person import Person
from tests.viewer.walk.states import (
    State,
    assert_answers_are_right,
    assert_comes_back_from_a_file,
    assert_recoverable,
    assert_same,
    digest_of,
    state_of,
)

# What is said of a fault of the program's own, not of what was wanted of it.
_OURS = re.compile(
    r"Traceback|broadcast|out of bounds|node ids must|^node .* was deleted|is there twice|has no attribute"
)


class Watch:
    """Looks on, and knows of every state that the history can lead to what it was like."""

    def __init__(self, app: HeadlessApp) -> None:
        self._app = app
        self._editor = app.editor
        self._history = app.editor.history
        self._known: dict[int, tuple[Entry | None, tuple[bytes, bytes]]] = {}
        self._last_said: LogEntry | None = None
        self.returns = 0
        self._saved = self._key(), digest_of(app.editor)[0]
        self._look_after("mark_saved", self._note_saved)
        for name in ("_remember", "undo", "redo"):
            self._look_after(name, self._note)
        self._note()

    def _look_after(self, name: str, look: Callable[[], object]) -> None:
        """Whenever the history has done something."""
        do = getattr(self._history, name)

        def do_and_look(*arguments: object, **named: object) -> object:
            answer = do(*arguments, **named)
            look()
            return answer

        setattr(self._history, name, do_and_look)

    def _note_saved(self) -> None:
        self._saved = self._key(), digest_of(self._editor)[0]

    def _note(self) -> tuple[bytes, bytes]:
        """Compare with what it was like here before, or note what it is like; what it is like now."""
        number, entry = self._key()
        now = digest_of(self._editor)
        known = self._known.get(number)
        if known is not None and known[0] is entry:
            assert now == known[1], f"another state than before after {number} entries"
            self.returns += 1
        self._known[number] = entry, now
        return now

    def look(self) -> None:
        """Assert what holds after any act."""
        history, app = self._history, self._app
        assert app.document.next_document is None and not app.document.is_closed
        for entry in reversed(app.editor.log.entries):
            if entry is self._last_said:
                break
            assert not (entry.level == "error" and _OURS.search(entry.text)), entry.text
        self._last_said = app.editor.log.entries[-1] if app.editor.log.entries else None
        assert 0 <= history.position <= len(history.entries)
        assert history.nbytes <= history._memory_cap_bytes or len(history.entries) == 1
        assert app.document.title == "*" * app.document.is_unsaved + app.document.name  # which may begin with a star
        if history.transaction is not None:
            return
        now, _ = self._note()
        saved_at, saved_content = self._saved
        if now != saved_content:
            assert app.document.is_unsaved, "changed, and not marked as unsaved"
        if self._key() == saved_at:
            assert not app.document.is_unsaved, "as it was saved, and marked as unsaved"

    def _key(self) -> tuple[int, Entry | None]:
        history = self._history
        return history.forgotten + history.position, history.last_done


def walk(
    ctx: moderngl.Context, folder: Path, seed: int, count: int, *, cap_bytes: int | None = None, most_nodes: int = 2000
) -> Person:
    """Do as many things; look on; take all back, do all again, save, open."""
    app = HeadlessApp(ctx, walking_scene(seed), folder=folder / "data")
    try:
        if cap_bytes is not None:
            app.editor.history._memory_cap_bytes = cap_bytes
        person = Person(app, seed, folder, most_nodes=most_nodes)
        watch = Watch(app)
        first = state_of(app.editor)
        _do(count, app, person, watch, np.random.default_rng(seed))
        person.rest()
        _take_all_back(app, person, watch, first)
        _save_and_open(app, folder)
        person.watch = watch
        return person
    finally:
        app.document.abandon()
        app.close()


def _do(count: int, app: HeadlessApp, person: Person, watch: Watch, rng: np.random.Generator) -> None:
    """Do a number of random acts with checks between them; an error says after which acts it came."""
    number = 0
    try:
        for number in range(count):
            person.act()
            watch.look()
            if number % 50 == 49:
                person.rest()
                watch.look()
                history = app.editor.history
                assert history.nbytes == sum(entry.nbytes for entry in history.entries)
                assert_answers_are_right(app.editor.scene, rng)
                if app.editor.history.recorder is not None:
                    assert_recoverable(app.editor)
    except BaseException as error:
        error.add_note(f"in act {number} of {count}; the last were {', '.join(person.lately)}")
        raise


def _take_all_back(app: HeadlessApp, person: Person, watch: Watch, first: State) -> None:
    history = app.editor.history
    history.go_to(len(history.entries))
    last = state_of(app.editor)
    for _ in range(len(history.entries)):
        app.editor.undo()
        watch.look()
    assert not any(entry.edit.changes for entry in history.entries[: history.position])  # undo passes over selections
    history.go_to(0)
    if not history.forgotten:
        assert_same(state_of(app.editor), first)
    assert_answers_are_right(app.editor.scene, person.rng)
    for _ in range(len(history.entries)):
        app.editor.redo()
        watch.look()
    history.go_to(len(history.entries))
    assert_same(state_of(app.editor), last)
    assert_answers_are_right(app.editor.scene, person.rng)


def _save_and_open(app: HeadlessApp, folder: Path) -> None:
    path = folder / "at the end.octo.json"
    save_project(app.editor.scene, path)
    assert_comes_back_from_a_file(app.editor, path)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a temporary folder."""
    monkeypatch.chdir(tmp_path)


def test_random_acts_are_undone_and_done_again_to_the_bit(ctx, tmp_path):
    walk(ctx, tmp_path, 0, 60, most_nodes=100)


def test_where_the_oldest_acts_are_forgotten_the_others_are_undone_all_the_same(ctx, tmp_path):
    person = walk(ctx, tmp_path, 5, 60, cap_bytes=1000, most_nodes=60)
    assert person.editor.history.forgotten > 2


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_ten_thousand_random_acts_are_undone_and_done_again_to_the_bit(ctx, tmp_path, seed):
    walk(ctx, tmp_path, seed, 10_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 202))
def test_a_thousand_random_acts_where_the_oldest_are_forgotten(ctx, tmp_path, seed):
    walk(ctx, tmp_path, seed, 1000, cap_bytes=50_000, most_nodes=300)
