"""What opening files brought, and what went wrong: said in full, counted by kind, never lost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from scene.system.text_file import printable


@dataclass(frozen=True)
class Problem:
    """Something in a file that was skipped, guessed or replaced; equal ones are one, with a count.

    Attributes:
        file: where, as it was named. line: of the first, counted from 1, or None where there are no lines.
        kind: a short name that stays the same between releases, such as "face-index".
        what: what is wrong. done: what was done instead.
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
        """The file that was opened when this was met."""
        return self.named_by or self.file

    def __str__(self) -> str:
        place = printable(self.file) + ("" if self.line is None else f": line {self.line}")
        many = "" if self.count == 1 else f" ({self.count:,} in all)"
        named = "" if self.naming_files == 1 else f" (named by {self.naming_files:,} files)"
        return f"{place}: {self.what}{many}{named}" + (f": {self.done}" if self.done else "")

    def as_json(self) -> dict[str, object]:
        """For scripts."""
        return {
            "file": printable(self.file),
            "line": self.line,
            "kind": self.kind,
            "what": self.what,
            "done": self.done,
            "count": self.count,
            "naming_files": self.naming_files,
        }


class Problems(list[Problem]):
    """The problems of one file, one for each kind and wording, in the order in which they were met."""

    def __init__(self, file: str | Path) -> None:
        super().__init__()
        self.file = str(file)
        self._places: dict[tuple[str, str, str, str], int] = {}

    def say(
        self,
        kind: str,
        what: str,
        done: str,
        *,
        line: int | None = None,
        count: int = 1,
        file: str | Path | None = None,
    ) -> None:
        """Add a problem, or count it with one that says the same."""
        file = self.file if file is None else str(file)
        place = self._places.setdefault((file, kind, what, done), len(self))
        if place == len(self):
            named_by = "" if file == self.file else self.file
            self.append(Problem(file, line, kind, what, done, count, named_by))
        else:
            known = self[place]
            lines = [number for number in (known.line, line) if number is not None]
            self[place] = replace(known, count=known.count + count, line=min(lines, default=None))


@dataclass
class LoadReport:
    """What opening files brought.

    Attributes:
        opened: paths that are in the scene.
        vertex_count: vertices that these files state.
        failed: by the path of each file that is not in the scene, one line that says why.
        problems: what was skipped or guessed in those that are, as each of them met it.
    """

    opened: list[Path] = field(default_factory=list)
    vertex_count: int = 0
    failed: dict[Path, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def errors(self) -> list[str]:
        """One line for each file that is not in the scene."""
        return list(self.failed.values())

    @property
    def told_problems(self) -> list[Problem]:
        """As a person is told them: what several opened files met in a file that all of them name is one."""
        return _merged(self.problems)

    @property
    def warnings(self) -> list[str]:
        """The problems as they are told, a line each."""
        return [str(problem) for problem in self.told_problems]

    def add(self, other: LoadReport) -> None:
        """Report what another one does as well; a file that is there now failed before."""
        self.opened += other.opened
        self.vertex_count += other.vertex_count
        self.failed |= other.failed
        for path in other.opened:
            self.failed.pop(path, None)
        self.problems += other.problems

    def replace_problems(self, opened_file: str | Path, problems: Iterable[Problem]) -> None:
        """Put what a file that was read again met in the place of what it met before, and of what was wrong with it."""
        again = str(opened_file)
        kept = [problem for problem in self.problems if again not in (problem.opened_file, problem.file)]
        self.problems = [*kept, *problems]

    def count_by_kind(self) -> dict[str, int]:
        """How often each kind of problem was met."""
        counts: dict[str, int] = {}
        for problem in self.told_problems:
            counts[problem.kind] = counts.get(problem.kind, 0) + problem.count
        return counts


def _merged(problems: Iterable[Problem]) -> list[Problem]:
    """Problems in their order, where those that say the same of a file that others name are one.

    Each of the opened files looks at a part of the named one: at the same line all of them met the same.
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
