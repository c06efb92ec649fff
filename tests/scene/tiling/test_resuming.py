"""A run that is killed goes on from what is done, and writes the same to the byte."""

from __future__ import annotations

import filecmp
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import octoscope.scene.tiling.tiling as tiling
from octoscope.scene import History, Recorder, WriteError, load, save_project, write_glb
from octoscope.scene.editing import add_primitive
from octoscope.scene.tiling.tiling import write_tiles
from tests.scene.tiling.test_tiling import many_boxes

KILLED = """
import os, signal, sys
from pathlib import Path
import octoscope.scene.tiling.tiling as tiling
from octoscope.scene.tiling.finished_jobs import FinishedJobs
from tests.scene.tiling.test_resuming import with_small_buckets

log, folder, left, *paths = sys.argv[1:]
do, write, left = FinishedJobs.do, FinishedJobs._write, int(left)

def logged(self, function, stage, numbered_job):
    with open(log, "a") as file:
        file.write(f"{stage} {numbered_job[0]}\\n")
    return do(self, function, stage, numbered_job)

def killed(self, name, result):
    global left
    if name != "command" and left == 0:
        (self.folder / name).write_bytes(b"cut short")
        os.kill(os.getpid(), signal.SIGKILL)
    left -= name != "command"
    write(self, name, result)

FinishedJobs.do, FinishedJobs._write = logged, killed
with_small_buckets(setattr)
tiling.write_tiles([Path(path) for path in paths], Path(folder), leaf_elements=40)
"""


def with_small_buckets(set_attribute) -> None:
    """Make buckets so small that all stages have several jobs."""
    set_attribute(tiling, "_LEAST_ELEMENTS", 64)
    set_attribute(tiling, "_MOST_ELEMENTS", 128)


@pytest.fixture
def paths(tmp_path, monkeypatch):
    """Three files of boxes."""
    with_small_buckets(monkeypatch.setattr)
    for number in range(3):
        write_glb(many_boxes(20, seed=number), tmp_path / f"{number}.glb")
    return sorted(tmp_path.glob("*.glb"))


def assert_same_files(one: Path, other: Path) -> None:
    names = {path.relative_to(one) for path in one.rglob("*") if path.is_file()}
    assert names == {path.relative_to(other) for path in other.rglob("*") if path.is_file()}
    assert filecmp.cmpfiles(one, other, names, shallow=False)[1:] == ([], [])


class Ended(Exception):
    """The exception that ends a run."""


def end_after(jobs: int):
    """Return a progress that ends a run when so many jobs are done."""
    left = jobs

    def progress(done: int, of: int, stage: str) -> None:
        nonlocal left
        left -= 1
        if not left:
            raise Ended

    return progress


@pytest.mark.skipif(os.name == "nt", reason="kills as other systems do")
def test_a_run_that_is_killed_again_and_again_does_no_job_twice(paths, tmp_path):
    """Killed in reading, counting, distributing, cutting and joining, while the last job is being told as done."""
    report = write_tiles(paths, tmp_path / "once", leaf_elements=40)
    log = tmp_path / "log"
    kills = 0
    for left in (1, 3, 3, 9, 8, 60, 1000):
        command = [sys.executable, "-c", KILLED, log, tmp_path / "killed", str(left), *paths]
        ended = subprocess.run(command, timeout=120, check=False)
        if ended.returncode == 0:
            break
        assert ended.returncode == -signal.SIGKILL and not (tmp_path / "killed").exists()
        kills += 1
    assert kills >= 5
    assert_same_files(tmp_path / "once", tmp_path / "killed")
    jobs = log.read_text().splitlines()
    assert len({line.split()[0] for line in jobs}) > 5 and len(jobs) == len(set(jobs)) + kills
    assert not list(tmp_path.glob("*saving")) and report.done_before == 0


def end_one(paths: list[Path], folder: Path, *, jobs: int, **options: object) -> Path:
    """End a run after some jobs; return the folder that it leaves."""
    with pytest.raises(Ended):
        write_tiles(paths, folder, leaf_elements=40, progress=end_after(jobs), **options)
    return folder.with_name(f"{folder.name}.octoscope-saving")


@pytest.mark.parametrize("others", [{"workers": 2}, {"max_memory_bytes": 2**34}], ids=["two", "more memory"])
def test_others_may_go_on(paths, tmp_path, others):
    write_tiles(paths, tmp_path / "once", leaf_elements=40, max_memory_bytes=2**33)
    end_one(paths, tmp_path / "ended", jobs=20, max_memory_bytes=2**33)
    report = write_tiles(paths, tmp_path / "ended", **{"leaf_elements": 40, "max_memory_bytes": 2**33} | others)
    assert report.done_before == 20
    assert_same_files(tmp_path / "once", tmp_path / "ended")


CHANGES = {
    "a file": lambda paths, _: write_glb(many_boxes(25, seed=9), paths[1]),
    "the order": lambda paths, _: paths.reverse(),
    "less memory": lambda _, monkeypatch: monkeypatch.setattr(tiling, "_MOST_ELEMENTS", 100),
    "an option": lambda *_: {"leaf_elements": 30},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_has_changed_is_made_anew(paths, tmp_path, monkeypatch, change):
    end_one(paths, tmp_path / "ended", jobs=20)
    options = {"leaf_elements": 40} | (change(paths, monkeypatch) or {})
    report = write_tiles(paths, tmp_path / "ended", **options)
    assert report.done_before == 0
    write_tiles(paths, tmp_path / "once", **options)
    assert_same_files(tmp_path / "once", tmp_path / "ended")


@pytest.mark.parametrize("changed", ["file", "journal", "missing file"])
def test_a_project_is_read_again_where_what_it_stands_on_has_changed(paths, tmp_path, changed):
    scene, project = load(paths[0]), tmp_path / "project.octo.json"
    add = add_primitive(scene, "cube")
    save_project(scene, project)
    if changed == "missing file":
        paths[0].rename(paths[0].with_suffix(".away"))
    end_one([project], tmp_path / "ended", jobs=1)
    if changed == "journal":
        recorder = Recorder(scene)
        History(scene, recorder).do(add)
        recorder.close()
    elif changed == "missing file":
        paths[0].with_suffix(".away").rename(paths[0])
    else:
        write_glb(many_boxes(25, seed=9), paths[0])
    assert write_tiles([project], tmp_path / "ended", leaf_elements=40).done_before == 0
    write_tiles([project], tmp_path / "once", leaf_elements=40)
    assert_same_files(tmp_path / "once", tmp_path / "ended")


def test_what_somebody_else_has_put_there_is_never_loaded(paths, tmp_path, monkeypatch):
    """A file of pickle runs what it says."""
    monkeypatch.setattr("platformdirs.user_cache_path", lambda *_, **__: tmp_path / "other user")
    end_one(paths, tmp_path / "ended", jobs=20)
    monkeypatch.undo()
    with_small_buckets(monkeypatch.setattr)
    assert write_tiles(paths, tmp_path / "ended", leaf_elements=40).done_before == 0


@pytest.mark.parametrize("pattern", ["scratch/*_*", "content/*"])
def test_a_part_that_a_power_failure_cut_short_is_told(paths, tmp_path, pattern):
    left = end_one(paths, tmp_path / "ended", jobs=20)
    for path in left.glob(pattern):
        if path.is_file() and not path.name.startswith("plan"):
            os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(WriteError, match=r"remove the folder .*ended\.octoscope-saving"):
        write_tiles(paths, tmp_path / "ended", leaf_elements=40)
