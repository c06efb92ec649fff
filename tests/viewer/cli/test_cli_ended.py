"""The process that compiles kernels ends with the program that has started it."""

import subprocess
import sys


def test_the_compiler_ends_when_the_program_has(tmp_path):
    command = [sys.executable, "-m", "octoscope.octree.jit.worker", "all", "."]
    with subprocess.Popen(command, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        process.stdin.close()
        assert process.wait(60) == 1
