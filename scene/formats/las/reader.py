"""Read LAS and LAZ point clouds by laspy, chunk by chunk: an object for each class of points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.content import FileContent, FileOutline
from octoscope.scene.mesh.data import MeshBatch, MeshData
from octoscope.scene.mesh.material import Material
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems, nothing_to_show
from octoscope.scene.system.text_file import ReadError, not_of_format, open_regular, printable, shortened

_CHUNK_POINTS = 2**20
_CHUNK_BYTES = 2**26
_POINT_BYTES = 200  # until it is in a scene
_MARK = b"LASF"
_HEAD_BYTES = 104  # which ends with the number of variable length records
_RECORD_BYTES = 54  # of one, at least
# By number, of the standard LAS 1.4 R15, table 17.
_CLASSES = (  # noqa: SIM905
    "never classified,unclassified,ground,low vegetation,medium vegetation,high vegetation,building,low noise,"
    "model key points,water,rail,road surface,overlap,wire guard,wire conductor,transmission tower,wire connector,"
    "bridge deck,high noise,overhead structure,ignored ground,snow,temporal exclusion"
).split(",")
_MATERIAL = Material("points", base_color=(1.0, 1.0, 1.0))


class _Points(NamedTuple):
    """Points of a file, in columns."""

    positions: np.ndarray  # (n, 3) float64, from the file's origin
    colors: np.ndarray  # (n, 4) uint8
    classes: np.ndarray  # (n,) uint8


class _Cloud:
    """A file that is open.

    Attributes:
        count: the number of points that it states.
        origin: (3,) float64, whole numbers near all points, which are exact to the last digit from there.
    """

    def __init__(self, reader: Any, path: Path, problems: Problems) -> None:
        header = reader.header
        self.count = int(header.point_count)
        self.problems = problems
        self._reader = reader
        self._path = path
        self._scales, self._offsets = (np.array(each, dtype=np.float64) for each in (header.scales, header.offsets))
        self.origin = np.floor(np.nan_to_num(np.array(header.mins, dtype=np.float64), posinf=0.0, neginf=0.0))
        self._point_bytes = int(header.point_format.size)
        self._names = set(header.point_format.dimension_names)
        self._color_range: tuple[float, float] | None = None  # of the first chunk, for all of them
        if "gps_time" in self._names:
            problems.report("las", "times, returns and scan angles of points", "left out")

    def chunks(self, size: int) -> Iterator[_Points]:
        """Read all points."""
        found = 0
        for chunk in self._reader.chunk_iterator(max(min(size, _CHUNK_BYTES // self._point_bytes), 1)):
            found += len(chunk)
            rows = np.stack([chunk.X, chunk.Y, chunk.Z], axis=1)
            positions = rows * self._scales + (self._offsets - self.origin)
            finite = np.isfinite(positions).all(axis=1)
            if not finite.all():
                self.problems.report("mesh-data", "points that are not finite", "skipped", count=int((~finite).sum()))
            classes = np.asarray(chunk.classification, dtype=np.uint8)
            yield _Points(positions[finite], self._colors_of(chunk)[finite], classes[finite])
        if found < self.count:
            what = f"the file ends early: of {self.count:,} points it has {found:,}"
            self.problems.report("cut-off", what, "what is there is shown")

    def _colors_of(self, chunk: Any) -> np.ndarray:
        """Return (n, 4) colours: the points' own, or their intensity as grey; white where all are the same."""
        is_colored = "red" in self._names
        values = np.stack([chunk.red, chunk.green, chunk.blue], axis=1) if is_colored else chunk.intensity[:, None]
        if self._color_range is None:
            # Colours fill 16 bits, or 8 as some programs write them; what intensities fill differs by the scanner.
            top = (255.0 if values.max(initial=0) < 256 else 65535.0) if is_colored else np.percentile(values, 98.0)
            self._color_range = (0.0 if is_colored else float(values.min()), float(top))
        low, high = self._color_range
        colors = np.full((len(values), 4), 255, dtype=np.uint8)
        if high > low:
            colors[:, :3] = np.clip((values - low) * (255.0 / (high - low)), 0.0, 255.0).round()
        return colors


def read_las(path: Path) -> FileContent:
    """Read a LAS or LAZ file, with a node for each class of points."""
    problems = Problems(path)
    with _opened(path, problems) as cloud:
        current_limits().take(cloud.count * _POINT_BYTES)
        chunks = list(cloud.chunks(_CHUNK_POINTS))
    if not any(len(chunk.classes) for chunk in chunks):
        raise nothing_to_show(path, problems)
    batch, classes = _meshes_of(_Points(*map(np.concatenate, zip(*chunks, strict=True))))
    content = FileContent.flat(printable(path.name), cloud.count, batch, [_MATERIAL])
    content.up_axis, content.problems = "z", list(problems)
    content.translations = np.tile(cloud.origin, (len(classes), 1))
    return content


def read_las_in_parts(path: Path, take: Callable[..., None], *, folder: Path, part_elements: int) -> FileOutline:
    """Read a file that does not fit in memory, as `read_obj_in_parts`; `folder` stays as it is."""
    problems = Problems(path)
    is_there = np.zeros(256, dtype=np.bool_)
    with _opened(path, problems) as cloud:
        for chunk in cloud.chunks(part_elements):
            batch, classes = _meshes_of(chunk._replace(positions=chunk.positions + cloud.origin))
            is_there[classes] = True
            take(batch, classes, "z")
    if not is_there.any():
        raise nothing_to_show(path, problems)
    node_of_mesh = np.where(is_there, np.cumsum(is_there) - 1, -1)
    names = _names_of(np.flatnonzero(is_there))
    parents = np.full(len(names), -1)
    return FileOutline(cloud.count, names, parents, [_MATERIAL], list(problems), frozenset(), node_of_mesh)


def _meshes_of(points: _Points) -> tuple[MeshBatch, np.ndarray]:
    """Return a mesh for each class, and their classes, (k,) ascending."""
    order = np.argsort(points.classes, kind="stable")
    classes, firsts = np.unique(points.classes[order], return_index=True)
    none = np.empty((0, 3), dtype=np.int64)
    meshes = [
        MeshData(
            points.positions[rows],
            none,
            None,
            np.zeros(len(rows), dtype=np.int32),
            colors=points.colors[rows],
            source_vertices=rows,
            points=np.arange(len(rows)),
        )
        for rows in np.split(order, firsts[1:])
        if len(rows)
    ]
    return MeshBatch.of(meshes, _names_of(classes).tolist()), classes


def _names_of(classes: np.ndarray) -> np.ndarray:
    names = [_CLASSES[number] if number < len(_CLASSES) else f"class {number}" for number in classes.tolist()]
    return np.array(names, dtype=np.dtypes.StringDType())


@contextmanager
def _opened(path: Path, problems: Problems) -> Iterator[_Cloud]:
    """Open a file for as long as it is read."""
    file, size = open_regular(path)
    with file:
        head = file.read(_HEAD_BYTES)
        file.seek(0)
        if find_spec("laspy") is None:
            raise ReadError(
                path, "LAS files need an extra: pip install 'octoscope[las]'; or convert it to .ply with CloudCompare"
            )
        if size == 0:
            raise ReadError(path, "the file is empty; export it again")
        if not head.startswith(_MARK):
            raise not_of_format(path, "a LAS", "it does not begin with LASF")
        if int.from_bytes(head[-4:], "little") * _RECORD_BYTES > size:  # which laspy would make without end
            raise ReadError(path, "broken LAS (it states more records than it has bytes); export it again")
        import laspy  # here: it is an extra

        try:
            with np.errstate(all="ignore"), laspy.open(file, closefd=False, read_evlrs=False) as reader:
                yield _Cloud(reader, path, problems)
        except (ReadError, MemoryError):
            raise
        except Exception as error:  # of laspy, of what unpacks for it, or of numpy, which meets damaged numbers
            raise ReadError(path, f"broken LAS ({shortened(printable(error))}); export it again") from None
