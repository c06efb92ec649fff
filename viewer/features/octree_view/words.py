"""Tooltips of the octree panel: the meaning of each word on it."""

from __future__ import annotations

from octoscope.viewer.ui.imgui.items import item_tooltip

# By word, as the panel has it, but for its first letter.
_MEANINGS = {
    "cells": "An octree cuts a cube, the root, into eight cells, each of these into eight again, and so on.",
    "show cells": "Draw cells as cubes of lines. Objects hide the lines behind them.",
    "selection": "The cell that holds the selected object, and the cells above it up to the root, each fainter. "
    "While nothing is selected, all cells.",
    "whole tree": "All cells that hold objects themselves.",
    "colour by": "Level: a colour for each level. Number of objects: from blue, one, to orange, the most. "
    "Last cull: what the frustum, which is all that the camera sees, has to do with a cell.",
    "levels": "Which levels are drawn. The root is level 0; cells of each level are half as large as those above.",
    "level of this colour": "Cells of this level have this colour. The root is level 0.",
    "outside": "All of the cell's bounds are out of view: it is skipped with all in it.",
    "cut by the border": "The border of what is in view goes through the cell's bounds: they are looked into.",
    "inside": "All of the cell's bounds are in view: all in it is taken without a test.",
    "missed, or behind the hit": "The ray does not go through the cell's bounds, or a hit is nearer: it is skipped.",
    "met": "The ray goes through the cell's bounds: they are looked into.",
    "hit": "The object that the ray hits lies in this cell.",
    "loose bounds": "Objects may stick out of their cell. They lie in its loose bounds, which queries ask about.",
    "empty cells": "Cells that hold nothing. They take no memory: nothing is stored for a cell, only for objects.",
    "bounding spheres": "The tree knows a sphere around each object, and nothing else of it.",
    "freeze the frustum": "Keep what is in view, and look at it from elsewhere.",
    "frame root": "Look at all of the root.",
    "slow motion": "How the tree is asked, one cell after the other, in the order of the real query.",
    "cull": "Which objects does the camera see? Cells outside are skipped with all in them; cells inside are taken "
    "without a test; only in cells that the border cuts are objects tested.",
    "ray": "What does a click hit? Here one on the selected object, or at the middle of the picture. Near cells are "
    "looked into first; it ends when no nearer hit can follow.",
    "speed": "How long each step is shown while it plays, in the window and in a recording.",
    "stop": "Look from where you were again.",
    "tree": "How the tree of this scene is built. It is built again when you change something.",
    "stored in": "Smallest cell: an object is stored in the one that holds all of it; small objects on a border end up "
    "in large cells. Loose cell: in the one that its middle is in, of a level that fits its size. Every leaf it "
    "touches: as in textbooks; one object may be stored many times.",
    "looseness": "Loose bounds over the cell. 2: twice as large, the usual one; 1: no larger than the cell.",
    "capacity": "Cells divide only while they hold more objects than this.",
    "depth": "The level of the smallest cells.",
    "depth from the number of objects": "Let the tree choose the level of its smallest cells again.",
    "comparison": "A second tree over the same objects, to measure beside this one.",
    "measure both": "Build both trees, and cull the present view with each.",
    "show side by side": "Two views of one camera, with the cells of one tree in each.",
    "end the comparison": "Go back to one view, with the cells of this scene's tree.",
    "last pictures": "What the last 240 pictures took.",
    "objects drawn": "Objects in view, after culling.",
    "cells visited": "Cells that were compared with the frustum.",
    "cull ms": "Time to find what is in view, milliseconds.",
    "cells in use": "Cells that hold objects themselves.",
    "at the root": "Objects that no smaller cell can hold. Each query tests all of them.",
    "memory": "Bytes of the tree's arrays.",
    "built": "Time to put all objects in.",
    "culled": "Time to find what is in view.",
    "visited": "Cells that were compared with the frustum.",
    "tested": "Spheres that were compared with the frustum one by one.",
    "found": "Objects in view; both trees find the same.",
    "level": "How often the root was halved to come to this cell.",
    "edge length": "Length of the cell's edges.",
    "from": "Corner of the cell.",
    "to": "The opposite corner.",
    "code": "The way from the root to the cell, a digit from 0 to 7 for each level, after a 1.",
    "shared with": "Other objects in the same cell.",
}


def meaning(word: str) -> str:
    """Return what a word of the panel means."""
    return _MEANINGS[word.lower()]


def explained(answer: bool, word: str) -> bool:
    """Give the last item the meaning of a word as tooltip, and return the item's answer."""
    item_tooltip(meaning(word))
    return answer
