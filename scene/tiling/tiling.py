"""write_tiles: from files to a folder of 3D Tiles."""

from __future__ import annotations

import secrets
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from octoscope.scene.conventions.up_axis import UpAxis
from octoscope.scene.formats.tiles.cells import Root, Tile
from octoscope.scene.formats.tiles.materials import SharedMaterials, merged_materials
from octoscope.scene.formats.tiles.objects import Objects
from octoscope.scene.formats.tiles.reduced_textures import ReducedTexture, write_reduced
from octoscope.scene.formats.tiles.repeats import Repeats
from octoscope.scene.formats.tiles.tileset import (
    CONTENT_FOLDER,
    CONTENT_TEMPLATE,
    FOLDER_ENTRIES,
    TILESET_NAME,
    Tileset,
    write_tileset,
)
from octoscope.scene.merging.merged_geometry import Counts
from octoscope.scene.system.atomic_file import WriteError
from octoscope.scene.system.memory import peak_memory_bytes
from octoscope.scene.system.paths import abspath, is_standard_input
from octoscope.scene.system.report import LoadReport
from octoscope.scene.tiling.buckets import PieceJob, chosen_buckets, count_pieces, distribute, first_codes, merged
from octoscope.scene.tiling.cutting import BucketJob, JoinJob, MadeTile, cut_bucket, join_tiles
from octoscope.scene.tiling.finished_jobs import FinishedJobs
from octoscope.scene.tiling.new_folder import clear, new_folder
from octoscope.scene.tiling.pieces import BYTES_PER_ELEMENT, Piece, Plan, damaged
from octoscope.scene.tiling.sources import Source, SourceJob, read_source
from octoscope.scene.tiling.workers import LOCAL_CLUSTER, Workers

# A tile's error is its size divided by the square root of a leaf's elements over this number: a simplified surface
# across a tile then has about a fifth as many triangles as a leaf may have, and several of them about as many.
_ELEMENTS_PER_SQUARE = 32.0
_LEAST_SHARPNESS = 8.0
_SHARE_OF_FREE = 0.5
_PROGRAM_BYTES = 100 * 2**20  # of each process, before it has read anything
_LEAST_BYTES = 32 * 2**20  # of each process's own, however little was allowed
_COPIES = 8  # of a bucket's elements that there are at a time, sorted and cut
_MOST_ELEMENTS = 2**20  # of a bucket, however much memory there is
_LEAST_ELEMENTS = 2**14
_BUCKETS_PER_WORKER = 6
_LEAST_SHARED = 2**17  # elements of a bucket for which it is worth to distribute them
_VERTICES_PER_ELEMENT = 2.0  # of a piece, of as many elements as a bucket may have
_FINISHED = "finished"  # the folder of FinishedJobs
_READING = 0  # the number of the first stage

Job = TypeVar("Job")
Result = TypeVar("Result")

# Called with how many jobs of a stage are done, of how many, and what the stage does.
TilingProgress = Callable[[int, int, str], None]


class Level(NamedTuple):
    """Totals of one level of a tileset."""

    tiles: int
    leaves: int  # number of tiles without any below them
    triangles: int  # totals over the contents of all tiles
    lines: int  # totals over the contents of all tiles
    points: int  # totals over the contents of all tiles
    content_bytes: int  # size of the contents of all tiles
    error: float  # the largest error of a tile, world units


@dataclass
class TilingReport:
    """Figures of one call of write_tiles.

    Attributes:
        opened: the report of opening the files.
        notes: a line for each thing that tiles cannot hold.
        counts: of all leaves: the elements of the files.
        levels: from the root down.
        buckets: the number of cells whose tiles were made separately, see scene.tiling.buckets.
        done_before: the number of jobs that an earlier run of the same command had done, which was ended.
        seconds: of each stage, by name.
        peak_bytes: the most memory that one of the processes took; None where the system does not say.
    """

    opened: LoadReport
    notes: list[str]
    objects: int = 0
    counts: Counts = Counts(0, 0, 0)  # noqa: RUF009  (a tuple)
    levels: list[Level] = field(default_factory=list)
    buckets: int = 0
    workers: int = 1
    done_before: int = 0
    seconds: dict[str, float] = field(default_factory=dict)
    peak_bytes: int | None = None

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Measure a stage."""
        begin = time.perf_counter()
        yield
        self.seconds[stage] = time.perf_counter() - begin


def write_tiles(
    paths: Sequence[Path],
    folder: Path,
    *,
    replaces: bool = False,
    workers: int = 1,
    cluster: str | None = None,
    max_memory_bytes: int | None = None,
    leaf_elements: int = 2**15,
    compresses: bool = False,
    up_axis: UpAxis | None = None,
    progress: TilingProgress | None = None,
) -> TilingReport:
    """Write files as 3D Tiles with implicit octree tiling; return what was done.

    Every triangle, line and point is in the content of one leaf: the one in whose cell its middle lies. A tile above
    shows what those below it show, simplified up to an error that is stated.

    What is done is kept beside the folder when an exception or anything else ends this, and the next call with the same
    arguments goes on from there, with any number of workers, unless one of the files has changed.

    Args:
        folder: to be made; it appears when all of it is there.
        cluster: whose workers are used instead, as for `started`. All of them must see the files and the folder by the
            same paths.
        max_memory_bytes: that all of them may take; None: half of what is free.
        leaf_elements: most triangles, lines and points of a leaf.
        progress: called now and then; an exception that it raises ends the writing.

    Raises:
        ReadError: a file cannot be opened.
        WriteError: nothing to write, a worker was lost, or the cluster does not answer.
        SaveError: the folder cannot be written.
        ModuleNotFoundError: a cluster was asked for, and Dask is not installed; or compression, and DracoPy is not.
    """
    if compresses:
        import_module("DracoPy")  # before any work is done
    if cluster is not None:
        paths, folder = [path.absolute() for path in paths], folder.absolute()
    with (
        new_folder(
            folder, known_by=TILESET_NAME, holds=FOLDER_ENTRIES, replaces=replaces, keeps=holds_finished_jobs
        ) as made_at,
        closing(started(workers, cluster)) as processes,  # which have ended before the folder is removed
    ):
        report = TilingReport(LoadReport(), [], workers=processes.count)
        finished = FinishedJobs(made_at / _FINISHED)
        command = _command(paths, made_at, leaf_elements, compresses, up_axis)
        shares = _begin(finished, command, len(paths), processes, max_memory_bytes)
        scratch = made_at / "scratch"
        scratch.mkdir(exist_ok=True)
        processes.check_sees(scratch)
        (made_at / CONTENT_FOLDER).mkdir(exist_ok=True)
        run = _Run(processes, scratch, finished, shares, report, progress)
        with report.timed("reading"):
            sources = run.read(paths, up_axis)
        plan, smaller = _planned(sources, made_at, leaf_elements, compresses, report.notes)
        plan.save(run.plan)
        with report.timed("textures"):
            run.stage("textures", write_reduced, smaller)
        del smaller
        with report.timed("distributing"):
            buckets = run.buckets_of(sources)
        report.buckets = len(buckets)
        with report.timed("cutting"):
            made = run.cut(buckets)
        with report.timed("joining"):
            made += run.join(made, list(buckets))
        _check_contents(made, made_at)
        write_tileset(Tileset(plan.root, {each.tile: each.facts for each in made}), made_at)
        shutil.rmtree(scratch)
        finished.remove()
        report.levels, report.counts = _added_up(made)
        report.objects = sum(source.shown for source in sources)
        peaks = [processes.peak_bytes()]
    peaks.append(peak_memory_bytes())
    report.peak_bytes = max((peak for peak in peaks if peak is not None), default=None)
    return report


def holds_finished_jobs(folder: Path) -> bool:
    """Tell whether a run that was ended has left in a folder what another one can go on from."""
    return FinishedJobs(folder / _FINISHED).has_any


def started(count: int, cluster: str | None = None) -> Workers:
    """Start workers, which the caller closes.

    Args:
        cluster: the address of a Dask scheduler, whose workers are used instead; LOCAL_CLUSTER: Dask starts `count`
            processes of this machine; None: Dask is not used.
    """
    if cluster is None:
        return Workers(count)
    from octoscope.scene.tiling.cluster import Cluster  # here: Dask is an extra, and takes long to import

    return Cluster(count if cluster == LOCAL_CLUSTER else cluster)


def _planned(
    sources: Sequence[Source], folder: Path, leaf_elements: int, compresses: bool, notes: list[str]
) -> tuple[Plan, list[ReducedTexture]]:
    """Plan a tileset of sources; writes their textures, and returns what is still to be written smaller."""
    bounds = np.array([each.bounds for source in sources for each in source.pieces])
    if len(bounds) == 0:
        raise WriteError("nothing to write: no object has a mesh")
    counts = np.array([len(source.names) for source in sources])
    firsts = np.cumsum(counts) - counts
    parents = [
        np.where(source.parents >= 0, source.parents + first, -1)
        for source, first in zip(sources, firsts.tolist(), strict=True)
    ]
    materials, numbers = merged_materials([source.materials for source in sources])
    shared, smaller = SharedMaterials.write(materials, folder / CONTENT_FOLDER, notes)
    plan = Plan(
        folder,
        Root.around(bounds[:, 0].min(axis=0), bounds[:, 1].max(axis=0)),
        Objects(np.concatenate([source.names for source in sources]), np.concatenate(parents).astype(np.int32)),
        shared,
        Repeats.joined([source.repeats for source in sources], firsts.tolist()),
        [(source.objects + first).astype(np.int32) for source, first in zip(sources, firsts.tolist(), strict=True)],
        numbers,
        leaf_elements,
        max(float(np.sqrt(leaf_elements / _ELEMENTS_PER_SQUARE)), _LEAST_SHARPNESS),
        compresses,
    )
    return plan, smaller


class _Shares(NamedTuple):
    """Sizes by which the work is divided into jobs; a run that goes on from another one has the buckets of that one."""

    workers: int
    of_worker: int  # bytes of memory that each of them may take
    capacity: int  # most elements of a bucket

    @classmethod
    def of(cls, workers: int, memory_bytes: int) -> _Shares:
        """Divide memory among workers."""
        of_worker = max(memory_bytes // workers - _PROGRAM_BYTES, _LEAST_BYTES)
        capacity = np.clip(of_worker // (_COPIES * BYTES_PER_ELEMENT), _LEAST_ELEMENTS, _MOST_ELEMENTS)
        return cls(workers, of_worker, int(capacity))


def _command(paths: Sequence[Path], *rest: object) -> tuple[object, ...]:
    """Return what must be equal for one run to go on from another."""
    # What came through a pipe is never the same.
    once = secrets.token_hex() if any(map(is_standard_input, paths)) else ""
    return version("octoscope"), once, [abspath(path) for path in paths], *rest


def _begin(
    finished: FinishedJobs, command: object, sources: int, workers: Workers, max_memory_bytes: int | None
) -> _Shares:
    """Keep what an earlier run of the command has done, if this one can go on from it; remove everything else."""
    free = workers.free_bytes() if max_memory_bytes is None else max_memory_bytes
    # An earlier run's buckets are taken if they fit into all memory that is free; a new run takes a share of it.
    most = _Shares.of(workers.count, free)
    before, shares = finished.command() or (None, most)
    if (
        before == command
        and shares.capacity <= most.capacity
        and all(source.is_current for source in finished.results(_READING, range(sources)).values())
    ):
        return _Shares(shares.workers, most.of_worker, shares.capacity)
    clear(finished.folder.parent)
    shares = _Shares.of(workers.count, int(free * _SHARE_OF_FREE)) if max_memory_bytes is None else most
    finished.begin((command, shares))
    return shares


def _check_contents(made: Sequence[MadeTile], folder: Path) -> None:
    """Raise WriteError if a content that was written is no longer there as a whole."""
    for each in made:
        path = folder / each.tile.placed_in(CONTENT_TEMPLATE)
        if each.facts.has_content and (not path.is_file() or path.stat().st_size != each.content_bytes):
            raise damaged(path)


class _Run:
    """The stages of a tileset that is being made."""

    def __init__(
        self,
        workers: Workers,
        scratch: Path,
        finished: FinishedJobs,
        shares: _Shares,
        report: TilingReport,
        progress: TilingProgress | None,
    ) -> None:
        self._workers = workers
        self._scratch = scratch
        self._finished = finished
        self._stages = _READING  # the number of the next stage: a run that goes on has the same ones in the same order
        self._shares = shares
        self._report = report
        self._progress = progress
        # Of another name each time: workers of a cluster live on, and know the plans that they have read by name.
        self.plan = scratch / f"plan_{secrets.token_hex(8)}"

    def stage(
        self,
        name: str,
        function: Callable[[Job], Result],
        jobs: Sequence[Job],
        uses_up: Callable[[Job], Iterable[Path]] = lambda job: (),
    ) -> list[Result]:
        """Run a function for all jobs but those that are done already; return the results, in the order of the jobs.

        Args:
            uses_up: the files that a job reads and nobody needs after it. They are removed when its result is there,
                not by the job itself, which may be run a second time.
        """
        results = self._finished.results(self._stages, range(len(jobs)))
        self._report.done_before += len(results)
        waiting = [numbered for numbered in enumerate(jobs) if numbered[0] not in results]
        done = self._workers.run(partial(self._finished.do, function, self._stages), waiting)
        self._stages += 1
        for (number, job), result in zip(waiting, done, strict=True):
            results[number] = result
            for path in uses_up(job):
                path.unlink()
            if self._progress is not None:
                self._progress(len(results), len(jobs), name)
        return [results[number] for number in range(len(jobs))]

    def read(self, paths: Sequence[Path], up_axis: UpAxis | None) -> list[Source]:
        """Read all files."""
        piece_vertices, is_only = int(self._shares.capacity * _VERTICES_PER_ELEMENT), len(paths) == 1
        jobs = [
            SourceJob(path, number, is_only, self._scratch, piece_vertices, self._shares.of_worker, up_axis)
            for number, path in enumerate(paths)
        ]
        sources = self.stage("reading", read_source, jobs)
        for source in sources:
            self._report.opened.add(source.report)
            self._report.notes += [note for note in source.notes if note not in self._report.notes]
        return sources

    def buckets_of(self, sources: Sequence[Source]) -> dict[Tile, list[Piece]]:
        """Distribute all pieces to buckets; where all fit in one, they stay as they are."""
        read = [each for source in sources for each in source.pieces]
        pieces = [each.piece for each in read]
        total = sum(each.elements for each in read)
        capacity = self._shares.capacity
        if self._shares.workers > 1:  # several for each, so that none waits long for the last
            capacity = min(capacity, max(total // (_BUCKETS_PER_WORKER * self._shares.workers), _LEAST_SHARED))
        if total <= capacity:
            return {Tile(0, 0, 0, 0): pieces}
        # Small pieces are handled together, as long as no more is in memory than a bucket may have.
        ends = np.cumsum([each.elements for each in read])
        borders = np.flatnonzero(np.diff(ends // (capacity // 2 + 1), prepend=-1)).tolist()
        groups = [pieces[begin:end] for begin, end in pairwise([*borders, len(pieces)])]
        nowhere = np.empty(0, dtype=np.int64)
        jobs = [PieceJob(self.plan, group, nowhere, self._scratch / f"{k}") for k, group in enumerate(groups)]
        chosen = chosen_buckets(merged(self.stage("counting", count_pieces, jobs)), capacity)
        jobs = [job._replace(starts=first_codes(chosen)) for job in jobs]
        buckets: dict[Tile, list[Piece]] = {cell: [] for cell in chosen}
        for parts in self.stage("distributing", distribute, jobs, lambda job: _paths_of(job.pieces)):
            for number, part in parts:
                buckets[chosen[number]].append(part)
        return buckets

    def cut(self, buckets: dict[Tile, list[Piece]]) -> list[MadeTile]:
        """Make the tiles of all buckets."""
        jobs = [
            BucketJob(self.plan, cell, pieces, self._geometry_of(cell) if cell.level else None)
            for cell, pieces in buckets.items()
        ]
        return [
            tile
            for tiles in self.stage("cutting", cut_bucket, jobs, lambda job: _paths_of(job.pieces))
            for tile in tiles
        ]

    def join(self, made: Sequence[MadeTile], buckets: Sequence[Tile]) -> list[MadeTile]:
        """Make the tiles above buckets, from the deepest up."""
        by_tile = {each.tile: each for each in made}
        ready = set(buckets)
        joined = []
        for level in range(max(cell.level for cell in buckets) - 1, -1, -1):
            below: dict[Tile, list[Tile]] = {}
            for tile in sorted(tile for tile in ready if tile.level == level + 1):
                below.setdefault(tile.parent, []).append(tile)
            jobs = [
                JoinJob(
                    self.plan,
                    tile,
                    [by_tile[child] for child in children],
                    [self._geometry_of(child) for child in children],
                    self._geometry_of(tile) if level else None,
                )
                for tile, children in below.items()
            ]
            for each in self.stage("joining", join_tiles, jobs, lambda job: job.geometries):
                by_tile[each.tile] = each
                ready.add(each.tile)
                joined.append(each)
        return joined

    def _geometry_of(self, tile: Tile) -> Path:
        return self._scratch / tile.placed_in("tile_{level}_{x}_{y}_{z}")


def _paths_of(pieces: Sequence[Piece]) -> list[Path]:
    return [piece.path for piece in pieces]


def _added_up(made: Sequence[MadeTile]) -> tuple[list[Level], Counts]:
    """Add up tiles by level, and the elements of all leaves."""
    inner = {each.tile.parent for each in made if each.tile.level}
    leaves = [each for each in made if each.tile not in inner]
    levels = []
    for level in range(1 + max(each.tile.level for each in made)):
        own = [each for each in made if each.tile.level == level]
        levels.append(
            Level(
                len(own),
                sum(each.tile.level == level for each in leaves),
                *_sum_of(own),
                sum(each.content_bytes for each in own),
                max(each.facts.error for each in own),
            )
        )
    return levels, _sum_of(leaves)


def _sum_of(made: Sequence[MadeTile]) -> Counts:
    return Counts(*(sum(column) for column in zip(*(each.counts for each in made), strict=True)))
