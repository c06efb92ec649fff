"""`octoscope pick FILE... --ray OX OY OZ DX DY DZ`: what a ray hits."""

from __future__ import annotations

import argparse

from octoscope.scene import Hit
from octoscope.scene.system.text_file import printable
from octoscope.viewer.cli.common import exit_status, file_facts, open_scene
from octoscope.viewer.cli.output import UserError, answer, answer_json, answer_table, readable


def run(options: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    scene = open_scene(options.files, options)
    origin, direction = options.ray[:3], options.ray[3:]
    try:
        if options.all:
            hits = scene.raycast_all(origin, direction)
        else:
            hits = [] if (nearest := scene.raycast(origin, direction)) is None else [nearest]
    except ValueError as error:
        raise UserError(f"--ray: {error}") from None
    if options.json:
        facts: dict[str, object] = {**file_facts(scene.report), "hit": bool(hits)}
        if hits:
            facts |= _facts(hits[0])
        if options.all:
            facts["hits"] = [_facts(hit) for hit in hits]
        answer_json(facts)
    elif not hits:
        answer("nothing on that ray")
    else:
        from rich.table import Table  # only here: they take long to import
        from rich.text import Text

        table = Table("object", "t", "point", "triangle", box=None, pad_edge=False)
        for hit in hits:
            name = Text(printable(hit.node.scene.path_of(hit.node.id)))  # else rich takes brackets for markup
            table.add_row(name, readable(hit.t), readable(hit.point), str(hit.triangle))
        answer_table(table)
    return exit_status(scene.report)


def _facts(hit: Hit) -> dict[str, object]:
    return {
        "node": hit.node.name,
        "node_id": hit.node.id,
        "path": hit.node.scene.path_of(hit.node.id),
        "t": hit.t,
        "point": hit.point.tolist(),
        "normal": hit.normal.tolist(),
        "triangle": hit.triangle,
        "barycentric": hit.barycentric.tolist(),
        "uv": hit.uv.tolist(),
    }
