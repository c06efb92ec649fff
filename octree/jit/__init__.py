"""Compilation of kernels, for the whole project: ahead of time into one library, or by numba when first called.

Imports numba, which need not be there, when a kernel has to be compiled.

    kernels     the decorators (kernel, inlined ...), and Kernel, what they make of a function.
    library     the library of kernels that were compiled ahead of time: its path, loading, looking up.
    kernel_types  which kernels are compiled ahead of time, and for which types.
    builder     make that library: run workers, link what they compile.
    worker      a process that compiles a share of the kernels, with C code around numba's machine code.
    compiler    everything that uses numba: compiling, its cache on disk.
    probe       a kernel by which a new library is tried.
    compile_time  how long compiling took, and what the user is told meanwhile.
    sources     a stamp of the source files that a kernel is made of; if it differs, the kernel is compiled again.
"""

from octoscope.octree.jit.kernels import (
    Kernel,
    NoMachineCode,
    borrowing_kernel,
    compile_timer,
    fused_kernel,
    inlined,
    intrinsic,
    kernel,
    largest_kernel,
    pasted,
)

__all__ = [
    "Kernel",
    "NoMachineCode",
    "borrowing_kernel",
    "compile_timer",
    "fused_kernel",
    "inlined",
    "intrinsic",
    "kernel",
    "largest_kernel",
    "pasted",
]
