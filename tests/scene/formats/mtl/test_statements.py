"""The statements of .mtl files as exporters write them, and as they break."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octoscope.scene import DEFAULT_MATERIAL, Material
from octoscope.scene.formats.export import note_kept_mtl_left_out
from octoscope.scene.formats.mtl.writer import as_in_mtl, write_mtl
from octoscope.scene.geometry.colors import linear_from_srgb
from tests.scene.formats.mtl.folder import MtlFolder


@pytest.mark.parametrize(
    ("statement", "color"),
    [
        ("Kd 0.1 0.2 0.3", (0.1, 0.2, 0.3)),
        ("Kd 0.5", (0.5, 0.5, 0.5)),
        ("kd 1e-1 +.2 3.0E-1", (0.1, 0.2, 0.3)),
        ("Kd 0.1 0.2 0.3 1.0", (0.1, 0.2, 0.3)),
        ("Kd 0.1 \\\n 0.2 \\ \n0.3", (0.1, 0.2, 0.3)),
        ("  KD\t0.1\t0.2   0.3  # a comment", (0.1, 0.2, 0.3)),
        ("Kd 1 1 1\nKd 0.1 0.2 0.3", (0.1, 0.2, 0.3)),
        ("Kd xyz 0.9505 1.0 1.089", (1.0, 1.0, 1.0)),
        ("Kd xyz 0.2", (0.537, 0.470, 0.459)),
        ("Kd xyz 0.4124 0.2126 0.0193", (1.0, 0.0, 0.0)),
    ],
)
def test_a_color_is_read(folder, statement, color):
    assert folder.material(statement).base_color == pytest.approx(color, abs=0.01)
    assert folder.problems == []


@pytest.mark.parametrize(
    "numbers", ["", "red", "0,5 0,5 0,5", "1 1", "nan 0 0", "1 1 inf", "-1.#IND 0 0", "xyz", "xyz a"]
)
def test_a_color_that_cannot_be_read_is_said_and_the_default(folder, numbers):
    assert folder.material(f"illum 2\nKd {numbers}\nKs {numbers}").base_color == DEFAULT_MATERIAL.base_color
    assert folder.kinds == ["mtl-number", "mtl-number"]
    assert [problem.line for problem in folder.problems] == [3, 4]
    assert folder.problems[0].file == str(folder.path / "a.mtl") and "Kd" in folder.problems[0].what


def test_a_spectral_curve_is_said_and_the_default(folder):
    assert folder.material("Kd spectral file.rfl 1.0").base_color == DEFAULT_MATERIAL.base_color
    assert folder.only_problem("mtl-not-shown").line == 2


def test_numbers_out_of_range_are_brought_into_it_and_said(folder):
    found = folder.material("Kd 2 -1 0.5\nd 7\nNs -3\nKe 5 0 0\nPr 3")
    assert (found.base_color, found.opacity) == ((1.0, 0.0, 0.5), 1.0)
    assert found.shininess >= 1.0 and found.roughness == 1.0
    assert folder.kinds == ["mtl-range"] * 4, "Kd, d, Ns and Pr: a lamp may be as bright as it likes"


# Each statement of MTL that takes numbers: values outside its range, and what becomes of them: they are shown as they
# are, or a problem says what is done.
BEYOND = {
    **{f"{keyword} {numbers}": "mtl-range" for keyword in ("Kd", "Ks") for numbers in ("2 0 0", "0 -1 0", "1e300")},
    **{f"{keyword} xyz {numbers}": "mtl-range" for keyword in ("Kd", "Ks") for numbers in ("2 2 2", "-1 0 0")},
    **{
        f"{keyword} {number}": "mtl-range" for keyword in ("d", "Tr", "Pr", "Pm", "Pc", "Pcr") for number in (-0.1, 1.1)
    },
    **{f"Ke {numbers}": None for numbers in ("2 0 0", "5", "1.5 3 0.1", "1e5 1 1", "xyz 2 2 2", "xyz 0.95 1 1.09")},
    **{f"Ke {numbers}": "mtl-range" for numbers in ("-1 0 0", "1e7", "xyz -1 0 0", "xyz 1e300 0 0", "2 2 -1")},
    **{f"Ns {number}": "mtl-range" for number in (-1, 1001, 1e300)},
    **{f"illum {number}": "mtl-range" for number in (-1, 11, 2.5, 1e300)},
    **{f"Tf {numbers}": "mtl-not-shown" for numbers in ("2 2 2", "-1 0 0")},
    **{f"{keyword} {number}": "mtl-not-shown" for keyword in ("Ps", "aniso", "anisor") for number in (-2, 2)},
    # Not shown whatever they say, as most files have them without a meaning; tests above hold that.
    **{f"{statement} {number}": None for statement in ("Ka", "Ni") for number in (-5, 1e300)},
    **{f"{statement} {number}": "mtl-not-shown" for statement in ("sharpness", "Km") for number in (-5, 1e300)},
    **{
        f"{statement} nan": "mtl-number" for statement in ("Kd", "Ks", "Ke", "Ns", "illum", "d", "Tr", "Pr", "Pm", "Pc")
    },
    **{f"map_Kd {option} 1e300 1 1 a.png": "map-option" for option in ("-s", "-o")},
    **{f"bump -bm {number} a.png": "map-option" for number in ("1e4", "-1e4", "nan")},
    "bump -bm -2 a.png": None,
    "map_Kd -mm -5 1e9 a.png": "map-option",
}


@pytest.mark.parametrize("statement", BEYOND)
def test_every_statement_beyond_its_range_is_shown_or_said(folder, statement):
    folder.image("a.png")
    folder.material(statement)
    said = [kind for kind in folder.kinds if kind != "mtl-hidden"]  # of an opacity of 0
    assert said == ([] if BEYOND[statement] is None else [BEYOND[statement]]), folder.problems


@pytest.mark.parametrize("emission", ["2 0 0", "5", "1.5 3 0.1", "1e5 1 1"])
def test_what_is_brighter_than_white_is_a_factor_of_its_colour(folder, emission):
    found = folder.material(f"Ke {emission}")
    numbers = [float(word) for word in emission.split()] * (3 if " " not in emission else 1)
    assert found.emission_strength == max(numbers)
    assert np.array(found.emission) * found.emission_strength == pytest.approx(numbers)
    assert found.emitted_light == pytest.approx(linear_from_srgb(found.emission) * max(numbers))


@pytest.mark.parametrize(
    ("statements", "opacity"),
    [
        ("d 0.25", 0.25),
        ("d -halo 0.25", 0.25),
        ("Tr 0.25", 0.75),
        ("d 0.25\nTr 0.5", 0.5),
        ("Tr 0.5\nd 0.25", 0.25),
        ("d 1\nTr 0", 1.0),
        ("d 1\nTr 1", 1.0),
        ("Tr 1.0\nd 1", 1.0),
        ("d 0.3\nTr 0.3", 0.3),
        ("d 0.3\nTr 0.7", 0.3),
    ],
)
def test_the_later_of_d_and_tr_holds_and_equal_numbers_mean_opacity(folder, statements, opacity):
    assert folder.material(statements).opacity == pytest.approx(opacity)
    assert folder.kinds == ["mtl-not-shown"] * ("-halo" in statements)


@pytest.mark.parametrize("statement", ["d 0", "Tr 1"])
def test_a_material_that_hides_what_is_made_of_it_is_said(folder, statement):
    assert folder.material(statement).opacity == 0.0
    folder.only_problem("mtl-hidden")


def test_metal_and_roughness_are_read(folder):
    found = folder.material("Pr 0.25\nPm 0.75\nPs 0\nPc 0.0\nPcr 0\naniso 0\nanisor 0\n")
    assert (found.roughness, found.metallic) == (0.25, 0.75)
    assert folder.problems == [], "what is written at its neutral value is not missed"
    assert folder.material("Kd 1 1 1").roughness is None


def test_a_clear_coat_is_read_and_an_index_of_refraction_is_not(folder):
    """Many programs write Ni 1.0 or 1.45 for everything."""
    found = folder.material("Pc 0.75\nPcr 0.125\nNi 2.5\n")
    assert (found.clearcoat, found.clearcoat_roughness, found.index_of_refraction) == (0.75, 0.125, 1.5)
    assert folder.problems == []
    assert folder.material("Pc 3\n").clearcoat == 1.0
    folder.only_problem("mtl-range")


def test_a_highlight_has_the_colour_of_its_statement(folder, tmp_path):
    found = folder.material("Ks 0.9 0.6 0.3")
    assert np.array(found.specular_color) * found.specular == pytest.approx((0.9, 0.6, 0.3))
    assert found.specular == pytest.approx(0.6)
    for name in ("one", "two"):
        write_mtl(as_in_mtl({"m": found}, notes := []), tmp_path / f"{name}.mtl")
        assert notes == [] and "Ks 0.9 0.6 0.3\n" in (tmp_path / f"{name}.mtl").read_text()
        found = folder.read(f"{name}.mtl")["m"]
    assert folder.material("Ks 0.5 0.5 0.5").specular_color == DEFAULT_MATERIAL.specular_color
    folder.image("gloss.png")
    assert folder.material("map_Ks gloss.png").specular == 1.0 and folder.material("map_Ks none.png").specular == 0.2
    as_in_mtl({"m": replace(found, specular_color=(2.0, 0.5, 0.1))}, notes)
    assert "specular colour" in notes[0]


def test_illumination_models_turn_off_light_and_highlight(folder):
    assert folder.material("illum 0").unlit and not folder.material("illum 2").unlit
    assert folder.material("Ks 1 1 1\nillum 1").specular == 0.0
    assert folder.material("Ks 1 1 1\nillum 1\nPr 0.5").specular == 1.0, "its roughness says it has a highlight"
    assert folder.material("Ks 1 1 1\nillum 7").specular == 1.0


def test_what_is_not_shown_is_said_once_for_each_keyword(folder):
    text = "Ka 1 1 1\nNi 1.45\nTf 1 1 1\nsharpness 60\nTf 0.5 0.5 0.5\nPs 0.3\ndecal b.png\nrefl -bm 2 b.png\n"
    folder.write("a.mtl", "".join(f"newmtl m{number}\n{text}" for number in range(100)))
    assert len(folder.read("a.mtl")) == 100
    said = [(problem.kind, problem.what.split()[0], problem.line, problem.count) for problem in folder.problems]
    assert said == [
        ("mtl-not-shown", "sharpness", 5, 100),
        ("mtl-not-shown", "Tf", 6, 100),
        ("mtl-not-shown", "Ps", 7, 100),
        ("map-not-shown", "decal", 8, 100),
        ("map-not-shown", "refl", 9, 100),
    ]


@pytest.mark.parametrize("keyword", ["map_Ps", "decal", "map_norm", "refl"])
def test_a_map_that_is_not_shown_is_said_and_kept(folder, keyword):
    assert folder.material(f"{keyword} -type sphere x.png").kept_mtl == f"{keyword} -type sphere x.png"
    problem = folder.only_problem("map-not-shown")
    assert problem.what.startswith(keyword) and "kept for .mtl files" in problem.done


def test_what_is_kept_is_written_again_and_its_images_come_along(folder, tmp_path):
    for name in ("sky map.png", "mask.png"):
        folder.image(name)
    numbers = "Ka spectral a.rfl 1\nTf xyz 0.5 1 1\nPs 0.3\naniso 0.2\nanisor 0.25"
    maps = "map_Ps -s 2 2 2 {0}mask.png\nrefl -type sphere {0}sky{1}map.png\ndecal none.png\nmap_Ka {0}mask.png"
    material = folder.material(f"Tf 1 1 1\n{numbers}\n{maps.format('', ' ')}\nmap_Kd mask.png")
    there = MtlFolder(tmp_path / "there")
    there.path.mkdir()
    for holder, shown in ((folder, maps.format("", " ")), (there, maps.format("b_textures/", "_"))):
        write_mtl({"m": material}, holder.path / "b.mtl")
        (again,) = holder.read("b.mtl").values()
        assert again.kept_mtl.replace(f"{holder.path}/", "") == f"{numbers}\n{shown}"


def test_each_statement_of_the_specification_is_written_again_unless_it_was_edited(folder, tmp_path):
    names = ("kd", "ke", "ks", "ka", "bump", "disp", "decal")
    for number, name in enumerate(names):
        folder.image(f"{name}.png", (100 + number,))
    kept = [
        *(
            "Ka 0.1 0.2 0.3",
            "Ni 1.3",
            "Km 0.4",
            "sharpness 60",
            "Tf 0.5 0.5 1",
            "illum 4",
            "d -halo 0.75",
            "map_aat on",
        ),
        "map_Kd -mm 0.1 2 -cc on -t 0.1 0 0 -blendu off -blendv off -texres 64 -boost 2 -s 2 2 1 -o 0.5 0 0 kd.png",
        *("map_Ke -texres 32 ke.png", "map_Ks -cc on ks.png", "map_Ka ka.png", "decal -imfchan m decal.png"),
        *("map_Bump -bm 0.5 bump.png", "disp -mm 0 2 disp.png", "refl -type cube_top top.png"),
    ]
    material = folder.material("Kd 0.5 0.5 0.5\nKs 1 1 1\nKe 1 1 1\nNs 50\n" + "\n".join(kept))
    said = [problem.what for problem in folder.problems]
    for word in (
        "Km",
        "sharpness",
        "Tf",
        "illum 4",
        "d -halo",
        "map_aat",
        "-mm",
        "-cc",
        "-t'",
        "-blendu",
        "disp",
        "decal",
    ):
        assert any(word in line for line in said), word
    assert len(said) == len({*said}), "each once"

    def written(changed: Material) -> str:
        write_mtl(as_in_mtl({"m": changed}, []), folder.path / "b.mtl")
        return (folder.path / "b.mtl").read_text()

    text = written(material)
    for line in kept:
        assert text.splitlines().count(line) == 1, f"{line}\n{text}"
    assert "norm" not in text and not list(folder.path.glob("b_textures/*"))
    (again,) = folder.read("b.mtl").values()
    assert sorted(again.kept_mtl.split("\n")) == sorted(material.kept_mtl.split("\n")) and again.opacity == 0.75
    edited = written(
        replace(
            material,
            opacity=0.5,
            normal_scale=2.0,
            uv_scale=(1.0, 1.0),
            specular_texture=None,
            unlit=True,
            index_of_refraction=1.8,
        )
    )
    assert "Ni 1.8\n" in edited
    for line in ("d -halo 0.75", "illum 4", "Ni 1.3", kept[8], "map_Ks -cc on ks.png", "map_Bump", "disp"):
        assert line not in edited
    assert "norm -bm 2.0 b_textures/bump.png" in edited and (folder.path / "b_textures" / "bump.png").is_file()
    beside = ("norm kd.png", "map_Bump bump.png", "bump bump.png", "disp disp.png")
    material = folder.material("\n".join(beside))
    assert [problem.what.split()[0] for problem in folder.problems] == ["map_Bump", "bump", "disp"], (
        "always in one order"
    )
    text = written(material)
    for line in beside:
        assert text.splitlines().count(line) == 1, text
    text = written(replace(material, normal_texture=folder.material("norm ks.png").normal_texture))
    assert "norm ks.png" in text and "bump" not in text.lower() and "disp" not in text
    shown_in_part = "\n".join(f"{keyword} -cc on kd.png" for keyword in ("map_d", "map_Pr", "map_Pm", "map_Ns", "disp"))
    note_kept_mtl_left_out([replace(material, kept_mtl=f"{shown_in_part}\nrefl kd.png")], notes := [])
    assert notes == ["refl of material 'm' are left out: only MTL has them"]


def test_a_statement_that_nobody_knows_is_said(folder):
    folder.material("d 1\nshiny very\n")
    problem = folder.only_problem("mtl-statement")
    assert problem.line == 3 and "shiny" in problem.what


def test_a_file_of_a_thousand_unknown_words_does_not_fill_the_report(folder):
    folder.material("".join(f"word{number} 1\nmap_{number} x.png\n" for number in range(1000)))
    assert len(folder.problems) < 50
    assert sum(problem.count for problem in folder.problems) == 2000


def test_the_last_definition_of_a_name_holds_whole_and_is_said_where_it_differs(folder):
    folder.write("a.mtl", "newmtl m\nKd 1 0 0\nd 0.5\nnewmtl n\nKd 1 1 1\nnewmtl m\nKd 0 1 0\nnewmtl n\nKd 1 1 1\n")
    found = folder.read("a.mtl")
    assert found["m"].base_color == (0.0, 1.0, 0.0) and found["m"].opacity == 1.0
    assert list(found) == ["m", "n"]
    assert folder.only_problem("mtl-again").line == 6


def test_statements_that_belong_to_no_material_are_said(folder):
    folder.write("a.mtl", "Kd 1 0 0\nd 1\nnewmtl\nKd a\nnewmtl  \t\nnewmtl m\nKd 0 1 0\n")
    found = folder.read("a.mtl")
    assert list(found) == ["m"] and found["m"].base_color == (0.0, 1.0, 0.0)
    said = [(problem.kind, problem.line, problem.count) for problem in folder.problems]
    assert said == [("mtl-statement", 1, 2), ("mtl-statement", 3, 2)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_encoding_and_line_end(folder, encoding, line_end):
    text = line_end.join(["newmtl gr\xfcn", "Kd 0 0.5 0", "# \xe4", "newmtl b", "Kd 0 0 1"])
    folder.write("a.mtl", text.encode(encoding))
    found = folder.read("a.mtl")
    assert {name: material.base_color for name, material in found.items()} == {"gr\xfcn": (0, 0.5, 0), "b": (0, 0, 1)}
    assert folder.problems == []


@pytest.mark.parametrize("name", ["two words", "a\\", "# 25", '"quoted"', "Kd 1 1 1", "a\tb"])
def test_a_name_is_all_that_stands_behind_newmtl(folder, name):
    folder.write("a.mtl", f"newmtl {name}\nKd 0 1 0\n")
    found = folder.read("a.mtl")
    assert list(found) == [name.replace("\t", " ")] and found[name.replace("\t", " ")].base_color == (0.0, 1.0, 0.0)


_KEYWORDS = "newmtl Kd Ks Ke Ka Ns d Tr Pr Pm illum Tf Ni map_Kd map_d map_Ke map_Ka bump norm refl x # \\"
_WORDS = "m 0 1 0.5 -1 1e400 nan inf xyz spectral -s -o -clamp on -mm a.png 'a.png' pipe \\ # C:\\a.png //a/b .. \0"
_STATEMENTS = st.builds(
    lambda keyword, words, end: f"{keyword} {' '.join(words)}{end}".encode(),
    st.sampled_from(_KEYWORDS.split(" ")),
    st.lists(st.sampled_from(_WORDS.split(" ")) | st.text(max_size=8), max_size=6),
    st.sampled_from(["\n", "\r\n", "\r", "\\\n", " ", "\t\n"]),
)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs FIFOs")
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(_STATEMENTS, max_size=20), st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=4))
def test_whatever_a_file_holds_is_read_or_said(folder, statements, mangled):
    data = bytearray(b"newmtl m\n" + b"".join(statements))
    for place, byte in mangled:
        data[place % len(data)] = byte
    folder.write("a.mtl", bytes(data))
    folder.image("a.png")
    if not (folder.path / "pipe").exists():
        os.mkfifo(folder.path / "pipe")
    for found in folder.read("a.mtl", *(statement.decode(errors="replace") for statement in statements[:2])).values():
        assert len(found.base_color) == len(found.emission) == 3
        factors = (*found.base_color, *found.emission, found.opacity, found.specular, found.metallic)
        assert all(0.0 <= factor <= 1.0 for factor in factors) and 1.0 <= found.shininess <= 1000.0
        assert all(abs(number) <= 1e6 for number in (*found.uv_scale, *found.uv_offset))
    assert all("\n" not in str(problem) and problem.count >= 1 for problem in folder.problems)
