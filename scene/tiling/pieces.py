"""Pieces: geometry on disk, and what all workers know of the tileset that is made."""

from __future__ import annotations

import functools
import os
import pickle
import secrets
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from octoscope.scene.formats.tiles.cells import Root
from octoscope.scene.formats.tiles.materials import SharedMaterials
from octoscope.scene.formats.tiles.objects import Objects
from octoscope.scene.formats.tiles.repeats import Repeats
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.system.atomic_file import SAVING, WriteError
from octoscope.scene.system.text_file import printable

BYTES_PER_ELEMENT = 200  # about; of a triangle that shares no vertex with others

# MergedGeometry.load in two threads of one Dask worker crashes Python 3.11's parser, which reads numpy's headers.
_one_at_a_time = threading.Lock()


class Piece(NamedTuple):
    """Geometry in a file, with the objects and materials of its source."""

    path: Path
    source: int  # number of the file that it was read from; -1: its objects and materials are those of the tileset


@dataclass(frozen=True, eq=False)
class Plan:
    """The facts about a tileset in the making that every worker needs."""

    folder: Path
    root: Root
    objects: Objects  # of all sources
    materials: SharedMaterials  # of all sources
    repeats: Repeats  # of all sources
    object_numbers: list[np.ndarray]  # for each source (k,) int32 the numbers of what its pieces call objects
    material_numbers: list[np.ndarray]  # for each source (m,) int32 the numbers of its materials
    leaf_elements: int  # most triangles, lines and points of a leaf
    sharpness: float  # a tile's size divided by how far its simplification may be off
    compresses: bool  # compress triangles by Draco

    def load(self, piece: Piece) -> MergedGeometry:
        """Read a piece, with the objects and materials of the tileset."""
        own = load_geometry(piece.path)
        if piece.source < 0:
            return own
        return own.renumbered(self.object_numbers[piece.source], self.material_numbers[piece.source])

    def save(self, path: Path) -> None:
        """Write the plan to a file, from which `plan_of` reads it."""
        path.write_bytes(pickle.dumps(self))


@functools.lru_cache(maxsize=1)
def plan_of(path: Path) -> Plan:
    """Read a plan that `Plan.save` has written; the same one is read once in each process."""
    plan = pickle.loads(path.read_bytes())
    assert isinstance(plan, Plan)
    return plan


def save_geometry(geometry: MergedGeometry, path: Path) -> None:
    """Write a geometry to a file, which is whole for others that read it, whoever else writes it again."""
    own = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    with open(own, "wb") as file:
        geometry.save(file)
    os.replace(own, path)


def load_geometry(path: Path) -> MergedGeometry:
    """Read a geometry from a file."""
    try:
        with _one_at_a_time, open(path, "rb") as file:
            return MergedGeometry.load(file)
    except (FileNotFoundError, EOFError, ValueError):  # after a power failure
        raise damaged(path) from None


def damaged(path: Path) -> WriteError:
    """Return the error about a file of an earlier run that is not as it was left."""
    kept = next((folder for folder in path.parents if folder.name.endswith(SAVING)), path.parent)
    return WriteError(
        f"{printable(path.name)} is not as the run left it that was ended; remove the folder {printable(kept)}"
    )
