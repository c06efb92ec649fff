"""The decorators for kernels: functions over plain arrays that are compiled to machine code.

A kernel is looked up when it is first called: in the library that was made ahead of time (library.py). If there is no
library, it is made now. What it does not hold numba compiles, or loads from its cache (compiler.py), and is imported
only then.

All kernels are compiled alike: on one thread, free of the interpreter lock. A numba parallel region costs milliseconds
to enter on a busy machine, more than any query here takes: one thread. No fastmath: comparisons must keep their meaning
for infinities and NaN. A division by zero gives one of these, as in numpy, and no ZeroDivisionError: a divisor may
underflow to zero, whatever was asked before.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, update_wrapper
from importlib.util import find_spec
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar, cast

from octoscope.octree.jit import library
from octoscope.octree.jit.compile_time import CompileTimer

if TYPE_CHECKING:
    from numba.core.dispatcher import Dispatcher

F = TypeVar("F", bound=Callable[..., Any])

# As numba itself reads it: every kernel stays the Python function that it was written as.
INTERPRETED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
_lock = RLock()  # of numba's import and of making dispatchers: background jobs call kernels, too
_not_registered: list[Callable[..., Any]] = []  # functions for kernels that numba has not seen
_compiler_module: Any = None  # octree.jit.compiler, once it is imported


def kernel(function: F) -> F:
    """Compile a function over plain arrays on its first call; a later process loads it.

    Every operation rounds as written: that is what lets no ray slip between two triangles.
    """
    return _compiled(function)


def fused_kernel(function: F) -> F:
    """Like `kernel`, for tests that leave room for rounding: a multiply and an add may become one instruction."""
    return _compiled(function, fastmath={"contract"})


def borrowing_kernel(function: F) -> F:
    """Like `kernel`, for functions that allocate no array: they count no references to the arrays that they are given.

    A count is an atomic operation, and numba may do several for each of a small function's calls: reading text a
    byte at a time takes a third of the time without. A function that does make an array is refused when compiled.
    """
    return _compiled(function, _nrt=False)


def largest_kernel(function: F) -> F:
    """Like `kernel`, for the maximum of many values that are not NaN: the order is free, so that SIMD can be used."""
    return _compiled(function, fastmath={"nnan", "nsz"})


def inlined(function: F) -> F:
    """Make a small function callable by kernels; it stays an ordinary one for numpy arrays, so both share a formula."""
    return _registered(function, "never")


def pasted(function: F) -> F:
    """Like `inlined`, but each call becomes a copy of the function, which hands no array over."""
    return _registered(function, "always")


def intrinsic(function: Callable[..., Any]) -> Any:
    """Make a kernel's function of one that generates LLVM instructions (numba.extending.intrinsic)."""
    return function if INTERPRETED else _Intrinsic(function)


class Kernel:
    """A function that is machine code once it is called, alone or by another kernel."""

    def __init__(self, function: Callable[..., Any], options: dict[str, object]) -> None:
        self.py_func = function  # the function as it was written
        self._options = options
        self._dispatcher: Dispatcher | None = None
        self._run: Callable[..., Any] = self._first_call
        update_wrapper(self, function)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Run the machine code."""
        return self._run(*arguments, **named)

    @property
    def dispatcher(self) -> Dispatcher:
        """The kernel as numba has it."""
        if self._dispatcher is None:
            with _lock:
                self._dispatcher = self._dispatcher or _compiler().dispatcher_of(self.py_func, self._options)
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """The type by which kernels that are being compiled know this one."""
        return cast(Any, self.dispatcher)._numba_type_

    def _first_call(self, *arguments: Any, **named: Any) -> Any:
        found = library.find(self.py_func, otherwise=self._call_numba)
        if found is None and _make_library():
            found = library.find(self.py_func, otherwise=self._call_numba)
        self._run = found or self._call_numba
        return self._run(*arguments, **named)

    def _call_numba(self, *arguments: Any, **named: Any) -> Any:
        """Call numba with arguments that the library has no machine code for.

        Raises:
            NoMachineCode: numba is not installed.
        """
        try:
            dispatcher = self.dispatcher
        except ModuleNotFoundError as error:
            if error.name != "numba":
                raise
            reason = "is not in the library of kernels for these arguments" if library.made() else "is not compiled"
            raise NoMachineCode(
                f"{library.key_of(self.py_func)} {reason}, and numba is missing: pip install 'octoscope[kernels]'"
            ) from None
        return dispatcher(*arguments, **named)


class _Intrinsic:
    """A function that generates instructions, and that numba sees when a kernel with a call of it is compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._type: object = None

    @property
    def _numba_type_(self) -> object:
        if self._type is None:
            self._type = _compiler().intrinsic_type(self._function)
        return self._type


def _compiled(function: F, **options: object) -> F:
    if INTERPRETED:
        return function
    # C code never calls a kernel through numba's wrapper for it: to leave it out is a twentieth of the compilation.
    options = {**options, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
    return cast(F, Kernel(function, options))


def _registered(function: F, inline: str) -> F:
    if not INTERPRETED:
        with _lock:
            function.__dict__["inline"] = inline
            _not_registered.append(function)
    return function


compile_timer = CompileTimer()


class NoMachineCode(RuntimeError):
    """A kernel that nothing on this machine can compile; the message is one line."""


@cache
def _make_library() -> bool:
    """Make the library, once, where there is none and it can be made; return whether there is one now."""
    with _lock:
        if library.made() or not library.IS_WANTED or find_spec("numba") is None:
            return False
        from octoscope.octree.jit import builder  # only here: it is seldom needed

        compile_timer.begin()
        try:
            builder.build(compile_timer.tell)
        except builder.NoLibrary as error:
            compile_timer.say(f"no library of kernels, so numba compiles each when it is first needed: {error}")
            return False
        finally:
            compile_timer.end()
        return True


def _compiler() -> Any:
    """Import numba, and tell it of functions that kernels call and that it has not seen yet."""
    global _compiler_module
    with _lock:
        if _compiler_module is None:
            from octoscope.octree.jit import compiler

            _compiler_module = compiler
            compiler.listen(compile_timer.begin, compile_timer.end)
        while _not_registered:
            _compiler_module.register(_not_registered.pop())
        return _compiler_module
