"""Scale bar: a bar of a round length in orthographic views, as on maps.

Imports viewer.app.contribution, viewer.frame, viewer.cli.

    decoration    ScaleBar: the bar in the lower right corner of pictures.
    feature       the switch in the View menu.
    command_line  the option --scale-bar.
"""
