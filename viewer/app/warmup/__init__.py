"""Compile kernels before the first window needs them.

Imports everything but viewer.cli.

    preparing           run the compilation in a process, with progress.
    compiling           use everything once, so that it is compiled.
    compiling_progress  how many kernels are compiled.
"""
