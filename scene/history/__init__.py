"""Undo and redo, recorded in the journal.

Imports scene.project, scene.editing and below.

    history          History: entries, undo, redo, selection.
    gesture          Gesture: a drag that becomes one entry.
    background_edit  prepare an edit of many nodes on another thread.
"""
