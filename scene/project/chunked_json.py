"""Parse JSON in pieces, so that other threads run in between: json.loads holds the interpreter lock."""

from __future__ import annotations

import json

_NODES = '\n"nodes": ['  # as our writer writes it, then a node per line; strings in JSON have no line ends
_END = "\n]"
_STAND_IN = "\x00nodes"
_PIECE = 2**18  # characters, some milliseconds


def parse_json(text: str) -> tuple[object, list[str]]:
    """Parse as json.loads; return also each NaN and Infinity, which becomes None.

    The nodes of a project that we have written are parsed some lines at a time.

    Raises:
        ValueError: as json.loads.
        RecursionError: as json.loads.
    """
    begin = text.find(_NODES) + len(_NODES)
    end = text.find(_END, begin)
    if begin >= len(_NODES) and end - begin > _PIECE:
        try:
            document, no_numbers = _loads(f"{text[: begin - 1]}{json.dumps(_STAND_IN)}{text[end + len(_END) :]}")
            if isinstance(document, dict) and document.get("nodes") == _STAND_IN:
                document["nodes"], others = _nodes(text, begin, end)
                return document, no_numbers + others
        except ValueError:  # another layout, or damaged: parsing the whole says where
            pass
    return _loads(text)


def _nodes(text: str, begin: int, end: int) -> tuple[list[object], list[str]]:
    """Parse the nodes between two positions; a cut that is not between two of them makes a piece that is no JSON."""
    nodes: list[object] = []
    no_numbers: list[str] = []
    while begin < end:
        cut = text.find(",\n", min(begin + _PIECE, end), end)
        cut = end if cut < 0 else cut
        piece, others = _loads(f"[{text[begin:cut]}]")
        assert isinstance(piece, list)  # the text is in brackets
        nodes += piece
        no_numbers += others
        begin = cut + 1
    return nodes, no_numbers


def _loads(text: str) -> tuple[object, list[str]]:
    no_numbers: list[str] = []
    return json.loads(text, parse_constant=no_numbers.append), no_numbers  # append returns None
