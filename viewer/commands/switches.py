"""Commands that switch a setting of the view on or off."""

from __future__ import annotations

from functools import partial
from typing import Any

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations


def switch(command: Declarations, attribute: str, command_id: str, label: str, description: str, **more: Any) -> None:
    """Declare a command that switches a setting of the view.

    Args:
        attribute: a bool of ViewSettings.
    """
    is_on = partial(_is_on, attribute)
    command(command_id, label, description, checked=is_on, **more)(partial(_toggle, attribute))


def _is_on(attribute: str, context: Context) -> bool:
    return bool(getattr(context.view.settings, attribute))


def _toggle(attribute: str, context: Context) -> None:
    setattr(context.view.settings, attribute, not getattr(context.view.settings, attribute))
    context.view.times.reset()  # figures from before and after must not mix
