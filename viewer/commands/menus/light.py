"""View > Light: where the key light shines from, shadows and ambient occlusion."""

from __future__ import annotations

from functools import partial

from octoscope.viewer.commands.context import Context
from octoscope.viewer.commands.switches import steps, switch
from octoscope.viewer.commands.table import Declarations
from octoscope.viewer.frame.look.lighting import LIGHTING

command = Declarations("View")
of_light = partial(command, menu="View/Light", needs_window=True)


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
    "from the upper left, with the camera, at its usual strengths; the environment is not turned",
    enabled=lambda context: (
        context.view.settings.lighting != LIGHTING or context.view.settings.environment_rotation_deg != 0.0
    ),
    synonyms=("reset light", "default light"),
)
def reset(context: Context) -> None:
    context.view.settings.lighting, context.view.settings.environment_rotation_deg = LIGHTING, 0.0


# What dims light.


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
    switch(
        of_light,
        f"view.settings.lighting.{_name}",
        f"light.{_id}",
        _label,
        _description,
        separated=_id == "shadows",
        synonyms=_words,
    )


# Strengths.

_SHARES = (0.25, 0.5, 0.75, 1.0)
for _name, _id, _labels, _words in (
    ("strength", "key", ("Brighter key light", "Dimmer key light"), ("light strength", "intensity", "exposure")),
    ("shadow_strength", "shadow", ("Darker shadows", "Lighter shadows"), ("shadow strength",)),
    (
        "occlusion_strength",
        "occlusion",
        ("Stronger ambient occlusion", "Weaker ambient occlusion"),
        ("occlusion strength",),
    ),
):
    steps(
        of_light,
        f"view.settings.lighting.{_name}",
        (0.5, 0.75, 1.0, 1.5, 2.0) if _id == "key" else _SHARES,
        f"light.{_id}",
        _labels,
        "{:.0%}",
        separated=_id == "key",
        synonyms=_words,
    )
