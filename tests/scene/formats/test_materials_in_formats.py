"""Every field of Material through every format: it comes back, or a note says that it does not."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import Material, MeshData, Scene, load, save_project, write_glb, write_obj
from octoscope.scene.formats.writers import WRITERS
from octoscope.scene.mesh.images import decode_texture, read_texture, surface_map, with_opacity
from octoscope.scene.mesh.material import DEFAULT_MATERIAL, PLACEMENT_FIELDS, SECOND_UVS_FIELDS, TEXTURE_FIELDS
from octoscope.scene.mesh.texture import Texture
from tests.scene.builders import quad


def picture(seed: int) -> Texture:
    pixels = np.random.default_rng(seed).integers(0, 256, (4, 8, 4), dtype=np.uint8)
    return Texture(Path(f"picture {seed}.png"), pixels, is_file=False)


# One for each field, none of them the default. A new field of Material needs one here, and then a place in each format.
OTHER_VALUES = {
    "name": "Blech, rostig",
    "base_color": (0.25, 0.5, 0.75),
    "opacity": 0.625,
    "specular": 0.1,
    "shininess": 75.0,
    "metallic": 0.4,
    "roughness": 0.3,
    "emission": (0.1, 0.2, 1.0),
    "emission_strength": 2.5,
    "base_color_texture": picture(1),
    "emission_texture": picture(2),
    "normal_texture": picture(3),
    "normal_scale": 0.6,
    "surface_texture": surface_map(picture(4), picture(6)),
    "occlusion_texture": picture(5),
    "occlusion_strength": 0.7,
    "uv_scale": (2.0, -3.0),
    "uv_offset": (0.1, 0.7),
    "unlit": True,
    "index_of_refraction": 1.8,
    "specular_weight": 0.6,
    "specular_color": (0.9, 0.5, 0.2),
    "specular_texture": picture(8),
    "clearcoat": 0.75,
    "clearcoat_roughness": 0.2,
    "clearcoat_texture": picture(7),
    "double_sided": False,
    "uv_rotation": 0.75,
    "emission_placement": (2.0, 1.0, 0.0, 0.5, 0.25),
    "specular_placement": (3.0, 1.0, 0.0, 0.5, 0.0),
    "normal_placement": (1.0, -2.0, 0.5, 0.0, 0.0),
    "surface_placement": (1.0, 3.0, 0.0, 0.0, 0.125),
    "occlusion_placement": (0.5, 0.5, 0.0, 0.0, 0.0),
    "clearcoat_placement": (4.0, 4.0, -0.25, 0.0, 0.0),
    "emission_on_second_uvs": True,
    "specular_on_second_uvs": True,
    "normal_on_second_uvs": True,
    "surface_on_second_uvs": True,
    "occlusion_on_second_uvs": True,
    "clearcoat_on_second_uvs": True,
    "kept_mtl": "Tf 0.5 1.0 0.5\nrefl -type sphere sky.png",
}
# What a note calls a field, where that is not its name; a format without materials says that once.
FIELDS = [each for each in fields(Material) if each.name not in ("unread_textures", "missing_textures")]
NOTED_AS = {"uv_scale": "placement", "uv_offset": "placement", "emission_texture": "map_Ke"}
NOTED_AS |= {"normal_scale": "normal scale", "occlusion_strength": "occlusion", "occlusion_texture": "occlusion map"}
NOTED_AS |= {name: "placement" for name in OTHER_VALUES if name.endswith("_placement")} | {"uv_rotation": "placement"}
NOTED_AS |= {"index_of_refraction": "index of refraction", "specular_weight": "specular weight"}
NOTED_AS |= {"kept_mtl": "only MTL has them"}
NOTED_AS |= {"double_sided": "back faces", "emission_strength": "emission strength"}
NOTED_AS |= {"specular_color": "specular colour", "clearcoat_texture": "map of the clear coat"}
NOTED_AS |= {name: "set of texture coordinates" for name in OTHER_VALUES if name.endswith("_second_uvs")}
# Settings of a map, of which nothing is shown without it, nor kept by formats other than a project.
MAP_OF_SETTING = {
    setting: name for fields_ in (PLACEMENT_FIELDS, SECOND_UVS_FIELDS) for name, setting in fields_.items()
}
MAP_OF_SETTING |= {"normal_scale": "normal_texture", "occlusion_strength": "occlusion_texture"}
DIGITS = 6  # of a colour that was linear meanwhile

FORMATS = {".octo.json": lambda scene, path: save_project(scene, path), **WRITERS}


def through(format_: str, material: Material, folder: Path) -> tuple[Material, str]:
    """The material of the first corner after writing and reading, and all notes."""
    scene = Scene()
    corners = quad()
    uvs = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], dtype="f4")
    mesh = MeshData(corners.positions, corners.triangles, None, np.zeros(4, dtype=int), uvs, second_uvs=uvs[::-1])
    scene.add_node("quad", mesh=scene.meshes.add(mesh, first_material=scene.add_material(material)))
    notes = FORMATS[format_](scene, folder / f"a{format_}")
    read = load(folder / f"a{format_}")
    assert all("kept for .mtl files" in line for line in read.report.warnings)
    return read.materials[read.meshes.vertices["material"][0]], "\n".join(notes or [])


def same(value: object, other: object) -> bool:
    if isinstance(value, Texture) and isinstance(other, Texture):
        return np.array_equal(value.pixels, other.pixels)
    if isinstance(value, (float, tuple)) and other is not None:
        return np.allclose(value, other, rtol=0.0, atol=10.0**-DIGITS)
    return value == other


def shows(material: Material, field: str) -> bool:
    """Return whether a picture shows anything of a field."""
    if field == "emission_strength":
        return any(material.emission)
    if field.startswith("uv_"):
        placed = [name for name in TEXTURE_FIELDS if getattr(material, PLACEMENT_FIELDS.get(name, ""), None) is None]
        return any(getattr(material, name) is not None for name in placed)
    return getattr(material, MAP_OF_SETTING.get(field, "name")) is not None


def kept_or_said(format_: str, field: str, material: Material, read: Material, notes: str) -> bool:
    if format_ in (".ply", ".stl"):
        return "world coordinates, without" in notes and "materials" in notes
    if format_ == ".glb" and field.endswith("_second_uvs") and material.base_color_texture is None:
        return not getattr(read, field)  # all its maps use one set, which becomes the first
    if field == "kept_mtl" and format_ == ".obj":  # what is not read back is kept
        read = replace(read, kept_mtl=read.kept_mtl.replace("Ni 1.8", "").strip())
    if not shows(material, field) or NOTED_AS.get(field, field) in notes:
        return True
    if field.endswith("_placement"):
        return same(material.placement_of(MAP_OF_SETTING[field]), read.placement_of(MAP_OF_SETTING[field]))
    return same(getattr(material, field), getattr(read, field))


def test_there_is_another_value_for_every_field():
    assert OTHER_VALUES.keys() == {field.name for field in FIELDS}, "a field of Material is not tested"
    for field in FIELDS:
        assert field.default is MISSING or not same(field.default, OTHER_VALUES[field.name])


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("field", [field.name for field in FIELDS])
def test_a_field_alone_comes_back_or_is_said(format_, field, tmp_path):
    material = replace(DEFAULT_MATERIAL, name="m") if field != "name" else DEFAULT_MATERIAL
    material = replace(material, **{field: OTHER_VALUES[field]})
    read, notes = through(format_, material, tmp_path)
    for each in FIELDS:
        assert kept_or_said(format_, each.name, material, read, notes), f"{each.name}: {notes or 'no notes'}"


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("without", [None, *(field.name for field in FIELDS)])
def test_all_fields_together_come_back_or_are_said(format_, without, tmp_path):
    default = replace(DEFAULT_MATERIAL, name="m")
    material = Material(**OTHER_VALUES | ({} if without is None else {without: getattr(default, without)}))
    read, notes = through(format_, material, tmp_path)
    for field in FIELDS:
        assert kept_or_said(format_, field.name, material, read, notes), f"{field.name}: {notes or 'no notes'}"
    if without is None and format_ not in (".ply", ".stl"):
        lost = (
            "occlusion map",
            "map of the clear coat",
            "culling of back faces",
            "specular weight",
            "specular colour",
        )
        lines = [f"the {what} of material 'Blech, rostig' is left out: MTL has none" for what in lost]
        lines.append("the index of refraction of material 'Blech, rostig' is written as Ni, which is not read back")
        lines.append("the second set of texture coordinates of material 'Blech, rostig' is left out: OBJ has one")
        lines.append("the rotation in the texture placement of material 'Blech, rostig' is left out: MTL has none")
        lines.append("second texture coordinates of vertices are left out: OBJ has one set of them")
        kept = "Tf, refl of material 'Blech, rostig' are left out: only MTL has them"
        assert notes == {".obj": "\n".join(lines), ".glb": kept}.get(format_, "")


@pytest.mark.parametrize("format_", [".glb", ".obj", ".octo.json"])
def test_many_materials_come_back_whole_and_what_is_written_again_is_the_same(format_, tmp_path):
    rng = np.random.default_rng(7)
    pictures = [picture(seed) for seed in range(4)]
    scene = Scene()
    for number in range(100):
        material = Material(
            f"m{number}",
            tuple(rng.uniform(0.01, 1.0, 3).round(3).tolist()),
            *rng.uniform(0.01, 1.0, 2).round(3).tolist(),
            float(rng.uniform(1.0, 1000.0)),
            metallic=float(rng.choice((0.0, 0.3))),
            roughness=(None, 0.35)[rng.integers(2)],
            emission=tuple(rng.uniform(0.01, 1.0, 3).round(3).tolist()),
            base_color_texture=pictures[rng.integers(2)],
            emission_texture=(None, *pictures[2:])[rng.integers(3)],
            uv_scale=tuple(rng.normal(size=2).round(rng.integers(9)).tolist()),
            uv_offset=tuple(rng.normal(size=2).round(rng.integers(9)).tolist()),
            unlit=bool(rng.integers(2)),
        )
        scene.add_node(material.name, mesh=scene.meshes.add(quad(), first_material=scene.add_material(material)))
    for turn in range(3):
        path = tmp_path / str(turn) / f"a{format_}"
        path.parent.mkdir()
        assert not FORMATS[format_](scene, path)
        before, scene = scene, load(path)
        assert scene.report.warnings == []
        own = {material.name: material for material in scene.materials[1:]}
        for material in before.materials[1:]:
            for field in FIELDS:
                value, found = getattr(material, field.name), getattr(own[material.name], field.name)
                assert same(value, found) if turn == 0 or isinstance(value, Texture) else value == found, field.name


def test_what_is_lost_names_the_material_or_counts_them(tmp_path):
    scene = Scene()
    for material in (
        Material("lamp", emission_texture=picture(1)),
        Material("soot", (0.0, 0.0, 0.0), base_color_texture=picture(2)),
        Material("red", (1.0, 0.0, 0.0)),
        Material("red", (0.9, 0.0, 0.0)),
        Material(" a "),
    ):
        scene.add_node("quad", mesh=scene.meshes.add(quad(), first_material=scene.add_material(material)))
    assert write_glb(scene, tmp_path / "a.glb") == []
    assert write_obj(scene, tmp_path / "a.obj") == [
        "the map_Kd texture of material 'soot' is left out: black hides it, which MTL cannot say",
        "the map_Ke texture of material 'lamp' is left out: black hides it, which MTL cannot say",
        "the name of 2 materials is changed: an OBJ needs unique names of one line",
    ]


@pytest.mark.parametrize("format_", [".glb", ".obj", ".octo.json"])
def test_a_texture_made_of_two_images_is_written_as_it_is_shown(format_, tmp_path):
    (tmp_path / "in").mkdir()
    Image.new("RGB", (4, 2), (10, 200, 30)).save(tmp_path / "in" / "leaf.png")
    mask = np.full((2, 4, 4), 255, dtype=np.uint8)
    mask[:, 2:, 3] = 60
    shown = with_opacity(read_texture(tmp_path / "in" / "leaf.png"), Texture(Path("mask"), mask))
    read, _ = through(format_, Material("leaf", base_color_texture=shown), tmp_path)
    np.testing.assert_array_equal(read.base_color_texture.pixels, shown.pixels)


def test_a_copied_image_does_not_take_the_place_of_one_that_is_in_use(tmp_path):
    (tmp_path / "a_textures").mkdir()
    Image.new("RGB", (1, 1), (1, 2, 3)).save(tmp_path / "a_textures" / "x.png")
    other = Texture(Path("x"), picture(5).pixels, is_file=False)
    scene = Scene()
    for image in (other, read_texture(tmp_path / "a_textures" / "x.png")):
        material = Material(f"m{len(scene.materials)}", base_color_texture=image)
        scene.add_node("quad", mesh=scene.meshes.add(quad(), first_material=scene.add_material(material)))
    write_obj(scene, tmp_path / "a.obj")
    textures = {material.name: material.base_color_texture for material in load(tmp_path / "a.obj").materials}
    assert same(textures["m1"], other) and textures["m2"].pixels[0, 0].tolist() == [1, 2, 3, 255]


@pytest.mark.parametrize("ending", [".png", ".tga"])
@pytest.mark.parametrize("kind", ["a file", "within another file", "made of another image"])
def test_an_image_is_written_as_large_as_it_was_or_it_is_said(tmp_path, ending, kind):
    """Pictures of a whole scene need 1,024 pixels of an image a side; an export has the others, too."""
    Image.new("RGB", (1500, 3), (255, 0, 0)).save(tmp_path / f"red{ending}")
    texture = read_texture(tmp_path / f"red{ending}")
    if kind == "within another file":
        texture = decode_texture((tmp_path / f"red{ending}").read_bytes(), tmp_path / "scene.glb")
    elif kind != "a file":
        texture = with_opacity(texture, texture)
    scene = Scene()
    material = scene.add_material(Material("red", base_color_texture=texture))
    scene.add_node("quad", mesh=scene.meshes.add(quad()), material=material)
    (tmp_path / "out").mkdir()
    for out, write in ((".glb", write_glb), (".obj", write_obj)):
        notes = [note for note in write(scene, tmp_path / "out" / f"out{out}") if "1,500 x 3" in note]
        (written,) = load(tmp_path / "out" / f"out{out}").materials[-1].textures
        assert (written.full_size == (1500, 3)) == (kind != "made of another image") == (not notes)


def test_names_of_materials_that_nobody_has_named_are_changed_in_silence(tmp_path):
    scene = Scene()
    for color in ("red", "green", "blue"):
        scene.add_mesh(color, np.eye(3), [[0, 1, 2]], color=color)
    assert write_obj(scene, tmp_path / "a.obj") == []
    assert {material.base_color for material in load(tmp_path / "a.obj").materials} >= {
        (1.0, 0.0, 0.0),
        (0.0, 0.0, 1.0),
    }
