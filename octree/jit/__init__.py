"""Compilation of kernels by numba, for the whole project.

Imports numba.

    kernels  the decorators: kernel, fused_kernel, borrowing_kernel, largest_kernel, inlined.
    sources  a stamp of the source files that a kernel is made of: machine code of other files is not used.
"""

from octree.jit.kernels import borrowing_kernel, fused_kernel, inlined, kernel, largest_kernel

__all__ = ["borrowing_kernel", "fused_kernel", "inlined", "kernel", "largest_kernel"]
