"""The console without a window: what is typed, what it prints, completes and changes; the panel of controls."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import octoscope
from octoscope.viewer.features.console.console import Console
from octoscope.viewer.features.console.panel import ConsolePanel
from octoscope.viewer.features.console.script_panel import ScriptPanel
from octoscope.viewer.settings.config import WindowState
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


@pytest.fixture
def console(app: HeadlessApp) -> Console:
    (panel,) = (each for each in app.shell.panels if isinstance(each, ConsolePanel))
    return panel._console


def entered(app: HeadlessApp, console: Console, text: str) -> list[tuple[str, str]]:
    """Enter a text, and return what was printed."""
    console.clear()
    assert console.enter(text) == ""
    app.session.script.run_waiting()
    return [line for line in console.lines if line[0] != "input"]


def test_an_input_changes_the_scene_as_one_undo(app, console):
    before = app.view.scene.translations.copy()
    count = len(app.view.scene)
    app.editor.select([1])
    text = "for node in scene.objects[:2]:\n    scene[node].translation = (0, 5, 0)\nselection[0].name = 'chosen'"
    assert entered(app, console, text) == []
    entered(app, console, "new = scene.add_mesh('new', [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])")
    assert (app.view.scene.translations[:2] == (0, 5, 0)).all() or (app.view.scene.names == "chosen").any()
    assert app.done[1:] == ["for node in scene.objects[:2]:", "new = scene.add_mesh('new', [(0, 0, 0), (1, 0..."]
    app.editor.undo()
    assert len(app.view.scene) == count
    app.editor.undo()
    np.testing.assert_array_equal(app.view.scene.translations[: len(before)], before)
    assert "chosen" not in app.view.scene.names.tolist()


def test_values_prints_and_errors_are_shown(app, console, capsys):
    assert entered(app, console, "2 + 3") == [("output", "5")]
    assert entered(app, console, "print('a\\nb', end='')\nnp.arange(3)") == [
        ("output", "a"),
        ("output", "barray([0, 1, 2])"),
    ]
    *calls, last = entered(app, console, "def f():\n    return 1 / 0\n\nf()")
    assert last == ("error", "ZeroDivisionError: division by zero")
    assert ("error", "    return 1 / 0") in calls
    assert not any("console.py" in text for _, text in calls)
    assert entered(app, console, "scene.oops = = 1")[-1] == ("error", "SyntaxError: invalid syntax")
    assert entered(app, console, "raise SystemExit(3)")[-1] == ("error", "SystemExit: 3")
    assert capsys.readouterr().out == ""


@pytest.fixture
def without_timer() -> Iterator[None]:
    """Put the timer of the limit for tests aside."""
    before = signal.signal(signal.SIGALRM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGALRM, before)


def test_ctrl_c_ends_what_runs_after_the_call_of_octoscope_that_goes_on(app, console, monkeypatch, without_timer):
    monkeypatch.setattr(app.session.script, "_is_interrupted", lambda: True)
    octoscopes = {"__name__": "octoscope.scene.any", "done": []}
    exec("def work():\n    done.append(0)\n    for n in range(6_000_000): pass\n    done.append(1)", octoscopes)
    app.session.script.names["work"] = octoscopes["work"]
    lines = entered(app, console, "work()\nfor n in range(10**9): pass")
    assert lines[-1] == ("error", "KeyboardInterrupt: Ctrl+C in the window")
    assert not any("interrupting" in text for _, text in lines)
    assert octoscopes["done"] == [0, 1]
    app.session.script.run("again", lambda: exec("for n in range(10**9): pass", {"__name__": "__main__"}))
    assert "KeyboardInterrupt" in app.session.log.entries[-1].text
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("for n in range(3):", "for n in range(3):\n    "),
        ("for n in range(3):\n    n", "for n in range(3):\n    n\n    "),
        ("for n in range(3):\n    n\n    ", ""),
        ("f(1,", "f(1,\n"),
        ("1 +* 2", ""),
        ("  ", ""),
    ],
)
def test_enter_runs_what_is_finished(app, console, text, field):
    assert console.enter(text) == field


def test_names_are_completed_and_inputs_come_back(app, console):
    assert console.complete("print(win") == "dow"
    assert console.complete("window.selec") == "tion"
    assert console.complete("scene.set_") == ""
    assert "set_colors" in " ".join(text for _, text in console.lines).split()
    assert max(len(text) for _, text in console.lines) <= 100, "the list is wrapped"
    assert console.complete("    ") == "    "
    assert console.complete("nonsense") == ""
    for text in ("1", "2"):
        console.enter(text)
    assert [console.step("typed", step) for step in (-1, -1, -1, 1, 1)] == ["2", "1", "1", "2", ""]


def test_controls_are_drawn_and_worked_with_the_mouse(open_app):
    app = open_app(box_scene(), state=WindowState(open={"inspector": False}))
    window, told = app.session.script.names["window"], []
    controls = [
        window.button("Go", lambda: told.append("go")),
        window.slider("number", 0, 10, 5, told.append),
        window.checkbox("on", False, told.append),
        window.dropdown("colour", ["red", "blue"], "red", told.append),
        window.text_field("name", "box", told.append),
        window.slider("share", 0.0, 1.0, 0.5),
    ]
    app.settle()
    (panel,) = (each for each in app.shell.panels if isinstance(each, ScriptPanel))
    assert app.shell.is_open(panel)
    left, top = app.shell.picture.right + 30.0, 60.0
    for row in range(6):
        app.click((left, top + 27.0 * row))
        app.session.script.run_waiting()
    assert told[:3] == ["go", 1, True]
    for control in controls:
        control.remove()
    app.settle()
    assert not app.shell.is_open(panel)


def test_the_example_of_the_guide_works(app):
    guide = (Path(octoscope.__file__).parents[1] / "docs" / "python.md").read_text(encoding="utf-8")
    script = app.session.script
    assert script.run_file(Path("raise.py"), guide.split("```\n# raise.py")[1].split("```")[0].encode())
    heights = app.view.scene.translations[app.selected, 1].copy()
    app.press("K")
    script.run_waiting()
    script.change(script.controls[2], "orange")
    script.run_waiting()
    np.testing.assert_array_equal(app.view.scene.translations[app.selected, 1], heights + 1.0)
    assert app.done == ["Run raise.py", "Raise the selection", "colour"]
