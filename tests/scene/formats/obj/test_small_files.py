"""Small files are read on the thread that asks, with room for what they hold, and are what others make of them."""

from __future__ import annotations

import gzip
import threading
from dataclasses import fields

import numpy as np
import pytest

from octoscope.scene.formats.obj import reader
from octoscope.scene.formats.obj.reader import read_obj

SQUARE = "o square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nl 1 3\np 2\n"
MANY = SQUARE + "".join(f"o {i}\ns 1\nf -1 -2 -3\nf -2 -3 -4\n" for i in range(1000))
TEXTS = {
    "square": SQUARE.encode(),
    "no line end": SQUARE.rstrip().encode(),
    "objects": MANY.encode(),
    "UTF-16": SQUARE.encode("utf-16"),
    "packed": gzip.compress((SQUARE + "# a comment\n" * 200_000 + "f 1 2 3\n").encode()),
    "one long statement": (SQUARE + "f" + " 1 2 3" * 4000).encode(),
}


@pytest.fixture
def path(tmp_path, request):
    (tmp_path / "small.obj").write_bytes(TEXTS[request.param])
    assert len(TEXTS[request.param]) < reader._SMALL_BYTES
    return tmp_path / "small.obj"


@pytest.mark.parametrize("path", TEXTS, indirect=True)
def test_no_thread_is_started_and_the_file_is_the_same(path, monkeypatch):
    def start(thread: threading.Thread) -> None:
        raise AssertionError("a thread")

    whole = read_obj(path, threads=3)
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start)
        small = read_obj(path)
    for column in ("node_names", "node_parents", "node_meshes"):
        np.testing.assert_array_equal(getattr(small, column), getattr(whole, column))
    for field in fields(small.meshes):
        np.testing.assert_array_equal(getattr(small.meshes, field.name), getattr(whole.meshes, field.name))
    assert small.problems == whole.problems and small.vertex_count == whole.vertex_count


@pytest.mark.parametrize("path", ["square"], indirect=True)
def test_a_small_file_gets_no_more_room_than_it_needs(path, monkeypatch):
    made = []
    whole = reader.block_arrays_for
    monkeypatch.setattr(reader, "block_arrays_for", lambda size: made.append(size) or whole(size))
    read_obj(path)
    assert made and max(made) < 2**13
