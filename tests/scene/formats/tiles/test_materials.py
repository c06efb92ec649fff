"""Materials that many contents share are found one content at a time, as if all were there at once."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene.formats.tiles.materials import MaterialMerger, merged_materials
from octoscope.scene.mesh.material import TEXTURE_FIELDS, Material
from octoscope.scene.mesh.texture import Texture

# The same file read twice, another file, and two images that came from inside of one file.
PIXELS = np.zeros((2, 3, 4), dtype=np.uint8)
TEXTURES = [
    *(Texture(Path("wall.png"), PIXELS.copy()) for _ in range(2)),
    Texture(Path("roof.png"), PIXELS),
    *(Texture(Path("town.glb"), PIXELS, is_file=False) for _ in range(2)),
]


@st.composite
def materials(draw) -> Material:
    """Draw one of few materials, of which many look the same."""
    material = Material(draw(st.sampled_from(["brick", "tile"])), metallic=draw(st.sampled_from([0.0, 1.0])))
    names = draw(st.lists(st.sampled_from(TEXTURE_FIELDS), max_size=2))
    return replace(material, **{name: draw(st.sampled_from(TEXTURES)) for name in names})


def look(material: Material) -> tuple[object, ...]:
    """Return what tells a material from others: all its fields, with images by their file or by themselves."""
    values = (getattr(material, field.name) for field in fields(material))
    return tuple((v.path if v.is_file else id(v)) if isinstance(v, Texture) else v for v in values)


@given(st.lists(st.lists(materials(), max_size=6), max_size=6))
def test_each_look_is_kept_once_in_the_order_in_which_it_came(lists):
    different = list(dict.fromkeys(look(material) for each in lists for material in each))
    merger, gathered = MaterialMerger(), []
    for each in lists:
        numbers, new = merger.add(each)
        gathered.extend(new)
        assert [different[number] for number in numbers] == [look(material) for material in each]
        assert len(merger) == len(gathered)
    assert [look(material) for material in gathered] == different and merger.materials == gathered
    of_one_file = {
        id(value)
        for material in gathered
        for name in TEXTURE_FIELDS
        if (value := getattr(material, name)) is not None and value.path.name == "wall.png"
    }
    assert len(of_one_file) <= 1  # a file that was read twice goes to the card once
    whole, of_lists = merged_materials(lists)
    assert whole == gathered and len(of_lists) == len(lists)


def test_every_field_of_a_texture_is_looked_at():
    assert {field.name for field in fields(Material) if "Texture" in str(field.type)} == set(TEXTURE_FIELDS)
