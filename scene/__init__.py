"""The scene: nodes, meshes, materials, world matrices, bounds, files and edits. No window, no OpenGL.

In import order: what stands lower imports what stands above it, never the other way.

    system/          the operating system: paths, atomic files, locks, memory; how problems are reported.
    geometry/        functions and kernels over arrays.
    mesh/            meshes, materials and textures as data.
    bvh/             triangle trees of meshes.
    nodes/           nodes as columns; world matrices and bounds.
    spatial/         which nodes a frustum or a ray meets.
    scene            Scene: a tree of nodes with local transforms, and the meshes they show.
    node             Node and Nodes: handles on rows of a scene; Hit, where a ray meets one.
    near_cursor      lines and points near the cursor.
    content          FileContent: what a reader made of a file.
    loaded_source    what a scene keeps of a file, to take in its changes.
    bookmarks        places to look at a scene from.
    measurement      Measurement: plain data of a distance or an angle.
    mesh_references  meshes that nodes show, or would show if their file were there.
    file_state       ProjectState: what a scene keeps of its project file.
    file_ids         what nodes, meshes and files are called in a project file.
    bake             meshes of nodes in world coordinates.
    selecting        select nodes by name, material, mesh, parent.
    snapshot         a copy of a scene for another thread.
    background       BackgroundChange: prepare a change on another thread, apply it if it still fits.
    city             a city of many objects, made in memory.
    measuring/       sizes, distances, snapping.
    overlap/         objects that reach into each other.
    drop/            how far objects can fall.
    editing/         edits as values, and what a user can do to objects.
    formats/         other programs' files.
    project/         our own file and its journal.
    history/         undo and redo.
    loading/         from paths to a scene, and again when files change.
"""

from scene.bookmarks import Bookmark
from scene.bvh.arrays import RayHits
from scene.content import FileContent
from scene.editing.edits import Change, Edit, EditError, apply, change_bookmarks, change_nodes, inverse
from scene.formats.export import WriteError
from scene.formats.gltf import read_gltf, write_glb
from scene.formats.obj.reader import read_obj
from scene.formats.obj.writer import write_obj
from scene.formats.ply_stl_writer import write_ply, write_stl
from scene.history.history import History, Selection
from scene.loading.load import load
from scene.mesh.data import MeshBatch, MeshData
from scene.mesh.material import DEFAULT_MATERIAL, Material
from scene.mesh.pool import Meshes
from scene.mesh.texture import Texture
from scene.node import Hit, Node, Nodes
from scene.overlap.search import Overlaps, OverlapSearch, find_overlaps
from scene.project.opening import open_project
from scene.project.recorder import Recorder
from scene.project.saving import save_project
from scene.scene import Scene
from scene.spatial.index import SpatialIndex
from scene.system.atomic_file import SaveError
from scene.system.report import LoadReport, Problem
from scene.system.text_file import ReadError

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
    "Recorder",
    "SaveError",
    "Scene",
    "Selection",
    "SpatialIndex",
    "Texture",
    "WriteError",
    "apply",
    "change_bookmarks",
    "change_nodes",
    "find_overlaps",
    "inverse",
    "load",
    "open_project",
    "read_gltf",
    "read_obj",
    "save_project",
    "write_glb",
    "write_obj",
    "write_ply",
    "write_stl",
]
