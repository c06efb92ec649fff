"""Questions to a scene about where things are, and the comparison of two scenes' answers.

Handles that answer (octree, measurer, view) are made once and held, as a script holds them: what they have kept from
earlier questions must not show in later answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import astuple

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene import EditError, Scene, WriteError, editing, find_overlaps, selecting
from octoscope.scene.bake import baked
from octoscope.scene.formats.export import exported_nodes, is_moved, nodes_to_bake
from octoscope.scene.measuring import Anchor, Measurement, Measurer
from octoscope.scene.measuring.measurements import shown_measurements, world_points
from octoscope.scene.measuring.snapping import sides_of, snaps_near
from octoscope.scene.nodes.bounds import world_boxes
from octoscope.scene.nodes.layers import HIDDEN, SHOWN
from octoscope.scene.spatial.frustum_select import nodes_in_frustum
from octoscope.viewer.camera.camera import Camera
from octoscope.viewer.frame.view import View
from tests.oracles import EVERYTHING, frustum_clearance, random_camera, ray_clearance
from tests.scene.editing.walks import made_anew
from tests.scene.spatial.sphere_rays import shown_on_ray

_SIZE = (64, 48)
_RAYS = 6


class Answers:
    """A scene's answers.

    Args:
        ids: (k,) the ids by which another scene calls this one's nodes 0, 1, ...; None: by their own.

    Attributes:
        questions: by name. Answers are nested lists, arrays, numbers and texts.
    """

    def __init__(self, scene: Scene, ids: np.ndarray | None = None) -> None:
        self._scene = scene
        self._ids = ids
        rng = np.random.default_rng(7)
        self._index, self._measurer, self._view = scene.index, Measurer(scene), View(scene)
        self._view.camera = Camera(pivot=np.zeros(3), distance=30.0)
        self._view.settings.culling = False
        cameras = [EVERYTHING, *(random_camera(rng, np.zeros(3), 10.0) for _ in range(3))]
        self._frusta = [Frustum.from_matrix(camera) for camera in cameras]
        self._origins = 25.0 * rng.normal(size=(_RAYS, 3))
        towards = rng.normal(size=(_RAYS, 3)) - self._origins
        self._directions = towards / np.linalg.norm(towards, axis=1, keepdims=True)
        self.questions: dict[str, Callable[[], object]] = {
            "world_from_local": lambda: self._by_node(scene.world_from_local),
            "world_spheres": lambda: self._by_node(scene.world_spheres)[self._by_node(scene.mesh_ids) >= 0],
            "layers": lambda: self._by_node(scene.layers),
            "node.world_from_local": lambda: [node.world_from_local for node in scene],
            "bounds": lambda: [scene.bounds(), *(scene.bounds([node]) for node in scene.ids)],
            "world_boxes": lambda: world_boxes(scene, scene.ids),
            "world_transforms": self._world_transforms,
            "index.bounds": lambda: self._index.bounds(),
            "index.ids": lambda: [self._named(find()) for find in (self._index.all_ids, self._index.shown_ids)],
            "index.broken_ids": lambda: self._named(self._index.broken_ids()),
            "index.cull": lambda: self._in_each_frustum(self._culled),
            "index.raycast": self._spheres_on_rays,
            "index.contains": lambda: self._index.frozen().contains(scene.ids[:3]).tolist(),
            "index.stats": lambda: (
                len(self._index),
                self._index.stats().spheres,
                int(self._index.frozen(completely=True).cells().counts.sum()),
            ),
            "nodes_in_frustum": lambda: self._in_each_frustum(
                lambda frustum, layers: nodes_in_frustum(self._index, frustum, layers=layers)
            ),
            "nodes wholly in_frustum": lambda: self._in_each_frustum(
                lambda frustum, layers: nodes_in_frustum(self._index, frustum, layers=layers, wholly=True)
            ),
            "raycast": lambda: self._hits(all_hits=False),
            "raycast all": lambda: self._hits(all_hits=True),
            "raycast_many": self._many_hits,
            "snap": self._snaps,
            "selectable_ids": lambda: self._named(selecting.selectable_ids(scene)),
            "measure": lambda: [astuple(self._measurer.measure([node])) for node in scene.ids],
            "measurements": self._measurements,
            "find_overlaps": lambda: [self._named(pairs) for pairs in find_overlaps(scene)],
            "drop": lambda: self._outcome(lambda ids: editing.drop(scene, ids)),
            "align": lambda: self._outcome(lambda ids: editing.align(scene, ids, x="min")),
            "baked": self._written,
            "frame": self._frame,
            "view.shown_ids": lambda: self._named(self._view.visibility.shown_ids()),
        }

    def ask(self, question: str) -> object:
        """The answer as it is now."""
        with np.errstate(all="ignore"):
            return self.questions[question]()

    def ask_all(self) -> dict[str, object]:
        """All answers, by question."""
        return {question: self.ask(question) for question in self.questions}

    def _by_node(self, column: np.ndarray) -> np.ndarray:
        return column[self._scene.ids]

    def _named(self, ids: np.ndarray) -> np.ndarray:
        """Ids as the other scene calls them, ascending."""
        ids = ids if self._ids is None else self._ids[ids]
        return np.sort(ids) if ids.ndim == 1 else ids

    def _world_transforms(self) -> object:
        try:
            return editing.world_transforms(self._scene, self._scene.ids)
        except EditError as error:
            return str(error)

    def _in_each_frustum(self, find: Callable[[Frustum, int], np.ndarray]) -> list[np.ndarray]:
        return [self._named(find(frustum, layers)) for frustum in self._frusta for layers in (SHOWN, HIDDEN)]

    def _culled(self, frustum: Frustum, layers: int) -> np.ndarray:
        """Culling may keep more than it must, and what more depends on the octree: that does not count."""
        ids = self._index.cull(frustum, layers=layers)
        spheres = self._scene.world_spheres[ids]
        return ids[frustum_clearance(frustum.planes, spheres[:, :3], spheres[:, 3]) < 0.0]

    def _spheres_on_rays(self) -> list[np.ndarray]:
        answers = []
        for origin, direction in zip(self._origins, self._directions, strict=True):
            ids = shown_on_ray(self._index, origin, direction)[0]
            spheres = self._scene.world_spheres[ids]
            met = ray_clearance(origin, direction, np.inf, spheres[:, :3], spheres[:, 3]) < 0.0
            answers.append(self._named(ids[met]))
        return answers

    def _hits(self, *, all_hits: bool) -> list[list[object]]:
        """Return distance and point of hits, with node and triangle where no other hit is as near: any may be first."""
        answers = []
        for origin, direction in zip(self._origins, self._directions, strict=True):
            hits = self._scene.raycast_all(origin, direction)
            t = np.array([hit.t for hit in hits])
            alone = [np.sum(np.isclose(t, each, rtol=1e-9)) == 1 for each in t]
            if not all_hits:
                hits = [hit for hit in [self._scene.raycast(origin, direction)] if hit is not None]
            answers.append(
                [
                    (hit.t, hit.point, *((self._named(np.array([hit.node.id])), hit.triangle) if single else ()))
                    for hit, single in zip(hits, alone, strict=False)
                ]
            )
        return answers

    def _many_hits(self) -> np.ndarray:
        return self._scene.raycast_many(self._origins, self._directions).t

    def _snaps(self) -> list[object]:
        pixels_from_relative = np.diag((10.0, 10.0, 1.0, 1.0))
        answers = []
        for origin, direction in zip(self._origins, self._directions, strict=True):
            hits = self._scene.raycast_all(origin, direction)
            if len(hits) == 1:
                sides = sides_of(self._scene, np.array([(hits[0].node.id, hits[0].triangle)]))
                found = snaps_near(self._scene, sides, (0.0, 0.0), pixels_from_relative, np.zeros(3), 1e6)
                answers.append([(each.kind, each.point) for each in found])
        return answers

    def _measurements(self) -> list[object]:
        scene, before = self._scene, self._scene.measurements
        measured = [
            Measurement("distance", (Anchor(node, (1.0, 2.0, 3.0)), Anchor(-1, (0.0, 0.0, 0.0))))
            for node in scene.ids.tolist()
        ]
        try:
            scene.measurements = measured
            shown = shown_measurements(scene)
        finally:
            scene.measurements = before
        points = [world_points(scene, measurement.anchors) for measurement in measured]
        return [[each in shown for each in measured], points]

    def _outcome(self, operation: Callable[[np.ndarray], object]) -> object:
        """Return the changes that an operation would make to some objects."""
        scene = self._scene
        ids = scene.ids[scene.mesh_ids[scene.ids] >= 0][:6]
        try:
            edit = operation(ids)
        except EditError as error:
            return str(error)
        return [(change.column, self._named(change.ids[None]), change.after) for change in edit.changes], edit.notes

    def _written(self) -> object:
        """Return the data that writers of formats without transforms write."""
        scene, notes = self._scene, []
        try:
            ids = nodes_to_bake(scene, exported_nodes(scene), notes)
        except WriteError as error:
            return str(error)
        batch = baked(scene, ids)
        return notes, is_moved(scene, ids), batch.positions, batch.normals, batch.triangles, batch.material_ids

    def _frame(self) -> object:
        frame = self._view.build_frames(_SIZE)[0].frame
        drawn = frame.visible
        commands = [(element, drawn.commands[element]) for element in sorted(drawn.commands)]
        return (
            frame.camera.clip_from_relative,
            frame.scene.instances.packed(0, len(frame.scene.instances))[drawn.nodes],
            commands,
            None if frame.grid is None else astuple(frame.grid),
        )


def answers_anew(scene: Scene) -> dict[str, object]:
    """Return the answers of a new scene of the same nodes, which was never asked or edited before."""
    return Answers(made_anew(scene), scene.ids).ask_all()


def assert_same(given: object, expected: object, question: str) -> None:
    """Equal, but for what rounding does to a distance that is found from another side."""
    if isinstance(expected, (list, tuple)):
        assert len(given) == len(expected), question
        for one, other in zip(given, expected, strict=True):
            assert_same(one, other, question)
    elif isinstance(expected, (np.ndarray, float)):
        np.testing.assert_allclose(given, expected, rtol=1e-9, atol=1e-9, err_msg=question)
    else:
        assert given == expected, question
