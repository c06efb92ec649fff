"""What exists and where: nodes, meshes, materials, world matrices, bounds, files, ray casts and clashes.

No window and no OpenGL in here.
"""

from scene.atomic_file import SaveError
from scene.bookmarks import Bookmark
from scene.clash.search import Overlaps, OverlapSearch, find_overlaps
from scene.content import FileContent
from scene.edits import Change, Edit, EditError, apply, change_bookmarks, change_nodes, inverse
from scene.exporting import WriteError
from scene.files import load
from scene.gltf import read_gltf, write_glb
from scene.history import History, Selection
from scene.index import SpatialIndex
from scene.materials import DEFAULT_MATERIAL, Material
from scene.mesh_data import MeshBatch, MeshData
from scene.mesh_writers import write_ply, write_stl
from scene.meshes import Meshes
from scene.node import Node, Nodes
from scene.obj.reader import read_obj
from scene.obj.writer import write_obj
from scene.project.opening import open_project
from scene.project.recording import close_journal, record_edit, start_journal
from scene.project.saving import save_project
from scene.rays.hit import Hit, RayHits
from scene.report import LoadReport, Problem
from scene.scene import Scene
from scene.text_file import ReadError
from scene.textures import Texture

__all__ = [
    "DEFAULT_MATERIAL",
    "Bookmark",
    "Change",
    "Edit",
    "EditError",
    "FileContent",
    "History",
    "Hit",
    "LoadReport",
    "Material",
    "MeshBatch",
    "MeshData",
    "Meshes",
    "Node",
    "Nodes",
    "OverlapSearch",
    "Overlaps",
    "Problem",
    "RayHits",
    "ReadError",
    "SaveError",
    "Scene",
    "Selection",
    "SpatialIndex",
    "Texture",
    "WriteError",
    "apply",
    "change_bookmarks",
    "change_nodes",
    "close_journal",
    "find_overlaps",
    "inverse",
    "load",
    "open_project",
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
