"""The texts between the values of a node's line, in the order in which they are written."""

from __future__ import annotations

import numpy as np


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), dtype=np.uint8)


NAME = _bytes('"name":')
CHILDREN = _bytes('"children":')
TRANSLATION = _bytes('"translation":')
ROTATION = _bytes('"rotation":')
SCALE = _bytes('"scale":')
MESH_OF_FILE = _bytes('"mesh":{"file":')
OBJECT = _bytes(',"object":')
OCCURRENCE = _bytes(',"occurrence":')
EMBEDDED = _bytes('"mesh":{"embedded":')
MATERIAL = _bytes('"material":')
HIDDEN = _bytes('"hidden":true')
UNSELECTABLE = _bytes('"unselectable":true')
LONGEST = sum(
    map(
        len,
        (
            NAME,
            CHILDREN,
            TRANSLATION,
            ROTATION,
            SCALE,
            MESH_OF_FILE,
            OBJECT,
            OCCURRENCE,
            MATERIAL,
            HIDDEN,
            UNSELECTABLE,
        ),
    )
)  # of a node; bytes
QUOTE, BACKSLASH, COMMA, COLON, LINE_FEED = (np.uint8(character) for character in b'"\\,:\n')
OPENING, CLOSING, LIST_OPENING, LIST_CLOSING = (np.uint8(character) for character in b"{}[]")
# Columns of whole numbers, -1 where a node has none.
FILE, OCCURRENCE_NUMBER, EMBEDDED_NUMBER, MATERIAL_NUMBER = range(4)
