"""Objects are dropped by commands: one edit each, onto what is shown."""

from __future__ import annotations

import numpy as np
import pytest

from octoscope.scene import Scene, change_nodes
from tests.scene.editing.walks import assert_same_state, state
from tests.viewer.commands.test_edit_commands import (
    FIRST,
    FLOOR,
    LAMP,
    STREET,
    check_undone_and_done_again,
    make_large_array,
    run,
    select,
    town,
)
from tests.viewer.headless_app import HeadlessApp


@pytest.fixture
def scene() -> Scene:
    return town()


@pytest.fixture
def app(open_app, scene) -> HeadlessApp:
    return open_app(scene)


def bottom(scene: Scene, node: int) -> float:
    scene.update_world()
    mesh = scene.meshes.mesh(int(scene.mesh_ids[node])).positions
    matrix = scene.world_from_local[node]
    return float((mesh @ matrix[1, :3] + matrix[1, 3]).min())


@pytest.mark.parametrize("command_id", ["object.drop", "object.drop_onto", "object.drop_as_one"])
def test_dropping_is_one_entry_undone_and_done_again_to_the_bit(app, scene, command_id):
    check_undone_and_done_again(app, scene, command_id, (STREET, LAMP))


def test_what_is_dropped_lands_on_what_is_seen_below_it(app, scene):
    roof = float(np.abs(scene.meshes.mesh(0).positions).max())
    for hidden, height in ((False, 2.0 + roof), (True, -9.0 + roof)):
        if hidden:
            select(app, FIRST)
            app.press("H")
        select(app, LAMP)
        before = state(scene)
        app.press("Shift+End")
        assert bottom(scene, LAMP) == pytest.approx(height, abs=1e-6)
        app.press("Ctrl+Z")
        assert_same_state(state(scene), before)
    app.press("End")
    assert bottom(scene, LAMP) == pytest.approx(app.editor.view.visibility.ground_height, abs=1e-9)


def test_what_is_left_out_by_isolation_holds_nothing(app, scene):
    select(app, LAMP, FLOOR)
    app.press("/")
    select(app, LAMP)
    app.press("Shift+End")
    roof = float(np.abs(scene.meshes.mesh(0).positions).max())
    assert bottom(scene, LAMP) == pytest.approx(-9.0 + roof, abs=1e-6)


def test_many_objects_fall_beside_the_window(app, scene):
    make_large_array(app)
    app.wait_for_work()
    app.editor.do(change_nodes(scene, app.selected, translation=scene.translations[app.selected] + (0.0, 7.0, 0.0)))
    copies = app.selected
    run(app, "object.drop_onto")
    app.wait_for_work()
    assert app.done[-1] == "Drop 12,000 objects"
    scene.update_world()
    ground = app.editor.view.visibility.ground_height
    assert bottom(scene, int(copies[-1])) == pytest.approx(ground, abs=1e-6)


def test_its_menu_stands_behind_the_hierarchys(app):
    menus = [each for each in app.table.in_menu("Object") if isinstance(each, str)]
    assert menus[menus.index("Object/Drop") - 1 : menus.index("Object/Drop") + 2] == [
        "Object/Hierarchy",
        "Object/Drop",
        "Object/Align",
    ]
