"""Console: runs what is typed as Python, completes names, and keeps the output and what was typed before."""

from __future__ import annotations

import ast
import codeop
import io
import itertools
import linecache
import re
import signal
import sys
from collections import deque
from contextlib import redirect_stdout
from functools import partial
from textwrap import fill

from octoscope.scene.system.text_file import printable
from octoscope.viewer.editing.log import brief
from octoscope.viewer.editing.script import Script, lines_of

_MOST_LINES = 10_000  # of output that are kept
_LONGEST_LINE = 1_000  # characters
_INDENT = "    "
_COLUMNS = 100  # of a list of names
_PROMPTS = ">>> ", "... "

_numbers = itertools.count(1)  # of inputs, which tracebacks name


class Console:
    """A console of Python that shares the names of scripts.

    Attributes:
        lines: kind ("input", "output" or "error") and text of each line that was typed or printed.
    """

    def __init__(self, script: Script) -> None:
        self.lines: deque[tuple[str, str]] = deque(maxlen=_MOST_LINES)
        self._script = script
        self._typed: list[str] = []
        self._place = 0  # in what was typed, while it is gone through

    def enter(self, text: str) -> str:
        """Have a finished input run; return what the field holds next: nothing, or an unfinished one."""
        if not text.strip():
            return ""
        if not _is_finished(text):
            last = text.rsplit("\n", 1)[-1]
            indent = last[: len(last) - len(last.lstrip())] + _INDENT * last.rstrip().endswith(":")
            return f"{text}\n{indent}"
        source = text.rstrip()
        self._typed = [each for each in self._typed if each != source] + [source]
        self._place = len(self._typed)
        lines = source.split("\n")
        for number, line in enumerate(lines):
            self._add("input", f"{_PROMPTS[number > 0]}{line}")
        self._script.call_later(brief(lines[0]), partial(self._run, source))
        return ""

    def step(self, text: str, steps: int) -> str:
        """Return what was typed before or after what the field holds, or that itself."""
        self._place = min(max(self._place + steps, 0), len(self._typed))
        return self._typed[self._place] if self._place < len(self._typed) else "" if steps > 0 else text

    def complete(self, text: str) -> str:
        """Return what follows a text by the names that fit its end; if these go on differently, print them."""
        import rlcompleter  # only here: nobody waits for it at the start

        found = re.search(r"[\w.]+$", text)
        if found is None:
            return _INDENT
        finder = rlcompleter.Completer(self._script.names)
        matches = itertools.takewhile(bool, (finder.complete(found[0], number) for number in itertools.count()))
        names = sorted({str(name).rstrip("()") for name in matches})
        if not names:
            return ""
        common = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(names[0], names[-1], strict=False))
        added = "".join(letter for letter, _ in common)[len(found[0]) :]
        if len(names) > 1 and not added:
            text = fill("  ".join(name.rpartition(".")[2] for name in names), _COLUMNS)
            for line in text.split("\n"):
                self._add("output", line)
        return added

    def clear(self) -> None:
        """Forget the output."""
        self.lines.clear()

    def _run(self, source: str) -> None:
        name = f"<console {next(_numbers)}>"
        linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name  # for tracebacks
        output = _Output(self)
        with redirect_stdout(output):
            try:
                self._execute(source, name)
            except (Exception, KeyboardInterrupt, SystemExit) as error:  # Ctrl+C in the terminal ends an input
                if error.args == (signal.SIGTERM,):
                    raise
                output.flush_line()
                for line in "".join(lines_of(error)).rstrip().split("\n"):
                    self._add("error", line)
        output.flush_line()

    def _execute(self, source: str, name: str) -> None:
        """Run an input; if it ends with an expression, print its value."""
        names, tree = self._script.names, ast.parse(source, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)
            if value is not None:
                names["_"] = value
                sys.stdout.write(f"{value!r}\n")

    def _add(self, kind: str, text: str) -> None:
        self.lines.append((kind, printable(text.expandtabs(4)[:_LONGEST_LINE])))


class _Output(io.TextIOBase):
    """The text that an input prints while it runs."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._begun = ""  # a line without an end

    def write(self, text: str) -> int:
        """Take lines that are printed."""
        *lines, self._begun = (self._begun + text).split("\n")
        for line in lines:
            self._console._add("output", line)
        return len(text)

    def flush_line(self) -> None:
        """Take what was printed without an end of the line."""
        if self._begun:
            self.write("\n")


def _is_finished(text: str) -> bool:
    """Return whether Enter runs a text: one line that is whole, or several of which the last is not indented."""
    try:
        is_whole = codeop.compile_command(text, symbol="exec") is not None
    except (SyntaxError, ValueError, OverflowError):
        return True  # running it tells what is wrong
    last = text.rsplit("\n", 1)[-1]
    return is_whole and ("\n" not in text or not last.strip() or not last[0].isspace())
