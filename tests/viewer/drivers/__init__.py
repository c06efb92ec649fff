"""The same pictures and a window through every OpenGL that this machine can be made to have: `make test-drivers`.

What takes seconds runs with all other tests; what takes minutes has the mark `drivers`. docs/drivers.md says what was
found.

    drivers        Driver: an OpenGL, as variables of the environment choose it; all of them.
    draw           draws pictures in a process of its own, which a driver is chosen for.
    test_pictures  each driver's pictures beside those of llvmpipe; each program by Khronos' compiler.
    test_angle     each program by the translator of Chromium.
    test_windows   each driver's window: its first picture, and a click.
"""
