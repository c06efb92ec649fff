"""The options of `octoscope tiles`, and --budget of others. Imports nothing that takes long."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octoscope.scene.project.paths import is_project
from octoscope.scene.system.text_file import ReadError
from octoscope.viewer.cli.arguments import options, values
from octoscope.viewer.cli.arguments.command_line import Command, CommandLinePart
from octoscope.viewer.cli.output import UserError

if TYPE_CHECKING:
    from octoscope.scene import Scene
    from octoscope.scene.streaming.streamed_tiles import StreamedTiles

_LEAF_ELEMENTS = 2**15
_MOST_WORKERS = 256
_MOST_OBJECTS = 1000  # whose properties are listed
_SCHEMES = "http://", "https://"


def _copies(text: str) -> tuple[int, int]:
    """Return how many copies stand side by side, and how many behind each other."""
    try:
        across, along = (int(count) for count in text.lower().split("x"))
    except ValueError:
        across = along = 0
    if min(across, along) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not NxM, such as 4x3")
    return across, along


def _tiles_options(parser: argparse.ArgumentParser) -> None:
    options.add_file_options(parser)
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="the folder to make")
    parser.add_argument("--force", action="store_true", help="replace the tileset in that folder")
    parser.add_argument(
        "--workers",
        type=values.whole_between(1, _MOST_WORKERS, f"a number of processes, 1 to {_MOST_WORKERS}"),
        metavar="N",
        help=f"processes, 1 to {_MOST_WORKERS}, which share --max-memory (default: one for each processor)",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="let the workers of a Dask cluster do it, file by file and cell by cell: the address of its scheduler, "
        "such as tcp://host:8786, or 'local' for processes of this machine. Its machines need Octoscope, and must see "
        "the files and DIR by the same paths, on a disk that they share (pip install 'octoscope[cluster]')",
    )
    parser.add_argument(
        "--compress",
        choices=("draco",),
        help="compress triangles, to a third or less (KHR_draco_mesh_compression; pip install 'octoscope[draco]')",
    )
    parser.add_argument(
        "--leaf",
        type=values.count,
        default=_LEAF_ELEMENTS,
        metavar="N",
        help=f"most triangles, lines and points of a tile of the finest (default: {_LEAF_ELEMENTS})",
    )
    parser.add_argument(
        "--place",
        action="store_true",
        help="make no tiles: the FILEs are tilesets in folders below DIR, and DIR/tileset.json shows them together",
    )
    parser.add_argument(
        "--copies",
        type=_copies,
        metavar="NxM",
        help="with --place, show all of them so often, side by side on the ground",
    )
    options.add_up_option(parser)
    parser.add_argument("--stats", action="store_true", help="also print each level, and the time of each stage")
    parser.add_argument("--json", action="store_true", help="print what was written as JSON")


def _add_stream_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--budget",
        type=values.byte_count,
        metavar="SIZE",
        help="stream a tileset.json or .3tz: read only what is seen, as finely as a pixel needs, within so much "
        "memory, such as 2G. It cannot be edited (default: read all of it; from a server, half of the free memory)",
    )
    parser.add_argument(
        "--tile-pixels",
        type=values.between(0.1, 1000.0, "a number of pixels, 0.1 to 1000"),
        metavar="PX",
        help="with --budget: pixels by which a tile may be off before finer ones take its place (default: 1)",
    )


def _open_streamed(files: Sequence[str], given: argparse.Namespace) -> StreamedTiles | None:
    """Open the tileset of --budget, of which only the coarsest tiles are read yet; None without that option."""
    budget, tile_pixels = (vars(given).get(name) for name in ("budget", "tile_pixels"))
    on_server = [name for name in files if name.lower().startswith(_SCHEMES)]
    if budget is None and not on_server:
        if tile_pixels is not None:
            raise UserError("--tile-pixels: is for tilesets that are streamed; add --budget, such as --budget 2G")
        return None
    if vars(given).get("turntable") is not None:
        raise UserError("--budget: streams tiles for one picture; leave out --turntable")
    is_tileset = bool(on_server) or files[0].lower().endswith((".json", ".3tz"))
    if len(files) != 1 or not is_tileset or is_project(Path(files[0])):
        what = "an address" if on_server else "--budget"
        raise UserError(f"{what}: one tileset.json or .3tz streams at a time; leave out other files, or {what}")
    from octoscope.scene.streaming.opening import open_tileset  # only here: it takes long to import

    try:
        return open_tileset(files[0], budget=budget, tile_pixels=tile_pixels or 1.0, up_axis=given.up)
    except ReadError as error:
        raise UserError(*str(error).split("\n")) from None


def _add_facts(scene: Scene, given: argparse.Namespace, facts: dict[str, Any]) -> list[str]:
    """Add what files state of their objects, with the numbers of their nodes."""
    ids = scene.nodes_with_properties()
    said = [
        {"node": node, "path": scene.path_of(node), **scene.grouped_properties(node)}
        for node in ids[:_MOST_OBJECTS].tolist()
    ]
    # JSON has no NaN, and a table may.
    facts["properties"] = json.loads(json.dumps(said), parse_constant=lambda constant: None)
    facts["properties_left_out"] = max(len(ids) - _MOST_OBJECTS, 0)
    return [f"{len(ids):,} objects of files that state properties of objects: --json lists them"] if len(ids) else []


PART = CommandLinePart(
    commands={
        "tiles": Command(
            "write files as OGC 3D Tiles, for scenes of any size and other viewers", _tiles_options, __package__
        )
    },
    options=dict.fromkeys(("open", "render"), _add_stream_options),
    open_streamed=_open_streamed,
    add_facts=_add_facts,
)
