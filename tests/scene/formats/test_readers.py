"""Files are read by the reader for their ending; what is of another format is said to be."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from octoscope.scene import load
from octoscope.scene.formats.endings import FORMATS, MODEL_ENDINGS
from octoscope.scene.formats.readers import parts_reader, read_file
from octoscope.scene.system.text_file import ReadError


@pytest.mark.parametrize("ending", MODEL_ENDINGS)
def test_only_an_obj_is_read_as_one(ending, tmp_path):
    path = tmp_path / f"model{ending.upper()}"
    read_elsewhere = [format_.endings for format_ in FORMATS.values() if format_.reader[0].startswith("converted")]
    if not any(ending in endings for endings in read_elsewhere):
        path.write_bytes(b"\x00hello")
        with pytest.raises(ReadError) as refused:
            read_file(path)
        assert ("OBJ" in str(refused.value).replace(path.name, "")) == (ending in FORMATS["OBJ"].endings)


def test_an_archive_is_not_read_in_parts():
    assert parts_reader(Path("a.obj.gz")) and parts_reader(Path("a.zip")) is None


def png() -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (8, 8)).save(file, "png")
    return file.getvalue()


GARBAGE = {
    "empty": b"",
    "random": np.random.default_rng(1).bytes(4096),
    "letter": b"Dear Sir,\nplease find enclosed the model we spoke about.\nYours\n" * 5,
    "404": b"<!DOCTYPE html>\n<html><head><title>404 Not Found</title></head>\n<body>Not Found</body></html>\n",
    "picture": png(),
    "json": b'{"error": 404}',
    "ply": b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n",
    "obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
}


@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("ending", [*dict.fromkeys([*MODEL_ENDINGS, ".octo.json", "tileset.json"])])
def test_a_file_that_is_none_of_its_format_is_said_to_be_none(ending: str, garbage: str, tmp_path: Path):
    if garbage.upper() in FORMATS and ending in FORMATS[garbage.upper()].endings:
        pytest.skip("is of that format")
    path = tmp_path / (garbage + ending if ending.startswith(".") else ending)
    path.write_bytes(GARBAGE[garbage])
    with pytest.raises(ReadError) as refused:
        load(path)
    said = str(refused.value).removeprefix(f"{path}: ")
    if "need an extra" in said:
        pytest.skip(said)
    if garbage == "empty":
        assert said.startswith(("the file is empty; ", "not a tileset"))
    else:
        assert said.startswith(("not a ", "not an ")) and "export it again" not in said
