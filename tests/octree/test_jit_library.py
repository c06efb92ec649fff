"""The library of kernels: the same answers without numba, and numba wherever the library has none."""

import ctypes
import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import numpy as np
import pytest

from octoscope.octree.jit import builder
from tests.cases import quick
from tests.octree.projects import copy_octree

ROOT = Path(__file__).parents[2]
KERNELS = """
from typing import NamedTuple
import numpy as np
from octoscope.octree.jit import borrowing_kernel, inlined, intrinsic, kernel, pasted

FACTOR = 2

class Pair(NamedTuple):
    numbers: np.ndarray
    names: tuple[int, bool]

@inlined
def twice(x):
    return FACTOR * x

@pasted
def thrice(x):
    return 3 * x

@intrinsic
def lowest(typing_context, bits):
    from numba import types
    from llvmlite import ir
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))
    return types.int64(types.int64), generate

@kernel
def inner(x):
    return twice(x) + thrice(x) + lowest(8)

@kernel
def sums(pair, scale, out):
    for i in range(len(out)):
        out[i] += scale * pair.numbers[i].sum()
    return inner(pair.names[0]), pair.names[1]

@kernel
def pieces(values):
    kept = [values[0]]
    for value in values[1:]:
        if value > kept[-1]:
            kept.append(value)
    return np.array(kept), np.cumsum(values), values.astype(np.float32).reshape(-1, 2)

@kernel
def same(values):
    return values

@kernel
def fails(count):
    if count < 0:
        raise ValueError("a count below 0")
    return count

@kernel
def wide(a, b, c, d, e, f):
    return a + b + c + d, e, not f

@borrowing_kernel
def read(text):
    total = 0
    for i in range(len(text)):
        total += text[i]
    return total
"""
# Prints each answer; what the library cannot know stands last.
USE = """
import sys
import numpy as np
from octoscope.scene.kernels import *

print(inner(1))
out = np.zeros(2)
print(sums(Pair(np.arange(6.0).reshape(2, 3), (7, True)), 0.5, out), out.tolist())
for part in pieces(np.array([3, 1, 4, 1, 5, 9], dtype=np.int64)):
    print(part.tolist(), part.dtype, part.shape)
part = pieces(np.arange(4))[2]
part += 1.0
print(part.sum(), part.flags.writeable)
kept = same(out)
print(kept is out)
try:
    fails(-1)
except ValueError as error:
    print(error)
print(fails(2**62), fails(np.int32(4)))
print(wide(np.int8(1), np.uint16(2), np.int32(3), np.float32(4.5), np.uint64(2**63), True))
print(read(np.frombuffer(b"abc", dtype=np.uint8)), read(np.zeros((4, 2), dtype=np.uint8)[:, 0]))
"""
# The types of what USE calls.
TYPES = """\
octoscope.scene.kernels.inner(int64)
octoscope.scene.kernels.sums(octoscope.scene.kernels.Pair(float64[:, ::1], (int64, bool)), float64, float64[::1])
*octoscope.scene.kernels.pieces(int64[::1])
octoscope.scene.kernels.same(float64[::1])
octoscope.scene.kernels.fails(int64)
octoscope.scene.kernels.wide(int8, uint16, int32, float32, uint64, bool)
octoscope.scene.kernels.read(readonly(uint8[::1]))
octoscope.scene.kernels.read(uint8[:])
"""
# Two of them that are compiled soon, for tests of when that is done.
FEW_TYPES = "*octoscope.scene.kernels.same(float64[::1])\noctoscope.scene.kernels.fails(int64)\n"
USE_FEW = """
import sys
import numpy as np
from octoscope.scene.kernels import *

print(same(np.ones(2)).tolist(), fails(7))
"""
FEW_ANSWERS = ["[1.0, 1.0] 7"]
BUILD = """
from octoscope.octree.jit import builder
try:
    builder.build()
    print("made")
except builder.NoLibrary as error:
    print(error)
"""
ALONE = {"NUMBA_DEBUG_CACHE": "0"}  # a setting of numba's: the library is left alone
LOADED = "\nprint('numba' in sys.modules)\n"


def write_project(folder: Path) -> None:
    copy_octree(folder)
    (folder / "scene").mkdir()
    (folder / "scene/__init__.py").touch()
    (folder / "scene/kernels.py").write_text(KERNELS)
    (folder / "scene/kernel_types.txt").write_text(TYPES)


def run(project: Path, program: str, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        cwd=project,
        env={**os.environ, "XDG_CACHE_HOME": str(project / "cache"), **environment},
        capture_output=True,
        text=True,
    )
    assert not [line for line in done.stderr.splitlines() if not line.startswith("octoscope: ")]
    return done.stdout.splitlines()


def library_of(project: Path) -> Path:
    (path,) = (project / "octree/jit/__pycache__").glob("octoscope_kernels*.so")
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> tuple[Path, list[str]]:
    """A project with its library, and the answers as numba gives them."""
    project = tmp_path_factory.mktemp("made")
    write_project(project)
    answers = run(project, USE, **ALONE)
    assert run(project, BUILD) == ["made"]
    return project, answers


@pytest.fixture
def built(made, tmp_path) -> tuple[Path, list[str]]:
    """A copy of it, to be changed."""
    shutil.copytree(made[0], tmp_path, dirs_exist_ok=True)
    return tmp_path, made[1]


def test_answers_are_those_of_numba_which_is_not_imported(built):
    project, answers = built
    assert run(project, USE + LOADED) == [*answers, "False"]
    assert answers == [
        "8",
        "(38, True) [1.5, 6.0]",
        "[3, 4, 5, 9] int64 (4,)",
        "[3, 4, 8, 9, 14, 23] int64 (6,)",
        "[[3.0, 1.0], [4.0, 1.0], [5.0, 9.0]] float32 (3, 2)",
        "10.0 True",
        "True",
        "a count below 0",
        "4611686018427387904 4",
        "(10.5, 9223372036854775808, False)",
        "294 0",
    ]


# Of other types than USE has, and the kernel that each of them calls.
OTHER_CALLS = {
    "inner(1.5)": "inner",
    "read(np.zeros(3))": "read",
    "read(np.arange(3, dtype=np.int16))": "read",
    "same(np.zeros((2, 2)))[0].tolist()": "same",
    "same(np.zeros(3)[::-1]).strides": "same",
    "same(7)": "same",
    "fails(count=5)": "fails",
    "fails(True)": "fails",
    "sums(Pair(np.ones((2, 2), dtype=np.float32), (1, False)), 1.0, np.zeros(2))": "sums",
    "sums(Pair(np.asfortranarray(np.ones((2, 2))), (1, False)), 1.0, np.zeros(2))": "sums",
}


@pytest.mark.slow
def test_arguments_of_other_types_go_to_numba(built):
    project, _ = built
    ask = "import sys\nimport numpy as np\nfrom octoscope.scene.kernels import *\n"
    once = f"{ask}print({next(iter(OTHER_CALLS))}){LOADED}"
    assert run(project, once)[1:] == ["True"]
    for call, name in OTHER_CALLS.items():
        ask += f"before = len({name}.dispatcher.overloads)\nprint({call}, len({name}.dispatcher.overloads) > before)\n"
    expected = run(project, ask, **ALONE)
    assert len(expected) == len(OTHER_CALLS) and all(line.endswith(" True") for line in expected)
    assert run(project, ask) == expected


def test_what_a_kernel_may_not_write_is_not_given_to_one_that_writes(built):
    project, _ = built
    ask = """
import sys
import numpy as np
from octoscope.scene.kernels import *
fixed = np.zeros(2)
fixed.flags.writeable = False
try:
    sums(Pair(np.ones((2, 2)), (1, False)), 1.0, fixed)
except Exception as error:
    print(type(error).__name__, fixed.tolist())
"""
    assert run(project, ask) == ["TypingError [0.0, 0.0]"]


@pytest.mark.slow
def test_a_kernel_whose_source_changed_is_compiled_and_the_others_stay(built):
    project, _ = built
    path = project / "scene/kernels.py"
    path.write_text(path.read_text().replace("FACTOR = 2", "FACTOR = 10"))
    ask = "import sys\nfrom octoscope.scene.kernels import inner\nprint(inner(1))" + LOADED
    assert run(project, ask) == ["16", "True"]
    assert run(project, BUILD) == ["made"]
    assert run(project, ask) == ["16", "False"]


@pytest.mark.slow
def test_a_library_in_a_folder_that_cannot_be_written_is_used_and_changed_kernels_have_one_of_the_users(
    built, tmp_path
):
    project, answers = built
    only_read = (
        "import os\naccess = os.access\n"
        "os.access = lambda path, mode: access(path, mode) and '__pycache__' not in str(path)\n"
    )
    user = {"XDG_CACHE_HOME": str(tmp_path / "user")}
    assert run(project, only_read + USE + LOADED, **user) == [*answers, "False"]
    path = project / "scene/kernels.py"
    path.write_text(path.read_text().replace("FACTOR = 2", "FACTOR = 10"))
    assert run(project, only_read + BUILD, **user) == ["made"]
    assert list((tmp_path / "user").rglob("octoscope_kernels*.so"))
    ask = "import sys\nfrom octoscope.scene.kernels import inner\nprint(inner(1))" + LOADED
    assert run(project, only_read + ask, **user) == ["16", "False"]


@pytest.mark.parametrize("maker", quick(["builder.py", "worker.py", "library.c"], 1))
def test_a_library_that_was_made_in_another_way_is_not_used_but_made_again(built, maker):
    project, _ = built
    before = library_of(project)
    with (project / "octree/jit" / maker).open("a") as file:
        file.write("\n")
    (project / "scene/kernel_types.txt").write_text(FEW_TYPES)
    assert run(project, USE_FEW + LOADED) == [*FEW_ANSWERS, "False"]
    made = {*before.parent.glob("octoscope_kernels*.so")}
    assert len(made) == 2 and before in made


def test_a_copied_checkout_takes_its_library_along_whatever_its_times(built, tmp_path_factory):
    project, answers = built
    copy = tmp_path_factory.mktemp("copy") / "deeper"
    shutil.copytree(project, copy, copy_function=shutil.copy)
    for path in copy.rglob("*.py"):
        os.utime(path, (1e9, 1e9))
    assert run(copy, USE + LOADED) == [*answers, "False"]
    assert run(copy, "from octoscope.octree.jit import builder\nprint(builder.is_complete())") == ["True"]


def test_what_the_first_picture_needs_is_compiled_first_and_the_rest_beside_it(built):
    project, _ = built
    shutil.rmtree(project / "octree/jit/__pycache__")
    (project / "scene/kernel_types.txt").write_text(FEW_TYPES)
    first = "import sys\nfrom octoscope.octree.jit import builder\nbuilder.build(only_first=True)\n"
    call = "from octoscope.scene.kernels import *\nsame(np.ones(2))\n"
    assert run(project, f"{first}import numpy as np\n{call}{LOADED}") == ["False"]
    state = "print(builder.is_complete(only_first=True), builder.is_complete())\n"
    rest = f"import sys\nfrom octoscope.octree.jit import builder\n{state}builder.compile_the_rest()\n{state}"
    assert run(project, rest) == ["True False", "True True"]
    assert run(project, USE_FEW + LOADED) == [*FEW_ANSWERS, "False"]


@pytest.mark.parametrize("processors", quick([1, 4], 1))
def test_compiling_beside_a_window_leaves_it_a_processor_and_goes_after_all_other_programs(built, processors):
    project, _ = built
    shutil.rmtree(project / "octree/jit/__pycache__")
    (project / "scene/kernel_types.txt").write_text("octoscope.scene.kernels.fails(int64)\n")
    started = f"""
import os, subprocess, sys
from octoscope.octree.jit import builder
os.sched_getaffinity = lambda process: range({processors})
class Recorded(subprocess.Popen):
    def __init__(self, command, **options):
        print(*command[1:3], "worker" if "octoscope.octree.jit.worker" in command else "linking")
        super().__init__(command, **options)
subprocess.Popen = Recorded
builder.compile_the_rest()
print(builder.is_complete())
"""
    workers = max(1, processors - 1)
    assert run(project, started) == [*workers * ["-n 19 worker"], "-n 19 linking", "True"]


def test_where_there_is_no_library_it_is_made_once_and_progress_is_told(built, tmp_path):
    project, answers = built
    shutil.rmtree(project / "octree/jit/__pycache__")
    (project / "pyproject.toml").unlink()  # as if installed: the packages lie inside octoscope
    shutil.rmtree(project / "scene/__pycache__")
    for name in ("octree", "scene"):
        (project / name).rename(project / "octoscope" / name)
    user = {"XDG_CACHE_HOME": str(tmp_path / "user")}
    command, options = (
        [sys.executable, "-B", "-c", USE + LOADED],
        {"cwd": project, "text": True, "capture_output": True},
    )
    done = subprocess.run(command, env={**os.environ, **user}, **options)
    assert done.stdout.splitlines() == [*answers, "False"]
    lines = done.stderr.splitlines()
    assert lines[-1] == "octoscope: compiling kernels, once: 100%" and 3 < len(lines) < 13
    assert not [path for end in ("so", "nb?") for path in (project / "octoscope").rglob(f"*.{end}")]
    done = subprocess.run(command, env={**os.environ, **user}, **options)
    assert (done.stdout.splitlines(), done.stderr) == ([*answers, "False"], "")


WITHOUT_NUMBA = "import sys\nsys.modules['numba'] = None  # to import it fails, and there is no such package\n"


def test_without_numba_there_is_a_line_for_what_no_library_has(built):
    project, answers = built
    (project / "octree/jit/__pycache__").rename(project / "kept")
    wheels = project / f"octree/jit/octoscope_kernels{EXTENSION_SUFFIXES[0]}"
    shutil.copy(next((project / "kept").glob("*.so")), wheels)
    assert run(project, WITHOUT_NUMBA + USE) == answers
    ask = """
from octoscope.octree.jit import NoMachineCode
from octoscope.scene.kernels import *
try:
    inner(1.5)
except NoMachineCode as error:
    print(error)
"""
    (line,) = run(project, WITHOUT_NUMBA + ask)
    assert line.startswith("octoscope.scene.kernels.inner ") and line.endswith("pip install 'octoscope[kernels]'")
    wheels.unlink()
    (line,) = run(project, WITHOUT_NUMBA + ask)
    assert "is not compiled" in line and line.endswith("pip install 'octoscope[kernels]'")


def _with_zeros(data: bytes) -> bytes:
    """Return data whose second half is zeros, as after a loss of power."""
    return data[: len(data) // 2] + bytes(len(data) - len(data) // 2)


@pytest.mark.parametrize(
    "damage",
    quick(
        [
            lambda path: path.write_bytes(b"\x7fELF no"),
            lambda path: path.write_bytes(path.read_bytes()[:4096]),
            lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
            lambda path: path.write_bytes(_with_zeros(path.read_bytes())),
            lambda path: path.write_bytes(b""),
        ],
        2,
    ),
)
def test_with_a_damaged_library_numba_does_it(built, damage):
    project, _ = built
    damage(library_of(project))
    assert run(project, USE_FEW + LOADED) == [*FEW_ANSWERS, "True"]


OTHER_MACHINES = {
    "no compiler": "import shutil\nshutil.which = lambda name: None\n",
    "a compiler that fails": "import shutil\nshutil.which = lambda name: '/bin/false'\n",
    "no folder for it": "import os\nos.access = lambda *_: False\n",
}
# A file, and what stands in it here and there.
OTHER_NUMBAS = {
    "without the code that it made": ("compiler.py", "._get_module_for_linking()", "._no_such_thing()"),
    "which hands arguments over in another way": (
        "worker.py",
        "self.passed.append(name)",
        "self.passed.append('0.25' if value == 'given[2]' else name)",
    ),
}


@pytest.mark.parametrize("another", quick(OTHER_MACHINES.values(), 1), ids=OTHER_MACHINES)
def test_where_it_cannot_be_made_there_is_none_and_every_answer_is_right(built, another):
    project, answers = built
    library_of(project).unlink()
    _check_that_none_is_made(project, answers, another)


@pytest.mark.parametrize(("file", "here", "there"), quick(OTHER_NUMBAS.values(), 1, several=True), ids=OTHER_NUMBAS)
def test_with_another_numba_there_is_none_and_every_answer_is_right(built, file, here, there):
    project, answers = built
    library_of(project).unlink()
    path = project / "octree/jit" / file
    assert here in path.read_text()
    path.write_text(path.read_text().replace(here, there))
    _check_that_none_is_made(project, answers)


def _check_that_none_is_made(project: Path, answers: list[str], another: str = "") -> None:
    *found, problem = run(project, another + USE + BUILD)
    assert found == answers
    assert any(words in problem for words in ("no C compiler", "no folder", "making it failed"))
    assert not list(project.rglob("octoscope_kernels*.so"))


def test_memory_of_results_and_failures_is_given_back(built):
    project, _ = built
    ask = """
import resource
import numpy as np
from octoscope.scene.kernels import fails, pieces
values = np.arange(100_000)
def use():
    for _ in range(100):
        pieces(values)
    for _ in range(20_000):
        try:
            fails(-1)
        except ValueError:
            pass
use()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
use()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 16_000)
"""
    assert run(project, ask) == ["True"]


def test_threads_call_kernels_that_nobody_has_called_before(built):
    project, _ = built
    ask = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from octoscope.scene.kernels import pieces
with ThreadPoolExecutor(8) as threads:
    found = list(threads.map(lambda k: pieces(np.arange(k, k + 1000))[1][-1] - 1000 * k, range(64)))
print(set(map(int, found)))
"""
    assert run(project, ask) == ["{499500}"]


def test_a_shape_is_changed_in_place_wherever_numpy_can(tmp_path):
    """Compare the library's reshaping with numpy's, on random views."""
    module = _reshape_function(tmp_path)
    rng = np.random.default_rng(3)
    agreed = 0
    for shape, new in (((0, 3), (6, 0)), ((2, 0), (0,)), ((0,), (3, 0, 5))):
        assert module(np.zeros(shape), new) is not None, "as of any array without elements"
    assert module(np.zeros((0, 3)), (3,)) is None and module(np.zeros((2, 3)), (7,)) is None
    for _ in range(3000):
        old = tuple(rng.choice((1, 2, 3, 4, 6), size=rng.integers(1, 4)))
        view = np.zeros(tuple(2 * side for side in old))[tuple(slice(None, None, rng.choice((1, 2))) for _ in old)]
        if rng.random() < 0.3:
            view = view.T
        if rng.random() < 0.5:
            view = np.ascontiguousarray(view)
        factors = [f for side in view.shape for f in ((2, side // 2) if side % 2 == 0 else (side,))]
        rng.shuffle(factors)
        cuts = np.sort(rng.integers(0, len(factors) + 1, size=rng.integers(0, 3)))
        new = tuple(int(np.prod(part)) for part in np.split(np.array(factors), cuts))
        expected = view.view()
        try:
            expected.shape = new
        except AttributeError:
            assert module(view, new) is None
            continue
        strides = module(view, new)
        assert strides is not None
        moved = np.lib.stride_tricks.as_strided(view, new, strides)
        assert moved.__array_interface__["data"] == expected.__array_interface__["data"]
        agreed += all(a == b for a, b, side in zip(moved.strides, expected.strides, new, strict=True) if side > 1)
    assert agreed > 1000


def _reshape_function(folder: Path):
    source = folder / "fixed.c"
    source.write_text((ROOT / "octree/jit/library.c").read_text().partition("/* ====")[0])
    visible = [part for part in builder._compiler_command() if part != "-fvisibility=hidden"]
    subprocess.run([*visible, str(source), "-lm", "-o", str(folder / "fixed.so")], check=True, capture_output=True)
    function = ctypes.PyDLL(str(folder / "fixed.so")).numba_attempt_nocopy_reshape

    def strides_of(view: np.ndarray, new: tuple[int, ...]) -> tuple[int, ...] | None:
        sides = ctypes.c_ssize_t * 8
        found = sides()
        arguments = (view.ndim, sides(*view.shape), sides(*view.strides), len(new), sides(*new), found)
        done = function(
            *(ctypes.c_ssize_t(a) if isinstance(a, int) else a for a in arguments),
            ctypes.c_ssize_t(view.itemsize),
            0,
        )
        return tuple(found[: len(new)]) if done else None

    return strides_of
