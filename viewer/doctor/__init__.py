"""Compare pictures of this machine with reference pictures and time frames, for `octoscope doctor --full`.

Imports viewer.window, viewer.camera, viewer.frame and viewer.rendering.

    reference_scenes  small scenes, each of which shows one thing that the renderer does.
    comparison        pictures beside those that they should be, of Mesa's software renderer.
    examination       draws them and times frames, in a process of its own, which a driver may end.
    findings          runs that process, and finds the switch that helps.
    report            all that was found, as one file.
"""
