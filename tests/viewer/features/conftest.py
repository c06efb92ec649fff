"""The window that tests of features use, if they ask for no other."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


@pytest.fixture
def app(open_app: Callable[..., HeadlessApp]) -> HeadlessApp:
    """Show boxes that fill the picture, without a window."""
    app = open_app(box_scene())
    app.view.update()
    app.view.framing.frame_nodes(None)
    app.settle()
    return app
