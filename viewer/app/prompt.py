"""IPython's prompt keeps windows alive while it waits for keys: `%gui octoscope`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

NAME = "octoscope"  # as users write it after %gui
_WAIT_SECONDS = 1.0 / 60.0  # for events of windows, before the prompt is asked for keys again


def join_prompt(update: Callable[[float], bool]) -> None:
    """Have the prompt update windows, if this runs in IPython in a terminal; `%gui` alone ends it.

    An event loop that was chosen before, as `%gui qt` does, is left as it is.

    Args:
        update: updates all windows, waits this many seconds for their events, and returns whether there is one.
    """
    shell: Any = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "active_eventloop"):  # no IPython, or that of a notebook
        return
    from IPython.terminal import pt_inputhooks

    def wait_for_keys(context: Any) -> None:
        while not context.input_is_ready():
            try:
                if not update(_WAIT_SECONDS):
                    return  # the prompt waits by itself
            except Exception:  # of a callback; the window is closed
                shell.showtraceback()

    pt_inputhooks.register(NAME, wait_for_keys)
    if shell.active_eventloop is None:
        shell.enable_gui(NAME)
