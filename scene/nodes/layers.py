"""Layers: the three states of a node, selectable, unselectable or hidden, as masks of one bit each.

A node is in the larger of its own state and its parent's. A scene's octree is given no layers: what it finds is
filtered by the column of layers.
"""

from __future__ import annotations

SELECTABLE = 1
UNSELECTABLE = 2  # shown, but clicks go through it
HIDDEN = 4
SHOWN = SELECTABLE | UNSELECTABLE
