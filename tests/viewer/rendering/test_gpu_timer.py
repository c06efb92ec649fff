"""Times that the card measures, and renderers that have no card."""

from __future__ import annotations

from types import SimpleNamespace

import moderngl
import pytest

from octoscope.viewer.rendering.context.gpu_timer import GpuTimer
from octoscope.viewer.rendering.context.opengl import is_software


def test_a_time_is_taken_once_and_with_its_label(ctx: moderngl.Context) -> None:
    timer, target = GpuTimer[str](ctx), ctx.simple_framebuffer((64, 64))
    target.use()
    taken = []
    for turn in range(12):
        if turn < 6:
            with timer.measure(f"frame {turn}"):
                target.clear(0.1 * turn)
        ctx.finish()  # a window shows each frame, which sends it to the card
        measured = timer.take()
        if measured is not None:
            taken.append(measured[0])
            assert measured[1] >= 0.0
    # llvmpipe has no time for its first query.
    assert taken in ([f"frame {turn}" for turn in range(6)], [f"frame {turn}" for turn in range(1, 6)])
    assert timer.take() is None
    ctx.simple_framebuffer((1, 1)).use()  # moderngl would bind a deleted framebuffer again
    target.release()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("llvmpipe (LLVM 15.0.6, 256 bits)", True),
        ("softpipe", True),
        ("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (LLVM 10.0.0)), SwiftShader driver)", True),
        ("Microsoft Basic Render Driver", True),
        ("GDI Generic", True),
        ("Apple Software Renderer", True),
        ("zink Vulkan 1.3(llvmpipe (LLVM 15.0.6, 256 bits))", True),
        ("NVIDIA GeForce RTX 4090/PCIe/SSE2", False),
        ("Mesa Intel(R) UHD Graphics 620 (KBL GT2)", False),
        ("AMD Radeon RX 6800 (radeonsi, navi21, LLVM 15.0.6)", False),
        ("Apple M2 Pro", False),
    ],
)
def test_a_software_renderer_is_known_by_its_name(name: str, expected: bool) -> None:
    assert is_software(SimpleNamespace(info={"GL_RENDERER": name})) is expected


def test_a_card_that_is_behind_is_not_waited_for(ctx: moderngl.Context, monkeypatch: pytest.MonkeyPatch) -> None:
    timer, target = GpuTimer[str](ctx), ctx.simple_framebuffer((64, 64))
    target.use()
    for turn in range(2):  # llvmpipe has no time for its first query
        with timer.measure(str(turn)):
            target.clear(0.1)
        ctx.finish()
        with monkeypatch.context() as busy:
            busy.setattr(timer, "_number", lambda *_: None)  # which leaves 0: no result yet
            busy.setattr(timer, "_large_number", lambda *_: pytest.fail("it waits for the card"))
            assert timer.take() is None
        measured = timer.take()
    assert measured is not None and measured[0] == "1"
    ctx.simple_framebuffer((1, 1)).use()  # moderngl would bind a deleted framebuffer again
    target.release()
