"""Commands of the interface itself: panels, themes, layout, full screen, palette, key sheet."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from octoscope.viewer.commands.switches import choice
from octoscope.viewer.commands.table import Command, Declarations
from octoscope.viewer.settings.config import SYSTEM, THEMES
from octoscope.viewer.ui.shell import Shell

command = Declarations("View")
_PANELS = "View/Panels"


@command.several
def toggle_panel(shell: Shell) -> Iterator[Command]:
    docked = [panel for panel in shell.panels if panel.place != "middle"]  # others have a command of their own
    for place, panel in enumerate(docked):
        yield Command(
            f"panel.{panel.id}",
            panel.title,
            partial(shell.toggle_panel, panel),
            _PANELS,
            keys=panel.keys,
            description="panel to the front, or off",
            checked=partial(shell.is_open, panel),
            separated=place == 0,
        )


command(
    "view.panels",
    "All panels",
    "panels and menus on or off",
    menu=_PANELS,
    keys=("Ctrl+Space",),
    checked=lambda shell: shell.shows("panels"),
    separated=True,
    synonyms=("hide interface", "zen mode", "sidebars"),
)(lambda shell: shell.toggle("panels"))

command(
    "view.figures",
    "Statistics",
    "counts and times of the picture, on or off",
    menu="View/Overlays",
    keys=("I",),
    checked=lambda shell: shell.shows("statistics"),
    synonyms=("figures", "fps", "timings", "performance"),
)(lambda shell: shell.toggle("statistics"))

command(
    "view.menu_bar",
    "Menu bar by keys",
    "open its first menu; arrows go on, Esc leaves",
    menu=_PANELS,
    keys=("F10",),
    synonyms=("focus menu", "keyboard navigation"),
)(Shell.begin_menu_bar)

command("view.toolbar", "Toolbar", "toolbar on or off", menu=_PANELS, checked=lambda shell: shell.shows("toolbar"))(
    lambda shell: shell.toggle("toolbar")
)


for _name in THEMES:
    choice(
        command,
        "settings.config.theme",
        _name,
        f"view.theme_{_name}",
        f"{_name.capitalize()} theme",
        "dark or light, as the desktop asks for at the start"
        if _name == SYSTEM
        else "of panels and of the picture's background",
        menu="View/Theme",
        synonyms=(_name, f"{_name} mode", "background", "appearance"),
    )


command("view.reset_layout", "Reset layout", "restore the panels", menu=_PANELS, synonyms=("default layout",))(
    Shell.reset_layout
)

command(
    "view.fullscreen",
    "Full screen",
    "enter or leave full screen",
    keys=("F11",),
    synonyms=("fullscreen", "maximise window"),
)(lambda shell: shell.toggle_fullscreen())

command(
    "help.commands",
    "Commands",
    "search all commands",
    menu="Help",
    keys=("Ctrl+P",),
    blender_keys=("Ctrl+P", "F3"),
    synonyms=("command palette", "search"),
)(Shell.toggle_palette)

command(
    "help.keys",
    "Keys and mouse",
    "this list",
    menu="Help",
    keys=("F1",),
    synonyms=("shortcuts", "key bindings", "hotkeys", "help"),
)(Shell.toggle_key_sheet)
