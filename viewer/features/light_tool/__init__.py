"""Turning the key light by drags over the picture.

Imports viewer.features.contribution, viewer.commands, viewer.tools, viewer.frame.

    tool      LightTool: drags turn the light while it is on.
    feature   the switch in View > Light.
"""
