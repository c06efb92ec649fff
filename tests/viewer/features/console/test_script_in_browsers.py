"""The controls of scripts in browsers."""

import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from octoscope.viewer.features.console.browser import BrowserScript
from tests.viewer.features.web.serving import packed, served_to_one
from tests.viewer.features.web.test_session import cubes


def test_a_browser_moves_a_slider_and_sees_what_the_script_sets():
    scene = cubes(3)
    with served_to_one(scene) as (served, connection):
        session = served.session
        (part,) = (part for part in session._panel._features if isinstance(part, BrowserScript))
        window, pressed = session.shown, []
        move = lambda x: setattr(scene[1], "translation", (x, 0, 0))  # noqa: E731
        slider = window.slider("x", 0.0, 10.0, 5.0, move)
        button = window.button("Go", lambda: pressed.append(window.selection.ids.tolist()))
        served.until(lambda: len(part._shown) == 2 and part._folder.visible, "the controls")

        def send(control: object, value: object) -> None:
            uuid = part._shown[control][0]._impl.uuid
            connection.send(packed("GuiUpdateMessage", uuid=uuid, updates={"value": value}))

        for x in (6.0, 7.0, 7.5):
            send(slider, x)
            served.until(lambda x=x: scene.translations[1, 0] == x, "the cube to move")
        send(slider, 99.0)
        send(button, True)
        served.until(lambda: pressed == [[]], "the button's function")
        assert scene.translations[1, 0] == slider.value == 7.5
        served.until(lambda: part._shown[slider][0].value == 7.5, "the slider to go back")
        slider.value = 2.0
        served.until(lambda: part._shown[slider][0].value == 2.0, "what the script has set")
        assert scene.translations[1, 0] == 7.5
        served.until(lambda: session.editor.history.undo_label == "x", "the edit to end")
        session.editor.undo()
        assert scene.translations[1, 0] != 6.0
        window.on_key("F6", lambda: pressed.append("never"), label="Old")
        served.until(lambda: "script.f6" in part._keys, "a button for the key")
        window.on_key("F6", lambda: pressed.append("F6"), label="Light")
        window.on_key("Ctrl+9", lambda: window.run_command("select.all"), label="All")
        served.until(lambda: part._keys["script.f6"].label == "Light (F6)", "the label of the later function")
        for key in ("f6", "ctrl+9"):
            uuid = part._keys[f"script.{key}"]._impl.uuid
            connection.send(packed("GuiUpdateMessage", uuid=uuid, updates={"value": True}))
        served.until(lambda: len(window.selection) == len(scene), "the command to run")
        assert pressed[-1] == "F6" and {"script.f6", "script.ctrl+9"} <= session._panel.commands._entries
        for control in (slider, button):
            control.remove()
        served.until(lambda: not part._shown, "the controls to go")
