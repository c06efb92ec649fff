"""Report what opening files brought and what went wrong: every problem, counted by kind."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.text_file import ReadError, printable


def warn(text: str) -> None:
    """Give a Python warning at the line of the user's code that has called this package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "octoscope":
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)


@dataclass(frozen=True)
class Problem:
    """Something in a file that was skipped, guessed or replaced; equal problems are one, with a count.

    Attributes:
        file: the file with the problem, as it was named.
        line: of the first of them, counted from 1; None where there are no lines.
        kind: a short name that stays the same between releases, such as "face-index".
        what: what is wrong.
        done: what was done instead.
        count: how many there are.
        named_by: the file that names `file` and was opened, or "" where `file` was opened itself.
        naming_files: how many opened files name `file`, where this stands for the equal problems of all of them.
    """

    file: str
    line: int | None
    kind: str
    what: str
    done: str
    count: int = 1
    named_by: str = ""
    naming_files: int = 1

    @property
    def opened_file(self) -> str:
        """The file that was being opened when this problem was met."""
        return self.named_by or self.file

    def __str__(self) -> str:
        position = printable(self.file) + ("" if self.line is None else f": line {self.line}")
        many = "" if self.count == 1 else f" ({self.count:,} in all)"
        named = "" if self.naming_files == 1 else f" (named by {self.naming_files:,} files)"
        return f"{position}: {self.what}{many}{named}" + (f": {self.done}" if self.done else "")

    def as_json(self) -> dict[str, object]:
        """Convert to values that JSON has, for scripts."""
        values = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "named_by"}
        return values | {"file": printable(self.file)}


class Problems(list[Problem]):
    """The problems of one file, one for each kind and wording, in the order in which they were met."""

    def __init__(self, file: str | Path) -> None:
        super().__init__()
        self.file = str(file)
        self._indices: dict[tuple[str, str, str, str], int] = {}

    def report(
        self, kind: str, what: str, done: str, *, line: int | None = None, count: int = 1, file: StrPath | None = None
    ) -> None:
        """Add a problem, or count it with one that says the same.

        Args:
            line: of the first of them, counted from 1.
            count: how many there are; 0: nothing is added.
            file: the file with the problem; None: the one that these problems are of.
        """
        if count == 0:
            return
        file = self.file if file is None else str(file)
        index = self._indices.setdefault((file, kind, what, done), len(self))
        if index == len(self):
            named_by = "" if file == self.file else self.file
            self.append(Problem(file, line, kind, what, done, count, named_by))
        else:
            known = self[index]
            lines = [number for number in (known.line, line) if number is not None]
            self[index] = replace(known, count=known.count + count, line=min(lines, default=None))


def nothing_to_show(path: Path, problems: Problems) -> ReadError:
    """Return the error that refuses a file of which nothing is left, with the first problem and the last two."""
    told = [*problems[:1], *problems[1:][-2:]]
    reasons = "; ".join(f"{problem.what}: {problem.done}" for problem in told)
    return ReadError(path, f"nothing to show in it ({reasons or 'it has no meshes'}); export it again")


@dataclass
class LoadReport:
    """The result of opening files.

    Attributes:
        opened: paths that are in the scene.
        vertex_count: vertices that these files stated when they were opened.
        failed: by the path of each file that is not in the scene, one line that says why.
        problems: what was skipped or guessed in those that are, as each of them met it.
    """

    opened: list[Path] = field(default_factory=list)
    vertex_count: int = 0
    failed: dict[Path, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    _before: LoadReport | None = field(default=None, repr=False)  # of a copy: as it was when it was made

    def __str__(self) -> str:
        """Return the errors and the warnings, a line each."""
        return "\n".join([*self.errors, *self.warnings])

    @property
    def errors(self) -> list[str]:
        """One line for each file that is not in the scene."""
        return list(self.failed.values())

    @property
    def merged_problems(self) -> list[Problem]:
        """The problems for a person: equal ones that several opened files met in a file that they all name are one."""
        return _merged(self.problems)

    @property
    def warnings(self) -> list[str]:
        """The merged problems, a line each."""
        return [str(problem) for problem in self.merged_problems]

    def add(self, other: LoadReport) -> None:
        """Add another report; a file that it opened no longer counts as failed."""
        self.opened += other.opened
        self.vertex_count += other.vertex_count
        self.failed |= other.failed
        for path in other.opened:
            self.failed.pop(path, None)
        self.problems += other.problems

    def copy(self) -> LoadReport:
        """Copy the report; `merge` brings what happens to the copy back."""
        copy, before = (
            LoadReport(list(self.opened), self.vertex_count, dict(self.failed), list(self.problems)) for _ in range(2)
        )
        copy._before = before
        return copy

    def merge(self, copy: LoadReport) -> None:
        """Take over what happened to a copy of this report, and keep what has happened to this one since."""
        before = copy._before
        assert before is not None, "not a copy"
        kept, known = set(map(id, copy.problems)), set(map(id, before.problems))
        self.problems = [problem for problem in self.problems if id(problem) in kept or id(problem) not in known]
        further = [problem for problem in copy.problems if id(problem) not in known]
        self.add(
            LoadReport(copy.opened[len(before.opened) :], copy.vertex_count - before.vertex_count, problems=further)
        )

    def become(self, copy: LoadReport) -> None:
        """Become what a copy of this report is, which must not be used afterwards."""
        vars(self).update(vars(copy), _before=self._before)

    def replace_problems(self, opened_file: StrPath, problems: Iterable[Problem]) -> None:
        """Replace the problems of a file that was read again, and those that other files had with it, by new ones."""
        again = os.fspath(opened_file)
        kept = [problem for problem in self.problems if again not in (problem.opened_file, problem.file)]
        self.problems = [*kept, *problems]

    def count_by_kind(self) -> dict[str, int]:
        """Count the merged problems of each kind."""
        counts: dict[str, int] = {}
        for problem in self.merged_problems:
            counts[problem.kind] = counts.get(problem.kind, 0) + problem.count
        return counts


def _merged(problems: Iterable[Problem]) -> list[Problem]:
    """Merge equal problems that several opened files met in a file that all of them name; the order stays.

    Each of the opened files looks at a part of the named one. For each line the largest count is taken, since all of
    them met the same problem there.
    """
    merged: dict[tuple[object, ...], Problem] = {}
    counts: dict[tuple[object, ...], dict[int | None, int]] = {}
    naming: dict[tuple[object, ...], set[str]] = {}
    for number, problem in enumerate(problems):
        key: tuple[object, ...] = (number,)
        if problem.named_by:
            key = problem.file, problem.kind, problem.what, problem.done
        merged.setdefault(key, problem)
        by_line = counts.setdefault(key, {})
        by_line[problem.line] = max(by_line.get(problem.line, 0), problem.count)
        naming.setdefault(key, set()).add(problem.named_by)
    return [
        problem
        if len(naming[key]) == 1
        else replace(
            problem,
            line=min((line for line in counts[key] if line is not None), default=None),
            count=sum(counts[key].values()),
            named_by="",
            naming_files=len(naming[key]),
        )
        for key, problem in merged.items()
    ]
