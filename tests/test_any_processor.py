"""The plugin that stands for every processor: how far its products are off, and that the program takes them."""

from __future__ import annotations

import inspect

import numpy as np

from octoscope.viewer.camera.camera import Camera
from tests import any_processor
from tests.any_processor import PRODUCT, product


def test_the_program_takes_its_products(request):
    is_in_use = request.config.pluginmanager.has_plugin(any_processor.__name__)
    assert (PRODUCT in inspect.unwrap(Camera.clip_from_relative).__code__.co_names) == is_in_use


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
