"""Selecting objects that reach into each other.

The search is part of the scene (scene/overlap/), as scripts ask for it, too.
Imports viewer.app.contribution, viewer.commands, viewer.editing, viewer.cli.

    command_line  the options of `octoscope info --overlaps`.
    info     what it prints.
    feature  Select > Select overlapping.
"""
