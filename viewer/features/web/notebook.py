"""Show a scene in a cell of a Jupyter notebook: a page of a server in the notebook's own process.

The session's steps run on the notebook's own event loop, between cells: nothing else changes the scene meanwhile, and a
cell that changes it needs no lock. A page stays as it is while a cell runs.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from octoscope.scene import Scene
from octoscope.viewer.app.contribution import NotebookPart, NotebookUnavailable
from octoscope.viewer.settings.config import data_folder

if TYPE_CHECKING:
    from octoscope.viewer.app.open_window import ShownScene
    from octoscope.viewer.features.web.session import WebSession

_BUSY_SECONDS = 0.01
_IDLE_SECONDS = 0.1


class _Steps:
    """A session, stepped by an event loop as long as that runs."""

    def __init__(self, session: WebSession, loop: asyncio.AbstractEventLoop) -> None:
        self.session = session
        self._loop = loop
        loop.call_soon(self._step)

    def _step(self) -> None:
        if self._loop.is_closed():
            return
        seconds = _IDLE_SECONDS
        try:
            if self.session.step():
                seconds = _BUSY_SECONDS
        finally:  # an error is shown by the loop, and the page goes on
            self._loop.call_later(seconds, self._step)


_steps: dict[Scene, _Steps] = {}  # until the kernel ends: a page may be open on each


def show_in_notebook(scene: Scene, *, title: str, height: int) -> ShownScene:
    """Show a scene in the cell that runs; a scene that is shown already gets another page of the same server.

    The page comes from 127.0.0.1: it is there where the browser runs on the machine of the kernel, or its ports are
    forwarded, as editors with remote kernels do.

    Args:
        height: of the page, pixels.

    Raises:
        NotebookUnavailable: this does not run in a notebook, or octoscope[web] is not installed.
        ServerUnavailable: no server can be started.
    """
    try:
        from octoscope.viewer.features.web.server import kept_token
        from octoscope.viewer.features.web.session import WebOptions, WebSession
    except ModuleNotFoundError as error:
        raise NotebookUnavailable(f"where='notebook' needs {error.name}: pip install 'octoscope[web]'") from None
    try:
        from IPython.display import IFrame, display

        loop = asyncio.get_running_loop()
    except (ImportError, RuntimeError):
        raise NotebookUnavailable("where='notebook' works in a cell of a Jupyter notebook") from None
    steps = _steps.get(scene)
    if steps is None:
        options = WebOptions(title, token=kept_token(data_folder()), can_leave=False, keeps_work=False)
        steps = _steps[scene] = _Steps(WebSession(scene, options), loop)
    display(IFrame(steps.session.server.address, width="100%", height=height))
    return steps.session.shown


PART = NotebookPart("notebook", show_in_notebook)
