"""The octree: culling, editing, asking. Every answer is asserted before anything is timed."""

from __future__ import annotations

from collections.abc import Iterator

from viewer.benchmarks import octree_asking, octree_culling, octree_editing
from viewer.benchmarks.harness import Result


def run() -> Iterator[Result]:
    yield from octree_culling.run()
    yield from octree_editing.run()
    yield from octree_asking.run()
