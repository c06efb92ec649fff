"""The themes: every text can be read where it stands."""

from __future__ import annotations

import re

import pytest

from octoscope.viewer.ui.imgui.theme import BY_NAME, OVER_PICTURE, Color, _colors
from tests.viewer.contrast import contrast

LEAST = 4.5  # Web Content Accessibility Guidelines 2.1, 1.4.3
LEAST_OF_GRAPHICS = 3.0  # 1.4.11
GRAPHICS = ("mesh", "group", "warm", "quiet", "link")  # icons; rims of check boxes; the ring of what has the keyboard
TEXTS = ("text", "quiet", "warm", "error", "good", "link")
BLACK, WHITE = (0.0, 0.0, 0.0, 1.0), (1.0, 1.0, 1.0, 1.0)


def over(color: Color, ground: Color, opacity: float) -> Color:
    return tuple(a * opacity + b * (1.0 - opacity) for a, b in zip(color[:3], ground[:3], strict=True))


def test_contrast_is_what_it_is_said_to_be():
    assert contrast(BLACK, WHITE) == pytest.approx(21.0)
    assert contrast((0.467, 0.467, 0.467, 1.0), WHITE) == pytest.approx(4.48, abs=0.01)  # the well-known #777 on white


@pytest.mark.parametrize("name", BY_NAME)
def test_all_text_can_be_read_on_every_background(name):
    colors = BY_NAME[name]
    grounds = {
        "surface": colors.surface,
        "panel": colors.panel,
        "raised": colors.raised,
        "well": colors.well,
        "a chosen row": over(colors.chosen, colors.panel, colors.chosen[3]),
        "a row beside it": over(colors.also_chosen, colors.panel, colors.also_chosen[3]),
        "a panel over a black picture": over(colors.panel, BLACK, OVER_PICTURE),
        "a panel over a white picture": over(colors.panel, WHITE, OVER_PICTURE),
    }
    unreadable = [
        f"{text} on {what}: {contrast(getattr(colors, text), ground):.2f}"
        for text in TEXTS
        for what, ground in grounds.items()
        if contrast(getattr(colors, text), ground) < LEAST
    ]
    items = {name: color for name, color in _colors(colors).items() if re.search(r"button|header|tab_|frame_bg", name)}
    unreadable += [
        f"text on {what}"
        for what, color in items.items()
        for ground in (colors.panel, colors.surface)
        if contrast(colors.text, over(color, ground, color[3])) < LEAST and "overline" not in what
    ]
    assert not unreadable
    for ground in (colors.primary, colors.primary_hovered):
        assert contrast(colors.on_primary, ground) >= LEAST
    assert not [
        f"{graphic} on {what}"
        for graphic in GRAPHICS
        for what, ground in grounds.items()
        if contrast(getattr(colors, graphic), ground) < LEAST_OF_GRAPHICS
    ]


@pytest.mark.parametrize("name", BY_NAME)
def test_the_active_row_differs_from_those_beside_it_as_they_do_from_the_panel(name):
    colors = BY_NAME[name]
    active, beside = (over(color, colors.panel, color[3]) for color in (colors.chosen, colors.also_chosen))
    for one, other in ((active, beside), (beside, colors.panel)):
        assert contrast((*one, 1.0), (*other, 1.0)) > 1.15
