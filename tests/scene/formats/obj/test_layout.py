"""Layout, encoding, packing and source of the text: the same square, however it is written."""

import gzip
import io
import subprocess
import sys
from pathlib import Path

import pytest

from octoscope.scene import FileContent, read_obj
from octoscope.scene.formats.readers import ReadOptions, read_file
from tests.scene.formats.obj.checks import kinds, only_problem
from tests.scene.formats.obj.texts import SQUARE, corners, names, triangles_of

TRIANGLE = SQUARE + "f 1 2 3\n"


def assert_one_triangle(file: FileContent) -> None:
    assert len(file.objects) == 1
    assert corners(file.objects[0][1]) == triangles_of((1, 2, 3))
    assert file.warnings == []


@pytest.mark.parametrize(
    "text",
    [
        "  v 0 0 0\n\tv 1 0 0\n \t v 1 1 0\n    f 1 2 3\n",
        "v\t0\t0\t0\nv\t1 0 0\nv 1\t1\t0\nf\t1\t2\t3\n",
        TRIANGLE + "# behind\n",
        SQUARE + "f 1 2 3 # a comment\n",
        SQUARE + "f 1 2 3#a comment\n",
        "v 0 0 0.#a\nv 1 0 0 # b\nv 1 1 0# c\nvt 0 0 # d\nvn 0 0 1#e\nf 1 2 3\n",
        "# above\nv 0 0 0 # origin\nv 1 0 0\n#v 9 9 9\n  # f 1 2 3\nv 1 1 0\nf 1 2 3\n# below",
        "# a picture of a house: / \\\nv 0 0 0\nv 1 0 0 # \\\nv 1 1 0\nf 1 2 3\n",
        TRIANGLE.replace("\n", "\r\n"),
        TRIANGLE.replace("\n", "\r"),
        TRIANGLE.replace("\n", "\n\r"),
        TRIANGLE.replace("\n", "\r\r\n"),
        "v 0 0 0\rv 1 0 0\nv 1 1 0\r\nf 1 2 3",
        "v 0 0 \\\n0\nv 1 0 0\nv 1 1 0\nf 1 \\\n2 \\\n3\n",
        "v 0 0 \\\r\n0\r\nv 1 0 0\r\nv 1 1 0\r\nf 1 2 \\\r\n3\r\n",
        "v 0 0 \\\r0\rv 1 0 0\rv 1 1 0\rf 1 2 \\\r3\r",
        "v \\\n0\\\n 0 \\  \n\\\n 0\nv 1 0 0\nv 1 1 0\nf 1\\\t\n 2\\\n 3\n",
        "v\\\n 0 0 0\nv 1 0 0\nv 1 1 0\nf\\\n1 2 3\n",
        "\\\nv 0 0 0\nv 1 0 0\n \\\n\\\n v 1 1 0\n\\\n\nf 1 2 3\n",
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3 \\",
        SQUARE + "f 1 2 3",
        SQUARE + "\n\n   \n\nf  1   2  3   \n\n\n",
        "\n" * 10_000 + TRIANGLE,
        "# " + "x" * 10_000 + "\n" + TRIANGLE,
    ],
    ids=[
        "indented",
        "tabs",
        "comment line",
        "comment behind a face",
        "comment touching a face",
        "comments touching numbers",
        "comments everywhere",
        "comments that end with a backslash",
        "CRLF",
        "bare CR",
        "LF CR",
        "CR CR LF",
        "every line end in one file",
        "continued lines",
        "continued lines with CRLF",
        "continued lines with bare CR",
        "continued many times, with blanks behind",
        "continued behind the keyword",
        "blank lines that are continued",
        "continued by nothing",
        "no final newline",
        "blank lines and many blanks",
        "ten thousand empty lines first",
        "a long comment first",
    ],
)
def test_the_same_triangle_however_it_is_written(read, text):
    assert_one_triangle(read(text))


def test_a_name_is_continued_on_the_next_line(read):
    file = read(SQUARE + "o a\\\nb \\\n  c\nf 1 2 3\nusemtl red \\\r\nand blue\r\nf 1 3 4\n")
    assert names(file) == ["a b c"]
    assert [material.name for material in file.materials] == ["default", "red and blue"]
    assert kinds(file) == {"material-unknown": 1}


def test_a_library_is_named_on_the_next_line(read):
    file = read(
        f"mtllib a.mtl \\\n b.mtl\n{SQUARE}usemtl m\nf 1 2 3\n", **{"a.mtl": "#", "b.mtl": "newmtl m\nKd 1 0 0"}
    )
    assert [material.base_color for material in file.materials][1:] == [(1, 0, 0)]


def test_a_backslash_inside_a_name_stays(read):
    assert names(read(SQUARE + "o a\\b\\ c\nf 1 2 3\n")) == ["a\\b\\ c"]


@pytest.mark.parametrize("encoding", ("utf-8", "utf-8-sig", "utf-16", "latin-1"))
def test_text_in_every_encoding(read, encoding):
    file = read((SQUARE + "o Dach_süd\nf 1 2 3\n").encode(encoding))
    assert names(file) == ["Dach_süd"]
    assert_one_triangle(file)


def test_a_big_endian_utf_16_text(read):
    assert names(read(b"\xfe\xff" + (SQUARE + "o é\nf 1 2 3\n").encode("utf-16-be"))) == ["é"]


@pytest.mark.parametrize("encoding", ("utf-16-le", "utf-16-be"))
@pytest.mark.parametrize(
    "first", ("", "# made by hand\n", "# " + "long " * 5000 + "\n", "mtllib\n" * 1000, "\n" * 5000)
)
def test_utf_16_without_a_mark(read, encoding, first):
    file = read((first + SQUARE + "o 屋根é\nf 1 2 3\n").encode(encoding))
    assert names(file) == ["屋根é"]


def test_utf_16_of_an_odd_number_of_bytes(read):
    assert names(read((SQUARE + "o é\nf 1 2 3\n").encode("utf-16") + b"\n")) == ["é"]


def test_one_name_that_is_not_utf_8_makes_all_latin_1(read):
    file = read(f"{SQUARE}o süd\nf 1 2 3\n".encode() + b"o s\xfcd\nf 1 3 4\n")
    assert names(file)[1] == "süd"


def test_a_comment_in_another_encoding_disturbs_no_name(read):
    file = read(b"# gr\xfcn\n" + (SQUARE + "o Dach_süd\nf 1 2 3\n").encode())
    assert names(file) == ["Dach_süd"]


def test_a_file_name_that_is_not_ascii_and_in_upper_case(tmp_path):
    path = tmp_path / "Größe 屋根.OBJ"
    path.write_text(TRIANGLE)
    assert names(read_obj(path)) == ["Größe 屋根"]
    assert names(read_obj(str(path))) == ["Größe 屋根"]


# Packed, or from a pipe.


@pytest.mark.parametrize("name", ("scene.obj.gz", "scene.obj", "SCENE.OBJ.GZ"))
def test_a_packed_file_by_whatever_name(tmp_path, name):
    (tmp_path / name).write_bytes(gzip.compress((SQUARE + "o a\nf 1 2 3\n").encode()))
    file = read_obj(tmp_path / name)
    assert names(file) == ["a"]
    assert_one_triangle(file)


def test_a_packed_file_of_several_parts_and_in_utf_16(tmp_path):
    data = (SQUARE + "o é\nf 1 2 3\n").encode("utf-16")
    (tmp_path / "a.obj.gz").write_bytes(gzip.compress(data[:31]) + gzip.compress(data[31:]))
    assert names(read_obj(tmp_path / "a.obj.gz")) == ["é"]


def test_a_packed_file_without_a_name_inside_is_named_after_itself(tmp_path):
    (tmp_path / "house.obj.gz").write_bytes(gzip.compress(TRIANGLE.encode()))
    assert names(read_obj(tmp_path / "house.obj.gz")) == ["house"]


@pytest.mark.parametrize("pack", (bytes, gzip.compress), ids=("plain", "packed"))
def test_a_file_on_standard_input(monkeypatch, tmp_path, pack):
    text = f"mtllib a.mtl\n{SQUARE}usemtl m\nf 1 2 3\n"
    (tmp_path / "a.mtl").write_text("newmtl m\nKd 1 0 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(pack(text.encode()))))
    file = read_obj("-")
    assert names(file) == ["standard input"]
    assert_one_triangle(file)
    assert file.materials[-1].base_color == (1, 0, 0)  # looked for in the folder one stands in


def test_a_pipe_that_brings_its_bytes_bit_by_bit():
    script = (
        "import octoscope; f = octoscope.read_obj('-'); print(f.vertex_count, len(f.meshes.triangles), len(f.warnings))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[4],
    )
    for _ in range(100):
        process.stdin.write(b"v 0 0 0\nv 1 0 0\nv 1 1")
        process.stdin.flush()
        process.stdin.write(b" 0\nf -3 -2 -1\n" + b"# " + b"x" * 5000 + b"\n")
        process.stdin.flush()
    output, _ = process.communicate()
    assert output.split() == [b"300", b"100", b"0"]


# How far it is.


def test_progress_goes_from_the_files_beginning_to_its_end(tmp_path):
    path = tmp_path / "scene.obj"
    path.write_text(TRIANGLE * 100_000)
    seen = []
    read_obj(path, progress=lambda done, total: seen.append((done, total)))
    size = path.stat().st_size
    assert len(seen) > 3 and {total for _, total in seen} == {size}
    done = [bytes_read for bytes_read, _ in seen]
    assert done == sorted(done) and done[-1] == size


def test_progress_of_a_packed_file_counts_packed_bytes(tmp_path):
    path = tmp_path / "scene.obj.gz"
    path.write_bytes(gzip.compress((TRIANGLE * 100_000).encode()))
    seen = []
    read_obj(path, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (path.stat().st_size,) * 2


def test_progress_of_a_pipe_counts_bytes_towards_nobody_knows_what(monkeypatch):
    text = (TRIANGLE * 100_000).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    seen = []
    read_obj("-", progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (len(text), None)


def test_what_progress_raises_ends_the_reading(tmp_path):
    path = tmp_path / "scene.obj"
    path.write_text(TRIANGLE * 100_000)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_obj(path, progress=stop)


def test_a_file_that_uses_little_of_its_text_is_read_within_little_memory(tmp_path):
    path = tmp_path / "scene.obj"
    path.write_text(("#" + "x" * 99 + "\n") * 50_000 + TRIANGLE)
    assert_one_triangle(read_file(path, ReadOptions(10_000)))


def test_an_unknown_control_character_is_no_statement(read):
    file = read(TRIANGLE + "\x0c\n")
    assert (only_problem(file).kind, only_problem(file).line) == ("unsupported", 6)
