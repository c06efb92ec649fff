"""A folder with an OBJ file's libraries, and what reading them gives."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from PIL import Image

from octoscope.scene import Material
from octoscope.scene.formats.mtl.reader import read_materials
from octoscope.scene.system.report import Problem, Problems


class MtlFolder:
    """Libraries and images beside an imagined scene.obj.

    Attributes:
        problems: of the last reading.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problems = Problems(path / "scene.obj")

    def write(self, name: str, content: str | bytes = b"") -> Path:
        """A file, and the folders above it."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def image(self, name: str, color: tuple[int, ...] = (10, 200, 30), size: tuple[int, int] = (4, 4)) -> Path:
        """An image of one colour: grey, RGB or RGBA."""
        path = self.write(name)
        Image.new({1: "L", 3: "RGB", 4: "RGBA"}[len(color)], size, color).save(path)
        return path

    def read(self, *statements: str, used: Collection[str] | None = None) -> dict[str, Material]:
        """The materials of mtllib statements, which stand in the lines from 1."""
        self.problems = Problems(self.path / "scene.obj")
        libraries = [(statement, line) for line, statement in enumerate(statements, start=1)]
        return read_materials(self.path / "scene.obj", libraries, self.problems, used=used)

    def material(self, statements: str | bytes) -> Material:
        """Read one material of these statements; its `newmtl m` stands in line 1 of the file."""
        data = statements if isinstance(statements, bytes) else statements.encode()
        self.write("a.mtl", b"newmtl m\n" + data)
        (found,) = self.read("a.mtl").values()
        return found

    @property
    def kinds(self) -> list[str]:
        return [problem.kind for problem in self.problems]

    def only_problem(self, kind: str) -> Problem:
        (problem,) = self.problems
        assert problem.kind == kind, problem
        assert "\n" not in str(problem)
        return problem
