"""Each feature's folder can be deleted, with its tests, and the program does all else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from octoscope.viewer.features import FEATURES

ROOT = Path(__file__).parents[3]
COPIED = ("octoscope", "octree", "scene", "viewer", "shaders", "assets", "tests", "pyproject.toml")
NOT_COPIED = shutil.ignore_patterns("__pycache__", "images", "failed", "*.png")


def copy_without(features: Iterable[str], folder: Path) -> Path:
    """Copy the checkout without some features, without pictures; return the copy's path."""
    copy = folder / "checkout"
    copy.mkdir()
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=NOT_COPIED)
        else:
            shutil.copy(source, copy / name)
    compiled = ROOT / "octree" / "jit" / "__pycache__"
    if compiled.is_dir():
        (copy / "octree" / "jit" / "__pycache__").symlink_to(compiled)
    for feature in features:
        shutil.rmtree(copy / "viewer" / "features" / feature)
        shutil.rmtree(copy / "tests" / "viewer" / "features" / feature, ignore_errors=True)
    return copy


def run_in(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=copy, env=environment, capture_output=True, text=True, timeout=600
    )


@pytest.mark.parametrize(
    "features",
    [
        pytest.param(tuple(FEATURES), id="all"),
        *(pytest.param((each,), id=each, marks=pytest.mark.slow) for each in FEATURES),
    ],
)
def test_the_program_does_without_features(features, tmp_path):
    copy = copy_without(features, tmp_path)
    run = run_in(copy, "tests.viewer.features.without_one", str(tmp_path))
    assert run.stdout.endswith("whole\n"), run.stdout + run.stderr
    assert run.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("feature", FEATURES)
def test_the_cores_tests_pass_without_a_feature(feature, tmp_path):
    copy = copy_without([feature], tmp_path)
    folders = ("commands", "app", "ui", "editing", "tools", "frame", "camera", "settings", "document", "cli")
    run = run_in(copy, "pytest", "-q", "-x", "-n", "2", *(f"tests/viewer/{folder}" for folder in folders))
    assert run.returncode == 0, run.stdout[-4000:]


def test_a_feature_is_known_to_its_own_folder_alone():
    folder = ROOT / "viewer" / "features"
    for path in (*(ROOT / "scene").rglob("*.py"), *(ROOT / "viewer").rglob("*.py")):
        inside = path.relative_to(folder).parts[0] if folder in path.parents else ""
        text = path.read_text(encoding="utf-8")
        if path.name == "browser.py":  # which is there for the feature `web` alone
            text = text.replace("features.web.front", "")
        for feature in FEATURES:
            assert inside == feature or f"features.{feature}" not in text, path
