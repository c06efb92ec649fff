"""The 3D cursor: placed on surfaces, drawn, and what goes to it or from it."""

from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest
from imgui_bundle import imgui

from octoscope.scene import Scene, apply, open_project, save_project
from octoscope.scene.editing import convert_unit, set_origin
from octoscope.viewer.features.cursor.feature import follow
from octoscope.viewer.tools.intents import RightClick
from tests.viewer.commands.test_edit_commands import (
    FIRST,
    LAMP,
    SECOND,
    STREET,
    check_undone_and_done_again,
    run,
    select,
    town,
)
from tests.viewer.headless_app import HeadlessApp

PLACE = np.array((3.0, -1.0, 0.7))


@pytest.fixture
def scene() -> Scene:
    return town()


@pytest.fixture
def app(open_app, scene) -> HeadlessApp:
    return open_app(scene)


def origins(scene: Scene, *ids: int) -> np.ndarray:
    scene.update_world()
    return scene.world_from_local[list(ids), :3, 3]


def test_a_right_click_with_shift_places_the_cursor_on_what_is_there_and_it_is_drawn(app, scene):
    place, view = partial(follow, app.session.context), app.view
    select(app, FIRST)
    app.press("F")
    view.build_frames((200, 200))
    location = view.locate((100.0, 100.0))
    assert not place(RightClick(location)) and scene.cursor is None
    before = view._annotations(view.active, (200, 200))
    assert place(RightClick(location, shift=True))
    np.testing.assert_array_equal(scene.cursor, location.hit().point)
    app.press("Ctrl+Z")
    hit, settings = location.hit(), app.tools.gizmo.settings
    corners = hit.node.mesh.vertices @ hit.node.world_from_local[:3, :3].T + hit.node.world_from_local[:3, 3]
    pixels = view.snapshot.projection.pixels(corners)
    settings.snaps, settings.target = True, "vertices"
    place(RightClick(view.locate(tuple(pixels[pixels[:, 1].argmin()] - (0.0, 5.0))), shift=True))
    assert np.abs(corners - scene.cursor).sum(axis=1).min() < 1e-12, "the highest corner, from beside it"
    app.press("Ctrl+Z")
    assert scene.cursor is None
    app.press("Ctrl+Y")
    after = view._annotations(view.active, (200, 200))
    assert len(after.segments) - (0 if before is None else len(before.segments)) == 28
    run(app, "cursor.remove")
    assert scene.cursor is None and not app.table["object.to_cursor"].enabled()


@pytest.mark.parametrize(
    "command_id",
    ["object.to_cursor", "object.to_cursor_together", "object.to_grid", "object.to_active", "object.origin_to_cursor"],
)
def test_each_snap_is_one_entry_undone_and_done_again_to_the_bit(app, scene, command_id):
    scene.cursor = PLACE
    scene.set_translations([FIRST], (1.3, 2.2, 3.4))
    scene.update_world()
    check_undone_and_done_again(app, scene, command_id, (STREET, FIRST, LAMP))


def test_objects_go_to_the_cursor_and_the_cursor_to_objects_and_to_the_grid(app, scene):
    select(app, FIRST, SECOND)
    run(app, "cursor.to_selected")
    np.testing.assert_allclose(scene.cursor, (2.5, 2.0, 3.0))
    run(app, "cursor.to_active")
    np.testing.assert_array_equal(scene.cursor, (4.0, 2.0, 3.0))
    scene.cursor = PLACE
    run(app, "object.to_cursor_together")
    np.testing.assert_allclose(origins(scene, FIRST, SECOND), PLACE + np.array([(-1.5, 0, 0), (1.5, 0, 0)]), atol=1e-12)
    run(app, "object.to_cursor")
    np.testing.assert_allclose(origins(scene, FIRST, SECOND), [PLACE, PLACE], atol=1e-12)
    run(app, "object.to_grid")
    run(app, "cursor.to_grid")
    np.testing.assert_allclose(origins(scene, FIRST, SECOND), [(3, -1, 1)] * 2, atol=1e-12)
    np.testing.assert_array_equal(scene.cursor, (3.0, -1.0, 1.0))
    apply(scene, set_origin(scene, [FIRST], (50.0, 0.0, 0.0)))  # as those of most OBJ files lie elsewhere
    scene.update_world()
    select(app, FIRST)
    run(app, "cursor.to_selected")
    np.testing.assert_allclose(scene.cursor, (3.0, -1.0, 1.0), atol=1e-6)
    scene.cursor = PLACE
    run(app, "object.to_cursor")
    np.testing.assert_allclose(origins(scene, FIRST), [PLACE + np.array((47.0, 1.0, -1.0))], atol=1e-6)


def test_origins_go_to_the_cursor_while_every_vertex_stays(app, scene):
    scene.set_rotations([LAMP], (0.0, 0.6, 0.0, 0.8))
    scene.set_scales([STREET], (1.0, -2.0, 3.0))
    scene.cursor = PLACE
    select(app, STREET, FIRST, LAMP)

    def vertices() -> list[np.ndarray]:
        scene.update_world()
        worlds = scene.world_from_local[[FIRST, SECOND, LAMP]]
        meshes = [scene.meshes.mesh(int(scene.mesh_ids[node])).positions for node in (FIRST, SECOND, LAMP)]
        return [mesh @ world[:3, :3].T + world[:3, 3] for mesh, world in zip(meshes, worlds, strict=True)]

    before = vertices()
    run(app, "object.origin_to_cursor")
    np.testing.assert_allclose(origins(scene, STREET, FIRST, LAMP), [PLACE] * 3, atol=1e-12)
    np.testing.assert_allclose(vertices(), before, atol=1e-5)


def test_what_is_added_stands_on_the_cursor(app, scene):
    scene.cursor = PLACE
    run(app, "add.cube")
    np.testing.assert_allclose(origins(scene, app.selected[0]), [PLACE + 0.5 * np.eye(3)[1]], atol=1e-9)


def test_a_saved_project_comes_back_with_the_cursor_and_a_conversion_of_units_moves_it(scene, tmp_path):
    scene.cursor, scene.length_unit = PLACE, "m"
    save_project(scene, path := tmp_path / "town.octo.json")
    again = open_project(path)
    assert again.cursor == tuple(PLACE)
    apply(again, convert_unit(again, "cm"))
    np.testing.assert_allclose(again.cursor, 100.0 * PLACE)
    path.write_text(re.sub(r"\[3\.0,\s*-1\.0,\s*0\.7\]", '["3", 1, 2]', path.read_text()))
    broken = open_project(path)
    assert broken.cursor is None and "cursor" in str(broken.report.merged_problems)
    path.write_text(re.sub(r'\["3", 1, 2\]', f"[{2**64}, 1, 2]", path.read_text()))
    assert open_project(path).cursor == (2.0**64, 1.0, 2.0)
    with pytest.raises(ValueError, match=r"^cursor must be three numbers"):
        scene.cursor = (10**400, 0, 0)


@pytest.mark.filterwarnings("ignore:overflow|invalid:RuntimeWarning")
def test_a_cursor_that_would_be_out_of_the_range_of_numbers_stays(app, scene):
    scene.cursor, scene.length_unit = (1e306, 0.0, 0.0), "m"
    run(app, "scene.convert_to_mm")
    assert scene.length_unit == "m" and "out of the range" in app.editor.log.entries[-1].text
    scene.set_translations([STREET], (1e308, 0.0, 0.0))
    scene.set_scales([STREET], (1e308,) * 3)
    scene.update_world()
    select(app, FIRST)
    for command_id in ("cursor.to_selected", "cursor.to_active", "object.to_active"):
        run(app, command_id)
        assert scene.cursor == (1e306, 0.0, 0.0)
        assert re.search("out of the range|must be finite", app.editor.log.entries[-1].text)


def test_shift_s_of_blender_opens_the_menu_of_snaps_at_the_mouse(app, scene):
    app.table.rebind("blender", {})
    select(app, FIRST)
    app.move((300, 300))
    app.press("Shift+S")
    app.frame()
    assert imgui.get_current_context().open_popup_stack.size() == 1
    app.click((340, 318))  # the first entry
    np.testing.assert_array_equal(scene.cursor, origins(scene, FIRST)[0])
