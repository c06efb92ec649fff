"""Nodes that are hidden or let clicks through, by their own flag or an ancestor's, in the octree and for rays."""

from __future__ import annotations

import json

import numpy as np
import pytest

from octoscope.octree import Frustum
from octoscope.scene import Scene, SpatialIndex, open_project
from octoscope.scene.nodes.layers import HIDDEN, SELECTABLE, SHOWN, UNSELECTABLE
from tests.oracles import EVERYTHING
from tests.scene.builders import box, random_scene

ALL = Frustum.from_matrix(EVERYTHING)


def expected_layers(scene: Scene) -> list[int]:
    """Compute the layers by a walk up from every node."""
    layers = []
    for node in range(len(scene)):
        above, hidden, unselectable = node, False, False
        while above >= 0:
            hidden |= bool(scene.hidden[above])
            unselectable |= bool(scene.unselectable[above])
            above = scene.parents[above]
        layers.append(HIDDEN if hidden else UNSELECTABLE if unselectable else SELECTABLE)
    return layers


@pytest.mark.parametrize("seed", range(4))
def test_flags_are_inherited_and_the_index_follows_them_through_every_edit(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 60)
    index = SpatialIndex(scene)
    with_mesh = np.array(sorted(index.all_ids()))
    for _ in range(25):
        ids = rng.choice(len(scene), 5, replace=False)
        match rng.integers(4):
            case 0:
                scene.set_hidden(ids, rng.random(5) < 0.5)
            case 1:
                scene.set_unselectable(ids, rng.random(5) < 0.5)
            case 2:
                scene.set_translations(ids, rng.normal(size=(5, 3)))
            case 3:
                try:
                    scene.set_parents(ids, rng.integers(-1, len(scene), 5))
                except ValueError:
                    continue
        layers = expected_layers(scene)
        assert scene.layers.tolist() == layers
        for mask in (SELECTABLE, UNSELECTABLE, HIDDEN, SHOWN):
            wanted = [node for node in with_mesh.tolist() if layers[node] & mask]
            assert sorted(index.cull(ALL, layers=mask).tolist()) == wanted
        shown = [node for node in with_mesh.tolist() if layers[node] != HIDDEN]
        assert sorted(index.shown_ids().tolist()) == sorted(index.cull(ALL).tolist()) == shown
        assert sorted(index.all_ids().tolist()) == with_mesh.tolist()


def two_boxes_in_a_row() -> Scene:
    scene = Scene()
    mesh = scene.meshes.add(box())
    group = scene.add_node("group").id
    scene.add_node("near", mesh=mesh, parent=group, translation=(0.0, 0.0, 5.0))
    scene.add_node("far", mesh=mesh)
    return scene


def test_a_ray_passes_what_is_hidden_from_above():
    scene = two_boxes_in_a_row()
    ray = (0.1, 0.2, 20.0), (0.0, 0.0, -1.0)
    assert scene.raycast(*ray).node.name == "near"
    scene["group"].hidden = True
    assert scene.raycast(*ray).node.name == "far"
    assert {hit.node.name for hit in scene.raycast_all(*ray)} == {"far"}
    scene["group"].hidden = False
    assert scene.raycast(*ray).node.name == "near"


def test_only_what_hangs_below_a_hidden_node_has_changed():
    scene = two_boxes_in_a_row()
    revision = scene.world_revision
    scene.set_hidden([0], True)
    assert scene.changed_since(revision).tolist() == [0, 1]


def test_a_node_added_below_a_hidden_one_is_hidden():
    scene = two_boxes_in_a_row()
    scene.set_hidden([0], True)
    new = scene.add_node("new", mesh=0, parent=0)
    assert new.id not in scene.index.shown_ids() and scene.layers[new.id] == HIDDEN
    assert not new.hidden and scene["group"].hidden


@pytest.mark.parametrize("flag", (0, 1, None, "true", []))
@pytest.mark.parametrize("field", ("hidden", "unselectable"))
def test_a_flag_of_a_project_that_is_neither_true_nor_false_is_said(tmp_path, field, flag):
    path = tmp_path / "flags.octo.json"
    path.write_text(json.dumps({"octoscope": {"version": 1}, "nodes": [{field: flag}, {field: True}, {field: False}]}))
    scene = open_project(path)
    assert getattr(scene, field).tolist() == [False, True, False]
    assert [(problem.kind, problem.count) for problem in scene.report.problems] == [(f"node-{field}", 1)]
