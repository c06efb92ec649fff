"""The endings of the files that are read as models, by the name of their format. Imports nothing that takes long."""

from __future__ import annotations

from itertools import chain

from octoscope.scene.formats.converted.kinds import KINDS

FORMATS: dict[str, tuple[str, ...]] = {
    "OBJ": (".obj.gz", ".obj"),
    "GLB": (".glb",),
    "glTF": (".gltf",),
    "PLY": (".ply",),
    "STL": (".stl",),
    "OFF": (".off",),
    "3MF": (".3mf",),
    **{kind.name: tuple(ending for ending in KINDS if KINDS[ending] is kind) for kind in KINDS.values()},
}
MODEL_ENDINGS = tuple(chain.from_iterable(FORMATS.values()))
TILESET = "tileset.json"  # of 3D Tiles: no other JSON is one
