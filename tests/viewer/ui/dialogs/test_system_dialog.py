"""Dialogs of the system, with a program of ours in place of the desktop's."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from octoscope.viewer.document.file_names import ConfirmedPath, PathRequest
from octoscope.viewer.ui.dialogs.path_box import PathBox
from octoscope.viewer.ui.dialogs.system_dialog import Outcome, dialog_command, open_system_dialog
from tests.viewer.ui.dialogs.fake_zenity import FakeZenity
from tests.viewer.windows.xvfb import wait_for

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="programs of Linux desktops")
OPEN = PathRequest("Open", (".octo.json", ".obj"))
SAVE = PathRequest("Save as", (".obj",), suggestion=Path("/models/a house.obj"))


@pytest.fixture
def zenity(tmp_path, monkeypatch) -> FakeZenity:
    fake = FakeZenity(tmp_path / "programs")
    monkeypatch.setenv("PATH", f"{fake.folder}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "")
    return fake


def answered(zenity: FakeZenity, answer, status: int = 0, request: PathRequest = OPEN):
    """Return what a dialog ends with that is answered so."""
    dialog = open_system_dialog(request, Path("/"))
    wait_for(lambda: zenity.asked, "the dialog")
    assert dialog.poll() is None
    zenity.answer(answer, status)
    return wait_for(dialog.poll, "the answer")


def test_systems_without_such_programs_are_asked_by_the_library(zenity, monkeypatch):
    """The library starts zenity too, where it runs on Linux."""
    monkeypatch.setattr(sys, "platform", "darwin")
    assert answered(zenity, "/a/house.obj") == (Path("/a/house.obj"),)
    assert answered(zenity, "", 1) is Outcome.CANCELLED
    dialog = open_system_dialog(SAVE, Path("/"))
    wait_for(lambda: zenity.asked, "the dialog")
    assert "--filename=/models/a house.obj" in zenity.asked and "--save" in zenity.asked
    dialog.close()
    assert not zenity.is_running()


@pytest.mark.parametrize(
    "path", ("/a/house.obj", "/with blanks /and more .obj ", "/not \udcff UTF-8", "/ünï/'quoted'", "/a\nline")
)
def test_a_chosen_path_comes_as_it_is(zenity, path):
    assert answered(zenity, os.fsencode(path)) == (Path(path),)


def test_several_files_can_be_chosen_where_that_is_asked_for(zenity, tmp_path, monkeypatch):
    several = replace(OPEN, several=True)
    assert dialog_command(several, Path("/models"))[-2:] == ["--multiple", "--separator=\n"]
    assert answered(zenity, "/a/one two.obj\n/b.obj", request=several) == (Path("/a/one two.obj"), Path("/b.obj"))
    assert answered(zenity, "/b.obj", request=several) == (Path("/b.obj"),)
    (tmp_path / "kdialog").write_text("#!/bin/sh\n")
    (tmp_path / "kdialog").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert {"--multiple", "--separate-output"} <= {*dialog_command(several, Path("/models"))}
    assert "--multiple" not in dialog_command(OPEN, Path("/models"))


def test_a_cancelled_dialog_is_told_from_one_that_failed(zenity):
    assert answered(zenity, "", 1) is Outcome.CANCELLED
    assert answered(zenity, "", 255) is Outcome.FAILED
    assert answered(zenity, "/a/house.obj", 5) is Outcome.FAILED
    assert answered(zenity, "", 0) is Outcome.FAILED
    assert answered(zenity, "(null)", 0) is Outcome.FAILED
    dialog = open_system_dialog(OPEN, Path("/"))
    wait_for(lambda: zenity.asked, "the dialog")
    os.kill(zenity.pid, signal.SIGKILL)
    assert wait_for(dialog.poll, "the end") is Outcome.FAILED


def test_the_program_is_told_where_to_begin_and_which_files_to_list(zenity):
    command = dialog_command(OPEN, Path("/models"))
    assert command[1:] == [
        "--file-selection",
        "--title=Open",
        "--filename=/models/",
        "--file-filter=.octo.json, .obj | *.octo.json *.OCTO.JSON *.obj *.OBJ",
        "--file-filter=All files | *",
    ]
    command = dialog_command(SAVE, SAVE.suggestion)
    assert "--filename=/models/a house.obj" in command
    assert command[-2:] == ["--save", "--confirm-overwrite"]


def test_each_desktop_has_its_own_dialogs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "KDE")
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    assert dialog_command(OPEN, Path("/models")) is None
    for name in ("qarma", "kdialog"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    texts = ".obj (*.obj *.OBJ) | All files (*)"
    assert dialog_command(SAVE, SAVE.suggestion) == [
        str(tmp_path / "kdialog"),
        "--title",
        "Save as",
        "--getsavefilename",
        "/models/a house.obj",
        texts,
    ]
    monkeypatch.setenv("XDG_CURRENT_DESKTOP", "GNOME")
    assert dialog_command(OPEN, Path("/models"))[0] == str(tmp_path / "qarma")


def answered_by_a_portal(bus, request: PathRequest, ended: int, *uris: str):
    """Return the options that a portal gets, and what the dialog ends with that it answers so."""
    from jeepney import DBusAddress, HeaderFields, MessageType, new_method_return, new_signal

    dialog = open_system_dialog(request, Path("/models"))
    call = bus.receive(timeout=40.0)
    while call.header.message_type != MessageType.method_call:
        call = bus.receive(timeout=40.0)
    sender = call.header.fields[HeaderFields.sender]
    handle = f"/org/freedesktop/portal/desktop/request/{sender[1:].replace('.', '_')}/octoscope"
    bus.send(new_method_return(call, "o", (handle,)))
    assert dialog.poll() is None
    answer = new_signal(DBusAddress(handle, interface="org.freedesktop.portal.Request"), "Response", "ua{sv}")
    answer.header.fields[HeaderFields.destination] = sender
    answer.body = ended, {"uris": ("as", list(uris))}
    bus.send(answer)
    return call.body[2], wait_for(dialog.poll, "the answer")


@pytest.mark.skipif(shutil.which("dbus-daemon") is None, reason="no D-Bus")
def test_without_such_programs_the_desktops_portal_is_asked(tmp_path, monkeypatch):
    message_bus = pytest.importorskip("jeepney").message_bus
    from jeepney.io.blocking import open_dbus_connection

    arguments = ["--session", "--nofork", "--print-address", f"--address=unix:path={tmp_path}/bus"]
    daemon = subprocess.Popen([shutil.which("dbus-daemon"), *arguments], stdout=subprocess.PIPE, text=True)
    try:
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", daemon.stdout.readline().strip())
        monkeypatch.setenv("PATH", str(tmp_path))
        dialog = open_system_dialog(OPEN, Path("/models"))
        assert wait_for(dialog.poll, "the end") is Outcome.FAILED, "no portal there"
        with open_dbus_connection() as bus:
            bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.portal.Desktop"))
            several, uris = replace(OPEN, several=True), ("file:///a/one%20two.obj", "file:///%FF.obj")
            options, chosen = answered_by_a_portal(bus, several, 0, *uris)
            assert chosen == (Path("/a/one two.obj"), Path(os.fsdecode(b"/\xff.obj")))
            assert options["multiple"] == ("b", True) and bytes(options["current_folder"][1]) == b"/models\0"
            assert options["filters"][1][0][0] == ".octo.json, .obj"
            options, chosen = answered_by_a_portal(bus, SAVE, 1)
            assert chosen is Outcome.CANCELLED and options["current_name"] == ("s", "a house.obj")
            assert answered_by_a_portal(bus, SAVE, 2)[1] is Outcome.FAILED
    finally:
        daemon.kill()
        daemon.communicate()


class Dialog:
    """A dialog that is open until `answer` is set."""

    def __init__(self) -> None:
        self.answer: tuple[Path, ...] | Outcome | None = None
        self.is_closed = False

    def poll(self) -> tuple[Path, ...] | Outcome | None:
        return self.answer

    def close(self) -> None:
        self.is_closed = True


class Opener:
    """A path box that asks by dialogs, and all that it does."""

    def __init__(self) -> None:
        self.dialogs: list[Dialog] = []
        self.folders: list[Path] = []
        self.chosen: list[object] = []
        self.box = PathBox(self.open)

    def open(self, request: PathRequest, folder: Path) -> Dialog:
        self.dialogs.append(Dialog())
        self.folders.append(folder)
        return self.dialogs[-1]

    def ask(self, title: str = "Open", **options: object) -> Dialog:
        self.box.ask(PathRequest(title, (".obj",), self.chosen.append, **options))
        return self.dialogs[-1]


def test_a_dialog_stands_in_for_the_box():
    opener = Opener()
    dialog = opener.ask(folder=Path("/models"))
    assert opener.box.has_dialog and not opener.box.is_open and not opener.box.poll()
    dialog.answer = (Path("/elsewhere/house.obj"),)
    assert opener.box.poll() and not opener.box.has_dialog
    assert opener.chosen == [Path("/elsewhere/house.obj")]
    opener.ask(folder=Path("/models")).answer = Outcome.CANCELLED
    assert opener.box.poll() and not opener.box.has_dialog and not opener.box.is_open
    assert opener.folders == [Path("/models"), Path("/elsewhere")], "it begins where the last file was found"
    assert len(opener.chosen) == 1


def test_a_dialog_for_a_new_file_has_asked_before_overwriting():
    opener = Opener()
    opener.ask("Save as", suggestion=Path("/models/house.obj")).answer = (Path("/models/other.obj"),)
    opener.box.poll()
    assert opener.chosen == [ConfirmedPath(Path("/models/other.obj"))]


def test_the_box_opens_where_the_dialog_fails():
    opener = Opener()
    opener.ask().answer = Outcome.FAILED
    assert opener.box.poll()
    assert opener.box.is_open and not opener.box.has_dialog and opener.chosen == []


def test_asking_again_closes_the_dialog():
    opener = Opener()
    first = opener.ask()
    opener.ask()
    assert first.is_closed and len(opener.dialogs) == 1 and not opener.box.has_dialog
    second = opener.ask()
    third = opener.ask("Save as")
    assert second.is_closed and not third.is_closed and opener.box.has_dialog
    fourth = opener.ask("Save as", suggestion=Path("/models/other.obj"))
    assert third.is_closed and opener.box.has_dialog, "another request may have the same title"
    opener.box.close()
    assert fourth.is_closed and not opener.box.has_dialog
