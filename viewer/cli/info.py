"""`octoscope info FILE...`: what files contain, and the octree over them."""

from __future__ import annotations

import argparse
import math
import time
from dataclasses import asdict
from typing import Any

import numpy as np

from octoscope.octree.jit import compile_timer
from octoscope.scene import Scene
from octoscope.scene.measuring import Measurer, NodeFigures
from octoscope.scene.system.text_file import printable
from octoscope.viewer.cli.arguments.command_line import CommandLinePart
from octoscope.viewer.cli.common import exit_status, file_facts, is_nothing_left, open_scene
from octoscope.viewer.cli.output import PARTIAL_FAILURE, answer, answer_columns, answer_json, readable, say
from octoscope.viewer.features import parts
from octoscope.viewer.rendering.resources.texture_layers import shrunk_message, shrunk_textures, textures_of


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    begin = time.perf_counter() - compile_timer.seconds  # compiling kernels does not count
    scene = open_scene(options.files, options)
    load_seconds = time.perf_counter() - compile_timer.seconds - begin
    status = PARTIAL_FAILURE if is_nothing_left(scene) else exit_status(scene.report)
    figures = Measurer(scene).measure(scene.ids)
    bounds = _finite_box(figures)
    shrunk = shrunk_message(textures_of(scene.materials))
    broken = scene.index.broken_messages(scene.sources)
    facts: dict[str, Any] = {
        **file_facts(scene.report),
        "nodes": len(scene),
        "objects": len(scene.index),
        "meshes": len(scene.meshes),
        "triangles": scene.element_count("triangle"),
        "lines": scene.element_count("line"),
        "points": scene.element_count("point"),
        "vertices": scene.report.vertex_count,
        "materials": len(scene.used_materials),
        **_texture_facts(scene),
        "length_unit": scene.length_unit or None,
        "length_decimals": scene.length_decimals,
        "bookmarks": list(scene.bookmarks),
        "bounds": None if bounds is None else {"min": bounds[0].tolist(), "max": bounds[1].tolist()},
        **_surface_facts(figures),
        "octree": asdict(scene.index.stats()),
        "load_seconds": round(load_seconds, 3),
        "problems": [problem.as_json() for problem in scene.report.merged_problems],
        "problems_by_kind": scene.report.count_by_kind(),
        "warnings": [*scene.report.errors, *scene.report.warnings, *broken, *shrunk],
    }
    lines = [line for part in parts(CommandLinePart) for line in part.add_facts(scene, options, facts)]
    if options.json:
        answer_json(facts)
        return status
    rows = []
    for name in ("nodes", "objects", "meshes", "triangles", "lines", "points", "vertices", "materials"):
        rows.append((name, f"{facts[name]:,}"))
    if bounds is not None:
        for name, corner in (("min", bounds[0]), ("max", bounds[1]), ("size", bounds[1] - bounds[0])):
            rows.append((f"bounds {name}", readable(corner)))
        if facts["lines"]:
            rows.append(("length", readable(facts["length"]) if facts["length"] is not None else "-"))
        rows.append(("area", readable(facts["area"]) if facts["area"] is not None else "-"))
        rows.append(("volume", readable(facts["volume"]) if facts["volume"] is not None else "-"))
        rows.append(("watertight", f"{facts['watertight_objects']:,} of {facts['objects']:,} objects"))
    for name, value in facts["octree"].items():
        rows.append((f"octree {name.replace('_', ' ')}", f"{value:,}" if isinstance(value, int) else readable(value)))
    rows.append(("load seconds", str(facts["load_seconds"])))
    answer_columns(rows)
    for line in shrunk:
        say(line)
    for line in lines:
        answer(line)
    return status


def _texture_facts(scene: Scene) -> dict[str, object]:
    """Return the number of textures, and file and size in pixels of those that are shown smaller."""
    textures = textures_of(scene.materials)
    shrunk = [
        {"file": printable(str(texture.path)), "size": [*texture.full_size]} for texture in shrunk_textures(textures)
    ]
    return {"textures": len(textures), "textures_shrunk": shrunk}


def _finite_box(figures: NodeFigures) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the world box (lower, upper) of all vertices; None where there is none, or it overflows."""
    lower, upper = figures.lower, figures.upper
    return (lower, upper) if lower is not None and upper is not None and np.isfinite([lower, upper]).all() else None


def _surface_facts(figures: NodeFigures) -> dict[str, object]:
    """Return length of lines, area, enclosed volume and whether meshes are watertight, in world units.

    A number that overflows is None; so is the volume if nothing encloses one.
    """
    volume = figures.volume
    return {
        "length": figures.length if math.isfinite(figures.length) else None,
        "area": figures.area if math.isfinite(figures.area) else None,
        "volume": volume if volume is not None and math.isfinite(volume) else None,
        "watertight": figures.is_watertight,
        "watertight_objects": figures.watertight,
        "open_edges": figures.open_edges,
        "flipped_edges": figures.flipped_edges,
        "non_manifold_edges": figures.non_manifold_edges,
    }
