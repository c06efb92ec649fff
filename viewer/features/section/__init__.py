"""The section in a window: planes that cut a part of the picture away, with handles and a panel.

A section itself is a part of a view (viewer/frame/section.py), as pictures without a window have one, too.
Imports viewer.app.contribution, viewer.commands, viewer.tools, viewer.ui, and the front of `web` and below.

    tool      SectionTool: adds, changes and removes planes; handles that drag the active one.
    panel     SectionPanel: the planes as numbers.
    feature   what the feature adds to a window, and its commands.
    browser   BrowserSection: a slider and the cut faces in browsers.
"""
