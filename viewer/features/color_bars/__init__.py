"""Colour bars: what the colours of numbers mean, beside the objects in pictures.

The colour scales themselves are a part of the scene (scene/mesh/color_scale.py), which projects keep.

Imports viewer.features.contribution, viewer.commands, viewer.frame.

    bars        a colour scale as a small picture with ticks and numbers.
    decoration  ColorBars: which scales are shown, and where.
    feature     the switch in the View menu.
"""
