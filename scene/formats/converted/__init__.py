"""STEP, USD and COLLADA, read by libraries that are extras of Octoscope: octoscope[step], [usd] and [collada].

The library runs in a process of its own and writes a GLB, which the glTF reader reads. A broken file that crashes the
library, makes it run for ever or take all memory therefore ends that process alone. Sizes become metres, as in glTF.
Imports scene.formats.gltf and what scene.formats may.

    format          FORMATS: their endings; KINDS: which library reads them, and which program converts them without it.
    reader          read_converted: run the process, read its GLB.
    process         the process.
    glb_builder     GlbBuilder: nodes, meshes and materials that become a GLB.
    polygons        polygons with attributes of corners, as triangles.
    collada_scene   COLLADA by pycollada.
    usd_scene       the tree of a USD stage by usd-core.
    usd_meshes      its meshes and other shapes.
    usd_materials   its materials.
"""
