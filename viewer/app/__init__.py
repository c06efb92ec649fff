"""The running program: puts the parts together, loops, routes events; the API for scripts. warmup/ compiles kernels.

Imports everything but viewer.cli.

    app                App: a window on a document; the stages of a frame.
    interface          put panels and commands together.
    tool_router        send what the user does to the tool that is for it.
    input              window events become intents.
    frame_budget       share long work out over frames.
    source_integrator  files that were read join the scene.
    waiting            what the user waits for.
    preferences        settings of view and gizmo that are kept between runs.
    scripting          show and Window: the window from Python.
    idle_wait          how long a window may sleep until the next event.
"""
