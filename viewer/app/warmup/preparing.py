"""Compile kernels in another process, with a progress window, before the first real window opens.

Compiling in the window itself would make it freeze again and again during the first minute.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from threading import Thread

from viewer.app.warmup.compiling import is_compiled
from viewer.settings.config import config_folder, read_config, read_window_state
from viewer.ui.dialogs.preparing_box import draw_preparing_box
from viewer.ui.imgui.backend import ImguiBackend
from viewer.ui.imgui.fonts import load_fonts
from viewer.ui.imgui.theme import BY_NAME, apply_theme
from viewer.window.window import Window, WindowUnavailable

_NICENESS = 5  # of the process: other programs come first
_FRAME_SECONDS = 0.05
_STOP_SECONDS = 2.0  # to end by itself before it is killed


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


class CompilerProcess:
    """Another process that compiles kernels.

    Args:
        command: to run; None: compile.

    Attributes:
        fraction: of the work that is done, 0 to 1.
    """

    def __init__(self, command: list[str] | None = None) -> None:
        self.fraction = 0.0
        self._began = time.monotonic()
        self._process: subprocess.Popen[str] = subprocess.Popen(
            command or [sys.executable, "-m", "viewer.app.warmup.compiling", "--tell"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self._process.stdout is not None
        self._output = self._process.stdout
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, self._process.pid, _NICENESS)
        self._listener = Thread(target=self._listen, name="preparing", daemon=True)
        self._listener.start()

    @property
    def seconds(self) -> float:
        """The time since it began."""
        return time.monotonic() - self._began

    @property
    def is_done(self) -> bool:
        """True once it has ended; if it failed, kernels are compiled when they are first used."""
        return self._process.poll() is not None

    def stop(self) -> None:
        """Stop compiling; what was compiled is kept."""
        if not self.is_done:
            self._process.terminate()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:  # such as a stopped process
            self._process.kill()
            self._process.wait()
        self._listener.join()
        self._output.close()

    def _listen(self) -> None:
        for line in self._output:
            with suppress(ValueError):  # libraries may print, too
                self.fraction = float(line)
