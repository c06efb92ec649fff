"""The rows of the outliner against a walk over the tree, for trees of any shape."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest

from octoscope.scene import History, Scene, apply, load
from octoscope.scene.editing import delete, flip_faces, group, merge, reparent
from octoscope.viewer.ui.panels.outliner_rows import OutlinerRows

WORDS = ("Tower", "tree", "STREET", "lamp", "Bäume", "")


def random_scene(rng: np.random.Generator, count: int) -> Scene:
    """A tree whose parents may stand behind their children."""
    scene = Scene()
    names = [f"{rng.choice(WORDS)}{rng.integers(10)}" for _ in range(count)]
    parents = [int(rng.integers(-1, node)) if rng.random() < 0.85 else -1 for node in range(count)]
    scene.add_nodes(names, parent=parents)
    for _ in range(count // 4):
        with suppress(ValueError):  # a circle
            scene.set_parents(int(rng.integers(count)), int(rng.integers(-1, count)))
    return scene


def expected_rows(scene: Scene, is_open: np.ndarray, query: str) -> list[tuple[int, int, bool]]:
    """(id, depth, whether something hangs below) of each row, by a walk from the top."""
    children: dict[int, list[int]] = {}
    for node, parent in enumerate(scene.parents.tolist()):
        if not scene.alive[node]:
            continue
        children.setdefault(parent, []).append(node)
    query = query.casefold()

    def holds(node: int) -> bool:
        return query in str(scene.names[node]).casefold() or any(holds(child) for child in children.get(node, []))

    rows = []

    def walk(node: int, depth: int) -> None:
        if query and not holds(node):
            return
        rows.append((node, depth, any(not query or holds(child) for child in children.get(node, []))))
        if query or is_open[node]:
            for child in children.get(node, []):
                walk(child, depth + 1)

    for node in children.get(-1, []):
        walk(node, 0)
    return rows


def rows_of(outline: OutlinerRows) -> list[tuple[int, int, bool]]:
    return list(zip(outline.ids.tolist(), outline.depths.tolist(), outline.has_children.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(12))
def test_the_rows_are_those_of_a_walk_whatever_is_open_and_looked_for(seed):
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, int(rng.integers(1, 60)))
    outline = OutlinerRows(scene)
    for _ in range(6):
        outline.update()
        outline.set_open(rng.integers(0, scene.row_count, 5), bool(rng.integers(2)))
        outline.set_open_below(int(rng.integers(scene.row_count)), bool(rng.integers(2)))
        outline.query = str(rng.choice(("", "", "tr", "TREE", "ä", "5", " lamp ")))
        alive = scene.ids
        match rng.integers(5):
            case 0:
                scene.add_node("Tower new", parent=int(rng.choice(np.append(alive, -1))))
            case 1 if len(alive):
                scene.set_names([int(rng.choice(alive))], "treehouse")
            case 2 if len(alive):
                apply(scene, delete(scene, [int(rng.choice(alive))]))
        outline.update()
        assert rows_of(outline) == expected_rows(scene, outline.open, outline.query.strip())
        for row, node in enumerate(outline.ids.tolist()):
            assert outline.row_of(node) == row
        hidden = set(range(scene.row_count)) - set(outline.ids.tolist())
        assert all(outline.row_of(node) == -1 for node in hidden)


def test_at_first_each_file_is_open_and_what_is_in_it_is_not():
    scene = Scene()
    scene.add_nodes(["file", "group", "object"], parent=[-1, 0, 1])
    outline = OutlinerRows(scene)
    outline.update()
    assert outline.ids.tolist() == [0, 1]
    scene.add_nodes(["other file", "other group"], parent=[-1, 3])
    outline.update()
    assert outline.ids.tolist() == [0, 1, 3, 4], "what was added later is opened as what was there first"


def test_nothing_is_made_anew_while_nothing_changes():
    scene = random_scene(np.random.default_rng(1), 30)
    outline = OutlinerRows(scene)
    assert outline.update()
    rows = outline.ids
    scene.nodes[3].translation = (1.0, 2.0, 3.0)
    assert not outline.update() and outline.ids is rows
    scene.set_names([3], "renamed")
    outline.query = "renamed"
    assert outline.update() and outline.match_count == 1
    scene.set_names([3], "something else")
    assert outline.update() and len(outline) == 0


def test_revealing_a_node_opens_all_above_it_and_nothing_else():
    scene = Scene()
    scene.add_nodes(["top", "a", "b", "in a", "in b"], parent=[-1, 0, 0, 1, 2])
    outline = OutlinerRows(scene)
    outline.update()
    outline.set_open([0], False)
    outline.reveal(3)
    outline.update()
    assert outline.ids.tolist() == [0, 1, 3, 2]


def test_between_two_rows_lie_the_nodes_that_are_seen_there():
    scene = Scene()
    scene.add_nodes(["top", "a", "in a", "b", "c"], parent=[-1, 0, 1, 0, 0])
    outline = OutlinerRows(scene)
    outline.update()
    assert outline.between(3, 1).tolist() == [1, 3, 4]
    assert outline.between(1, 1).tolist() == [1]


def test_a_chain_ten_thousand_deep_is_opened_and_found():
    scene = Scene()
    scene.add_nodes([f"link {i}" for i in range(10_000)], parent=np.arange(-1, 9_999))
    outline = OutlinerRows(scene)
    outline.update()
    outline.reveal(9_999)
    outline.update()
    assert outline.ids.tolist() == list(range(10_000))
    assert outline.depths[-1] == 9_999
    outline.query = "link 9999"
    outline.update()
    assert len(outline) == 10_000 and outline.match_count == 1


def test_an_empty_scene_has_no_rows():
    outline = OutlinerRows(Scene())
    outline.update()
    assert len(outline) == 0
    outline.query = "x"
    outline.update()
    assert len(outline) == 0


def test_what_came_while_nobody_looked_can_be_opened_and_revealed():
    scene = Scene()
    scene.add_nodes(["top", "below"], parent=[-1, 0])
    outline = OutlinerRows(scene)
    outline.update()
    scene.add_nodes(["group", "in it", "deep"], parent=[1, 2, 3])
    outline.reveal(4)
    outline.update()
    assert outline.ids.tolist() == [0, 1, 2, 3, 4]
    scene.add_nodes(["other", "in that"], parent=[4, 5])
    outline.set_open([4, 5], True)
    outline.update()
    assert outline.row_of(6) == 6


def test_a_file_of_one_object_is_one_row_that_its_object_and_its_own_node_have(tmp_path):
    triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
    (tmp_path / "chair.obj").write_text(f"o seat\n{triangle}")
    (tmp_path / "pair.obj").write_text(f"o left\n{triangle}o right\nf 1 2 3\n")
    scene = load([tmp_path / "chair.obj", tmp_path / "pair.obj"])
    outline = OutlinerRows(scene)

    def names() -> list[str]:
        outline.update()
        return scene.names[outline.ids].tolist()

    assert names() == ["seat", "pair.obj", "left", "right"] and outline.depths.tolist() == [0, 0, 1, 1]
    file, seat = scene["chair.obj"].id, scene["seat"].id
    assert outline.row_of(file) == outline.row_of(seat) == 0 and outline.tops[0] == file
    outline.query = "chair"
    assert names() == ["seat"], "by the name of its file, too"
    scene.set_names(file, "armchair")
    assert names() == ["seat"], "whatever the file's node is called"
    outline.query = ""
    history = History(scene)
    history.do(delete(scene, [seat]))
    assert names() == ["pair.obj", "left", "right"], "nothing is left of the file"
    history.undo()
    history.do(group(scene, [seat, scene["pair.obj"].id]))
    outline.set_open([scene["group"].id], True)
    assert names() == ["group", "seat", "pair.obj", "left", "right"] and outline.depths.tolist() == [0, 1, 1, 2, 2]
    history.do(reparent(scene, [scene["left"].id], seat))
    outline.set_open([file, seat], True)
    assert names() == ["group", "armchair", "seat", "left", "right"], "one is no longer alone, the other now is"


def test_an_object_with_a_mesh_of_its_own_stays_one_row_with_its_file(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.obj").write_text(f"o of {name}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    scene = load([tmp_path / "a.obj", tmp_path / "b.obj"])
    outline, history = OutlinerRows(scene), History(scene)
    history.do(flip_faces(scene, [scene["of a"].id]))
    outline.update()
    assert scene.names[outline.ids].tolist() == ["of a", "of b"]
    history.do(merge(scene, [scene["of a"].id, scene["of b"].id]))
    outline.update()
    assert scene.names[outline.ids].tolist() == ["of a"], "nothing is left of the other file"
