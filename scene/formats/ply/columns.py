"""Rows of a PLY file as columns: of text or bytes, with lists of one length or of different ones."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

import numpy as np

from octoscope.scene.formats.ply.header import Element, PlyHeader, Property, broken_ply
from octoscope.scene.formats.ply.row_kernels import copy_pieces, find_lists, keep_rows, read_numbers
from octoscope.scene.formats.ply_elements import Column, Lists
from octoscope.scene.geometry.ranges import index_in
from octoscope.scene.system.read_limits import current_limits
from octoscope.scene.system.text_file import ReadError, shortened

_LARGEST_ROW_BYTES = 2**30  # as numpy describes a row; longer ones are read as those of different lengths


class CutOffError(ReadError):
    """Rows of an element are missing: `what` says how many of them, `found` are there."""

    def __init__(self, path: Path, what: str, found: int) -> None:
        super().__init__(path, f"cut off: {what}; export it again")
        self.what = what
        self.found = found


class RowReader:
    """Reads the rows of a PLY file, element by element.

    Attributes:
        values: (n,) what was not read yet: uint8 bytes, or float64 numbers of a text.
    """

    def __init__(self, data: bytes, header: PlyHeader, path: Path) -> None:
        self._path = path
        self._byte_order = header.byte_order
        if header.byte_order is None:
            self.values = _numbers(data, header, path)
        else:
            self.values = np.frombuffer(data, dtype=np.uint8)[header.size :]

    def read(self, element: Element, wanted: Collection[Property]) -> dict[str, Column]:
        """Return the next element's columns by name: (rows,) values, and of lists Lists or (rows, length)."""
        properties = element.properties
        chosen = [number for number, each in enumerate(properties) if each in wanted]
        lengths = self._lengths_of_first(element)
        fields: list[tuple[str, np.dtype, tuple[int, ...]]] = []
        for number, (each, length) in enumerate(zip(properties, lengths, strict=True)):
            if each.count_dtype is None:
                fields.append((f"{number}", self._stored(each.dtype), ()))
            else:
                fields.append((f"count {number}", self._stored(each.count_dtype), ()))
                fields.append((f"{number}", self._stored(each.dtype), (length,)))
        row_bytes = sum(dtype.itemsize * int(np.prod(shape)) for _, dtype, shape in fields)
        used = element.rows * row_bytes // self.values.itemsize
        if used <= len(self.values) and row_bytes <= _LARGEST_ROW_BYTES:
            rows = self.values[:used].view(np.dtype(fields))
            lists = [number for number, each in enumerate(properties) if each.count_dtype is not None]
            if all((rows[f"count {number}"] == lengths[number]).all() for number in lists):
                self.values = self.values[used:]
                return {properties[number].name: _typed(rows[f"{number}"], properties[number]) for number in chosen}
        elif not any(each.count_dtype for each in properties):
            raise self._cut_off(element, len(self.values) * self.values.itemsize // row_bytes)
        return self._read_uneven(element, chosen)

    def _read_uneven(self, element: Element, chosen: list[int]) -> dict[str, Column]:
        """Read rows of different lengths; `chosen` are the numbers of the properties that are returned."""
        properties = element.properties
        least = sum(self._size(each.count_dtype or each.dtype) for each in properties)
        rows = min(element.rows, len(self.values) // least)
        begins = np.empty((len(chosen), rows), dtype=np.int64)
        lengths = np.empty_like(begins)
        kept = index_in(np.array(chosen, dtype=np.int64), len(properties))
        count_sizes = np.array([self._size(each.count_dtype) if each.count_dtype else 0 for each in properties])
        item_sizes = np.array([self._size(each.dtype) for each in properties])
        used, missing = find_lists(
            self.values, count_sizes, item_sizes, kept, self._byte_order == ">", rows, begins, lengths
        )
        if missing >= 0 or rows < element.rows:
            raise self._cut_off(element, rows if missing < 0 else missing)
        columns: dict[str, Column] = {}
        for row, number in enumerate(chosen):
            sizes = lengths[row] * item_sizes[number]
            items = np.empty(sizes.sum(), dtype=self.values.dtype)
            copy_pieces(self.values, begins[row], sizes, items)
            each = properties[number]
            column = _typed(items.view(self._stored(each.dtype)), each)
            columns[each.name] = Lists(lengths[row], column) if each.count_dtype else column
        self.values = self.values[used:]
        return columns

    def _lengths_of_first(self, element: Element) -> list[int]:
        """Return for each property the length of the first row's list; 0 for a single value, or where there is none."""
        lengths, at = [], 0
        for each in element.properties:
            length = 0
            if each.count_dtype is None:
                at += self._size(each.dtype)
            else:
                size = self._size(each.count_dtype)
                if element.rows and at + size <= len(self.values):
                    value = float(self.values[at : at + size].view(self._stored(each.count_dtype))[0])
                    length = int(value) if 0.0 <= value <= len(self.values) else 0
                at += size + length * self._size(each.dtype)
            lengths.append(length)
        return lengths

    def _stored(self, dtype: np.dtype) -> np.dtype:
        """Return the type in which `values` have values of a property."""
        return self.values.dtype if self._byte_order is None else dtype

    def _size(self, dtype: np.dtype) -> int:
        """Return how many of `values` a value of a property takes."""
        return 1 if self._byte_order is None else dtype.itemsize

    def _cut_off(self, element: Element, found: int) -> CutOffError:
        what = f"of {element.rows:,} '{shortened(element.name)}' it has {found:,}"
        return CutOffError(self._path, what, found)


def _numbers(data: bytes, header: PlyHeader, path: Path) -> np.ndarray:
    """Read the numbers of a text, (n,) float64."""
    current_limits().take(3 * len(data))  # a copy, its white space, and what reading has freed and is still held
    text = np.frombuffer(data + b"\n", dtype=np.uint8)[header.size :]
    most = int(np.count_nonzero(text <= ord(" "))) + 1
    current_limits().take(9 * most)
    numbers, begins_line = np.empty(most), np.empty(most, dtype=np.bool_)
    count, fault = read_numbers(text, numbers, begins_line)
    if fault >= 0:
        before = data[: header.size + fault]
        line = max(before.count(b"\n"), before.count(b"\r")) + 1
        word = re.compile(rb"[^\s#]+").match(data, len(before))
        shown = shortened(word[0].decode(errors="replace")) if word else "it"
        raise broken_ply(path, f"line {line}: '{shown}' is no number", header.format_name)
    numbers, begins_line = numbers[:count], begins_line[:count]
    if _kept_of_rows(numbers, begins_line, header, by_line=False) == count:
        return numbers
    # Rows with more numbers than the heading states, as MeshLab writes them: what follows a row on its line is no row.
    current_limits().take(numbers.nbytes)
    by_line = numbers.copy()
    kept = _kept_of_rows(by_line, begins_line, header, by_line=True)
    return numbers if kept is None else by_line[:kept]


def _kept_of_rows(numbers: np.ndarray, begins_line: np.ndarray, header: PlyHeader, *, by_line: bool) -> int | None:
    """Apply `keep_rows` to all elements; return how many numbers are kept, None where any are missing or left."""
    at = kept = 0
    for element in header.elements:
        if element.properties:
            is_list = np.array([each.count_dtype is not None for each in element.properties])
            at, kept = keep_rows(numbers, begins_line, is_list, element.rows, at, kept, by_line)
            if at < 0:
                return None
    return kept if at == len(numbers) else None


def _typed(values: np.ndarray, of: Property) -> np.ndarray:
    """Convert values that a text has to whole numbers where the property's are; its other numbers stay as they are."""
    return values if of.dtype.kind == "f" else values.astype(of.dtype, copy=False)
