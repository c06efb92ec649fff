"""What the README shows, runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / "README.md"


def test_the_python_example_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    monkeypatch.chdir(README.parent)
    for example in re.findall(r"```python\n(.+?)```", README.read_text(), flags=re.DOTALL):
        exec(compile(example, str(README), "exec"), {})
    assert "lighthouse_tower" in capsys.readouterr().out


def test_pictures_and_files_it_names_exist() -> None:
    named = re.findall(r"\]\(([^)]+)\)|`((?:octree|scene|viewer|tests)/[\w/]+\.\w+)`", README.read_text())
    assert named
    for picture, file in named:
        assert (README.parent / (picture or file)).exists(), picture or file
