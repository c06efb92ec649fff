"""Environments by name, where no feature reads any from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from octoscope.scene.system.text_file import ReadError
from octoscope.viewer import features
from octoscope.viewer.frame.look.environment_names import environment_called, is_environment


def test_without_a_feature_that_reads_files_a_path_is_told_the_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(features, "FEATURES", ())
    path = tmp_path / "sky.hdr"
    path.write_bytes(b"")
    assert environment_called("day").name == "day" and is_environment("day") and not is_environment(str(path))
    with pytest.raises(ReadError, match=r"sky\.hdr: is none of studio, day, "):
        environment_called(str(path))
