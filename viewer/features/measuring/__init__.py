"""Measuring distances and angles by clicks on points, with their figures.

Measurements themselves are a part of the scene (scene/measurement.py).
Imports viewer.app.contribution, viewer.commands, viewer.tools, viewer.ui, and the front of `web`.

    decoration  Measurements: those of the scene in the pictures of a view, with or without a window.
    tool      MeasureTool: clicks become measurements; reach of snapping.
    browser   measuring in browsers.
    feature   what the feature adds to a window, and its commands.
"""
