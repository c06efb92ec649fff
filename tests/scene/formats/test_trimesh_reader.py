"""PLY, STL, OFF and 3MF files: what they hold, in their order, and what is wrong with them in a line."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import trimesh
from PIL import Image

from scene import FileContent, ReadError, load
from scene.formats.trimesh_reader import read_other
from tests.scene.builders import ball

SQUARE = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n"
XYZ = "property float x\nproperty float y\nproperty float z\n"
FACES = "property list uchar int vertex_indices\n"


def ply(vertices: str, body: str, *, properties: str = "", count: int = 4, more: str = "", comment: str = "") -> str:
    return (
        f"ply\nformat ascii 1.0\n{comment}element vertex {count}\n{XYZ}{properties}{more}end_header\n{vertices}{body}"
    )


@pytest.fixture
def read(tmp_path):
    def write_and_read(name: str, text: str | bytes) -> FileContent:
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_other(tmp_path / name)

    return write_and_read


def sound(content: FileContent):
    """The one mesh of a file in which nothing is wrong."""
    assert content.problems == [] and len(content.objects) == 1
    return content.objects[0][1]


# PLY.


def test_polygons_of_a_ply_are_cut_and_know_their_sides(read):
    arrow = "0 0 0\n2 1 0\n0 2 0\n1 1 0\n"
    mesh = sound(read("a.ply", ply(arrow, "4 0 1 2 3\n3 0 1 3\n", more=f"element face 2\n{FACES}")))
    corners = mesh.positions[mesh.triangles]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])[:, 2] / 2.0
    assert areas[:2].sum() == pytest.approx(1.0) and (areas > 0.0).all()  # 2 where a fan covers the notch
    sides = {
        tuple(sorted((int(t[k]), int(t[(k + 1) % 3]))))
        for t, e in zip(mesh.triangles[:2], mesh.edges[:2], strict=True)
        for k in range(3)
        if e >> k & 1
    }
    assert sides == {(0, 1), (1, 2), (2, 3), (0, 3)}
    assert mesh.edges[2] == 0b111


def test_the_order_of_vertices_is_kept_and_unused_ones_are_left_out(read):
    vertices = "9 9 9\n" + SQUARE
    content = read("a.ply", ply(vertices, "3 4 2 1\n3 4 3 2\n", count=5, more=f"element face 2\n{FACES}"))
    mesh = sound(content)
    assert mesh.positions.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    assert mesh.source_vertices.tolist() == [1, 2, 3, 4] and mesh.triangles.tolist() == [[3, 1, 0], [3, 2, 1]]
    assert (content.vertex_count, content.node_names.tolist()) == (5, ["a"])


@pytest.mark.parametrize(
    ("kind", "row", "expected"),
    [
        ("uchar", "255 128 0", [255, 128, 0, 255]),
        ("float", "1 0.5 0", [255, 128, 0, 255]),
        ("ushort", "65535 32896 0", [255, 128, 0, 255]),
    ],
)
def test_colours_and_normals_and_texture_coordinates_of_vertices(read, kind, row, expected):
    properties = "".join(f"property {kind} {name}\n" for name in ("red", "green", "blue"))
    properties += "".join(f"property float {name}\n" for name in ("nx", "ny", "nz", "u", "v"))
    vertices = "".join(f"{line} {row} 0 0 2 0.25 0.75\n" for line in SQUARE.splitlines())
    content = read("a.ply", ply(vertices, "4 0 1 2 3\n", properties=properties, more=f"element face 1\n{FACES}"))
    mesh = sound(content)
    assert mesh.colors[0].tolist() == expected
    assert mesh.normals[0].tolist() == [0, 0, 1] and mesh.uvs[0].tolist() == [0.25, 0.75]
    assert content.materials[0].base_color == (1, 1, 1)


def test_texture_coordinates_of_corners_part_vertices_only_where_they_differ(read, tmp_path):
    Image.new("RGB", (1, 1), (9, 8, 7)).save(tmp_path / "the image.png")
    more = f"element face 2\n{FACES}property list uchar float texcoord\n"
    body = "3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 0 0 1 1 0.5 0.5\n"
    content = read("a.ply", ply(SQUARE, body, more=more, comment="comment TextureFile the image.png\n"))
    mesh = sound(content)
    assert mesh.source_vertices.tolist() == [0, 1, 2, 3]
    assert mesh.uvs[mesh.triangles].reshape(-1, 2).tolist() == [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0.5, 0.5]]
    assert content.materials[0].base_color_texture.pixels[0, 0].tolist() == [9, 8, 7, 255]
    content = read("a.ply", ply(SQUARE, body.replace("3 0 2 3 6 0 0", "3 0 2 3 6 7 0"), more=more))
    assert content.objects[0][1].source_vertices.tolist() == [0, 1, 2, 0, 3]


def test_a_ply_without_faces_is_points_and_edges_are_lines(read):
    assert sound(read("a.ply", ply(SQUARE, ""))).points.tolist() == [0, 1, 2, 3]
    more = "element edge 2\nproperty int vertex1\nproperty int vertex2\n"
    mesh = sound(read("a.ply", ply(SQUARE, "0 2\n1 3\n", more=more)))
    assert mesh.lines.tolist() == [[0, 2], [1, 3]] and len(mesh.points) == 0


@pytest.mark.parametrize("encoding", ["ascii", "binary"])
def test_what_trimesh_writes_is_read_as_trimesh_reads_it(read, encoding):
    mesh = trimesh.Trimesh(ball().positions, ball().triangles, process=False)
    found = sound(read("a.ply", mesh.export(file_type="ply", encoding=encoding)))
    np.testing.assert_allclose(found.positions, mesh.vertices, atol=1e-6)
    np.testing.assert_array_equal(found.triangles, mesh.faces)


def test_what_is_odd_in_a_ply_is_left_out_and_said(read):
    properties = "property uchar red\nproperty uchar green\nproperty uchar blue\n"
    more = f"element face 4\n{FACES}{properties}element edge 1\nproperty int vertex1\nproperty int vertex2\n"
    more += "element user 1\nproperty int a\n"
    body = "3 0 1 2 1 2 3\n3 0 1 9 1 2 3\n3 0 1 -1 1 2 3\n3 0 1 3 1 2 3\n0 7\n5\n"
    content = read("a.ply", ply(SQUARE.replace("0 1 0\n", "nan 1 0\n"), body, more=more))
    assert content.objects[0][1].triangles.tolist() == [[0, 1, 2]]
    assert {problem.kind: problem.count for problem in content.problems if problem.kind != "mesh-data"} == {
        "face-colors": 1,
        "element": 1,
    }
    assert sorted(problem.count for problem in content.problems if problem.kind == "mesh-data") == [1, 3]


# STL, OFF, 3MF.

FACET = "facet normal 0 0 1\nouter loop\nvertex 0 0 {0}\nvertex 1 0 {0}\nvertex 0 1 {0}\nendloop\nendfacet\n"


def test_solids_of_an_stl_text_are_nodes(read):
    content = read(
        "a.stl", f"solid first\n{FACET.format(1)}endsolid\nsolid second part\n{FACET.format(2) * 2}endsolid\n"
    )
    assert [(name, len(mesh.triangles)) for name, mesh in content.objects] == [("first", 1), ("second part", 2)]
    assert content.problems == []
    assert read("b.stl", f"solid\n{FACET.format(1)}endsolid\n").node_names.tolist() == ["b"]


def test_an_stl_keeps_its_triangles_apart_and_in_order(read):
    mesh = trimesh.Trimesh(ball().positions, ball().triangles, process=False)
    found = sound(read("a.stl", mesh.export(file_type="stl")))
    assert found.triangles.tolist() == np.arange(3 * len(mesh.faces)).reshape(-1, 3).tolist()
    np.testing.assert_allclose(found.positions[found.triangles], mesh.triangles, atol=1e-6)


def test_an_off_is_read_with_comments_and_polygons(read):
    mesh = sound(read("a.off", "OFF # text\n4 2 0\n# more\n" + SQUARE + "4 0 1 2 3\n3 0 1 2\n"))
    assert len(mesh.triangles) == 3 and mesh.positions.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]


def test_copies_in_a_3mf_share_a_mesh(read):
    part = (
        '<object id="1" name="part" type="model"><mesh><vertices>{}</vertices><triangles>{}</triangles></mesh></object>'
    )
    vertices = "".join('<vertex x="{}" y="{}" z="{}"/>'.format(*line.split()) for line in SQUARE.splitlines())
    part = part.format(vertices, '<triangle v1="0" v2="1" v3="2"/><triangle v1="0" v2="2" v3="3"/>')
    items = "".join(
        f'<item objectid="1" transform="{transform}"/>'
        for transform in ("1 0 0 0 1 0 0 0 1 0 0 0", "0 2 0 -2 0 0 0 0 2 5 6 7", "1 0 0 1 1 0 0 0 1 0 0 0")
    )
    content = read("a.3mf", threemf(part + f"<build>{items}</build>", into_resources=part))
    assert len(content.meshes) == 1 and sorted(content.node_meshes.tolist()) == [-1, 0, 0, 0]
    moved = int(np.flatnonzero(content.translations.any(axis=1))[0])
    np.testing.assert_allclose(content.translations[moved], (5, 6, 7))
    np.testing.assert_allclose(content.scales[moved], (2, 2, 2))
    assert [problem.kind for problem in content.problems] == ["shear"]


def threemf(model: str, *, into_resources: str = "") -> bytes:
    resources = f"<resources>{into_resources}</resources>" if into_resources else ""
    model = model.removeprefix(into_resources)
    namespace = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "3D/3dmodel.model", f'<?xml version="1.0"?><model xmlns="{namespace}">{resources}{model}</model>'
        )
    return out.getvalue()


def test_a_3mf_without_its_packages_says_which(read, monkeypatch):
    monkeypatch.setattr("scene.formats.trimesh_reader.find_spec", lambda name: None)
    with pytest.raises(ReadError, match=r"needs the packages lxml and networkx: install octoscope\[3mf\]"):
        read("a.3mf", threemf("<build/>"))


# What is wrong.


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.ply", b"", "empty"),
        ("a.ply", b"hello", "no PLY"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 1\n", "no PLY"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n", "cut off"),
        ("a.ply", ply(SQUARE, "", count=0).encode(), "nothing to show"),
        ("a.ply", ply("nan nan nan\n" * 4, "").encode(), "nothing to show"),
        ("a.ply", ply(SQUARE, "").replace("property float x\n", "").encode(), "broken PLY"),
        ("a.ply", ply(SQUARE, "x\n", more=f"element face 1\n{FACES}").encode(), "broken PLY"),
        (
            "a.ply",
            b"ply\nformat binary_little_endian 1.0\nelement vertex 2\n" + XYZ.encode() + b"end_header\n\0\0",
            "broken PLY",
        ),
        ("a.stl", b"hello", "nothing to show"),
        ("a.stl", bytes(84), "nothing to show"),
        ("a.stl", bytes(80) + b"\xff\xff\xff\xff" + bytes(50), "export it again"),
        ("a.stl", b"solid x\nendsolid x\n", "nothing to show"),
        ("a.off", b"OFF\n4 1 0\n0 0 0\n", "broken OFF"),
        ("a.off", b"OFF\n99999999999 1 0\n0 0 0\n", "broken OFF"),
        ("a.off", b"hello", "broken OFF"),
        ("a.off", f"OFF\n4 1 0\n{SQUARE}3 0 1 7\n".encode(), "broken OFF"),
        ("a.3mf", b"hello", "broken 3MF"),
        ("a.3mf", threemf("<build/>"), "broken 3MF"),
        ("a.3mf", threemf("<build>"), "broken 3MF"),
    ],
)
def test_a_broken_file_is_refused_in_a_line(read, tmp_path, name, content, says, capfd):
    with pytest.raises(ReadError) as refused:
        read(name, content)
    line = str(refused.value)
    assert says in line and line.startswith(str(tmp_path / name)) and len(line.splitlines()) == 1
    assert capfd.readouterr() == ("", "")


def test_facets_that_cannot_be_read_are_said(read):
    content = read("a.stl", f"solid a\n{FACET.format(1)}endsolid\nsolid b\nfacet\nendfacet\nendsolid\n")
    assert len(content.objects) == 1 and content.problems[0].count == 1


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "http://example.invalid/a.png", "nowhere.png"])
def test_a_texture_from_elsewhere_is_not_opened(read, tmp_path, name):
    Image.new("RGB", (1, 1)).save(tmp_path.parent / "secret.png")
    text = ply(SQUARE, "3 0 1 2\n", more=f"element face 1\n{FACES}", comment=f"comment TextureFile {name}\n")
    content = read("a.ply", text)
    assert content.materials[0].base_color_texture is None and "cannot be read" in content.warnings[0]


@pytest.mark.parametrize(
    "objects",
    [
        ["1>2", "2>1"],
        ["1>1"],
        [f"{i}>{i + 1},{i + 1}" for i in range(1, 40)],
        [f"{i}>{i + 1}" for i in range(1, 200)],
    ],
)
def test_objects_of_a_3mf_that_are_parts_of_themselves_or_multiply_are_refused(read, objects):
    xml = ""
    for text in objects:
        name, _, parts = text.partition(">")
        components = "".join(f'<component objectid="{part}"/>' for part in parts.split(","))
        xml += f'<object id="{name}"><components>{components}</components></object>'
    with pytest.raises(ReadError, match="contain themselves"):
        read("a.3mf", threemf(xml + '<build><item objectid="1"/></build>', into_resources=xml))


def test_a_3mf_that_unpacks_to_far_more_is_refused(read, monkeypatch):
    monkeypatch.setattr("scene.formats.trimesh_reader._LARGEST_UNPACKED_BYTES", 1000)
    with pytest.raises(ReadError, match="too large"):
        read("a.3mf", threemf("<build/>" + " " * 2000))


def test_the_ending_chooses_the_reader(tmp_path):
    for name in ("a.PLY", "b.ply"):
        (tmp_path / name).write_text(ply(SQUARE, ""))
        assert load(tmp_path / name).names.tolist() == [name, Path(name).stem]
    (tmp_path / "c.xyz").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    assert load(tmp_path / "c.xyz").element_count("triangle") == 1


def test_an_stl_text_in_another_encoding_says_so(tmp_path, monkeypatch):
    for guesser in ("charset_normalizer", "chardet"):
        monkeypatch.setitem(sys.modules, guesser, None)  # not installed
    path = tmp_path / "a.stl"
    facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"
    path.write_bytes(f"solid tür\n{facet}endsolid tür\n".encode("latin-1"))
    with pytest.raises(ReadError, match="not UTF-8"):
        read_other(path)
