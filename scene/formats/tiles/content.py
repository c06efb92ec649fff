"""A tile's geometry as a GLB: one mesh, in which every vertex tells its object (EXT_mesh_features).

What the objects are called and where they stand in the tree is a table (EXT_structural_metadata).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from scene.formats.bulk_text import rows_of_text
from scene.formats.gltf.codes import CENTER, DRACO, MESH_FEATURES, STRUCTURAL_METADATA
from scene.formats.gltf.container import write_container
from scene.formats.gltf.write_draco import compressed
from scene.formats.gltf.write_meshes import pack_meshes
from scene.formats.tiles.geometry import TileGeometry
from scene.formats.tiles.materials import SharedMaterials
from scene.formats.tiles.objects import Objects
from scene.formats.tiles.property_table import pack_table
from scene.mesh.data import MeshBatch, MeshData
from scene.mesh.pool import Meshes

OBJECT_CLASS = "object"


def write_content(
    path: Path, geometry: TileGeometry, objects: Objects, materials: SharedMaterials, *, compresses: bool = False
) -> int:
    """Write the content of a tile.

    Positions are as in `write_glb`: float32, and relative to their middle where that is far away.

    Args:
        path: of the file.
        geometry: of the tile, not empty.
        objects: of the tileset.
        materials: of the tileset.
        compresses: compress triangles by Draco.

    Returns:
        the size of the file, bytes.

    Raises:
        WriteError: the content is too large.
        OSError: the file cannot be written.
    """
    shown, features = np.unique(geometry.objects, return_inverse=True)
    meshes = Meshes()
    meshes.extend(_one_mesh(geometry))
    packed = pack_meshes(
        meshes,
        np.zeros(1, dtype=np.int64),
        is_textured=materials.is_textured,
        shown_textured=np.zeros(1, dtype=np.bool_),
        features=features,
    )
    used, numbers = np.unique(packed.primitive_materials, return_inverse=True)
    views, accessors, texts = packed.views, packed.accessors, packed.primitives
    feature_set = {"featureCount": len(shown), "attribute": 0, "propertyTable": 0}
    extensions: list[dict[str, object]] = [{MESH_FEATURES: {"featureIds": [feature_set]}} for _ in texts]
    required = []
    if compresses:
        views, accessors, texts, of_draco = compressed(packed)
        required = [DRACO] if any(of_draco) else []
        extensions = [each | further for each, further in zip(extensions, of_draco, strict=True)]
    primitives = rows_of_text('%s,"material":%d,"extensions":%s}', texts, numbers, list(map(json.dumps, extensions)))
    table = pack_table(objects.columns_of(shown), len(views))
    metadata = {
        "schema": {"id": "octoscope", "classes": {OBJECT_CLASS: {"properties": table.properties}}},
        "propertyTables": [{"class": OBJECT_CLASS, "count": len(shown), "properties": table.values}],
    }
    node: dict[str, object] = {"mesh": 0}
    extras = ""
    if packed.centers.any():
        node["translation"] = packed.centers[0].tolist()
        extras = f',"extras":{{"{CENTER}":{json.dumps(packed.centers[0].tolist())}}}'
    document = {
        "asset": '{"version":"2.0","generator":"Octoscope"}',
        "extensionsUsed": json.dumps([MESH_FEATURES, STRUCTURAL_METADATA, *materials.extensions, *required]),
        **({"extensionsRequired": json.dumps(required)} if required else {}),
        "extensions": json.dumps({STRUCTURAL_METADATA: metadata}),
        "scene": "0",
        "scenes": '[{"nodes":[0]}]',
        "nodes": json.dumps([node]),
        "meshes": f'[{{"primitives":[{",".join(primitives.tolist())}]{extras}}}]',
        "accessors": f"[{','.join(accessors)}]",
        **{key: json.dumps(value) for key, value in materials.used_by(used.tolist()).items()},
    }
    with open(path, "wb") as file:
        write_container(file, document, [*views, *((None, None, view) for view in table.views)])
        return file.tell()


def _one_mesh(geometry: TileGeometry) -> MeshBatch:
    mesh = MeshData(
        geometry.positions,
        geometry.triangles,
        geometry.normals,
        geometry.materials,
        geometry.uvs,
        geometry.colors,
        lines=geometry.lines,
        points=geometry.points[:, 0],
    )
    return MeshBatch.of([mesh], [""])
