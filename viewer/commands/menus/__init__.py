"""The commands of the core, one file a menu or a large submenu.

Imports viewer.commands and below.

    all_commands  those of all files together.
    file          File menu.
    edit          Edit menu.
    select        Select menu.
    objects       Object menu.
    mending       Object > Mesh: mends of meshes.
    aligning      the form of Object > Align > Align.
    arrays        the forms of array and radial array, along a path, on a surface.
    view          View menu: looks, shading, viewports.
    octree        Octree menu: the node of the active object, and what is left out of the picture.
    light         View > Light: the key light; shadows and ambient occlusion.
    camera        View > Camera: steps, the clipboard.
    units         View > Unit of length, with Convert and Decimals.
    tools         Tools menu: the gizmo.
    help          Help menu: the guide, the version.
"""
