"""Panoramas in a window: chosen by a command, or dropped on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from octoscope.viewer.frame.look.environment_names import environment_called
from octoscope.viewer.tools.intents import Drop
from tests.viewer.app.test_preferences import Start
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


@pytest.fixture
def app(open_app: Callable[..., HeadlessApp]) -> HeadlessApp:
    return open_app(box_scene())


@pytest.fixture
def panorama(tmp_path: Path) -> Path:
    images = pytest.importorskip("OpenImageIO")
    path = tmp_path / "Sky.HDR"
    images.ImageBuf(np.linspace(0.1, 2.0, 16 * 32 * 3, dtype=np.float32).reshape(16, 32, 3)).write(str(path))
    return path


def test_a_panorama_that_is_dropped_lights_the_scene_and_another_file_is_still_imported(
    app: HeadlessApp, panorama: Path, tmp_path: Path
) -> None:
    box = tmp_path / "a.obj"
    box.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    count = len(app.view.scene)
    app.follow(Drop((str(panorama), str(box))))
    while app.document.is_going:
        app.frame()
    app.wait_for_work()
    assert app.view.settings.environment.name == str(panorama) and len(app.view.scene) > count
    assert app.table["view.environment_open"].checked()
    app.table.run(app.table["view.environment_day"])
    assert not app.table["view.environment_open"].checked()


def test_a_panorama_is_chosen_by_a_command_and_a_broken_one_is_said(app: HeadlessApp, panorama: Path) -> None:
    (panorama.parent / "broken.hdr").write_bytes(b"no picture")
    for name in ("Sky.HDR", "broken.hdr"):
        app.table.run(app.table["view.environment_open"])
        app.settle()
        app.type(str(panorama.parent / name))
        app.press("Enter")
        app.wait_for_work()
        assert app.view.settings.environment.name == str(panorama)
    said = app.editor.log.toasts[-1]
    assert said.level == "error" and "broken.hdr" in said.text and "\n" not in said.text


def test_broken_pixels_of_a_panorama_are_said(app: HeadlessApp, tmp_path: Path) -> None:
    images = pytest.importorskip("OpenImageIO")
    pixels = np.ones((16, 32, 3), dtype=np.float32)
    pixels[5, 9] = 1e38
    images.ImageBuf(pixels).write(str(tmp_path / "sky.exr"))
    app.follow(Drop((str(tmp_path / "sky.exr"),)))
    app.wait_for_work()
    (said,) = [entry.text for entry in app.editor.log.toasts if "broken" in entry.text]
    assert said == f"{tmp_path / 'sky.exr'}: 1 broken pixel gets the light of those around"


def test_a_panorama_is_there_the_next_time_and_said_once_its_file_is_gone(tmp_path, monkeypatch):
    images = pytest.importorskip("OpenImageIO")
    path = tmp_path / "sky.hdr"
    images.ImageBuf(np.linspace(0.1, 2.0, 16 * 32 * 3, dtype=np.float32).reshape(16, 32, 3)).write(str(path))
    monkeypatch.chdir(tmp_path)
    first = Start({})
    first.preferences.begin()
    first.view.settings.environment = environment_called("sky.hdr")
    kept = first.preferences.values()
    assert kept["view.environment"] == str(path)
    monkeypatch.chdir("/")
    again = Start(kept)
    assert again.view.settings.environment.name == str(path) and again.preferences.problems == []
    path.unlink()
    third = Start(kept)
    assert third.view.settings.environment.name == "studio"
    (problem,) = third.preferences.problems
    assert "sky.hdr" in problem and "the usual environment is shown" in problem
