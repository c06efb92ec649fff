"""An OpenGL context: how one is made without a window, and what every pass needs of it.

Imports nothing of the viewer.

    offscreen       an OpenGL context without a window, and its thread.
    driver_loading  the graphics driver, loaded while the program is still being imported.
    opengl          small helpers over moderngl, and functions of OpenGL that it lacks.
    shader_library  programs from shaders/.
    quads           Quads: shaders that are drawn all over a framebuffer.
    blits           Blits: copies of framebuffers.
    reversed_depth  ReversedDepth: depth in floats, 1 at the near plane and 0 at the far one.
    card_errors     DrawError; CardErrors: no memory left on the card, and drivers that were reset.
    driver_messages print_messages: what drivers say about calls, on standard error.
    host_context    HostContext: an OpenGL context that another program owns.
    host_state      HostState: the state of such a context, put aside.
    gpu_timer       GpuTimer: the time that the card takes.
"""
