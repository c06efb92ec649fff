"""The window with dialogs of the system: a program of ours stands in for zenity."""

from __future__ import annotations

import os
import signal

import pytest

from octoscope.scene import load
from tests.viewer.ui.dialogs.fake_zenity import FakeZenity
from tests.viewer.windows.test_saving import box_is_there, is_asked
from tests.viewer.windows.window_boxes import box_pixel, first_camera
from tests.viewer.windows.window_steps import WINDOW_TEST, named_in_title
from tests.viewer.windows.xvfb import Window, open_window, wait_for

pytestmark = WINDOW_TEST


@pytest.fixture
def zenity(tmp_path) -> FakeZenity:
    return FakeZenity(tmp_path / "programs")


def asked(window: Window, zenity: FakeZenity, *keys: str) -> list[str]:
    """Press keys, and return the arguments of the dialog that they open."""
    window.press(*keys)
    return wait_for(lambda: zenity.asked, "the system's dialog")


def test_files_are_opened_and_saved_by_the_systems_own_dialogs(boxes, tmp_path, zenity):
    (folder := tmp_path / "with a blank \udcff").mkdir()
    project = folder / "saved.octo.json"
    with open_window(boxes, folder=tmp_path, dialogs=zenity.folder) as window:
        window.rest()
        # Save as: a name without its ending gets it.
        arguments = asked(window, zenity, "ctrl+shift+s")
        assert "--save" in arguments and f"--filename={boxes.parent}/boxes.octo.json" in arguments
        # The window works on meanwhile.
        window.click(box_pixel(first_camera(), "red"))
        wait_for(lambda: named_in_title(window) == "red", "the red box in the title")
        assert zenity.is_running()
        zenity.answer(os.fsencode(project.with_name("saved")))
        wait_for(lambda: project.exists() and "saved.octo.json" in window.title, "the project")
        before = project.stat().st_mtime_ns

        # The dialog has asked about the very file that it names, and the window does not ask again.
        window.press("ctrl+d")
        wait_for(lambda: "*saved.octo.json" in window.title, "a change")
        asked(window, zenity, "ctrl+shift+s")
        zenity.answer(os.fsencode(project))
        wait_for(lambda: project.stat().st_mtime_ns > before and "*" not in window.title, "the second save")

        # Cancelled, nothing happens.
        asked(window, zenity, "ctrl+o")
        zenity.answer(status=1)
        window.rest()
        assert not box_is_there(window) and "saved.octo.json" in window.title

        assert "--save" not in asked(window, zenity, "ctrl+o")
        zenity.answer(os.fsencode(boxes))
        wait_for(lambda: "boxes.obj" in window.title, "the file that was opened")

        # Where the dialog dies the window's own box opens.
        asked(window, zenity, "ctrl+o")
        os.kill(zenity.pid, signal.SIGKILL)
        (zenity.folder / "asked").unlink()
        wait_for(lambda: box_is_there(window), "the box that names files")
        window.press("Escape")
        wait_for(lambda: not box_is_there(window), "the box to go")

        # Escape in the window closes the dialog, and so does the window's end.
        asked(window, zenity, "ctrl+o")
        window.press("Escape")
        wait_for(lambda: not zenity.is_running(), "the dialog to go")
        (zenity.folder / "asked").unlink()
        asked(window, zenity, "ctrl+o")
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
        assert window.errors == ""
    wait_for(lambda: not zenity.is_running(), "the end of the dialog")
    assert len(load(project)) == len(load(boxes)) + 1


@pytest.mark.slow
def test_several_files_are_opened_as_one_scene_that_has_no_changes(boxes, tmp_path, zenity):
    (flag := tmp_path / "flag.obj").write_text("o flag\nv 0 2 0\nv 0 4 0\nv 1 3 0\nf 1 2 3\n")
    project = tmp_path / "saved.octo.json"
    with open_window(flag, folder=tmp_path, dialogs=zenity.folder) as window:
        window.rest()
        assert "--multiple" in asked(window, zenity, "ctrl+o")
        zenity.answer(f"{boxes}\n{flag}")
        wait_for(lambda: window.title.startswith("boxes.obj and 1 more"), "the files that were opened")
        window.rest()
        assert "*" not in window.title
        asked(window, zenity, "ctrl+shift+s")
        zenity.answer(project)
        wait_for(lambda: project.exists() and "saved.octo.json" in window.title, "the project")
    assert {"red", "flag"} <= {*load(project).names.tolist()}


@pytest.mark.slow
def test_a_file_that_only_the_window_knows_of_is_not_overwritten_unasked(boxes, tmp_path, zenity):
    """The dialog has asked about "saved"; the file that would be written is "saved.octo.json"."""
    (tmp_path / "saved.octo.json").write_text("mine")
    with open_window(boxes, folder=tmp_path, dialogs=zenity.folder) as window:
        window.rest()
        asked(window, zenity, "ctrl+shift+s")
        zenity.answer(tmp_path / "saved")
        wait_for(lambda: is_asked(window), "the question")
        window.press("Escape")
        wait_for(lambda: not is_asked(window), "the question to go")
    assert (tmp_path / "saved.octo.json").read_text() == "mine"


@pytest.mark.slow
def test_windows_of_tests_open_no_dialogs_of_the_machine(boxes, tmp_path, zenity, monkeypatch):
    monkeypatch.setenv("PATH", f"{zenity.folder}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "")
    (config := tmp_path / "config").mkdir()
    (config / "config.toml").write_text('theme = "dark"\n')
    for where in (None, config):
        with open_window(boxes, folder=tmp_path, config=where) as window:
            window.rest()
            window.press("ctrl+o")
            wait_for(lambda: box_is_there(window), "the box that names files")
            assert zenity.asked == []


@pytest.mark.slow
def test_a_dialog_ends_with_the_program_that_is_killed(boxes, tmp_path, zenity):
    with open_window(boxes, folder=tmp_path, dialogs=zenity.folder) as window:
        window.rest()
        asked(window, zenity, "ctrl+o")
        assert zenity.is_running()
        window.process.kill()
        wait_for(lambda: not zenity.is_running(), "the end of the dialog")
