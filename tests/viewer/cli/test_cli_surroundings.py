"""The program and its surroundings: no OpenGL, its streams, a reader that went away, a full disk."""

import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from octoscope.viewer.rendering.context import offscreen
from tests.viewer.cli.cli_steps import box

pytestmark = pytest.mark.usefixtures("in_folder")


def as_process(*arguments, environment=None, before=(), stdout=subprocess.PIPE):
    """Run the program as another process; buffered, as it is where nobody set PYTHONUNBUFFERED."""
    code = "import sys; from octoscope.viewer.cli import main; sys.exit(main())"
    command = [*before, sys.executable, "-c", code, *map(str, arguments)]
    environment = os.environ | (environment or {})
    environment.pop("PYTHONUNBUFFERED", None)
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, timeout=60, env=environment)


def test_no_opengl_is_one_line(write, refused, monkeypatch):
    def create_context(**_):
        raise Exception("cannot\ncreate context")

    offscreen.offscreen_thread().end()  # with the context of earlier tests
    monkeypatch.setattr(offscreen.moderngl, "create_context", create_context)
    line = refused("render", write("a.obj", box("a")), "-o", "out.png")
    assert "OpenGL" in line and "install" in line
    assert not os.path.exists("out.png")


@pytest.mark.skipif(sys.platform != "linux", reason="hides Mesa's drivers")
def test_no_opengl_at_all(write):
    nothing = dict.fromkeys(("__EGL_VENDOR_LIBRARY_FILENAMES", "LIBGL_DRIVERS_PATH", "GBM_BACKENDS_PATH"), "/nowhere")
    environment = nothing | {"DISPLAY": ":9999", "GALLIUM_DRIVER": "none"}
    write("a.obj", box("a"))
    process = as_process("render", "a.obj", "-o", "out.png", environment=environment)
    assert (process.returncode, process.stdout) == (2, b"")
    lines = process.stderr.decode().splitlines()  # the driver says a word or two of its own
    assert lines[-1].startswith("octoscope: no OpenGL") and "Traceback" not in lines[0]
    assert sum(line.startswith("octoscope: ") for line in lines) == 1
    info = as_process("info", "a.obj", "--json", environment=environment)  # needs none
    assert json.loads(info.stdout)["triangles"] == 12


def test_json_is_alone_on_standard_output(write):
    write("a.obj", "mtllib missing.mtl\nusemtl none\n" + box("a"))
    process = as_process("info", "a.obj", "missing.obj", "--json")
    assert process.returncode == 1
    assert process.stdout.startswith(b"{") and json.loads(process.stdout)["triangles"] == 12
    assert len(process.stderr.splitlines()) == 3


RESULTS = (
    "info a.obj",
    "pick a.obj --ray 0 0 5 0 0 -1",
    "convert a.obj -o out.stl",
    "render a.obj -o out.png --size 8x8",
)


@pytest.mark.parametrize("command", RESULTS)
def test_results_go_to_standard_output_and_complaints_to_standard_error(write, run, command):
    def without_seconds(text):
        return re.sub(r"(load seconds +|, )[\d.]+( s)?\n", "", text)

    write("a.obj", box("a"))
    status, clean, notes = run(*command.split())
    assert status == 0 and len(clean) > 20 and "octoscope: " not in clean
    write("a.obj", "nonsense\n" + box("a"))
    status, out, err = run(*command.split())
    (complaint,) = set(err) - set(notes)
    assert status == 0 and "'nonsense'" in complaint
    assert without_seconds(out) == without_seconds(clean)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes")
@pytest.mark.parametrize("command", ("--help", "info a.obj", "info a.obj --json"))
def test_reader_that_went_away(write, command):
    write("a.obj", box("a"))
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = as_process(*command.split(), stdout=write_end)
    os.close(write_end)
    assert (process.returncode, process.stderr) == (0, b"")


def test_names_that_a_terminal_cannot_show_are_spelt_out(write):
    write("a.obj", box("Tür"))
    process = as_process("pick", "a.obj", "--ray", 0, 0, 5, 0, 0, -1, environment={"PYTHONIOENCODING": "ascii"})
    assert (process.returncode, process.stderr) == (0, b"") and b"a.obj/T\\xfcr" in process.stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_full_disk_behind_standard_output(write):
    write("a.obj", box("a"))
    with open("/dev/full", "w") as full:
        process = as_process("info", "a.obj", "--json", stdout=full)
    assert process.returncode == 2
    (line,) = process.stderr.splitlines()
    assert line.startswith(b"octoscope: ") and b"No space left" in line


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_closed_standard_error(write):
    write("a.obj", box("a"))
    process = as_process("info", "a.obj", "--json", before=["sh", "-c", 'exec "$@" 2>&-', "sh"])
    assert process.returncode == 0
    assert json.loads(process.stdout)["triangles"] == 12


INTERRUPTING = """
import os, runpy, signal, sys

signal.signal(signal.SIGINT, signal.default_int_handler)  # as a terminal has it, not a shell's background

class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPTED_MODULE"]:
            sys.meta_path.remove(self)
            print("interrupted", flush=True)
            os.kill(os.getpid(), int(os.environ["INTERRUPTING_SIGNAL"]))

sys.meta_path.insert(0, Interrupting())
runpy.run_module("octoscope", run_name="__main__", alter_sys=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="a signal that only other systems send")
@pytest.mark.parametrize(
    "module",
    (
        "octoscope.viewer.cli",
        "numpy",
        "octoscope.octree.jit.library",
        "octoscope.scene.scene",
        "octoscope.viewer.cli.info",
    ),
)
@pytest.mark.parametrize("number", (signal.SIGINT, signal.SIGTERM))
def test_a_signal_while_the_program_starts_ends_it_without_a_word(write, module, number):
    command = [sys.executable, "-c", INTERRUPTING, "info", write("a.obj", box("a"))]
    environment = os.environ | {"INTERRUPTED_MODULE": module, "INTERRUPTING_SIGNAL": str(int(number))}
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "interrupted\n", "")


def test_the_installed_program_starts_where_python_m_does():
    (entry,) = (entry for entry in metadata.entry_points(group="console_scripts") if entry.name == "octoscope")
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())
    assert project["project"]["scripts"]["octoscope"] == "octoscope.__main__:main"
    assert callable(entry.load())
