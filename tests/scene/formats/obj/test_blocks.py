"""The division of a file into blocks and the number of threads change nothing."""

from __future__ import annotations

import gzip
import re
from itertools import pairwise

import numpy as np
import pytest

from octoscope.scene import FileContent, ReadError, read_obj
from octoscope.scene.formats.obj import blocks
from octoscope.scene.formats.obj.block_arrays import PADDING
from octoscope.scene.formats.obj.collected import GrowingArray
from tests.cases import quick
from tests.scene.formats.obj.checks import assert_same
from tests.scene.formats.obj.corpus import CORPUS, in_bytes
from tests.scene.formats.obj.texts import SQUARE


@pytest.fixture
def read_in_blocks(tmp_path, monkeypatch):
    """Write bytes to a file and read it in blocks of some bytes, by some threads; None: as usual."""

    def write_and_read(data: bytes, block_bytes: int | None, threads: int) -> FileContent:
        path = tmp_path / "scene.obj"
        path.write_bytes(data)
        with monkeypatch.context() as patch:
            if block_bytes is not None:
                patch.setattr(blocks, "_BLOCK_BYTES", block_bytes)
            return read_obj(path, threads=threads)

    return write_and_read


@pytest.mark.parametrize("threads", (1, 7))
@pytest.mark.parametrize("block_bytes", quick((1, 2 * PADDING + 1, 100, 256, 1000), 2))
@pytest.mark.parametrize("name", CORPUS)
def test_a_file_in_small_blocks_is_the_same(read_in_blocks, name, block_bytes, threads):
    for data in in_bytes(CORPUS[name]).values():
        whole = read_in_blocks(data, None, 1)
        assert_same(read_in_blocks(data, block_bytes, threads), whole)


@pytest.mark.parametrize("name", CORPUS)
def test_wherever_a_border_falls(read_in_blocks, name):
    """A comment of growing length in front moves every border across the text."""
    for layout in ("LF", "CRLF", "CR"):
        text = in_bytes("\n" + CORPUS[name])[layout]
        whole = read_in_blocks(b"#" + text, None, 1)
        for length in range(1, 100, 17):
            assert_same(read_in_blocks(b"#" * length + text, 130, 3), whole)


def test_rows_that_come_evenly_get_room_for_all_of_the_file_at_once(read_in_blocks, monkeypatch):
    """At first for the rest of a block, then for all blocks to come, also those that are being read meanwhile."""
    rooms: list[int] = []
    grow_to = GrowingArray._grow_to

    def note(array: GrowingArray, count: int) -> None:
        if array.values.dtype == np.int32 and array.values.ndim == 1 and count > 1000:  # of sizes of faces
            rooms.append(count)
        grow_to(array, count)

    monkeypatch.setattr(GrowingArray, "_grow_to", note)
    faces = 20_000
    read_in_blocks(b"v 0 0 0\nv 1 0 0\nv 0 1 0\n" * 40 + b"f 1 2 3\n" * faces, 2000, 7)
    assert len(rooms) <= 2 and faces <= rooms[-1] < 1.1 * faces, rooms


def test_a_block_ends_behind_a_statement(tmp_path):
    """Every block by itself: it ends with a line end that no backslash stands before."""
    text = "v 1 2 3 \\\r\n" * 3 + "f 1 2 3\r\n" + "o a \\ \t\n b\nv 1\r# \\\r" + "\r\n" * 5 + "\\\n" * 4 + "f 1\\\r\n2"
    for length in range(60):
        data = b"#" * length + b"\n" + text.encode() * 5
        path = tmp_path / "scene.obj"
        path.write_bytes(data)
        parts = []
        with blocks.Blocks(path) as file:
            while True:
                block, end = file.fill(np.empty(80, dtype=np.uint8))
                if end == 0:
                    break
                assert (block[end : end + PADDING] == ord("\n")).all()
                parts.append(block[:end].tobytes())
        assert b"".join(parts) == data
        assert len(parts) > 3
        for part, following in pairwise(parts):
            assert part[-1:] in (b"\n", b"\r")
            assert not re.search(rb"\\[ \t]*(\r\n|\r|\n)\Z", part)
            assert not (part.endswith(b"\r") and following.startswith(b"\n"))


def test_a_block_is_filled_however_little_its_source_gives_at_a_time(tmp_path):
    data = (SQUARE + "f 1 2 3\n").encode() * 10_000
    for layout, content in {
        "plain": data,
        "packed": gzip.compress(data),
        "UTF-16": data.decode().encode("utf-16"),
    }.items():
        path = tmp_path / "scene.obj"
        path.write_bytes(content)
        with blocks.Blocks(path) as file:
            room, end = file.fill(np.empty(100_000, dtype=np.uint8))
        assert 100_000 - 100 < end <= len(room) == 100_000, layout


def test_a_statement_longer_than_many_blocks(read_in_blocks):
    text = SQUARE + "f " + "1 2 3 4 " * 1000 + "\nf 1 2 3\n# " + "x" * 10_000 + "\nf 1 2 9\nf 1 3 4"
    whole = read_in_blocks(text.encode(), None, 1)
    assert len(whole.meshes.triangles) == 4000
    assert [problem.line for problem in whole.problems] == [8]
    assert_same(read_in_blocks(text.encode(), 100, 3), whole)


def test_objects_are_dealt_out_to_threads_in_whatever_number(read_in_blocks):
    rng = np.random.default_rng(1)
    text = SQUARE + "".join(f"o {k}\n" + "f 1 2 3\nf 1 2 3 4\nl 1 2\n" * int(rng.integers(0, 20)) for k in range(25))
    whole = read_in_blocks(text.encode(), None, 1)
    for threads in (2, 3, 8, 30):
        assert_same(read_in_blocks(text.encode(), 500, threads), whole)


def test_a_fault_in_a_late_block_is_told_in_its_line(read_in_blocks):
    text = SQUARE + "f 1 2 3\n# \\\nf 1 2 \\\n3\n\n" * 500 + "f 1 2 x\nf 1 2 99\n"
    file = read_in_blocks(text.encode(), 200, 4)
    assert {problem.kind: problem.line for problem in file.problems} == {"index": 2505, "face-index": 2506}


@pytest.mark.parametrize("threads", (1, 4))
def test_a_file_that_is_refused_is_refused_alike(read_in_blocks, threads):
    for text in ("f 1 2 3\n" * 50, SQUARE + "f 1 2 9\n" * 50, "# nothing\n" * 50, SQUARE + "f 1 2\n" * 50):
        messages = []
        for block_bytes in (None, 100):
            with pytest.raises(ReadError) as refused:
                read_in_blocks(text.encode(), block_bytes, threads)
            messages.append(str(refused.value))
        assert messages[0] == messages[1]


def test_the_true_size_of_a_block_is_met_by_a_real_file(read_in_blocks):
    """Several megabytes, whose borders fall wherever they fall."""
    rng = np.random.default_rng(2)
    count = 30_000
    corners = rng.normal(size=(count, 3, 3))
    lines = []
    for k, corner in enumerate(corners.tolist()):
        lines += [f"v {x!r} {y!r} {z!r}\n" for x, y, z in corner]
        lines.append("f -3 -2 -1\n" if k % 2 else f"f {3 * k + 1} \\\n {3 * k + 2} {3 * k + 3}\n")
    data = "".join(lines).encode()
    assert len(data) > 4 * 2**20
    file = read_in_blocks(data, None, 4)
    mesh = file.meshes.mesh(0)
    assert (mesh.positions[mesh.triangles] == corners).all()
    assert file.problems == []
