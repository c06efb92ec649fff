"""Nodes as text: what json.dumps writes of them, byte for byte, and read as json.loads does."""

from __future__ import annotations

import json

import numpy as np
import pytest

from octoscope.scene.project.chunked_json import NodeLines
from octoscope.scene.project.node_text.reading import ReadNodes, read_nodes
from octoscope.scene.project.node_text.writing import nodes_text
from octoscope.scene.project.nodes import NodeColumns
from octoscope.scene.project.nodes import read_nodes as columns_of
from octoscope.scene.system.report import Problems

COUNTS = {"file_count": 3, "mesh_count": 4, "material_count": 5}
NAMES = ("", "tower", 'a "b" \\ c', "Tür\u2028\n\t", "日本語 😀", "\x00\x1f\x7f", "/", "]}", ",\n")


def doubles(rng: np.random.Generator, count: int) -> np.ndarray:
    """Finite doubles: of any bits, powers, their neighbours, of few digits, float32, whole."""
    bits = rng.integers(0, 2**64, count, dtype=np.uint64).view(np.float64)
    powers = 2.0 ** rng.integers(-1074, 1024, count)
    tens = 10.0 ** rng.integers(-323, 309, count)
    few = np.round(rng.normal(size=count) * 10.0 ** rng.integers(-3, 6, count), 3)
    whole = rng.integers(-(10**6), 10**6, count) * 2.0 ** rng.integers(-20, 60, count)
    kinds = [bits, powers, -tens, few, rng.normal(size=count).astype("f4").astype("f8"), whole, np.rint(few)]
    kinds += [np.nextafter(powers, 0.0), np.nextafter(powers, np.inf), rng.choice([0.0, -0.0, 1.0, 5e-324], count)]
    found = np.stack(kinds)[rng.integers(len(kinds), size=count), np.arange(count)]
    return np.where(np.isfinite(found), found, 0.5)


def random_columns(seed: int, count: int = 60) -> tuple[ReadNodes, list[dict[str, object]]]:
    """Nodes of all kinds, and the objects of JSON that they are."""
    rng = np.random.default_rng(seed)
    parents = np.where(rng.random(count) < 0.5, -1, rng.integers(0, np.maximum(np.arange(count), 1)))
    parents[0] = -1
    lists = [rng.permutation(np.flatnonzero(parents == node)).tolist() for node in range(count)]
    transforms = doubles(rng, count * 10).reshape(-1, 10)
    still = rng.random((count, 3)) < 0.3
    for columns, moved, none in ((slice(3), still[:, 0], 0.0), (slice(3, 6), still[:, 1], 0.0), (6, still[:, 1], 1.0)):
        transforms[moved, columns] = none
    transforms[still[:, 2], 7:] = 1.0
    transforms[~(transforms[:, 3:7] != 0.0).any(axis=1), 6] = 1.0
    numbers = np.full((count, 4), -1)
    kinds = rng.integers(3, size=count)
    for row in range(count):
        if kinds[row] == 1:
            numbers[row, :2] = rng.integers(3), rng.choice([0, 1, 12345])
        elif kinds[row] == 2:
            numbers[row, 2] = rng.integers(4)
        numbers[row, 3] = rng.integers(-1, 5)
    names, objects = rng.choice(NAMES, count), rng.choice(NAMES, count)
    flags = rng.random((count, 2)) < 0.3
    nodes: list[dict[str, object]] = []
    for row in range(count):
        node: dict[str, object] = {"name": str(names[row])} if names[row] else {}
        node |= {"children": lists[row]} if lists[row] else {}
        for key, part, none in (
            ("translation", slice(3), [0.0] * 3),
            ("rotation", slice(3, 7), [0.0, 0.0, 0.0, 1.0]),
            ("scale", slice(7, 10), [1.0] * 3),
        ):
            given = transforms[row, part].tolist()
            node |= {key: given} if repr(given) != repr(none) else {}
        file, occurrence, embedded, material = numbers[row].tolist()
        if file >= 0:
            later = {"occurrence": occurrence} if occurrence else {}
            node["mesh"] = {"file": file, "object": str(objects[row])} | later
        if embedded >= 0:
            node["mesh"] = {"embedded": embedded}
        node |= {"material": material} if material >= 0 else {}
        node |= {key: True for key, flag in zip(("hidden", "unselectable"), flags[row], strict=True) if flag}
        nodes.append(node)
    child_counts = np.array(list(map(len, lists)))
    children = np.array([child for of_one in lists for child in of_one], dtype=np.int64)
    of_files = objects[numbers[:, 0] >= 0]
    return ReadNodes(names, child_counts, children, transforms, numbers, of_files, flags), nodes


def dumps(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def written(columns: ReadNodes) -> bytes:
    return nodes_text(
        dumps(columns.names.tolist())[1:-1],
        columns.child_counts,
        columns.children,
        columns.transforms,
        columns.numbers,
        dumps(columns.objects.tolist())[1:-1],
        columns.flags,
    )


def assert_equal_columns(found: NodeColumns, expected: NodeColumns) -> None:
    for of_one, of_other in ((found, expected), (found.references, expected.references)):
        for name, column in vars(of_other).items():
            if isinstance(column, np.ndarray):
                other = getattr(of_one, name)
                np.testing.assert_array_equal(other, column, err_msg=name)
                if column.dtype == np.float64:
                    np.testing.assert_array_equal(np.signbit(other), np.signbit(column))


@pytest.mark.parametrize("seed", range(20))
def test_nodes_are_written_as_json_has_them_and_read_again(seed):
    columns, nodes = random_columns(seed)
    text = written(columns)
    assert text == b",".join(b"\n" + dumps(node) for node in nodes)
    read = read_nodes(text + b"\n]", 0, len(text))
    assert read is not None
    for name, column in vars(columns).items():
        np.testing.assert_array_equal(getattr(read, name), column)
    assert read.transforms.tobytes() == columns.transforms.tobytes()
    problems = Problems("a")
    found = columns_of(NodeLines(read, text, 0, len(text)), problems, **COUNTS)
    assert_equal_columns(found, columns_of(nodes, problems, **COUNTS))
    assert problems == []


def test_numbers_are_written_as_python_writes_them():
    numbers = doubles(np.random.default_rng(0), 100_000).reshape(-1, 10)
    columns, _ = random_columns(0, 1)
    count = len(numbers)
    many = ReadNodes(
        np.full(count, ""),
        np.zeros(count, dtype=np.int64),
        columns.children[:0],
        numbers,
        np.full((count, 4), -1),
        np.empty(0, dtype=str),
        np.zeros((count, 2), dtype=np.bool_),
    )
    lines = written(many).decode().splitlines()[1:]
    parts = {"translation": slice(3), "rotation": slice(3, 7), "scale": slice(7, 10)}
    for line, row in zip(lines, numbers.tolist(), strict=True):
        node = json.loads(line.removesuffix(","), parse_float=str)
        for key, value in node.items():
            assert value == list(map(repr, row[parts[key]]))


ODD = (
    "-",
    "+",
    ".",
    "0",
    "00",
    "1e5",
    "1E-400",
    "1e999",
    "NaN",
    "-0",
    "-0.0",
    "123456789012345678901",
    " ",
    "\n",
    "\t",
    '"',
    "\\",
    "\\u",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "null",
    "true",
    "é",
    "\ud800",
    "\x00",
)


@pytest.mark.parametrize("seed", range(6))
def test_damaged_lines_are_read_as_json_reads_them_or_left_to_it(seed):
    columns, _ = random_columns(seed, 12)
    text = written(columns)
    rng = np.random.default_rng(seed)
    count = 0
    for _ in range(1500):
        begin, length = rng.integers(len(text)), rng.integers(3)
        odd = (
            str(rng.choice(ODD)).encode("utf-8", "surrogatepass") if rng.random() < 0.7 else bytes([rng.integers(256)])
        )
        damaged = text[:begin] + odd + text[begin + length :]
        read = read_nodes(damaged + b"\n]", 0, len(damaged))
        if read is None:
            continue
        count += 1
        nodes = json.loads(b"[" + damaged + b"]")
        problems = Problems("a")
        expected = columns_of(nodes, problems, **COUNTS)
        found = columns_of(NodeLines(read, damaged, 0, len(damaged)), told := Problems("a"), **COUNTS)
        assert_equal_columns(found, expected)
        assert told == problems
    assert count > 40


@pytest.mark.parametrize(
    "line",
    [
        '{"translation":[-0,0,0]}',
        '{"translation":[1,2]}',
        '{"translation":[.5,0,0]}',
        '{"material":01}',
        '{"hidden":false}',
        '{"a":1}',
        '{"name":"a","name":"b"}',
        '{"scale":[1,1,1],"name":"a"}',
        '{"name":"\\ud800"}',
        '{"children":[]}',
        '{"mesh":{"file":0}}',
    ],
)
def test_what_is_never_written_is_left_to_others(line):
    text = f"\n{{}},\n{line}".encode()
    assert read_nodes(text + b"\n]", 0, len(text)) is None
