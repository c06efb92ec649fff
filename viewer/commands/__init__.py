"""Everything a user can run, in one table.

A command is a function with a decorator, in the file of its menu (menus/); menus, keys, palette and key sheet follow
from it. Imports viewer.tools, viewer.document, viewer.editing, viewer.settings and below.

    table    Command, Declarations (the decorator) and CommandTable.
    context  Context: what commands act on.
    forms    the fields that a command asks for, and their limits.
    edit_preview  EditPreview: what a form would make is seen while it is filled in.
    switches commands that switch an attribute of the view.
    findings what goes through the findings of a search.
    search   order of the commands that the palette finds for typed text.
"""
