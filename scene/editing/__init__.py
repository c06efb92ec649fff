"""Edits as values, and what a user can do to objects: each operation makes an Edit to apply.

Imports scene.drop, scene.mending, scene.measuring and below.

    edits         Edit: values before and after; apply, inverse; EditError.
    mending       flip, weld, fill: mends of meshes.
    material_list  the materials of a scene; giving them to objects, and changing those that these show.
    arranging     align, space, arrays, rings.
    chosen        the nodes that an operation works on.
    ordering      the order of nodes that have one parent.
    scattering    copies along a path and on a surface.
    dropping      drop to the ground or onto what lies below.
    geometry      bake, centre, merge: operations that make new meshes.
    local_transforms  new local transforms from world matrices.
    separating    make an object of each connected part of a mesh.
    structure     add, duplicate, delete, group.
    units         convert everything to another unit of length.
    transforms    move, rotate, scale; set the parent with or without moving.
"""

import sys
from typing import TYPE_CHECKING

from octoscope.guesses import missing
from octoscope.scene import public_names
from octoscope.scene.editing.arranging import align, array, distribute, lay_out, radial_array
from octoscope.scene.editing.dropping import drop, drop_to_ground
from octoscope.scene.editing.edits import change_nodes
from octoscope.scene.editing.geometry import (
    apply_transform,
    center_pivot,
    merge,
    replace_mesh,
    replace_mesh_by_file,
    set_origin,
    set_vertices,
    share_mesh,
    smooth_by_angle,
)
from octoscope.scene.editing.mending import decimate, face_outward, fill_holes, flip_faces, remove_bad_faces, weld
from octoscope.scene.editing.ordering import place_beside, reorder
from octoscope.scene.editing.scattering import array_along, scatter
from octoscope.scene.editing.separating import separate
from octoscope.scene.editing.structure import (
    CopyCost,
    add_mesh,
    add_primitive,
    cost_of_copies,
    delete,
    duplicate,
    group,
    import_content,
    require_room,
    ungroup,
)
from octoscope.scene.editing.transforms import Transformation, move_up, reparent, set_world, transform, world_transforms
from octoscope.scene.editing.units import convert_unit

__all__ = [
    "CopyCost",
    "Transformation",
    "add_mesh",
    "add_primitive",
    "align",
    "apply_transform",
    "array",
    "array_along",
    "center_pivot",
    "change_nodes",
    "convert_unit",
    "cost_of_copies",
    "decimate",
    "delete",
    "distribute",
    "drop",
    "drop_to_ground",
    "duplicate",
    "face_outward",
    "fill_holes",
    "flip_faces",
    "group",
    "import_content",
    "lay_out",
    "merge",
    "move_up",
    "place_beside",
    "radial_array",
    "remove_bad_faces",
    "reorder",
    "reparent",
    "replace_mesh",
    "replace_mesh_by_file",
    "require_room",
    "scatter",
    "separate",
    "set_origin",
    "set_vertices",
    "set_world",
    "share_mesh",
    "smooth_by_angle",
    "transform",
    "ungroup",
    "weld",
    "world_transforms",
]


if not TYPE_CHECKING:  # to which any name would be one

    def __getattr__(name: str) -> object:
        if name in public_names.EDITING_GUESSES:
            raise missing(f"module {__name__!r}", name, public_names.EDITING_GUESSES[name])
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=sys.modules[__name__])


def __dir__() -> list[str]:
    return __all__
