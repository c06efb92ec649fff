"""Dask's workers write the same tiles as this process, also where one of them is lost."""

from __future__ import annotations

import filecmp
import functools
import os
import socketserver
import threading
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("distributed", reason="octoscope[cluster] is not installed")

import dask
import distributed

import octoscope.scene.tiling.tiling
from octoscope.scene import Scene, WriteError, write_glb
from octoscope.scene.tiling.cluster import Cluster
from octoscope.scene.tiling.tiling import started, write_tiles
from tests.scene.builders import box


@pytest.fixture
def paths(tmp_path):
    """Four files of boxes."""
    rng = np.random.default_rng(0)
    for number in range(4):
        made = Scene()
        mesh = made.meshes.add(box())
        for _ in range(20):
            made.add_node("box", mesh=mesh, translation=rng.uniform(-20.0, 20.0, 3))
        write_glb(made, tmp_path / f"{number}.glb")
    return sorted(tmp_path.glob("*.glb"))


@contextmanager
def scheduler(**options: object):
    """Start a cluster in this process, where it starts at once, and return its address."""
    with distributed.LocalCluster(
        processes=False, protocol="tcp://", threads_per_worker=1, dashboard_address=None, **options
    ) as cluster:
        yield cluster.scheduler_address


def assert_same_files(one: Path, other: Path) -> None:
    names = {path.relative_to(one) for path in one.rglob("*") if path.is_file()}
    assert names == {path.relative_to(other) for path in other.rglob("*") if path.is_file()}
    assert filecmp.cmpfiles(one, other, names, shallow=False)[1:] == ([], [])


@pytest.fixture
def small_buckets(monkeypatch):
    """All stages have several jobs."""
    monkeypatch.setattr(octoscope.scene.tiling.tiling, "_LEAST_ELEMENTS", 64)
    monkeypatch.setattr(octoscope.scene.tiling.tiling, "_MOST_ELEMENTS", 128)


@pytest.mark.usefixtures("small_buckets")
def test_a_cluster_at_an_address_writes_the_same(paths, tmp_path, monkeypatch):
    write_tiles(paths, tmp_path / "here", leaf_elements=40)
    monkeypatch.chdir(tmp_path)
    with scheduler(n_workers=2) as address:
        report = write_tiles([Path(path.name) for path in paths], Path("there"), cluster=address, leaf_elements=40)
    assert (report.workers, report.objects) == (2, 80) and report.buckets > 8 and report.peak_bytes
    assert_same_files(tmp_path / "here", tmp_path / "there")


@pytest.mark.usefixtures("small_buckets")
def test_where_a_cluster_dies_another_goes_on_from_what_is_done(paths, tmp_path, monkeypatch):
    monkeypatch.setattr("octoscope.scene.tiling.cluster._CONNECTING_SECONDS", 1.0)
    write_tiles(paths, tmp_path / "once", leaf_elements=40)
    done = 0
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}), scheduler(n_workers=2) as address:
        dying = distributed.Client(address, set_as_default=False)

        def progress(*_: object) -> None:
            nonlocal done
            done += 1
            if done == 12:
                dying.shutdown()

        with pytest.raises(WriteError, match="lost workers or its scheduler"):
            write_tiles(paths, tmp_path / "ended", cluster=address, leaf_elements=40, progress=progress)
    with scheduler(n_workers=3) as address:
        report = write_tiles(paths, tmp_path / "ended", cluster=address, leaf_elements=40)
    assert report.done_before >= done
    assert_same_files(tmp_path / "once", tmp_path / "ended")


def done_twice(function, job):
    """Do a job, as one who is lost before its result is told, and again, as the next one."""
    function(job)
    return function(job)


@pytest.mark.usefixtures("small_buckets")
def test_every_job_can_be_done_again(paths, tmp_path, monkeypatch):
    """A job that removed what it reads could not."""
    write_tiles(paths, tmp_path / "once", leaf_elements=40)
    run = octoscope.scene.tiling.tiling._Run.stage

    def stage(self, name, function, *rest):
        return run(self, name, functools.partial(done_twice, function), *rest)

    monkeypatch.setattr(octoscope.scene.tiling.tiling._Run, "stage", stage)
    write_tiles(paths, tmp_path / "twice", leaf_elements=40)
    assert_same_files(tmp_path / "once", tmp_path / "twice")


def end_at_first(marks: Path) -> int:
    """End this process the first time."""
    try:
        (marks / "ended").mkdir()
    except FileExistsError:
        return os.getpid()
    os._exit(1)


def test_a_job_of_a_process_that_is_lost_is_done_by_another(tmp_path):
    environment = dict(os.environ)
    with closing(started(1, "local")) as workers:
        (first, second) = workers.run(end_at_first, [tmp_path, tmp_path])
    assert workers.count == 1 and first == second != os.getpid()
    assert os.environ == environment, "Dask sets MALLOC_TRIM_THRESHOLD_, with which pictures took a third longer"


@pytest.mark.parametrize("address", ["nothing", "tcp://127.0.0.1:1", "ftp://host:1"])
def test_no_scheduler_is_told_in_one_line(paths, tmp_path, monkeypatch, address):
    monkeypatch.setattr("octoscope.scene.tiling.cluster._CONNECTING_SECONDS", 0.2)
    with pytest.raises(WriteError, match="no Dask scheduler answers at"):
        write_tiles(paths, tmp_path / "tiles", cluster=address)
    assert not list(tmp_path.glob("tiles*"))


class Other(socketserver.BaseRequestHandler):
    """A program that is no scheduler: what it says is read as lengths."""

    def handle(self) -> None:
        self.request.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")


class Silent(socketserver.BaseRequestHandler):
    """A program that says nothing until the other end is closed."""

    def handle(self) -> None:
        while self.request.recv(1024):
            pass


@pytest.mark.parametrize("other", [Other, Silent])
def test_another_program_at_the_address_is_told_in_one_line(paths, tmp_path, monkeypatch, other):
    monkeypatch.setattr("octoscope.scene.tiling.cluster._CONNECTING_SECONDS", 0.5)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), other) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            with pytest.raises(WriteError, match="no Dask scheduler answers at"):
                write_tiles(paths, tmp_path / "tiles", cluster=f"tcp://127.0.0.1:{server.server_address[1]}")
        finally:
            server.shutdown()


def test_no_workers_are_told_in_one_line(paths, tmp_path):
    with scheduler(n_workers=0) as address, pytest.raises(WriteError, match="has no workers"):
        write_tiles(paths, tmp_path / "tiles", cluster=address)


def test_a_folder_that_workers_do_not_see_is_told(tmp_path):
    with scheduler(n_workers=1) as address:
        cluster = Cluster(address)
        cluster.check_sees(tmp_path)
        with pytest.raises(WriteError, match="does not see this folder"):
            cluster.check_sees(tmp_path / "elsewhere")
        cluster.close()


def test_memory_is_what_the_tightest_worker_has(tmp_path):
    with scheduler(n_workers=2, memory_limit="64MiB") as address:
        cluster = Cluster(address)
        assert cluster.free_bytes() == 2 * 64 * 2**20
        cluster.close()
