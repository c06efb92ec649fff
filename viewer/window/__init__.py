"""The platform: a window, its clipboard, keys and pointer.

Imports nothing of Octoscope.

    window       opening a window; cursor, clipboard, full screen, waiting for events.
    x11          clipboard, dropped files and event times on X11.
    keys         keys and chords as users write them (Ctrl+Shift+Z), and binding them to commands.
    event_queue  EventQueue: window events in the order in which they came.
    place        size and position of a window on the screens.
"""
