"""Scale bar: a bar of a round length in orthographic views, as on maps.

Imports viewer.app.contribution, viewer.commands, viewer.frame, viewer.settings, viewer.cli.

    decoration    ScaleBar: the bar in the lower right corner of pictures.
    feature       the switch in the View menu.
    command_line  the option --scale-bar.
"""
