"""Make the library of kernels: machine code of numba's, C functions that call it, and a compiler to link both.

Each kernel that this process has compiled or loaded becomes one function of a Python extension module, for each set of
argument types that it was called with. The function checks the types of its arguments, hands their numbers and pointers
over as numba's code takes them, and passes arguments of other types on. A kernel with types that are not needed so far
(records, text, dictionaries) is left out and stays numba's, and so are all if there is no C compiler.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from octoscope.octree.jit import compiler, library
from octoscope.octree.jit.kernels import Kernel
from octoscope.octree.jit.sources import stamp_of

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
_DEFINED = {  # by library.c
    "NRT_Allocate",
    "NRT_Free",
    "NRT_MemInfo_alloc",
    "NRT_MemInfo_alloc_aligned",
    "NRT_MemInfo_call_dtor",
    "NRT_MemInfo_new_varsize_dtor",
    "NRT_MemInfo_varsize_realloc",
    "numba_attempt_nocopy_reshape",
    "numba_frexp",
    "numba_ldexp",
}


class _NotNeeded(Exception):
    """A type or a function that this file does not know."""


class NoLibrary(Exception):
    """A library that cannot be made; the message is one line."""


def build(kernels: Iterable[Kernel]) -> None:
    """Make the library of kernels and put it into its place.

    Args:
        kernels: of which those are taken that were called, and compiled or loaded by numba, in this process.

    Raises:
        NoLibrary: this machine cannot; numba then does it all, as without this file.
    """
    place, command = library.path(), _compiler_command()
    if place is None:
        raise NoLibrary("there is no folder for it that can be written")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        made = Path(folder) / place.name
        try:
            _PROBE.dispatcher(*_PROBED)
            _link(command, [*(kernel for kernel in kernels if kernel.is_called), _PROBE], Path(folder), made)
            _check(made)
            # Whoever has the old library loaded keeps it: a file is replaced, never written over.
            beside = place.with_name(f"{place.name}.{os.getpid()}")
            beside.write_bytes(library.sealed(made.read_bytes()))
            os.replace(beside, place)
        except Exception as error:  # whatever another numba or compiler does
            raise NoLibrary(f"making it failed ({type(error).__name__}: {error})".replace("\n", " ")) from error


def _compiler_command() -> list[str]:
    """Return the beginning of a command that compiles and links.

    Raises:
        NoLibrary: there is no compiler, or something that it needs is missing.
    """
    if not sys.platform.startswith("linux"):
        raise NoLibrary("it is made on Linux only so far")
    found = next(filter(None, map(shutil.which, (os.environ.get("CC", ""), "cc", "gcc", "clang"))), None)
    if found is None:
        raise NoLibrary("there is no C compiler; install gcc")
    headers = [sysconfig.get_path("include"), np.get_include()]
    if not (Path(headers[0]) / "Python.h").is_file():
        raise NoLibrary("Python's headers are missing; install python3-dev")
    return [found, "-O1", "-shared", "-fPIC", "-fvisibility=hidden", *(f"-I{header}" for header in headers)]


def _link(command: list[str], kernels: list[Kernel], folder: Path, made: Path) -> None:
    """Write object files and C code, and link them.

    Raises:
        OSError, subprocess.SubprocessError: the compiler failed.
    """
    machine = compiler.ObjectCode()
    functions: list[str] = []
    objects: list[Path] = []
    contents: dict[str, tuple[str, list[int]]] = {}
    for kernel in kernels:
        numbers: list[int] = []
        for compiled in compiler.compiled_versions(kernel.dispatcher):
            number = len(functions)
            try:
                text = _Function(number, compiled.arguments, compiled.result).text
                code = machine.emit(compiled, f"kernel_{number}", _is_known)
            except _NotNeeded:
                continue
            objects.append(folder / f"{number}.o")
            objects[-1].write_bytes(code)
            functions.append(text)
            numbers.append(number)
        if numbers:
            contents[library.key_of(kernel.py_func)] = (stamp_of(kernel.py_func.__code__.co_filename), numbers)
    source = folder / "library.c"
    source.write_text(_module_text(functions, contents))
    arguments = [str(source), *map(str, objects), "-lm", "-o", str(made)]
    subprocess.run([*command, *arguments], check=True, capture_output=True, timeout=300)


def _is_known(name: str) -> None:
    """Check that a function, which machine code calls, is there when the library is loaded.

    Raises:
        _NotNeeded: it is not.
    """
    if name in _DEFINED or name.startswith("Py"):
        return
    if not hasattr(ctypes.CDLL(ctypes.util.find_library("m")), name):  # the C library's are found there, too
        raise _NotNeeded(name)


def _module_text(functions: Sequence[str], contents: dict[str, tuple[str, list[int]]]) -> str:
    table = json.dumps(json.dumps(contents))
    definitions = "".join(
        f'    {{"kernel", (PyCFunction)(void (*)(void))call_{number}, METH_FASTCALL | METH_KEYWORDS, NULL}},\n'
        for number in range(len(functions))
    )
    fixed = Path(__file__).with_name("library.c").read_text(encoding="utf-8")
    return (
        fixed + "\n".join(functions) + f"\nstatic PyMethodDef kernels[] = {{\n{definitions}}};\n"
        """
/* Return the function of a kernel; it calls `otherwise` with arguments that it was not compiled for. */
static PyObject *bind(PyObject *module, PyObject *arguments)
{
    Py_ssize_t number;
    PyObject *otherwise;
    if (!PyArg_ParseTuple(arguments, "nO", &number, &otherwise))
        return NULL;
    return PyCFunction_New(&kernels[number], otherwise);
}

static PyMethodDef functions[] = {{"bind", bind, METH_VARARGS, NULL}, {NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, """
        f'"{library.MODULE}", NULL, -1, functions}};\n\n'
        f"PyMODINIT_FUNC PyInit_{library.MODULE}(void)\n{{\n"
        "    import_array();\n"
        "    PyObject *module = PyModule_Create(&definition);\n"
        f'    if (module && PyModule_AddStringConstant(module, "contents", {table}) < 0)\n'
        "        Py_CLEAR(module);\n"
        "    return module;\n}\n"
    )


@dataclass
class _Function:
    """C code that calls one kernel, for one set of argument types.

    Numba's code takes a pointer to the place of its result, one to that of a failure, and then each number of each
    argument: of an array the owner of its memory (none: the caller keeps it), its Python object, the number of elements
    and their size in bytes, the data, and its shape and strides.
    """

    number: int
    arguments: Sequence[Any]
    result: Any
    statements: list[str] = field(default_factory=list)
    parameters: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The function, as C.

        Raises:
            _NotNeeded: it has a type that is not known here.
        """
        for place, kind in enumerate(self.arguments):
            self._take(kind, f"given[{place}]")
        result = "int64_t result = 0;" if compiler.is_none(self.result) else f"{_layout(self.result)} result;"
        values = "Py_NewRef(Py_None)" if compiler.is_none(self.result) else _boxed(self.result, "result")
        passed = ", ".join(["&result", "(void **)&failure", *self.passed])
        parameters = ", ".join(["void *", "void **", *self.parameters])
        lines = "\n    ".join(self.statements)
        return f"""
int32_t kernel_{self.number}({parameters});

static PyObject *call_{self.number}(PyObject *otherwise, PyObject *const *given, Py_ssize_t count, PyObject *names)
{{
    Failure *failure = NULL;
    int32_t status;
    {result}
    if (count != {len(self.arguments)} || names)
        goto other;
    {lines}
    Py_BEGIN_ALLOW_THREADS
    status = kernel_{self.number}({passed});
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
        raise _NotNeeded(str(kind))
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


def _probe(numbers: np.ndarray, pair: tuple[int, bool], scale: float) -> tuple[np.ndarray, int, bool]:
    made = numbers[:, ::2] * scale
    grown = [made[0, 0]]
    for number in numbers[0]:
        grown.append(number)
    if pair[0] > 5:
        raise ValueError("as the probe is asked to")
    return made, pair[0] + len(grown), not pair[1]


_PROBE = Kernel(_probe, {"nogil": True, "error_model": "numpy"})
_PROBED = (np.arange(6.0).reshape(2, 3), (5, True), 0.5)


def _check(made: Path) -> None:
    """Call a kernel of every kind of argument and result in the new library, and compare the answers with numba's.

    Raises:
        AssertionError: they differ, as if another numba hands arguments over in another way.
    """
    module = library.load(made)

    def refuse(*_: object) -> None:
        raise AssertionError("the library does not know the types of the probe")

    bound = module.bind(json.loads(module.contents)[library.key_of(_probe)][1][0], refuse)
    for _ in range(3):
        ours, theirs = bound(*_PROBED), _PROBE.dispatcher(*_PROBED)
        if not (np.array_equal(ours[0], theirs[0]) and ours[1:] == theirs[1:] and ours[0].flags.owndata is False):
            raise AssertionError("the library's answer differs")
    try:
        bound(_PROBED[0], (6, True), 0.5)
    except ValueError as error:
        if str(error) == "as the probe is asked to":
            return
    raise AssertionError("the library does not tell failures")
