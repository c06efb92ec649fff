"""Finding objects that reach into each other.

The search is part of the scene (scene/overlap/), as scripts ask for it, too.
Imports viewer.app.contribution, viewer.commands, viewer.editing, viewer.frame, viewer.ui, viewer.cli.

    command_line  the options of `octoscope info --overlaps`.
    info     what it prints.
    decoration    OverlapMark: a box around where a pair overlaps.
    overlap_list  OverlapList: the pairs that were found, one after the other.
    panel    OverlapsPanel: a row for each pair.
    feature  Select > Overlaps, and what goes through the pairs.
"""
