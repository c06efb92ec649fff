"""glTF 2.0 files and their binary form, GLB: read and written here, without trimesh.

The names of fields and the numbers of types are those of the specification (Khronos Group, "glTF 2.0", 2021).
"""

from scene.gltf.reader import read_gltf
from scene.gltf.writer import write_glb

__all__ = ["read_gltf", "write_glb"]
