"""Fixtures for the tests of files that a library converts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from octoscope.scene import FileContent
from octoscope.scene.formats.converted import process, reader
from octoscope.scene.formats.readers import read_file


@pytest.fixture
def convert(tmp_path, monkeypatch) -> Callable[..., FileContent]:
    """Write a text (or bytes) to a file and read it, by a library in this process, which saves the start of another."""
    monkeypatch.setattr(reader, "_run", lambda kind, path, folder, *rest: process.convert_file(path, folder))

    def write_and_read(name: str, text: str | bytes) -> FileContent:
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_file(tmp_path / name)

    return write_and_read
