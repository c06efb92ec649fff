"""Colour bars: what the colours of numbers mean, beside the objects in pictures.

The colour scales themselves are a part of the scene (scene/mesh/color_scale.py), which projects keep.

Imports viewer.app.contribution, viewer.frame.

    decoration  ColorBars: which scales are shown, and where; small pictures with ticks and numbers.
    feature     the switch in the View menu.
"""
