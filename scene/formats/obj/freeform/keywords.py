"""The keywords of statements about free-form geometry, which are kept as text, and the hash by which they are known."""

from __future__ import annotations

import numpy as np

_ATTRIBUTES = "cstype deg bmat step ctech stech mg res"
_ELEMENTS = "curv curv2 surf bsp bzp cdc cdp"
_BODY = "parm trim hole scrv sp end"
KEYWORDS = frozenset(f"vp {_ATTRIBUTES} {_ELEMENTS} {_BODY} con".split())
HASH_FACTOR, HASH_MASK = 31, 0xFFFFFFFF


def _hash(keyword: str) -> int:
    value = 1
    for letter in keyword.encode():
        value = (value * HASH_FACTOR + letter) & HASH_MASK
    return value


KEYWORD_HASHES = np.array(sorted(map(_hash, KEYWORDS)), dtype=np.int64)
