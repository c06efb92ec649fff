"""The rows of the table: what is said of objects, order, filter, histograms; against loops over nodes."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.scene.nodes.bounds import world_boxes
from octoscope.scene.system.natural_order import natural_key
from octoscope.viewer.features.object_table.rows import BARS, TableRows
from tests.viewer.scenes import add_box_mesh, box_scene, crowd, everything


def by_title(rows: TableRows, title: str) -> np.ndarray:
    (column,) = (each for each in rows.columns.all if each.title == title)
    return column.of(rows.ids)


@pytest.mark.parametrize("make", [box_scene, everything, lambda: crowd(200, seed=3)])
def test_each_object_is_what_its_node_says(make):
    scene = make()
    scene.update_world()
    rows = TableRows(scene)
    rows.update()
    nodes = [node for node in scene.nodes if node.mesh is not None]
    assert sorted(rows.ids.tolist()) == sorted(node.id for node in nodes)
    of = {title: by_title(rows, title).tolist() for title in ("Name", "Triangles", "Material", "File", "Memory")}
    for row, node_id in enumerate(rows.ids.tolist()):
        mesh = scene.meshes.mesh(int(scene.mesh_ids[node_id]))
        own = int(scene.material_overrides[node_id])
        materials = {own} if own >= 0 else set(mesh.material_ids.tolist())
        (name,) = [scene.materials[each].name for each in materials] if len(materials) == 1 else ["several"]
        assert of["Name"][row] == scene.names[node_id]
        assert of["Triangles"][row] == len(mesh.triangles)
        assert of["Material"][row] == name
        assert of["Memory"][row] == scene.meshes.nbytes_of(scene.mesh_ids[[node_id]])
        assert of["File"][row] == ""


def test_a_size_does_not_change_when_an_object_is_turned_but_when_it_is_scaled():
    scene = Scene()
    node = scene.add_node("box", mesh=add_box_mesh(scene), scale=(1.0, 3.0, 2.0))
    scene.update_world()
    rows = TableRows(scene)
    rows.update()
    (size,) = by_title(rows, "Size")
    lower, upper = world_boxes(scene, np.array([node]))[0]
    assert size == pytest.approx((upper - lower).max())
    turned = np.eye(4)
    turned[:2, :2] = (np.cos(0.6), -np.sin(0.6)), (np.sin(0.6), np.cos(0.6))
    scene.set_world_from_local([node], (turned @ scene.world_from_local[node])[None])
    scene.update_world()
    rows.update()
    assert by_title(rows, "Size")[0] == pytest.approx(size)


def test_rows_are_sorted_both_ways_and_equal_ones_stay_in_order():
    scene = crowd(300, seed=5)
    scene.update_world()
    rows = TableRows(scene)
    for place, column in enumerate(rows.columns.all):
        for descends in (False, True):
            rows.sorted_by, rows.descends = place, descends
            assert rows.update() and not rows.update()
            values = [value if column.is_number else natural_key(value) for value in column.of(rows.ids).tolist()]
            expected = sorted(range(len(values)), key=lambda row: rows.ids[row])
            expected.sort(key=lambda row: values[row], reverse=descends)
            assert expected == list(range(len(values)))


def test_numbers_in_names_are_sorted_by_value():
    scene = Scene()
    for name in ("wall 10", "Wall 2", "wall 100", "wall 1", "door"):
        scene.add_node(name, mesh=add_box_mesh(scene))
    rows = TableRows(scene)
    rows.update()
    assert by_title(rows, "Name").tolist() == ["door", "wall 1", "Wall 2", "wall 10", "wall 100"]


def test_what_is_kept_has_a_row_until_the_query_is_another():
    scene = box_scene()
    rows = TableRows(scene)
    rows.query = "red"
    rows.update()
    (red,) = rows.ids.tolist()
    rows.keep(red)
    scene.set_names([red], ["white"])
    rows.update()
    assert rows.ids.tolist() == [red]
    rows.query = "gre"
    rows.update()
    assert red not in rows.ids.tolist()


@pytest.mark.parametrize(("query", "names"), [("RED", {"red"}), ("*e*", {"red", "green", "blue"}), ("none", set())])
def test_the_filter_looks_at_names(query, names):
    scene = box_scene()
    rows = TableRows(scene)
    rows.query = query
    rows.update()
    assert set(by_title(rows, "Name").tolist()) == names


def test_the_filter_looks_at_materials_too():
    scene = everything()
    rows = TableRows(scene)
    rows.update()
    material = next(name for name in by_title(rows, "Material").tolist() if name not in ("", "several"))
    rows.query = material.upper()
    rows.update()
    assert len(rows.ids) and material in by_title(rows, "Material").tolist()


def test_rows_follow_renaming_deleting_and_scaling():
    scene = box_scene()
    scene.update_world()
    rows = TableRows(scene)
    rows.update()
    count, first = len(rows.ids), int(rows.ids[0])
    scene.set_names([first], ["zzz"])
    rows.update()
    assert rows.ids[-1] == first
    scene.delete([first])
    rows.update()
    assert len(rows.ids) == count - 1 and first not in rows.ids


def test_rows_that_have_followed_are_those_of_a_new_table():
    scene, rng = crowd(60, seed=9), np.random.default_rng(1)
    scene.update_world()
    followed = TableRows(scene)
    for step in range(8):
        chosen = rng.choice(scene.ids, 5, replace=False)
        scene.set_names(chosen, [f"Part {number}" for number in rng.integers(0, 12, 5)])
        if step % 3 == 2:
            scene.add_node("part 7", mesh=add_box_mesh(scene))
            scene.update_world()
        new = TableRows(scene)
        for rows in (followed, new):
            rows.query, rows.descends = ("", "PART", "part 1*")[step % 3], step % 2 == 1
            rows.update()
        assert followed.ids.tolist() == new.ids.tolist()


def test_each_object_is_in_one_bar():
    scene = crowd(500, seed=2)
    scene.update_world()
    rows = TableRows(scene)
    rows.update()
    for place, spread in rows.spreads.items():
        values = rows.columns.all[place].of(rows.ids)
        assert spread.counts.sum() == len(rows.ids) and len(spread.counts) == BARS
        for bar in np.flatnonzero(spread.counts).tolist():
            inside = values[spread.place_of == bar]
            assert len(inside) == spread.counts[bar]
            assert (inside >= spread.edges[bar] * (1 - 1e-12)).all() and (
                inside <= spread.edges[bar + 1] * (1 + 1e-9)
            ).all()


def test_an_empty_scene_has_no_rows():
    rows = TableRows(Scene())
    rows.update()
    assert len(rows.ids) == 0 and all(spread.counts.sum() == 0 for spread in rows.spreads.values())
