"""Materials take no value that could not be drawn or saved; what is a colour elsewhere is one here, too."""

import math
from dataclasses import MISSING, fields, replace
from pathlib import Path

import numpy as np
import pytest

from octoscope.scene import Material, Scene
from octoscope.scene.mesh.material import DEFAULT_MATERIAL
from octoscope.scene.mesh.texture import Texture

FIELDS = [each.name for each in fields(Material) if each.name not in ("unread_textures", "missing_textures")]
COLORS = ["base_color", "emission", "specular_color"]
SHARES = [
    *("opacity", "specular", "metallic", "roughness", "occlusion_strength", "specular_weight", "clearcoat"),
    "clearcoat_roughness",
]
FROM_ZERO = ["shininess", "emission_strength", "index_of_refraction"]
ANY_NUMBER = ["normal_scale", "uv_rotation"]
PAIRS = ["uv_scale", "uv_offset"]
TEXTS = ["name", "kept_mtl"]
PLACEMENTS = [name for name in FIELDS if name.endswith("_placement")]
TEXTURES = [name for name in FIELDS if name.endswith("_texture")]
FLAGS = [name for name in FIELDS if name in ("unlit", "double_sided") or name.endswith("_uvs")]
NUMBERS = [*SHARES, *FROM_ZERO, *ANY_NUMBER]
BAD = [
    *((name, bad) for name in FIELDS for bad in (..., b"x", [[1.0], [1.0, 2.0]], {})),
    *((name, 5) for name in [*TEXTS, *TEXTURES, *FLAGS, *COLORS, *PAIRS, *PLACEMENTS]),
    *((name, bad) for name in NUMBERS for bad in (math.nan, math.inf, "0.5", True, (0.5,), 1j)),
    *((name, bad) for name in SHARES for bad in (-0.1, 1.1)),
    *((name, -1.0) for name in FROM_ZERO),
    *(
        (name, bad)
        for name in COLORS
        for bad in ("no colour", (1.0,) * 5, (math.nan, 0, 0), (0, 0, -1), (0, 0, math.inf))
    ),
    ("base_color", (255, 0, 0)),
    *((name, bad) for name in PAIRS for bad in ((1, math.nan), (1, 2, 3), "ab")),
    *((name, bad) for name in PLACEMENTS for bad in ((1, 1, 0, 0), (1, 1, 0, 0, math.inf))),
    *((name, None) for name in FIELDS if name not in (*PLACEMENTS, *TEXTURES, "roughness")),
]


def test_every_field_is_of_one_kind_here():
    kinds = [*TEXTS, *COLORS, *NUMBERS, *PAIRS, *PLACEMENTS, *TEXTURES, *FLAGS]
    assert sorted(kinds) == sorted(FIELDS)


@pytest.mark.parametrize(("name", "bad"), BAD, ids=lambda value: str(value)[:30])
def test_a_wrong_value_is_refused_by_the_name_of_its_field(name, bad):
    with pytest.raises(ValueError, match=f"^{name}: [^\n]{{,250}}$"):
        replace(DEFAULT_MATERIAL, **{name: bad})


def test_usual_values_stay_as_they_are():
    for each in fields(Material)[1:]:
        assert each.default is not MISSING
        assert (
            getattr(DEFAULT_MATERIAL, each.name) is each.default or getattr(DEFAULT_MATERIAL, each.name) == each.default
        )
    given = Material("m", uv_scale=[2, 3], normal_placement=np.arange(5), opacity=np.float32(0.5), unlit=np.bool_(True))
    assert (given.uv_scale, given.normal_placement) == ((2.0, 3.0), (0.0, 1.0, 2.0, 3.0, 4.0))
    assert type(given.opacity) is float and given.unlit is True
    texture = Texture(Path("a.png"), np.zeros((1, 1, 4), dtype=np.uint8))
    assert Material("m", base_color_texture=texture).textures == [texture]
    hash(given)


@pytest.mark.parametrize(
    "red", ["red", "#ff0000", [1, 0, 0], np.array((255, 0, 0), dtype=np.uint8), (1, 0, 0)], ids=str
)
def test_a_colour_is_whatever_a_node_takes_as_one(red):
    assert Material("m", base_color=red) == Material("m", base_color=(1.0, 0.0, 0.0))
    assert Material("m", emission=red, specular_color=red).emission == (1.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="opacity has a field of its own"):
        Material("m", base_color=(1, 0, 0, 1))


def test_a_scene_gets_no_bad_material():
    scene = Scene()
    node = scene.add_mesh("triangle", np.eye(3), [(0, 1, 2)])
    count = len(scene.materials)
    with pytest.raises(ValueError, match="base_color"):
        node.material = Material("m", base_color=(255, 0, 0))
    assert len(scene.materials) == count
