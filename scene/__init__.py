"""The scene: nodes, meshes, materials, world matrices, bounds, files and edits. No window, no OpenGL.

In import order: what stands lower imports what stands above it, never the other way.

    system/          the operating system: paths, atomic files, locks, memory; how problems are reported.
    geometry/        functions and kernels over arrays.
    mesh/            meshes, materials and textures as data.
    bvh/             triangle trees of meshes.
    nodes/           nodes as columns; world matrices and bounds.
    spatial/         which nodes a frustum or a ray meets.
    conventions/     what coordinates mean: which axis points up, and how long a unit is.
    annotations/     bookmarks, measurements and labels as data.
    scene            Scene: a tree of nodes with local transforms, and the meshes they show.
    queries          SceneQueries: how nodes are found, by name and id, at a place, in sight, on a ray; as text.
    shapes           SceneShapes: the meshes of objects get other vertices.
    colors           SceneColors: the colours of objects, and numbers that are shown as colours.
    public_names     public names of scenes and nodes; advice for others that people guess.
    node             Node and Nodes: handles on rows of a scene; Hit, where a ray meets one.
    content          FileContent: what a reader made of a file.
    loaded_source    what a scene keeps of a file, to take in its changes.
    mesh_references  meshes that nodes show, or would show if their file were there.
    file_state       ProjectState: what a scene keeps of its project file.
    file_ids         what nodes, meshes and files are called in a project file.
    bake             meshes of nodes in world coordinates.
    material_use     which nodes show which materials.
    selecting        select nodes by name, material, mesh, parent.
    offers           what others make of a scene: a picture in the cell of a notebook, a page of one file.
    background       BackgroundChange: prepare a change on another thread, apply it if it still fits.
    city             a city of many objects, made in memory.
    merging/         many objects as one geometry, and its simplification.
    measuring/       sizes, distances, snapping.
    overlap/         objects that reach into each other.
    checks/          faults of meshes.
    mending/         mends of meshes.
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

from octoscope.on_demand import on_demand

__getattr__, __dir__ = on_demand(__name__, __file__)
__all__ = __dir__()
