"""Widgets that panels are made of.

Imports viewer.ui.imgui, viewer.frame.

    fields         NumberFields: drag or type numbers of one or many objects.
    panel          Panel: the protocol of what the shell docks.
    row_scroll     RowScroll: brings a row of a list in sight by a short motion.
    focus_request  FocusRequest: bring the keyboard to a text field that is about to appear.
    rename_field   RenameField: a text field in a row of a list, or over the picture.
    thumbnail_grid  a grid of pictures with names.
"""
