"""sRGB and linear colours."""

from __future__ import annotations

import numpy as np

from octoscope.scene.geometry.colors import linear_from_srgb, srgb_from_linear


def test_known_values():
    np.testing.assert_allclose(linear_from_srgb([0.0, 0.04, 0.5, 1.0]), [0.0, 0.0030960, 0.2140411, 1.0], atol=1e-7)


def test_there_and_back_is_the_same():
    values = np.linspace(0.0, 1.0, 1001)
    np.testing.assert_allclose(srgb_from_linear(linear_from_srgb(values)), values, atol=1e-7)
    levels = np.arange(256) / 255.0
    np.testing.assert_allclose(srgb_from_linear(linear_from_srgb(levels)), levels, atol=1e-12)
