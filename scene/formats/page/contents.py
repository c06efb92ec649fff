"""Collect bookmarks, measurements, labels, octree cells and properties, which a page shows beside the objects."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from octoscope.scene.annotations.labels import spans_of
from octoscope.scene.formats.export import ExportedNodes, unshown_lines
from octoscope.scene.measuring.drawings import drawing_of
from octoscope.scene.measuring.lengths import Lengths
from octoscope.scene.measuring.measurements import (
    figure_text,
    picture_text,
    shown_labels,
    shown_measurements,
    world_places,
    world_points,
)
from octoscope.scene.scene import Scene
from octoscope.scene.sources import rows_of

_MOST_CELLS = 20_000
_MOST_PROPERTIES = 4_000_000  # characters


def shown_beside(scene: Scene, nodes: ExportedNodes, notes: list[str]) -> dict[str, object]:
    """Return values that JSON can hold, in world coordinates; nodes are indices into `nodes`."""
    notes += unshown_lines(scene)
    lengths = Lengths.of(scene)
    measurements = []
    for each in shown_measurements(scene):
        points = world_points(scene, each.anchors)
        if np.isfinite(points).all():
            figure = figure_text(each.kind, points, lengths)
            texts = {"name": each.name or each.kind, "figure": figure, "text": picture_text(each, figure)}
            drawing = drawing_of(each.kind, points)
            lines = np.concatenate([drawing.lines, drawing.figure_lines])
            shown = {"lines": lines.tolist(), "dots": drawing.dots.tolist(), "middle": drawing.middle.tolist()}
            measurements.append(texts | shown)
    return {
        "up": scene.up_axis,
        "size": lengths.scene_size,
        "unit": lengths.unit,
        "decimals": lengths.decimals,
        "hidden": np.flatnonzero(scene.hidden[nodes.ids]).tolist(),
        "locked": np.flatnonzero(scene.unselectable[nodes.ids]).tolist(),
        "bookmarks": [{"name": name, **asdict(bookmark)} for name, bookmark in scene.bookmarks.items()],
        "measurements": measurements,
        "labels": _labels(scene),
        "octree": _cells(scene, notes),
        "properties": _properties(scene, nodes, notes),
    }


def _labels(scene: Scene) -> list[dict[str, object]]:
    labels = [label for label in scene.labels if label.is_shown]
    nodes = np.array([label.anchor.node for label in labels], dtype=np.int64)
    points = np.array([label.anchor.point for label in labels], dtype=np.float64).reshape(-1, 3)
    places = world_places(scene, nodes, points)
    chosen = np.flatnonzero(shown_labels(scene, nodes) & np.isfinite(places).all(axis=1))
    return [
        {
            "spans": spans_of(labels[place].text),
            "point": places[place].tolist(),
            "camera": None if (camera := labels[place].camera) is None else asdict(camera),
        }
        for place in chosen.tolist()
    ]


def _properties(scene: Scene, nodes: ExportedNodes, notes: list[str]) -> dict[int, list[tuple[str, str]]]:
    """Return what files state of objects, by their nodes, as names and texts; headings have no text."""
    if any(each.properties is not None and each.properties.is_of_points for each in scene.loaded_sources.values()):
        notes.append("properties of points, in textures and of vertices, are left out")
    places = np.flatnonzero(np.isin(nodes.ids, scene.nodes_with_properties())).tolist()
    found: dict[int, list[tuple[str, str]]] = {}
    size = 0
    for number, place in enumerate(places):
        rows = rows_of(scene.grouped_properties(int(nodes.ids[place])))
        size += sum(len(name) + len(text) for name, text in rows)
        if size > _MOST_PROPERTIES:
            notes.append(f"the properties of {len(places) - number:,} objects are left out: a page holds 4 MB of them")
            break
        if rows:
            found[place] = rows
    return found


def _cells(scene: Scene, notes: list[str]) -> dict[str, object]:
    """Return the cells that store spheres: the root, and of each cell its level, place in the level and count."""
    tree = scene.index.frozen(completely=True)
    cells = tree.cells()
    order = np.argsort(cells.levels, kind="stable")
    if len(order) > _MOST_CELLS:
        notes.append(f"of the octree's {len(order):,} cells the largest {_MOST_CELLS:,} are shown")
        order = order[:_MOST_CELLS]
    levels = cells.levels[order]
    edges = 2.0 * tree.half_size / 2.0 ** levels.astype(np.float64)
    places = np.floor((cells.centers[order] - (tree.center - tree.half_size)) / edges[:, None]).astype(np.int64)
    rows = np.column_stack([levels, places, cells.counts[order]])
    return {"center": tree.center.tolist(), "half": tree.half_size, "cells": rows.tolist()}
