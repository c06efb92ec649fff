"""Turning the key light by drags over the picture.

Imports viewer.features.contribution, viewer.commands, viewer.tools, viewer.frame.

    tool      LightTool: drags turn the light while it is on.
    commands  the switch in View > Light.
    feature   what the feature adds to a window.
"""
