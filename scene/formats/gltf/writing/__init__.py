"""The parts of a glTF file that is written.

Imports scene.formats.gltf and what that imports.

    container  the GLB container: JSON and bytes.
    meshes     geometry as primitives and bytes.
    draco      geometry compressed by Draco.
    materials  materials and images.
"""
