"""Read files whose data are compressed or sparse as if they were not."""

from __future__ import annotations

from pathlib import Path

from octoscope.scene.formats.gltf.compression.draco import without_draco
from octoscope.scene.formats.gltf.compression.meshopt import without_meshopt
from octoscope.scene.formats.gltf.document import GltfDocument, read_document
from octoscope.scene.formats.gltf.read_sparse import without_sparse


def read_decoded(path: Path) -> GltfDocument:
    """Read a file as `read_document` does, with all that is compressed or sparse in it as if it were not."""
    return decoded(read_document(path))


def decoded(document: GltfDocument) -> GltfDocument:
    """Return a document as `read_decoded` does."""
    return without_sparse(without_draco(without_meshopt(document)))
