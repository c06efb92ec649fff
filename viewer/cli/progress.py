"""A progress bar on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class ShowProgress(Protocol):
    """A function that moves a progress bar."""

    def __call__(self, done: int, total: int | None, what: str | None = None) -> None:
        """Show how much is done of how much (None: unknown), and, unless None, `what` is being done."""


@contextmanager
def progress_bar(what: str, *, in_bytes: bool = False) -> Iterator[ShowProgress]:
    """Show a bar for as long as the context lasts, if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done, total, what=None: None
        return
    from rich import progress  # only here: it takes long to import
    from rich.console import Console

    with progress.Progress(
        progress.SpinnerColumn(),
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.DownloadColumn(binary_units=True) if in_bytes else progress.MofNCompleteColumn(),
        progress.TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=None)

        def show(done: int, total: int | None, what: str | None = None) -> None:
            bar.update(task, completed=done, total=total, description=what)

        yield show
