"""Shell: everything in the window but the picture: menus, docked panels, and overlays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from imgui_bundle import imgui

from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.settings.config import WindowState
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.ui.boxes import Boxes
from octoscope.viewer.ui.dialogs.key_sheet import KeySheet
from octoscope.viewer.ui.dialogs.palette import Palette
from octoscope.viewer.ui.imgui.backend import PICTURE_TEXTURE_ID
from octoscope.viewer.ui.imgui.docking import Area, Docking
from octoscope.viewer.ui.imgui.items import item
from octoscope.viewer.ui.imgui.theme import BY_NAME, Theme, apply_theme
from octoscope.viewer.ui.imgui.windows import FIXED, draw_shadows, keep_inside, resize_floating
from octoscope.viewer.ui.overlays import menus
from octoscope.viewer.ui.overlays.hud import Hud, HudState
from octoscope.viewer.ui.overlays.menus import ContextMenu
from octoscope.viewer.ui.overlays.start_box import draw_start_box
from octoscope.viewer.ui.overlays.status_bar import Status, draw_status_bar
from octoscope.viewer.ui.overlays.toolbar import draw_toolbar
from octoscope.viewer.ui.widgets.panel import Panel

_ROOM_FOR_PANELS = (640.0, 340.0)  # logical pixels; in a smaller window one panel at a time lies over the picture
_ROOM_FOR_STATISTICS = (560.0, 400.0)  # of the picture; with less, and with several views, only the sum of times
_MARGIN = 10.0
_UNDOCKED = 300.0, 400.0  # logical pixels
_FLOATING = 640.0, 460.0  # of panels that lie over the picture at first
_RAISE_FRAMES = 3  # a new tab has its place and width after two
_CURSORS = {
    imgui.MouseCursor_.text_input: "text",
    imgui.MouseCursor_.resize_ew: "size_left_right",
    imgui.MouseCursor_.resize_ns: "size_up_down",
    imgui.MouseCursor_.hand: "hand",
}


class Shell:
    """Lays out and draws the interface of a window around `picture`, which others draw; keeps `state` up to date."""

    def __init__(
        self,
        boxes: Boxes,
        context_menu: ContextMenu,
        docking: Docking,
        state: WindowState,
        settings: Settings,
        panels: Sequence[Panel],
        *,
        ways_in: Sequence[tuple[str, str]] = (),
        overlay_covers: Callable[[tuple[float, float]], bool] = lambda point: False,
        toggle_fullscreen: Callable[[], object] = lambda: None,
    ) -> None:
        self.panels = panels
        self.boxes = boxes
        self.focus = boxes.focus
        self.key_sheet = KeySheet(settings)
        self.context_menu = context_menu
        self.toggle_fullscreen = toggle_fullscreen
        self.settings = settings
        self._ways_in = ways_in
        self._overlay_covers = overlay_covers
        self._state = state
        self._hud = Hud()
        self._palette = Palette()
        self._docking = docking
        self.toolbar_width = 0.0  # from the picture's left edge to its right one, logical pixels; 0 without one
        self._opens_menu = False  # with the next frame, the first one of the bar
        self._areas: list[Area] = []  # covered by windows over the picture
        self._raise: str | None = None  # id of a panel to bring to the front
        self._raise_frames = _RAISE_FRAMES  # in which its tab is scrolled to, and tabs get their widths
        self._in_front: set[str] = set()  # ids of panels that no other tab hid in the last frame
        self._window_size: tuple[int, int] | None = None  # in the last frame
        self._is_small = False  # whether a panel lies over the picture
        self._over_picture: str | None = None  # id of that panel
        self._popup_is_open = False
        self._panel_class = imgui.WindowClass()  # tabs have a close button, the dock needs none
        self._panel_class.dock_node_flags_override_set = imgui.internal.DockNodeFlagsPrivate_.no_close_button
        self.apply_theme()

    @property
    def picture(self) -> Area:
        """The area of the picture."""
        return self._docking.picture

    @property
    def theme(self) -> Theme:
        """The present theme."""
        return BY_NAME[self.settings.config.shown_theme]

    @property
    def state(self) -> WindowState:
        """The state of the window, to be saved for the next time."""
        floating = {panel.id for panel in self.panels if panel.place == "middle"}  # come up when they are asked for
        kept = {panel: is_open for panel, is_open in self._state.open.items() if panel not in floating}
        layout = imgui.save_ini_settings_to_memory()
        return replace(self._state, open=kept, layout=layout, layout_scale=self._scale)

    @property
    def cursor(self) -> str | None:
        """The mouse cursor that suits what is under it, as `Window.set_cursor` takes it."""
        return _CURSORS.get(imgui.MouseCursor_(imgui.get_mouse_cursor()))

    @property
    def places_tabs(self) -> bool:
        """True while tabs are not as wide as their titles yet."""
        return self._raise_frames > 0

    @property
    def reads_toasts(self) -> bool:
        """True while the mouse is over the messages, which then stay."""
        return self._hud.reads_toasts

    @property
    def lasting_areas(self) -> list[Area]:
        """The parts of the picture, from its corner, under the toolbar and boxes, but for messages."""
        return self._hud.lasting

    def covers(self, point: tuple[float, float]) -> bool:
        """Return whether anything but the picture was drawn at a point (logical pixels) in the last frame."""
        size = imgui.get_main_viewport().size
        return (
            self._popup_is_open
            or not self._docking.gives_to_picture(point, (round(size.x), round(size.y)))
            or any(area.holds(point) for area in (*self._areas, *self._hud.areas))
            or self._overlay_covers(point)
        )

    def close_floating(self) -> bool:
        """Close the panels that lie over the picture at first, and return whether one was open."""
        floating = [panel for panel in self.panels if panel.place == "middle" and self.is_open(panel)]
        for panel in floating:
            self._close(panel)
        return bool(floating)

    def show_panel(self, panel_id: str) -> None:
        """Open a panel, unless it is open, and bring it to the front."""
        self._state.panels = True
        if self._is_small:
            self._over_picture = panel_id
            return
        self._state.open[panel_id] = True
        self._raise, self._raise_frames = panel_id, _RAISE_FRAMES

    def is_open(self, panel: Panel) -> bool:
        """Return whether a panel is open; it is out of sight while all panels are switched off."""
        if self._is_small:
            return self._over_picture == panel.id
        return self._state.open.get(panel.id, panel.starts_open)

    def is_in_front(self, panel_id: str) -> bool:
        """Return whether a panel was drawn in the last frame: it is open, and no other tab hid it."""
        return panel_id in self._in_front

    def shows(self, part: str) -> bool:
        """Return whether the "panels", the "statistics" or the "toolbar" are switched on."""
        return getattr(self._state, part)

    def toggle(self, part: str) -> None:
        """Switch the "panels", the "statistics" or the "toolbar" on or off."""
        setattr(self._state, part, not self.shows(part))

    def toggle_panel(self, panel: Panel) -> None:
        """Open a panel and bring it to the front, or close it if it is there."""
        if self._state.panels and self.is_open(panel) and self.is_in_front(panel.id):
            self._close(panel)
        else:
            self.show_panel(panel.id)

    def follow_tab(self) -> None:
        """Go to the next field or button of the panel that has the focus, else of the start box or the right panel."""
        start = imgui.internal.find_window_by_name("start")
        panels = sorted(
            (each for each in self.panels if self.is_in_front(each.id)), key=lambda each: each.place != "right"
        )
        self.focus.begin_ring("start" if start is not None and start.active else next(map(_window, panels), ""))

    def toggle_key_sheet(self) -> None:
        """Open or close the list of keys."""
        self.key_sheet.toggle()
        self.focus.note_field(self.key_sheet.is_open)

    def toggle_palette(self) -> None:
        """Open or close the command palette."""
        self._palette.toggle()
        self.focus.note_field(self._palette.is_open)

    def begin_menu_bar(self) -> None:
        """Open the first menu of the bar, which arrows leave for others."""
        self._state.panels = self._opens_menu = True
        self.focus.settle()

    def reset_layout(self) -> None:
        """Restore the original panels and their positions."""
        self._state.panels = True
        self._state.open.clear()
        self._docking.reset()

    def _close(self, panel: Panel) -> None:
        if self._is_small:
            self._over_picture = None
        else:
            self._state.open[panel.id] = False

    @property
    def _scale(self) -> float:
        return self._docking.scale

    def rescale(self, scale: float) -> None:
        """Draw text, spacing and panels in another scale; call it between frames."""
        if scale != self._scale:
            for panel in self.panels:
                resize_floating(_window(panel), scale / self._scale)
            self._docking.rescale(scale)
            self.apply_theme()

    def apply_theme(self) -> None:
        """Have all that is drawn from now on look as the present theme and scale say."""
        apply_theme(self.theme, self._scale)

    # Draw.

    def draw(self, table: CommandTable, hud: HudState, status: Status, pixel_ratio: tuple[float, float]) -> None:
        """Describe the interface, between new_frame and render of the backend."""
        viewport_size = imgui.get_main_viewport().size
        window_size = (round(viewport_size.x), round(viewport_size.y))
        before, self._window_size = self._window_size or window_size, window_size
        grown = float(window_size[0] - before[0]), float(window_size[1] - before[1])
        self._areas = []
        all_appear = not self._in_front  # at the start, or as panels are switched on again
        self._in_front = set()
        shows_panels = self._state.panels
        if shows_panels:
            menus.draw_menu_bar(table, opens_first=self._opens_menu)
            self._opens_menu = False
            draw_status_bar(status, table, self.theme, self._scale)
            docked = {_window(panel): panel.place for panel in self.panels if panel.place != "middle"}
            self._docking.draw(docked, pixel_ratio)
            self._is_small = not _has_room(window_size, _ROOM_FOR_PANELS, self._scale)
            if self._is_small:
                self._draw_over_picture()
            else:
                self._over_picture = None
                self._draw_panels(all_appear, grown)
        else:
            self._docking.fill()
        picture = self.picture
        imgui.get_background_draw_list().add_image(
            imgui.ImTextureRef(PICTURE_TEXTURE_ID),
            (picture.left, picture.top),
            (picture.right, picture.bottom),
            (0.0, 1.0),
            (1.0, 0.0),
        )
        if self.key_sheet.is_open or (self._is_small and self._over_picture):  # would cover each other
            hud = replace(hud, statistics=None)
        toolbar = None
        if shows_panels and self._state.toolbar:
            toolbar = draw_toolbar(table, self.theme, picture, self._scale)
        self._areas += [toolbar] if toolbar else []
        self.toolbar_width = toolbar.right - picture.left if toolbar else 0.0
        if hud.is_empty and not (self._is_small and self._over_picture):
            self._areas.append(draw_start_box(table, self.theme, picture, self._scale, self._ways_in))
        self._draw_hud(replace(hud, status=None) if shows_panels else hud, picture, toolbar)
        was_open = self.key_sheet.is_open
        self.key_sheet.draw(table, self.theme, window_size, self._scale, self._note_area)
        if was_open and not self.key_sheet.is_open:
            self.focus.release_keyboard()
        self.context_menu.draw(table)
        self._palette.draw(table, self.theme, window_size, self._scale)
        self.boxes.path.draw(self.theme, window_size, self._scale)
        if self.boxes.question.is_open:  # its Enter must not submit the form
            self.boxes.form.hide()
        else:
            self.boxes.form.draw(self.theme, picture, window_size, self._scale)
        self.boxes.question.draw(self.theme, window_size, self._scale)
        self._popup_is_open = (
            self._palette.is_open
            or self.boxes.path.is_open
            or self.boxes.form.is_open
            or self.boxes.question.is_open
            or imgui.is_popup_open("", imgui.PopupFlags_.any_popup_id | imgui.PopupFlags_.any_popup_level)
        )
        draw_shadows(self._scale)
        self.focus.count_frame()
        self._raise_frames = max(0, self._raise_frames - 1)

    def _draw_hud(self, hud: HudState, picture: Area, toolbar: Area | None) -> None:
        is_short = bool(hud.viewports) or not _has_room(picture.size, _ROOM_FOR_STATISTICS, self._scale)
        self._hud.draw(hud, self.theme, picture, self._scale, toolbar=toolbar, is_short=is_short)

    def _draw_panels(self, all_appear: bool, grown: tuple[float, float]) -> None:
        for panel in self.panels:
            if not self.is_open(panel):
                continue
            if self._raise == panel.id and self._raise_frames == _RAISE_FRAMES:
                imgui.set_next_window_focus()
            size = _FLOATING if panel.place == "middle" else _UNDOCKED
            viewport = imgui.get_main_viewport()
            size = [min(side * self._scale, room) for side, room in zip(size, viewport.work_size, strict=True)]
            imgui.set_next_window_size(size, imgui.Cond_.first_use_ever)
            middle = viewport.get_center()
            imgui.set_next_window_pos(middle, imgui.Cond_.first_use_ever, (0.5, 0.5))
            imgui.set_next_window_class(self._panel_class)
            keep_inside(_window(panel), grown)
            # Else the last one would be the tab in front; one that appears alone does so in front.
            keeps_tabs = all_appear and self._raise != panel.id
            flags = imgui.WindowFlags_.no_focus_on_appearing if keeps_tabs else 0
            self._draw_panel(panel, _window(panel), flags)

    def _draw_over_picture(self) -> None:
        """Draw the panel that is open at the right of the picture."""
        for panel in filter(self.is_open, self.panels):
            picture, margin = self.picture, _MARGIN * self._scale
            width = min(300.0 * self._scale, 0.8 * picture.size[0])
            imgui.set_next_window_pos((picture.right - margin, picture.top + margin), imgui.Cond_.always, (1.0, 0.0))
            imgui.set_next_window_size((width, picture.size[1] - 2.0 * margin))
            self._draw_panel(panel, item(panel.title, f"{panel.id} over the picture"), FIXED)

    def _draw_panel(self, panel: Panel, name: str, flags: int = 0) -> None:
        seen, is_open = imgui.begin(name, True, flags)
        self._note_area()
        if seen:
            self._in_front.add(panel.id)
            panel.draw(self.theme)
        if self._raise_frames and (seen or self._raise == panel.id):  # at the start, too
            _scroll_to_tab()
        imgui.end()
        if not is_open:
            self._close(panel)

    def _note_area(self) -> None:
        self._areas.append(Area.of_window())


def scale_with_room(chosen: float | None, screen: float, window_size: tuple[int, int]) -> float:
    """Return the scale of the interface: the screen's, or what was chosen, as far as this leaves room for panels."""
    if chosen is None or chosen <= screen:
        return chosen or screen
    room = min(side / needed for side, needed in zip(window_size, _ROOM_FOR_PANELS, strict=True))
    return max(screen, min(chosen, math.floor(100.0 * room) / 100.0))


def _has_room(size: tuple[float, float], least: tuple[float, float], scale: float) -> bool:
    return all(side >= needed * scale for side, needed in zip(size, least, strict=True))


def _scroll_to_tab() -> None:
    """Have the tab of the present window scrolled to: others beside it may take all the room."""
    window = imgui.internal.get_current_window()
    if window.dock_node is not None and window.dock_node.tab_bar is not None:
        window.dock_node.tab_bar.next_scroll_to_tab_id = window.tab_id


def _window(panel: Panel) -> str:
    """Return the Dear ImGui name of a panel's window: its title, and its id, which stays if the title changes."""
    return item(panel.title, panel.id)
