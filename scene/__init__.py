"""What exists and where: nodes, meshes, materials, world matrices, bounds, files and ray casts.

No window and no OpenGL in here.
"""

from scene.content import FileContent
from scene.files import load
from scene.index import SpatialIndex
from scene.materials import DEFAULT_MATERIAL, Material
from scene.meshes import MeshBatch, MeshData, Meshes
from scene.node import Node
from scene.obj_reader import read_obj
from scene.rays import Hit, raycast, raycast_all
from scene.report import LoadReport, Problem
from scene.scene import Scene
from scene.text_file import ReadError
from scene.textures import Texture

__all__ = [
    "DEFAULT_MATERIAL",
    "FileContent",
    "Hit",
    "LoadReport",
    "Material",
    "MeshBatch",
    "MeshData",
    "Meshes",
    "Node",
    "Problem",
    "ReadError",
    "Scene",
    "SpatialIndex",
    "Texture",
    "load",
    "raycast",
    "raycast_all",
    "read_obj",
]
