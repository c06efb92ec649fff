"""Whole numbers of absurd size in files that are text: each is read or refused in a line, wherever it stands."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path

import pytest

from octoscope.scene import FileContent, ReadError, Scene
from octoscope.scene.loading.read import read_path
from tests.cases import quick
from tests.damage.files import sound, threemf_model, zipped_model

# Python refuses to convert more than 4,300 digits; 400 are more than a float64 holds, 20 more than 64 bits.
NUMBERS = [sign + "9" * digits for sign in ("", "-") for digits in (20, 400, 5000)]
_WHOLE_NUMBER = re.compile(rb"(?<![\w.#-])-?\d+(?![\w.])")
_LONGEST_MESSAGE = 400  # characters beside the path


def _text_of(path: Path) -> bytes:
    """The text of a file, or the part of it that is text; a GLB becomes a .gltf, with its bytes beside it."""
    data = path.read_bytes()
    match path.suffix:
        case ".glb":
            size = struct.unpack_from("<I", data, 12)[0]
            document = json.loads(data[20 : 20 + size])
            document["buffers"][0]["uri"] = "a.bin"
            path.with_name("a.bin").write_bytes(data[28 + size :])
            return json.dumps(document).encode()
        case ".3mf":
            return threemf_model(data)
        case ".ply":
            return data[: data.index(b"end_header")]
    return data


def _places(text: bytes) -> Iterator[re.Match[bytes]]:
    """Whole numbers in a text, of those that follow the same letters the first."""
    seen = set()
    for match in _WHOLE_NUMBER.finditer(text):
        before = re.sub(rb"\d+", b"0", text[max(0, match.start() - 12) : match.start()])
        if before not in seen:
            seen.add(before)
            yield match


@pytest.mark.parametrize("first", quick(range(len(NUMBERS)), 1))
def test_a_number_of_absurd_size_is_read_or_refused(tmp_path, first):
    """Each place gets another number; of all cases together, each place every one."""
    tried, numbers = set(), cycle([*NUMBERS[first:], *NUMBERS[:first]])
    for path in sound(tmp_path):
        if path.name == "sound.stl":
            continue  # has no text
        text, data = _text_of(path), path.read_bytes()
        written = path.with_name("a.gltf") if path.suffix == ".glb" else path
        for place, number in zip(_places(text), numbers, strict=False):
            changed = text[: place.start()] + number.encode() + text[place.end() :]
            if path.suffix == ".3mf":
                changed = zipped_model(changed)
            written.write_bytes(changed + data[len(text) :] if path.suffix == ".ply" else changed)
            result = read_path(written)
            tried.add(written.suffix)
            if isinstance(result, ReadError):
                line = str(result)
                assert len(line.splitlines()) == 1 and len(line) < len(str(written)) + _LONGEST_MESSAGE
            else:
                scene = result if isinstance(result, Scene) else Scene()
                if isinstance(result, FileContent):
                    scene.add_content(result, written)
                scene.index.update()
    assert tried == {".gltf", ".obj", ".ply", ".stl", ".off", ".3mf", ".json"}
