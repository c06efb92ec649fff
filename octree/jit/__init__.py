"""Compilation of kernels by numba, for the whole project.

Imports numba.

    kernels  the decorators (kernel, inlined ...); how machine code is kept on disk.
    sources  a stamp of the source files that a kernel is made of; if it differs, the kernel is compiled again.
"""

from octree.jit.kernels import borrowing_kernel, fused_kernel, inlined, kernel, largest_kernel

__all__ = ["borrowing_kernel", "fused_kernel", "inlined", "kernel", "largest_kernel"]
