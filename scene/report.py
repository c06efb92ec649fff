"""What opening files brought, and what went wrong: said in full, counted by kind, never lost."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from scene.text_file import printable


@dataclass(frozen=True)
class Problem:
    """Something in a file that was skipped, guessed or replaced; equal ones are one, with a count.

    Attributes:
        file: where, as it was named. line: of the first, counted from 1, or None where there are no lines.
        kind: a short name that stays the same between releases, such as "face-index".
        what: what is wrong. done: what was done instead.
        count: how many there are.
    """

    file: str
    line: int | None
    kind: str
    what: str
    done: str
    count: int = 1

    def __str__(self) -> str:
        place = printable(self.file) + ("" if self.line is None else f": line {self.line}")
        many = "" if self.count == 1 else f" ({self.count:,} in all)"
        return f"{place}: {self.what}{many}" + (f": {self.done}" if self.done else "")

    def as_json(self) -> dict[str, object]:
        """For scripts."""
        return {
            "file": printable(self.file),
            "line": self.line,
            "kind": self.kind,
            "what": self.what,
            "done": self.done,
            "count": self.count,
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
            self.append(Problem(file, line, kind, what, done, count))
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
        errors: one line for each file that is not in the scene.
        problems: what was skipped or guessed in those that are.
    """

    opened: list[Path] = field(default_factory=list)
    vertex_count: int = 0
    errors: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def warnings(self) -> list[str]:
        """The problems, a line each."""
        return [str(problem) for problem in self.problems]

    def add(self, other: LoadReport) -> None:
        """Report what another one does as well."""
        self.opened += other.opened
        self.vertex_count += other.vertex_count
        self.errors += other.errors
        self.problems += other.problems

    def count_by_kind(self) -> dict[str, int]:
        """How often each kind of problem was met."""
        counts: dict[str, int] = {}
        for problem in self.problems:
            counts[problem.kind] = counts.get(problem.kind, 0) + problem.count
        return counts
