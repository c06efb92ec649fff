"""Compile kernels in another process, with a progress window, before the first real window opens.

Compiling in the window itself would make it freeze again and again during the first minute.
"""

from __future__ import annotations

import time

from octoscope.viewer.app.warmup.compiler_process import CompilerProcess
from octoscope.viewer.app.warmup.compiling import is_compiled
from octoscope.viewer.settings.config import config_folder, read_config, read_window_state
from octoscope.viewer.ui.dialogs.preparing_box import draw_preparing_box
from octoscope.viewer.ui.imgui.backend import ImguiBackend
from octoscope.viewer.ui.imgui.fonts import load_fonts
from octoscope.viewer.ui.imgui.theme import BY_NAME, apply_theme
from octoscope.viewer.window.window import Window, WindowUnavailable

_FRAME_SECONDS = 0.05


def prepare(size: tuple[int, int], preparing: CompilerProcess | None = None) -> bool:
    """Show the progress of compiling until it is done; return False if the user closed the window.

    Args:
        size: of the window, logical pixels.
        preparing: the compilation, if it was started already; None: start it if it is needed.
    """
    if preparing is None:
        if is_compiled():
            return True
        preparing = CompilerProcess()
    try:
        window = Window(size)
    except WindowUnavailable:  # opening the real window will say why
        preparing.stop()
        return True
    backend = ImguiBackend(window.ctx, load_fonts)
    folder = config_folder()
    config, (state, _) = read_config(folder), read_window_state(folder)
    scale = config.scale or window.interface_scale
    apply_theme(BY_NAME[config.theme or state.theme], scale)
    try:
        while not (preparing.is_done or window.is_closing):
            window.make_current()
            window.dispatch_events()
            backend.new_frame(window.size, window.buffer_size, _FRAME_SECONDS)
            draw_preparing_box(preparing.fraction, preparing.seconds, scale)
            window.ctx.screen.use()
            window.ctx.screen.clear()
            backend.render(window.ctx.screen)
            window.show_frame()
            time.sleep(_FRAME_SECONDS)
        return not window.is_closing
    finally:
        preparing.stop()
        backend.close()
        window.close()
