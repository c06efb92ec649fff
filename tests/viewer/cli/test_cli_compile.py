"""`octoscope compile`: kernels are compiled once, and who says that they should be names a command that exists."""

import re
from pathlib import Path

import pytest

from octoscope.octree.jit import builder, compile_time, library
from octoscope.octree.jit.compile_time import CompileTimer
from octoscope.viewer.cli import commands, doctor, main


def test_kernels_are_compiled_where_they_are_not_yet(capsys, monkeypatch):
    done: list[bool] = []

    def build(tell, *, only_first):
        tell(0.5)
        done.append(only_first)

    monkeypatch.setattr(builder, "build", build)
    monkeypatch.setattr(builder, "is_complete", lambda *, only_first: bool(done))
    monkeypatch.setattr(library, "made", lambda: Path("kernels.so"))
    for said in (r"octoscope: compiling .*\n", ""):  # `make run` shows this, and nothing where nothing is compiled
        assert main(["compile", "--first"]) == 0
        printed = capsys.readouterr()
        assert printed.out == "compiled: kernels.so\n"
        assert re.fullmatch(said, printed.err)
    assert done == [True]


def test_where_there_can_be_no_library_that_is_said_in_a_line(capsys, monkeypatch):
    monkeypatch.setattr(builder, "is_complete", lambda *, only_first: False)
    monkeypatch.setattr(library, "path", lambda: None)
    assert main(["compile"]) == 2
    assert re.search(r"\noctoscope: .*NUMBA_CACHE_DIR.*\n$", capsys.readouterr().err)


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
    assert "compile" in commands()


class _Terminal:
    def __init__(self, *, is_terminal: bool) -> None:
        self.text, self.isatty = "", lambda: is_terminal

    def write(self, text: str) -> None:
        self.text += text

    def flush(self) -> None:
        pass


@pytest.mark.parametrize("is_terminal", [True, False])
def test_progress_is_one_line_of_a_terminal_and_some_lines_elsewhere(monkeypatch, is_terminal):
    screen = _Terminal(is_terminal=is_terminal)
    monkeypatch.setattr("sys.stderr", screen)
    timer = CompileTimer()
    for step in range(95):
        timer.tell(step / 94.0)
    assert screen.text.count("\n") == (1 if is_terminal else 11)
    assert screen.text.endswith("100%\n")
    told: list[float] = []
    with timer.listening(told.append):
        timer.tell(0.5)
    assert told == [0.5] and screen.text.endswith("100%\n")


@pytest.mark.parametrize("options", [[], ["--help"]])
def test_it_takes_no_files(options, capsys):
    assert main(["compile", "a.obj", *options]) == (0 if options else 2)
