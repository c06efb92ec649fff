"""A card without memory and a driver that was reset: one line says so, and no wrong picture is shown."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import moderngl
import numpy as np
import pytest

from octoscope.viewer.doctor.comparison import difference
from octoscope.viewer.frame.frame import ViewportFrame
from octoscope.viewer.rendering import renderer as renderer_file
from octoscope.viewer.rendering.context import card_errors
from octoscope.viewer.rendering.context.card_errors import CardErrors, DrawError
from octoscope.viewer.rendering.context.offscreen import image_of
from octoscope.viewer.rendering.renderer import Renderer
from tests.viewer.scenes import SIZE, box_scene, picture, view_of


def fail_with(monkeypatch: pytest.MonkeyPatch, error: str, times: int = 1) -> None:
    """Make OpenGL report an error so many times when it is asked."""
    errors = [error] * times
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
    monkeypatch.setattr(moderngl.Context, "max_samples", 1)  # there is nothing to do without
    renderer, view = Renderer(ctx), view_of(box_scene(), distance=9.0)
    before = picture(renderer, view)
    parts = [ViewportFrame(view.build_frames(SIZE)[0].frame, (0, 0))]
    with monkeypatch.context() as patch:
        fail_with(patch, "GL_OUT_OF_MEMORY")
        with pytest.raises(DrawError, match=r"^the graphics card has no memory left$"):
            draw(renderer, parts)
    assert (picture(renderer, view) == before).all(), "once there is memory again, it draws"


@pytest.mark.parametrize("name", ("picture", "refined", "best"))
def test_without_memory_for_several_samples_a_pixel_one_is_taken(ctx, monkeypatch, name: str) -> None:
    view = view_of(box_scene(), distance=9.0)
    parts = [ViewportFrame(view.build_frames(SIZE)[0].frame, (0, 0))]
    renderers = Renderer(ctx), Renderer(ctx)
    for renderer in renderers:
        renderer.render_parts(parts, SIZE)
    with monkeypatch.context() as patch:
        fail_with(patch, "GL_OUT_OF_MEMORY")
        DRAWS[name](renderers[0], parts)
    assert renderers[0].messages and not renderers[1].messages
    for renderer in renderers:
        while not renderer.is_refined:
            renderer.refine(parts)
    apart = difference(image_of(renderers[0].picture), image_of(renderers[1].picture))
    assert not apart.is_seen, str(apart)
    with monkeypatch.context() as patch:
        fail_with(patch, "GL_OUT_OF_MEMORY")
        with pytest.raises(DrawError):
            renderers[0].render_parts(parts, SIZE)


def test_several_samples_are_tried_again_when_the_lack_of_memory_is_over(ctx, monkeypatch) -> None:
    now = [100.0]
    monkeypatch.setattr(renderer_file, "time", SimpleNamespace(monotonic=lambda: now[0]))
    renderer, view = Renderer(ctx), view_of(box_scene(), distance=9.0)
    smooth = picture(renderer, view)

    def samples_after(seconds: float, *, lacks: bool) -> int:
        now[0] += seconds
        with monkeypatch.context() as patch:
            if lacks:
                fail_with(patch, "GL_OUT_OF_MEMORY")
            drawn.append(picture(renderer, view))
        return renderer._targets[0].samples

    drawn: list[np.ndarray] = []
    assert samples_after(0.0, lacks=True) == 0 and len(renderer.messages) == 1
    assert samples_after(29.0, lacks=False) == 0 and len(renderer.messages) == 1
    assert samples_after(1.1, lacks=True) == 0 and len(renderer.messages) == 1, "the lack goes on"
    assert samples_after(59.0, lacks=False) == 0, "each try is twice as late"
    assert samples_after(1.1, lacks=False) == 4 and not renderer.messages
    assert np.array_equal(drawn[-1], smooth)
    assert samples_after(1000.0, lacks=False) == 4


def test_a_window_s_driver_is_not_asked_for_errors_in_every_picture(ctx, monkeypatch) -> None:
    renderer, view, asked = Renderer(ctx, upload_seconds=1.0), view_of(box_scene(), distance=9.0), []
    monkeypatch.setattr(card_errors, "time", SimpleNamespace(monotonic=lambda: 1.0 + 0.01 * len(asked)))
    monkeypatch.setattr(moderngl.Context, "error", property(lambda _: asked.append(0) or "GL_NO_ERROR"))
    for _ in range(10):
        picture(renderer, view)
    assert len(asked) == 1
    fail_with(monkeypatch, "GL_OUT_OF_MEMORY")
    monkeypatch.setattr(card_errors.time, "monotonic", lambda: 2.0)
    picture(renderer, view)
    assert renderer.messages


def test_a_framebuffer_that_cannot_be_made_and_a_reset_are_said(ctx, monkeypatch) -> None:
    view = view_of(box_scene(), distance=9.0)
    frame = view.build_frames(SIZE)[0].frame
    renderer = Renderer(ctx)
    renderer._samples = 0  # there is nothing to do without
    with monkeypatch.context() as patch:

        def refuse(*_: object, **__: object) -> None:
            raise moderngl.Error("the framebuffer is not complete\n(UNSUPPORTED)")

        patch.setattr(moderngl.Context, "framebuffer", refuse)
        with pytest.raises(DrawError, match=r"^the picture could not be drawn \(the framebuffer is not complete \(UN"):
            renderer.render(frame)
        fail_with(patch, "GL_OUT_OF_MEMORY")
        with pytest.raises(DrawError, match=r"^the graphics card has no memory left$"):
            renderer.render(frame)
    told = [0x8253]  # GL_GUILTY_CONTEXT_RESET
    renderer._card_errors._reset_status = lambda: told.pop() if told else 0
    for _ in range(2):  # the context is gone for good
        with pytest.raises(DrawError, match=r"^the graphics driver was reset, and all that lay on the card is gone$"):
            renderer.render(frame)


def test_a_wrong_call_is_a_warning_and_the_picture_is_drawn(ctx, monkeypatch) -> None:
    renderer, view = Renderer(ctx), view_of(box_scene(), distance=9.0)
    fail_with(monkeypatch, "GL_INVALID_VALUE")
    with pytest.warns(RuntimeWarning, match="OpenGL reported GL_INVALID_VALUE"):
        picture(renderer, view)


def test_nothing_is_wrong_with_a_context_that_draws(ctx) -> None:
    assert CardErrors(ctx).take() is None
