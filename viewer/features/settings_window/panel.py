"""SettingsPanel: the window of settings with its pages."""

from __future__ import annotations

from dataclasses import replace

from imgui_bundle import imgui

from octoscope.viewer.commands.context import Context
from octoscope.viewer.features.settings_window.key_capture import KeyCapture
from octoscope.viewer.features.settings_window.keys_page import KeysPage
from octoscope.viewer.features.settings_window.pages import Rows
from octoscope.viewer.settings.config import KEYS, MOUSE, PAGES, Config
from octoscope.viewer.ui.imgui.items import item_tooltip, tab_list
from octoscope.viewer.ui.imgui.theme import Theme


class SettingsPanel:
    """A tab for each page, and below it what goes for all."""

    id, title, place, keys, starts_open = "settings", "Settings", "middle", (), False

    def __init__(self, context: Context) -> None:
        self._context = context
        self.capture = KeyCapture(context, lambda: imgui.get_frame_count() - self._drawn_in <= 1)
        self._keys_page = KeysPage(context, self.capture)
        self._rows = Rows(context.settings)
        self._page = PAGES[0]
        self._before: Config | None = None  # the settings when the window was opened
        self._drawn_in = -2  # the frame in which it was drawn last

    def draw(self, theme: Theme) -> None:
        """Draw the page that is chosen, and the buttons."""
        self._drawn_in = imgui.get_frame_count()
        settings, scale = self._context.settings, self._context.view.interface_scale
        if self._before is None or imgui.is_window_appearing():
            self._before = settings.config
        footer = imgui.get_frame_height() + 2.0 * imgui.get_style().item_spacing.y
        self._page = page = tab_list(theme, "pages", dict(zip(PAGES, PAGES, strict=True)), self._page)
        if imgui.begin_child(page, (0.0, -footer)):
            imgui.spacing()
            if page == KEYS:
                self._rows.draw_setting("preset", theme, scale)
                self._keys_page.draw(theme)
            else:
                self._rows.draw_page(page, theme, scale)
            if page == MOUSE:
                self._rows.draw_drags(scale)
        imgui.end_child()
        imgui.begin_disabled(settings.config == self._before)
        if imgui.button("Revert"):
            settings.config = replace(self._before, problems=settings.config.problems)
        imgui.end_disabled()
        item_tooltip("Settings as they were when this window was opened")
        imgui.same_line()
        if imgui.button("Settings file"):
            self._context.run("file.settings")
