"""The history panel: all edits that can be undone or redone; a click goes to one.

Imports viewer.app.contribution, viewer.commands, viewer.editing.

    feature  HistoryPanel.
"""
