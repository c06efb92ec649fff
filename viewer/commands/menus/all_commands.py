"""The commands of all menus; a new file of commands is added here."""

from __future__ import annotations

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.menus import (
    camera,
    edit,
    file,
    help,
    light,
    mending,
    objects,
    octree,
    select,
    tools,
    units,
    view,
)
from octoscope.viewer.commands.table import Command


def commands_of_menus(context: Context) -> list[Command]:
    """Return the commands of the menus, bound to their context, in the order of the menus."""
    return [
        command
        for menu in (file, edit, objects, mending, select, view, light, camera, units, octree, tools, help)
        for command in menu.command.bound_to(context)
    ]
