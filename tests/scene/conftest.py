"""Fixtures for the tests of files."""

import pytest

from scene import FileContent, read_obj
from tests.scene.obj_texts import Read


@pytest.fixture
def read(tmp_path) -> Read:
    """Write a text (or bytes) to scene.obj, and `files` (name: text) beside it; read it."""

    def write_and_read(text: str | bytes, **files: str | bytes) -> FileContent:
        for name, content in {"scene.obj": text, **files}.items():
            (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_obj(tmp_path / "scene.obj")

    return write_and_read
