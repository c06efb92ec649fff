"""Files that change on disk are noticed once they are whole."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest
import watchfiles

from octoscope.viewer.document.watch import Watcher

PATIENCE_SECONDS = 20.0


def changed(watcher: Watcher, seconds: float = PATIENCE_SECONDS) -> list[Path]:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if taken := watcher.take():
            return taken
        time.sleep(0.02)
    return []


@pytest.fixture
def watched(tmp_path):
    path = tmp_path / "scene.obj"
    path.write_text("v 0 0 0\n")
    (tmp_path / "other.obj").write_text("v 0 0 0\n")
    watcher = Watcher([path])
    time.sleep(0.5)  # until the system watches
    yield path, watcher
    watcher.stop()


def test_a_file_that_is_written_again_is_told_once(watched):
    path, watcher = watched
    path.write_text("v 1 0 0\nv 2 0 0\n")
    assert changed(watcher) == [path]
    assert changed(watcher, 1.0) == []


def test_a_file_put_in_the_place_of_the_old_one_is_told(watched):
    path, watcher = watched
    new = path.with_name("new.tmp")
    new.write_text("v 1 0 0\nv 2 0 0\n")
    os.replace(new, path)
    assert changed(watcher) == [path]


def test_other_files_of_the_folder_are_not_told(watched):
    path, watcher = watched
    path.with_name("other.obj").write_text("v 1 0 0\nv 2 0 0\n")
    assert changed(watcher, 1.5) == []


class Looks:
    """Stands in for the system, which tells nothing: the watcher looks when the test says."""

    def __init__(self) -> None:
        self._wanted: SimpleQueue[bool] = SimpleQueue()
        self._done: SimpleQueue[bool] = SimpleQueue()

    def watch(self, *folders: object, **options: object) -> Iterator[set]:
        while self._wanted.get():
            yield set()
            self._done.put(True)

    def take_one(self) -> None:
        self._wanted.put(True)
        self._done.get(timeout=PATIENCE_SECONDS)

    def end(self) -> None:
        self._wanted.put(False)


def test_a_file_that_is_still_being_written_is_waited_for(tmp_path, monkeypatch):
    looks = Looks()
    monkeypatch.setattr("octoscope.viewer.document.watch.watch", looks.watch)
    path = tmp_path / "scene.obj"
    path.write_text("v 0 0 0\n")
    watcher = Watcher([path])
    with path.open("w") as file:
        for _ in range(12):
            file.write("v 1 0 0\nv 2 0 0\n")
            file.flush()
            looks.take_one()
            assert watcher.take() == []
    looks.take_one()
    assert watcher.take() == [path]
    watcher.stop()
    looks.end()


def test_what_changes_just_before_the_system_watches_is_told(tmp_path, monkeypatch):
    path = tmp_path / "scene.obj"
    path.write_text("v 0 0 0\n")

    def watch_too_late(*folders: object, **options: object) -> Iterator[set]:
        if path.stat().st_size < 10:
            path.write_text("v 1 0 0\nv 2 0 0\n")
        yield from watchfiles.watch(*folders, **options)

    monkeypatch.setattr("octoscope.viewer.document.watch.watch", watch_too_late)
    watcher = Watcher([path])
    assert changed(watcher) == [path]
    watcher.stop()


def test_a_file_that_vanishes_is_told_when_it_is_there_again(watched):
    path, watcher = watched
    path.unlink()
    assert changed(watcher, 1.5) == []
    path.write_text("v 1 0 0\nv 2 0 0\n")
    assert changed(watcher) == [path]


def test_a_link_is_told_by_what_it_points_at(tmp_path):
    target, link = tmp_path / "target.obj", tmp_path / "link.obj"
    target.write_text("v 0 0 0\n")
    link.symlink_to(target)
    watcher = Watcher([link])
    time.sleep(0.5)
    target.write_text("v 1 0 0\nv 2 0 0\n")
    assert changed(watcher) == [target]
    watcher.stop()


def test_a_missing_file_is_told_once_it_is_there_whatever_of_its_path_was_missing(tmp_path):
    path = tmp_path / "a" / "b" / "scene.obj"
    watcher = Watcher([path])
    assert changed(watcher, 0.5) == []
    path.parent.mkdir(parents=True)
    path.write_text("v 0 0 0\n")
    assert changed(watcher) == [path]
    for entry in (path, path.parent):  # as version control does
        entry.unlink() if entry.is_file() else entry.rmdir()
    path.parent.mkdir()
    path.write_text("v 1 0 0\nv 2 0 0\n")
    assert changed(watcher) == [path]
    watcher.stop()


def test_what_changed_is_told_also_where_other_files_are_watched_meanwhile(tmp_path):
    paths = [tmp_path / "a.obj", tmp_path / "b.mtl"]
    for path in paths:
        path.write_text("old\n")
    watcher = Watcher(paths)
    told = set()
    for path in paths:
        path.write_text("a new one\n")
        watcher.watch([*paths, tmp_path / "c.png"])
    deadline = time.monotonic() + PATIENCE_SECONDS
    while told != set(paths) and time.monotonic() < deadline:
        told |= set(changed(watcher, 0.1))
    assert told == set(paths)
    watcher.watch([paths[0]])
    paths[1].write_text("newer\n")
    assert changed(watcher, 0.7) == [], "it is not watched any more"
    watcher.stop()


def test_where_the_system_watches_no_more_folders_files_are_looked_at_now_and_then(tmp_path, monkeypatch):
    def refuse(*folders: object, **options: object) -> None:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr("octoscope.viewer.document.watch.watch", refuse)
    monkeypatch.setattr("octoscope.viewer.document.watch._POLL_SECONDS", 0.05)
    path = tmp_path / "scene.obj"
    path.write_text("v 0 0 0\n")
    watcher = Watcher([path, Path("no\0path")])
    path.write_text("v 1 0 0\nv 2 0 0\n")
    assert changed(watcher) == [path]
    watcher.stop()
