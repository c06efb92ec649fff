"""Measuring distances, angles, circles and faces by clicks, with their figures.

Measurements themselves are a part of the scene (scene/annotations/measurement.py).
Imports viewer.app.contribution, viewer.commands, viewer.tools, viewer.ui, and the front of `web`.

    decoration  Measurements: those of the scene in the pictures of a view, with or without a window.
    picked    what a click means: a point that it snaps to, a circular edge, or a face.
    tool      MeasureTool: clicks become measurements.
    name_field    NameField: where the name of a measurement is typed.
    browser   measuring in browsers.
    feature   what the feature adds to a window, and its commands.
"""
