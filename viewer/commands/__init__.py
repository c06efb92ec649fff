"""Everything a user can run, in one table; one file a menu.

A command is a function with a decorator, in the file of its menu; menus, keys, palette and key sheet follow from it.
Imports viewer.tools, viewer.document, viewer.editing, viewer.settings and below.

    table    Command, Declarations (the decorator) and CommandTable.
    context  Context: what commands act on.
    forms    the fields that a command asks for, and their limits.
    file     File menu.
    edit     Edit menu.
    select   Select menu.
    objects  Object menu.
    mending  Object > Mesh: mends of meshes.
    arrays   the forms of array and radial array.
    view     View menu: looks, shading, viewports.
    octree   Octree menu: the node of the active object, and what is left out of the picture.
    switches commands that switch an attribute of the view.
    light    View > Light: the key light; shadows and ambient occlusion.
    camera   View > Camera: steps, the clipboard.
    units    View > Unit of length, Convert unit, Decimals.
    tools    Tools menu: the gizmo.
    help     Help menu: the guide, the version.
    findings what goes through the findings of a search.
    menus    all of these files together.
    search   order of the commands that the palette finds for typed text.
"""
