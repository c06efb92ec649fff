"""The running program: puts the parts together, loops, routes events; the API for scripts. warmup/ compiles kernels.

Imports everything but viewer.cli.

    app                App: a window that shows one document after the other; the stages of a frame.
    session            Session: one document with tools, panels and commands, without window and OpenGL.
    tool_router        send what the user does to the tool that is for it.
    input              window events become intents.
    frame_budget       share long work out over frames.
    source_integrator  files that were read join the scene.
    preferences        settings of view and gizmo that are kept between runs.
    scripting          show and Window: the window from Python.
"""
