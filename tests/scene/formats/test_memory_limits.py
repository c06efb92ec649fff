"""--max-memory holds for every format: what reading takes is measured from outside, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from octoscope.scene import ReadError
from octoscope.scene.formats.gltf.document import read_document
from octoscope.scene.formats.readers import ReadOptions, read_file
from octoscope.scene.system.read_limits import read_limits
from tests.scene.formats.large_files import LARGE, SMALL, write_large

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak is Linux's")

_OVER = 1.1  # times a limit: what may be taken
_SPENDABLE = 2.2  # times what a file takes: a limit under which it is read


class Measuring:
    """The process that reads and measures."""

    def __init__(self) -> None:
        root = Path(__file__).parents[3]
        program = [sys.executable, "-m", "tests.scene.formats.peak_memory"]
        self.process = subprocess.Popen(program, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def peak(self, path: Path, limit: int = 0) -> tuple[int, str]:
        """Read a file; return the bytes that it took, and "read" or why not."""
        self.process.stdin.write(f"{limit} {path}\n")
        self.process.stdin.flush()
        peak, _, verdict = self.process.stdout.readline().rstrip("\n").partition(" ")
        return int(peak), verdict


@pytest.fixture(scope="module")
def measuring() -> Iterator[Measuring]:
    measuring = Measuring()
    yield measuring
    measuring.process.kill()
    measuring.process.communicate()


@pytest.mark.parametrize("name", LARGE)
def test_reading_keeps_to_the_limit_and_what_fits_is_read(measuring, tmp_path, name):
    measuring.peak(write_large(name, SMALL, tmp_path))  # loads code
    path = write_large(name, LARGE[name][1], tmp_path)
    needed, verdict = measuring.peak(path)
    assert verdict == "read" and needed > 30e6  # or it would not measure anything
    assert measuring.peak(path, int(_SPENDABLE * needed))[1] == "read"
    for share in (0.9, 0.5):
        limit = int(share * needed / _OVER)
        for _ in range(4):  # which pages the system gives wavers
            peak, verdict = measuring.peak(path, limit)
            if peak <= _OVER * limit:
                break
        assert peak <= _OVER * limit, f"{peak:,} bytes, where {limit:,} are allowed: {verdict}"
        if name != "image.glb":  # which opens without its image
            assert "of memory, more than" in verdict and "--max-memory" in verdict


@pytest.mark.parametrize("name", ["a.stl", "a.ply", "a.off", "a.3mf", "a.glb", "a.gltf"])
def test_a_file_larger_than_the_limit_is_refused_before_it_is_read(tmp_path, name, monkeypatch):
    with (tmp_path / name).open("wb") as file:
        file.truncate(2**26)
    monkeypatch.setattr("octoscope.scene.system.read_limits.read_bytes", lambda *_, **__: pytest.fail("read"))
    with pytest.raises(ReadError, match="needs about 64 MiB of memory, more than 32 MiB"):
        read_file(tmp_path / name, ReadOptions(2**25))


def test_several_buffers_are_counted_twice_while_they_are_put_together(tmp_path):
    size = 2**20
    for name in ("a.bin", "b.bin"):
        (tmp_path / name).write_bytes(bytes(size))
    buffers = [{"uri": name, "byteLength": size} for name in ("a.bin", "b.bin")]
    path = tmp_path / "a.gltf"
    path.write_text(json.dumps({"asset": {"version": "2.0"}, "buffers": buffers}))
    with read_limits(path, 5 * size):
        assert len(read_document(path).data) == 2 * size
    with read_limits(path, 3 * size), pytest.raises(ReadError, match="needs about 4 MiB of memory, more than 3 MiB"):
        read_document(path)
