"""The examples of pages run, and lines are short."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import load

README = Path(__file__).parent.parent / "README.md"


@pytest.mark.usefixtures("four_samples")
@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_python_examples_of_a_page_run(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "assets").symlink_to(README.parent / "assets", target_is_directory=True)
    names: dict = {}
    for example in re.findall(r"```python\n(.+?)```", (README.parent / page).read_text(), flags=re.DOTALL):
        exec(compile(example, page, "exec"), names)
    assert "lighthouse_" in capsys.readouterr().out
    unmoved, moved = load("assets/harbour.obj"), names["scene"]
    lower, upper = unmoved.bounds([unmoved["lighthouse_tower"].id])
    now = moved.bounds([moved["lighthouse_tower"].id])
    np.testing.assert_allclose(now, np.add((lower, upper), (0, 5, 0)))


def test_the_octrees_python_example_gives_what_its_comments_say() -> None:
    text = (README.parent / "octree" / "README.md").read_text()
    (example,) = re.findall(r"```python\n(.+?)```", text, flags=re.DOTALL)
    names: dict = {}
    for line in example.splitlines():
        code, _, comment = line.partition("#")
        if code.startswith("tree.") and comment:
            shown = re.search(r"array\(\[.*?\]\)|Hit\(id=8, t=7.5", comment).group()
            given = eval(code, names)
            if shown.startswith("array"):
                assert repr(given).startswith(shown[:-1])
            else:
                assert (given.id, round(given.t, 5)) == (8, 7.5)
        else:
            exec(code, names)


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "BENCHMARKS.md", "CHANGELOG.md"])
def test_lines_of_pages_are_short_outside_of_tables(page: str) -> None:
    lines = (README.parent / page).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > 140 and not line.startswith("|")] == []
