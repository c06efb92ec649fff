"""Project files that are damaged, of another release, or made to do harm: a line that says why, or repaired nodes."""

import base64
import copy
import json
import random
import re
import tracemalloc
import zlib

import numpy as np
import pytest

from octoscope.scene import ReadError, Scene, open_project, save_project
from octoscope.scene.project import writer
from octoscope.scene.project.packing import pack
from tests.scene.builders import quad
from tests.scene.project.projects import change_document, kinds, saved, spots, varied_scene, village

HEAD = {"octoscope": {"version": 1}}


@pytest.fixture
def opened(tmp_path):
    """Open a document, or text, as a project."""

    def open_it(document) -> Scene:
        path = tmp_path / "scene.octo.json"
        if isinstance(document, bytes):
            path.write_bytes(document)
        else:
            path.write_text(document if isinstance(document, str) else json.dumps(document))
        return open_project(path)

    return open_it


def refused(open_it, document) -> str:
    with pytest.raises(ReadError) as error:
        open_it(document)
    line = str(error.value)
    assert "scene.octo.json: " in line and len(line.splitlines()) == 1
    return line


def nodes_of(open_it, *nodes) -> Scene:
    return open_it({**HEAD, "nodes": list(nodes)})


@pytest.mark.parametrize(
    ("document", "words"),
    (
        ("", "the file is empty"),
        ("[1, 2]", "not a project"),
        ("null", "not a project"),
        ({"nodes": []}, "not a project"),
        ({"octoscope": 1}, "not a project"),
        ({"octoscope": {"version": "1"}}, "not a project"),
        ({"octoscope": {"version": True}}, "not a project"),
        ({"octoscope": {"version": 0}}, "not a project"),
        ({"octoscope": {"version": 3}}, "newer than this Octoscope.*update"),
        ({"octoscope": {"version": 10**30}}, "newer than this Octoscope"),
        ({**HEAD, "nodes": {}}, "nodes are damaged"),
        ({**HEAD, "nodes": None}, "'nodes'"),
        ({**HEAD, "files": [1]}, "'files'"),
        ({**HEAD, "files": [{}]}, "file 0 .* no path"),
        ({**HEAD, "files": [{"path": 3}]}, "file 0 .* no path"),
        ({**HEAD, "materials": {}}, "'materials'"),
        ({**HEAD, "materials": [None]}, "'materials'"),
        ({**HEAD, "meshes": []}, "'meshes'"),
        ({**HEAD, "meshes": {}}, "meshes are damaged"),
        ("[" * 100_000, "nested"),
        ('{"a":' * 100_000, "nested"),
        ('{"octoscope": {"version": 1}, "nodes": [' + "7" * 5000 + "]}", "damaged"),
        (b"\xff\xfe\x00\x01", "no JSON object"),
        (b'{"\xff": 1}', "not UTF-8"),
        (b"v 0 0 0\n", "no JSON object"),
        (b"{v 0 0 0", "line 1 column 2"),
        ('{"octoscope": {"version": 1}} more', "line 1 column 31"),
    ),
)
def test_what_is_no_project_or_damaged_is_refused_in_a_line(opened, document, words):
    assert re.search(words, refused(opened, document))


def test_a_file_cut_off_at_any_byte_is_refused(opened, tmp_path):
    scene = Scene()
    scene.add_node("ü", mesh=scene.meshes.add(quad()), translation=(1.5, 2.0, -3.0))
    scene.add_node("b", parent=0)
    path = tmp_path / "whole.octo.json"
    save_project(scene, path)
    whole = path.read_bytes()
    for length in range(len(whole) - 1):  # the last byte is a line end
        refused(opened, whole[:length])
    assert len(opened(whole[:-1])) == 2


def test_a_byte_order_mark_is_passed_over(opened):
    assert len(opened(b"\xef\xbb\xbf" + json.dumps({**HEAD, "nodes": [{}]}).encode())) == 1


def test_a_folder_a_device_and_a_missing_file_are_refused(tmp_path):
    (tmp_path / "folder.octo.json").mkdir()
    for path in (tmp_path / "folder.octo.json", "/dev/zero", tmp_path / "gone.octo.json", "nul\0.octo.json"):
        with pytest.raises(ReadError):
            open_project(path)


@pytest.mark.parametrize("field", ("translation", "rotation", "scale"))
@pytest.mark.parametrize(
    "value",
    (
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "null",
        '"1"',
        "true",
        "[]",
        "{}",
        "1" + "0" * 400,
    ),
)
def test_a_transform_that_cannot_be_is_said_and_not_used(opened, field, value):
    width = 4 if field == "rotation" else 3
    rows = ", ".join(["0.5"] * (width - 1))
    text = (
        '{"octoscope": {"version": 1}, "nodes": ['
        f'{{"name": "good", "{field}": [{rows}, 0.5]}}, {{"name": "bad", "{field}": [{rows}, {value}]}}]}}'
    )
    scene = opened(text)
    problem = next(problem for problem in scene.report.problems if problem.kind == f"node-{field}")
    assert problem.count == 1 and "node 1" in problem.what
    values = {"translation": scene.translations, "rotation": scene.rotations, "scale": scene.scales}[field]
    np.testing.assert_array_equal(values[0], np.full(width, 0.5))
    np.testing.assert_array_equal(
        values[1], {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}[field]
    )


@pytest.mark.parametrize("value", (None, "text", 3, {}, [], [1, 2], [1, 2, 3, 4, 5], [[1], 2, 3]))
def test_a_transform_of_another_shape_is_said_and_not_used(opened, value):
    scene = nodes_of(opened, {"translation": value, "rotation": value, "scale": value})
    assert kinds(scene) == {"node-translation": 1, "node-rotation": 1, "node-scale": 1}


def test_a_rotation_of_length_zero_is_said_and_not_used(opened):
    scene = nodes_of(opened, {"rotation": [0, 0, 0, 0]}, {"rotation": [0, 0, 0, -0.0]}, {"rotation": [0, 5e-324, 0, 0]})
    assert kinds(scene) == {"node-rotation": 2}
    np.testing.assert_array_equal(scene.rotations, [(0, 0, 0, 1), (0, 0, 0, 1), (0, 1, 0, 0)])


def test_numbers_so_large_that_the_world_overflows_open(opened):
    large = [1.7e308] * 3
    nodes = [{"translation": large, "scale": large, "rotation": [1e308] * 4, "children": [i + 1]} for i in range(5)]
    scene = nodes_of(opened, *nodes, {})
    assert scene.report.problems == []
    np.testing.assert_array_equal(scene.rotations[0], (0.5, 0.5, 0.5, 0.5))


@pytest.mark.parametrize(
    ("children", "parents", "count"),
    (
        ([[1], [0]], [-1, -1], 2),
        ([[0]], [-1], 1),
        ([[1], [2], [0], [0]], [-1, -1, -1, -1], 3),
        ([[1], [2], [1], []], [-1, 0, 1, -1], 0),
        ([[], [2, 3], [1], [4], []], [-1, -1, -1, 1, 3], 2),
    ),
)
def test_nodes_in_a_circle_hang_at_the_top(opened, children, parents, count):
    scene = nodes_of(opened, *({"children": below} for below in children))
    assert scene.parents.tolist() == parents
    assert kinds(scene).get("node-circle", 0) == count


def test_a_child_that_is_listed_twice_hangs_where_it_is_first(opened):
    scene = nodes_of(opened, {"children": [2, 2]}, {"children": [2, 3]}, {}, {})
    assert scene.parents.tolist() == [-1, -1, 0, 1]
    assert kinds(scene) == {"node-children": 2}


@pytest.mark.parametrize("child", (-1, 2, 2**31, 2**63, 10**30, 1.0, "1", None, True, [1]))
def test_a_child_that_is_not_there_is_left_out(opened, child):
    scene = nodes_of(opened, {"children": [child, 1]}, {})
    assert scene.parents.tolist() == [-1, 0]
    assert kinds(scene) == {"node-children": 1}


@pytest.mark.parametrize("node", (None, 1, "node", [], True))
def test_nodes_that_are_none_keep_their_number(opened, node):
    scene = nodes_of(opened, {"children": [2]}, node, {"name": "last"})
    assert scene.names.tolist() == ["", "", "last"] and scene.parents.tolist() == [-1, -1, 0]
    assert kinds(scene) == {"node": 1}


@pytest.mark.parametrize(
    "mesh",
    (None, 0, "mesh", [], {}, {"file": 0}, {"object": "a"}, {"file": 1, "object": "a"}, {"file": 0, "object": 1}),
)
@pytest.mark.parametrize("extra", ({}, {"occurrence": -1}, {"occurrence": 2**40}, {"embedded": 0}, {"embedded": "0"}))
def test_a_mesh_that_is_no_reference_is_said_and_left_out(opened, tmp_path, mesh, extra):
    if isinstance(mesh, dict):
        mesh = {**mesh, **extra}
    document = {**HEAD, "files": [{"path": "gone.obj"}], "materials": [], "nodes": [{"name": "a", "mesh": mesh}]}
    scene = opened(document)
    assert kinds(scene) == {"mesh-reference": 1}
    save_project(scene, tmp_path / "scene.octo.json")
    assert json.loads((tmp_path / "scene.octo.json").read_text()) == {**document, "nodes": [{"name": "a"}]}


def test_names_with_half_characters_are_mended_and_said(opened):
    scene = nodes_of(opened, {"name": "a\ud800b"}, {"name": "\ud83d\ude42"}, {"name": 5}, {"name": None}, {"name": "ü"})
    assert scene.names.tolist() == ["a\ufffdb", "🙂", "", "", "ü"]
    assert kinds(scene) == {"node-name": 3}


@pytest.mark.parametrize("material", (-1, 1, 10**30, "0", None, 0.0, True))
def test_a_material_that_is_not_there_is_said(opened, material):
    scene = opened({**HEAD, "materials": [{"name": "m"}], "nodes": [{"material": material}, {"material": 0}]})
    assert scene.material_overrides.tolist() == [-1, 1]
    assert kinds(scene) == {"node-material": 1}


@pytest.mark.parametrize(
    ("field", "value"),
    (
        ("base_color", [1, 2]),
        ("base_color", "red"),
        ("base_color", [1, 2, None]),
        ("opacity", "1"),
        ("opacity", 1e300),
        ("opacity", 10**400),
        ("opacity", True),
        ("opacity", None),
        ("name", 5),
        ("base_color_texture", "x.png"),
        ("base_color_texture", {"path": 5}),
    ),
)
def test_a_material_with_a_value_that_cannot_be_gets_the_default(opened, field, value):
    scene = opened({**HEAD, "materials": [{"name": "m", field: value}]})
    assert kinds(scene) == {"material-value": 1}


@pytest.mark.parametrize("path", ("gone.png", "", "nul\0.png", "/dev/zero", "half \ud800.png", "scene.octo.json"))
def test_a_texture_that_is_none_is_said(opened, path):
    scene = opened({**HEAD, "materials": [{"name": "m", "base_color_texture": {"path": path}}]})
    assert kinds(scene) == {"texture": 1}


def test_fields_that_json_cannot_hold_again_are_left_out_and_said(opened, tmp_path):
    deep = json.loads("[" * 500 + "]" * 500)
    scene = opened(json.dumps({**HEAD, "deep": deep, "infinite": 7, "fine": 1}).replace("7", "[1e999]"))
    assert kinds(scene) == {"unknown-field": 2}
    save_project(scene, tmp_path / "again.octo.json")
    assert "fine" in (again := json.loads((tmp_path / "again.octo.json").read_text())) and "deep" not in again


def packed(kind: str, shape: list, data: bytes) -> dict:
    return {"type": kind, "shape": shape, "data": base64.b64encode(data).decode()}


def quad_document(tmp_path) -> dict:
    scene = Scene()
    scene.add_node("a", mesh=scene.meshes.add(quad()))
    save_project(scene, tmp_path / "quad.octo.json")
    return json.loads((tmp_path / "quad.octo.json").read_text())


@pytest.mark.parametrize(
    ("column", "value"),
    (
        ("positions", None),
        ("positions", packed("float64", [10**12, 3], zlib.compress(bytes(1000)))),
        ("positions", packed("float64", [4, 3], zlib.compress(bytes(10**7)))),
        ("positions", packed("float64", [4, 3], zlib.compress(bytes(95)))),
        ("positions", packed("float64", [4, 3], zlib.compress(bytes(96))[:-3])),
        ("positions", packed("float64", [4, 3], zlib.compress(bytes(96)) + b"x")),
        ("positions", packed("float64", [4, 3], b"no zlib")),
        ("positions", packed("float64", [-4, -3], zlib.compress(bytes(96)))),
        ("positions", packed("float64", [4, 3.0], zlib.compress(bytes(96)))),
        ("positions", packed("float64", [12], zlib.compress(bytes(96)))),
        ("positions", packed("float32", [4, 3], zlib.compress(bytes(48)))),
        ("positions", packed("float64", [4, 3], zlib.compress(np.full(12, np.nan).tobytes()))),
        ("positions", {"type": "float64", "shape": [4, 3], "data": "ü"}),
        ("positions", {"type": "float64", "shape": [4, 3], "data": "a b="}),
        ("positions", {"type": "float64", "shape": [4, 3], "data": 5}),
        ("triangles", packed("int32", [2, 3], zlib.compress(np.array([0, 1, 2, 0, 1, 4], np.int32).tobytes()))),
        ("triangles", packed("int32", [2, 3], zlib.compress(np.array([0, 1, 2, 0, 1, -1], np.int32).tobytes()))),
        ("vertex_counts", packed("int64", [1], zlib.compress(np.array([5]).tobytes()))),
        ("vertex_counts", packed("int64", [1], zlib.compress(np.array([-4]).tobytes()))),
        ("vertex_counts", packed("int64", [1], zlib.compress(np.array([2**62]).tobytes()))),
        ("triangle_counts", packed("int64", [2], zlib.compress(np.array([1, 1]).tobytes()))),
        ("line_counts", packed("int64", [1], zlib.compress(np.array([2**31]).tobytes()))),
        ("material_ids", packed("int32", [4], zlib.compress(np.array([0, 0, 0, 1], np.int32).tobytes()))),
        ("material_ids", packed("int32", [4], zlib.compress(np.array([0, 0, 0, -1], np.int32).tobytes()))),
        ("normals", packed("float32", [4, 3], zlib.compress(np.full(12, np.inf, np.float32).tobytes()))),
        ("uvs", packed("float32", [4, 2], zlib.compress(np.full(8, np.nan, np.float32).tobytes()))),
        ("edges", packed("uint8", [3], zlib.compress(bytes(3)))),
        ("names", None),
        ("names", ["a", "b"]),
        ("names", ["\ud800"]),
        ("names", [5]),
    ),
)
def test_meshes_in_the_file_that_are_damaged_are_refused(opened, tmp_path, column, value):
    document = quad_document(tmp_path)
    assert len(opened(document).meshes) == 1
    document["meshes"][column] = value
    assert "its meshes are damaged" in refused(opened, document)


def test_a_bomb_is_seen_before_it_goes_off(opened, tmp_path):
    document = quad_document(tmp_path)
    document["meshes"]["positions"] = packed("float64", [4, 3], zlib.compress(bytes(3 * 10**8)))
    tracemalloc.start()
    assert "more data than its shape says" in refused(opened, document)
    assert tracemalloc.get_traced_memory()[1] < 2 * 10**8
    tracemalloc.stop()


def test_a_column_of_meshes_that_has_no_default_must_be_there(opened, tmp_path):
    document = quad_document(tmp_path)
    for column in ("positions", "triangles", "vertex_counts", "material_ids"):
        less = json.loads(json.dumps(document))
        del less["meshes"][column]
        refused(opened, less)


def test_many_missing_files_and_textures_are_told_in_linear_time(opened):
    count = 4_000
    files = [{"path": f"{number}.obj"} for number in range(count)]
    materials = [{"name": "m", "base_color_texture": {"path": f"{number}.png"}} for number in range(count)]
    nodes = [{"mesh": {"file": number, "object": "a"}} for number in range(count)]
    scene = opened({**HEAD, "files": files, "materials": materials, "nodes": nodes})
    assert kinds(scene) == {"source-missing": count, "texture": count}


def test_meshes_that_no_node_shows_are_said(opened, tmp_path):
    document = quad_document(tmp_path)
    document["nodes"] = []
    assert kinds(opened(document)) == {"unused-mesh": 1}


VALUES = [
    None,
    True,
    0,
    -1,
    1,
    10**30,
    0.5,
    1e308,
    "",
    "a",
    "\ud800",
    [],
    [0],
    [1, 2, 3],
    {},
    {"file": 0, "object": "house"},
    {"embedded": 0},
    {"path": "village.obj"},
]


@pytest.fixture
def packed_document(tmp_path, monkeypatch) -> dict:
    """A project with packed nodes: one below the other, with a mesh of a file, one of its own, one without."""
    monkeypatch.setattr(writer, "MOST_LINES", 0)
    scene = village(tmp_path)
    scene.add_node("own", mesh=scene.meshes.add(quad()), parent=1, material=0, rotation=(0.0, 1.0, 0.0, 0.0))
    path = tmp_path / "whole.octo.json"
    save_project(scene, path)
    return json.loads(path.read_text())


@pytest.mark.parametrize(
    ("column", "value", "words"),
    (
        ("parents", [-1, 0, 0, 0, 0, 6], "not there"),
        ("parents", [-2, 0, 0, 0, 0, 1], "not there"),
        ("parents", [-1, 0, 0, 0, 5, 4], "circle"),
        ("parents", [-1, 0, 0], "does not fit"),
        ("materials", [5] * 6, "not there"),
        ("rotations", [[0.0] * 4] * 6, "length zero"),
        ("scales", [[np.nan] * 3] * 6, "finite"),
        ("names", ["a"], "does not fit"),
        ("names", ["\ud800"] * 6, "damaged"),
    ),
)
def test_damaged_columns_of_nodes_are_refused_in_a_line(opened, packed_document, column, value, words):
    types = {"parents": np.int32, "materials": np.int64}
    is_names = column == "names"
    packed_document["nodes"][column] = value if is_names else pack(np.array(value, dtype=types.get(column, np.float64)))
    assert re.search(words, refused(opened, packed_document))


@pytest.mark.parametrize(
    ("column", "value"),
    (
        ("nodes", [1, 2, 3]),
        ("nodes", [1, 2, 3, 6]),
        ("nodes", [1, 2, 3, 3]),
        ("nodes", [1, 2, 3, 5]),
        ("files", [0, 0, 0, 1]),
        ("occurrences", [0, 0, 0, -1]),
        ("embedded", [1]),
        ("embedded_nodes", []),
        ("shown", [1, 1, 1, 2]),
        ("files", None),
    ),
)
def test_damaged_references_of_packed_nodes_are_refused_in_a_line(opened, packed_document, column, value):
    references = packed_document["nodes"]["references"]
    references.pop(column) if value is None else references.update({column: pack(np.array(value, dtype=np.int64))})
    assert "nodes are damaged" in refused(opened, packed_document)


@pytest.mark.parametrize("most_lines", (0, 10_000), ids=("packed", "lines"))
@pytest.mark.parametrize("seed", range(200))
def test_a_document_changed_at_random_is_refused_or_opens_whole(tmp_path_factory, monkeypatch, seed, most_lines):
    monkeypatch.setattr(writer, "MOST_LINES", most_lines)
    folder = tmp_path_factory.getbasetemp() / f"changed at random {most_lines}"
    path = folder / "scene.octo.json"
    if not path.exists():
        save_project(varied_scene(4, folder, count=8), path)
    rng = random.Random(seed)
    text = path.read_text()

    def change(document: dict) -> None:
        for _ in range(rng.randint(1, 5)):
            container, key = rng.choice(spots(document))
            if rng.random() < 0.3 and isinstance(container, dict):
                del container[key]
            else:
                container[key] = copy.deepcopy(rng.choice(VALUES))

    change_document(path, change)
    try:
        scene = open_project(path)
    except ReadError as error:
        assert len(str(error).splitlines()) == 1
    else:
        assert all(len(line.splitlines()) == 1 for line in scene.report.warnings)
        again = saved(scene, folder / "again.octo.json")
        assert again.names.tolist() == scene.names.tolist()
        np.testing.assert_array_equal(again.parents, scene.parents)
        np.testing.assert_array_equal(again.translations, scene.translations)
        np.testing.assert_array_equal(again.mesh_ids >= 0, scene.mesh_ids >= 0)
    finally:
        path.write_text(text)
