"""Check what a browser sends before anything of it is used.

Only messages of a few types are taken, each with exactly the fields that its type has, finite numbers and short texts.
viser itself would also let a browser set any attribute of a control, upload files and open a tunnel to the world.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import msgspec
from viser import _messages as known

LARGEST_BYTES = 64 * 1024  # of one message; those that a page sends are far smaller
_LONGEST_TEXT = 1000
_LONGEST_LIST = 64
_FARTHEST = 1e12  # of any number

_TAKEN: dict[str, type[known.Message]] = {
    kind.__name__: kind
    for kind in (
        known.ViewerCameraMessage,
        known.ScenePointerMessage,
        known.TransformControlsDragStartMessage,
        known.TransformControlsUpdateMessage,
        known.TransformControlsDragEndMessage,
        known.GuiUpdateMessage,
        known.CommandTriggerMessage,
    )
}


class BadMessage(ValueError):
    """A message that no page of ours sends."""


def accepts(raw: str | bytes) -> bool:
    """Return whether a message is to be handed on; False for one that a page may send, but that is not wanted here."""
    if not isinstance(raw, bytes) or len(raw) > LARGEST_BYTES:
        raise BadMessage("not a message in bytes, or too large")
    try:
        fields = msgspec.msgpack.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessage("not MessagePack") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("type"), str):
        raise BadMessage("a message without a type")
    _check_value(fields)
    kind = _TAKEN.get(fields.pop("type"))
    if kind is None:
        return False
    try:
        message: Any = msgspec.convert(fields, kind)
    except msgspec.ValidationError as error:
        raise BadMessage(str(error)) from error
    if set(fields) - {field.name for field in dataclasses.fields(message)}:
        raise BadMessage("fields that do not belong there")
    if isinstance(message, known.GuiUpdateMessage) and set(message.updates) != {"value"}:
        raise BadMessage("a page sets values of controls, nothing else of them")
    if isinstance(message, known.ScenePointerMessage):
        if message.event_type == "rect-select":
            return len(message.screen_pos) == 2
        return message.ray_origin is not None and message.ray_direction is not None
    return True


def _check_value(value: object, depth: int = 0) -> None:
    """Raise BadMessage for numbers that are not finite, texts or lists that are too long, and other things."""
    if isinstance(value, str):
        is_good = len(value) <= _LONGEST_TEXT
    elif isinstance(value, bool) or value is None:
        is_good = True
    elif isinstance(value, int | float):
        is_good = math.isfinite(value) and abs(value) <= _FARTHEST
    elif isinstance(value, list | dict):
        is_good = len(value) <= _LONGEST_LIST and depth < 4
        for each in value.values() if isinstance(value, dict) else value:
            _check_value(each, depth + 1)
    else:
        is_good = False
    if not is_good:
        raise BadMessage("a value that is too large, too long, or of a wrong kind")
