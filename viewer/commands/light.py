"""View > Light: where the key light shines from, shadows and ambient occlusion."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.frame.look.lighting import LIGHTING

command = Declarations("View")
of_light = partial(command, menu="View/Light")


def _change(context: Context, **changes: Any) -> None:
    context.view.settings.lighting = replace(context.view.settings.lighting, **changes)


@of_light(
    "light.fix",
    "Fix key light to the world",
    "or let it follow the camera",
    checked=lambda context: context.view.settings.lighting.is_fixed_to_world,
    synonyms=("light follows camera", "headlight", "world light", "sun"),
)
def fix(context: Context) -> None:
    view = context.view
    view.settings.lighting = view.settings.lighting.fixed(
        view.camera.axes, to_world=not view.settings.lighting.is_fixed_to_world
    )


@of_light(
    "light.reset",
    "Usual light",
    "from the upper left, with the camera, at its usual strengths",
    enabled=lambda context: context.view.settings.lighting != LIGHTING,
    synonyms=("reset light", "default light"),
)
def reset(context: Context) -> None:
    context.view.settings.lighting = LIGHTING


# What dims light.


def _is_on(name: str, context: Context) -> bool:
    return bool(getattr(context.view.settings.lighting, name))


def _toggle(name: str, context: Context) -> None:
    _change(context, **{name: not getattr(context.view.settings.lighting, name)})
    context.view.times.reset()  # figures from before and after must not mix


for _name, _id, _label, _description, _words in (
    (
        "has_shadow",
        "shadows",
        "Shadows",
        "of the key light, on objects and on the ground, in a picture that stands still",
        ("shadow", "cast shadows", "contact shadow", "soft shadow"),
    ),
    (
        "has_occlusion",
        "occlusion",
        "Ambient occlusion",
        "less light where surfaces are near each other, in a picture that stands still",
        ("ssao", "ao", "gtao", "cavity"),
    ),
):
    of_light(
        f"light.{_id}",
        _label,
        _description,
        checked=partial(_is_on, _name),
        separated=_id == "shadows",
        synonyms=_words,
    )(partial(_toggle, _name))


# Strengths.

_STRENGTHS = {"strength": (0.5, 0.75, 1.0, 1.5, 2.0), "occlusion_strength": (0.25, 0.5, 0.75, 1.0)}
_STRENGTHS["shadow_strength"] = _STRENGTHS["occlusion_strength"]


def _step(name: str, step: int, context: Context) -> None:
    """Take the next larger or smaller strength."""
    now = getattr(context.view.settings.lighting, name)
    others = [each for each in _STRENGTHS[name] if (each - now) * step > 0.0]
    if others:
        _change(context, **{name: others[0] if step > 0 else others[-1]})


def _can_step(name: str, step: int, context: Context) -> bool:
    return step * (_STRENGTHS[name][-1 if step > 0 else 0] - getattr(context.view.settings.lighting, name)) > 0.0


def _strength(name: str, context: Context) -> str:
    return f"(now {getattr(context.view.settings.lighting, name):.0%})"


for _name, _id, _more, _less, _words in (
    ("strength", "key", "Brighter key light", "Dimmer key light", ("light strength", "intensity", "exposure")),
    ("shadow_strength", "shadow", "Darker shadows", "Lighter shadows", ("shadow strength",)),
    (
        "occlusion_strength",
        "occlusion",
        "Stronger ambient occlusion",
        "Weaker ambient occlusion",
        ("occlusion strength",),
    ),
):
    for _sign, _label, _suffix in ((1, _more, "up"), (-1, _less, "down")):
        of_light(
            f"light.{_id}_{_suffix}",
            _label,
            enabled=partial(_can_step, _name, _sign),
            of=partial(_strength, _name),
            separated=_id == "key" and _sign > 0,
            synonyms=_words,
        )(partial(_step, _name, _sign))
