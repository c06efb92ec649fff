"""The image files of a material's maps: names, options, opacity and glow."""

from __future__ import annotations

import os

import numpy as np
import pytest

from octoscope.scene.mesh.images import read_texture
from octoscope.scene.mesh.material import roughness_of_shininess
from tests.scene.formats.mtl.folder import MtlFolder


def color_of(texture) -> tuple[int, ...]:
    assert (texture.pixels == texture.pixels[0, 0]).all()
    return tuple(texture.pixels[0, 0].tolist())


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("wood.png", "wood.png"),
        ("my wood.png", "my wood.png"),
        ("my  old wood.png", "my  old wood.png"),
        ('"my wood.png"', "my wood.png"),
        ("'my wood.png'", "my wood.png"),
        ("wood.png # oak", "wood.png"),
        ("wood #2.png", "wood #2.png"),
        ("-s 1 1 1 -o 0 0 0 -bm 0.5 -blendu on my wood.png", "my wood.png"),
        ("-S 1 -Type sphere wood.png", "wood.png"),
        ("-mm 0.0 1 -t 0.000 0 0 -imfchan m -texres 512 -cc off -boost 2 wood.png", "wood.png"),
        ("-o 0 0 1.png", "1.png"),
        ("-bm wood.png", "wood.png"),
        ("wood.png -bm 0.5", "wood.png"),
        ("my wood.png -s 1 1 1 -blendv off", "my wood.png"),
        ('-bm 1 "my wood.png" # oak', "my wood.png"),
        ("-unknown 3 my wood.png", "my wood.png"),
        ("-unknown.png", "-unknown.png"),
        (".\\tex\\wood.png", "tex/wood.png"),
        ("tex\\\\wood.png", "tex/wood.png"),
        ("C:\\art\\my wood.png", "my wood.png"),
        ("-bm 1 C:\\art\\my wood.png", "my wood.png"),
        ("/home/me/wood.png", "wood.png"),
        ("file:///C:/art/wood.png", "wood.png"),
        ("\\\\server\\art\\wood.png", "wood.png"),
    ],
)
def test_the_image_of_a_map_is_found(folder: MtlFolder, statement, name):
    path = folder.image(name)
    for keyword in ("map_Kd", "map_kd", "MAP_KD"):
        assert folder.material(f"{keyword} {statement}\n").base_color_texture is read_texture(path)
        said = [option for option in ("-texres", "-boost", "-blendv") if option in statement]
        assert sorted(folder.kinds) == ["map-option"] * len(said), "not shown, but kept"


def test_a_library_in_a_folder_names_images_from_there_or_from_the_obj(folder):
    folder.image("sub/wood.png"), folder.image("stone.png")
    folder.write("sub/a.mtl", "newmtl a\nmap_Kd wood.png\nnewmtl b\nmap_Kd stone.png\n")
    found = folder.read("sub/a.mtl")
    assert [found[name].base_color_texture.path.name for name in "ab"] == ["wood.png", "stone.png"]
    assert folder.problems == []


@pytest.mark.parametrize(
    ("named", "name"),
    [("C:\\art\\wood.png", "textures/wood.png"), ("wood.png", "x/y/wood.png"), ("old/wood.png", "wood.png")],
)
def test_an_image_that_was_moved_is_used_and_said(folder, named, name):
    path = folder.image(name)
    assert folder.material(f"map_Kd {named}").base_color_texture is read_texture(path)
    problem = folder.only_problem("file-elsewhere")
    assert problem.line == 2 and "wood.png" in problem.what and name in problem.done


def test_an_image_in_a_folder_beside_the_librarys_is_found(folder):
    folder.write("source/a.mtl", "newmtl m\nmap_Kd C:\\art\\wood.png\n")
    path = folder.image("Textures/wood.png")
    assert folder.read("source/a.mtl")["m"].base_color_texture is read_texture(path)


def test_images_in_another_case_are_found_and_said_once(folder):
    for name in ("Wood.PNG", "STONE.png"):
        folder.image(name)
    if (folder.path / "wood.png").exists():
        pytest.skip("this file system does not tell case apart")
    found = folder.material("map_Kd wood.png\nmap_Ke stone.png")
    assert found.base_color_texture.path.name == "Wood.PNG" and found.emission_texture.path.name == "STONE.png"
    problem = folder.only_problem("file-name-case")
    assert (problem.file, problem.line, problem.count) == (str(folder.path / "a.mtl"), 2, 2)


def test_a_missing_image_is_said_once_with_the_number_of_materials(folder):
    folder.write("a.mtl", "".join(f"newmtl m{number}\nmap_Kd gone.png\n" for number in range(1000)))
    assert all(found.base_color_texture is None for found in folder.read("a.mtl").values())
    problem = folder.only_problem("texture-missing")
    assert (problem.line, problem.count) == (2, 1000) and "'gone.png'" in problem.what


def test_thousands_of_missing_images_do_not_fill_the_report(folder):
    folder.write("a.mtl", "".join(f"newmtl m{number}\nmap_Kd gone{number}.png\n" for number in range(3000)))
    folder.read("a.mtl")
    assert len(folder.problems) == 1001 and sum(problem.count for problem in folder.problems) == 3000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
@pytest.mark.parametrize("name", ["text.png", "half.png", "pipe.png", "folder.png", "/dev/zero"])
def test_an_image_that_cannot_be_read_is_said(folder, name):
    folder.write("text.png", "no image")
    folder.write("half.png", folder.image("whole.png", size=(64, 64)).read_bytes()[:80])
    os.mkfifo(folder.path / "pipe.png")
    (folder.path / "folder.png").mkdir()
    assert folder.material(f"Kd 0.5 0 0\nmap_Kd -clamp off {name}").base_color_texture is None
    problem = folder.only_problem("texture-unreadable")
    assert problem.line == 3 and problem.what.startswith(f"texture '{name}' cannot be read (")


def test_more_images_than_a_card_holds_are_said(folder):
    image = folder.image("0.png", size=(1, 1)).read_bytes()
    for number in range(2050):
        folder.write(f"{number}.png", image)
    folder.write("a.mtl", "".join(f"newmtl m{number}\nmap_Kd {number}.png\n" for number in range(2050)))
    without = [name for name, found in folder.read("a.mtl").items() if found.base_color_texture is None]
    assert without == ["m2048", "m2049"] and folder.kinds == ["texture-unreadable"] * 2


@pytest.mark.parametrize("options", ["-s 2 3 1 -o 0.25 0.5", "-o 0.25 0.5 0 -s 2 3"])
def test_a_map_is_scaled_and_shifted(folder, options):
    folder.image("wood.png")
    for statement in (f"map_Kd {options} wood.png", f"map_Kd wood.png {options}"):
        found = folder.material(statement)
        assert (found.uv_scale, found.uv_offset) == ((2.0, 3.0), (0.25, 0.5))
        assert folder.problems == []
    assert folder.material("map_Kd -s 2 wood.png").uv_scale == (2.0, 1.0)


@pytest.mark.parametrize("option", ["-cc on", "-clamp maybe", "-t 0.1", "-mm 0.2 1", "-s nan 1", "-o 1e30 0"])
def test_an_option_that_is_not_shown_is_said(folder, option):
    folder.image("wood.png")
    found = folder.material(f"map_Kd {option} wood.png")
    assert found.base_color_texture is not None and found.uv_scale == (1.0, 1.0)
    assert option.split()[0] in folder.only_problem("map-option").what


def test_a_clamped_map_ends_at_its_borders(folder):
    folder.image("wood.png")
    found = folder.material("map_Kd -clamp on wood.png\nmap_Ke -clamp off wood.png\nnorm wood.png -clamp on -bm 2")
    assert [texture.wrap[0] for texture in found.textures] == ["clamp", "repeat", "clamp"]
    assert folder.problems == [] and found.base_color_texture is found.normal_texture


def test_maps_of_one_material_lie_each_where_it_says(folder):
    folder.image("a.png"), folder.image("b.png")
    found = folder.material("map_Ke -s 3 3 b.png\nmap_Kd -s 2 2 a.png")
    assert (found.uv_scale, found.placement_of("emission_texture")) == ((2.0, 2.0), (3.0, 3.0, 0.0, 0.0, 0.0))
    assert found.normal_placement is found.surface_placement is None
    found = folder.material("map_Kd a.png\nmap_Pm -o 0.5 b.png\nnorm -s 2 2 b.png")
    assert found.surface_placement == (1.0, 1.0, 0.0, 0.5, 0.0) and found.normal_placement == (2.0, 2.0, 0.0, 0.0, 0.0)
    assert folder.problems == []
    assert folder.material("map_Ke -s 3 3 b.png").uv_scale == (3.0, 3.0)
    folder.material("map_Pr a.png\nmap_Pm -s 2 b.png")  # both are made into one image
    assert folder.only_problem("map-option").what == "-s and -o of map_Pm differ from those of map_Pr"


def test_a_texture_is_not_darkened_by_a_color_that_is_not_given_or_black(folder):
    folder.image("a.png")
    assert folder.material("map_Kd a.png").base_color == (1.0, 1.0, 1.0)
    assert folder.material("Kd 0.5 1 1\nmap_Kd a.png").base_color == (0.5, 1.0, 1.0)
    assert folder.material("Kd 0 0 0\nmap_Kd a.png").base_color == (1.0, 1.0, 1.0)
    folder.only_problem("mtl-black")


def test_the_same_image_behind_map_kd_and_map_d_is_one_texture(folder):
    path = folder.image("leaf.png", (10, 200, 30, 128))
    assert folder.material("map_Kd leaf.png\nmap_d leaf.png").base_color_texture is read_texture(path)
    assert folder.problems == []


@pytest.mark.parametrize(
    ("mask", "opacity"), [((0, 0, 0, 77), 77), ((77,), 77), ((77, 77, 77), 77), ((255, 255, 255, 255), 255)]
)
def test_another_image_behind_map_d_is_the_opacity(folder, mask, opacity):
    folder.image("leaf.png", (10, 200, 30), size=(8, 2)), folder.image("mask.png", mask)
    texture = folder.material("map_Kd leaf.png\nmap_d mask.png").base_color_texture
    assert color_of(texture) == (10, 200, 30, opacity) and texture.pixels.shape == (2, 8, 4)
    assert color_of(folder.material("map_d mask.png").base_color_texture) == (255, 255, 255, opacity)
    assert folder.problems == []


def test_materials_of_the_same_two_images_share_the_texture_they_make(folder):
    folder.image("leaf.png"), folder.image("mask.png", (9,))
    folder.write("a.mtl", "".join(f"newmtl {name}\nmap_Kd leaf.png\nmap_d mask.png\n" for name in "ab"))
    found = folder.read("a.mtl")
    assert found["a"].base_color_texture is found["b"].base_color_texture
    assert not np.shares_memory(found["a"].base_color_texture.pixels, read_texture(folder.path / "leaf.png").pixels)


@pytest.mark.parametrize(
    ("statements", "emission"),
    [
        ("map_Ke glow.png", (1.0, 1.0, 1.0)),
        ("Ke 0 0 0\nmap_Ke glow.png", (1.0, 1.0, 1.0)),
        ("Ke 0.5 0 0\nmap_Ke glow.png", (0.5, 0.0, 0.0)),
    ],
)
def test_a_glow_map_shines_though_ke_is_black(folder, statements, emission):
    path = folder.image("glow.png")
    found = folder.material(statements)
    assert found.emission == emission and found.emission_texture is read_texture(path)


def test_without_its_glow_map_a_thing_does_not_glow_all_over(folder):
    found = folder.material("Ke 1 1 1\nmap_Ke gone.png")
    assert found.emission == (0.0, 0.0, 0.0) and found.emission_texture is None
    folder.only_problem("texture-missing")


def test_an_ambient_map_is_missed_only_where_there_is_no_other(folder):
    folder.image("a.png")
    folder.material("map_Ka a.png\nmap_Kd a.png")
    assert folder.problems == []
    folder.material("map_Ka a.png")
    folder.only_problem("map-not-shown")


def test_a_map_of_exponents_is_roughness(folder):
    folder.image("shine.png", (128,))
    found = folder.material("Ns 200\nmap_Ns -s 2 2 shine.png")
    assert folder.problems == [] and found.roughness == 1.0 and found.placement_of("surface_texture")[:2] == (2.0, 2.0)
    shown = found.surface_texture.pixels[0, 0, 1] / 255.0
    assert shown == pytest.approx(roughness_of_shininess(200 * 128 / 255), abs=1 / 255)
    for roughness in ("Pr 0.5", "map_Pr shine.png"):
        beside = folder.material(f"Ns 200\n{roughness}\nmap_Ns shine.png")
        assert (beside.surface_texture is None) == (roughness[0] == "P")
        assert folder.only_problem("map-not-shown").line == 4 and beside.kept_mtl.startswith("map_Ns")


def test_a_displacement_is_shown_as_bumps_and_said(folder):
    folder.image("height.png", (128,))
    assert folder.material("disp -bm 2 height.png").normal_scale == 2.0
    assert "no surface is moved" in folder.only_problem("map-not-shown").done
    folder.image("normal.png", (128, 128, 255))
    assert folder.material("disp -bm 2 height.png\nnorm normal.png").normal_scale == 1.0
    assert folder.only_problem("map-not-shown").done.startswith("kept")


@pytest.mark.parametrize(("channel", "value"), [("r", 10), ("g", 200), ("b", 30), ("m", 77)])
def test_a_map_of_numbers_is_the_channel_that_it_names(folder, channel, value):
    folder.image("all.png", (10, 200, 30, 77))
    found = folder.material(f"map_Pr -imfchan {channel} all.png")
    assert found.surface_texture.pixels[0, 0, 1] == value and folder.problems == []
    assert folder.material(f"map_Kd -imfchan {channel} all.png").base_color_texture.pixels[0, 0, 1] == 200
