"""Refused files: one line names the file and says what to do."""

import gzip
import os

import pytest

from octoscope.scene import ReadError, read_obj
from tests.scene.formats.obj.checks import assert_says_what_is_wrong_in_one_line, assert_sound
from tests.scene.formats.obj.texts import RED_AND_BLUE, SQUARE

BAD_TEXTS = {
    "empty": b"",
    "blanks only": b" \n\t\r\n  ",
    "very many blanks only": b" \n\t\r\n  " * 10_000,
    "comments only": b"# made by nobody\n",
    "a mark only": b"\xef\xbb\xbf",
    "a mark of UTF-16 only": b"\xff\xfe",
    "binary": bytes(range(256)) * 4,
    "binary without zeros": bytes(range(128, 256)) * 4,
    "a binary that begins like an OBJ": SQUARE.encode() + b"f 1 2 3\n\0\1\2",
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a binary glTF": b"glTF\x02\0\0\0\x10\0\0\0",
    "a packed picture": gzip.compress(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"),
    "packed nothing": gzip.compress(b""),
    "packed cut short": gzip.compress(SQUARE.encode() * 1000)[:60],
    "packed cut within its head": gzip.compress(SQUARE.encode())[:7],
    "packed with a wrong sum": gzip.compress(SQUARE.encode() + b"f 1 2 3\n")[:-8] + b"12345678",
    "packed and then something else": gzip.compress(SQUARE.encode() + b"f 1 2 3\n") + b"junk",
    "UTF-32": (SQUARE + "f 1 2 3\n").encode("utf-32"),
    "a text that is no OBJ": b"Dear Sir or Madam,\nthis is a letter.\n",
    "JSON": b'{"asset": {"version": "2.0"}}',
    "faces without vertices": b"f 1 2 3\n",
    "an index out of range": SQUARE.encode() + b"f 1 2 9\n",
    "an index far out of range": SQUARE.encode() + b"f 1 2 99999999999999999999\n",
    "relative indices out of range only": SQUARE.encode() + b"f -9 -8 -7\n",
    "an index of 0 only": SQUARE.encode() + b"f 0 1 2\n",
    "faces of two corners only": SQUARE.encode() + b"f 1 2\n",
    "NaN vertices only": b"v nan nan nan\n" * 3 + b"f 1 2 3\n",
    "NaN vertices alone": b"v nan nan nan\n" * 3,
    "words for coordinates": b"v a b c\nv 1 0 0\nv 1 1 0\nf 1 2 3\n",
    "two coordinates": b"v 0 0\nv 1 0\nv 1 1\nf 1 2 3\n",
    "one vertex of two coordinates": b"v 0 0 0\nv 1 0\nv 1 1 0\nf 1 2 3\n",
    "decimal commas": b"v 0,5 1,0 0,0\nv 1,0 0,0 1,0\nv 1,0 1,0 0,0\nf 1 2 3\n",
    "words for indices": SQUARE.encode() + b"f one two three\n",
    "a word among the indices": SQUARE.encode() + b"f 1 2 x\n",
    "fractions for indices": SQUARE.encode() + b"f 1.5 2 3\n",
    "lines out of range only": SQUARE.encode() + b"l 8 9\np 7\n",
    "a line of one point only": SQUARE.encode() + b"l 1\n",
}


@pytest.mark.parametrize("name", BAD_TEXTS)
def test_a_file_that_cannot_be_shown_is_refused_in_one_line(read, tmp_path, name):
    with pytest.raises(ReadError) as refused:
        read(BAD_TEXTS[name])
    assert_says_what_is_wrong_in_one_line(refused.value, tmp_path / "scene.obj")
    assert "None" not in str(refused.value)


@pytest.mark.parametrize("name", ("gone.obj", "no/such/folder.obj", "", "x" * 300 + ".obj"))
def test_a_path_that_is_no_file_is_refused_in_one_line(tmp_path, name):
    path = tmp_path / name
    with pytest.raises(ReadError) as refused:
        read_obj(path)
    assert_says_what_is_wrong_in_one_line(refused.value, path)


@pytest.mark.parametrize("name", ("two\nlines.obj", "a\0b.obj", "a\x1b[31mb.obj", "a\udcffb.obj"))
def test_a_path_that_would_break_the_line_is_shown_with_escapes(tmp_path, name):
    with pytest.raises(ReadError) as refused:
        read_obj(tmp_path / name)
    message = str(refused.value)
    assert message.startswith(str(tmp_path)) and message.isprintable()


def test_a_pipe_among_files_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.obj")
    with pytest.raises(ReadError, match="not a regular file"):
        read_obj(tmp_path / "pipe.obj")


@pytest.mark.parametrize("path", ("/dev/zero", "/dev/null", "/dev/random"))
def test_a_device_is_refused(path):
    with pytest.raises(ReadError, match="not a regular file"):
        read_obj(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read anything")
def test_a_file_that_may_not_be_read_is_refused(tmp_path):
    path = tmp_path / "scene.obj"
    path.write_text(SQUARE)
    path.chmod(0)
    with pytest.raises(ReadError, match="cannot be read"):
        read_obj(path)


def test_a_link_to_nowhere_and_one_to_itself_are_refused(tmp_path):
    for name, target in (("a.obj", "gone.obj"), ("b.obj", "b.obj")):
        (tmp_path / name).symlink_to(tmp_path / target)
        with pytest.raises(ReadError) as refused:
            read_obj(tmp_path / name)
        assert_says_what_is_wrong_in_one_line(refused.value, tmp_path / name)


def test_a_file_that_gets_shorter_while_it_is_read_is_refused(tmp_path):
    path = tmp_path / "scene.obj"
    path.write_text((SQUARE + "f 1 2 3\n") * 500_000)

    def cut(done, total):
        os.truncate(path, 5_000_000)

    with pytest.raises(ReadError, match="shorter"):
        read_obj(path, progress=cut, threads=1)


def test_a_file_that_grows_while_it_is_read_is_read(tmp_path):
    path = tmp_path / "scene.obj"
    path.write_text((SQUARE + "f -4 -3 -2\n") * 100_000)
    grown = []

    def grow(done, total):
        if not grown:
            with open(path, "a") as file:
                file.write("f 1 2 3\n" * 10)
            grown.append(True)

    assert len(read_obj(path, progress=grow, threads=1).meshes.triangles) == 100_010


@pytest.mark.parametrize("cut", range(5, 220, 7))
def test_a_file_cut_off_anywhere_is_read_or_refused_but_never_worse(read, tmp_path, cut):
    text = f"mtllib a.mtl\n{SQUARE}vn 0 0 1\no one\nusemtl red\nf 1//1 2//1 3//1\nf -4 -3 -2 -1\n"
    text = (text + "o two\nf 1 2 \\\n3\nl 1 2\n") * 2
    try:
        file = read(text[:cut], **{"a.mtl": RED_AND_BLUE})
    except ReadError as error:
        assert_says_what_is_wrong_in_one_line(error, tmp_path / "scene.obj")
    else:
        assert_sound(file)


@pytest.mark.parametrize(
    ("statements", "line"),
    [
        ("f 1 2 9x\n", 5),
        ("f x\n# comment\n\nf 1 2 y\n", 5),
        ("l \\\n 2 \\\n z\nf 1 2 -9x\n", 5),
        ("f 0 1 2\n", 5),
    ],
)
def test_why_nothing_can_be_shown_is_told_with_a_line_and_in_its_own_words(read, statements, line):
    text = SQUARE + statements
    with pytest.raises(ReadError) as refused:
        read(text)
    assert f"line {line}: '{text.splitlines()[line - 1].rstrip(chr(92))}" in str(refused.value)


def test_why_nothing_can_be_shown_is_told_with_the_index_that_is_out_of_range(read):
    with pytest.raises(ReadError, match="line 6: a face refers to vertex 99, and there are 4"):
        read(SQUARE + "\nf 2 99 1\n")
