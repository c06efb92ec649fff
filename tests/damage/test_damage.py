"""Damaged files of every format are used in every way: refused in a line, or all of it holds."""

from __future__ import annotations

import faulthandler
import os
from pathlib import Path

import pytest

from tests.damage import campaign
from tests.damage.bombs import write_bombs
from tests.damage.files import FORMATS, damaged, format_of
from tests.damage.use import read_in_time

CASES = 20  # two of each format, beside those below

# Seeds whose files once crashed, hung or gave a traceback.
MENDED = (1005, 1029, 1114, 1137, 1175, 1177, 1189, 1198, 1302, 1442, 4338, 5160, 9300)


def check(outcome: campaign.Outcome) -> None:
    print(outcome)
    assert not outcome.faults, "\n\n".join(f"seed {seed}: {fault}" for seed, fault in outcome.faults.items())


def test_damaged_files_are_used_or_refused():
    outcome = campaign.run([*range(CASES), *MENDED])
    check(outcome)
    assert outcome.read.keys() == FORMATS.keys()  # or it would not look at much
    assert sum(outcome.read.values()) > CASES / 2


@pytest.mark.slow
def test_damaged_files_for_an_hour():
    """OCTOSCOPE_FUZZ_FILES: how many. OCTOSCOPE_FUZZ_SEED: where to begin."""
    first, count = (int(os.environ.get(f"OCTOSCOPE_FUZZ_{name}", n)) for name, n in (("SEED", 10**6), ("FILES", 10**5)))
    check(campaign.run(range(first, first + count)))


@pytest.mark.slow
def test_no_damaged_file_is_read_for_longer_than_its_size_explains():
    first, count = (int(os.environ.get(f"OCTOSCOPE_FUZZ_{name}", n)) for name, n in (("SEED", 10**6), ("FILES", 10**4)))
    check(campaign.run(range(first, first + count), use="tests.damage.use:read_in_time"))


@pytest.mark.slow
def test_no_file_that_was_made_to_take_long_does(tmp_path):
    for number, path in enumerate(write_bombs(tmp_path)):
        alone = tmp_path / str(number)
        alone.mkdir()
        for file in [path, *path.parent.glob("*.mtl"), *path.parent.glob("*.png")]:
            file.rename(alone / file.name)
        read_in_time(alone / path.name)


def test_a_file_is_the_same_for_the_same_seed(tmp_path):
    for seed in range(30):
        first = damaged(seed, tmp_path).read_bytes()
        assert damaged(seed, tmp_path).read_bytes() == first, format_of(seed)


def do_harm(path: Path, turn: int) -> bool:
    """Files of the second and the third ten of seeds do; those of the fourth are read, others are refused."""
    if path.stem != "a":  # a sound one
        return True
    if turn == 1:
        faulthandler._sigsegv()
    if turn == 2:
        raise ZeroDivisionError("as it were")
    return turn == 3


def test_a_crash_and_an_exception_are_known_by_their_seed():
    outcome = campaign.run([3, 13, 7, 27, 33], use=f"{__name__}:do_harm")
    assert outcome.faults.keys() == {13, 27}
    assert "Segmentation fault" in outcome.faults[13] and "as it were" in outcome.faults[27]
    assert sum(outcome.refused.values()) == 2 and sum(outcome.read.values()) == 1
