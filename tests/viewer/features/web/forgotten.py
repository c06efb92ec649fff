"""The package of browsers as if it had never been imported."""

import sys

import pytest

import octoscope.viewer.features


def forget_web(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the feature, in all places that know an imported module; the test's end brings it back to all."""
    for name in [name for name in sys.modules if name.startswith("octoscope.viewer.features.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(octoscope.viewer.features, "web", raising=False)
