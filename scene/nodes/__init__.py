"""Nodes as columns, and the world matrices and bounds that follow from them.

Imports scene.mesh, scene.geometry.

    node_columns  NodeColumns: the columns of nodes, and what follows from them.
    node_table    NodeTable: these columns with the methods that add and set nodes.
    material_index  which of a scene's materials are equal to others, and which places others may take.
    attributes    attributes that are set whole; columns as read-only arrays.
    arguments     ids, flags and names that are given to a scene, checked.
    update        recompute world matrices and bounding spheres below what changed.
    layers        masks for shown, hidden and locked nodes.
    hierarchy     ancestors and descendants of nodes.
    bounds        exact world boxes of nodes with their descendants.
    placing       nodes are placed in the world by matrices.
    free_names    names that no node has yet: tower.001.
    name_search   names that contain a text or fit a pattern; names near to another.
    unused_meshes  which meshes nobody can show any more; their memory is freed.
    coloring      the materials that nodes show; nodes get a colour.
    printed_tree  a scene's tree as text.
"""

from octoscope.scene.nodes.free_names import free_name, free_names, names_of_copies

__all__ = ["free_name", "free_names", "names_of_copies"]
