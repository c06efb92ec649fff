"""Mangled texts: whatever stands in a file, it is read, or refused in one line; no crash, no hang, nothing unsound."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from octoscope.scene import ReadError, read_obj
from octoscope.scene.formats.obj import blocks
from tests.cases import quick
from tests.scene.formats.obj.checks import assert_same, assert_says_what_is_wrong_in_one_line, assert_sound
from tests.scene.formats.obj.mangle import mangled

CASES_A_TEST = 250
BLOCK_SIZES = (1, 100, 300, blocks._BLOCK_BYTES, blocks._BLOCK_BYTES)


@pytest.fixture
def try_case(tmp_path, monkeypatch):
    """Read a mangled text, by its seed; should all of Python die of it, the text is still on the disk."""

    def read_or_refuse(seed: int) -> bool:
        path = tmp_path / "scene.obj"
        path.write_bytes(mangled(seed))
        monkeypatch.setattr(blocks, "_BLOCK_BYTES", BLOCK_SIZES[seed % len(BLOCK_SIZES)])
        try:
            file = read_obj(path, threads=1 + seed % 3)
        except ReadError as error:
            assert_says_what_is_wrong_in_one_line(error, path)
            return False
        assert_sound(file)
        if seed % 10 == 0:
            monkeypatch.setattr(blocks, "_BLOCK_BYTES", 2**20)
            assert_same(file, read_obj(path, threads=1))
        return True

    return read_or_refuse


@pytest.mark.parametrize("first", quick(range(0, 4 * CASES_A_TEST, CASES_A_TEST), 1))
def test_mangled_texts_are_read_or_refused(try_case, first):
    read = sum(try_case(seed) for seed in range(first, first + CASES_A_TEST))
    assert CASES_A_TEST / 2 < read < CASES_A_TEST  # or it would not look at much


@pytest.mark.slow
def test_mangled_texts_for_an_hour(try_case):
    """OCTOSCOPE_FUZZ_SECONDS: another time. OCTOSCOPE_FUZZ_SEED: where to begin."""
    end = time.monotonic() + float(os.environ.get("OCTOSCOPE_FUZZ_SECONDS", "3600"))
    seed = int(os.environ.get("OCTOSCOPE_FUZZ_SEED", "1000000"))
    first = seed
    while time.monotonic() < end:
        try:
            try_case(seed)
        except BaseException:
            print(f"seed {seed}")
            raise
        seed += 1
    print(f"{seed - first:,} cases")


def test_a_mangled_text_is_the_same_for_the_same_seed():
    assert [mangled(seed) for seed in range(50)] == [mangled(seed) for seed in range(50)]
    assert len({mangled(seed) for seed in range(200)}) > 190


def test_the_texts_are_where_a_crash_leaves_them(try_case, tmp_path):
    try_case(1)
    assert Path(tmp_path / "scene.obj").read_bytes() == mangled(1)
