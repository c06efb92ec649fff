"""Rulers: coordinates along the edges of orthographic views.

Imports viewer.app.contribution, viewer.commands, viewer.frame, viewer.ui, viewer.cli.

    decoration    Rulers: ticks and numbers at the lower and the right edge of pictures.
    feature       the switch in the View menu; marks where the mouse is.
    command_line  the option --rulers.
"""
