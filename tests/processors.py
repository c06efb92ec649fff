"""Runs the tests of frames, culling, picking and cameras as other processors would: python -m tests.processors

OpenBLAS has a set of routines for each kind of processor, and numba compiles for the one it finds. Both can be told to
take another: each kind rounds in its own way, and no answer may hang on it. Two kinds run at a time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

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
# What OPENBLAS_CORETYPE may be, and the flag of /proc/cpuinfo without which that would crash.
BLAS_KERNELS = {"Haswell": "avx2", "SkylakeX": "avx512f", "Zen": "avx2", "Prescott": "pni"}
OLD_PROCESSOR = "nehalem"  # without AVX and fused multiply-add


def run(name: str, variables: dict[str, str]) -> bool:
    """Run the tests with environment variables of their own, say how it went; whether all passed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider", *TESTS]
    ran = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
    print(f"{name}: passed" if ran.returncode == 0 else f"{name}: FAILED\n{ran.stdout}{ran.stderr}", flush=True)
    return ran.returncode == 0


def main() -> int:
    cpuinfo = Path("/proc/cpuinfo")
    flags = set(cpuinfo.read_text().split()) if cpuinfo.exists() else set()
    with tempfile.TemporaryDirectory() as cache, ThreadPoolExecutor(2) as pool:
        compiled_anew = {"NUMBA_CPU_NAME": OLD_PROCESSOR, "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": cache}
        runs = [pool.submit(run, f"kernels for {OLD_PROCESSOR}", compiled_anew)]  # first: it takes longest
        for kernels, needed in BLAS_KERNELS.items():
            if needed in flags:
                runs.append(pool.submit(run, f"BLAS for {kernels}", {"OPENBLAS_CORETYPE": kernels}))
            else:
                print(f"BLAS for {kernels}: left out, this processor has no {needed}", flush=True)
        return 0 if all(each.result() for each in runs) else 1


if __name__ == "__main__":
    sys.exit(main())
