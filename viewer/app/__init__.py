"""The running program: puts the parts together, loops, routes events; the API for scripts.

Imports everything but viewer.cli.

    contribution       Contribution: everything that a feature adds to a window; the kinds of parts of windows.
    app                App: the window, its main loop, and the stages of a frame; a long one postpones the last of them.
    opening            OpeningWindow: the first frame, before what takes long is imported.
    picture            Picture: what a window shows of its scene: drawn in the quality that keeps up, then refined.
    card_memory        CardMemory: the measured times of cards, kept by renderer and driver.
    session            Session: one document with its tools, panels and commands, without window and OpenGL.
    input              Input: window events become intents; clicks, double clicks, fly keys, mouse buttons.
    tool_router        gives each intent to the tool or command that it is for.
    source_integrator  SourceIntegrator: adds files that were read to the scene, and reports their problems.
    preferences        Preferences: the settings of view and gizmo that are kept between runs.
    embedding          Embedded: a scene in another program's picture.
    open_window        ShownScene, OpenWindow: what scripts and the console do with a browser's page, and a window.
    scripting          show and Window: the window from Python.
    prompt             join_loop: windows live while IPython or asyncio waits.
"""
