"""The inspector: properties of the selection, one file for each foldout.

Imports what viewer.ui.panels may.

    panel      Inspector: the name field, and the order of the foldouts.
    transform  location, rotation, scale.
    material   colour, opacity, metal, roughness, and what few materials have.
    texture    textures.
    mesh       sizes and origin of meshes.
    properties  what files state of objects.
    scene      what is in the scene, while nothing is selected.
    rows       headings, labels and values.
    held_edit  HeldEdit: one drag of a field is one entry of the history.
"""

from octoscope.viewer.ui.panels.inspector.panel import Inspector

__all__ = ["Inspector"]
