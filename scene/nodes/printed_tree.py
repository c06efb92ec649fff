"""A scene's tree as text, a line for each node."""

from __future__ import annotations

import numpy as np

from octoscope.scene.geometry.forest import children_of, preorder
from octoscope.scene.mesh.data import counted
from octoscope.scene.nodes.node_table import NodeTable


def printed_tree(table: NodeTable, max_lines: int | None = None) -> str:
    """Return the names of all nodes, indented below their parents, and what they show.

    Args:
        max_lines: of nodes, beyond which a line says how many more there are; None: all.
    """
    parents = table.parents
    ids = preorder(*children_of(parents, table.orders))
    ids = ids[table.alive[ids]]
    last = np.full(table.row_count + 1, -1)  # of the children of each node, and of those at the top
    last[parents[ids]] = ids
    shown = ids if max_lines is None else ids[: int(max_lines)]
    lines = []
    beside = {-1: ""}  # what stands before the lines below a node
    for node, parent in zip(shown.tolist(), parents[shown].tolist(), strict=True):
        is_last = last[parent] == node
        lines.append(f"{beside[parent]}{'└─' if is_last else '├─'} {_described(table, node)}")
        beside[node] = beside[parent] + ("   " if is_last else "│  ")
    if len(shown) < len(ids):
        lines.append(f"... and {len(ids) - len(shown):,} more")
    return "\n".join(lines)


def _described(table: NodeTable, node: int) -> str:
    name, mesh = str(table.names[node]), int(table.mesh_ids[node])
    parts = [name if name.isprintable() else repr(name)]
    if mesh >= 0:
        rows = table.meshes.rows
        elements = ("triangle", "line", "point")
        parts.append(f"({counted(**{f'{element}s': int(rows[f'{element}_count'][mesh]) for element in elements})})")
    if table.hidden[node]:
        parts.append("hidden")
    return " ".join(parts)
