"""Pack a GLB and what is shown beside it into few bytes, which source/unpack.js unpacks.

Numbers become whole ones, multiples of a step, and each is replaced by its difference from the one before it in its
column; bytes of one place then stand together, and deflate makes them small. A position moves by no more than a
millionth of its mesh's size. Browsers inflate by themselves, so that the page needs no decoder: one of Draco or
meshoptimizer is larger than what it saves in a scene of some MB.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from octoscope.scene.formats.gltf.writing.container import View

_POSITION_BITS = 20  # of a mesh's size
_MOST_BITS = 29  # of a number: no float32 loses anything by them
_STEP_EXPONENTS = {2: -16, 3: -10}  # by the number of columns: texture coordinates; normals
_GZIP = 31  # as zlib's wbits


def packed(document: Mapping[str, str], views: Sequence[View], beside: Mapping[str, object]) -> bytes:
    """Return a GLB's JSON, its buffer views and other values that JSON can hold, compressed by gzip.

    Args:
        document: the fields of the GLB's JSON, each as JSON.
    """
    accessors = json.loads(document.get("accessors", "[]"))
    described: list[dict[str, object]] = []
    pieces: list[bytes] = []
    for number, (stride, target, array) in enumerate(views):
        own = sorted(
            (each for each in accessors if each["bufferView"] == number), key=lambda each: each.get("byteOffset", 0)
        )
        if target is None:
            described.append({"bytes": array.nbytes})
            pieces.append(array.tobytes())
            continue
        rows = array.reshape(len(array), -1)
        description: dict[str, object] = {
            "rows": rows.shape[0],
            "columns": rows.shape[1],
            "bytes": rows.itemsize,
            "target": target,
        }
        if stride is not None:
            description["stride"] = stride
        if rows.dtype.kind == "f":
            runs = _runs(rows, own)
            description["exponents"] = runs
            counts, exponents = np.array(runs).T
            with np.errstate(invalid="ignore"):
                rows = np.rint(np.ldexp(rows.astype(np.float64), -np.repeat(exponents, counts)[:, None]))
            rows = np.nan_to_num(rows)
        described.append(description)
        pieces.append(_planes(rows))
    head = json.dumps({"beside": beside, "views": described}, ensure_ascii=False)[:-1]
    fields = ",".join(f'"{key}":{value}' for key, value in document.items())
    text = f'{head},"gltf":{{{fields}}}}}'.encode()
    compressor = zlib.compressobj(9, wbits=_GZIP)
    parts = [len(text).to_bytes(4, "little"), text, *pieces]
    return b"".join([*map(compressor.compress, parts), compressor.flush()])


def _runs(rows: np.ndarray, accessors: Sequence[dict[str, object]]) -> list[list[int]]:
    """Return pairs: how many rows follow each other with one step, and the power of two that this is."""
    if len(accessors) == 0 or "min" not in accessors[0]:
        least = int(_exponents(np.abs(rows).max(initial=0.0))) - _MOST_BITS
        return [[len(rows), max(_STEP_EXPONENTS.get(rows.shape[1], 0), least)]]
    lower, upper = (np.array([each[name] for each in accessors], dtype=np.float64) for name in ("min", "max"))
    sizes = (upper - lower).max(axis=1)
    farthest = np.maximum(np.abs(lower), np.abs(upper)).max(axis=1)
    exponents = np.maximum(_exponents(sizes) - _POSITION_BITS, _exponents(farthest) - _MOST_BITS)
    return [[int(str(each["count"])), int(power)] for each, power in zip(accessors, exponents.tolist(), strict=True)]


def _exponents(values: np.ndarray) -> np.ndarray:
    """Return the power of two that is next above each value, (n,) int64; a small one for 0."""
    return np.maximum(np.frexp(values)[1].astype(np.int64), -100)


def _planes(rows: np.ndarray) -> bytes:
    """Return whole numbers as the bytes of their differences, place by place of each column; signs come last."""
    numbers = rows.astype(np.int64)
    differences = np.diff(numbers, axis=0, prepend=np.zeros((1, numbers.shape[1]), dtype=np.int64))
    folded = ((differences << 1) ^ (differences >> 63)).astype(np.uint64).astype("<u4")
    return folded.view(np.uint8).reshape(len(rows), -1).T.tobytes()
