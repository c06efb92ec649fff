"""Textures that come and go on the card: what is there is shown meanwhile, and what is left out takes no memory."""

from __future__ import annotations

from pathlib import Path

import moderngl
import numpy as np
import pytest

from octoscope.scene import Texture
from octoscope.viewer.rendering.resources.gpu_textures import GpuTextures
from octoscope.viewer.rendering.resources.texture_layers import MOST_ARRAYS
from tests.viewer.rendering.test_mipmaps import texels


def image(value: int, side: int = 16) -> Texture:
    return Texture(Path(f"{value}.png"), np.full((side, side, 4), value, np.uint8), is_file=False)


@pytest.fixture
def on_card(ctx: moderngl.Context):
    ctx.framebuffer([ctx.texture((1, 1), 4)]).use()
    textures = GpuTextures(ctx, holds_colors=False)
    yield textures
    textures.release()


def values_of(ctx: moderngl.Context, textures: GpuTextures) -> dict[int, int]:
    """The number on the card of each texture that is shown, by the value that it should have."""
    found = {}
    for texture, place in textures.places.items():
        assert texture is not None
        array = textures.arrays[place % MOST_ARRAYS]
        shown = texels(ctx, array, place // MOST_ARRAYS, 0)
        found[int(texture.pixels[0, 0, 0])] = round(255.0 * float(shown.max()))
    return found


def test_textures_come_and_go_and_those_that_stay_are_shown_all_the_time(ctx, on_card):
    images = [image(value, side) for value, side in ((1, 16), (2, 16), (3, 64), (4, 16), (5, 64), (6, 128), (7, 16))]
    on_card.update(images[:3])
    on_card.upload_pending()
    before = values_of(ctx, on_card)
    layers = [(array.width, array.layers) for array in on_card.arrays]
    assert before == {1: 1, 2: 2, 3: 3}
    for further in (images[:5], images, images[1:]):  # none has to be there before the next ones are wanted
        on_card.update(further)
        assert not on_card.has_pending or values_of(ctx, on_card) == before
    on_card.upload_pending()
    assert values_of(ctx, on_card) == {value: value for value in range(2, 8)}
    on_card.update(images[:3])
    on_card.upload_pending()
    assert values_of(ctx, on_card) == before
    assert [(array.width, array.layers) for array in on_card.arrays] == layers
    on_card.update([])
    assert not on_card.has_pending and on_card.arrays == [] and len(on_card.places) == 0
