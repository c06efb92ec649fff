"""Show a scene in a cell of a Jupyter notebook as a page of one file, which the saved notebook keeps."""

from __future__ import annotations

import html

from octoscope.scene import Scene
from octoscope.scene.formats.page.writer import page_of
from octoscope.viewer.app.contribution import NotebookPart, NotebookUnavailable


def show_page(scene: Scene, *, title: str, height: int) -> None:
    """Show a scene in the cell that runs; nothing of it is served, so that it can be turned without a kernel, too.

    Args:
        height: of the page, pixels.

    Raises:
        NotebookUnavailable: this does not run in a notebook.
        WriteError: the scene has nothing to show.
    """
    try:
        from IPython import get_ipython
        from IPython.display import display
    except ImportError:
        shell = None
    else:
        shell = get_ipython()
    if shell is None:
        raise NotebookUnavailable("where='page' works in a cell of a Jupyter notebook; scene.to_html() is the page")
    page, notes = page_of(scene, title)
    # As text, not as IPython.display.IFrame, which would refer to a file.
    frame = f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{height}" style="border: 0"></iframe>'
    display({"text/html": frame, "text/plain": "\n".join([repr(scene), *notes])}, raw=True)


PART = NotebookPart("page", show_page)
