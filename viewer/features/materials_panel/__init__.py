"""The panel of all materials of a scene, each on a sphere, and the commands that make, give, rename and remove them.

Their values are edited in the inspector. What is a list of materials, and an unused one, is said by
scene/editing/material_list.py.
Imports viewer.app.contribution, viewer.commands, viewer.camera, viewer.document, viewer.editing, viewer.frame,
viewer.rendering, viewer.settings, viewer.tools, viewer.ui, and the front of `web`.

    spheres        pictures of materials, drawn off-screen, many at once.
    material_list  MaterialList: the operations, each with undo.
    panel          MaterialsPanel.
    browser        BrowserMaterials: the material of the selection in browsers.
    feature        what the feature adds to a window, and its commands.
"""
