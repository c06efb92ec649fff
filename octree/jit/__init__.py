"""Compilation of kernels, for the whole project: ahead of time into one library, or by numba when first called.

Imports numba, when a kernel has to be compiled.

    kernels     the decorators (kernel, inlined ...), and Kernel, what they make of a function.
    library     the library of kernels that were compiled ahead of time: its path, loading, looking up.
    builder     make that library: C code around numba's machine code.
    compiler    everything that uses numba: compiling, its cache on disk.
    compile_time  how long compiling took, and a line about it.
    sources     a stamp of the source files that a kernel is made of; if it differs, the kernel is compiled again.
"""

from octoscope.octree.jit.kernels import (
    Kernel,
    borrowing_kernel,
    compile_timer,
    fused_kernel,
    inlined,
    intrinsic,
    kernel,
    kernels_of,
    largest_kernel,
    listening,
    numba_alone,
    pasted,
)

__all__ = [
    "Kernel",
    "borrowing_kernel",
    "compile_timer",
    "fused_kernel",
    "inlined",
    "intrinsic",
    "kernel",
    "kernels_of",
    "largest_kernel",
    "listening",
    "numba_alone",
    "pasted",
]
