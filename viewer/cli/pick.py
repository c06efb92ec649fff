"""`octoscope pick FILE... --ray OX OY OZ DX DY DZ`: what a ray hits."""

from __future__ import annotations

import argparse

from scene import Hit
from viewer.cli.common import UserError, add_file_options, add_octree_options, open_scene, readable, say, say_json


def add_options(parser: argparse.ArgumentParser) -> None:
    add_file_options(parser)
    parser.add_argument(
        "--ray",
        nargs=6,
        type=float,
        required=True,
        metavar=("OX", "OY", "OZ", "DX", "DY", "DZ"),
        help="origin and direction, world; t is counted in world units, whatever the direction's length",
    )
    parser.add_argument("--all", action="store_true", help="every triangle on the ray, nearest first")
    parser.add_argument("--json", action="store_true", help="as JSON, on standard output")
    add_octree_options(parser)


def run(options: argparse.Namespace) -> int:
    opened = open_scene(options.files, options)
    origin, direction = options.ray[:3], options.ray[3:]
    try:
        if options.all:
            hits = opened.scene.raycast(origin, direction, all_hits=True)
        else:
            nearest = opened.scene.raycast(origin, direction)
            hits = [] if nearest is None else [nearest]
    except ValueError as error:
        raise UserError(f"--ray: {error}") from None
    if options.json:
        answer = {"hit": bool(hits)}
        if hits:
            answer |= _facts(hits[0])
        if options.all:
            answer["hits"] = [_facts(hit) for hit in hits]
        say_json(answer)
    elif not hits:
        say("nothing on that ray")
    else:
        for hit in hits:
            say(f"{hit.node.name}: t {readable(hit.t)}, point {readable(hit.point)}, triangle {hit.triangle}")
    return 0


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
