"""WebSession: one document that browsers show and edit, without a window.

viser calls back on threads of its own. Whatever a browser does becomes a task in a queue, and `step` runs the tasks on
one thread: that of whoever owns the scene.
"""

from __future__ import annotations

import math
import queue
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from viser import CameraHandle, ClientHandle, SceneClickEvent, SceneRectSelectEvent

from octoscope.octree import Frustum
from octoscope.scene import Hit, Scene
from octoscope.scene.conventions.upright import up_vector
from octoscope.scene.geometry.pyrr_transforms import rotation_of_quaternion
from octoscope.scene.measuring.near_cursor import NearHit
from octoscope.scene.nodes.layers import SELECTABLE
from octoscope.viewer.app.open_window import ShownScene
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.commands.context import Context
from octoscope.viewer.document.document import Document
from octoscope.viewer.document.options import DocumentOptions
from octoscope.viewer.editing.editor import Editor
from octoscope.viewer.editing.log import Log
from octoscope.viewer.editing.script import Script
from octoscope.viewer.editing.selection import added, removed, toggled
from octoscope.viewer.features.web.controls import BrowserHand, Controls
from octoscope.viewer.features.web.detail import Look
from octoscope.viewer.features.web.files import BrowserFiles
from octoscope.viewer.features.web.forms import BrowserForms
from octoscope.viewer.features.web.front import BrowserFront, Overlays
from octoscope.viewer.features.web.gizmo import WebGizmo
from octoscope.viewer.features.web.mirror import SceneMirror
from octoscope.viewer.features.web.others import Others
from octoscope.viewer.features.web.pace import Pace
from octoscope.viewer.features.web.page_light import PageBackdrop
from octoscope.viewer.features.web.panel import WebPanel
from octoscope.viewer.features.web.server import LOOPBACK, WebServer
from octoscope.viewer.frame.picking import PickSnapshot
from octoscope.viewer.frame.points import Rectangle
from octoscope.viewer.frame.projection import ViewProjection
from octoscope.viewer.frame.view import View
from octoscope.viewer.frame.viewports import PointerLocation, Viewport
from octoscope.viewer.settings.settings import Settings
from octoscope.viewer.tools.intents import Click
from octoscope.viewer.tools.tools import Tools

_MOST_TASKS = 1000  # that wait; more come from a browser only if it is meant to harm
_BUSY_SECONDS = 0.005  # between two steps while there is something to do
_IDLE_SECONDS = 0.05
_MODIFIERS: tuple[Any, ...] = (None, "shift", "cmd/ctrl")
_BOX_MODIFIERS: tuple[Any, ...] = ("shift", "cmd/ctrl")  # drags without any orbit
_WIDER = 2.0  # times what a browser sees to every side is drawn: so a camera may turn before the rest is there
_TILT = 1e-3  # radians
_DEPTHS = 0.001, 1000.0  # near and far plane of the browser's camera, in its units


@dataclass(frozen=True, kw_only=True)
class WebOptions(DocumentOptions):
    """Options of serving a document."""

    token: str  # part of the address
    host: str = LOOPBACK  # name or address to listen at
    port: int = 0  # 0 takes any that is free
    watch: bool = False
    data: Path | None = None  # folder of autosaves; None: there are none


class WebSession:
    """A document in browsers."""

    def __init__(self, scene: Scene, options: WebOptions) -> None:
        self.server = WebServer(options.host, options.port, options.token, options.title)
        self.log = Log()
        self.view = View(scene)
        self.editor = Editor(self.view, self.log)
        controls = Controls(self.server.viser, self.call)
        self._forms = BrowserForms(controls, lambda: self._acting)
        self._files = BrowserFiles(self._forms, self.log, self.editor.jobs, options.data)
        self.document = Document(self.editor, options, self._files.ask_path, data=options.data)
        self._scene = scene
        self._tasks: queue.SimpleQueue[Callable[[], object]] = queue.SimpleQueue()
        viser = self.server.viser
        self.mirror = SceneMirror(viser, self.view)
        self._paces: dict[int, Pace] = {}  # of browsers, by their numbers
        self._acting: ClientHandle | None = None  # the browser whose wish is done now
        self._clipboard = ""
        self._hand = BrowserHand(lambda: self._acting, viser.get_clients)
        self._overlays = Overlays(viser, self.editor, self.mirror.frame)
        self._backdrop = PageBackdrop(viser, self.view, self.mirror.frame, self._lens)
        self._others = Others(viser, self._lens)
        self._gizmo = WebGizmo(viser, self.editor, self.mirror.frame, self.call)
        self._set_up()
        self.script = Script(self.editor)
        self._context = self._make_context()
        self.shown = ShownScene(self._context)
        self._panel = WebPanel(viser, BrowserFront(self._context, self._forms, controls, self._overlays, self._hand))
        follow: Any = self._follow_camera
        viser.on_client_connect(follow)
        for modifier in _MODIFIERS:
            note: Any = self._note_click  # viser takes coroutines, too
            viser.scene.on_click(modifier=modifier)(note)
        for modifier in _BOX_MODIFIERS:
            note_box: Any = self._note_box
            viser.scene.on_rect_select(modifier=modifier)(note_box)

    def _set_up(self) -> None:
        """Set up what a browser shows before anything of the scene has come."""
        viser, scene = self.server.viser, self._scene
        self.view.update()
        self.view.framing.look_first()
        camera, frame = self.view.camera, self.mirror.frame
        viser.scene.set_up_direction("+z" if scene.up_axis == "z" else "+y")
        viser.gui.main_panel.dock_right()  # else it covers the scene
        initial = viser.initial_camera
        initial.position = frame.points(camera.position)
        initial.look_at = frame.points(camera.pivot)
        initial.up = (0.0, 0.0, 1.0) if scene.up_axis == "z" else (0.0, 1.0, 0.0)
        initial.fov = camera.fov_y_rad
        initial.near, initial.far = _DEPTHS

    def _make_context(self) -> Context:
        """Return what commands act on, and how they ask the browser that has run them."""
        forms = self._forms

        def rename() -> None:
            if len(ids := self.editor.selected_ids):
                node = int(ids[-1])
                forms.ask_text("Rename", "Name", str(self._scene.names[node]), partial(self.editor.rename, node))

        def keep(text: str) -> None:
            self._clipboard = text

        def stop() -> None:
            if self._hand.is_of(None):
                self._hand.take(None)
            elif not self.document.cancel():
                self.editor.select([])

        tools = Tools(self.editor)
        tools.hand = self._hand
        context = Context(
            editor=self.editor,
            tools=tools,
            document=self.document,
            recent=(),
            image_of=lambda pixels: None,
            ask=forms.ask,
            ask_path=self._files.ask_path,
            rename=rename,
            find=lambda: forms.ask_text("Find", "Name", "", self._panel.search),
            run=lambda command_id: self._panel.commands.run(command_id),
            show_panel=lambda panel_id: None,
            is_in_front=lambda panel_id: False,
            expect_field=lambda: None,
            open_menu=lambda menu: None,
            stop=stop,
            shown_keys=lambda command_id: "",
            copy=keep,
            paste=lambda: self._clipboard,
            table=lambda: self._panel.commands.table,
            settings=Settings(),
            script=self.script,
        )
        return context

    async def _note_click(self, event: SceneClickEvent) -> None:
        self.call(partial(self._click, event))

    def _click(self, event: SceneClickEvent) -> None:
        """Give a click to the tool in hand, or select as in the window: with Shift it is added, with Ctrl toggled."""
        tool = self._hand.tool
        if tool is not None and self._hand.is_of(event.client):
            snapshot = self._snapshot(event.client.camera)
            if snapshot is not None:
                viewport = Viewport(self._scene, snapshot.projection.camera, self.view.redraw)
                viewport.snapshot = snapshot
                pixel = snapshot.projection.area.pixel(event.screen_pos)
                location = PointerLocation(pixel, viewport, event.screen_pos, self.view.visibility.ground_height)
                tool.follow(Click(location))
            return
        self.editor.clicked_hit = hit = self._pick(event)
        before, modifier = self.editor.selected_ids, event.modifier
        if hit is not None:
            ids = [hit.node.id]
            self.editor.select(
                added(before, ids) if modifier == "shift" else toggled(before, ids) if modifier == "cmd/ctrl" else ids
            )
        elif modifier is None:
            self.editor.select([])

    def _pick(self, event: SceneClickEvent) -> Hit | NearHit | None:
        """Return what a ray from a browser hits among what can be selected; a line or point near it comes first."""
        scene, frame = self._scene, self.mirror.frame
        if len(scene.meshes.lines) or len(scene.meshes.points):
            snapshot = self._snapshot(event.client.camera)
            near = None if snapshot is None else snapshot.pick(event.screen_pos)
            if isinstance(near, NearHit):
                return near
        try:
            return scene.raycast(
                frame.world_points(np.array(event.ray_origin)),
                np.array(event.ray_direction),
                among=scene.layers == SELECTABLE,
            )
        except ValueError:  # a ray without a direction
            return None

    async def _note_box(self, event: SceneRectSelectEvent) -> None:
        self.call(partial(self._select_box, event))

    def _select_box(self, event: SceneRectSelectEvent) -> None:
        """Select all that touches a box of a browser's picture: with Shift it is added, with Ctrl removed."""
        snapshot = self._snapshot(event.client.camera)
        begin, end = (np.clip(corner, 0.0, 1.0) for corner in (event.screen_min, event.screen_max))
        if snapshot is None:
            return
        found = snapshot.pick_box(tuple(begin.tolist()), tuple(end.tolist()), wholly=False)
        before = self.editor.selected_ids
        self.editor.select(added(before, found) if event.modifier == "shift" else removed(before, found))

    def _snapshot(self, camera: CameraHandle) -> PickSnapshot | None:
        """Return what a browser's camera shows, for picking; None for a camera that is none."""
        lens = self._lens(camera)
        if lens is None:
            return None
        size = max(camera.image_width, 1), max(camera.image_height, 1)
        projection = ViewProjection(lens, Rectangle(0.0, 0.0, *size))
        return PickSnapshot(self._scene, projection, self._frustum(lens, camera), self._scene.index.shown_ids())

    def call(self, task: Callable[[], object], client: ClientHandle | None = None) -> None:
        """Hand a task, as a browser wishes it, to the next step; for any thread. Too many at once are dropped."""
        if self._tasks.qsize() < _MOST_TASKS:
            self._tasks.put(task if client is None else partial(self._do_for, client, task))

    def _do_for(self, client: ClientHandle, task: Callable[[], object]) -> None:
        """Do what a browser wishes, with its camera as the view's; where the task moves this, the browser's follows."""
        view, camera = self.view, client.camera
        snapshot = self._snapshot(camera)
        if snapshot is not None:
            view.layout.resize((max(camera.image_width, 1), max(camera.image_height, 1)))
            view.camera, view.active.snapshot = snapshot.projection.camera, snapshot
        before, self._acting = view.camera, client
        try:
            task()
        finally:
            self._acting = None
        if view.camera is not before:
            frame, lens = self.mirror.frame, view.camera
            _, up, backward = lens.axes
            # The page has no direction of its own to turn to where the camera looks straight up or down.
            tilt = -_TILT * lens.distance * (backward @ up_vector(self._scene.up_axis)) * up
            with client.atomic():
                camera.position = frame.points(lens.position + tilt)
                camera.look_at = frame.points(lens.pivot)

    def run(self) -> None:
        """Serve until the program is interrupted, or a task ends the document."""
        while not self.document.is_left:
            is_busy = self.step()
            self._wait(_BUSY_SECONDS if is_busy else _IDLE_SECONDS)

    def _wait(self, seconds: float) -> None:
        with suppress(queue.Empty):
            self._tasks.put(self._tasks.get(timeout=seconds))

    def step(self) -> bool:
        """Do what browsers asked for, take in what has changed, and send it; return whether there is more to do."""
        for _ in range(self._tasks.qsize()):
            self._tasks.get()()
        self.editor.poll()
        self.document.poll()
        self._files.update(self.document)
        self._answer_question()
        if not self.document.holds_scene:
            self.script.run_waiting()
            self.document.files.add()
            self.document.files.reload()
        self.view.update()
        self.mirror.update()
        self._overlays.update()
        self._backdrop.update()
        self._others.update()
        self._hand.drop_lost()
        self._gizmo.update(is_off=self._hand.tool is not None)
        self._panel.update()
        self.log.expire()
        cameras, has_more = self._cameras(), False
        if cameras:
            frustum = self._frustum(self._lens(cameras[0]), cameras[0])
            budget = self._budget(frustum)
            is_slow = any(pace.is_slow for pace in list(self._paces.values()))
            drawn = self._wide_frusta(cameras) if is_slow else None
            has_more = self.mirror.send(frustum, [self._look(each) for each in cameras], budget, drawn)
        return self.document.is_going or has_more or not self.mirror.is_complete or self.editor.is_traversing

    def close(self) -> None:
        """Stop serving; unsaved changes can be recovered."""
        self.document.abandon()
        self._files.close()
        self.server.stop()

    def _cameras(self) -> list[CameraHandle]:
        """Return the cameras of all browsers, first the one that has moved last."""
        cameras = [client.camera for client in self.server.viser.get_clients().values()]
        return sorted(cameras, key=lambda camera: camera.update_timestamp, reverse=True)

    async def _follow_camera(self, client: ClientHandle) -> None:
        """Note each message about a browser's camera, on the server's thread; frame all in new narrow pages."""
        pace = self._paces[client.client_id] = Pace()
        begin, is_new = self.server.viser.initial_camera.position, True  # which fits wide pages

        @client.camera.on_update
        async def _(camera: CameraHandle) -> None:
            nonlocal is_new
            pace.note(time.perf_counter())
            if is_new and camera.aspect < 1.0 and np.allclose(camera.position, begin):
                is_new = False
                self.call(partial(self.view.framing.frame_nodes, None), client)

    def _budget(self, frustum: Frustum | None) -> float:
        """Return the triangles and points that the slowest browser draws quickly enough."""
        known = set(self._paces)  # before the clients: one may connect meanwhile, on the server's thread
        clients = self.server.viser.get_clients()
        for number in known - clients.keys():
            del self._paces[number]
        paces = [self._paces[number] for number in clients if number in self._paces]
        if any(pace.has_news for pace in paces):
            drawn = self.mirror.seen_cost(frustum)
            for pace in paces:
                pace.update(drawn)
        now = time.perf_counter()
        return min((pace.budget(now) for pace in paces), default=math.inf)

    def _look(self, camera: CameraHandle) -> Look:
        """Return where a browser's camera is in the world."""
        return Look(self.mirror.frame.world_points(camera.position), _pixels_of(camera))

    def _frustum(self, lens: Camera | None, camera: CameraHandle) -> Frustum | None:
        try:
            if lens is not None:
                return Frustum.from_matrix(lens.clip_from_relative(float(camera.aspect)), lens.position)
        except (ValueError, ZeroDivisionError):  # what a browser sends may be anything
            pass
        return None

    def _wide_frusta(self, cameras: list[CameraHandle]) -> list[Frustum] | None:
        """Return frusta wider than what browsers see, by what a camera may turn meanwhile; None: everything."""
        found = []
        for camera in cameras:
            lens = self._lens(camera)
            if lens is not None:
                lens = replace(lens, fov_y_rad=2.0 * math.atan(_WIDER * math.tan(lens.fov_y_rad / 2.0)))
            frustum = self._frustum(lens, camera)
            if frustum is None:
                return None
            found.append(frustum)
        return found

    def _lens(self, camera: CameraHandle) -> Camera | None:
        """Return a browser's camera as one of ours, in the world; None for numbers that no camera has."""
        frame = self.mirror.frame
        position = frame.world_points(camera.position)
        rotation = np.roll(camera.wxyz, -1)
        distance = float(np.linalg.norm(camera.look_at - camera.position)) / frame.scale
        if not (abs(rotation @ rotation - 1.0) < 0.1 and 0.0 < distance < np.inf and 0.0 < camera.fov < np.pi):
            return None
        right, down, ahead = rotation_of_quaternion(rotation).T
        return Camera(
            pivot=position + distance * ahead,
            distance=distance,
            fov_y_rad=float(camera.fov),
            near=_DEPTHS[0] / frame.scale,
            far=_DEPTHS[1] / frame.scale,
        ).with_axes(np.array([right, -down, -ahead]))

    def _answer_question(self) -> None:
        """Show what the document asks, and answer what loses nothing: a browser does not decide about files."""
        question = self.document.question
        if question is not None:
            self.log.say("warning", f"{question.text} ({question.choices[-1].value})")
            self.document.answer(question.choices[-1])


def _pixels_of(camera: CameraHandle) -> float:
    """Return the pixels to a radian in the middle of a browser's picture; infinite for a camera that has none."""
    half_height = math.tan(min(max(float(camera.fov), 0.0), 3.0) / 2.0)
    return max(camera.image_height, 1) / (2.0 * half_height) if half_height > 0.0 else math.inf
