"""The program's output: results, problems, tables, JSON."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rich.table import Table


_WIDEST_TABLE = 10_000  # characters, where no terminal says how wide it is


PARTIAL_FAILURE = 1  # the exit status where some files are not in the result; where none is, it is 2


class UserError(Exception):
    """A problem that the user can solve, said in one line or several."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(lines))


def say(line: str) -> None:
    """Print a line to standard error: problems and progress. Results are printed by `answer`."""
    print(f"octoscope: {line}", file=sys.stderr)


def answer(line: str) -> None:
    """Print a line of the result to standard output."""
    print(line)


def answer_columns(rows: Sequence[tuple[str, str]]) -> None:
    """Print pairs of a name and a value, the values below each other, to standard output."""
    width = max(len(name) for name, _ in rows)
    for name, value in rows:
        print(f"{name:<{width}}  {value}")


def answer_table(table: Table) -> None:
    """Print a table to standard output; in a pipe it is as wide as its contents."""
    from rich.console import Console  # only here: it takes long to import

    console = Console(width=None if sys.stdout.isatty() else _WIDEST_TABLE)
    with console.capture() as text:  # printed by rich, a reader that went away would end the program as a failure
        console.print(table)
    for line in text.get().splitlines():
        print(line.rstrip())


def answer_json(value: object) -> None:
    """Print a value as JSON to standard output; a number that is not finite is an error of the program."""
    import json  # only here: the help of the command does without it

    print(json.dumps(value, indent=2, allow_nan=False))


def readable(values: float | Iterable[float]) -> str:
    """Return numbers as text with up to ten digits, which coordinates far from the origin need."""
    return " ".join(f"{value:.10g}" for value in (values if isinstance(values, Iterable) else (values,)))


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
