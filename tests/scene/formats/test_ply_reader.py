"""PLY files: text and bytes, what they hold, in their order, and what is wrong with them in a line."""

from __future__ import annotations

import struct
from unittest import mock

import numpy as np
import pytest
import trimesh
from PIL import Image

from octoscope.scene import ReadError, load
from octoscope.scene.formats.ply import reader as ply_reader
from octoscope.scene.tiling import sources, tiling
from tests.scene.builders import ball
from tests.scene.formats.simple_files import FACES, SQUARE, XYZ, ply, sound
from tests.scene.tiling.checks import assert_same_elements, assert_sound, elements_of_leaves, elements_of_scene


def test_polygons_of_a_ply_are_cut_and_know_their_sides(read_named):
    arrow = "0 0 0\n2 1 0\n0 2 0\n1 1 0\n"
    mesh = sound(read_named("a.ply", ply(arrow, "4 0 1 2 3\n3 0 1 3\n", more=f"element face 2\n{FACES}")))
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


def test_the_order_of_vertices_is_kept_and_unused_ones_are_left_out(read_named):
    vertices = "9 9 9\n" + SQUARE
    content = read_named("a.ply", ply(vertices, "3 4 2 1\n3 4 3 2\n", count=5, more=f"element face 2\n{FACES}"))
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
def test_colours_and_normals_and_texture_coordinates_of_vertices(read_named, kind, row, expected):
    properties = "".join(f"property {kind} {name}\n" for name in ("red", "green", "blue"))
    properties += "".join(f"property float {name}\n" for name in ("nx", "ny", "nz", "u", "v"))
    vertices = "".join(f"{line} {row} 0 0 2 0.25 0.75\n" for line in SQUARE.splitlines())
    content = read_named("a.ply", ply(vertices, "4 0 1 2 3\n", properties=properties, more=f"element face 1\n{FACES}"))
    mesh = sound(content)
    assert mesh.colors[0].tolist() == expected
    assert mesh.normals[0].tolist() == [0, 0, 1] and mesh.uvs[0].tolist() == [0.25, 0.75]
    assert content.materials[0].base_color == (1, 1, 1)


def test_texture_coordinates_of_corners_part_vertices_only_where_they_differ(read_named, tmp_path):
    Image.new("RGB", (1, 1), (9, 8, 7)).save(tmp_path / "the image.png")
    more = f"element face 2\n{FACES}property list uchar float texcoord\n"
    body = "3 0 1 2 6 0 0 1 0 1 1\n3 0 2 3 6 0 0 1 1 0.5 0.5\n"
    content = read_named("a.ply", ply(SQUARE, body, more=more, comment="comment TextureFile the image.png\n"))
    mesh = sound(content)
    assert mesh.source_vertices.tolist() == [0, 1, 2, 3]
    assert mesh.uvs[mesh.triangles].reshape(-1, 2).tolist() == [[0, 0], [1, 0], [1, 1], [0, 0], [1, 1], [0.5, 0.5]]
    assert content.materials[0].base_color_texture.pixels[0, 0].tolist() == [9, 8, 7, 255]
    content = read_named("a.ply", ply(SQUARE, body.replace("3 0 2 3 6 0 0", "3 0 2 3 6 7 0"), more=more))
    assert content.objects[0][1].source_vertices.tolist() == [0, 1, 2, 0, 3]


def test_a_ply_without_faces_is_points_and_edges_are_lines(read_named):
    assert sound(read_named("a.ply", ply(SQUARE, ""))).points.tolist() == [0, 1, 2, 3]
    more = "element edge 2\nproperty int vertex1\nproperty int vertex2\n"
    mesh = sound(read_named("a.ply", ply(SQUARE, "0 2\n1 3\n", more=more)))
    assert mesh.lines.tolist() == [[0, 2], [1, 3]] and len(mesh.points) == 0


@pytest.mark.parametrize("encoding", ["ascii", "binary"])
def test_what_trimesh_writes_is_read_as_trimesh_reads_it(read_named, encoding):
    mesh = trimesh.Trimesh(ball().positions, ball().triangles, process=False)
    found = sound(read_named("a.ply", mesh.export(file_type="ply", encoding=encoding)))
    np.testing.assert_allclose(found.positions, mesh.vertices, atol=1e-6)
    np.testing.assert_array_equal(found.triangles, mesh.faces)


def test_what_is_odd_in_a_ply_is_left_out_and_said(read_named):
    properties = "property uchar red\nproperty uchar green\nproperty uchar blue\n"
    more = f"element face 4\n{FACES}{properties}element edge 1\nproperty int vertex1\nproperty int vertex2\n"
    more += "element user 1\nproperty int a\n"
    body = "3 0 1 2 1 2 3\n3 0 1 9 1 2 3\n3 0 1 -1 1 2 3\n3 0 1 3 1 2 3\n0 7\n5\n"
    content = read_named("a.ply", ply(SQUARE.replace("0 1 0\n", "nan 1 0\n"), body, more=more))
    assert content.objects[0][1].triangles.tolist() == [[0, 1, 2]]
    assert {problem.kind: problem.count for problem in content.problems if problem.kind != "mesh-data"} == {
        "face-colors": 1,
        "element": 1,
    }
    assert sorted(problem.count for problem in content.problems if problem.kind == "mesh-data") == [1, 3]


# Rows.

MIXED = SQUARE + "2 2 0\n"
MIXED_FACES = "4 0 1 2 3\n3 0 1 4\n5 0 1 4 2 3\n"
HEADING = ply("", "", count=5, more=f"element face 3\n{FACES}")


def mixed_triangles(content):
    mesh = sound(content)
    assert mesh.positions.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [2, 2, 0]]
    return mesh.triangles.tolist()


@pytest.mark.parametrize(("order", "name"), [("<", "little"), (">", "big")])
@pytest.mark.parametrize(("count", "kind"), [("B", "uchar"), ("H", "ushort"), ("i", "int"), ("I", "uint32")])
def test_polygons_of_different_sizes_are_read_of_bytes_as_of_a_text(read_named, order, name, count, kind):
    heading = HEADING.replace("ascii", f"binary_{name}_endian").replace("list uchar", f"list {kind}")
    body = struct.pack(f"{order}15f", *map(float, MIXED.split()))
    for line in MIXED_FACES.splitlines():
        size, *corners = map(int, line.split())
        body += struct.pack(f"{order}{count}{size}i", size, *corners)
    triangles = mixed_triangles(read_named("a.ply", heading.encode() + body))
    assert len(triangles) == 6 and triangles == mixed_triangles(read_named("b.ply", HEADING + MIXED + MIXED_FACES))
    first_face = struct.calcsize(f"{order}15f{count}4i")
    for end in range(len(body)):
        cut = heading.encode() + body[:end]
        if end < first_face:
            with pytest.raises(ReadError, match=r"cut off: of [35] '(vertex|face)' it has [0-4];"):
                read_named("c.ply", cut)
        else:
            ((_, mesh),), problems = (content := read_named("c.ply", cut)).objects, content.problems
            assert mesh.triangles.tolist() == triangles[: len(mesh.triangles)] and len(mesh.triangles) in (2, 3)
            assert [problem.kind for problem in problems] == ["cut-off"] and "of 3 'face' it has" in problems[0].what


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("\n", "\n\n"),
        lambda text: text.replace("\n", " \n \t \n"),
        lambda text: text.replace("\n", "\n# a comment\n"),
        lambda text: text.replace("\n", "\ncomment 1 2 3\nobj_info 1\n"),
        lambda text: text.replace("\n", "  # 1 2 3\n"),
        lambda text: text.replace(" ", "\n"),
        lambda text: text.replace("\n", " "),
        lambda text: text.replace(" ", "\t").replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: text.rstrip(),
        lambda text: text + "\n\n# end\n",
    ],
)
def test_rows_of_a_text_may_be_parted_by_anything_but_numbers(read_named, change):
    expected = mixed_triangles(read_named("a.ply", HEADING + MIXED + MIXED_FACES))
    assert mixed_triangles(read_named("b.ply", HEADING + change(MIXED + MIXED_FACES))) == expected


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
def test_lines_of_the_heading_end_in_any_way(read_named, line_end):
    body = struct.pack("<15f", *([10.0] + [0.0] * 14)) + b"".join(struct.pack("<B3i", 3, 0, i, 4) for i in (1, 2, 3))
    for heading, rows in (
        (HEADING, (MIXED + MIXED_FACES).encode()),
        (HEADING.replace("ascii", "binary_little_endian"), body),
    ):
        heading = heading.replace("ply\n", "ply\ncomment made by hand\n\n").replace("\n", line_end)
        assert len(sound(read_named("a.ply", heading.encode() + rows)).triangles) > 0
    # A byte that is called as a line's end begins the rows.
    heading = ply("", "", count=1).replace("ascii", "binary_little_endian").replace("\n", "\r")
    points = sound(read_named("a.ply", heading.encode() + b"\n\0\0\0" + bytes(8)))
    assert len(points.points) == 1


def test_lists_that_are_not_shown_are_passed_over(read_named):
    more = f"element face 2\nproperty list uchar float weights\n{FACES}property list int double further\n"
    more += "element strip 2\nproperty list int int runs\nelement edge 1\nproperty int vertex1\nproperty int vertex2\n"
    body = "2 0.5 0.5 3 0 1 2 0\n0 4 0 1 2 3 1 9\n3 1 2 3\n1 7\n0 2\n"
    content = read_named("a.ply", ply(SQUARE, body, more=more))
    ((_, mesh),) = content.objects
    assert (len(mesh.triangles), mesh.lines.tolist()) == (3, [[0, 2]])
    assert [(problem.kind, problem.count) for problem in content.problems] == [("element", 2)]


def test_rows_of_a_text_may_have_more_numbers_than_the_heading_states(read_named):
    """MeshLab writes colours of faces as lists that it does not state."""
    rows = (MIXED + MIXED_FACES).splitlines()
    surplus = "".join(f"{row} 9 1 1 1\n" if number % 2 else f"{row}\n" for number, row in enumerate(rows))
    expected = mixed_triangles(read_named("a.ply", HEADING + MIXED + MIXED_FACES))
    assert mixed_triangles(read_named("b.ply", HEADING + surplus)) == expected


def test_lines_of_a_heading_without_a_known_word_are_comments(read_named):
    text = HEADING.replace("element vertex", "Created by Blender3D 247\nobj_info 3 4\nelement vertex")
    assert len(mixed_triangles(read_named("a.ply", text + MIXED + MIXED_FACES))) == 6


def test_the_line_end_of_the_last_line_of_a_heading_is_its_own(read_named):
    heading = ply("", "", count=1).replace("ascii", "binary_little_endian").replace("end_header\n", "end_header\r\n")
    assert sound(read_named("a.ply", heading.encode() + struct.pack("<3f", 1, 2, 3))).positions.tolist() == [[1, 2, 3]]


def test_what_follows_the_last_row_is_said(read_named):
    content = read_named("a.ply", ply(SQUARE, "3 0 1 2\n7\n", more=f"element face 1\n{FACES}"))
    assert len(content.objects) == 1 and "more than the rows" in content.warnings[0]


def test_a_text_keeps_all_digits_of_its_coordinates(read_named):
    vertices = SQUARE.replace("1", "4501234.625")
    assert sound(read_named("a.ply", ply(vertices, ""))).positions.max() == 4501234.625


# What is wrong.


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.ply", b"", "empty"),
        ("a.ply", b"hello", "not a PLY file: it has no PLY header; open another file"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 1\n", "no PLY"),
        ("a.ply", b"ply\nformat ascii 1.0\nelement vertex 4000000000\n" + XYZ.encode() + b"end_header\n", "cut off"),
        ("a.ply", ply(SQUARE, "", count=0).encode(), "nothing to show"),
        ("a.ply", ply("nan nan nan\n" * 4, "").encode(), "nothing to show"),
        ("a.ply", ply(SQUARE, "").replace("property float x\n", "").encode(), "broken PLY"),
        ("a.ply", ply(SQUARE, "x\n", more=f"element face 1\n{FACES}").encode(), "broken PLY"),
        ("a.ply", HEADING + MIXED + "4 0 1 2\n", "cut off: of 3 'face' it has 0"),
        ("a.ply", HEADING + "0 0 0\n1 0 0\n1 1", "cut off: of 5 'vertex' it has 2"),
        ("a.ply", HEADING + MIXED + "-1 0 1\n", "cut off"),
        ("a.ply", HEADING + MIXED + "nan 0 1\n", "cut off"),
        ("a.ply", HEADING + MIXED + "1e300 0 1\n", "cut off"),
        ("a.ply", HEADING + "0 0 0\n1 0,5 0\n", "line 11: '0,5' is no number"),
        ("a.ply", HEADING.replace("float", "half"), "line 4: 'property half x'"),
        ("a.ply", HEADING.replace("list uchar", "list float"), "line 8: 'property list float"),
        ("a.ply", HEADING.replace("ascii", "text"), "line 2: 'format text 1.0'"),
        ("a.ply", HEADING.replace("format ascii 1.0\n", ""), "names no format"),
        ("a.ply", HEADING.replace("vertex 5", "vertex -5"), "line 3: 'element vertex -5'"),
        ("a.ply", HEADING.replace("vertex 5", "vertex " + "9" * 4300), "line 3: 'element vertex 9"),
        ("a.ply", HEADING.replace("vertex 5", "vertex " + "9" * 5000), "line 3: 'element vertex 9"),
        ("a.ply", HEADING.replace("vertex 5", "vertex " + "9" * 18), "cut off"),
    ],
)
def test_a_broken_file_is_refused_in_a_line(read_named, tmp_path, name, content, says, capfd):
    with pytest.raises(ReadError) as refused:
        read_named(name, content)
    line = str(refused.value)
    assert says in line and line.startswith(str(tmp_path / name)) and len(line.splitlines()) == 1
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../secret.png", "outside its folder"),
        ("/etc/passwd", "outside its folder"),
        ("http://example.invalid/a.png", "not fetched"),
        ("nowhere.png", "No such file"),
        ("a.ply", "not an image"),
    ],
)
def test_a_texture_from_elsewhere_is_not_opened_and_the_reason_said(read_named, tmp_path, name, reason):
    Image.new("RGB", (1, 1)).save(tmp_path.parent / "secret.png")
    text = ply(SQUARE, "3 0 1 2\n", more=f"element face 1\n{FACES}", comment=f"comment TextureFile {name}\n")
    content = read_named("a.ply", text)
    assert content.materials[0].base_color_texture is None
    assert "cannot be read (" in content.warnings[0] and reason in content.warnings[0]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_face_or_edge_of_a_text_that_refers_to_no_vertex_is_told_with_its_line(read_named, tmp_path, end):
    edges = "element edge 2\nproperty int vertex1\nproperty int vertex2\n"
    rows = "3 0 1 2\n\ncomment next\n3 0 1 9\n3 0 9 1\n0 1\n0 -1\n"
    text = ply(f"\n{SQUARE}", rows, count=4, more=f"element face 3\n{FACES}{edges}")
    lines = text.split("\n")
    content = read_named("a.ply", text.replace("\n", end))
    told = {problem.what: (problem.line, problem.count) for problem in content.problems}
    assert told == {
        "faces that refer to no finite vertex": (lines.index("3 0 1 9") + 1, 2),
        "edges that refer to no finite vertex": (lines.index("0 -1") + 1, 1),
    }
    (tmp_path / "b.ply").write_text(
        ply(SQUARE, "3 0 1 2\n3 0 1 9\n3 1 9 2\n", count=4, more=f"element face 3\n{FACES}")
    )
    outline = ply_reader.read_ply_in_parts(tmp_path / "b.ply", mock.Mock(), folder=tmp_path, part_elements=1)
    (problem,) = outline.problems
    assert (problem.line, problem.count) == ((tmp_path / "b.ply").read_text().split("\n").index("3 0 1 9") + 1, 2)
    joined = read_named("a.ply", text.replace("3 0 1 9\n3 0 9 1", "3 0 1 9 3 0 9 1"))
    assert {problem.line for problem in joined.problems} == {None}, "two rows are on one line: no line is guessed"


@pytest.mark.parametrize("kind", ["points", "triangles", "polygons", "text"])
def test_a_ply_larger_than_memory_makes_the_same_tiles(tmp_path, monkeypatch, kind):
    rng = np.random.default_rng(2)
    rows = np.zeros(900, [("at", "<f4", 3), ("rgb", "u1", 3)])
    rows["at"], rows["rgb"] = rng.uniform(0, 100, (900, 3)), rng.integers(0, 256, (900, 3))
    faces = rng.integers(0, 900, (0 if kind == "points" else 400, 3)).tolist()
    faces += [[1, 2, 3, 4]] if kind == "polygons" else []
    body = rows.tobytes() + b"".join(struct.pack(f"<B{len(row)}i", len(row), *row) for row in faces)
    if kind == "text":
        lines = [[*at, *color] for at, color in rows.tolist()] + [[3, *row] for row in faces]
        body = "".join(" ".join(map(str, np.ravel(row))) + "\n" for row in lines).encode()
    heading = f"ply\nformat {'ascii' if kind == 'text' else 'binary_little_endian'} 1.0\nelement vertex 900\n"
    heading += "".join(f"property float {name}\n" for name in "xyz")
    heading += "".join(f"property uchar {name}\n" for name in ("red", "green", "blue"))
    heading += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    (tmp_path / "a.ply").write_bytes(heading.encode() + body)
    expected = elements_of_scene(load(tmp_path / "a.ply"))
    monkeypatch.setattr(sources, "memory_per_byte", lambda path: 2**30)
    monkeypatch.setattr(tiling, "_VERTICES_PER_ELEMENT", 0.0005)
    monkeypatch.setattr(ply_reader, "mesh_of_elements", made := mock.Mock(wraps=ply_reader.mesh_of_elements))
    tiling.write_tiles([tmp_path / "a.ply"], tmp_path / "tiles", leaf_elements=200)
    assert (made.call_count > 1) == (kind != "polygons")
    tileset = assert_sound(tmp_path / "tiles", 200)
    assert_same_elements(elements_of_leaves(tmp_path / "tiles", tileset), expected, rounding=1e-6)
