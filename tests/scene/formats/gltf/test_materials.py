"""Materials of glTF files: textures of colour and of emission, their placement, and surfaces that no light changes."""

from __future__ import annotations

import base64
import struct
import sys

import numpy as np
import pytest

from octoscope.scene import Material, MeshData, Scene, read_gltf, write_glb
from tests.scene.builders import quad
from tests.scene.dressed import texture
from tests.scene.formats.gltf.files import CORNERS, Gltf, accessor_of, document_of
from tests.scene.formats.gltf.test_reader import png

RED, BLUE = (255, 0, 0, 255), (0, 0, 255, 255)
UV_SETS = np.array([[(0.1, 0.2)] * 4, [(0.3, 0.4)] * 4, [(0.5, 0.6)] * 4], dtype="f4")


@pytest.fixture
def read(tmp_path):
    """Read a square whose material may name textures 0 (red), 1 (blue) and 2 (not there): material, uv, problems."""

    def write_and_read(**material: object) -> tuple[Material, list[float], list[str]]:
        gltf = Gltf()
        uvs = {f"TEXCOORD_{number}": gltf.accessor(uv) for number, uv in enumerate(UV_SETS)}
        gltf.node(mesh=gltf.mesh(gltf.primitive(CORNERS, material=0, **uvs)))
        images = [{"uri": "data:image/png;base64," + base64.b64encode(png(color)).decode()} for color in (RED, BLUE)]
        images.append({"uri": "gone.png"})
        textures = [{"source": number} for number in range(3)]
        path = gltf.glb(tmp_path / "a.glb", materials=[material], textures=textures, images=images)
        content = read_gltf(path)
        whats = [f"{problem.what}: {problem.done}" for problem in content.problems]
        return content.materials[0], content.meshes.mesh(0).uvs[0].tolist(), whats

    return write_and_read


def placed(index: int, tex_coord: int = 0, **transform: object) -> dict[str, object]:
    info = {"index": index, "texCoord": tex_coord}
    return info | ({"extensions": {"KHR_texture_transform": transform}} if transform else {})


def test_an_emissive_texture_is_shown_and_multiplies_the_factor(read):
    material, _, problems = read(emissiveTexture=placed(1), emissiveFactor=[1.0, 0.21404114, 0.0])
    assert material.emission_texture.pixels[0, 0].tolist() == list(BLUE)
    assert material.emission == pytest.approx((1.0, 0.5, 0.0)) and problems == []


def test_without_its_emissive_texture_a_surface_does_not_glow_all_over(read):
    material, _, problems = read(emissiveTexture=placed(2), emissiveFactor=[1.0, 1.0, 1.0])
    assert material.emission == (0.0, 0.0, 0.0) and material.emission_texture is None
    assert len(problems) == 1 and "gone.png" in problems[0]


@pytest.mark.parametrize(("strength", "kept"), [({"emissiveStrength": -2}, 0.0), (5, 1.0), ([3.0], 1.0)])
def test_a_strength_that_is_none_is_said(read, strength, kept):
    name = "KHR_materials_emissive_strength"
    material, _, problems = read(emissiveFactor=[1.0, 1.0, 1.0], extensions={name: strength})
    assert material.emission_strength == kept and len(problems) == 1
    assert (
        "'emissiveStrength' is not between 0 and" if isinstance(strength, dict) else f"{name} is not an"
    ) in problems[0]


@pytest.mark.parametrize("key", ["emissiveTexture", "normalTexture", "occlusionTexture"])
def test_a_map_of_a_set_of_coordinates_that_the_mesh_lacks_is_said(read, key):
    assert read(**{key: placed(1, 2)})[2] == []
    what = "a texture on a part of a mesh without its texture coordinates (TEXCOORD_9)"
    what += ": one pixel of it is shown everywhere"
    assert read(**{key: placed(1, 9)})[2] == [what]
    both = {key: placed(1, 9), "pbrMetallicRoughness": {"baseColorTexture": placed(0)}}
    assert read(**both)[2] == [what]
    assert read(**{key: placed(1, 16)})[2] == [
        "a 'texCoord' that is no set of texture coordinates: the first set instead"
    ]


def test_the_extension_makes_a_surface_unlit(read):
    assert read(extensions={"KHR_materials_unlit": {}})[0].unlit
    assert not read()[0].unlit


@pytest.mark.parametrize("key", ["base", "emissive"])
def test_a_placement_is_that_of_the_specification(read, key):
    """A texture is looked up at offset + scale * uv, uv and the place in the image counted from its top."""
    info = placed(0, 1, offset=[0.25, 0.5], scale=[2.0, 3.0])
    fields = {"pbrMetallicRoughness": {"baseColorTexture": info}} if key == "base" else {"emissiveTexture": info}
    material, uv, problems = read(**fields)
    at = np.array(uv) * material.uv_scale + material.uv_offset
    np.testing.assert_allclose([at[0], 1.0 - at[1]], np.array([0.25, 0.5]) + [2.0, 3.0] * UV_SETS[1, 0], atol=1e-6)
    assert problems == []
    material, uv, problems = read(emissiveTexture=placed(0, 1, texCoord=2))
    np.testing.assert_allclose(uv, [0.5, 0.4], atol=1e-6)
    assert problems == [] and (material.uv_scale, material.uv_offset) == ((1.0, 1.0), (0.0, 0.0))


def test_each_texture_of_a_material_lies_where_it_says(read):
    colored = {"baseColorTexture": placed(0, scale=[2.0, 2.0])}
    for other, expected in (
        (placed(1), (1.0, 1.0, 0.0, 0.0, 0.0)),
        (placed(1, scale=[2.0, 2.0], offset=[0.0, 0.5]), (2.0, 2.0, 0.0, 0.0, -1.5)),
        (placed(0, scale=[2.0, 2.0]), None),
    ):
        material, _, problems = read(pbrMetallicRoughness=colored, emissiveTexture=other)
        assert material.uv_scale == (2.0, 2.0) and material.emission_placement == expected and problems == []
    own_set = placed(1, 1, scale=[2.0, 2.0])
    material, _, problems = read(pbrMetallicRoughness=colored, emissiveTexture=own_set)
    assert material.emission_on_second_uvs and material.emission_placement is None and problems == []
    problems = read(pbrMetallicRoughness=colored, emissiveTexture=own_set, normalTexture=placed(1, 2))[2]
    assert problems == ["a texture with a third set of texture coordinates in its material: shown with the first set"]
    coat = {"clearcoatTexture": placed(0), "clearcoatRoughnessTexture": placed(1, scale=[2.0, 2.0])}
    problems = read(extensions={"KHR_materials_clearcoat": coat})[2]
    assert problems == [
        "a clearcoatRoughnessTexture placed unlike the clearcoatTexture (KHR_materials_clearcoat): placed like it"
    ]
    # Nobody sees where a texture would lie that is not there.
    material, _, problems = read(pbrMetallicRoughness={"baseColorTexture": placed(2)}, emissiveTexture=placed(0, 1))
    assert len(problems) == 1 and "gone.png" in problems[0]


def test_the_lower_left_quarter_turned_clockwise_is_that_of_the_specifications_example(read):
    """The extension's own example; the corners of uv, counted from the top of the image as it counts them."""
    info = placed(0, offset=[0.0, 1.0], rotation=np.pi / 2.0, scale=[0.5, 0.5])
    material = read(emissiveTexture=info)[0]
    scale_u, scale_v, turn, *offset = material.placement
    turned = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    corners = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    at = (corners * (1.0, -1.0) + (0.0, 1.0)) * (scale_u, scale_v) @ turned.T + offset
    np.testing.assert_allclose(at * (1.0, -1.0) + (0.0, 1.0), [(0, 1), (0, 0.5), (0.5, 0.5), (0.5, 1)], atol=1e-9)


@pytest.mark.parametrize(
    ("transform", "what"),
    [
        ({"rotation": None}, "'rotation' is not a number: the default instead"),
        ({"scale": 2}, "'scale' is not 2 numbers: the default instead"),
        ({"offset": ["a", None]}, "'offset' is not 2 numbers: the default instead"),
    ],
)
def test_what_of_a_placement_cannot_be_shown_is_said(read, transform, what):
    material, _, problems = read(emissiveTexture=placed(0, **transform))
    assert problems == [what] and (material.uv_scale, material.uv_offset) == ((1.0, 1.0), (0.0, 0.0))


def test_what_lets_light_through_is_translucent_and_the_report_says_that_this_is_not_all(read):
    surface = {"baseColorFactor": [0.2, 0.4, 0.6, 1.0]}
    for factor, opacity in ((0.0, 1.0), (0.4, 0.7), (1.0, 0.25)):
        extensions = {"KHR_materials_transmission": {"transmissionFactor": factor}}
        material, _, problems = read(pbrMetallicRoughness=surface, extensions=extensions)
        assert material.opacity == pytest.approx(opacity)
        shown = ["light that shines through (KHR_materials_transmission): shown as translucent, unbent"]
        assert problems == (shown if factor else [])


@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0, 50.0])
def test_a_strong_glow_keeps_its_strength(read, strength, tmp_path):
    extensions = {"KHR_materials_emissive_strength": {"emissiveStrength": strength}}
    material, _, problems = read(emissiveFactor=[0.4, 0.2, 0.0], extensions=extensions)
    assert material.emitted_light == pytest.approx([0.4 * strength, 0.2 * strength, 0.0], rel=1e-5)
    assert (material.emission_strength, problems) == (strength, [])


def test_numbers_out_of_range_are_brought_into_it_and_said(read):
    material, _, problems = read(emissiveFactor=[3.0, 0.2, -1.0])
    assert material.emission[0] == 1.0 and material.emission[2] == 0.0
    assert problems == ["'emissiveFactor' is not between 0 and 1: the nearest value in range is used"]


@pytest.mark.parametrize(
    ("sampler", "expected"),
    [
        ({}, ("repeat", "repeat")),
        ({"wrapS": 33071}, ("clamp", "repeat")),
        ({"wrapT": 33071}, ("repeat", "clamp")),
        ({"wrapS": 33648, "wrapT": 10497}, ("mirror", "repeat")),
        ({"wrapS": 33071, "wrapT": 33648}, ("clamp", "mirror")),
        ({"wrapS": "33071", "wrapT": [33648]}, ("repeat", "repeat")),
        ({"wrapS": True, "wrapT": 1}, ("repeat", "repeat")),
    ],
)
def test_what_is_beyond_the_borders_of_an_image_is_read_of_its_sampler(tmp_path, sampler, expected):
    gltf = Gltf()
    gltf.node(mesh=gltf.mesh(gltf.primitive(CORNERS, material=0, TEXCOORD_0=gltf.accessor(CORNERS[:, :2]))))
    uri = "data:image/png;base64," + base64.b64encode(png(RED)).decode()
    path = gltf.glb(
        tmp_path / "a.glb",
        images=[{"uri": uri}],
        textures=[{"source": 0, "sampler": 0}, {"source": 0}, {"source": 0, "sampler": 9}],
        samplers=[sampler],
        materials=[
            {
                "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}},
                "emissiveTexture": {"index": 1},
                "normalTexture": {"index": 2},
            }
        ],
    )
    content = read_gltf(path)
    material = content.materials[0]
    assert [texture.wrap for texture in material.textures] == [expected, ("repeat",) * 2, ("repeat",) * 2]
    assert content.problems == [] and len({id(texture.pixels) for texture in material.textures}) == 1


def test_maps_and_their_strengths_are_read(read):
    material, _, problems = read(
        normalTexture={**placed(0), "scale": 0.5},
        occlusionTexture={**placed(1), "strength": 0.25},
        pbrMetallicRoughness={"metallicRoughnessTexture": placed(0)},
    )
    assert problems == [] and (material.normal_scale, material.occlusion_strength) == (0.5, 0.25)
    assert material.normal_texture is material.surface_texture is not material.occlusion_texture
    assert material.occlusion_texture is not None and material.base_color_texture is None
    material, _, problems = read(normalTexture=placed(2), occlusionTexture=placed(0))
    assert material.normal_texture is None and len(problems) == 1 and "gone.png" in problems[0]


def test_what_is_not_double_sided_shows_its_front_alone(read):
    assert [read(doubleSided=value)[0].double_sided for value in (True, False)] == [True, False]
    assert not read()[0].double_sided, "as glTF says"


def test_clear_coats_indices_and_specular_factors_are_read(read):
    material, _, problems = read(
        extensions={
            "KHR_materials_clearcoat": {"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.25},
            "KHR_materials_ior": {"ior": 2.0},
            "KHR_materials_specular": {"specularFactor": 0.75, "specularColorFactor": [1.0, 0.21404114, 2.0]},
        }
    )
    assert problems == [] and (material.clearcoat, material.clearcoat_roughness) == (0.5, 0.25)
    assert (material.index_of_refraction, material.specular_weight) == (2.0, 0.75)
    assert material.specular_color[:2] == pytest.approx((1.0, 0.5)) and material.specular_color[2] > 1.0
    assert material.mirror == pytest.approx(0.75 / 9.0) and material.rim == 0.75
    plain = read()[0]
    assert (plain.mirror, plain.rim, plain.is_coated) == (pytest.approx(0.04), 1.0, False) and material.is_coated
    assert read(extensions={"KHR_materials_ior": {"ior": 0}})[0].mirror == 1.0
    assert read(extensions={"KHR_materials_ior": {"ior": -1}})[0].mirror == 1.0


def test_a_clear_coats_maps_are_one_and_what_is_not_shown_is_said_once(read):
    coat = {"clearcoatFactor": 1.0, "clearcoatTexture": placed(0), "clearcoatRoughnessTexture": placed(1)}
    material, _, problems = read(extensions={"KHR_materials_clearcoat": coat})
    assert material.clearcoat_texture.pixels[0, 0].tolist() == [255, 0, 255, 255] and problems == []
    coat["clearcoatRoughnessTexture"] = placed(0)
    material, _, problems = read(normalTexture=placed(0), extensions={"KHR_materials_clearcoat": coat})
    assert material.clearcoat_texture is material.normal_texture and problems == []
    coat["clearcoatNormalTexture"] = placed(0)
    specular = {"specularTexture": placed(0), "specularColorTexture": placed(1, scale=[2.0, 2.0])}
    layers = {"KHR_materials_clearcoat": coat, "KHR_materials_specular": specular}
    material, _, problems = read(normalTexture=placed(0), extensions=layers)
    assert problems == [
        "a specularTexture placed unlike the specularColorTexture (KHR_materials_specular): placed like it",
        "a clearcoatNormalTexture (KHR_materials_clearcoat): shown without it",
    ]
    color, weight = (read(normalTexture=placed(k))[0].normal_texture.pixels for k in (1, 0))
    assert (material.specular_texture.pixels == np.dstack([color[..., :3], weight[..., 3:]])).all()
    assert material.specular_placement[:2] == (2.0, 2.0)


def test_a_written_clear_coat_is_an_extension_and_stands_not_beside_that_of_unlit_surfaces(tmp_path):
    scene = Scene()
    for unlit in (False, True):
        material = Material("a", clearcoat=0.5, clearcoat_roughness=0.1, specular_weight=0.5, unlit=unlit)
        scene.add_node("a", mesh=scene.meshes.add(quad(), first_material=scene.add_material(material)))
    write_glb(scene, tmp_path / "a.glb")
    document = document_of(tmp_path / "a.glb")
    coat = {"clearcoatFactor": 0.5, "clearcoatRoughnessFactor": 0.1}
    specular = {"specularFactor": 0.5, "specularColorFactor": [1.0, 1.0, 1.0]}
    lit, unlit = (material["extensions"] for material in document["materials"])
    assert lit == {"KHR_materials_clearcoat": coat, "KHR_materials_specular": specular}
    assert unlit == {"KHR_materials_unlit": {}}
    assert document["extensionsUsed"] == ["KHR_materials_unlit", *lit]


def test_a_written_placement_is_that_of_the_specification(tmp_path):
    uvs = np.array([(0.1, 0.2), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], dtype="f4")
    mesh = MeshData(quad().positions, quad().triangles, None, np.zeros(4, dtype=int), uvs)
    scene = Scene()
    image = texture(np.random.default_rng(1))
    for material in (
        Material("a", base_color_texture=image, emission_texture=image, uv_scale=(2.0, -3.0), uv_offset=(0.1, 0.7)),
        Material("b", base_color_texture=image, unlit=True),
    ):
        scene.add_node("a", mesh=scene.meshes.add(mesh, first_material=scene.add_material(material)))
    write_glb(scene, tmp_path / "a.glb")
    document = document_of(tmp_path / "a.glb")
    attributes = document["meshes"][0]["primitives"][0]["attributes"]
    written = accessor_of(tmp_path / "a.glb", attributes["TEXCOORD_0"])[0]
    first, second = document["materials"]
    for info in (first["pbrMetallicRoughness"]["baseColorTexture"], first["emissiveTexture"]):
        transform = info["extensions"]["KHR_texture_transform"]
        at = np.array(transform["offset"]) + np.array(transform["scale"]) * written
        np.testing.assert_allclose(at, [0.1 * 2.0 + 0.1, 1.0 - (0.2 * -3.0 + 0.7)], atol=1e-6)
    assert "extensions" not in second["pbrMetallicRoughness"]["baseColorTexture"]
    assert second["extensions"] == {"KHR_materials_unlit": {}}
    assert document["extensionsUsed"] == ["KHR_texture_transform", "KHR_materials_unlit"]


def test_extensions_that_nothing_uses_are_not_named(tmp_path):
    scene = Scene()
    scene.add_node("a", mesh=scene.meshes.add(quad()))
    write_glb(scene, tmp_path / "a.glb")
    assert "extensionsUsed" not in document_of(tmp_path / "a.glb")


@pytest.mark.parametrize("value", [{"index": 1}, [1.0, 0.0, 0.0, 0.5], "red", None])
def test_materials_drawn_by_programs_of_their_own_keep_texture_and_colour(read, value):
    material, _, whats = read(extensions={"KHR_techniques_webgl": {"values": {"u_diffuse": value}}}, alphaMode="BLEND")
    assert (material.metallic, material.roughness) == (0.0, 1.0)
    if isinstance(value, dict):
        assert material.base_color_texture is not None
        assert tuple(material.base_color_texture.pixels[0, 0]) == BLUE
    elif isinstance(value, list):
        assert material.base_color == (1.0, 0.0, 0.0) and material.opacity == 0.5
    assert not any("u_diffuse" in what for what in whats)


def ktx2(rgba: tuple[int, ...]) -> bytes:
    """Return a KTX 2 file of 4 x 4 pixels of one colour, as one block of UASTC."""
    block = (0x17 | sum(value << 5 + 8 * k for k, value in enumerate(rgba))).to_bytes(16, "little")
    sample = *[0] * 7, 0, 127, 3, 0, 0, 2**32 - 1
    kinds = struct.pack("<3I4B4B8BHBB3I", 44, 0, 2 | 40 << 16, 166, 1, 2, 0, 3, 3, 0, 0, 16, *sample)
    head = b"\xabKTX 20\xbb\r\n\x1a\n" + struct.pack("<9I", 0, 1, 4, 4, 0, 0, 1, 1, 0)
    index = struct.pack("<4I2Q3Q", 104, len(kinds), 0, 0, 0, 0, 160, 16, 16)
    return (head + index + kinds).ljust(160, b"\0") + block


@pytest.mark.parametrize("has_library", [True, False])
def test_images_of_ktx2_are_decoded_or_told_in_one_line(tmp_path, monkeypatch, has_library):
    if has_library:
        pytest.importorskip("opengl_basisu", reason="octoscope[ktx2] is not installed")
    else:
        monkeypatch.setitem(sys.modules, "opengl_basisu", None)
    gltf = Gltf()
    uvs = gltf.accessor(UV_SETS[0])
    gltf.node(mesh=gltf.mesh(gltf.primitive(CORNERS, material=0, TEXCOORD_0=uvs)))
    rgba = (200, 100, 50, 128)
    content = read_gltf(
        gltf.glb(
            tmp_path / "a.glb",
            materials=[{"alphaMode": "BLEND", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
            textures=[{"extensions": {"KHR_texture_basisu": {"source": 0}}}],
            images=[{"uri": "data:image/ktx2;base64," + base64.b64encode(ktx2(rgba)).decode()}],
            extensionsUsed=["KHR_texture_basisu"],
            extensionsRequired=["KHR_texture_basisu"],
        )
    )
    shown = content.materials[0].base_color_texture
    if has_library:
        assert shown.pixels.reshape(-1, 4).tolist() == [list(rgba)] * 16 and not content.problems
    else:
        (problem,) = content.problems
        assert shown is None and "octoscope[ktx2]" in problem.what
