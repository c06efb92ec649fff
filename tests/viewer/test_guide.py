"""Compare menus and keys in the guide with the table of commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from docs.scripts import tables
from octoscope.viewer.commands.table import CommandTable
from octoscope.viewer.window.keys import PRESETS
from tests.viewer.scenes import box_scene

DOCS = Path(__file__).parents[2] / "docs"
IN_WINDOW = [
    DOCS / f"{name}.md"
    for name in ("starting", "moving", "selecting", "editing", "inspecting", "octree", "files", "pictures")
]
OF_TOOLS = {"Backspace", "Enter", "G", "R", "S", "Shift+Enter"}  # keys of Blender, or inside a tool


@pytest.fixture
def commands(open_app):
    return open_app(box_scene()).table.commands


def test_the_page_of_keys_is_the_table_of_commands(commands):
    page = (DOCS / "keys.md").read_text(encoding="utf-8")
    made = tables.with_table(page, tables.keys(commands))
    assert sorted(made.splitlines()) == sorted(page.splitlines()), "make docs-tables writes it; the order is no matter"


@pytest.mark.parametrize("path", IN_WINDOW, ids=lambda path: path.stem)
def test_menu_paths_of_a_page_exist(path, commands):
    known = {" > ".join((*command.menu.split("/"), command.label)).casefold() for command in commands}
    known |= {menu.replace("/", " > ").casefold() for menu in {command.menu for command in commands}}
    named = re.findall(r"\*([A-Z][^*\n]* > [^*\n]+)\*", path.read_text(encoding="utf-8"))
    assert [name for name in named if name.casefold() not in known] == []


@pytest.mark.parametrize("path", IN_WINDOW, ids=lambda path: path.stem)
def test_keys_of_a_page_are_those_of_commands(path, commands):
    tables_of_presets = [CommandTable(commands, preset=preset) for preset in PRESETS]
    known = {str(chord) for table in tables_of_presets for command in commands for chord in table.keys_of(command)}
    named = re.findall(r"<kbd>([^<]+)</kbd>", path.read_text(encoding="utf-8"))
    assert [key for key in named if key not in known | OF_TOOLS] == []
