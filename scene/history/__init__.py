"""Undo and redo, recorded in the journal.

Imports scene.project, scene.editing and below.

    history          History: entries, undo, redo, memory cap.
    selection        Selection: the selected nodes.
    transaction      Transaction: an edit of several steps, such as a drag, that becomes one entry.
    recording        Recording: an edit of whatever is set on a scene, by assignments too, as one entry.
    background_edit  BackgroundEdit: prepare an edit of many nodes on another thread.
"""
