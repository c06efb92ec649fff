"""Settings and fixtures for all tests."""

import os

import numba
import numpy as np
import pytest
from hypothesis import settings

# No deadlines: the first call of a kernel compiles it. In CI every run is the same.
settings.register_profile("octoscope", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.load_profile("octoscope")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from tests.workers import FilesToWorkers  # only here: without pytest-xdist the tests run one after another

    config.option.loadscopereorder = False  # in the order of the next function
    return FilesToWorkers(config, log)


def pytest_collection_modifyitems(config, items):
    """Begin with what takes longest where several processes share the tests, so that they end together."""
    if hasattr(config, "workerinput"):
        from tests.workers import turn  # only here, as above

        items.sort(key=turn)


@pytest.fixture(scope="session", autouse=True)
def configuration_of_nobody(tmp_path_factory):
    """No test reads the configuration of who runs it, or writes there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OCTOSCOPE_CONFIG_DIR", str(tmp_path_factory.mktemp("config")))
        yield


@pytest.fixture(scope="module")
def strict_floats():
    """numpy raises where it would warn; underflow to zero is harmless. `pytestmark = usefixtures("strict_floats")`.

    Not where numpy runs the kernels: they may compute with what stands behind the last slot, as long as nobody looks.
    """
    with np.errstate(all="ignore" if numba.config.DISABLE_JIT else "raise", under="ignore"):
        yield
