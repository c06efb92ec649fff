"""The camera panel: position, target and lens of the active viewport's camera as numbers.

Imports viewer.app.contribution, viewer.commands, viewer.editing, viewer.camera.

    feature  CameraPanel.
"""
