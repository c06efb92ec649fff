"""Read glTF and GLB files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from octoscope.scene.content import FileContent
from octoscope.scene.formats.gltf import codes
from octoscope.scene.formats.gltf.accessors import NONE
from octoscope.scene.formats.gltf.compression.draco import without_draco
from octoscope.scene.formats.gltf.compression.meshopt import without_meshopt
from octoscope.scene.formats.gltf.compression.quantized import without_quantized
from octoscope.scene.formats.gltf.document import GltfDocument, objects, read_document
from octoscope.scene.formats.gltf.instances import NODE_BYTES, Instances, read_instances
from octoscope.scene.formats.gltf.read_cameras import read_cameras
from octoscope.scene.formats.gltf.read_extras import read_extras
from octoscope.scene.formats.gltf.read_materials import read_materials
from octoscope.scene.formats.gltf.read_meshes import read_meshes
from octoscope.scene.formats.gltf.read_nodes import read_nodes
from octoscope.scene.formats.gltf.read_sparse import without_sparse
from octoscope.scene.mesh.material import Material
from octoscope.scene.system.memory import no_collections
from octoscope.scene.system.paths import StrPath
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.report import Problems, nothing_to_show
from octoscope.scene.system.text_file import ReadError, printable

# What a thing of each kind takes in a scene, and on the way there, beside its JSON and the vertices of meshes.
_OBJECT_BYTES = {"nodes": NODE_BYTES, "meshes": 800, "materials": 2600}
# The material of a primitive without one.
# Of a mesh without a material, which says nothing of its sides: shown from both, unlike those that say they are not.
_NO_MATERIAL = Material("default", base_color=(1.0, 1.0, 1.0))
_READ_EXTENSIONS = {
    codes.CLEARCOAT,
    "CESIUM_RTC",  # by 3D Tiles
    codes.WEBP_TEXTURE,
    codes.BASISU_TEXTURE,
    codes.GPU_INSTANCING,
    codes.INSTANCE_FEATURES,  # by 3D Tiles, as the next two
    codes.MESH_FEATURES,  # by 3D Tiles; a file alone is shown whole
    codes.STRUCTURAL_METADATA,
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_mesh_quantization",
    codes.EMISSIVE_STRENGTH,
    codes.IOR,
    codes.SPECULAR,
    codes.TEXTURE_TRANSFORM,
    codes.TRANSMISSION,
    codes.UNLIT,
}


def read_gltf(path: StrPath) -> FileContent:
    """Read a glTF file, 2.0 or 1.0 (.gltf, with the files beside it that it names) or its binary form (.glb).

    Names, tree and transforms are the file's own; a mesh that several nodes show is one mesh, also where the file has
    it several times in different materials. No network address is opened, and no file outside the folder.
    """
    with no_collections():
        return content_of(decoded(read_document(Path(path))))


def decoded(document: GltfDocument) -> GltfDocument:
    """Return a document with all that is compressed or sparse in it as if it were not, as far as it can be decoded."""
    return without_sparse(without_draco(without_meshopt(without_quantized(document))))


@dataclass(frozen=True)
class GltfContent:
    """The content of a document, and the numbers in the document from which its nodes and vertices come."""

    content: FileContent
    node_sources: np.ndarray  # (n,) int64 node of the file that each node is, or behind these the instance
    instances: Instances
    positions: np.ndarray  # (p,) accessors, whose items `source_vertices` counts one behind the other


def content_of(document: GltfDocument, problems: Problems | None = None) -> FileContent:
    """Return what a document holds, as `read_gltf` does; `problems` are those that are known before."""
    problems = Problems(document.path) if problems is None else problems
    if codes.STRUCTURAL_METADATA in str(document.json.get("extensionsUsed")):
        what = f"property tables ({codes.STRUCTURAL_METADATA}) of a glTF file alone"
        problems.report("properties", what, "not shown; open a tileset.json that names the file as a content")
    return numbered_content_of(document, problems).content


def numbered_content_of(document: GltfDocument, problems: Problems | None = None) -> GltfContent:
    """Return what `content_of` does, and which numbers of the document became what."""
    path = document.path
    problems = Problems(path) if problems is None else problems
    current_limits().take(sum(size * len(document.objects(key)) for key, size in _OBJECT_BYTES.items()))
    _report_extensions(document, problems)
    for what, count in document.undecoded.items():
        problems.report("compressed", f"{what} cannot be decoded", "skipped", count=count)
    instances = read_instances(document, problems)
    read = read_materials(document, problems)
    materials = [one.material for one in read]
    uv_sets = np.array([(one.uv_set, one.second_uv_set) for one in read], dtype=np.int64).reshape(-1, 2)
    textured = np.array([one.has_textures for one in read], dtype=np.bool_)
    meshes = read_meshes(document, uv_sets, textured, problems)
    nodes = read_nodes(document, instances, meshes.centers, problems)
    bookmarks = read_cameras(document, problems)
    measurements, labels = read_extras(document, nodes.sources, problems)
    material_ids = meshes.batch.material_ids
    if (material_ids == NONE).any():
        material_ids[material_ids == NONE] = len(materials)
        materials.append(_NO_MATERIAL)
    _report_left_out(document, problems)
    shown = nodes.meshes >= 0
    node_meshes, node_materials = (
        np.where(shown, column[nodes.meshes] if len(column) else NONE, NONE).astype(np.int32)
        for column in (meshes.rows, meshes.overrides)
    )
    if not (node_meshes >= 0).any():
        if not len(meshes.rows):
            problems.report("nothing", "a file without a mesh", "refused")
        elif (meshes.rows >= 0).any():
            problems.report("nothing", "a scene without a node that has a mesh", "refused")
        raise nothing_to_show(path, problems)
    content = FileContent(
        printable(path.name),
        meshes.vertex_count,
        nodes.names,
        nodes.parents,
        node_meshes,
        meshes.batch,
        materials,
        nodes.translations,
        nodes.rotations,
        nodes.scales,
        node_materials,
        up_axis="y",
        length_unit="m",
        bookmarks=bookmarks,
        measurements=measurements,
        labels=labels,
        problems=list(problems),
        dependencies=frozenset(document.dependencies),
    )
    return GltfContent(content, nodes.sources, instances, meshes.positions)


def _report_extensions(document: GltfDocument, problems: Problems) -> None:
    required, used = (
        {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()
        for names in (document.json.get("extensionsRequired"), document.json.get("extensionsUsed"))
    )
    if codes.DRACO in required:  # else it was decoded before
        help_ = "pip install 'octoscope[draco]', or export it uncompressed"
        raise ReadError(document.path, f"its meshes are compressed ({codes.DRACO}), which is not read; {help_}")
    for name in sorted((required | used) - _READ_EXTENSIONS)[:20]:
        problems.report("extension", f"{printable(name[:60])} is not read", "opened without it")


def _report_left_out(document: GltfDocument, problems: Problems) -> None:
    for key, what in (("animations", "an animation"), ("skins", "a skin")):
        problems.report(key, what, "left out", count=len(document.objects(key)))
    meshes = document.objects("meshes")
    targets = sum("targets" in item for mesh in meshes for item in objects(mesh, "primitives", document.path))
    problems.report("targets", "a mesh with morph targets", "opened in its base shape", count=targets)
