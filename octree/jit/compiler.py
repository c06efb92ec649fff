"""Compile kernels with numba, and keep them on disk until their sources change.

The only module that uses what numba does not document: of its cache, of its types for functions, and of the code that
it makes. Each use is guarded: with another numba a start is slower, no answer is wrong.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numba  # before llvmlite: which of them is missing is then always numba
from llvmlite import binding as llvm
from numba.core import codegen, cpu, event, types
from numba.core.registry import cpu_target

from octoscope.octree.jit import library
from octoscope.octree.jit.sources import stamp_of

_is_ahead = False  # whether this process compiles for others, and runs nothing


def dispatcher_of(function: Callable[..., Any], options: dict[str, object]) -> Any:
    """Return the function as numba has it, compiled on its first call or loaded from numba's cache."""
    if _is_ahead:
        return _sharing(numba.njit(function, no_cpython_wrapper=True, **options))  # type: ignore[call-overload]
    if len(library.folders()) == 1:  # not beside the sources
        vars(numba.config)["CACHE_DIR"] = str(library.folders()[0])
    try:
        dispatcher = numba.njit(function, cache=True, **options)  # type: ignore[call-overload]  # knows no _nrt
        index = dispatcher._cache._cache_file
        if {"_version", "_source_stamp"} <= vars(index).keys():
            index.__class__ = _stamped(type(index))  # type: ignore[arg-type]  # a class is hashable
            index.source, index._source_stamp = function.__code__.co_filename, None
            return _sharing(dispatcher)
    except (RuntimeError, AttributeError, TypeError):
        pass
    # Neither the package's folder nor the user's cache folder can be written, or this numba keeps its cache in another
    # way, and would go on using what is out of date: compile each time.
    return numba.njit(function, **options)  # type: ignore[call-overload]  # numba's stubs know no _nrt


def _sharing(dispatcher: Any) -> Any:
    dispatcher.get_call_template = _without_literals(dispatcher.get_call_template)
    return dispatcher


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


class CompiledVersion(NamedTuple):
    """A kernel's machine code for one set of argument types."""

    arguments: tuple[Any, ...]  # numba's types of the arguments
    result: Any  # numba's type of the result
    object_codes: list[bytes]  # files for a linker, each with one function


def compile_for_others() -> None:
    """Have numba optimise the code of all kernels from now on, and neither make machine code of it nor run it.

    Half of the time would go to that; `compile_ahead` makes machine code of what is called from Python alone.
    """
    global _is_ahead
    _is_ahead = True

    def finalize(library: Any) -> None:
        library._finalized = True

    codegen.JITCodeLibrary._finalize_final_module = finalize  # type: ignore[method-assign]

    def get_executable(context: Any, library: Any, *_: Any) -> Any:
        library._ensure_finalized()
        return [].append  # a function of C, another one each time: numba knows the code by it

    cpu.CPUContext.get_executable = get_executable  # type: ignore[method-assign]


def compile_ahead(dispatcher: Any, arguments: tuple[Any, ...], functions: Mapping[str, str]) -> CompiledVersion:
    """Compile a kernel for types.

    Args:
        functions: for each object file the name of its function, and the processor that it is for; "": what numba
            compiles for, this one or that of NUMBA_CPU_NAME.
    """
    dispatcher.compile(arguments)
    made = dispatcher.overloads[arguments]
    codes = [_object_code(made, function, processor) for function, processor in functions.items()]
    return CompiledVersion(arguments, made.signature.return_type, codes)


def _object_code(made: Any, function: str, processor: str) -> bytes:
    """Return an object file with one function of numba's optimised code: its numbers round as numba's."""
    module = made.library._get_module_for_linking().clone()
    machine = _machine(processor)
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration:
            value.linkage = "external" if value.name == made.fndesc.llvm_func_name else "internal"
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    tuning = llvm.create_pipeline_tuning_options(speed_level=0)
    passes.run(module, llvm.create_pass_builder(machine, tuning))
    module.get_function(made.fndesc.llvm_func_name).name = function
    return bytes(machine.emit_object(module))


@cache
def _machine(processor: str) -> Any:
    """Return what emits code that can lie anywhere in memory."""
    made_for = cpu_target.target_context.codegen()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=processor or made_for._get_host_cpu_name(),
        features="" if processor else made_for._get_host_cpu_features(),
        opt=3,
        reloc="pic",
        codemodel="default",
    )


def types_of(text: str) -> tuple[Any, ...]:
    """Return numba's types of a kernel's arguments.

    Args:
        text: as in kernel_types.txt: numba's notation of scalars and arrays, tuples of them, calls of NamedTuples with
            full names, and readonly(...) around arrays that are not written.
    """
    for module in re.findall(r"octoscope[\w.]*(?=\.)", text):
        import_module(module)
    names = {name: getattr(types, name) for name in re.findall(r"\bu?int\d+\b|\bfloat\d+\b", text)}
    names |= {"bool": types.boolean, "readonly": lambda array: array.copy(readonly=True)}
    names |= {"octoscope": sys.modules["octoscope"], "__builtins__": {}}
    return tuple(_type_of(each) for each in eval(f"({text},)" if text else "()", names))


def _type_of(written: Any) -> Any:
    if not isinstance(written, tuple):
        return written
    members = [_type_of(each) for each in written]
    from_types: Any = types.BaseTuple.from_types
    return from_types(members, None if type(written) is tuple else type(written))


def text_of(kind: Any) -> str:
    """Return a type of numba's as `types_of` reads it."""
    unliteral: Any = types.unliteral
    array = array_of(kind)
    if array is not None:
        axes = [":"] * array.dimensions
        if array.layout != "A":
            axes[-1 if array.layout == "C" else 0] = "::1"
        text = f"{array.element}[{', '.join(axes)}]"
        return text if array.writable else f"readonly({text})"
    members = members_of(kind)
    if members is None:
        return str(unliteral(kind))
    inside = ", ".join(map(text_of, members))
    made_by = getattr(kind, "instance_class", None)  # of a NamedTuple
    if made_by is not None:
        return f"{made_by.__module__}.{made_by.__qualname__}({inside})"
    return f"({inside}{',' if len(members) == 1 else ''})"


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
