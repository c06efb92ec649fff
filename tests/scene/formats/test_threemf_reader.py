"""3MF files: objects, copies of them, parts of others; and what is wrong with them in a line."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest

from octoscope.scene import ReadError, load
from octoscope.scene.conventions.length_unit import METRES
from octoscope.scene.loading.load import opened
from tests.scene.formats.simple_files import SQUARE, threemf

_TRIANGLE = (
    '<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/></vertices>'
    '<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>'
)


def _model(objects: str, build: str) -> bytes:
    return threemf(f"{objects}<build>{build}</build>", into_resources=objects)


def test_copies_in_a_3mf_share_a_mesh(read_named):
    part = (
        '<object id="1" name="part" type="model"><mesh><vertices>{}</vertices><triangles>{}</triangles></mesh></object>'
    )
    vertices = "".join('<vertex x="{}" y="{}" z="{}"/>'.format(*line.split()) for line in SQUARE.splitlines())
    part = part.format(vertices, '<triangle v1="0" v2="1" v3="2"/><triangle v1="0" v2="2" v3="3"/>')
    items = "".join(
        f'<item objectid="1" transform="{transform}"/>'
        for transform in ("1 0 0 0 1 0 0 0 1 0 0 0", "0 2 0 -2 0 0 0 0 2 5 6 7", "1 0 0 1 1 0 0 0 1 0 0 0")
    )
    content = read_named("a.3mf", threemf(part + f"<build>{items}</build>", into_resources=part))
    assert len(content.meshes) == 1 and sorted(content.node_meshes.tolist()) == [-1, 0, 0, 0]
    moved = int(np.flatnonzero(content.translations.any(axis=1))[0])
    np.testing.assert_allclose(content.translations[moved], (5, 6, 7))
    np.testing.assert_allclose(content.scales[moved], (2, 2, 2))
    assert [problem.kind for problem in content.problems] == ["shear"]


def test_what_a_3mf_has_that_is_not_read_is_said(read_named):
    objects = '<basematerials id="5"><base name="red" displaycolor="#FF0000"/></basematerials><m:colorgroup id="6"/>'
    objects += f'<s:slicestack id="7"/><object id="1">{_TRIANGLE}</object>'
    content = read_named("a.3mf", _model(objects, '<item objectid="1"/>'))
    assert [problem.what for problem in content.problems] == [
        f"{feature} are not read" for feature in ("materials", "colours", "slices")
    ]
    beams = '<object id="1"><mesh><b:beamlattice/></mesh></object>'
    with pytest.raises(ReadError, match=r"nothing to show in it \(beam lattices are not read"):
        read_named("a.3mf", _model(beams, '<item objectid="1"/>'))


def test_an_object_of_parts_places_them_and_names_are_their_own(read_named):
    objects = f'<object id="1" name="a">{_TRIANGLE}</object><object id="2">{_TRIANGLE}</object>'
    objects += '<object id="3" name="whole"><components><component objectid="1" transform="1 0 0 0 1 0 0 0 1 1 0 0"/>'
    objects += '<component objectid="2"/><component objectid="7"/></components></object>'
    moved = 'transform="2 0 0 0 2 0 0 0 2 0 5 0"'
    content = read_named("a.3mf", _model(objects, f'<item objectid="3" {moved}/><item objectid="1" partnumber="P"/>'))
    assert content.node_names.tolist() == ["a", "2", "P"]
    assert content.translations.tolist() == [[2, 5, 0], [0, 5, 0], [0, 0, 0]]
    assert content.scales.tolist() == [[2, 2, 2], [2, 2, 2], [1, 1, 1]]
    assert len(content.meshes) == 2 and content.vertex_count == 6


def test_parts_in_other_files_of_the_archive_are_read_and_their_ids_are_their_own(read_named):
    other = f'<model><resources><object id="1" name="there">{_TRIANGLE}</object></resources></model>'
    parts = '<component objectid="1" p:path="/3D/Objects/other.model"/><component objectid="2"/>'
    objects = f'<object id="2" name="here">{_TRIANGLE}</object><object id="1"><components>{parts}</components></object>'
    out = io.BytesIO(_model(objects, '<item objectid="1"/>'))
    with zipfile.ZipFile(out, "a") as archive:
        archive.writestr("3D/Objects/other.model", other)
    assert read_named("a.3mf", out.getvalue()).node_names.tolist() == ["there", "here"]


def test_thousands_of_objects_of_one_name_keep_it(read_named):
    objects = "".join(f'<object id="{number}" name="a">{_TRIANGLE}</object>' for number in range(2000))
    items = "".join(f'<item objectid="{number}"/>' for number in range(2000))
    assert read_named("a.3mf", _model(objects, items)).node_names.tolist() == ["a"] * 2000


# What is wrong.


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"hello", "not a 3MF file: it is no ZIP archive"),
        (threemf("<build/>")[:90], "broken 3MF"),
        (threemf("<build>"), "broken 3MF (line 1: mismatched tag)"),
        (threemf("<build/>"), "nothing to show"),
        (_model("", '<item objectid="1"/>'), "nothing to show"),
        (_model('<object id="1"><mesh><vertex x="0" y="0"/></mesh></object>', ""), "broken 3MF (no 'z')"),
        (_model('<object id="1"><vertex x="0" y="0" z="0"/></object>', ""), "broken 3MF"),
        (_model('<object id="1"><mesh><triangle v1="x" v2="0" v3="0"/></mesh></object>', ""), "broken 3MF (invalid"),
        (_model("", '<item objectid="1" transform="1 2 3"/>'), "broken 3MF (cannot reshape"),
        (_model('<object id="1"><mesh><triangle v1="' + "9" * 99 + '" v2="0" v3="0"/></mesh></object>', ""), "broken"),
    ],
    ids=lambda value: value if isinstance(value, str) else "content",  # an archive holds the time when it was made
)
def test_a_broken_file_is_refused_in_a_line(read_named, tmp_path, content, says):
    with pytest.raises(ReadError) as refused:
        read_named("a.3mf", content)
    line = str(refused.value)
    assert says in line and line.startswith(str(tmp_path / "a.3mf")) and len(line.splitlines()) == 1


def _archive(name: str, text: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, text)
    return out.getvalue()


def test_an_archive_without_a_model_and_a_text_with_entities_are_refused(read_named):
    with pytest.raises(ReadError, match="not a 3MF file: it is a ZIP archive without a 3D model"):
        read_named("a.3mf", _archive("readme.txt", "hello"))
    with pytest.raises(ReadError, match="a document type"):
        read_named("a.3mf", _archive("3D/3dmodel.model", '<!DOCTYPE a [<!ENTITY b "c">]><model>&b;</model>'))


@pytest.mark.parametrize(
    "objects",
    [
        ["1>2", "2>1"],
        ["1>1"],
        [f"{i}>{i + 1},{i + 1}" for i in range(1, 40)],
        [f"{i}>{i + 1}" for i in range(1, 200)],
    ],
)
def test_objects_of_a_3mf_that_are_parts_of_themselves_or_multiply_are_refused(read_named, objects):
    xml = ""
    for text in objects:
        name, _, parts = text.partition(">")
        components = "".join(f'<component objectid="{part}"/>' for part in parts.split(","))
        xml += f'<object id="{name}"><components>{components}</components></object>'
    with pytest.raises(ReadError, match="contain themselves"):
        read_named("a.3mf", threemf(xml + '<build><item objectid="1"/></build>', into_resources=xml))


@pytest.mark.parametrize("filling", (" ", '<vertex x="0" y="0" z="0"/>'))
def test_what_unpacks_to_far_more_than_anything_else_is_refused(read_named, filling, monkeypatch):
    monkeypatch.setattr("octoscope.scene.system.read_limits._UNPACKED_OF_ANY", 2**20)
    objects = f'<object id="1"><mesh>{filling * (2 * 2**20 // len(filling))}</mesh></object>'
    with pytest.raises(ReadError, match="unpacks to more than 100 times its size"):
        read_named("a.3mf", _model(objects, '<item objectid="1"/>'))


@pytest.mark.parametrize(
    "written, unit, side",
    (("", "mm", 1.0), ('unit="inch"', "in", 1.0), ('unit="micron"', "mm", 0.001), ('unit="ell"', "", 1.0)),
)
def test_the_unit_of_a_model_is_that_of_an_empty_scene_and_converted_in_another(tmp_path, written, unit, side):
    model = f'<object id="1">{_TRIANGLE}</object>'
    (tmp_path / "a.3mf").write_bytes(
        threemf(f'{model}<build><item objectid="1"/></build>', into_resources=model, head=written)
    )
    scene = load(tmp_path / "a.3mf")
    assert scene.length_unit == unit and scene.bounds()[1][0] == pytest.approx(side)
    assert bool(scene.report.merged_problems) == (unit == "")
    metres = opened(tmp_path / "a.3mf", length_unit="m")
    assert metres.length_unit == "m"
    assert metres.bounds()[1][0] == pytest.approx(side * METRES.get(unit, 1.0))
