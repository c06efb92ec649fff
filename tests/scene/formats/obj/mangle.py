"""Mangling: what transport, disks, other programs and people of ill will make of an OBJ text."""

from __future__ import annotations

import gzip
import random
import re

from tests.scene.formats.obj.corpus import CORPUS

_TEXTS = [text.encode() for text in CORPUS.values()]
_KEYWORDS = [
    word + blank
    for word in b"v vt vn f l p o g s usemtl mtllib curv vp deg parm surf end".split()
    for blank in (b" ", b"")
]
_LAYOUT = [b"\n", b"\r", b"\r\n", b"\\\n", b"\\\r", b"\\ \r\n", b"\\", b" ", b"\t", b"#", b"/", b"//"]
_STRANGE = [b"\0", b"\x0c", b"\xff", b"\x85", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x1f\x8b", "é屋🙂".encode()]
_NUMBERS = (
    b"0 -0 -1 1 + - . e nan inf 1.#IND 1e308 -1e308 1e-320 1e999 536870911 536870912 -536870913 2147483647".split()
)
_NUMBERS += [b"-2147483648", b"4294967296", b"9" * 40, b"-" + b"9" * 40, b"9" * 25 + b"." + b"9" * 25 + b"e-30"]
_STATEMENTS = [b"f -1 -2 -3\n", b"f 1 2 3 4 5 6 7\n", b"f 1/1/1 1/1/1 1/1/1\n", b"s 1\n", b"o \n", b"x" * 300]
_PIECES = _KEYWORDS + _LAYOUT + _STRANGE + _NUMBERS + _STATEMENTS
_NUMBER = re.compile(rb"[-+]?[0-9][-+.0-9eE]*")


def mangled(seed: int) -> bytes:
    """A text of the corpus after some accidents; the same for the same seed."""
    rng = random.Random(seed)
    data = rng.choice(_TEXTS)
    if rng.random() < 0.1:
        data = data.replace(b"\n", rng.choice([b"\r\n", b"\r", b"\\\n", b"\n\r", b" \n"]))
    for _ in range(rng.choice([1, 1, 2, 3, 5, 10, 30])):
        data = accident(rng, data)[:100_000]
    if rng.random() < 0.04:
        data = data.decode(errors="replace").encode(rng.choice(["utf-16", "utf-16-le", "utf-16-be", "utf-32"]))
        data = accident(rng, data) if rng.random() < 0.5 else data
    if rng.random() < 0.04:
        data = gzip.compress(data, 1, mtime=0)  # the same bytes in every second
        data = accident(rng, data) if rng.random() < 0.5 else data
    return data


def accident(rng: random.Random, data: bytes) -> bytes:
    """One accident that befalls a text: bytes, pieces, lines or numbers are changed, put in or lost."""
    return rng.choice(_ACCIDENTS)(rng, data)


def _bytes_changed(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(min(len(data), rng.choice([1, 2, 8]))):
        changed[rng.randrange(len(data))] = rng.choice([rng.randrange(256), rng.choice(b" \n\r\t\\#/-.0")])
    return bytes(changed)


def _piece_put_in(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(_PIECES) * rng.choice([1, 1, 1, 2, 50]) + data[place:]


def _piece_taken_out(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + data[place + rng.choice([1, 2, 5, 50, 1000]) :]


def _cut(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] if rng.random() < 0.7 else data[place:]


def _lines_changed(rng: random.Random, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    what = rng.randrange(5)
    place = rng.randrange(len(lines))
    if what == 0:
        rng.shuffle(lines)
    elif what == 1:
        lines.insert(rng.randrange(len(lines) + 1), lines[place])
    elif what == 2:
        del lines[place]
    elif what == 3:
        lines = lines * rng.choice([2, 5])
    else:
        lines[place:place] = rng.choice(_TEXTS).splitlines(keepends=True)[: rng.randrange(1, 20)]
    return b"".join(lines)


def _numbers_changed(rng: random.Random, data: bytes) -> bytes:
    places = list(_NUMBER.finditer(data))
    for match in sorted(rng.sample(places, min(len(places), rng.choice([1, 3]))), key=lambda m: -m.start()):
        number = rng.choice(
            [
                rng.choice(_NUMBERS),
                str(rng.randrange(-20, 80)).encode(),
                str(rng.randrange(-(2**33), 2**33)).encode(),
                repr(rng.uniform(-1.0, 1.0) * 10.0 ** rng.randrange(-330, 300)).encode(),
                match.group() * 2,
                match.group() + b"." + match.group(),
            ]
        )
        data = data[: match.start()] + number + data[match.end() :]
    return data


_ACCIDENTS = [_bytes_changed, _piece_put_in, _piece_taken_out, _cut, _lines_changed, _numbers_changed, _numbers_changed]
