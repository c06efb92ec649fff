"""Turning the key light by drags over the picture.

Imports viewer.app.contribution, viewer.commands, viewer.tools, viewer.frame.

    feature   LightTool: drags turn the light while it is on; the switch in View > Light.
"""
