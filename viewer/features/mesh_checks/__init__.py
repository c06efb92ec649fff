"""Checking meshes: open edges, inverted faces, missing normals, each with a list to go through.

The check is part of the scene (scene/checks/), as scripts ask for it, too.
Imports viewer.app.contribution, viewer.commands, viewer.editing, viewer.frame, viewer.ui, viewer.cli.

    command_line  the options of `octoscope info --checks`.
    info          what it prints.
    decoration    FaultMarks: the edges or faces that are wrong.
    fault_list    FaultList: the faults that were found, one after the other.
    panel         MeshChecksPanel: a row for each fault.
    feature       Select > Faults, and what goes through the faults.
"""
