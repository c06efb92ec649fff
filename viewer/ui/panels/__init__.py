"""Docked panels. inspector/ is one of them.

Imports viewer.ui.widgets, viewer.ui.imgui and the viewer below ui.

    outliner       Outliner: the tree of nodes; select, rename, filter, drag rows onto others.
    outliner_rows  OutlinerRows: which nodes have a row: opened nodes, the filter.
    findings_panel FindingsPanel: a row for each finding of a search; features derive theirs. show_marks: their marks.
    messages       problems of files, and the log.
"""
