"""Objects of lines and points under the mouse, against a picture of their ids and against all their lines at once."""

from __future__ import annotations

from dataclasses import replace

import moderngl
import numpy as np
import pytest

from octoscope.scene import Scene
from octoscope.viewer.frame.view import View
from tests.viewer.frame.test_picking import WINDOW, give_id_materials, id_picture
from tests.viewer.scenes import BOX_POSITIONS, BOX_TRIANGLES, add_box_mesh, add_mesh, sketches, view_of


def sketch_view(seed: int, *, orthographic: bool) -> View:
    scene = sketches(60, seed=seed)
    elements = {"lines": np.array([(0, 7), (1, 6), (2, 5)]), "points": np.array([0, 3, 5, 6])}
    meshes = [add_mesh(scene, BOX_POSITIONS, **{name: each}) for name, each in elements.items()]
    meshes.append(add_mesh(scene, BOX_POSITIONS, triangles=BOX_TRIANGLES, **elements))
    sketched = np.array([node for node in range(len(scene)) if scene.names[node].startswith("sketch")])
    scene.set_meshes(sketched, np.array(meshes)[sketched % 3])  # without the colours of their vertices
    give_id_materials(scene)
    scene.update_world()
    return view_of(scene, distance=22.0, orthographic=orthographic)


@pytest.mark.parametrize("orthographic", (False, True))
@pytest.mark.parametrize("seed", range(2))
def test_each_drawn_pixel_of_a_line_or_point_picks_its_object(ctx: moderngl.Context, seed, orthographic):
    view = sketch_view(seed, orthographic=orthographic)
    drawn = id_picture(ctx, view.build_frames(WINDOW)[0].frame, "triangle", "line", "point")
    thin = np.flatnonzero(view.scene.meshes.rows["triangle_count"][view.scene.mesh_ids] == 0)
    thin = thin[view.scene.mesh_ids[thin] >= 0]
    rows, columns = np.nonzero(np.isin(drawn, thin))
    wrong = 0
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        hit = view.snapshot.pick(((column + 0.5) / WINDOW[0], (row + 0.5) / WINDOW[1]))
        assert hit is not None
        wrong += hit.node.id != drawn[row, column]
    assert len(rows) > 100 and wrong <= len(rows) // 50, f"{wrong} of {len(rows)}: but where two cross in a pixel"


def line_scene() -> View:
    scene = Scene()
    line = add_mesh(scene, np.array([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)]), lines=np.array([(0, 1)]))
    scene.add_nodes(["near line", "far line"], mesh=line, translation=[(0.0, 0.0, 3.0), (0.0, 0.0, -3.0)])
    scene.add_node("box", mesh=add_box_mesh(scene))
    scene.update_world()
    view = view_of(scene, yaw_rad=0.0, pitch_rad=0.0, distance=20.0)
    view.build_frames(WINDOW)
    return view


def test_a_triangle_hides_what_is_behind_it_and_not_what_is_before_it():
    view = line_scene()
    middle = (0.5, 0.5)
    assert view.snapshot.pick(middle).node.name == "near line"
    assert [hit.node.name for hit in view.snapshot.pick_through(middle)] == ["near line", "box", "far line"]
    view.scene.set_hidden([0], True)
    view.build_frames(WINDOW)
    assert view.snapshot.pick(middle).node.name == "box"
    assert [hit.node.name for hit in view.snapshot.pick_through(middle)] == ["box", "far line"]


def test_some_pixels_beside_a_line_still_mean_it_and_more_do_not():
    view = line_scene()
    for pixels, expected in ((0.0, "near line"), (4.0, "near line"), (-4.0, "near line"), (8.0, "box")):
        assert view.snapshot.pick((0.5, 0.5 + pixels / WINDOW[1])).node.name == expected
    view.layout.pixel_ratio = 2.0  # twice as many pixels, each half as large to the person
    view.build_frames((2 * WINDOW[0], 2 * WINDOW[1]))
    assert view.snapshot.pick((0.5, 0.5 + 4.0 / WINDOW[1])).node.name == "near line"


def test_all_of_a_wide_point_picks_it():
    scene = Scene()
    scene.add_node("dot", mesh=add_mesh(scene, np.zeros((1, 3)), points=np.array([0])))
    scene.update_world()
    view = view_of(scene, distance=20.0)
    view.settings.strokes = replace(view.settings.strokes, point_size=40.0)
    view.build_frames(WINDOW)
    x, y = view.snapshot.projection.pixels(np.zeros((1, 3)))[0]
    for off, is_hit in ((0.0, True), (18.0, True), (-18.0, True), (30.0, False)):
        assert (view.snapshot.pick(((x + off) / WINDOW[0], y / WINDOW[1])) is not None) is is_hit, off


def test_hovering_over_a_line_outlines_it():
    view = line_scene()
    view.hovered = view.snapshot.pick((0.5, 0.5)).node.id
    frame = view.build_frames(WINDOW)[0].frame
    assert frame.outlined.hovered.count == 1 and frame.outlined.hovered.drawn("line") == 1
