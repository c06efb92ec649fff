"""Files made to break a reader: large in one respect. They end in time and in memory, read or refused."""

from __future__ import annotations

import gzip
import resource
import sys

import numpy as np
import pytest

from octoscope.scene import ReadError, read_obj
from octoscope.scene.formats.readers import ReadOptions, read_file
from tests.cases import quick
from tests.scene.formats.obj.checks import assert_says_what_is_wrong_in_one_line, assert_sound, kinds, only_problem
from tests.scene.formats.obj.texts import SQUARE, names

MILLION = 1_000_000
FACE = "f 1 2 3\n"


@pytest.fixture
def address_space():
    """Less of it than what must not be allocated; as much as numba and a million objects take."""
    if sys.platform != "linux":
        pytest.skip("the limit holds on Linux only")
    limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (32 * 2**30, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, limits)


pytestmark = pytest.mark.usefixtures("address_space")


def test_a_million_empty_groups(read):
    file = read(SQUARE + FACE + "".join(f"g {number}\n" for number in range(MILLION)))
    assert len(file.node_names) == 1
    assert only_problem(file).count == MILLION


def test_a_million_lines_of_an_unknown_keyword(read):
    file = read(SQUARE + FACE + "unknown 1 2 3\n" * MILLION)
    assert (only_problem(file).count, only_problem(file).line) == (MILLION, 6)


def test_a_million_unknown_keywords(read):
    file = read(SQUARE + FACE + "".join(f"unknown{number}\n" for number in range(MILLION)))
    assert sum(problem.count for problem in file.problems) == MILLION
    assert len(file.problems) < 100


def test_a_million_broken_faces(read):
    file = read(SQUARE + FACE + "f 1 2 x\nf 1 2 -9999999\nf 1 2\nv a\nl 1 9999999\n" * (MILLION // 5))
    assert kinds(file) == dict.fromkeys(("vertex", "index", "short-face", "face-index", "line-index"), MILLION // 5)


def test_a_vertex_of_a_million_texture_coordinates(read):
    numbers = range(1, MILLION // 2 + 1)
    text = SQUARE + "".join(f"vt 0.{number} 0\n" for number in numbers)
    file = read(text + "s 1\n" + "".join(f"f 1/{number} 2/1 3/1\n" for number in numbers))
    mesh = file.objects[0][1]
    assert_sound(file)
    assert len(mesh.triangles) == len(numbers)
    uvs = np.array([f"0.{number}" for number in numbers], dtype=np.float32)
    np.testing.assert_array_equal(mesh.uvs[mesh.triangles[:, 0], 0], uvs)
    assert (mesh.normals == (0, 0, 1)).all()


def test_a_polygon_of_a_hundred_thousand_corners(read):
    count = 100_000
    angles = np.arange(count) * 2.0 * np.pi / count
    radii = np.random.default_rng(1).uniform(0.5, 1.0, count)
    text = "".join(
        f"v {x!r} {y!r} 0\n" for x, y in zip(*(radii * [np.cos(angles), np.sin(angles)]).tolist(), strict=True)
    )
    file = read(text + "f " + " ".join(map(str, range(1, count + 1))) + "\n")
    assert_sound(file)
    assert len(file.meshes.triangles) == count - 2


@pytest.mark.parametrize("shape", quick(("random", "one place", "one line", "to and fro"), 2))
def test_a_polygon_of_a_hundred_thousand_corners_that_is_none(read, shape):
    count = 100_000
    rng = np.random.default_rng(2)
    points = {
        "random": rng.normal(size=(count, 3)),
        "one place": np.ones((count, 3)),
        "one line": np.arange(count)[:, None] * np.ones(3),
        "to and fro": np.stack([np.arange(count) % 2, np.arange(count), np.arange(count) % 3], axis=1),
    }[shape]
    text = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in points.tolist())
    file = read(text + "s 1\nf " + " ".join(map(str, range(1, count + 1))) + "\n")
    assert_sound(file)
    assert len(file.meshes.triangles) == count - 2


def test_names_of_a_megabyte(read):
    long = ["x" * 2**20 + str(number) for number in range(20)]
    file = read(SQUARE + "".join(f"o {name}\ng {name}\nusemtl {name}\n{FACE}" for name in long))
    assert names(file) == long
    assert all(len(str(problem)) < 1000 for problem in file.problems)


def test_one_name_of_a_megabyte_among_very_many(read):
    count = 200_000
    file = read(SQUARE + "o " + "x" * 2**20 + "\n" + FACE + "".join(f"o {number}\n{FACE}" for number in range(count)))
    assert len(file.meshes) == count + 1
    assert file.node_names[-1] == str(count - 1)


def test_a_hundred_thousand_missing_libraries(read):
    file = read(
        SQUARE + FACE + "mtllib gone.mtl\n" * 50_000 + "".join(f"mtllib {number}.mtl\n" for number in range(5_000))
    )
    assert {problem.kind for problem in file.problems} == {"mtl-missing"}
    assert len(file.problems) < 10_000


def test_ten_thousand_materials(read):
    count = 10_000
    file = read(SQUARE + "".join(f"usemtl {number}\n{FACE}" for number in range(count)))
    assert len(file.materials) == count + 1
    assert only_problem(file).count == count


def test_indices_of_every_size(read):
    sizes = [2**bits + off for bits in (8, 16, 28, 29, 30, 31, 32, 33, 62, 63, 64, 65, 200) for off in (-1, 0, 1)]
    corners = [f"{sign}{size}" for size in sizes for sign in ("", "-")]
    lines = [f"f {corner} 1 2\nf 1/{corner} 2 3\nf 1//{corner} 2 3\nl 1 {corner}\np {corner}\n" for corner in corners]
    file = read(SQUARE + "".join(lines))
    assert_sound(file)
    count = len(corners)
    assert kinds(file) == {
        "face-index": count,
        "uv-index": count,
        "normal-index": count,
        "line-index": count,
        "point-index": count,
    }


# One line that does not end.


def test_a_line_of_more_than_64_mebibytes_is_refused(tmp_path):
    path = tmp_path / "scene.obj"
    with open(path, "wb") as file:
        file.write((SQUARE + FACE + "# " + "x" * 5000).encode())
        file.truncate(200 * 2**20)  # zeros, which are no line ends
    with pytest.raises(ReadError, match="64 MiB") as refused:
        read_obj(path)
    assert_says_what_is_wrong_in_one_line(refused.value, path)


def test_a_comment_of_30_mebibytes_is_read(read):
    file = read(SQUARE + FACE + "#" + "x" * (30 * 2**20) + "\nf 1 2 9\n")
    assert only_problem(file).line == 7


def test_a_face_of_a_million_corners_and_a_million_continuations(read):
    text = SQUARE + "f" + " 1 2 3 4" * (MILLION // 4) + "\n" + "f 1 2 3" + " \\\n" * MILLION + "\nf 1 2 9\n"
    file = read(text)
    assert len(file.meshes.triangles) == MILLION - 2 + 1
    assert only_problem(file).line == 6 + MILLION + 1


# More memory than there is.


def test_a_file_that_takes_more_memory_than_it_may_is_refused_early(tmp_path):
    path = tmp_path / "scene.obj"
    path.write_text("v 1 2 3\n" * (2 * MILLION) + FACE)
    seen = []
    with pytest.raises(ReadError, match="memory") as refused:
        read_file(path, ReadOptions(2**20), progress=lambda path, done, total: seen.append(done))
    assert_says_what_is_wrong_in_one_line(refused.value, path)
    assert len(seen) < 3


@pytest.mark.parametrize("bomb", ("v 0 0 0\n", "o\n", "f -1 -1 -1\n", "l -1 -1\n", "vt 0\n", "usemtl a\n", "p -1\n"))
def test_a_packed_bomb_is_refused_early(tmp_path, bomb):
    path = tmp_path / "scene.obj.gz"
    block = gzip.compress(bomb.encode() * 2_000_000)
    path.write_bytes(gzip.compress(SQUARE.encode()) + block * 50)
    with pytest.raises(ReadError, match="memory"):
        read_file(path, ReadOptions(100 * 2**20))


def test_a_packed_bomb_of_nothing_is_read(tmp_path):
    path = tmp_path / "scene.obj.gz"
    path.write_bytes(gzip.compress((SQUARE + FACE).encode()) + gzip.compress(b"\n" * (50 * 2**20), 1))
    assert len(read_file(path, ReadOptions(100 * 2**20)).meshes.triangles) == 1


@pytest.mark.parametrize("bomb", quick(("v 0 0 0\n", "\n", "#"), 1))
def test_what_unpacks_to_far_more_than_anything_else_is_refused_whatever_memory_there_is(tmp_path, bomb):
    path = tmp_path / "scene.obj.gz"
    path.write_bytes(gzip.compress((SQUARE + FACE).encode()) + gzip.compress(bomb.encode() * (80 * 2**20 // len(bomb))))
    with pytest.raises(ReadError, match="unpacks to more than 100 times its size") as refused:
        read_file(path)
    assert_says_what_is_wrong_in_one_line(refused.value, path)


def test_a_packed_line_that_does_not_end_is_refused(tmp_path):
    path = tmp_path / "scene.obj.gz"
    some = gzip.compress(b"x" * 2**20, 0)  # not packed, or the rest would be too much for its size
    path.write_bytes(gzip.compress((SQUARE + FACE + "#").encode()) + some + gzip.compress(b"x" * (135 * 2**20)))
    with pytest.raises(ReadError, match="64 MiB"):
        read_file(path)
    with pytest.raises(ReadError, match="of memory, more than 100 MiB"):
        read_file(path, ReadOptions(100 * 2**20))
