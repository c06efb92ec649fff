"""`octoscope compile`: kernels are compiled once, and who says that they should be names a command that exists."""

import re

import pytest

from octoscope.octree.jit import compile_time, library
from octoscope.octree.jit.compile_time import CompileTimer
from octoscope.viewer.cli import compile, doctor, main
from octoscope.viewer.cli.arguments.options import COMMANDS


def test_kernels_are_compiled_where_they_are_not_yet(capsys, monkeypatch):
    done: list[bool] = []

    def compile_kernels(tell):
        tell(0.5)
        done.append(True)

    monkeypatch.setattr(compile, "compile_kernels", compile_kernels)
    monkeypatch.setattr(compile, "is_compiled", lambda: bool(done))
    for said in (r"octoscope: compiling .*\n", ""):  # `make run` shows this, and nothing where nothing is compiled
        assert main(["compile"]) == 0
        printed = capsys.readouterr()
        assert printed.out == f"compiled: {library.path()}\n"
        assert re.fullmatch(said, printed.err)
    assert done == [True]


def test_where_there_is_no_library_that_is_said(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(compile, "is_compiled", lambda: True)
    monkeypatch.setattr(library, "paths", lambda: (tmp_path / "library.so",))
    assert main(["compile"]) == 0
    assert "without a library" in capsys.readouterr().out


def test_where_nothing_can_be_kept_that_is_said_in_a_line(capsys, monkeypatch):
    monkeypatch.setattr(library, "path", lambda: None)
    assert main(["compile"]) == 2
    assert re.fullmatch(r"octoscope: .*NUMBA_CACHE_DIR.*\n", capsys.readouterr().err)


def test_whoever_has_to_wait_or_asks_is_told_of_it(capsys, monkeypatch):
    monkeypatch.setattr(compile_time, "PATIENCE_SECONDS", -1.0)
    CompileTimer().begin()
    facts = {
        "opengl": {"window": {}},
        "kernels": {"compiled": False, "library": "kernels.so"},
        "settings": {"writable": True},
    }
    told = [capsys.readouterr().err, *doctor._remedies(facts, draws=True)]
    assert [re.findall(r"`octoscope (\w+)`", text) for text in told] == [["compile"]] * 2
    assert "compile" in COMMANDS


@pytest.mark.parametrize("options", [[], ["--help"]])
def test_it_takes_no_files(options, capsys):
    assert main(["compile", "a.obj", *options]) == (0 if options else 2)
