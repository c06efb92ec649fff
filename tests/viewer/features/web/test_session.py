"""WebSession, worked by a connection that sends what a page would send, and worse."""

import errno
import io
import math
import os
import zipfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("viser", reason="octoscope[web] is not installed")

from octoscope.scene import Material, MeshData, Scene, load, save_project
from octoscope.scene.annotations.labels import Label
from octoscope.scene.annotations.measurement import Anchor
from octoscope.scene.editing import delete
from octoscope.scene.mesh.primitives import PRIMITIVES
from octoscope.scene.system.text_file import ReadError
from octoscope.viewer.commands.menus.all_commands import commands_of_menus
from octoscope.viewer.document.autosaving import find_lost
from octoscope.viewer.document.file_names import PathRequest
from octoscope.viewer.editing.jobs import JobKind
from octoscope.viewer.features.materials_panel.browser import BrowserMaterials
from octoscope.viewer.features.web import files
from octoscope.viewer.features.web.commands import missing_text, page_key
from octoscope.viewer.features.web.controls import Controls
from octoscope.viewer.features.web.front import boxes_of
from octoscope.viewer.window.keys import Chord
from tests.viewer.features.web.serving import CAMERA, connected, packed, served_to_one

FAR = np.array((2e5, 0.0, 0.0))


def cubes(count: int) -> Scene:
    """Return cubes of random places, sizes and turns, far from the origin."""
    scene, rng = Scene(), np.random.default_rng(5)
    cube = scene.meshes.add(PRIMITIVES["cube"]())
    turns = rng.normal(size=(count, 4))
    scene.add_nodes(
        [f"cube {i}" for i in range(count)],
        mesh=np.full(count, cube),
        translation=FAR + rng.uniform(-9.0, 9.0, (count, 3)),
        rotation=turns / np.linalg.norm(turns, axis=1, keepdims=True),
        scale=rng.uniform(0.5, 3.0, (count, 3)),
    )
    return scene


@pytest.fixture
def serve():
    """Return a function that serves a scene, and a connection to it that has sent its first camera."""
    with ExitStack() as stack:
        yield lambda scene, **options: stack.enter_context(served_to_one(scene, **options))


def click(connection, origin, direction, modifier=None, at=(0.5, 0.5)) -> None:
    connection.send(
        packed(
            "ScenePointerMessage",
            event_type="click",
            ray_origin=np.asarray(origin).tolist(),
            ray_direction=np.asarray(direction).tolist(),
            screen_pos=[list(at)],
            modifier=modifier,
        )
    )


def test_clicks_select_exactly_what_rays_hit(serve):
    scene = cubes(60)
    served, connection = serve(scene)
    frame, editor = served.session.mirror.frame, served.session.editor
    scene.set_hidden([3], True)
    scene.set_unselectable([4], True)
    rng, hits = np.random.default_rng(1), 0
    for _ in range(60):
        origin, target = FAR + rng.uniform(-20.0, 20.0, (2, 3))
        click(connection, frame.points(origin), target - origin)
        hit = scene.raycast(origin, target - origin, among=scene.layers == 1)
        expected = [] if hit is None else [hit.node.id]
        hits += len(expected)
        served.until(lambda expected=expected: editor.selected_ids.tolist() == expected, f"{expected} to be selected")
    assert 10 < hits < 60
    served.session._overlays.lines("lines", np.zeros((4, 2, 3)), (1.0, 0.6, 0.1), 2.0)
    lines = served.session._overlays._handles["lines"]
    assert lines.colors.shape == lines.points.shape, "a single colour would be shown darker"


def test_odd_boxes_do_no_harm_and_the_next_selects(serve):
    scene = cubes(20)
    served, connection = serve(scene)
    editor = served.session.editor
    whole = [[0.0, 0.0], [1.0, 1.0]]
    for corners in ([[0.5, 0.5], [0.5, 0.5]], [[-1e3, 3.0], [1e3, 4.0]], [[0.9, 0.9], [0.1, 0.1]], whole):
        connection.send(
            packed(
                "ScenePointerMessage",
                event_type="rect-select",
                ray_origin=None,
                ray_direction=None,
                screen_pos=corners,
                modifier="shift",
            )
        )
    camera = served.session._cameras()[0]
    expected = served.session._snapshot(camera).pick_box((0.0, 0.0), (1.0, 1.0), wholly=False)
    assert len(expected)
    served.until(lambda: set(expected.tolist()) <= set(editor.selected_ids.tolist()), "all in the picture")


def test_lines_are_hit_by_clicks_near_them(serve):
    scene = Scene()
    ends = np.array([(-1.0, 0.0, 0.0), (1.0, 0.0, 0.0)])
    line = MeshData(ends, np.empty((0, 3), int), None, np.zeros(2, int), lines=np.array([(0, 1)]))
    scene.add_node("line", mesh=scene.meshes.add(line))
    served, connection = serve(scene)
    ahead = {**CAMERA, "wxyz": [0.0, 1.0, 0.0, 0.0], "position": [0.0, 0.0, 20.0]}  # along -Z, Y up
    connection.send(packed("ViewerCameraMessage", **ahead))
    served.until(lambda: served.session._cameras()[0].position[2] == 20.0, "the camera")
    click(connection, (0.0, 0.0, 20.0), (0.0, 0.1, -1.0), at=(0.5, 0.6))
    click(connection, (0.0, 0.0, 20.0), (0.0, 0.003, -1.0), at=(0.5, 0.505))
    served.until(lambda: len(served.session.editor.selected_ids), "the line to be selected")


def drag(connection, phase: str, **fields) -> None:
    kind = {"start": "DragStart", "update": "Update", "end": "DragEnd"}[phase]
    connection.send(packed(f"TransformControls{kind}Message", name="/gizmo", owner="", **fields))


def test_a_drag_of_the_handles_moves_and_turns_and_is_one_entry_that_undo_takes_back(serve):
    scene = cubes(3)
    served, connection = serve(scene)
    editor, frame = served.session.editor, served.session.mirror.frame
    before = scene.world_from_local[:3].copy()
    editor.select([1, 2])
    served.until(lambda: served.session._gizmo._handle is not None, "the handles")
    lower, upper = scene.bounds([1, 2])
    pivot, offset = (lower + upper) / 2.0, np.array([1.0, -2.0, 0.5])
    half = math.sqrt(0.5)
    drag(connection, "start")
    drag(connection, "update", wxyz=[1.0, 0.0, 0.0, 0.0], position=frame.points(pivot + 3.0).tolist())
    drag(connection, "update", wxyz=[half, 0.0, half, 0.0], position=frame.points(pivot + offset).tolist())
    drag(connection, "end")
    history = editor.history
    served.until(lambda: history.transaction is None and history.last_done.label.startswith("Move"), "the end")
    turn = np.array([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]], dtype=np.float64)
    about, back = np.eye(4), np.eye(4)
    about[:3, 3], back[:3, 3] = pivot + offset, -pivot
    np.testing.assert_allclose(scene.world_from_local[1:3], about @ turn @ back @ before[1:3], atol=1e-6)
    assert len(editor.history.entries) == 2  # the selection, and the move
    editor.undo()
    np.testing.assert_allclose(scene.world_from_local[:3], before, atol=1e-9)


@pytest.mark.parametrize("wxyz", [[0.0] * 4, [1e9, 0.0, 0.0, 0.0]])
def test_turns_that_are_none_move_nothing(serve, wxyz):
    scene = cubes(2)
    served, connection = serve(scene)
    before = scene.world_from_local.copy()
    served.session.editor.select([0])
    served.until(lambda: served.session._gizmo._handle is not None, "the handles")
    for phase, fields in (("start", {}), ("update", {"wxyz": wxyz, "position": [1e11] * 3}), ("end", {})):
        drag(connection, phase, **fields)
    click(connection, (500.0, 0.0, 0.0), (1.0, 0.0, 0.0))  # nothing; comes after the drag
    served.until(lambda: not len(served.session.editor.selected_ids), "the click")
    assert (scene.world_from_local == before).all()


def test_messages_in_any_order_with_odd_numbers_leave_the_session_working(serve, capfd):
    scene = cubes(5)
    served, connection = serve(scene)
    odd = [0.0, -1.0, 1e-300, 1e12, -1e12, 3.0]
    rng = np.random.default_rng(3)

    def some(count: int) -> list[float]:
        return rng.choice(odd, count).tolist()

    for _ in range(100):
        connection.send(
            packed(
                "ViewerCameraMessage",
                **{**CAMERA, "wxyz": some(4), "position": some(3), "look_at": some(3), "fov": some(1)[0]},
            )
        )
        click(connection, some(3), some(3), at=some(2))
        drag(connection, rng.choice(["start", "end"]))
        drag(connection, "update", wxyz=some(4), position=some(3))
        if rng.random() < 0.2:
            served.session.step()
    drag(connection, "end")
    connection.send(packed("ViewerCameraMessage", **CAMERA))
    served.until(lambda: served.session._cameras()[0].position[2] == CAMERA["position"][2], "the last camera")

    def has_handles() -> bool:  # a late click may take the selection away again
        if served.session.editor.view.selected_ids.tolist() != [2]:
            served.session.editor.select([2])
        return served.session._gizmo._handle is not None

    served.until(has_handles, "the handles")
    assert capfd.readouterr() == ("", "")  # no traceback of a thread either


def test_edits_are_kept_by_the_journal_when_the_program_dies(serve, tmp_path):
    scene = cubes(4)
    served, connection = serve(scene, data=tmp_path)
    editor = served.session.editor
    editor.select([0])
    served.until(lambda: served.session._gizmo._handle is not None, "the handles")
    for distance in (2.0, 4.0):
        drag(connection, "start")
        place = np.mean(scene.bounds([0]), axis=0) + np.array((0.0, distance, 0.0))
        place = served.session.mirror.frame.points(place)
        drag(connection, "update", wxyz=[1.0, 0.0, 0.0, 0.0], position=place.tolist())
        drag(connection, "end")
        count = len(editor.history.entries)
        served.until(
            lambda count=count: len(editor.history.entries) > count and editor.history.recorder is not None,
            "the move to be recorded",
        )
        served.until(lambda: editor.history.transaction is None and not served.session.document.is_busy, "the journal")
    moved = scene.translations[0].copy()
    served.session.document.abandon()  # as when the program is ended
    (lost,) = find_lost(tmp_path / "autosave")
    np.testing.assert_allclose(load([lost.path]).translations[:4].max(axis=0), scene.translations.max(axis=0))
    assert moved[1] != 0.0


def test_boxes_stand_around_objects():
    scene = cubes(4)
    corners = boxes_of(scene, np.array([1, 2])).reshape(2, 24, 3)
    for node, found in zip((1, 2), corners, strict=True):
        lower, upper = scene.bounds([node])
        np.testing.assert_allclose(found.min(axis=0), lower, atol=1e-9)
        np.testing.assert_allclose(found.max(axis=0), upper, atol=1e-9)
        lengths = np.linalg.norm(np.diff(found.reshape(12, 2, 3), axis=1)[:, 0], axis=1)
        np.testing.assert_allclose(np.sort(lengths).reshape(3, 4), np.sort(scene.scales[node])[:, None].repeat(4, 1))


def test_the_list_of_objects_has_pages_levels_and_a_search(serve):
    scene = cubes(30)
    parent = scene.add_node("group")
    scene.add_nodes(["inner a", "inner b"], parent=parent.id)
    served, _ = serve(scene)
    panel = served.session._panel
    assert panel._listed == list(range(12))
    panel._turn_page()
    panel._turn_page()
    served.session.step()
    assert panel._listed == list(range(24, 31)) and panel._rows[6].label == "group ..."
    panel._choose(6)
    served.session.step()
    assert served.session.editor.selected_ids.tolist() == [parent.id]
    assert panel._listed == [parent.id + 1, parent.id + 2] and panel._up.label == "Up from group"
    panel._search("cube 2*")
    served.session.step()
    assert panel._listed == [2, *range(20, 30)]
    panel._search("")
    served.session.editor.select([15])
    served.session.step()
    assert panel._listed == list(range(14, 26)) and panel._rows[1].color == "orange"
    assert panel._more.label == "More: 15 to 26 of 31 objects"


def test_each_browser_has_the_grid_that_suits_its_own_camera(serve):
    served, _ = serve(cubes(3))
    with connected(served.session.server) as other:
        other.send(packed("ViewerCameraMessage", **{**CAMERA, "position": [0.0, 0.0, -2000.0]}))

        def cell_sizes() -> list[float]:
            return sorted(each[2] for each in served.session._backdrop._grids.values())

        served.until(lambda: len(cell_sizes()) == 2, "a grid for each")
        served.until(lambda: cell_sizes()[1] == pytest.approx(100.0 * cell_sizes()[0]), "wider lines where it is far")
        grids = served.session._backdrop._grids
        served.session.step()
        assert served.session._backdrop._grids == grids, "none is sent again while cameras rest"
    served.until(lambda: len(cell_sizes()) == 1, "the grid of the browser that has gone to be forgotten")


def test_save_writes_the_project_that_is_served_and_no_browser_names_another(serve, tmp_path):
    path = tmp_path / "cubes.octo.json"
    scene = cubes(3)
    save_project(scene, path)
    served, _ = serve(load([path]), data=tmp_path / "data")
    served.until(lambda: served.session.editor.history.recorder is not None, "the journal")
    served.session.editor.rename(0, "renamed")
    served.session.call(served.session.document.save)
    served.until(lambda: not served.session.document.is_unsaved, "the project to be saved")
    assert "renamed" in path.read_text()
    served, _ = serve(cubes(3))
    served.session.editor.rename(0, "renamed")
    served.session.call(served.session.document.save)
    served.until(lambda: served.session.log.entries, "a message")
    assert "a browser cannot name files" in served.session.log.entries[-1].text
    assert served.session.document.is_unsaved


def test_what_no_camera_sees_is_hidden_from_browsers_alone_that_are_known_to_be_slow(serve):
    served, connection = serve(cubes(3))
    session = served.session
    connection.send(packed("ViewerCameraMessage", **{**CAMERA, "position": [0.0, 0.0, 20.0]}))  # which looks away
    served.until(lambda: session._cameras()[0].position[2] == 20.0, "the camera")
    session.step()
    assert not any(piece.is_hidden for piece in session.mirror._sent.values())
    (pace,) = session._paces.values()
    pace.per_second = 1e6
    connection.send(packed("ViewerCameraMessage", **{**CAMERA, "position": [0.0, 0.0, 21.0]}))
    served.until(lambda: all(piece.is_hidden for piece in session.mirror._sent.values()), "all to be hidden")


def test_each_browser_has_the_cameras_of_the_others_and_none_once_they_have_gone(serve):
    served, _ = serve(cubes(3))
    session = served.session
    undo = len(session.editor.history.entries)
    with connected(session.server) as second:
        second.send(packed("ViewerCameraMessage", **{**CAMERA, "position": [5.0, 0.0, -20.0]}))
        served.until(lambda: len(session._others._shown) == 2, "both cameras")
        (mine, theirs) = session.server.viser.get_clients()
        frustum = session._others._shown[mine, theirs]
        assert frustum.position.tolist() == [5.0, 0.0, -20.0] and frustum.visible
        assert frustum.color != session._others._shown[theirs, mine].color
        frustum.visible, session._others._looked = False, 0.0
        session.step()
        assert not frustum.visible, "nothing is sent of a camera that stays"
        frustum.visible = True
        second.send(packed("ViewerCameraMessage", **{**CAMERA, "wxyz": [0.0] * 4, "position": [9.0, 0.0, 0.0]}))
        camera = session.server.viser.get_clients()[theirs].camera
        served.until(lambda: camera.position[0] == 9.0, "what is no camera")
        session._others._looked = 0.0
        session.step()
        assert frustum.position[0] == 5.0 and not frustum.visible
        second.send(packed("ViewerCameraMessage", **{**CAMERA, "position": [0.0, 0.5, -20.0]}))
        served.until(lambda: frustum.position.tolist() == [0.0, 0.5, -20.0], "the camera to follow")
        assert not frustum.visible  # so near it would lie over the whole picture
    served.until(lambda: not session._others._shown, "the camera to go")
    assert len(session.editor.history.entries) == undo


def test_a_drag_whose_browser_has_gone_ends_with_the_next_action(serve):
    scene = cubes(3)
    served, connection = serve(scene)
    editor = served.session.editor
    editor.select([1])
    served.until(lambda: served.session._gizmo._handle is not None, "the handles")
    place = served.session.mirror.frame.points(np.mean(scene.bounds([1]), axis=0) + 1.0)
    drag(connection, "start")
    drag(connection, "update", wxyz=[1.0, 0.0, 0.0, 0.0], position=place.tolist())
    served.until(lambda: editor.history.transaction is not None, "the drag")
    connection.close()
    served.until(lambda: not served.session.server.viser.get_clients(), "the browser to go")
    editor.select([2])
    served.until(lambda: editor.history.transaction is None, "the drag to end")
    assert [entry.edit.label.split()[0] for entry in editor.history.entries] == ["Select", "Move", "Select"]


def test_an_object_that_is_deleted_while_a_browser_drags_it_is_gone_and_undo_brings_it_back_where_it_was(serve):
    scene = cubes(3)
    served, connection = serve(scene)
    editor, before = served.session.editor, scene.world_from_local[1].copy()
    editor.select([1])
    served.until(lambda: served.session._gizmo._handle is not None, "the handles")
    place = served.session.mirror.frame.points(np.mean(scene.bounds([1]), axis=0) + 1.0).tolist()
    drag(connection, "start")
    drag(connection, "update", wxyz=[1.0, 0.0, 0.0, 0.0], position=place)
    served.until(lambda: editor.history.transaction is not None, "the drag")
    editor.do(delete(scene, [1]))
    drag(connection, "update", wxyz=[1.0, 0.0, 0.0, 0.0], position=place)
    drag(connection, "end")
    click(connection, (500.0, 0.0, 0.0), (1.0, 0.0, 0.0))  # nothing; comes after the drag
    served.until(lambda: not served.session._tasks.qsize() and not len(editor.selected_ids), "the click")
    assert editor.history.transaction is None and not scene.alive[1]
    while editor.history.undo_label is not None:
        editor.undo()
    assert scene.alive[1] and (scene.world_from_local[1] == before).all()


def test_each_command_is_offered_or_listed_and_keys_are_those_of_the_window(serve):
    served, _ = serve(cubes(2))
    session = served.session
    session._scene.set_scalars(session._scene[0], np.arange(24.0))
    session._scene.labels = [Label("[plan](https://example.org)", Anchor(0, (0.0, 0.0, 0.0)))] * 201
    more = [command for feature in session._panel._features for command in feature.commands]
    every = [*commands_of_menus(session._context), *more]
    offered = {command.id for command in session._panel.commands.table.commands}
    text = missing_text(session._scene, every)
    assert "1 colour bar is left out" in text and "links in labels" in text and "only 200 of 201 labels" in text
    for command in every:
        assert (command.id in offered) != (command.label in text and command.needs_window)
    needing = {command.id.partition("_")[0] for command in every if command.needs_window}
    assert {"file.open", "view.see", "view.grid", "light.key", "octree.tiny", "section.handles"} <= needing
    assert offered >= {"tools.stop", "gizmo.nudge_up", "view.copy_camera", "section.toggle", "object.move_into"}
    assert page_key(Chord.parse("Ctrl+Shift+Z")) == {"hotkey": "Z", "modifier": "cmd/ctrl+shift"}
    assert page_key(Chord.parse("Del")) == {"hotkey": "delete", "modifier": None}
    assert page_key(Chord.parse("A")) is None and page_key(Chord.parse("[")) is None  # the camera's; none of viser's


def test_a_form_is_submitted_once_and_harmless_where_its_object_is_gone(serve, monkeypatch):
    served, _ = serve(cubes(3))
    session, editor, scene = served.session, served.session.editor, served.scene
    (client,) = session.server.viser.get_clients().values()
    acts, handles = {}, {}
    button, follow = Controls.button, Controls.follow

    def note_button(self, label, act, **options):
        acts[label] = act
        return button(self, label, act, **options)

    def note_field(self, control, act):
        acts[control.label], handles[control.label] = act, control
        follow(self, control, act)

    monkeypatch.setattr(Controls, "button", note_button)
    monkeypatch.setattr(Controls, "follow", note_field)

    def ask(command_id: str) -> None:
        editor.select([1])
        session.call(partial(session._panel.commands.run, command_id), client)
        session.step()

    ask("object.array")
    for entered in ("abc", "3"):
        handles["Count X"].value = entered
        acts["Count X"]()
        acts["Make"]()  # also a click that comes before the page has the reason why not
    acts["Make"]()
    assert scene.alive.sum() == 5
    editor.undo()
    for command_id, verb, field, value in (
        ("object.decimate", "Decimate", "Keep", "30"),
        ("object.array", "Make", "Count X", "4"),
    ):
        ask(command_id)
        editor.do(delete(scene, [1]))
        handles[field].value = value
        acts[field]()
        assert scene.alive.sum() == 2
        acts[verb]()
        assert session.log.entries[-1].level == "error" and scene.alive.sum() == 2
        editor.undo()


def test_steps_of_a_material_are_one_entry_and_only_what_shows_it_is_sent_again(serve):
    scene = cubes(400)
    red = scene.add_material(Material("red", base_color=(1.0, 0.0, 0.0)))
    scene.set_materials(range(5), red)
    served, _ = serve(scene)
    session = served.session
    (part,) = (part for part in session._panel._features if isinstance(part, BrowserMaterials))
    session.editor.select([0])
    served.until(lambda: part._handles["name"].value == "red", "the material to be shown")
    others = {number for number, piece in session.mirror._sent.items() if not set(piece.ids) & set(range(5))}
    for share in (0.2, 0.4, 0.6):
        part._handles["metallic"].value = share
        session.step()
    served.until(lambda: part._live is None and session.mirror.is_complete, "the drag to end")
    shown = scene.materials[scene.material_overrides[4]]
    assert (shown.metallic, shown.base_color) == (0.6, (1.0, 0.0, 0.0))
    assert others and others <= session.mirror._sent.keys()
    session.editor.undo()
    assert not any(material.metallic for material in (scene.materials[each] for each in scene.material_overrides[:5]))


def test_files_that_commands_write_go_to_the_browser_that_asked_and_uploads_are_read(serve, tmp_path, monkeypatch):
    scene = cubes(3)
    scene.set_materials([0], scene.add_material(Material("red", base_color=(1.0, 0.0, 0.0))))
    served, _ = serve(scene, data=tmp_path)
    session, sent = served.session, {}
    (client,) = session.server.viser.get_clients().values()
    monkeypatch.setattr(client, "send_file_download", lambda name, data, **options: sent.update({name: data}))
    for command_id in ("file.export_glb", "file.export_obj", "file.download_project"):
        session.call(partial(session._panel.commands.run, command_id), client)
        served.until(lambda: not session._tasks.qsize() and not session._files._awaited, "the download")
    assert sorted(sent) == ["test.glb", "test.obj.zip", "test.octo.json"]
    assert served.scene.project.path is None
    request = PathRequest("Import", (".glb",), lambda paths: session.document.files.open(paths), several=True)
    session._files._take(request, "../../up.exe", sent["test.glb"], lambda: None)
    assert "takes .glb" in session.log.entries[-1].text
    session._files._take(request, "../../up.glb", sent["test.glb"], lambda: None)
    served.until(lambda: len(served.scene) > 3, "the upload to be read")
    assert served.scene.sources[0].is_relative_to(tmp_path / "uploads") and served.scene.sources[0].name == "up.glb"
    count = len(served.scene)
    with zipfile.ZipFile(io.BytesIO(sent["test.obj.zip"])) as exported:
        members = {name: exported.read(name) for name in exported.namelist()}
    assert any(name.endswith(".mtl") for name in members)
    apart = {f"kit/{name}": data for name, data in members.items()} | {
        "kit/below/tile.glb": b"",
        "__MACOSX/._a.obj": b"",
    }
    session._files._take(request, "kit.ZIP", zipped(apart), lambda: None)
    session._files.update(session.document)
    assert session.editor.jobs.is_busy(JobKind.UNPACK)
    served.until(lambda: len(served.scene) > count, "the archive to be read")
    assert [path.name for path in served.scene.sources] == ["up.glb", "test.obj"]
    served.until(lambda: not session.document.is_going, "all of the archive to be read")
    assert not (served.scene.report.errors or served.scene.report.merged_problems)
    kept = list((tmp_path / "uploads").iterdir())
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full_disk)
        with pytest.raises(ReadError, match="cannot be kept: No space left on device"):
            session._files._kept("up.glb", b"")
    monkeypatch.setattr(files, "_LARGEST_UNPACKED_BYTES", 9)
    for content, reason in (
        (sent["test.obj.zip"][:-9], "cannot be unpacked"),
        (zipped({"a": b"", "a/b.obj": b""}), "cannot be unpacked"),
        (zipped({"a.txt": b"text"}), "holds no model"),
        (zipped({"a.obj": b"10 letters"}), "unpacks to more than"),
    ):
        session._files._take(request, "kit.zip", content, lambda: None)
        told = "kit.zip: " + reason
        served.until(lambda told=told: session.log.entries[-1].text.startswith(told), "the reason why not")
    assert list((tmp_path / "uploads").iterdir()) == kept


def full_disk(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def zipped(members: dict[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()
