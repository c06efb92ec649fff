"""A card without memory and a driver that was reset: one line says so, and no wrong picture is shown."""

from __future__ import annotations

from collections.abc import Callable

import moderngl
import pytest

from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.rendering.context.card_errors import CardErrors
from octoscope.viewer.rendering.renderer import DrawError, Renderer
from tests.viewer.scenes import SIZE, box_scene, picture, view_of


def fail_with(monkeypatch: pytest.MonkeyPatch, error: str) -> None:
    """Make OpenGL report an error once, after it was asked for the next one."""
    errors = [error]
    monkeypatch.setattr(moderngl.Context, "error", property(lambda ctx: errors.pop() if errors else "GL_NO_ERROR"))


DRAWS: dict[str, Callable[[Renderer, list[ViewportFrame]], object]] = {
    "picture": lambda renderer, parts: renderer.render_parts(parts, SIZE),
    "outlines": lambda renderer, parts: renderer.render_outlines(parts),
    "refined": lambda renderer, parts: renderer.refine(parts),
    "best": lambda renderer, parts: renderer.render_best(parts, SIZE),
    "buffers": lambda renderer, parts: renderer.buffers(parts, SIZE),
    "uploads": lambda renderer, parts: renderer.upload_pending(),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_memory_that_the_card_lacks_is_said_whatever_is_drawn(ctx, monkeypatch, draw) -> None:
    renderer, view = Renderer(ctx), view_of(box_scene(), distance=9.0)
    before = picture(renderer, view)
    parts = [ViewportFrame(view.build_frame(SIZE), (0, 0))]
    with monkeypatch.context() as patch:
        fail_with(patch, "GL_OUT_OF_MEMORY")
        with pytest.raises(DrawError, match=r"^the graphics card has no memory left$"):
            draw(renderer, parts)
    assert (picture(renderer, view) == before).all(), "once there is memory again, it draws"


def test_a_framebuffer_that_cannot_be_made_and_a_reset_are_said(ctx, monkeypatch) -> None:
    view = view_of(box_scene(), distance=9.0)
    frame = view.build_frame(SIZE)
    renderer = Renderer(ctx)
    with monkeypatch.context() as patch:

        def refuse(*_: object, **__: object) -> None:
            raise moderngl.Error("the framebuffer is not complete\n(UNSUPPORTED)")

        patch.setattr(moderngl.Context, "framebuffer", refuse)
        with pytest.raises(DrawError, match=r"^the picture could not be drawn \(the framebuffer is not complete \(UN"):
            renderer.render(frame)
        fail_with(patch, "GL_OUT_OF_MEMORY")
        with pytest.raises(DrawError, match=r"^the graphics card has no memory left$"):
            renderer.render(frame)
    renderer._card_errors._reset_status = lambda: 0x8253  # GL_GUILTY_CONTEXT_RESET
    with pytest.raises(DrawError, match=r"^the graphics driver was reset, and all that lay on the card is gone$"):
        renderer.render(frame)


def test_a_wrong_call_is_a_warning_and_the_picture_is_drawn(ctx, monkeypatch) -> None:
    renderer, view = Renderer(ctx), view_of(box_scene(), distance=9.0)
    fail_with(monkeypatch, "GL_INVALID_VALUE")
    with pytest.warns(RuntimeWarning, match="OpenGL reported GL_INVALID_VALUE"):
        picture(renderer, view)


def test_nothing_is_wrong_with_a_context_that_draws(ctx) -> None:
    assert CardErrors(ctx).take() is None
