"""Fixtures for the tests of formats."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from octoscope.scene import FileContent
from octoscope.scene.formats.readers import read_file


@pytest.fixture
def read_named(tmp_path) -> Callable[[str, str | bytes], FileContent]:
    """Write a file of a name, by the ending of which it is read."""

    def write_and_read(name: str, text: str | bytes) -> FileContent:
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_file(tmp_path / name)

    return write_and_read
