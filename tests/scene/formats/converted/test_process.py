"""The process that converts a file ends with the program that has started it."""

import os
import subprocess
import sys

import pytest


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a FIFO that nobody writes to")
def test_the_converter_ends_when_the_program_has(tmp_path):
    os.mkfifo(tmp_path / "waits.dae")
    command = [sys.executable, "-m", "octoscope.scene.formats.converted.process", "waits.dae", str(2**30)]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        process.stdin.close()
        assert process.wait(60) == 1
