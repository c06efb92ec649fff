"""The window of settings in a real window, beside a file that a person wrote and goes on writing."""

from __future__ import annotations

from tests.viewer.windows.test_panels import is_light
from tests.viewer.windows.window_steps import WINDOW_TEST
from tests.viewer.windows.xvfb import open_window, wait_for

pytestmark = WINDOW_TEST
WRITTEN = """\
# mine
quality = "constant"
system_dialogs = false

[keys]
view.grid = "F5" # as everywhere
"""


def test_what_is_set_is_seen_and_written_and_what_is_written_is_seen(boxes, tmp_path):
    (config := tmp_path / "config").mkdir()
    (path := config / "config.toml").write_text(WRITTEN)
    with open_window(boxes, folder=tmp_path, config=config) as window:
        window.rest()
        window.press("ctrl+comma")
        window.rest()
        width, height = window.picture().shape[1::-1]
        left, top = (width - 640) // 2, (height - 460) // 2
        window.click((left + 300, top + 75))  # the theme
        window.rest()
        window.click((left + 300, top + 125))
        wait_for(lambda: is_light(window), "the light theme")
        assert path.read_text() == WRITTEN.replace("\n\n", '\ntheme = "light"\n\n')
        path.write_text(path.read_text().replace("light", "dark").replace("F5", "F6"))
        wait_for(lambda: not is_light(window), "the theme that was written")
        window.press("ctrl+q")
        assert window.wait_for_exit() == 0
        assert window.errors == ""
