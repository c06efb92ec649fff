"""Everything a user can run, in one table; one file a menu.

Imports viewer.tools, viewer.document, viewer.editing and below.

    table    Command and CommandTable.
    forms    fields that a command asks for.
    file     File menu.
    edit     Edit and Object menus.
    select   Select menu.
    view     View menu.
    camera   View menu: sides, viewports, bookmarks.
    mesh     Add menu, and changing meshes.
    arrays   arrays and rings.
    gizmo    gizmo modes, spaces, pivots, snapping.
    measure  measuring.
    search   find commands by typed words.
    relink   Relink: find missing files.
"""
