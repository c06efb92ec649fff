"""What exists and where: nodes, meshes, materials, world matrices, bounds, files and ray casts.

No window and no OpenGL in here.
"""

from scene.atomic_file import SaveError
from scene.content import FileContent
from scene.edits import Change, Edit, apply, change_nodes, inverse
from scene.exporting import WriteError
from scene.files import load
from scene.gltf import read_gltf, write_glb
from scene.index import SpatialIndex
from scene.materials import DEFAULT_MATERIAL, Material
from scene.mesh_data import MeshBatch, MeshData
from scene.mesh_writers import write_ply, write_stl
from scene.meshes import Meshes
from scene.node import Node
from scene.obj.reader import read_obj
from scene.obj.writer import write_obj
from scene.project.opening import open_project
from scene.project.recording import close_journal, record_edit, start_journal
from scene.project.saving import save_project
from scene.rays import Hit, raycast, raycast_all
from scene.report import LoadReport, Problem
from scene.scene import Scene
from scene.text_file import ReadError
from scene.textures import Texture

__all__ = [
    "DEFAULT_MATERIAL",
    "Change",
    "Edit",
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
    "SaveError",
    "Scene",
    "SpatialIndex",
    "Texture",
    "WriteError",
    "apply",
    "change_nodes",
    "close_journal",
    "inverse",
    "load",
    "open_project",
    "raycast",
    "raycast_all",
    "read_gltf",
    "read_obj",
    "record_edit",
    "save_project",
    "start_journal",
    "write_glb",
    "write_obj",
    "write_ply",
    "write_stl",
]
