"""OpenWindow as scripts use it: commands by name, keys and controls of their own, each call one undo."""

from __future__ import annotations

import pytest

from octoscope.viewer.app.open_window import OpenWindow
from tests.viewer.headless_app import HeadlessApp
from tests.viewer.scenes import box_scene


@pytest.fixture
def app(open_app) -> HeadlessApp:
    return open_app(box_scene())


@pytest.fixture
def window(app) -> OpenWindow:
    return OpenWindow(app.session.context)


def test_commands_run_by_name(app, window):
    assert window.commands["view.frame"] == app.table["view.frame"].label
    window.run_command("select.all")
    assert len(window.selection) == len(app.selected) > 1
    with pytest.raises(ValueError, match=r"^there is no command 'view.fram'; did you mean 'view.frame'\?$"):
        window.run_command("view.fram")
    app.editor.select([])
    with pytest.raises(ValueError, match=r"^Delete: "):
        window.run_command("edit.delete")


def test_a_key_of_a_script_is_a_command_that_outlasts_other_keys(app, window):
    calls = []

    def raise_it() -> None:
        calls.append(window.selection.ids.tolist())
        window.scene[1].translation += (0, 1, 0)

    window.on_key("k", lambda: calls.append("never"))
    window.on_key("k", raise_it)
    app.press("K")
    app.session.script.run_waiting()
    assert calls == [[]]
    assert app.done == ["raise_it"]
    assert app.table["script.k"] in app.table.search("raise it")
    with pytest.raises(ValueError, match=r"^F is the key of '.*' \(view.frame\); choose another$"):
        window.on_key("f", raise_it)
    with pytest.raises(ValueError, match="unknown key"):
        window.on_key("nokey", raise_it)
    app.table.rebind("blender", {})
    app.table.rebind("octoscope", {"view.frame": ["K"]})  # a person's keys win
    app.table.rebind("octoscope", {})
    app.press("K")
    app.session.script.run_waiting()
    assert len(calls) == 2


def test_a_slider_that_is_moved_on_is_one_undo_and_other_calls_are_their_own(app, window):
    script, scene = app.session.script, window.scene
    before = scene.translations.copy()
    slider = window.slider(
        "height", 0.0, 9.0, on_change=lambda height: setattr(scene[1], "translation", (0, height, 0))
    )
    button = window.button("Copy", lambda: window.run_command("edit.duplicate"))
    for height in (1.0, 2.0, 3.0):
        script.change(slider, height)
        script.run_waiting()
        scene[2].translation += (1, 0, 0)  # as an animation does, which is not recorded
    app.editor.select([1])
    script.change(button)
    script.run_waiting()
    assert app.done[0] == "height"
    assert app.done[-1] == "Copy"
    assert len(app.done) == 3
    for _ in range(3):
        app.editor.undo()
    assert scene.translations[1].tolist() == before[1].tolist()
    assert scene.translations[2].tolist() == (before[2] + (3, 0, 0)).tolist()


def test_an_error_is_told_with_its_line_and_what_was_done_can_be_undone(app, window, capsys):
    def fail() -> None:
        window.scene[1].name = "half done"
        raise KeyError("no such thing")

    script = app.session.script
    script.change(window.button("Fail", fail))
    script.run_waiting()
    line = fail.__code__.co_firstlineno + 2
    (entry,) = app.session.log.entries
    assert entry.text == f"{__file__}:{line}: KeyError: 'no such thing'"
    assert f'test_open_window.py", line {line}, in fail' in capsys.readouterr().err
    assert app.done == ["Fail"]


def test_values_that_do_not_fit_are_refused(window):
    slider = window.slider("count", 1, 5)
    assert (slider.value, slider.is_whole) == (1, True)
    for set_it in (lambda: setattr(slider, "value", 6), lambda: window.dropdown("none", [])):
        with pytest.raises(ValueError, match=r"count: a value of 1 to 5 is needed, not 6|none: "):
            set_it()
    with pytest.raises(TypeError, match="label"):
        window.button(3, print)
    with pytest.raises(AttributeError, match="give the function"):
        slider.on_update(print)
