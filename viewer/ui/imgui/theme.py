"""Themes: the colours of the interface, dark and light, and its spacing."""

from __future__ import annotations

from dataclasses import dataclass

from imgui_bundle import imgui

from octoscope.viewer.frame.look import marks
from octoscope.viewer.frame.look.backdrop import DARK_BACKDROP, LIGHT_BACKDROP, Backdrop

FONT_SIZE = 15.0  # logical pixels

Color = tuple[float, float, float, float]


@dataclass(frozen=True)
class Theme:
    """Colours for panels besides Dear ImGui's own, each red, green, blue, opacity from 0 to 1.

    All text is readable on every background, on `chosen` and `also_chosen`, and on a panel over any picture: a contrast
    of 4.5 to 1, as the Web Content Accessibility Guidelines 2.1 ask for (1.4.3). Icons, the rims of check boxes and the
    ring around what has the keyboard have 3 to 1 (1.4.11).
    """

    is_dark: bool
    text: Color
    quiet: Color  # less important text
    warm: Color  # keys, warnings, what is on
    error: Color
    good: Color
    link: Color  # text that can be clicked
    accent: Color  # what is selected or active
    primary: Color  # background of the button that a box is there for
    on_primary: Color  # text on it
    mesh: Color  # icons of objects
    group: Color  # icons of groups and folders
    surface: Color  # background behind panels
    panel: Color  # background of panels
    raised: Color  # background of headings and buttons
    well: Color  # background of fields
    line: Color
    backdrop: Backdrop

    @property
    def primary_hovered(self) -> Color:
        """The background of that button under the mouse; darker, since its text is white."""
        red, green, blue = (0.85 * channel for channel in self.primary[:3])
        return (red, green, blue, 1.0)

    @property
    def chosen(self) -> Color:
        """The background of the active row in a panel."""
        return with_opacity(self.accent, 0.36 if self.is_dark else 0.30)

    @property
    def also_chosen(self) -> Color:
        """The background of the other selected rows."""
        return with_opacity(self.accent, 0.18 if self.is_dark else 0.15)


DARK = Theme(
    is_dark=True,
    text=(0.87, 0.89, 0.92, 1.0),
    quiet=(0.64, 0.68, 0.735, 1.0),
    warm=(1.0, 0.72, 0.30, 1.0),
    error=(1.0, 0.56, 0.52, 1.0),
    good=(0.47, 0.78, 0.52, 1.0),
    link=(0.47, 0.71, 1.0, 1.0),
    accent=(0.23, 0.50, 0.86, 1.0),
    primary=(0.16, 0.42, 0.78, 1.0),
    on_primary=(1.0, 1.0, 1.0, 1.0),
    mesh=(0.45, 0.72, 0.93, 1.0),
    group=(0.90, 0.72, 0.40, 1.0),
    surface=(0.075, 0.082, 0.094, 1.0),
    panel=(0.112, 0.122, 0.138, 1.0),
    raised=(0.182, 0.198, 0.224, 1.0),
    well=(0.078, 0.086, 0.098, 1.0),
    line=(0.23, 0.25, 0.28, 1.0),
    backdrop=DARK_BACKDROP,
)
LIGHT = Theme(
    is_dark=False,
    text=(0.12, 0.13, 0.15, 1.0),
    quiet=(0.31, 0.335, 0.37, 1.0),
    warm=(0.53, 0.265, 0.0, 1.0),
    error=(0.65, 0.07, 0.06, 1.0),
    good=(0.05, 0.37, 0.14, 1.0),
    link=(0.07, 0.31, 0.66, 1.0),
    accent=(0.22, 0.50, 0.90, 1.0),
    primary=(0.13, 0.40, 0.78, 1.0),
    on_primary=(1.0, 1.0, 1.0, 1.0),
    mesh=(0.10, 0.42, 0.68, 1.0),
    group=(0.62, 0.40, 0.05, 1.0),
    surface=(0.80, 0.815, 0.835, 1.0),
    panel=(0.94, 0.945, 0.955, 1.0),
    raised=(0.865, 0.875, 0.89, 1.0),
    well=(0.985, 0.987, 0.99, 1.0),
    line=(0.72, 0.74, 0.77, 1.0),
    backdrop=LIGHT_BACKDROP,
)
BY_NAME = {"dark": DARK, "light": LIGHT}
AXIS_COLORS: tuple[Color, ...] = tuple((*color, 1.0) for color in marks.AXIS_COLORS)  # x, y, z
OVER_PICTURE = 0.9  # opacity over the picture; with less, quiet text is unreadable on bright pictures


def with_opacity(color: Color, opacity: float) -> Color:
    """Return the colour with a lower opacity."""
    return (*color[:3], opacity)


def packed(color: Color) -> int:
    """Return the colour as Dear ImGui's draw lists take it."""
    return imgui.get_color_u32(imgui.ImVec4(*color))


def apply_theme(theme: Theme, scale: float) -> None:
    """Apply a theme to the current Dear ImGui context; `scale` enlarges text and spacing."""
    style = imgui.get_style()
    (imgui.style_colors_dark if theme.is_dark else imgui.style_colors_light)()
    style.font_size_base = FONT_SIZE
    style.font_scale_main = scale
    for name, across, down in (  # with the font, rows of lists are 20 apart, rows of fields 28: on a grid of 4
        ("window_padding", 8.0, 8.0),
        ("frame_padding", 8.0, 4.0),
        ("item_spacing", 8.0, 5.0),
        ("item_inner_spacing", 8.0, 4.0),
        ("cell_padding", 4.0, 2.0),
    ):
        setattr(style, name, imgui.ImVec2(across * scale, down * scale))
    for name, pixels in (
        ("indent_spacing", 16.0),
        ("scrollbar_size", 12.0),
        ("grab_min_size", 12.0),
        ("window_rounding", 6.0),
        ("popup_rounding", 6.0),
        ("frame_rounding", 4.0),
        ("frame_border_size", 1.0),
        ("tab_min_width_shrink", 110.0),  # as wide as most titles with their cross
        ("selectable_rounding", 4.0),
        ("menu_item_rounding", 4.0),
        ("grab_rounding", 4.0),
        ("tab_rounding", 4.0),
        ("scrollbar_rounding", 4.0),
        ("docking_separator_size", 3.0),
    ):
        setattr(style, name, pixels * scale)
    style.window_menu_button_position = imgui.Dir.none
    for name, color in _colors(theme).items():
        style.set_color_(int(getattr(imgui.Col_, name)), imgui.ImVec4(*color))


def _colors(theme: Theme) -> dict[str, Color]:
    """Return the colours of Dear ImGui's items, by their names there."""
    accent = theme.accent
    return {
        "text": theme.text,
        "text_disabled": theme.quiet,
        "text_link": theme.link,
        "window_bg": theme.panel,
        "child_bg": (0.0, 0.0, 0.0, 0.0),
        "popup_bg": theme.panel,
        "border": theme.line,
        "frame_bg": theme.well,  # fields are sunk and buttons raised, so that they look different
        "frame_bg_hovered": theme.raised,
        "frame_bg_active": theme.chosen,
        "nav_cursor": theme.link,
        "resize_grip": theme.line,
        "resize_grip_hovered": theme.quiet,
        "resize_grip_active": theme.quiet,
        "title_bg": theme.surface,
        "title_bg_active": theme.surface,
        "title_bg_collapsed": theme.surface,
        "menu_bar_bg": theme.surface,
        "scrollbar_bg": (0.0, 0.0, 0.0, 0.0),
        "scrollbar_grab": theme.line,
        "scrollbar_grab_hovered": theme.quiet,
        "scrollbar_grab_active": theme.quiet,
        "check_mark": theme.accent,
        "slider_grab": accent,
        "button": theme.raised,
        "button_hovered": with_opacity(accent, 0.55),
        "button_active": with_opacity(accent, 0.65),
        "header": theme.chosen,
        "header_hovered": with_opacity(theme.text, 0.08),  # no accent, which means selected
        "header_active": with_opacity(accent, 0.6),
        "separator": theme.line,
        "separator_hovered": accent,
        "separator_active": accent,
        "tab": theme.surface,
        "tab_hovered": with_opacity(accent, 0.5),
        "tab_selected": theme.panel,
        "tab_selected_overline": accent,
        "tab_dimmed": theme.surface,
        "tab_dimmed_selected": theme.panel,
        "tab_dimmed_selected_overline": (0.0, 0.0, 0.0, 0.0),
        "docking_empty_bg": theme.surface,
        "plot_histogram": accent,
        "text_selected_bg": with_opacity(accent, 0.5),
        "table_header_bg": theme.surface,
        "table_row_bg_alt": with_opacity(theme.raised, 0.35),
    }
