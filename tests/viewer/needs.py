"""Marks of tests of the core that use a feature, which can be taken away."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def needs(feature: str) -> pytest.MarkDecorator:
    """Skip a test where a feature was taken away."""
    is_there = find_spec(f"octoscope.viewer.features.{feature}") is not None
    return pytest.mark.skipif(not is_there, reason=f"{feature} was taken away")
