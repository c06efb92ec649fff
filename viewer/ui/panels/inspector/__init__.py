"""The inspector: what is selected, a section a file.

Imports what viewer.ui.panels may.

    panel      the panel and its sections.
    transform  position, rotation, scale.
    material   colour, opacity, metal, roughness.
    texture    textures.
    mesh       facts of meshes.
    cell       the octree cell of an object.
    rows       headings, labels and facts.
    held_edit  one drag of a field is one entry of the history.
"""

from viewer.ui.panels.inspector.panel import Inspector

__all__ = ["Inspector"]
