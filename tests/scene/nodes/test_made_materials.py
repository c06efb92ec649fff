"""Materials that colours made give their places to others once nothing shows them; their number alone tells."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octoscope import History, Material, Scene, editing
from octoscope.scene import Recorder, open_project, save_project
from octoscope.scene.history.background_edit import BackgroundEdit
from octoscope.scene.mesh.material import DEFAULT_MATERIAL
from octoscope.scene.nodes import coloring
from tests.scene.builders import box

COUNT = 8


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drop what nothing shows as soon as a place is wanted."""
    monkeypatch.setattr(coloring, "_FEW_MADE", 0)


def boxes(count: int = COUNT) -> Scene:
    scene = Scene()
    first = scene.add_node("box 0", mesh=scene.meshes.add(box()))
    for number in range(1, count):
        scene.add_instances(f"box {number}", first, np.zeros(3))
    return scene


def recolored(scene: Scene, name: str = "box 0") -> None:
    """Give a node one colour after another."""
    for number in range(40):
        scene[name].color = (number / 40, 0.25, 0.75)


def shown(scene: Scene) -> list[object]:
    return [(node.name, node.color, node.material) for node in scene]


def test_colors_in_a_loop_take_no_more_memory_after_the_second_round():
    scene, rng = boxes(600), np.random.default_rng(1)
    counts = []
    for _ in range(6):
        colors = rng.random((600, 3))
        scene.set_colors(scene.objects, colors)
        np.testing.assert_allclose([node.color[:3] for node in scene.objects[:50]], colors[:50])
        counts.append(len(scene.materials))
    assert counts[-1] == counts[2] == 1201


def test_meshes_with_scalars_that_are_added_and_deleted_in_a_loop_leave_no_materials_and_scales(soon):
    scene = boxes()
    for number in range(40):
        node = scene.add_mesh("heat", box().positions, box().triangles, scalars=np.arange(8.0) + number)
        (scale,) = (scene.color_scales[each] for each in set(scene.meshes.mesh(node.mesh_id).material_ids.tolist()))
        assert scale.minimum == number
        scene.delete(node)
        scene.set_scalars(scene["box 0"], np.arange(8.0))
        scene.set_scalars(scene["box 0"], None)
    assert len(scene.materials) < 10 and len(scene.color_scales) < 4 and len(scene.covered_by_scalars) < 4


def test_a_mesh_that_undo_brings_back_has_its_scale(soon):
    scene = boxes()
    node = scene.add_mesh("heat", box().positions, box().triangles, scalars=np.arange(8.0))
    history = History(scene)
    history.do(editing.delete(scene, node))
    for number in range(10):
        scene.delete(scene.add_mesh("other", box().positions, box().triangles, scalars=np.arange(8.0) - number))
        recolored(scene)
    history.undo()
    (material,) = set(scene.meshes.mesh(node.mesh_id).material_ids.tolist())
    assert scene.color_scales[material].minimum == 0.0 and scene.color_scales[material].title == "heat"


@pytest.mark.parametrize("what", ["color", "material"])
def test_nodes_that_are_set_one_by_one_take_no_more_either(what, soon):
    scene = boxes()
    for number in range(100):
        for node in scene.objects:
            value = (number / 100, node.id / COUNT, 0.5)
            setattr(node, what, value if what == "color" else Material("m", base_color=value))
            assert node.color == (*value, 1.0)
    assert len(scene.materials) <= 2 * COUNT + 2


def test_materials_that_were_added_stay_at_their_ids(soon):
    scene = boxes()
    mine = scene.add_material(Material("mine", base_color="red"))
    scene.set_materials([0], mine)
    recolored(scene)
    scene.set_materials([1], mine)
    assert scene[1].material == Material("mine", base_color="red")


def test_an_id_that_was_kept_of_a_material_that_nothing_shows_is_refused(soon):
    scene = boxes()
    scene.set_colors(scene.objects, np.random.default_rng(2).random((COUNT, 3)))
    old = scene.material_overrides.copy()
    for shade in range(12):
        scene.set_colors(scene.objects, (shade / 12, 0.5, 0.5))
    dropped = next(number for number in old if scene.materials[number] == DEFAULT_MATERIAL)
    for refused in (
        lambda: scene.set_materials([0], dropped),
        lambda: scene.add_node("more", material=dropped),
        lambda: editing.change_nodes(scene, [0], material=dropped),
    ):
        with pytest.raises(ValueError, match="dropped when nothing showed it"):
            refused()


def test_undo_brings_back_colors(soon):
    scene = boxes()
    colors = np.random.default_rng(3).random((COUNT, 3))
    scene.set_colors(scene.objects, colors)
    history = History(scene)
    before = shown(scene)
    plain = scene.add_material(Material("plain"))
    for edit in (
        lambda: editing.change_nodes(scene, [0], material=plain),
        lambda: editing.delete(scene, [1]),
        lambda: editing.merge(scene, [2, 3]),
        lambda: editing.duplicate(scene, [4]),
    ):
        history.do(edit())
    background = BackgroundEdit(scene, lambda copy: editing.change_nodes(copy, [5], material=plain))
    background.prepare()
    history.join(background)
    after = shown(scene)
    recolored(scene, "box 7")
    scene["box 7"].color = colors[7]
    merged = scene.meshes.mesh(scene[2].mesh_id).material_ids
    assert [scene.materials[number].base_color for number in (merged[0], merged[-1])] == [*map(tuple, colors[2:4])]
    while history.undo():
        pass
    assert shown(scene) == before
    while history.redo():
        pass
    assert shown(scene) == after


def test_what_lies_below_scalars_is_seen_again(soon):
    scene = boxes()
    scene.set_colors(scene.objects, np.random.default_rng(4).random((COUNT, 3)))
    before = shown(scene)
    scene.set_scalars(scene[0], np.arange(len(scene[0].mesh.vertices)))
    other = scene.add_mesh("other", np.eye(3), [(0, 1, 2)])
    for number in range(40):
        other.color = (number / 40, 0.5, 0.5)
    scene.set_scalars(scene[0], None)
    assert shown(scene)[:COUNT] == before


def test_copies_keep_their_colors(soon):
    scene = boxes()
    scene.set_colors(scene.objects, np.random.default_rng(5).random((COUNT, 3)))
    copy = scene.copy()
    before = shown(copy)
    for _ in range(3):
        scene.set_colors(scene.objects, np.random.default_rng(6).random((COUNT, 3)))
        scene.set_colors(scene.objects, "red")
    assert shown(copy) == before
    mine = shown(scene)
    recolored(copy)
    assert shown(scene) == mine


def test_what_fails_takes_no_places(soon):
    scene = boxes()
    scene.set_colors(scene.objects, np.random.default_rng(7).random((COUNT, 3)))
    recolored(scene)
    before = shown(scene)
    for number in range(20):
        with pytest.raises(ValueError, match="parent"):
            scene.add_mesh("m", np.eye(3), [(0, 1, 2)], color=(number / 20, 0, 0), parent=99)
        with pytest.raises(ValueError, match="vectors"):
            scene.add_mesh("m", np.eye(3), [(0, 1, 2)], color=(number / 20, 0, 0), vectors=[0])
    assert shown(scene) == before


def test_a_journal_has_the_color_that_took_the_place_of_one_it_knows(soon, tmp_path):
    path = tmp_path / "scene.octo.json"
    scene = boxes()
    save_project(scene, path)
    scene = open_project(path)
    history = History(scene, Recorder(scene))
    for number in range(40):
        for shade in range(number % 7):
            scene["box 0"].color = (number / 40, shade / 7, 0.5)
        history.do(editing.change_nodes(scene, [1], name=f"{number}"))
        assert open_project(path)["box 0"].color == scene["box 0"].color
    history.recorder.close()
    assert [node.color for node in open_project(path)] == [node.color for node in scene]


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=8, deadline=None)
def test_a_scene_shows_the_same_whether_places_are_taken_or_not(seed):
    """One of two scenes drops materials as soon as it can, the other never does."""
    scenes = [boxes(), boxes()]
    histories = [History(scene) for scene in scenes]
    rng = np.random.default_rng(seed)
    for _ in range(60):
        what, step = rng.integers(9), int(rng.integers(2**32))
        for scene, history, few in zip(scenes, histories, (0, 10**9), strict=True):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(coloring, "_FEW_MADE", few)
                with suppress(ValueError):  # such as colours of what shows scalars
                    _do(scene, history, what, np.random.default_rng(step))
        assert shown(scenes[0]) == shown(scenes[1])
        assert scenes[0].used_materials == scenes[1].used_materials


def _do(scene: Scene, history: History, what: int, rng: np.random.Generator) -> None:
    ids = scene.ids
    few = rng.choice(ids, min(3, len(ids)), replace=False)
    color = rng.integers(0, 4, 3) / 3
    if what == 0:
        scene.set_colors(few, rng.integers(0, 4, (len(few), 3)) / 3)
    elif what == 1:
        scene[few[0]].color = color
    elif what == 2:
        scene[few[0]].material = Material("m", base_color=color, metallic=1.0)
    elif what == 3:
        history.do(editing.change_nodes(scene, few[:1], material=scene.material_overrides[few[-1]]))
    elif what == 4:
        history.do(editing.delete(scene, few[:1]) if len(ids) > 4 else editing.duplicate(scene, few))
    elif what == 5:
        history.undo()
    elif what == 6:
        history.redo()
    elif what == 7:
        history.do(editing.merge(scene, few) if len(ids) > 4 else editing.duplicate(scene, few))
    else:
        numbers = rng.random(len(scene[few[0]].mesh.vertices)) if rng.random() < 0.5 else None
        scene.set_scalars(scene[few[0]], numbers)
