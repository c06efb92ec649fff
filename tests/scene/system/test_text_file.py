"""Why something could not be read or written, in one line."""

from pathlib import Path

import pytest

from octoscope.scene.system.text_file import ReadError, reason_of


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(13, "Permission denied", "a.obj"), "Permission denied"),
        (OSError("not an image"), "not an image"),
        (ValueError("line 1\n  column 2\x1b"), "line 1 column 2\\x1b"),
        (RuntimeError(), "RuntimeError"),
        (ReadError(Path("a.png"), "no such file"), "a.png: no such file"),
    ],
)
def test_a_reason_is_one_line_and_never_empty(error: Exception, reason: str) -> None:
    assert reason_of(error) == reason


def test_a_reason_leaves_out_the_name_of_the_file_that_the_line_is_about() -> None:
    assert reason_of(ReadError(Path("a.png"), "no such file"), "a.png") == "no such file"
