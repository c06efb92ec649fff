"""The suite of the octree: culling, editing, queries, grids as rivals."""

from __future__ import annotations

from collections.abc import Iterator

from tests.benchmarks import octree_culling, octree_editing, octree_grids, octree_queries
from tests.benchmarks.harness import Result


def run() -> Iterator[Result]:
    """Measure all four."""
    yield from octree_culling.run()
    yield from octree_editing.run()
    yield from octree_queries.run()
    yield from octree_grids.run()
