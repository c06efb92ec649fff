"""Tileset: tileset.json and the subtrees that belong to it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from octoscope.scene.formats.tiles.cells import Root, Tile, corners_of_box
from octoscope.scene.formats.tiles.files.archive import ENDING
from octoscope.scene.formats.tiles.files.packed_file import read_unpacked
from octoscope.scene.formats.tiles.files.remote import is_address, is_remote, path_of
from octoscope.scene.formats.tiles.subtree import TILE_SCHEMA, Subtree, first_bit, pack_subtree
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.text_file import ReadError, shortened

TILESET_NAME = "tileset.json"
CONTENT_FOLDER = "content"  # with all contents and their textures, so that none names a file outside its folder
CONTENT_TEMPLATE = f"{CONTENT_FOLDER}/{{level}}_{{x}}_{{y}}_{{z}}.glb"
_SUBTREE_FOLDER = "subtrees"
FOLDER_ENTRIES = (TILESET_NAME, CONTENT_FOLDER, _SUBTREE_FOLDER)  # all that a tileset is
_SUBTREE_TEMPLATE = f"{_SUBTREE_FOLDER}/{{level}}_{{x}}_{{y}}_{{z}}.subtree"
_SUBTREE_LEVELS = 4
_LARGEST_JSON = 2**26


class TileFacts(NamedTuple):
    """The facts that a tileset states about one tile."""

    box: np.ndarray  # (12,) float64 around all that is shown in its place, as `cells.box_around` returns it
    # the largest distance from the exact geometry while this tile is shown in place of those below it, world units
    error: float
    has_content: bool  # a file with its geometry


@dataclass(frozen=True, eq=False)
class Tileset:
    """The tiles of an implicit octree."""

    root: Root
    tiles: dict[Tile, TileFacts]
    content_template: str = CONTENT_TEMPLATE  # the URI of contents, with {level}, {x}, {y} and {z}


def write_tileset(tileset: Tileset, folder: Path) -> None:
    """Write tileset.json and its subtrees, once its contents are written.

    Geometric errors of implicit tiles are half of those above them, unless a program reads what the subtrees say of
    each. So that they hold for others too, the root's is one that bounds all of them.
    """
    subtrees = _subtrees_of(tileset.tiles)
    for place, subtree in subtrees.items():
        path = folder / place.placed_in(_SUBTREE_TEMPLATE)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(pack_subtree(subtree))
    top = tileset.tiles[Tile(0, 0, 0, 0)]
    halved = max(facts.error * 2.0**tile.level for tile, facts in tileset.tiles.items())
    lower, upper = corners_of_box(top.box)
    center = tileset.root.lower + tileset.root.size / 2.0
    half = np.eye(3) * (tileset.root.size / 2.0)
    document = {
        "asset": {"version": "1.1", "generator": "Octoscope"},
        "schema": TILE_SCHEMA,
        # Of showing nothing at all.
        "geometricError": max(float(np.linalg.norm(upper - lower)), halved),
        "root": {
            "boundingVolume": {"box": [*center.tolist(), *half.ravel().tolist()]},
            "geometricError": halved,
            "refine": "REPLACE",
            "content": {"uri": tileset.content_template},
            "implicitTiling": {
                "subdivisionScheme": "OCTREE",
                "subtreeLevels": _SUBTREE_LEVELS,
                "availableLevels": 1 + max(tile.level for tile in tileset.tiles),
                "subtrees": {"uri": _SUBTREE_TEMPLATE},
            },
        },
    }
    (folder / TILESET_NAME).write_text(json.dumps(document, indent=1), encoding="utf-8")


def _subtrees_of(tiles: dict[Tile, TileFacts]) -> dict[Tile, Subtree]:
    """Gather tiles by subtree; a subtree is known by its topmost tile."""
    members: dict[Tile, dict[int, TileFacts]] = {}
    for tile, facts in tiles.items():
        top = tile.ancestor(tile.level - tile.level % _SUBTREE_LEVELS)
        within = tile.level - top.level
        bit = first_bit(within) + (tile.morton & (8**within - 1))
        members.setdefault(top, {})[bit] = facts
    children: dict[Tile, list[int]] = {top: [] for top in members}
    for top in members:
        if top.level:
            code = top.morton & (8**_SUBTREE_LEVELS - 1)
            children[top.ancestor(top.level - _SUBTREE_LEVELS)].append(code)
    made = {}
    for top, of_one in members.items():
        bits = np.array(sorted(of_one), dtype=np.int64)
        facts = [of_one[bit] for bit in bits.tolist()]
        made[top] = Subtree(
            _SUBTREE_LEVELS,
            bits,
            np.array([[each.has_content] for each in facts], dtype=np.bool_),
            np.stack([each.box for each in facts]),
            np.array([each.error for each in facts]),
            np.array(sorted(children[top]), dtype=np.int64),
        )
    return made


def folder_of(path: Path) -> Path:
    """Return the folder of a tileset, in which all of its files are."""
    return path.parent if is_remote(path) else path.parent.resolve()


def tileset_in(path: StrPath) -> Path:
    """Return the tileset.json that an address, a folder, an archive or its own path stands for."""
    if is_address(path):
        address, mark, query = str(path).partition("?")
        return path_of(address + (TILESET_NAME if address.endswith("/") else "") + mark + query)
    path = Path(path)
    return path / TILESET_NAME if path.is_dir() or path.suffix.lower() == ENDING else path


def read_tileset_json(path: Path) -> Any:
    """Read the JSON of a tileset, of whatever kind it is."""
    try:
        return json.loads(read_unpacked(path, largest_bytes=_LARGEST_JSON).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        reason = shortened(str(error))
        raise ReadError(path, f"not a tileset, or damaged: its JSON cannot be read ({reason}); make it again") from None
