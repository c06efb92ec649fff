"""Edits of projects, and programs that end without a word."""

from __future__ import annotations

import os
from pathlib import Path

from numpy.typing import ArrayLike

from octoscope.scene import Edit, Recorder, Scene, apply, change_nodes, open_project


def do(recorder: Recorder, ids: ArrayLike, **columns: ArrayLike) -> None:
    """Change columns of nodes."""
    record(recorder, change_nodes(recorder.scene, ids, **columns))


def record(recorder: Recorder, edit: Edit) -> None:
    """Do an edit."""
    apply(recorder.scene, edit)
    recorder.record(edit)


def killed(recorder: Recorder) -> None:
    """Do what the system does for a program that ends: its files are closed, with nothing done about them."""
    os.close(recorder.journal._descriptor)


def renamed(path: Path, *names: str) -> Scene:
    """Open a project, name node 0 one thing after the other, and be killed."""
    recorder = Recorder(open_project(path))
    for name in names:
        do(recorder, 0, name=name)
    killed(recorder)
    return recorder.scene


def reopened_name(path: Path) -> str:
    return str(open_project(path).names[0])
