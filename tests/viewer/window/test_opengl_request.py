"""OpenGLRequest: options, the variable of the environment, and the context that is made."""

from __future__ import annotations

import pytest

from octoscope.viewer.cli import main
from octoscope.viewer.doctor.comparison import difference
from octoscope.viewer.rendering.context.offscreen import create_context
from octoscope.viewer.rendering.renderer import Renderer
from octoscope.viewer.window.opengl_request import VARIABLE, OpenGLRequest, opengl_request
from tests.viewer.scenes import box_scene, picture, view_of


def test_nothing_asked_for_is_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    request = opengl_request()
    assert request == OpenGLRequest(None, has_fast_path=True, tells_messages=False)
    assert request.versions[-1] == (3, 3) and request.used_version(460) == 460


@pytest.mark.parametrize(
    ("text", "expected"), [("3.3", [(3, 3)]), ("4.1 debug", [(4, 1), (3, 3)]), ("4.5 3.3", [(3, 3)])]
)
def test_no_later_version_than_the_one_asked_for(text: str, expected: list, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, text)
    assert list(opengl_request().versions) == expected
    assert opengl_request().tells_messages == ("debug" in text)
    assert opengl_request().used_version(460) == 100 * expected[0][0] + 10 * expected[0][1]


def test_a_word_that_says_nothing_is_told_once(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    monkeypatch.setenv(VARIABLE, "3.3 slowly")
    for _ in range(2):
        assert opengl_request().newest == (3, 3)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1 and "'slowly'" in told[0] and "no-fast-path" in told[0]


def test_a_context_is_used_as_the_version_asked_for_and_draws_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = {}
    for text in ("", "3.3 no-fast-path"):
        monkeypatch.setenv(VARIABLE, text)
        ctx = create_context()
        try:
            assert (ctx.version_code == 330) == bool(text)
            renderer = Renderer(ctx)
            assert renderer.passes.meshes.is_indirect != bool(text)
            assert bool(renderer.passes.depth.defines) == bool(text)
            pictures[text] = picture(renderer, view_of(box_scene(), distance=8.0))
        finally:
            ctx.release()
    assert not difference(*pictures.values()).is_seen


def test_options_set_it_for_the_command(monkeypatch: pytest.MonkeyPatch, tmp_path) -> None:
    monkeypatch.setenv(VARIABLE, "")
    asked: list[OpenGLRequest] = []
    monkeypatch.setattr("octoscope.viewer.cli.render.run", lambda _: asked.append(opengl_request()) or 0)
    (tmp_path / "a.obj").write_text("v 0 0 0")
    command = ["render", str(tmp_path / "a.obj"), "-o", "a.png", "--opengl", "4.1", "--no-fast-path", "--debug-gl"]
    assert main(command) == 0
    assert asked == [OpenGLRequest((4, 1), has_fast_path=False, tells_messages=True)]
