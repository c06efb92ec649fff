"""Compile kernels before the first window needs them.

Imports everything but viewer.cli.

    preparing           run the compilation in another process, with a progress window.
    compiling           run every kernel once, so that it is compiled; note that it was done.
    compiler_process    run it as another process, and say how far it is.
    compiling_progress  report progress and time of compilation.
"""
