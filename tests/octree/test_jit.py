"""Compiled kernels are kept on disk, and forgotten when anything they were made of has changed."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE

import pytest

from tests.octree.projects import copy_octree

# A project of two packages, kernels of one of them made of all that can lie in files of the other.
SOURCES = {
    "octree/inner.py": "from octoscope.octree.deepest import FACTOR\nfrom octoscope.octree.jit import kernel\n\n"
    "@kernel\ndef inner(x):\n    return FACTOR * x\n",
    "octree/deepest.py": "from typing import NamedTuple\n\nFACTOR = 2\n\n"
    "class Pair(NamedTuple):\n    first: int\n    second: int\n",
    "octree/aside.py": "from octoscope.octree.jit import kernel\n\n@kernel\ndef aside(x):\n    return x\n",
    "scene/__init__.py": "",
    "scene/outer.py": "from typing import TYPE_CHECKING\n\n"
    "from octoscope.octree.deepest import (\n    Pair,  # a pair\n)\n"
    "from octoscope.octree.inner import inner\nfrom octoscope.octree.jit import kernel\n\n"
    "if TYPE_CHECKING:\n    from octoscope.viewer.window.window import W\n\n"
    "@kernel\ndef outer(pair):\n    return inner(pair.first) + 100 * pair.second\n",
    "viewer/__init__.py": "",
    "viewer/window/window.py": "from octoscope.scene.outer import outer\n\nW = 1\n",
}
ASK = """
from octoscope.octree.aside import aside
from octoscope.scene.outer import Pair, outer
aside(1)
print(outer(Pair(1, 3)), *(sum(kernel.dispatcher.stats.cache_hits.values()) for kernel in (outer, aside)))
"""
# Forks a process for each program that it is given, with numba as it is when just imported, which takes longest.
FORKS = """
import json, os, sys, traceback
import numba
for line in sys.stdin:
    folder, program = json.loads(line)
    if os.fork() == 0:
        os.chdir(folder)
        try:
            exec(program, {})
        except BaseException:
            traceback.print_exc(file=sys.stdout)
        sys.stdout.flush()
        os._exit(0)
    os.wait()
    print(flush=True)
"""


@pytest.fixture(scope="module")
def forks() -> Iterator[subprocess.Popen]:
    without_library = {**os.environ, "NUMBA_DEBUG_CACHE": "0"}  # a setting of numba's: it does everything alone
    program = [sys.executable, "-B", "-c", FORKS]  # -B: texts change within the second that a .pyc tells apart
    with subprocess.Popen(program, stdin=PIPE, stdout=PIPE, text=True, bufsize=1, env=without_library) as forks:
        yield forks
        forks.stdin.close()


@pytest.fixture
def project(tmp_path):
    copy_octree(tmp_path)
    for name, text in SOURCES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    return tmp_path


@pytest.fixture
def ask(project, forks):
    """Return what outer((1, 3)) gives in a new process, and how often it and `aside` came from the cache."""

    def ask(before: str = "") -> tuple[int, int, int]:
        forks.stdin.write(json.dumps([str(project), before + ASK]) + "\n")
        lines = list(iter(forks.stdout.readline, "\n"))
        assert len(lines) == 1, "".join(lines)
        result, of_outer, of_aside = map(int, lines[0].split())
        return result, of_outer, of_aside

    return ask


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_a_kernel_is_compiled_again_when_anything_that_it_is_made_of_changes(project, ask):
    assert ask() == (302, 0, 0)
    assert ask() == (302, 1, 1)
    change(project / "octree/deepest.py", "FACTOR = 2", "FACTOR = 3")
    assert ask() == (303, 0, 1), "a constant in a file of another folder, through a second one"
    change(project / "octree/inner.py", "FACTOR * x", "FACTOR - x")
    assert ask() == (302, 0, 1), "a kernel in another folder"
    change(project / "octree/deepest.py", "    first: int\n    second: int\n", "    second: int\n    first: int\n")
    assert ask() == (100, 0, 1), "the layout of an argument"
    (project / "viewer/window/window.py").write_text("W = 2\n")
    (project / "octree/deepest.py").touch()
    assert ask() == (100, 1, 1), "nothing that it is made of"


def test_what_was_compiled_of_a_text_that_changed_meanwhile_is_not_used_for_the_new_one(project, ask):
    rewrite = """
import octoscope.octree.inner, pathlib
path = pathlib.Path("octree/deepest.py")
path.write_text(path.read_text().replace("FACTOR = 2", "FACTOR = 3"))
"""
    assert ask(rewrite) == (302, 0, 0)
    assert ask() == (303, 0, 1)


def test_calls_with_numbers_written_into_them_share_machine_code(project, ask):
    change(project / "scene/outer.py", "inner(pair.first)", "inner(pair.first) + inner(5) - inner(4)")
    assert ask() == (304, 0, 0)
    assert len(list(project.rglob("inner.inner-*.nbc"))) == 1


def test_a_division_by_zero_in_a_kernel_gives_what_it_gives_in_numpy(project, ask):
    (project / "octree/inner.py").write_text(
        "from octoscope.octree.jit import borrowing_kernel as kernel\n\n@kernel\ndef inner(x):\n"
        "    return 7 if 1.0 / (x - 1.0) == float('inf') and not (x - 1.0) / (x - 1.0) > 0.0 else 0\n"
    )
    assert ask()[0] == 307


@pytest.mark.slow
def test_a_kernel_is_compiled_again_when_the_class_of_its_argument_has_another_name(project, ask):
    assert ask() == (302, 0, 0)
    change(project / "octree/deepest.py", "class Pair", "class Two")
    change(project / "scene/outer.py", "    Pair,  # a pair\n", "    Two as Pair,\n")
    assert ask() == (302, 0, 1)


def test_a_kernel_is_compiled_again_when_the_class_of_an_argument_it_does_not_import_has_moved(project, ask):
    text = "from typing import NamedTuple\n\nclass Own(NamedTuple):\n    value: int\n"
    for name in ("here", "there"):
        (project / f"scene/{name}.py").write_text(text)
        call = f"from octoscope.octree.aside import aside\nfrom scene.{name} import Own\naside(Own(1))\n"
        assert ask(call)[0] == 302
        (project / f"scene/{name}.py").unlink()


OTHER_NUMBAS = {
    "without a cache": """
from numba.core import dispatcher
dispatcher.FunctionCache = lambda f: dispatcher.NullCache()
""",
    "another name of the index's class": """
import builtins, numba.core.caching as caching
builtins.IndexDataCacheFile = caching.IndexDataCacheFile
del caching.IndexDataCacheFile
""",
    "an index without a dictionary": """
import numba.core.caching as caching
class Index:
    __slots__ = ("_version", "_source_stamp")
    def __init__(self, **arguments): pass
    def load(self, key): return None
    def save(self, key, data): pass
caching.IndexDataCacheFile = Index
""",
    "another attribute of the cache": """
import numba.core.caching as caching
caching.FunctionCache._cache_file = property(None, lambda cache, index: vars(cache).update(index=index))
""",
    "another attribute of the index": """
import numba.core.caching as caching
class Index:
    def __init__(self, **arguments): self.release = arguments
    def load(self, key): return None
    def save(self, key, data): pass
caching.IndexDataCacheFile = Index
""",
}


@pytest.mark.parametrize(
    "another",
    [
        pytest.param(code, id=name, marks=pytest.mark.slow if number else [])
        for number, (name, code) in enumerate(OTHER_NUMBAS.items())
    ],
)
def test_with_a_numba_that_keeps_its_cache_in_another_way_nothing_out_of_date_is_used(project, ask, another):
    assert ask(another)[0] == 302
    change(project / "octree/deepest.py", "FACTOR = 2", "FACTOR = 3")
    assert ask(another) == (303, 0, 0 if "del caching" not in another else 1)
