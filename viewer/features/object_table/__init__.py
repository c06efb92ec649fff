"""The table of all objects: what each is, sorted, filtered, selected, renamed, written as CSV.

Imports viewer.app.contribution, viewer.commands, viewer.editing, viewer.ui.

    columns  Columns: what the table says of objects, as numpy arrays.
    rows     TableRows: which objects have rows, in which order; how their numbers are spread.
    panel    ObjectTable: the panel.
    feature  what the feature adds to a window.
"""
