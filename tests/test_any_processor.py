"""Culling and picking on a processor whose matrix products are off by as much as any processor's may be."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np

from tests.any_processor import product

ROOT = Path(__file__).parents[1]
TESTS = (
    "tests/viewer/frame/test_culling_far_out.py",
    "tests/viewer/frame/test_frame.py",
    "tests/viewer/frame/test_picking.py",
)


def test_nothing_hangs_on_how_a_processor_rounds_its_matrix_products(tmp_path):
    (tmp_path / "test_uses_it.py").write_text(
        "from tests.any_processor import PRODUCT\n"
        "from octoscope.viewer.camera.camera import Camera\n"
        "def test(): assert PRODUCT in Camera.clip_from_relative.__code__.co_names\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "tests.any_processor", "-p", "no:xdist", *TESTS, str(tmp_path)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]


def test_a_product_is_off_by_no_more_than_may_be_and_exact_where_every_processor_is():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 50, 4, 4))
    exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
    off = np.abs(product(a, b) - exact) / (np.abs(a) @ np.abs(b))
    assert 3.0 * 2.0**-53 < off.max() < 5.0 * 2.0**-53
    np.testing.assert_array_equal(product(a, b), product(a, b))
    whole = rng.integers(-100, 100, (5, 4, 4)).astype(np.float64)
    np.testing.assert_array_equal(product(whole, whole), whole @ whole)
    np.testing.assert_array_equal(product(np.eye(4), a), a)
    assert isinstance(product(a[0, 0], b[0, 0]), float)
