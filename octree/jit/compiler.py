"""Compile kernels with numba, and keep them on disk until their sources change.

The only module that uses what numba does not document: of its cache, of its types for functions, and of the code that
it makes. Each use is guarded: with another numba a start is slower, no answer is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import llvmlite.binding
import numba
from numba.core import event, types
from numba.core.registry import cpu_target

from octoscope.octree.jit.sources import stamp_of


def dispatcher_of(function: Callable[..., Any], options: dict[str, object]) -> Any:
    """Return the function as numba has it, compiled on its first call or loaded from numba's cache."""
    try:
        dispatcher = numba.njit(function, cache=True, **options)  # type: ignore[call-overload]  # knows no _nrt
        index = dispatcher._cache._cache_file
        if {"_version", "_source_stamp"} <= vars(index).keys():
            index.__class__ = _stamped(type(index))  # type: ignore[arg-type]  # a class is hashable
            index.source, index._source_stamp = function.__code__.co_filename, None
            dispatcher.get_call_template = _without_literals(dispatcher.get_call_template)
            return dispatcher
    except (RuntimeError, AttributeError, TypeError):
        pass
    # Neither the package's folder nor the user's cache folder can be written, or this numba keeps its cache in another
    # way, and would go on using what is out of date: compile each time.
    return numba.njit(function, **options)  # type: ignore[call-overload]  # numba's stubs know no _nrt


def _without_literals(template: Callable[..., Any]) -> Callable[..., Any]:
    """Share the machine code of a kernel among its callers, whatever numbers they write into the call.

    Numba makes machine code of its own of f(points, 0) and f(points, 1), an eighth of all that there is to compile.
    What LLVM copies into its caller becomes special for these numbers all the same.
    """
    unliteral: Any = types.unliteral

    def shared(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return template(tuple(map(unliteral, args)), {name: unliteral(kind) for name, kind in kws.items()})

    return shared


def register(function: Callable[..., Any]) -> None:
    """Make a function callable by kernels; `function.inline` is "never" or "always"."""
    numba.extending.register_jitable(inline=function.__dict__["inline"])(function)


def intrinsic_type(function: Callable[..., Any]) -> Any:
    """Return numba's type for an intrinsic of a function."""
    made = numba.extending.intrinsic(function)
    cpu_target.typing_context.refresh()  # the kernel that is being compiled began before this was registered
    return cpu_target.typing_context.resolve_value_type(made)


def listen(begin: Callable[[], object], end: Callable[[], object]) -> Callable[[], None]:
    """Call functions before and after each compilation, as kernels.listening has it; return what ends that."""
    listener = _Listener(begin, end)
    event.register("numba:compile", listener)  # type: ignore[no-untyped-call]
    return lambda: event.unregister("numba:compile", listener)  # type: ignore[no-untyped-call]


class _Listener(event.Listener):
    def __init__(self, begin: Callable[[], object], end: Callable[[], object]) -> None:
        self._begin, self._end = begin, end

    def on_start(self, event: event.Event) -> None:
        self._begin()

    def on_end(self, event: event.Event) -> None:
        self._end()


@dataclass(frozen=True)
class CompiledVersion:
    """A kernel's machine code for one set of argument types.

    Attributes:
        arguments: numba's types of the arguments.
        result: numba's type of the result.
        name: of the function, as LLVM has it.
        code: numba's library that holds it.
    """

    arguments: tuple[Any, ...]
    result: Any
    name: str
    code: Any


def compiled_versions(dispatcher: Any) -> list[CompiledVersion]:
    """Return all machine code that this process has of a kernel, versions for contiguous arrays first."""
    versions = [
        CompiledVersion(tuple(types), made.signature.return_type, made.fndesc.llvm_func_name, made.library)
        for types, made in dispatcher.overloads.items()
    ]
    return sorted(versions, key=lambda version: str(version.arguments).count(", A"))


class ObjectCode:
    """Makes object files, which a linker takes, of numba's code."""

    def __init__(self) -> None:
        codegen = cpu_target.target_context.codegen()
        self._machine = llvmlite.binding.Target.from_default_triple().create_target_machine(
            cpu=codegen._get_host_cpu_name(),
            features=codegen._get_host_cpu_features(),
            opt=3,
            reloc="pic",
            codemodel="default",
        )

    def emit(self, version: CompiledVersion, name: str, check: Callable[[str], None]) -> bytes:
        """Return an object file with one function, `name`.

        Args:
            version: of the kernel.
            name: of the function in the file.
            check: called with each function that the code calls and that the file does not hold.
        """
        # What numba keeps for other kernels to be compiled with: the code is optimised, its numbers round as numba's.
        module = version.code._get_module_for_linking().clone()
        for value in (*module.functions, *module.global_variables):
            if not value.is_declaration:
                value.linkage = "external" if value.name == version.name else "internal"
        # Numba's own way from Python to the function is dropped, with all that only it calls.
        passes = llvmlite.binding.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        tuning = llvmlite.binding.create_pipeline_tuning_options(speed_level=0)
        passes.run(module, llvmlite.binding.create_pass_builder(self._machine, tuning))
        for function in module.functions:
            if function.is_declaration and not function.name.startswith("llvm."):
                check(function.name)
        module.get_function(version.name).name = name
        return bytes(self._machine.emit_object(module))


class ArrayType(NamedTuple):
    """Numba's type of an array; `layout` is "C", "F" or "A", any."""

    element: Any
    dimensions: int
    layout: str
    writable: bool


def array_of(kind: Any) -> ArrayType | None:
    """Return what a type of numba's says of an array; None if it is no array's."""
    if type(kind) is not types.Array:
        return None
    return ArrayType(kind.dtype, kind.ndim, kind.layout, kind.mutable)


def members_of(kind: Any, *, named: bool = True) -> tuple[Any, ...] | None:
    """Return the types in a tuple's, or with `named` in a NamedTuple's; None for all other types."""
    if isinstance(kind, types.UniTuple | types.Tuple):
        return tuple(kind.types)
    if named and isinstance(kind, types.NamedTuple | types.NamedUniTuple):
        return tuple(kind.types)
    return None


def is_none(kind: Any) -> bool:
    """Return whether a type of numba's is that of None."""
    return bool(kind == types.none)


@cache
def _stamped(index_class: type) -> type:
    """Make of numba's class for the list of a kernel's machine code one that holds for one stamp of the sources.

    numba compares the time and size of the kernel's own file, and would go on using what it once compiled in from
    others. It compares its version before it looks at anything else: a list may name classes that are gone.
    """

    def version(index: Any) -> str:  # asked for when the kernel is first called; `source` is the path of its file
        return f"{numba.__version__} {stamp_of(index.source)}"

    def load_index(index: Any) -> dict[Any, Any]:
        try:
            return index_class._load_index(index)  # type: ignore[attr-defined]
        except (ImportError, AttributeError):  # an argument's class, in a file that the kernel's does not import, moved
            return {}

    return type("StampedIndex", (index_class,), {"_version": property(version), "_load_index": load_index})
