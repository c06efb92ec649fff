"""What exists and where: nodes, meshes, materials, world matrices, bounds, files and ray casts.

No window and no OpenGL in here.
"""

from scene.files import LoadReport, load
from scene.index import SpatialIndex
from scene.materials import DEFAULT_MATERIAL, Material
from scene.meshes import MeshData, Meshes
from scene.node import Node
from scene.rays import Hit, raycast, raycast_all
from scene.scene import Scene
from scene.text_file import ReadError
from scene.textures import Texture

__all__ = [
    "DEFAULT_MATERIAL",
    "Hit",
    "LoadReport",
    "Material",
    "MeshData",
    "Meshes",
    "Node",
    "ReadError",
    "Scene",
    "SpatialIndex",
    "Texture",
    "load",
    "raycast",
    "raycast_all",
]
