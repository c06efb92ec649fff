"""A file for the tests of loading."""

from pathlib import Path

import pytest

TEXT = """\
mtllib a.mtl
o first
usemtl red
v 0 0 0
v 1 0 0
v 1 1 0
f 1 2 3
o second
v 5 0 0
l 1 4
p 4
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """a.obj, with b.obj beside it that is equal, and their materials."""
    (tmp_path / "a.mtl").write_text("newmtl red\nKd 1 0 0\n")
    path = tmp_path / "a.obj"
    path.write_text(TEXT)
    (tmp_path / "b.obj").write_text(TEXT)
    return path
