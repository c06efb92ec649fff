"""The examples in docstrings of public names run."""

from __future__ import annotations

import doctest
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import trimesh

import octoscope

ROOT = Path(__file__).parents[2]
FINDER = doctest.DocTestFinder(exclude_empty=True)


def examples() -> list[doctest.DocTest]:
    found = {}
    for name in dir(octoscope):
        thing = getattr(octoscope, name)
        for each in reversed([each for each in getattr(thing, "__mro__", [thing]) if each is not object]):
            for test in FINDER.find(each, f"octoscope.{name}", module=False):
                if test.examples:
                    found[test.name] = test
    return [found[name] for name in sorted(found)]


@pytest.mark.usefixtures("four_samples")
@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_an_example_runs(test: doctest.DocTest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "assets").symlink_to(ROOT / "assets")
    monkeypatch.chdir(tmp_path)
    scene = octoscope.load("assets/harbour.obj")
    camera = octoscope.Camera.looking_at(eye=(50, 30, 50), target=(0, 5, 0), fov_deg=60)
    test.globs = {name: getattr(octoscope, name) for name in dir(octoscope)}
    test.globs |= {"octoscope": octoscope, "np": np, "trimesh": trimesh, "replace": replace}
    test.globs |= {"scene": scene, "camera": camera, "seconds": 0.0}
    lines: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=lines.append)
    assert "".join(lines) == ""


def test_the_most_used_names_have_examples() -> None:
    names = {test.name.removeprefix("octoscope.") for test in examples()}
    assert {"Scene", "Node", "Nodes", "Camera", "Frustum.from_camera", "Scene.add_mesh", "Scene.find"} <= names
