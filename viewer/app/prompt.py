"""Windows that live without a loop of their own: beside IPython's prompt, and in notebooks and programs of asyncio."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop

NAME = "octoscope"  # as users write it after %gui
_WAIT_SECONDS = 1.0 / 60.0  # for events of windows, before the prompt is asked for keys again

_joined: WeakSet[AbstractEventLoop] = WeakSet()


def join_loop(update: Callable[[float], bool]) -> None:
    """Have the loop that runs here update windows: asyncio's, as in a notebook between cells, or IPython's prompt.

    Args:
        update: updates all windows, waits this many seconds for their events, and returns whether there is one.
    """
    loop: AbstractEventLoop | None = None
    if "asyncio" in sys.modules:  # else no loop runs, and it takes long to import
        with suppress(RuntimeError):
            loop = sys.modules["asyncio"].get_running_loop()
    if loop is None:
        _join_prompt(update)
    elif loop not in _joined:
        _joined.add(loop)
        _join_asyncio(loop, update)


def _join_asyncio(loop: AbstractEventLoop, update: Callable[[float], bool]) -> None:
    def step() -> None:
        is_open = True
        try:
            is_open = update(0.0)
        except Exception as error:  # of a callback; the window is closed
            loop.call_exception_handler({"message": "a window was closed by its callback", "exception": error})
        if is_open:
            loop.call_later(_WAIT_SECONDS, step)
        else:
            _joined.discard(loop)

    loop.call_soon(step)


def _join_prompt(update: Callable[[float], bool]) -> None:
    """Have the prompt of IPython in a terminal update windows, if this is one; `%gui` alone ends it.

    An event loop that was chosen before, as `%gui qt` does, is left as it is.
    """
    shell: Any = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if not hasattr(shell, "active_eventloop"):
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
