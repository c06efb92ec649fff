"""The world's axes in the corner of each viewport: a click looks along one, a drag orbits.

Imports viewer.app.contribution, viewer.commands, viewer.tools, viewer.camera, viewer.settings.

    tool      AxisWidget: where the axes are, and what the pointer does to them.
    feature   draw_axes: their drawing; the switch in the View menu.
"""
