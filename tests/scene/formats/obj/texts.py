"""OBJ texts for the tests of the reader, and what is asked of the files read."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from octoscope.scene import FileContent, MeshData

Read = Callable[..., FileContent]  # the fixture `read`

SQUARE_CORNERS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

RED_AND_BLUE = "newmtl red\nKd 1 0 0\nnewmtl blue\nKd 0 0 1\n"


def names(file: FileContent) -> list[str]:
    return [name for name, _ in file.objects]


def corners(mesh: MeshData) -> list[list[tuple[float, ...]]]:
    """The triangles' corners, each triangle begun at its smallest corner: winding counts, the first corner does not."""
    triangles = [[tuple(map(float, corner)) for corner in triangle] for triangle in mesh.positions[mesh.triangles]]
    return [triangle[(i := triangle.index(min(triangle))) :] + triangle[:i] for triangle in triangles]


def triangles_of(*faces: tuple[int, ...]) -> list[list[tuple[float, ...]]]:
    """Return the `corners` of these triangles of SQUARE, whose vertices are counted from 1."""
    positions = np.array(SQUARE_CORNERS, dtype=float)
    return corners(MeshData(positions, np.array(faces) - 1, None, np.zeros(4, dtype=int)))


def assert_one_warning(file: FileContent, path: Path, *words: str) -> None:
    assert len(file.warnings) == 1, file.warnings
    assert file.warnings[0].startswith(str(path)) and "\n" not in file.warnings[0]
    for word in words:
        assert word in file.warnings[0]
