"""Settings and fixtures for all tests."""

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import numba
import numpy as np
import pytest
from hypothesis import settings

from octoscope.octree.jit import Kernel, builder, library
from octoscope.octree.jit.kernel_types import versions

# Tests start Python hundreds of times. Where the environment forbids bytecode, as in many containers, each start would
# compile the program anew, and each process of pytest-xdist all tests.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.dont_write_bytecode = False

# No deadlines: the first call of a kernel compiles it. In CI every run is the same. OCTOSCOPE_TEST_EXAMPLES=1000 looks
# longer for what random data breaks.
settings.register_profile(
    "octoscope",
    deadline=None,
    derandomize="CI" in os.environ,
    print_blob=True,
    max_examples=int(os.environ.get("OCTOSCOPE_TEST_EXAMPLES", "20")),
)
settings.load_profile("octoscope")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from tests.workers import FilesToWorkers  # only here: without pytest-xdist the tests run one after another

    config.option.loadscopereorder = False  # in the order of the next function
    return FilesToWorkers(config, log)


def pytest_collection(session):
    """Import other tests first in each of several processes: what one has compiled the others need not."""
    config = session.config
    if hasattr(config, "workerinput") and config.args_source is config.ArgsSource.TESTPATHS:
        files = sorted(Path(__file__).parent.rglob("test_*.py"))
        own = files[int(config.workerinput["workerid"][2:]) :: config.workerinput["workercount"]]
        for path in own:
            with suppress(Exception, pytest.skip.Exception):  # told when it is collected
                import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))


def pytest_collection_modifyitems(config, items):
    """Begin with what takes longest where several processes share the tests, so that they end together."""
    if hasattr(config, "workerinput"):
        from tests.workers import turn  # only here, as above

        items.sort(key=turn)


def pytest_collection_finish():
    """Hide the tests themselves from the garbage collector, which would go over all of them each time."""
    gc.freeze()


def pytest_addoption(parser):
    parser.addoption("--add-kernel-types", action="store_true", help="list what tests call kernels with")


@pytest.fixture(scope="session")
def calls_of_numba():
    """The calls of the program's kernels that the library has no machine code for, as lines of kernel_types.txt."""
    lines: list[str] = []
    called_by_python = {version.kernel for version in versions()}  # tests alone call others
    call_numba = Kernel._call_numba

    def note_and_call(kernel, *arguments, **named):
        if library.key_of(kernel.py_func) in called_by_python:
            from octoscope.octree.jit import compiler  # only here: it imports numba

            types = ", ".join(compiler.text_of(numba.typeof(each)) for each in arguments)
            lines.append(f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}({types})")
        return call_numba(kernel, *arguments, **named)

    with pytest.MonkeyPatch.context() as patch:
        if builder.is_complete():
            patch.setattr(Kernel, "_call_numba", note_and_call)
        yield lines


@pytest.fixture(autouse=True)
def no_kernel_needs_numba(request, calls_of_numba):
    """A kernel of the program is called only with types for which a wheel has it: those in kernel_types.txt.

    Checked where the library is complete, as `make test` has it.
    """
    calls_of_numba.clear()
    yield
    if request.config.getoption("--add-kernel-types"):
        for line in calls_of_numba:
            with (Path(__file__).parents[1] / line.split(".")[1] / "kernel_types.txt").open("a") as file:
                file.write(f"{line}\n")
    else:
        assert not calls_of_numba, "a wheel lacks it: run the tests with --add-kernel-types and `octoscope compile`"


@pytest.fixture(scope="session", autouse=True)
def configuration_of_nobody(tmp_path_factory):
    """No test reads the configuration of who runs it, or writes there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OCTOSCOPE_CONFIG_DIR", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="session", autouse=True)
def no_wait_for_the_disk():
    """Files are written as ever, but no test waits until they would survive a power cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        yield


@pytest.fixture(scope="module")
def strict_floats():
    """numpy raises where it would warn; underflow to zero is harmless. `pytestmark = usefixtures("strict_floats")`.

    Not where numpy runs the kernels: they may compute with what stands behind the last slot, as long as nobody looks.
    """
    with np.errstate(all="ignore" if numba.config.DISABLE_JIT else "raise", under="ignore"):
        yield


@pytest.fixture
def four_samples(monkeypatch):
    """Pictures have four samples a pixel, as those of a scene with many triangles: a fraction of the time."""
    monkeypatch.setattr("octoscope.viewer.rendering.still_drawing._MOST_REFINED", -1)
