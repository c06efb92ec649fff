"""Make the pictures and the table of octree.md: `make docs-pictures ARGS=octree`.

Every picture shows the sample scene, so that each can be had in the window, too.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from octoscope import Scene, load
from octoscope.octree import Frustum
from octoscope.scene.city import city
from octoscope.scene.spatial.index_settings import IndexSettings
from octoscope.viewer.camera import controls
from octoscope.viewer.features.octree_view.comparison import TreeComparison
from octoscope.viewer.features.octree_view.decoration import OctreeCells
from octoscope.viewer.features.octree_view.display import OctreeDisplay
from octoscope.viewer.frame.view import View
from octoscope.viewer.rendering.still_drawing import StillDrawing

_FOLDER = Path(__file__).parents[4] / "docs"
_SAMPLE = _FOLDER.parent / "assets" / "harbour.obj"
_SIZE = (960, 540)
_BUCKETS = IndexSettings(placement="leaves", capacity=32, split_level=6)
_LEAVES = IndexSettings(placement="leaves", split_level=3)
_CELLS = IndexSettings(placement="cell", split_level=5)
_LOOSE = IndexSettings(placement="loose", looseness=2.0, split_level=5)
_TREES = {
    "every leaf it touches, divided above 32": _BUCKETS,
    "every leaf it touches, all of one level": _LEAVES,
    "the smallest cell that holds it": _CELLS,
    "the same, bounds twice as large": _LOOSE,
}
_TABLE_HEAD = """\
| scene | a sphere is stored in | cells in use | entries | on levels 0, 1 | cells visited | spheres tested | visible |
|---|---|---:|---:|---:|---:|---:|---:|
"""
_CITY_OBJECTS = 100_000
_CITY_LEVEL = 9  # of the leaves, for trees that are only as deep as there is something to divide


def main() -> None:
    """Draw every picture, and put the table into the page."""
    view = View(load(_SAMPLE))
    view.settings.show_grid = False
    _draw(view, "spheres", look="top", shows_octree=False, shows_spheres=True)
    _draw(view, "buckets", _BUCKETS, OctreeDisplay("count"), look="top")
    _draw(view, "leaves", _LEAVES, OctreeDisplay("count", lowest_level=3, empty=True))
    _draw(view, "cells", _CELLS, OctreeDisplay("level"))
    _draw(view, "loose", _LOOSE, OctreeDisplay("level"))
    _draw(view, "loose-bounds", _LOOSE, OctreeDisplay("level", lowest_level=3, highest_level=3, loose=True))
    view.visibility.frozen = _narrow_frustum(view)
    _draw(view, "cull", _LOOSE, OctreeDisplay("cull"))
    _write_table([*_rows("harbour", view.scene, view.visibility.frozen), *_city_rows()])


def _draw(
    view: View,
    name: str,
    settings: IndexSettings = _LOOSE,
    display: OctreeDisplay | None = None,
    *,
    look: str = "iso",
    shows_octree: bool = True,
    shows_spheres: bool = False,
) -> None:
    """Draw one picture of the octree with these settings, from a side, in the colours of a display."""
    view.decoration(OctreeCells).comparison = TreeComparison(view.index, settings)
    view.decoration(OctreeCells).is_shown, view.settings.show_spheres = shows_octree, shows_spheres
    view.decoration(OctreeCells).display = display or OctreeDisplay()
    width, height = _SIZE
    view.layout.set_count(2)  # the second one shows the compared tree
    view.layout.resize((2 * width, height))
    for viewport in view.viewports:
        viewport.camera = replace(controls.look_from(viewport.camera, look), orthographic=look == "top")
    view.framing.frame_nodes(None, every=True)
    still = StillDrawing().still(view, (2 * width, height))
    picture = Image.fromarray(still.pixels[:, -width:]).quantize(256, dither=Image.Dither.NONE)
    picture.save(_FOLDER / "pictures" / f"{name}.png", optimize=True)


def _narrow_frustum(view: View) -> Frustum:
    """Return the frustum of a camera with a narrow lens that stands in the scene."""
    camera = replace(view.camera, fov_y_rad=math.radians(24.0))
    lower, upper = view.index.bounds()
    middle = (lower + upper) / 2.0
    camera = controls.look_at(camera, middle + np.array((55.0, 10.0, 30.0)), middle)
    camera = replace(camera, near=2.0, far=110.0)
    return Frustum.from_camera(camera, 16 / 9)


def _city_rows() -> list[str]:
    """Return the rows of a city of many objects, looked at from a street."""
    scene = city(_CITY_OBJECTS)
    view = View(scene)
    view.layout.resize(_SIZE)
    view.framing.frame_nodes(None)
    middle = np.mean(view.index.bounds(), axis=0)
    camera = replace(controls.look_at(view.camera, middle + 40.0, middle), near=1.0, far=900.0)
    frustum = Frustum.from_camera(camera, 16 / 9)
    return _rows(f"city of {_CITY_OBJECTS:,}", scene, frustum)


def _rows(name: str, scene: Scene, frustum: Frustum) -> list[str]:
    """Return the rows of a table: each tree over a scene, and the cost of one cull."""
    rows = []
    for tree, settings in _TREES.items():
        if settings.split_level is not None and scene.row_count > _CITY_OBJECTS:
            settings = replace(settings, split_level=_CITY_LEVEL if settings is not _LEAVES else _CITY_LEVEL - 2)
        comparison = TreeComparison(scene.index, settings)
        figures = comparison.measure(frustum)
        cells = comparison.cells()
        high = int(cells.counts[cells.levels <= 1].sum())
        cost = figures.cull_cost
        numbers = (len(cells.counts), int(cells.counts.sum()), high, cost.nodes_visited, cost.spheres_tested)
        rows.append(
            f"| {name} | {tree} | " + " | ".join(f"{number:,}" for number in (*numbers, figures.visible)) + " |"
        )
    return rows


def _write_table(rows: list[str]) -> None:
    """Put rows into the page, in place of those that are there."""
    page = _FOLDER / "octree.md"
    begin, rest = page.read_text(encoding="utf-8").split(_TABLE_HEAD)
    _, end = rest.split("\n\n", 1)
    page.write_text(begin + _TABLE_HEAD + "\n".join(rows) + "\n\n" + end, encoding="utf-8")


if __name__ == "__main__":
    main()
