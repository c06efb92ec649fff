"""Write the tables of keys.md, command_line.md and starting.md: `make docs-tables`.

They come from the table of commands, the options of the program and its settings, between two marks in each page.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

import moderngl

from octoscope import Scene
from octoscope.scene.system.text_file import printable
from octoscope.viewer import cli
from octoscope.viewer.cli.documentation import commands_of, value_of
from octoscope.viewer.commands.table import MENUS, Command, CommandTable
from octoscope.viewer.settings.config import DECLARED, Config, pictures_folder
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.ui.dialogs.key_sheet import KeySheet
from octoscope.viewer.window.keys import BLENDER, OCTOSCOPE, PRESETS
from tests.viewer.headless_app import HeadlessApp

PAGES = Path(__file__).parents[1]
BEGIN, END = "<!-- made by docs/scripts/tables.py: -->\n", "<!-- end -->\n"


def main() -> None:
    """Write the pages."""
    ctx = moderngl.create_standalone_context(backend="egl")
    app = HeadlessApp(ctx, Scene())
    tables = {"keys": keys(app.table.commands), "command_line": command_line(), "starting": settings()}
    for name, lines in tables.items():
        page = PAGES / f"{name}.md"
        page.write_text(with_table(page.read_text(encoding="utf-8"), lines), encoding="utf-8")
    app.close()


def with_table(page: str, lines: Iterable[str]) -> str:
    """Return a page with lines between its marks, in place of those that are there."""
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return head + BEGIN + "\n" + "\n".join(lines) + "\n\n" + END + tail


def keys(commands: Iterable[Command]) -> Iterator[str]:
    """Yield the lines of keys.md: what the mouse does, and each command with its keys in both presets."""
    commands = list(commands)
    default, blender = (CommandTable(commands, preset=preset) for preset in (OCTOSCOPE, BLENDER))
    yield from ("## Mouse", "", "| gesture | |", "|---|---|")
    ours, *others = (_mouse_rows(default, preset) for preset in PRESETS)
    yield from (f"| {gesture} | {what} |" for gesture, what in ours)
    for preset, theirs in zip(PRESETS[1:], others, strict=True):
        yield from ("", f'Otherwise with `preset = "{preset}"`:', "", "| gesture | |", "|---|---|")
        yield from (f"| {gesture} | {what} |" for gesture, what in theirs if (gesture, what) not in ours)
    for menu in MENUS:
        yield from (
            "",
            f"## {menu} menu",
            "",
            "| command | keys | Blender's keys | what it does | id |",
            "|---|---|---|---|---|",
        )
        for command in commands:
            if command.id != "file.recent" and command.menu.partition("/")[0] == menu:
                path = " > ".join((*command.menu.split("/")[1:], command.label))
                pressed, also = (_code(table.keys_of(command)) for table in (default, blender))
                other = "" if also == pressed else also or "none"
                what = command.description.replace(printable(pictures_folder()), "your folder of pictures")
                yield f"| {path} | {pressed} | {other} | {what} | `{command.id}` |"


def _mouse_rows(table: CommandTable, preset: str) -> list[tuple[str, str]]:
    sheet = KeySheet(Settings(config=Config(preset=preset)))
    return [(gesture, what) for group, gesture, what in sheet.rows(table) if group == "Mouse"]


def settings() -> Iterator[str]:
    """Yield the lines of starting.md: each setting with its values and default."""
    yield from ("| in `config.toml` | values | |", "|---|---|---|")
    for name, declared in DECLARED.items():
        default = getattr(Config(), name)
        values = [f'"{value}"' for value in declared.choices] or ["true", "false"]
        if declared.limits is not None:
            values = [f"{declared.limits[0]:g} to {declared.limits[1]:g}"]
        usual = f'"{default}"' if isinstance(default, str) else str(default).lower()
        shown = [f"**`{value}`**" if value == usual else f"`{value}`" for value in values]
        yield f"| `{name}` | {', '.join(shown)} | {declared.about} |"


def _code(chords: Iterable[object]) -> str:
    return ", ".join(f"<kbd>{chord}</kbd>" for chord in chords)


def command_line() -> Iterator[str]:
    """Yield the lines of command_line.md: each command with all its options."""
    for name, parser in commands_of(cli._parser(None)).items():
        yield from (f"## octoscope {name}", "", f"{_sentence(parser.description or '')}.", "")
        yield from ("| option | |", "|---|---|")
        for action in parser._actions:
            if not isinstance(action, argparse._HelpAction) and action.help is not argparse.SUPPRESS:
                written = " ".join(filter(None, (", ".join(action.option_strings), value_of(action))))
                text = (action.help or "") % vars(action)
                yield "| `{}` | {} |".format(*(each.replace("|", "\\|") for each in (written, text)))
        yield ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".")


if __name__ == "__main__":
    main()
