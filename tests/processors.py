"""Runs the tests of frames, culling, picking and cameras as other processors would: python -m tests.processors

OpenBLAS has routines for each kind of processor, and numba compiles for the one it finds. In one run both take those of
an old one; in the other matrix products are off by as much as on any processor (tests/any_processor.py). No answer may
hang on how these round. The two run at a time.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

TESTS = [
    "tests/octree/test_frustum.py",
    "tests/octree/test_grazing.py",
    "tests/octree/test_rounding.py",
    "tests/scene/spatial/test_frustum_select.py",
    "tests/viewer/camera/test_camera.py",
    "tests/viewer/frame/test_culling_far_out.py",
    "tests/viewer/frame/test_frame.py",
    "tests/viewer/frame/test_picking.py",
]
# Tests of what the plugin finds its way into.
TESTS_OF_PRODUCTS = [
    "tests/viewer/frame/test_culling_far_out.py",
    "tests/viewer/frame/test_frame.py",
    "tests/viewer/frame/test_picking.py",
    "tests/test_any_processor.py",
]
# Without AVX and fused multiply-add.
OLD_PROCESSOR = {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": "", "OPENBLAS_CORETYPE": "Prescott"}


def run(name: str, variables: dict[str, str], *arguments: str) -> bool:
    """Run pytest with environment variables of their own, say how it went; whether all passed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", *arguments]
    ran = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
    print(f"{name}: passed" if ran.returncode == 0 else f"{name}: FAILED\n{ran.stdout}{ran.stderr}", flush=True)
    return ran.returncode == 0


def main() -> int:
    is_x86 = platform.machine() in ("x86_64", "AMD64")  # others have no such old one
    with tempfile.TemporaryDirectory() as cache, ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(run, "an old processor", OLD_PROCESSOR | {"NUMBA_CACHE_DIR": cache}, *TESTS)] * is_x86
        runs.append(pool.submit(run, "any processor", {}, "-p", "tests.any_processor", *TESTS_OF_PRODUCTS))
        return 0 if all(each.result() for each in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
