"""Memory that is freed goes back to the system where that was asked for."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from octoscope.scene.system.memory import readable_bytes

# Blocks of a mebibyte that are freed between small ones that stay, as what is read and dropped leaves them.
SCATTERED = """
import sys
from pathlib import Path
from octoscope.scene.system.memory import give_back_freed_memory
if sys.argv[1] == "gives back":
    give_back_freed_memory()
del_first = bytearray(2**24)
del del_first
large, small = [], []
for _ in range(100):
    large.append(bytearray(2**20))
    small.append(bytes(2**17))  # too large for what importing has left free
del large
print(int(Path("/proc/self/statm").read_text().split()[1]) * 4096 // 2**20)
"""


def used_mebibytes(choice: str) -> int:
    usual = {name: value for name, value in os.environ.items() if not name.startswith("MALLOC_")}
    return int(subprocess.check_output([sys.executable, "-c", SCATTERED, choice], env=usual, text=True))


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other allocators have other ways")
def test_freed_memory_is_given_back_where_that_was_asked_for():
    assert used_mebibytes("gives back") < used_mebibytes("") - 50


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1000, "0.977 KiB"),
        (999.4 * 2**10, "999 KiB"),
        (999.7 * 2**10, "0.976 MiB"),
        (1.5 * 2**30, "1.5 GiB"),
        (999.7 * 2**30, "0.976 TiB"),
    ],
)
def test_bytes_are_written_with_three_digits_and_a_unit(count, text):
    assert readable_bytes(count) == text
