"""One off-screen context for the tests that draw, which must leave it without an error."""

from __future__ import annotations

from collections.abc import Iterator

import moderngl
import pytest

from viewer.offscreen import create_context


@pytest.fixture(scope="session")
def shared_ctx() -> Iterator[moderngl.Context]:
    ctx = create_context()
    yield ctx
    ctx.release()


@pytest.fixture
def ctx(shared_ctx: moderngl.Context) -> Iterator[moderngl.Context]:
    """The context; an OpenGL error before or after the test fails it."""
    shared_ctx.__enter__()  # a window test may have made another context current
    assert shared_ctx.error == "GL_NO_ERROR", "left over from an earlier test"
    yield shared_ctx
    assert shared_ctx.error == "GL_NO_ERROR"
