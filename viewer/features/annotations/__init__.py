"""Measurements and labels: the panel that lists both, labels at points of objects, and both as CSV.

They are values of the scene (`scene/annotations/`): files and projects keep them.
Imports viewer.app.contribution, viewer.commands, viewer.document, viewer.tools, viewer.ui, and the front of `web`.

    annotation_list  AnnotationList: go to, rename, show, hide, remove, each with undo; the table.
    label_picture    the picture of a label's text, and where its links are.
    decoration       Labels: those of the scene in the pictures of a view, with or without a window.
    tool             LabelTool: clicks begin labels, and open links.
    label_field      LabelField: takes the text.
    panel            AnnotationsPanel.
    browser          labels in browsers.
    feature          what the feature adds to a window, and its commands.
"""
