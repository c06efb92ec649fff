"""The scene: nodes, meshes, materials, world matrices, bounds, files and edits. No window, no OpenGL.

In import order: what stands lower imports what stands above it, never the other way.

    system/          the operating system: paths, atomic files, locks, memory; how problems are reported.
    geometry/        functions and kernels over arrays.
    mesh/            meshes, materials and textures as data.
    bvh/             triangle trees of meshes.
    nodes/           nodes as columns; world matrices and bounds.
    spatial/         which nodes a frustum or a ray meets.
    on_demand        the public names of a package, imported when they are first asked for.
    scene            Scene: a tree of nodes with local transforms, and the meshes they show.
    node             Node and Nodes: handles on rows of a scene; Hit, where a ray meets one.
    near_cursor      lines and points near the cursor.
    cursor_kernels   the kernels of near_cursor.
    up_axis          the axis that points up: Y or Z.
    upright          the turn from one up axis to the other.
    content          FileContent: what a reader made of a file.
    loaded_source    what a scene keeps of a file, to take in its changes.
    bookmarks        places to look at a scene from.
    measurement      Measurement: plain data of a distance or an angle.
    mesh_references  meshes that nodes show, or would show if their file were there.
    file_state       ProjectState: what a scene keeps of its project file.
    file_ids         what nodes, meshes and files are called in a project file.
    bake             meshes of nodes in world coordinates.
    selecting        select nodes by name, material, mesh, parent.
    notebook_picture a picture of a scene alone in a cell of a notebook, drawn by whoever offers to.
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
    tiling/          files of any size become 3D Tiles.
    streaming/       tilesets that do not fit in memory, as far as a picture needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scene.on_demand import on_demand

if TYPE_CHECKING:  # the same names, for type checkers
    from scene.bookmarks import Bookmark as Bookmark
    from scene.bvh.arrays import RayHits as RayHits
    from scene.content import FileContent as FileContent
    from scene.editing.edits import Change as Change
    from scene.editing.edits import Edit as Edit
    from scene.editing.edits import EditError as EditError
    from scene.editing.edits import apply as apply
    from scene.editing.edits import change_bookmarks as change_bookmarks
    from scene.editing.edits import change_nodes as change_nodes
    from scene.editing.edits import change_up_axis as change_up_axis
    from scene.editing.edits import inverse as inverse
    from scene.formats.export import WriteError as WriteError
    from scene.formats.gltf.reader import read_gltf as read_gltf
    from scene.formats.gltf.writer import write_glb as write_glb
    from scene.formats.obj.reader import read_obj as read_obj
    from scene.formats.obj.writer import write_obj as write_obj
    from scene.formats.ply_stl_writer import write_ply as write_ply
    from scene.formats.ply_stl_writer import write_stl as write_stl
    from scene.history.history import History as History
    from scene.history.selection import Selection as Selection
    from scene.loading.load import load as load
    from scene.mesh.data import MeshBatch as MeshBatch
    from scene.mesh.data import MeshData as MeshData
    from scene.mesh.material import DEFAULT_MATERIAL as DEFAULT_MATERIAL
    from scene.mesh.material import Material as Material
    from scene.mesh.pool import Meshes as Meshes
    from scene.mesh.texture import Texture as Texture
    from scene.node import Hit as Hit
    from scene.node import Node as Node
    from scene.node import Nodes as Nodes
    from scene.overlap.search import Overlaps as Overlaps
    from scene.overlap.search import OverlapSearch as OverlapSearch
    from scene.overlap.search import find_overlaps as find_overlaps
    from scene.project.opening import open_project as open_project
    from scene.project.recorder import Recorder as Recorder
    from scene.project.saving import save_project as save_project
    from scene.scene import Scene as Scene
    from scene.spatial.index import SpatialIndex as SpatialIndex
    from scene.system.atomic_file import SaveError as SaveError
    from scene.system.report import LoadReport as LoadReport
    from scene.system.report import Problem as Problem
    from scene.system.text_file import ReadError as ReadError

__getattr__, __dir__ = on_demand(
    __name__,
    {
        "DEFAULT_MATERIAL": "scene.mesh.material",
        "Bookmark": "scene.bookmarks",
        "Change": "scene.editing.edits",
        "Edit": "scene.editing.edits",
        "EditError": "scene.editing.edits",
        "FileContent": "scene.content",
        "History": "scene.history.history",
        "Hit": "scene.node",
        "LoadReport": "scene.system.report",
        "Material": "scene.mesh.material",
        "MeshBatch": "scene.mesh.data",
        "MeshData": "scene.mesh.data",
        "Meshes": "scene.mesh.pool",
        "Node": "scene.node",
        "Nodes": "scene.node",
        "OverlapSearch": "scene.overlap.search",
        "Overlaps": "scene.overlap.search",
        "Problem": "scene.system.report",
        "RayHits": "scene.bvh.arrays",
        "ReadError": "scene.system.text_file",
        "Recorder": "scene.project.recorder",
        "SaveError": "scene.system.atomic_file",
        "Scene": "scene.scene",
        "Selection": "scene.history.selection",
        "SpatialIndex": "scene.spatial.index",
        "Texture": "scene.mesh.texture",
        "WriteError": "scene.formats.export",
        "apply": "scene.editing.edits",
        "change_bookmarks": "scene.editing.edits",
        "change_nodes": "scene.editing.edits",
        "change_up_axis": "scene.editing.edits",
        "find_overlaps": "scene.overlap.search",
        "inverse": "scene.editing.edits",
        "load": "scene.loading.load",
        "open_project": "scene.project.opening",
        "read_gltf": "scene.formats.gltf.reader",
        "read_obj": "scene.formats.obj.reader",
        "save_project": "scene.project.saving",
        "write_glb": "scene.formats.gltf.writer",
        "write_obj": "scene.formats.obj.writer",
        "write_ply": "scene.formats.ply_stl_writer",
        "write_stl": "scene.formats.ply_stl_writer",
    },
)
__all__ = __dir__()
