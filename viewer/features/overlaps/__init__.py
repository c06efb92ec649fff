"""Selecting objects that reach into each other.

The search is part of the scene (scene/overlap/), as scripts and `octoscope info --overlaps` ask for it, too.
Imports viewer.features.contribution, viewer.commands, viewer.editing.

    commands  Select > Select overlapping.
    feature   what the feature adds to a window.
"""
