"""Parse JSON in pieces, so that other threads run in between: json.loads holds the interpreter lock."""

from __future__ import annotations

import json

from octoscope.scene.project.node_text.reading import ReadNodes, read_nodes

_NODES = b'\n"nodes": ['  # as our writer writes it, then a node per line; strings in JSON have no line ends
_END = b"\n]"
_STAND_IN = "\x00nodes"
_PIECE = 2**18  # bytes or characters, some milliseconds


class NodeLines:
    """The nodes of a project that has very many: as columns, and as the lines that these were read from.

    Attributes:
        columns: their values.
    """

    def __init__(self, columns: ReadNodes, data: bytes, begin: int, end: int) -> None:
        self.columns = columns
        self._data, self._begin, self._end = data, begin, end

    def parsed(self) -> list[object]:
        """Parse the lines, as JSON."""
        return _nodes(self._data[self._begin : self._end].decode())[0]


def parse_json(data: bytes) -> tuple[object, list[str]]:
    """Parse as json.loads; return also each NaN and Infinity, which becomes None.

    Very many nodes of a project, as we write them, are a NodeLines in place of a list. Nodes that a person has changed
    are parsed some lines at a time.

    Raises:
        ValueError: as json.loads; no UTF-8.
        RecursionError: as json.loads.
    """
    begin = data.find(_NODES) + len(_NODES)
    end = data.find(_END, begin)
    if begin >= len(_NODES) and end - begin > _PIECE:
        try:
            around = data[: begin - 1] + json.dumps(_STAND_IN).encode() + data[end + len(_END) :]
            document, no_numbers = _loads(around.decode("utf-8-sig"))
            if isinstance(document, dict) and document.get("nodes") == _STAND_IN:
                columns = read_nodes(data, begin, end)
                if columns is not None:
                    document["nodes"] = NodeLines(columns, data, begin, end)
                    return document, no_numbers
                document["nodes"], others = _nodes(data[begin:end].decode())
                return document, no_numbers + others
        except ValueError:  # another layout, or damaged: parsing the whole says where
            pass
    return _loads(data.decode("utf-8-sig"))


def _nodes(text: str) -> tuple[list[object], list[str]]:
    """Parse the lines of nodes; a cut that is not between two of them makes a piece that is no JSON."""
    nodes: list[object] = []
    no_numbers: list[str] = []
    begin, end = 0, len(text)
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
