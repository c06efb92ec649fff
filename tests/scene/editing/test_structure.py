"""Adding, copying, deleting and grouping: who is there, where it hangs, and that it stays where it was."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octoscope.scene import Bookmark, EditError, History, Scene, apply, inverse
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import Anchor, Measurement
from octoscope.scene.editing import add_primitive, delete, duplicate, group, import_content, ungroup
from octoscope.scene.editing.chosen import topmost
from octoscope.scene.editing.edits import change_scene
from octoscope.scene.formats.readers import read_file
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.scene.nodes.hierarchy import subtrees
from octoscope.scene.one_object_files import one_object_files
from tests.scene.builders import below, box, random_scene
from tests.scene.editing.test_transforms import assert_close, even_scene, worlds
from tests.scene.editing.walks import assert_same_state, small_content, state

SEEDS = st.integers(0, 2**32 - 1)


def paths(scene: Scene) -> list[str]:
    return sorted(scene.path_of(node.id) for node in scene)


@given(seed=SEEDS)
def test_deleting_takes_all_that_hangs_below_and_undoing_gives_the_same_nodes_back(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 20)
    ids = rng.choice(20, 4, replace=False)
    before, gone = state(scene), below(scene, set(ids.tolist()))
    edit = delete(scene, ids)
    assert len(edit.selects) == 0
    apply(scene, edit)
    assert set(scene.ids.tolist()) == set(range(20)) - gone
    assert len(scene) == 20 - len(gone) and [node.id for node in scene] == scene.ids.tolist()
    apply(scene, inverse(edit))
    assert_same_state(state(scene), before)


@pytest.mark.parametrize("copy_meshes", (False, True))
@given(seed=SEEDS)
def test_copies_are_the_same_trees_in_the_same_places(copy_meshes, seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(seed, 20)
    ids = rng.choice(20, 4, replace=False)
    tops = topmost(scene, ids)
    originals = subtrees(scene, tops)
    meshes = len(scene.meshes)
    edit = duplicate(scene, ids, copy_meshes=copy_meshes)
    assert len(scene) == 20
    apply(scene, edit)
    copies = np.arange(20, len(scene))
    place = {int(original): int(copy) for original, copy in zip(originals, copies, strict=True)}
    matrices = worlds(scene)
    np.testing.assert_array_equal(matrices[copies], matrices[originals])
    names, copied_names = scene.names[originals].tolist(), scene.names[copies].tolist()
    assert [name.partition(".")[0] for name in copied_names] == [name.partition(".")[0] for name in names]
    assert len(set(copied_names)) == len(copies) and not set(copied_names) & set(scene.names[:20].tolist())
    assert edit.selects.tolist() == [place[node] for node in tops.tolist()]
    for original, copy in place.items():
        parent = int(scene.parents[original])
        assert scene.parents[copy] == (parent if original in tops else place[parent])
        mesh, other = int(scene.mesh_ids[original]), int(scene.mesh_ids[copy])
        if mesh >= 0 and copy_meshes:
            assert other >= meshes
            np.testing.assert_array_equal(scene.meshes.mesh(other).positions, scene.meshes.mesh(mesh).positions)
        else:
            assert other == mesh
    shared = len(np.unique(scene.mesh_ids[originals][scene.mesh_ids[originals] >= 0]))
    assert len(scene.meshes) == meshes + (shared if copy_meshes else 0)


@pytest.mark.parametrize("at", ("median", "centre"))
@given(seed=SEEDS)
def test_grouped_nodes_stay_where_they_are_and_hang_where_all_did(at, seed):
    rng = np.random.default_rng(seed)
    scene = even_scene(seed, 20)
    ids = rng.choice(20, 4, replace=False)
    tops = topmost(scene, ids)
    before = worlds(scene)
    edit = group(scene, ids, at=at)
    apply(scene, edit)
    (made,) = edit.selects.tolist()
    assert edit.notes == () and scene.names[made] == "group"
    assert (scene.parents[tops] == made).all()
    after = worlds(scene)
    assert_close(after[:20], before)
    if at == "median":
        np.testing.assert_allclose(after[made, :3, 3], before[tops, :3, 3].mean(axis=0), atol=1e-9)


def test_a_group_of_siblings_only_moves_them_by_what_it_is_away():
    scene = Scene()
    scene.add_node("parent", rotation=(0.1, 0.2, 0.3, 0.4), scale=(1.0, 2.0, 3.0))
    scene.add_nodes(["a", "b"], parent=0, translation=[(1, 0, 0), (3, 0, 0)], rotation=(0.4, 0.1, 0.2, 0.3))
    apply(scene, edit := group(scene, [1, 2]))
    assert {change.column for change in edit.changes} == {"alive", "parent", "translation"}
    assert paths(scene) == ["parent", "parent/group", "parent/group/a", "parent/group/b"]
    np.testing.assert_allclose(scene.translations[[1, 2, 3]], [(-1, 0, 0), (1, 0, 0), (2, 0, 0)], atol=1e-12)


@given(seed=SEEDS)
def test_an_ungrouped_node_leaves_its_children_where_they_are(seed):
    rng = np.random.default_rng(seed)
    scene = even_scene(seed, 20)
    holders = np.unique(scene.parents[scene.parents >= 0])
    top = topmost(scene, rng.choice(holders, 1))
    children = np.flatnonzero(scene.parents == top[0])
    scene.set_meshes(top, -1)
    before = worlds(scene)
    edit = ungroup(scene, top)
    assert edit.selects.tolist() == children.tolist()
    apply(scene, edit)
    assert not scene.alive[top[0]] and len(scene) == 19
    assert (scene.parents[children] == scene.parents[top[0]]).all()
    assert_close(worlds(scene)[scene.ids], before[scene.ids])


def test_a_group_that_shows_a_mesh_stays_without_its_children():
    scene = random_scene(0, 0)
    scene.add_nodes(["a", "b"], parent=[-1, 0], mesh=1)
    apply(scene, ungroup(scene, [0]))
    assert paths(scene) == ["a", "b"]
    with pytest.raises(EditError, match="nothing to ungroup"):
        ungroup(scene, [0, 1])


def test_grouped_and_ungrouped_is_where_it_was():
    scene = even_scene(4, 20)
    before, names = worlds(scene), paths(scene)
    apply(scene, edit := group(scene, [3, 7, 9]))
    apply(scene, ungroup(scene, edit.selects))
    assert len(paths(scene)) == len(names)
    assert_close(worlds(scene)[:20], before)


@pytest.mark.parametrize("kind", PRIMITIVES)
def test_a_primitive_is_there_when_it_was_applied_and_not_before(kind):
    scene = Scene()
    edit = add_primitive(scene, kind, translation=(1.0, 2.0, 3.0))
    assert len(scene) == 0 and list(scene) == [] and scene.bounds() is None
    apply(scene, edit)
    assert scene[kind].translation.tolist() == [1.0, 2.0, 3.0] and edit.selects.tolist() == [scene[kind].id]
    scene.update_world()
    lower, upper = scene.bounds()
    np.testing.assert_allclose((lower + upper) / 2.0, (1.0, 2.0, 3.0), atol=1e-6)
    apply(scene, inverse(edit))
    assert len(scene) == 0 and scene.element_count("triangle") == 0


def test_an_import_is_undone_and_done_again():
    scene = Scene()
    scene.bookmarks = {"door": Bookmark((0.0, 0.0, 1.0))}
    content = small_content(np.random.default_rng(0))
    content.bookmarks = {"door": Bookmark((0.0, 0.0, 2.0)), "roof": Bookmark((0.0, 9.0, 0.0))}
    edit = import_content(scene, content, Path("folder/small.obj"))
    assert len(scene) == 0
    for _ in range(2):
        assert list(scene.bookmarks) == ["door"]
        apply(scene, edit)
        assert paths(scene) == ["small.obj", "small.obj/box", "small.obj/box/quad"]
        assert list(scene.bookmarks) == ["door", "door (2)", "roof"]
        apply(scene, inverse(edit))
        assert paths(scene) == []


def test_the_object_of_a_file_that_holds_one_is_named_after_the_file(tmp_path):
    (tmp_path / "wall.obj").write_text("o wall_Cube.13106\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    scene = Scene()
    for _ in range(2):
        apply(scene, import_content(scene, read_file(tmp_path / "wall.obj"), tmp_path / "wall.obj"))
    assert scene.names[scene.ids].tolist() == ["wall.obj", "wall", "wall.obj.001", "wall.001"]


def test_an_imports_measurements_and_labels_come_and_go_with_it():
    scene = Scene()
    scene.add_node("mine")
    history = History(scene)
    mine = Measurement("distance", (Anchor(0, (0.0, 0.0, 0.0)), Anchor(0, (1.0, 0.0, 0.0))))
    history.do(change_scene(scene, label="Measure", measurements=[mine]))
    content = small_content(np.random.default_rng(0))
    content.measurements = [mine, Measurement("distance", (Anchor(-1, (0.0, 0.0, 0.0)), Anchor(1, (1.0, 0.0, 0.0))))]
    content.labels = [Label("in the world", Anchor(-1, (0.0, 0.0, 0.0)))]
    edit = import_content(scene, content, Path("folder/small.obj"))
    assert scene.measurements == (mine,) and scene.labels == (), "not imported yet"
    history.do(edit)
    for _ in range(2):
        assert len(scene.measurements) == 3 and len(scene.labels) == 1
        assert history.undo()
        assert scene.measurements == (mine,) and scene.labels == ()
        assert history.redo()
    history.undo()
    assert history.undo(), "what was measured before is undone as well"
    assert scene.measurements == ()


def test_the_copy_of_a_files_one_object_is_a_file_of_one_object_too():
    scene = Scene()
    first, second, street = scene.add_nodes(["a.obj", "b.obj", "street"], file_root=[True, True, False])
    objects = scene.add_nodes(
        ["a", "b", "c", "d"], parent=[first, second, street, -1], mesh=[scene.meshes.add(box())] * 4
    )
    history = History(scene)
    history.do(duplicate(scene, [objects[3], objects[1], objects[0], objects[2]]))
    copies = history.selection.ids
    assert scene.names[copies].tolist() == ["d.001", "b.001", "a.001", "c.001"]
    assert scene.names[scene.parents[copies[1:]]].tolist() == ["b.obj.001", "a.obj.001", "street"]
    files, of_files = one_object_files(scene)
    assert len(files) == 4 and np.isin(copies[1:3], of_files).all()
    history.undo()
    assert len(scene) == 7
