"""Pages, taken apart."""

from __future__ import annotations

import base64
import gzip
import json
import re

import numpy as np


def data_of(page: str) -> bytes:
    """Return what the page's script inflates."""
    match = re.search(r'<script id="scene"[^>]*>([^<]*)<', page)
    assert match is not None
    return gzip.decompress(base64.b64decode(match[1]))


def head_of(page: str) -> dict:
    data = data_of(page)
    return json.loads(data[4 : 4 + int.from_bytes(data[:4], "little")])


def numbers_of(page: str) -> list[np.ndarray]:
    """Return the numbers of each buffer view, float64: another way than that of source/unpack.js."""
    data = data_of(page)
    place, found = 4 + int.from_bytes(data[:4], "little"), []
    for view in head_of(page)["views"]:
        if "rows" not in view:
            found.append(np.frombuffer(data, np.uint8, view["bytes"], place))
            place += view["bytes"]
            continue
        rows, columns = view["rows"], view["columns"]
        planes = np.frombuffer(data, np.uint8, 4 * rows * columns, place).reshape(columns, 4, rows)
        place += planes.size
        folded = (planes.astype(np.int64) << np.array([0, 8, 16, 24])[:, None]).sum(axis=1)
        sums = np.where(folded & 1, -(folded + 1) // 2, folded // 2).cumsum(axis=1)
        sums = (sums + 2**31) % 2**32 - 2**31
        steps = np.repeat(*(np.array(view["exponents"]).T[::-1])) if "exponents" in view else np.zeros(rows, int)
        found.append(np.ldexp(sums.T.astype(float), steps[:, None]))
    return found
