"""A project's JSON, read in pieces: Python's reader lets no other thread go on until it is done, and a window waits."""

from __future__ import annotations

import json

_NODES = '\n"nodes": ['  # as the writer begins them, a line for each; no text in JSON holds a line end
_END = "\n]"
_STAND_IN = "\x00nodes"
_PIECE = 2**18  # characters, some milliseconds


def loads_in_pieces(text: str) -> tuple[object, list[str]]:
    """As json.loads, and each NaN and Infinity that is in the place of a number, which is None then.

    The nodes of a project as ours is written are read some lines at a time.

    Raises:
        ValueError, RecursionError: as json.loads.
    """
    begin = text.find(_NODES) + len(_NODES)
    end = text.find(_END, begin)
    if begin >= len(_NODES) and end - begin > _PIECE:
        try:
            document, no_numbers = _loads(f"{text[: begin - 1]}{json.dumps(_STAND_IN)}{text[end + len(_END) :]}")
            if isinstance(document, dict) and document.get("nodes") == _STAND_IN:
                document["nodes"], others = _nodes(text, begin, end)
                return document, no_numbers + others
        except ValueError:  # otherwise laid out, or damaged: the whole says where
            pass
    return _loads(text)


def _nodes(text: str, begin: int, end: int) -> tuple[list[object], list[str]]:
    """Those between two places; a cut that is not between two of them leaves a piece that is no JSON."""
    nodes: list[object] = []
    no_numbers: list[str] = []
    while begin < end:
        cut = text.find(",\n", min(begin + _PIECE, end), end)
        cut = end if cut < 0 else cut
        piece, others = _loads(f"[{text[begin:cut]}]")
        assert isinstance(piece, list)  # it stands in brackets
        nodes += piece
        no_numbers += others
        begin = cut + 1
    return nodes, no_numbers


def _loads(text: str) -> tuple[object, list[str]]:
    no_numbers: list[str] = []
    return json.loads(text, parse_constant=no_numbers.append), no_numbers  # append returns None
