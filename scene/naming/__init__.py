"""Names for new nodes that no other has: a number behind a point where a name is taken, as Blender counts."""

from scene.naming.free_names import free_name, names_of_copies

__all__ = ["free_name", "names_of_copies"]
