"""Gestures on a project, and programs that end without a word."""

from __future__ import annotations

import os
from pathlib import Path

from numpy.typing import ArrayLike

from scene import Edit, Scene, apply, change_nodes, open_project, record_edit, start_journal


def do(scene: Scene, ids: ArrayLike, **columns: ArrayLike) -> None:
    """A gesture that changes columns of nodes."""
    record(scene, change_nodes(scene, ids, **columns))


def record(scene: Scene, edit: Edit) -> None:
    """A gesture."""
    apply(scene, edit)
    record_edit(scene, edit)


def killed(scene: Scene) -> None:
    """What the system does for a program that ends: its files are closed, with nothing done about them."""
    os.close(scene.project.journal._descriptor)


def renamed(path: Path, *names: str) -> Scene:
    """Open, name node 0 one thing after the other, and be killed."""
    scene = open_project(path)
    start_journal(scene)
    for name in names:
        do(scene, 0, name=name)
    killed(scene)
    return scene


def reopened_name(path: Path) -> str:
    return str(open_project(path).names[0])
