"""A tile's geometry as a GLB: a mesh whose vertices tell their object (EXT_mesh_features), and copies of others.

What the objects are called and where they stand in the tree is a table (EXT_structural_metadata).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from octoscope.scene.formats.bulk_text import rows_of_text
from octoscope.scene.formats.gltf import codes
from octoscope.scene.formats.gltf.writing.container import View, write_container
from octoscope.scene.formats.gltf.writing.draco import compressed
from octoscope.scene.formats.gltf.writing.meshes import PackedMeshes, pack_meshes
from octoscope.scene.formats.tiles.materials import SharedMaterials
from octoscope.scene.formats.tiles.objects import Objects
from octoscope.scene.formats.tiles.reduced_textures import needed_levels
from octoscope.scene.formats.tiles.repeats import Copies, Repeats, without_copies
from octoscope.scene.formats.tiles.tables.property_table import PackedTable, pack_table
from octoscope.scene.geometry.affine import linear
from octoscope.scene.merging.merged_geometry import MergedGeometry
from octoscope.scene.mesh.data import MeshBatch
from octoscope.scene.mesh.pool import Meshes

OBJECT_CLASS = "object"


def write_content(
    path: Path,
    geometry: MergedGeometry,
    objects: Objects,
    materials: SharedMaterials,
    *,
    repeats: Repeats | None = None,
    compresses: bool = False,
    error: float = 0.0,
) -> int:
    """Write the content of a tile; return the size of the file, bytes.

    Positions are as in `write_glb`: float32, and relative to their middle where that is far away. Copies of a mesh are
    one mesh at many places (EXT_mesh_gpu_instancing).

    Args:
        error: how far the geometry is off, world units: its textures need not be much finer.
    """
    shown = np.unique(geometry.objects)
    rest, copies = without_copies(geometry, Repeats.none() if repeats is None else repeats)
    has_rest = rest.element_count > 0
    packed = _packed(rest, copies, shown, materials.uv_set_counts)
    used, numbers = np.unique(packed.primitive_materials, return_inverse=True)
    views, accessors, texts = packed.views, packed.accessors, packed.primitives
    features: dict[str, object] = {"featureIds": [{"featureCount": len(shown), "attribute": 0, "propertyTable": 0}]}
    of_rest = int(packed.primitive_counts[0]) if has_rest else 0
    extensions: list[dict[str, object]] = [
        {codes.MESH_FEATURES: features} if k < of_rest else {} for k in range(len(texts))
    ]
    shown_materials = materials.used_by(used.tolist(), needed_levels(geometry, materials.uses, error))
    is_reduced = any("extensions" in texture for texture in shown_materials.get("textures", ()))
    required = [codes.GPU_INSTANCING] * bool(copies) + [codes.WEBP_TEXTURE] * is_reduced
    if compresses:
        views, accessors, texts, of_draco = compressed(packed)
        required += [codes.DRACO] if any(of_draco) else []
        extensions = [each | further for each, further in zip(extensions, of_draco, strict=True)]
    views, accessors = list(views), list(accessors)
    primitives = rows_of_text('%s,"material":%d,"extensions":%s}', texts, numbers, list(map(json.dumps, extensions)))
    nodes = _nodes_of_copies(copies, packed.centers[int(has_rest) :], shown, features, views, accessors)
    extras = [""] * len(packed.centers)
    if has_rest:
        nodes.insert(0, {"mesh": 0})
        if packed.centers[0].any():
            nodes[0]["translation"] = packed.centers[0].tolist()
            extras[0] = f',"extras":{{"{codes.CENTER}":{json.dumps(packed.centers[0].tolist())}}}'
    table = pack_table(objects.columns_of(shown), len(views))
    names = [codes.MESH_FEATURES, codes.STRUCTURAL_METADATA, *materials.extensions, *required]
    of_meshes = np.split(primitives, np.cumsum(packed.primitive_counts)[:-1])
    texts_of_meshes = [
        f'{{"primitives":[{",".join(part.tolist())}]{extra}}}' for part, extra in zip(of_meshes, extras, strict=True)
    ]
    document = {
        "asset": '{"version":"2.0","generator":"Octoscope"}',
        "extensionsUsed": json.dumps([*names, codes.INSTANCE_FEATURES] if copies else names),
        **({"extensionsRequired": json.dumps(required)} if required else {}),
        "extensions": json.dumps({codes.STRUCTURAL_METADATA: _metadata_of(table, len(shown))}),
        "scene": "0",
        "scenes": json.dumps([{"nodes": list(range(len(nodes)))}]),
        "nodes": json.dumps([node | {"mesh": number} for number, node in enumerate(nodes)]),
        "meshes": f"[{','.join(texts_of_meshes)}]",
        "accessors": f"[{','.join(accessors)}]",
        **{key: json.dumps(value) for key, value in shown_materials.items()},
    }
    with open(path, "wb") as file:
        write_container(file, document, [*views, *((None, None, view) for view in table.views)])
        return file.tell()


def _packed(rest: MergedGeometry, copies: list[Copies], shown: np.ndarray, uv_set_counts: np.ndarray) -> PackedMeshes:
    """Pack what is not copied as the first mesh, if there is any, and each mesh of which there are copies."""
    own = [rest.mesh()] if rest.element_count else []
    meshes = Meshes()
    meshes.extend(MeshBatch.of([*own, *(each.mesh for each in copies)], [""] * (len(own) + len(copies))))
    return pack_meshes(
        meshes,
        np.arange(len(meshes)),
        uv_set_counts=uv_set_counts,
        shown_uv_set_counts=np.zeros(len(meshes), dtype=np.int64),
        features=np.searchsorted(shown, rest.objects) if own else None,
    )


def _metadata_of(table: PackedTable, count: int) -> dict[str, object]:
    """Return the extension EXT_structural_metadata of a file with the properties of `count` objects."""
    for name, semantic in (("id", "ID"), ("name", "NAME")):
        table.properties[name]["semantic"] = semantic
    return {
        "schema": {"id": "octoscope", "classes": {OBJECT_CLASS: {"properties": table.properties}}},
        "propertyTables": [{"class": OBJECT_CLASS, "count": count, "properties": table.values}],
    }


def _nodes_of_copies(
    copies: list[Copies],
    centers: np.ndarray,
    shown: np.ndarray,
    features: dict[str, object],
    views: list[View],
    accessors: list[str],
) -> list[dict[str, object]]:
    """Make a node for each mesh that stands at many places, without its mesh.

    Args:
        centers: (k, 3) what was subtracted from the positions of each mesh.
    """
    nodes: list[dict[str, object]] = []
    for each, center in zip(copies, centers, strict=True):
        places = each.translations + linear(each.rotations, each.scales) @ center
        origin = np.median(places, axis=0)  # near all of them, so that float32 is enough for the rest
        attributes = {}
        for name, kind, array in (
            ("TRANSLATION", "VEC3", places - origin),
            ("ROTATION", "VEC4", each.rotations),
            ("SCALE", "VEC3", each.scales),
            (codes.FEATURE_IDS, "SCALAR", np.searchsorted(shown, each.objects)[:, None]),
        ):
            attributes[name] = len(accessors)
            described = {"bufferView": len(views), "componentType": codes.FLOAT, "count": len(array), "type": kind}
            accessors.append(json.dumps(described))
            views.append((None, None, array.astype("<f4")))
        extensions = {codes.GPU_INSTANCING: {"attributes": attributes}, codes.INSTANCE_FEATURES: features}
        nodes.append({"translation": origin.tolist(), "extensions": extensions})
    return nodes
