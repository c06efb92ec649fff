"""Operations: what a person can do to the objects of a scene, each as an Edit that is yet to be applied.

All take ids of nodes that are there, each counted once, and what hangs below those as it is: a node whose parent is
chosen too is moved by its parent alone. They raise EditError, one line for a person, for what cannot be done.
"""

from scene.editing.arranging import align, array, distribute, radial_array
from scene.editing.dropping import drop, drop_to_ground
from scene.editing.geometry import (
    apply_transform,
    center_pivot,
    merge,
    replace_mesh,
    replace_mesh_by_file,
    share_mesh,
)
from scene.editing.relinking import relink
from scene.editing.separating import separate
from scene.editing.structure import (
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
from scene.editing.transforms import Transformation, move_up, reparent, set_world, transform, world_transforms

__all__ = [
    "CopyCost",
    "Transformation",
    "add_mesh",
    "add_primitive",
    "align",
    "apply_transform",
    "array",
    "center_pivot",
    "cost_of_copies",
    "delete",
    "distribute",
    "drop",
    "drop_to_ground",
    "duplicate",
    "group",
    "import_content",
    "merge",
    "move_up",
    "radial_array",
    "relink",
    "reparent",
    "replace_mesh",
    "replace_mesh_by_file",
    "require_room",
    "separate",
    "set_world",
    "share_mesh",
    "transform",
    "ungroup",
    "world_transforms",
]
