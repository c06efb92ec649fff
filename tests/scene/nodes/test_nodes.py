"""Nodes: some nodes of a scene, as a sequence of handles."""

import numpy as np
import pytest

from octoscope.scene import Nodes, Scene


def test_nodes_make_their_handles_when_they_are_asked_for():
    scene = Scene()
    scene.add_nodes([f"n{i}" for i in range(100)])
    nodes = Nodes(scene, [3, 1, 2])
    assert [node.name for node in nodes] == ["n3", "n1", "n2"]
    assert len(nodes) == 3 and nodes[-1] == scene["n2"] and scene["n1"] in nodes and scene["n4"] not in nodes
    assert nodes[1:].ids.tolist() == [1, 2] and nodes.ids.dtype == np.int32
    assert repr(nodes) == "Nodes([3, 1, 2])" and repr(Nodes(scene, scene.ids)) == "Nodes(100 of them)"
    assert list(Nodes(scene, [])) == []
    with pytest.raises(IndexError):
        _ = nodes[3]


def test_counting_elements_that_there_are_none_of_is_told_what_there_is():
    with pytest.raises(
        ValueError, match=r"element: one of 'triangle', 'line', 'point', 'vertex' is needed, not 'faces'"
    ):
        Scene().element_count("faces")
