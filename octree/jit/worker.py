"""A process that compiles kernels: for each set of argument types an object file, and a C function that calls it.

    python -m octoscope.octree.jit.worker all|first FOLDER [TARGET=PROCESSOR ...]

The C function takes Python's arguments: it checks their types, hands their numbers and pointers over as numba's code
takes them, and passes arguments of other types on. Several processes share the work: whoever makes the claim of a file
of kernels first compiles it. What is done is told by a line each.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import groupby
from pathlib import Path
from threading import Thread
from typing import Any

from octoscope.octree.jit import compiler
from octoscope.octree.jit.kernel_types import Version, versions
from octoscope.octree.jit.kernels import Kernel, kernel

# By numba's name of a type: that of C, numpy's number of it, the function of library.c that takes such an argument, and
# the one that makes a Python value of it.
_SCALARS = {
    "int8": ("int8_t", "NPY_INT8", "as_int8", "PyLong_FromLongLong"),
    "int16": ("int16_t", "NPY_INT16", "as_int16", "PyLong_FromLongLong"),
    "int32": ("int32_t", "NPY_INT32", "as_int32", "PyLong_FromLongLong"),
    "int64": ("int64_t", "NPY_INT64", "as_int64", "PyLong_FromLongLong"),
    "uint8": ("uint8_t", "NPY_UINT8", "as_uint8", "PyLong_FromUnsignedLongLong"),
    "uint16": ("uint16_t", "NPY_UINT16", "as_uint16", "PyLong_FromUnsignedLongLong"),
    "uint32": ("uint32_t", "NPY_UINT32", "as_uint32", "PyLong_FromUnsignedLongLong"),
    "uint64": ("uint64_t", "NPY_UINT64", "as_uint64", "PyLong_FromUnsignedLongLong"),
    "float32": ("float", "NPY_FLOAT32", "as_float", "PyFloat_FromDouble"),
    "float64": ("double", "NPY_FLOAT64", "as_double", "PyFloat_FromDouble"),
    "bool": ("uint8_t", "NPY_BOOL", "as_bool", "PyBool_FromLong"),
}


class NotKnown(Exception):
    """A type that this file does not know."""


def compile_share(folder: Path, targets: Mapping[str, str], *, only_first: bool) -> None:
    """Compile those of all versions whose files are not in a folder, and that no other process compiles.

    Args:
        folder: for the files, which are named as the versions.
        targets: by suffix of the functions' names, such as "_v3", the processor that they are compiled for.
        only_first: whether to compile what the first picture needs alone.
    """
    gc.freeze()  # numba makes very many objects and few cycles of them
    gc.set_threshold(100_000, 20, 100)
    compiler.compile_for_others()
    for (is_first, module), group in groupby(versions(), lambda version: (version.is_first, version.module)):
        if only_first and not is_first:
            break
        missing = [version for version in group if not (folder / f"{version.name}.c").is_file()]
        if missing and _claim(folder / f"{module}.{is_first}.claim"):
            for version in missing:
                _compile(version, folder, targets)
                _say()


def _claim(path: Path) -> bool:
    try:
        path.open("x").close()
    except FileExistsError:
        return False
    return True


def _compile(version: Version, folder: Path, targets: Mapping[str, str]) -> None:
    found = getattr(import_module(version.module), version.function)
    made_of = found if isinstance(found, Kernel) else kernel(found)  # the probe is none
    try:
        types = compiler.types_of(version.types)
        functions = {f"kernel_{version.name}{target}": processor for target, processor in targets.items()}
        made = compiler.compile_ahead(made_of.dispatcher, types, functions)
        text = _Function(version.name, made.arguments, made.result).text
    except Exception as error:
        raise RuntimeError(f"{version.module}.{version.function}({version.types}): {error}") from error
    files = {f"{version.name}{target}.o": code for target, code in zip(targets, made.object_codes, strict=True)}
    files[f"{version.name}.c"] = text.encode()  # the last: whoever sees it has all
    for name, data in files.items():
        beside = folder / f"{name}.{os.getpid()}"
        beside.write_bytes(data)
        os.replace(beside, folder / name)


@dataclass
class _Function:
    """C code that calls one kernel, for one set of argument types.

    Numba's code takes a pointer to the place of its result, one to that of a failure, and then each number of each
    argument: of an array the owner of its memory (none: the caller keeps it), its Python object, the number of elements
    and their size in bytes, the data, and its shape and strides.
    """

    name: str
    arguments: Sequence[Any]
    result: Any
    statements: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The function, as C; NotKnown: it has a type that is not known here."""
        for place, kind in enumerate(self.arguments):
            self._take(kind, f"given[{place}]")
        result = "int64_t result = 0;" if compiler.is_none(self.result) else f"{_layout(self.result)} result;"
        values = "Py_NewRef(Py_None)" if compiler.is_none(self.result) else _boxed(self.result, "result")
        passed = ", ".join(["&result", "(void **)&failure", *self.passed])
        parameters = ", ".join(["void *", "void **", *self.parameters])
        lines = "\n    ".join(self.statements)
        return f"""
KERNEL({self.name}, ({parameters}))

static PyObject *call_{self.name}(PyObject *otherwise, PyObject *const *given, Py_ssize_t count, PyObject *names)
{{
    Failure *failure = NULL;
    int32_t status;
    {result}
    if (count != {len(self.arguments)} || names)
        goto other;
    {lines}
    Py_BEGIN_ALLOW_THREADS
    status = MACHINE_CODE({self.name})({passed});
    Py_END_ALLOW_THREADS
    return status ? fail(status, failure) : {values};
other:
    return PyObject_Vectorcall(otherwise, given, count, names);
}}
"""

    def _take(self, kind: Any, value: str) -> None:
        """Add the checks, declarations and parameters of an argument; `value` is C for the Python object."""
        members = compiler.members_of(kind)
        if members is not None:
            self.statements.append(f"if (!is_tuple({value}, {len(members)})) goto other;")
            for place, member in enumerate(members):
                self._take(member, f"PyTuple_GET_ITEM({value}, {place})")
            return
        name = f"a{len(self.statements)}"
        array = compiler.array_of(kind)
        if array is None:
            c_type, _, take, _ = _scalar(kind)
            self.statements.append(f"{c_type} {name}; if (!{take}({value}, &{name})) goto other;")
            self.parameters.append(c_type)
            self.passed.append(name)
            return
        flags = ["NPY_ARRAY_ALIGNED", *(["NPY_ARRAY_WRITEABLE"] if array.writable else [])]
        flags += {"C": ["NPY_ARRAY_C_CONTIGUOUS"], "F": ["NPY_ARRAY_F_CONTIGUOUS"], "A": []}[array.layout]
        number = _scalar(array.element)[1]
        self.statements.append(
            f"PyObject *{name} = {value}; if (!is_array({name}, {number}, {array.dimensions}, {' | '.join(flags)})) "
            "goto other;"
        )
        of = f"(PyArrayObject *){name}"
        axes = range(array.dimensions)
        self.parameters += ["void *", "void *", "int64_t", "int64_t", "void *", *["int64_t"] * (2 * array.dimensions)]
        self.passed += ["NULL", name, f"PyArray_SIZE({of})", f"PyArray_ITEMSIZE({of})", f"PyArray_DATA({of})"]
        self.passed += [f"PyArray_DIM({of}, {axis})" for axis in axes]
        self.passed += [f"PyArray_STRIDE({of}, {axis})" for axis in axes]


def _scalar(kind: Any) -> tuple[str, str, str, str]:
    if str(kind) not in _SCALARS:
        raise NotKnown(str(kind))
    return _SCALARS[str(kind)]


def _layout(kind: Any) -> str:
    """Return the C type of a result, as numba lays it out."""
    members = compiler.members_of(kind, named=False)
    if members is not None:
        fields = " ".join(f"{_layout(member)} m{place};" for place, member in enumerate(members))
        return f"struct {{ {fields} }}"
    array = compiler.array_of(kind)
    if array is None:
        return _scalar(kind)[0]
    sides = f"int64_t shape[{array.dimensions}], strides[{array.dimensions}];"
    return f"struct {{ Memory *memory; PyObject *parent; int64_t count, size; void *data; {sides} }}"


def _boxed(kind: Any, value: str) -> str:
    """Return C that makes a Python value of a result."""
    members = compiler.members_of(kind, named=False)
    if members is not None:
        values = ", ".join(_boxed(member, f"{value}.m{place}") for place, member in enumerate(members))
        return f'Py_BuildValue("({"N" * len(members)})", {values})'
    array = compiler.array_of(kind)
    if array is None:
        return f"{_scalar(kind)[3]}({value})"
    parts = f"{value}.memory, {value}.parent, {value}.data, {_scalar(array.element)[1]}, {array.dimensions}"
    return f"array_of({parts}, {value}.shape, {value}.strides)"


def _say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _main() -> None:
    def end_with_parent() -> None:
        os.read(0, 1)
        os._exit(1)

    Thread(target=end_with_parent, daemon=True).start()
    try:
        which, folder, *targets = sys.argv[1:]
        functions = dict(target.split("=") for target in targets)
        compile_share(Path(folder), functions, only_first=which == "first")
    except Exception as error:  # whatever another numba does
        _say(f"{error!r}".replace("\n", " "))


if __name__ == "__main__":
    _main()
