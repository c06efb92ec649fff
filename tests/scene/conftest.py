"""Fixtures for the tests of files."""

import sys
from pathlib import Path

import pytest

from octoscope.scene import FileContent, Scene, read_obj, save_project
from tests.scene.formats.mtl.folder import MtlFolder
from tests.scene.formats.obj.texts import Read
from tests.scene.system.windows_files import obey_windows


@pytest.fixture
def read(tmp_path) -> Read:
    """Write a text (or bytes) to scene.obj, and `files` (name: text) beside it; read it."""

    def write_and_read(text: str | bytes, **files: str | bytes) -> FileContent:
        for name, content in {"scene.obj": text, **files}.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_obj(tmp_path / "scene.obj")

    return write_and_read


@pytest.fixture
def folder(tmp_path) -> MtlFolder:
    return MtlFolder(tmp_path)


@pytest.fixture(params=["here", "windows"])
def on_windows_too(request, monkeypatch) -> None:
    """The test runs once as this system has it, and once with Windows' locks and rules for open files."""
    if request.param == "windows":
        if sys.platform != "linux":
            pytest.skip("plays Windows by what Linux has")
        obey_windows(monkeypatch)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A project of three nodes, a > b, c."""
    scene = Scene()
    scene.add_nodes(["a", "b", "c"], parent=[-1, 0, -1])
    save_project(scene, tmp_path / "scene.octo.json")
    return tmp_path / "scene.octo.json"


@pytest.fixture
def journal(path: Path) -> Path:
    """The path of that project's journal."""
    return path.with_name("scene.octo.json.journal")
