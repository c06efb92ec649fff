"""The platform: a window, its clipboard, keys and pointer.

Imports nothing of Octoscope.

    window         Window: opens by moderngl-window, tells who listens what comes; cursor, clipboard, full screen.
    x11_clipboard  X11Clipboard: pastes from a program that may not answer.
    wayland_seat   asks a Wayland compositor whether there is a keyboard and a mouse.
    keys           keys and chords as users write them (Ctrl+Shift+Z), and binding them to commands.
    drags          what a drag with each button of the mouse does, by preset.
    event_queue    EventQueue: window events in the order in which they came.
    opengl_request  the OpenGL that contexts are asked for, and what users want done without.
    desktop_theme  the theme that the desktop asks programs for.
    place          size and position of a window on the screens.
"""
