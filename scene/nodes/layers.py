"""Layers: the three states in which a node with a mesh is, as masks of one bit each.

A node is in one of them. They ascend: what a node inherits is the largest of its own and its parent's. The octree knows
nothing of them: what it finds is filtered by the nodes' column.
"""

from __future__ import annotations

SELECTABLE = 1
UNSELECTABLE = 2  # shown, but clicks go through it
HIDDEN = 4
SHOWN = SELECTABLE | UNSELECTABLE
