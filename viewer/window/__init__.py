"""The platform: a window, its clipboard, keys and pointer. Knows nothing of Octoscope.

Imports nothing of Octoscope.

    window       open a window, and what only its library can do.
    x11          clipboard, dropped files and event times on X11.
    keys         keys and chords as users write them: Ctrl+Shift+Z.
    event_queue  EventQueue: window events in the order in which they came.
    place        size and place of a window on the screens.
"""
