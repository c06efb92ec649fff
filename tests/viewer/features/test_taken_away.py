"""Each feature's folder can be deleted, with its tests, and the program does all else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from octoscope.viewer.features import FEATURES

ROOT = Path(__file__).parents[3]
COPIED = ("octoscope", "octree", "scene", "viewer", "shaders", "assets", "docs", "tests", "pyproject.toml")
# An editable install finds in the checkout what the copy lacks; Python imports this file before all others.
SITE = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "_editable__" not in getattr(finder, "__module__", "")]
"""
NOT_COPIED = shutil.ignore_patterns("__pycache__", "pictures", "images", "failed", "*.png")


# Folders of tests/viewer that pass without any feature.
CORE_TESTS = ("commands", "app", "ui", "editing", "tools", "frame", "camera", "settings", "document", "cli")
# What can be taken away, as the folders of each, which have their like in tests/.
FOLDERS = {
    **{feature: (f"viewer/features/{feature}",) for feature in FEATURES},
    "tiles": ("viewer/features/tiles", "scene/formats/tiles", "scene/tiling", "scene/streaming"),
    "page": ("viewer/features/page", "scene/formats/page"),
    "converted": ("scene/formats/converted",),
    "las": ("scene/formats/las",),
}


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
    (copy / "sitecustomize.py").write_text(SITE, encoding="utf-8")
    compiled = ROOT / "octree" / "jit" / "__pycache__"
    if compiled.is_dir():
        (copy / "octree" / "jit" / "__pycache__").symlink_to(compiled)
    for name in (name for feature in features for name in FOLDERS[feature]):
        shutil.rmtree(copy / name)
        shutil.rmtree(copy / "tests" / name, ignore_errors=True)
    return copy


def run_in(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=copy, env=environment, capture_output=True, text=True, timeout=1800
    )


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "features",
    [
        pytest.param(tuple(FOLDERS), id="all"),
        *(pytest.param((each,), id=each, marks=pytest.mark.slow) for each in FOLDERS),
    ],
)
def test_the_program_does_without_features(features, tmp_path):
    copy = copy_without(features, tmp_path)
    gone = [f"octoscope.{name.replace('/', '.')}" for feature in features for name in FOLDERS[feature]]
    run = run_in(copy, "tests.viewer.features.without_one", str(tmp_path), *gone)
    assert run.stdout.endswith("whole\n"), run.stdout + run.stderr
    assert run.returncode == 0


@pytest.mark.slow
@pytest.mark.timeout(2000)
def test_the_cores_tests_pass_without_features(tmp_path):
    copy = copy_without(FOLDERS, tmp_path)
    run = run_in(copy, "pytest", "-q", "-n", "2", *(f"tests/viewer/{folder}" for folder in CORE_TESTS))
    assert run.returncode == 0, run.stdout[-4000:]


def test_a_feature_is_known_to_its_own_folders_alone():
    for path in (*(ROOT / "scene").rglob("*.py"), *(ROOT / "viewer").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if path.name == "browser.py":  # which is there for the feature `web` alone
            text = text.replace("features.web.front", "")
        for folders in FOLDERS.values():
            is_own = any(ROOT / name in path.parents for name in folders)
            assert is_own or not any(name.replace("/", ".").removeprefix("viewer.") in text for name in folders), path


def test_the_cores_tests_and_what_they_import_of_tests_import_no_feature():
    left = [path for folder in CORE_TESTS for path in (ROOT / "tests" / "viewer" / folder).rglob("*.py")]
    seen = set()
    folders = [name.replace("/", ".") for names in FOLDERS.values() for name in names]
    while left:
        path = left.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        imported = re.findall(r"^(?:from|import) ([\w.]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        for folder in folders:
            names = [name for name in imported if f"{name}.".startswith((f"octoscope.{folder}.", f"tests.{folder}."))]
            assert names == [], path
        left += [ROOT / f"{name.replace('.', '/')}.py" for name in imported if name.startswith("tests.")]
    assert len(seen) > 100
