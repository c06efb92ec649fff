"""Read a glTF or GLB file by itself, with its features and what it states of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.formats.gltf.codes import INSTANCE_FEATURES, MESH_FEATURES, STRUCTURAL_METADATA
from octoscope.scene.formats.gltf.document import read_document
from octoscope.scene.formats.gltf.reader import content_of, decoded, numbered_content_of
from octoscope.scene.system.memory import no_collections
from octoscope.scene.system.paths import StrPath


def read_gltf(path: StrPath) -> FileContent:
    """Read a file as scene.formats.gltf.read_gltf does, with an object for each feature of its vertices."""
    with no_collections():
        document = decoded(read_document(Path(path)))
        used = document.json.get("extensionsUsed")
        if not isinstance(used, list) or not {INSTANCE_FEATURES, MESH_FEATURES, STRUCTURAL_METADATA} & set(
            map(str, used)
        ):
            return content_of(document)
        # Only here: most files have none.
        from octoscope.scene.formats.tiles.contents import PlacedContent
        from octoscope.scene.formats.tiles.file_properties import ContentSource, add_properties, described

        gltf = numbered_content_of(document)
        placed = PlacedContent(gltf.content, np.eye(4)[None], document, gltf)
        found = described(placed)
        source = ContentSource(document.path, document.path.parent, is_z_up=False, number=0)
        places = range(len(found.content.meshes) if placed.has_properties_at_points else 0)
        return add_properties(found.content, found.features.tables, found.keys[0], dict.fromkeys(places, source))
