"""Marks of tests of the core that use a feature, which can be taken away."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from octoscope.viewer.features import FEATURES


def needs(*features: str) -> pytest.MarkDecorator:
    """Skip a test where one of these features was taken away."""
    gone = [each for each in features if find_spec(f"octoscope.viewer.features.{each}") is None]
    return pytest.mark.skipif(bool(gone), reason=f"taken away: {', '.join(gone)}")


needs_all = needs(*FEATURES)  # for tests of what is found among all commands
