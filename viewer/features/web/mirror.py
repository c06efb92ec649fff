"""SceneMirror: keeps what browsers show equal to the scene.

A scene is sent to browsers in pieces. A mesh that several objects show is one piece: the mesh once, as GLB, and a row
for each object; many thousands of objects are divided by cells of an octree. Objects with a mesh of their own are
joined, those of one cell to one piece, as a browser is slow at many things and quick at large ones. The octree says
which pieces the browser's camera sees: these go first, then the nearest. What is far away is sent simplified, object
by object, with points in place of those that cover a pixel or two, or a few in a browser that draws slowly. Points
have the light of the meshes that they stand for, as the camera that has moved last sees these. A piece is
sent again when a camera comes nearer to such objects or goes far away; not so in a scene of few triangles.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from viser import ViserServer

from octoscope.octree import Frustum
from octoscope.scene.material_use import MaterialUse
from octoscope.viewer.features.web.detail import (
    MOST_OFF_PX,
    Look,
    Sizes,
    coarseness_for,
    distances_of,
    drawn_counts,
    errors_of,
    narrow_errors,
    widest_points,
    with_margin,
)
from octoscope.viewer.features.web.geometry import BrowserFrame, InstanceRows, can_be_instances, cells_of, glb_of
from octoscope.viewer.features.web.page_light import PageLight
from octoscope.viewer.features.web.pieces import WORTH_IT, Content, Piece, content_of
from octoscope.viewer.frame.view import View

_FEW = 3  # objects with one mesh: fewer are joined with others
_MOST_EDITED = 100  # objects that come one by one, not joined; more come as those of a new scene
_MOST_TRIANGLES = 60_000  # of a joined piece
_MOST_INSTANCES = 2_000  # of a piece: 80 KB, which go over again when one of them moves
_OBJECT_WEIGHT = 30  # an object counts as so many triangles more: 2,000 objects are as much as a cell may hold
_MOST_WHOLE = 50_000  # triangles of a scene of which nothing is simplified: any machine draws them
_LOOK_SECONDS = 0.5  # between two looks at how coarse pictures must be
_OVERLAP_SECONDS = 0.5  # for which the old look of a piece stays, until browsers have unpacked the new one
_SAME_SIDE = math.cos(math.radians(10.0))  # a camera that has turned about points by less sees them in the same light
_SENDING_SECONDS = 0.05  # between two looks at what else there is to do


class SceneMirror:
    """The copy of a scene that a viser server holds for its browsers."""

    def __init__(self, server: ViserServer, view: View) -> None:
        scene = view.scene
        self.frame = BrowserFrame.around(scene.index.bounds())
        # how many times what may be off in a picture an object may be wide of which there are points
        self.coarseness = 1.0
        self._server = server
        self._scene = scene
        self._view = view
        self._is_shown = self._is_cut = np.empty(0, dtype=bool)  # by node: as it was sent, by sections, too
        self._section, self._isolated = view.settings.section, view.visibility.isolated_ids  # as they were sent
        self._count = 0  # of pieces so far: the number of the next one
        self._waiting: dict[int, Piece] = {}  # by number, not sent yet
        self._sent: dict[int, Piece] = {}
        self._piece_of = np.empty(0, dtype=np.int64)  # (n,) number of the piece by node id, -1 in none
        self._errors = np.empty(0)  # (n,) how far a node may be off, as it was sent
        self._widths = np.empty(0)  # (n,) as of Content
        self._world = np.empty((0, 4, 4))  # as it was sent
        self._pairs = np.empty((0, 2), dtype=np.int64)  # mesh and material override, as they were sent
        self._revision = -1
        self._materials = scene.materials  # as they were sent
        self._use = MaterialUse(scene)
        self._meshes = scene.meshes
        self._is_light = True  # few triangles are shown
        self._light = PageLight(server, scene)
        self._due: list[int] = []  # pieces to be sent, the last one first
        self._looks: list[Look] = []  # for which they are due
        self._looked = -np.inf  # when it was found how coarse pictures must be
        self._leaving: list[tuple[float, list[Any]]] = []  # handles to be removed, and when, the first one first
        self._versions = 0  # of pieces' looks so far
        self._ordered_for: tuple[object, ...] = ()  # what that order follows from

    @property
    def is_complete(self) -> bool:
        """True if every piece was sent and the scene has not changed since."""
        return not self._waiting and self._revision == self._scene.world_revision

    @property
    def counts(self) -> tuple[int, int]:
        """The number of pieces that were sent, and of all."""
        return len(self._sent), len(self._sent) + len(self._waiting)

    def update(self) -> None:
        """Take in what has changed in the scene since the last time; what is new waits for `send`."""
        scene = self._scene
        visibility, section = self._view.visibility, self._view.settings.section
        recolored, revision, isolated = self._recolored(), scene.world_revision, visibility.isolated_ids
        is_recut, is_same = section != self._section, isolated is self._isolated
        if revision == self._revision and is_same and not (is_recut or len(recolored)):
            return
        changed = scene.changed_since(self._revision)
        self._revision, self._section, self._isolated = revision, section, isolated
        self._light.update()
        self._grow()
        shown_ids = visibility.left_by(section, visibility.shown_ids())
        shown, is_cut = np.zeros((2, scene.row_count), dtype=bool)
        shown[shown_ids] = True
        if section:
            is_cut[visibility.cut_ids(section)] = True
        remade = np.union1d(recolored, np.flatnonzero((is_cut != self._is_cut) | (is_cut & is_recut)))
        changed = np.union1d(changed, np.concatenate([remade, np.flatnonzero(shown != self._is_shown)])).astype(
            np.int64
        )
        self._is_shown, self._is_cut = shown, is_cut
        self._is_light = bool(scene.meshes.rows["triangle_count"][scene.mesh_ids[shown_ids]].sum() <= _MOST_WHOLE)
        was_replaced, self._meshes = self._meshes is not scene.meshes, scene.meshes
        pairs = np.stack([scene.mesh_ids[changed], scene.material_overrides[changed]], axis=1)
        has_moved = np.any(scene.world_from_local[changed] != self._world[changed], axis=(1, 2))
        has_changed = np.any(pairs != self._pairs[changed], axis=1) | was_replaced | np.isin(changed, remade)
        self._world[changed], self._pairs[changed] = scene.world_from_local[changed], pairs
        before = self._piece_of[changed]
        there = before >= 0
        joined = np.array([piece.pair is None for piece in self._all()], dtype=bool)
        numbers = np.array([*self._sent, *self._waiting], dtype=np.int64)
        is_joined = np.isin(self._piece_of[changed], numbers[joined])
        plain = can_be_instances(scene.world_from_local[changed[there & has_moved]])
        bent = np.zeros(len(changed), dtype=bool)
        bent[there & has_moved] = ~plain
        leaves = there & (~shown[changed] | has_changed | (has_moved & (is_joined | bent)))
        moved = there & ~leaves & has_moved
        self._take_out(changed[leaves])
        self._move(np.unique(self._piece_of[changed[moved]]))
        self._put_in(changed[shown[changed] & (self._piece_of[changed] < 0)])
        self._measure(np.unique(np.concatenate([before, self._piece_of[changed]])))

    def _recolored(self) -> np.ndarray:
        """Return the nodes that show a material which has other values than the last time: (k,) int."""
        before, now = self._materials, self._scene.materials
        if now is before:
            return np.empty(0, dtype=np.int64)
        self._materials = now
        pairs = enumerate(zip(before, now, strict=False))  # there may be more now
        changed = np.array([number for number, (old, new) in pairs if old is not new], dtype=np.int64)
        return np.union1d(*self._use.showing(changed))

    def send(
        self,
        frustum: Frustum | None,
        looks: list[Look],
        budget: float = np.inf,
        drawn: list[Frustum] | None = None,
    ) -> bool:
        """Send pieces for a moment; return if any are left.

        Those that a camera sees go first. Of these, new ones go from the nearest on, then those that are off most.

        Args:
            frustum: of the browser's camera that has moved last, world; None: it sees everything.
            looks: of all browsers, one or more, first that of this camera.
            budget: triangles and points that the slowest browser draws in time.
            drawn: pieces outside of all of these, world, are hidden; None: everything is drawn.
        """
        self._looks = looks
        self._choose_coarseness(frustum, budget)
        seen_from = [(look.position.tobytes(), look.pixels) for look in looks]
        state = (None if frustum is None else frustum.planes.tobytes(), *seen_from, self._count, self._revision)
        if (*state, self.coarseness) != self._ordered_for:
            self._ordered_for = (*state, self.coarseness)
            self._due = self._in_order(frustum, looks)
            self._hide(drawn)
        deadline = time.perf_counter() + _SENDING_SECONDS
        while self._due:
            number = self._due.pop()
            if number in self._waiting or number in self._sent:
                self._send(number)
            if time.perf_counter() > deadline:
                break
        is_lit = bool(self._due) or self._relight(deadline)
        while self._leaving and self._leaving[0][0] < time.perf_counter():
            for handle in self._leaving.pop(0)[1]:
                handle.remove()
        return bool(self._due) or not is_lit

    def _relight(self, deadline: float) -> bool:
        """Light points for the camera where that has gone around them since; return False if the time was up before."""
        eye = self._looks[0].position
        for piece in self._sent.values():
            if not piece.points:
                continue
            middle = (piece.lower + piece.upper) / 2.0
            before, now = piece.eye - middle, eye - middle
            if before @ now >= _SAME_SIDE * np.linalg.norm(before) * np.linalg.norm(now):
                continue
            if time.perf_counter() > deadline:
                return False
            piece.eye = eye
            errors, widths = self._errors[piece.ids], self._widths[piece.ids]
            content = content_of(self._scene, self.frame, piece, errors, widths, eye, has_meshes=False)
            for width, specks in content.specks.by_width().items():
                piece.points[width].colors = specks.colors
        return True

    def seen_cost(self, frustum: Frustum | None) -> float:
        """Return how many triangles and points a browser draws for a frustum, world; None: for all."""
        seen = self._piece_of[self._seen(frustum)]
        times = np.bincount(seen[seen >= 0], minlength=self._count)
        return float(sum(piece.cost * times[number] / len(piece.ids) for number, piece in self._sent.items()))

    def _seen(self, frustum: Frustum | None) -> np.ndarray:
        index = self._scene.index
        return index.shown_ids() if frustum is None else index.cull(frustum)

    def _choose_coarseness(self, frustum: Frustum | None, budget: float) -> None:
        """Find how coarse pictures must be for a budget, now and then."""
        if time.perf_counter() - self._looked < _LOOK_SECONDS and budget < np.inf:
            return
        self._looked = time.perf_counter()
        if budget == np.inf or self._is_light:
            self.coarseness = 1.0
            return
        seen = self._seen(frustum)
        self.coarseness = coarseness_for(budget, self._allowed(seen), self._sizes_of(seen), self.coarseness)

    def _allowed(self, ids: np.ndarray) -> np.ndarray:
        """Return how far (k,) nodes may be off now: (k,) float64."""
        if self._is_light:
            return np.zeros(len(ids))
        spheres = self._scene.world_spheres[ids]
        return errors_of(spheres[:, :3] - spheres[:, 3:], spheres[:, :3] + spheres[:, 3:], self._looks)

    def _sizes_of(self, ids: np.ndarray) -> Sizes:
        scene = self._scene
        triangles = scene.meshes.rows["triangle_count"][scene.mesh_ids[ids]]
        return Sizes(scene.world_spheres[ids, 3], triangles, narrow_errors(scene, ids))

    def _in_order(self, frustum: Frustum | None, looks: list[Look]) -> list[int]:
        """Return the pieces that are to be sent, the last one first; as `send`."""
        state = (*(look.pixels for look in looks), self.coarseness, self._is_light)
        places = np.array([look.position for look in looks]).reshape(-1, 3)
        urgencies = {}
        for number, piece in self._sent.items():
            if not piece.is_good_for(places, state):
                urgency = self._urgency(piece)
                if urgency is not None:
                    urgencies[number] = urgency
                else:
                    piece.state, piece.places = state, places
        if not (urgencies or self._waiting):
            return []
        seen = self._piece_of[self._seen(frustum)]
        is_seen = np.zeros(self._count, dtype=bool)
        is_seen[seen[seen >= 0]] = True
        boxes = np.array([(piece.lower, piece.upper) for piece in self._waiting.values()]).reshape(-1, 2, 3)
        far = distances_of(boxes[:, 0], boxes[:, 1], looks[0].position).tolist()
        # What browsers have nothing of comes before what is off in their pictures.
        keys = {number: (not is_seen[number], False, place) for number, place in zip(self._waiting, far, strict=True)}
        keys |= {number: (not is_seen[number], True, urgency) for number, urgency in urgencies.items()}
        return sorted(keys, key=lambda number: keys[number], reverse=True)

    def _urgency(self, piece: Piece) -> float | None:
        """Return how good a piece that was sent is, 1 for just good enough; infinite: too good. None: it may stay."""
        allowed, widths = self._allowed(piece.ids), self._widths[piece.ids]
        needs = np.where(widths > 0.0, widths / self.coarseness, self._errors[piece.ids])
        is_off = needs > 0.0
        worst = float((allowed[is_off] / needs[is_off]).min(initial=np.inf))
        if worst < 1.0:
            return worst
        if self._is_light:
            piece.reach = np.inf
            return None
        if drawn_counts(allowed, self._sizes_of(piece.ids), self.coarseness).sum() < WORTH_IT * piece.drawn:
            return np.inf
        pixels = min(look.pixels for look in self._looks) / MOST_OFF_PX  # so many units more, an error may be 1 more
        spare = float((allowed - needs)[is_off].min(initial=np.inf))
        piece.reach = pixels * min(spare, float(np.median(allowed)) / 2.0) if pixels < np.inf else 0.0
        return None

    def _hide(self, drawn: list[Frustum] | None) -> None:
        """Hide the pieces that were sent and are outside of all frusta; show the others."""
        pieces = list(self._sent.values())
        boxes = np.array([(piece.lower, piece.upper) for piece in pieces]).reshape(-1, 2, 3)
        is_hidden = np.full(len(pieces), drawn is not None)
        for frustum in drawn or []:
            middles, halves = boxes.mean(axis=1) - frustum.origin, (boxes[:, 1] - boxes[:, 0]) / 2.0
            normals = frustum.planes[:, :3].T
            farthest = middles @ normals + frustum.planes[:, 3] + halves @ np.abs(normals)  # of a box, inward
            is_hidden &= (farthest < 0.0).any(axis=1)
        for piece, hides in zip(pieces, is_hidden.tolist(), strict=True):
            if hides != piece.is_hidden:
                piece.is_hidden = hides
                for handle in piece.handles:
                    handle.visible = not hides

    def _all(self) -> list[Piece]:
        return [*self._sent.values(), *self._waiting.values()]

    def _grow(self) -> None:
        more = self._scene.row_count - len(self._piece_of)
        if more > 0:
            self._piece_of = np.concatenate([self._piece_of, np.full(more, -1)])
            self._errors = np.concatenate([self._errors, np.zeros(more)])
            self._widths = np.concatenate([self._widths, np.zeros(more)])
            self._is_shown, self._is_cut = (
                np.concatenate([flags, np.zeros(more, dtype=bool)]) for flags in (self._is_shown, self._is_cut)
            )
            self._world = np.concatenate([self._world, np.zeros((more, 4, 4))])
            self._pairs = np.concatenate([self._pairs, np.full((more, 2), -1)])

    def _put_in(self, ids: np.ndarray) -> None:
        if len(ids) == 0:
            return
        scene, rows = self._scene, self._scene.meshes.rows
        mesh_ids = scene.mesh_ids[ids]
        plain = can_be_instances(scene.world_from_local[ids])
        plain &= ~self._is_cut[ids]
        plain &= (rows["line_count"][mesh_ids] == 0) & (rows["point_count"][mesh_ids] == 0)
        _, firsts, kind, counts = np.unique(
            self._pairs[ids] @ (len(scene.materials) + 1, 1), return_index=True, return_inverse=True, return_counts=True
        )
        pairs = self._pairs[ids[firsts]]
        is_edited = len(self._sent) + len(self._waiting) > 0 and len(ids) <= _MOST_EDITED  # and will be again
        many = plain & ((counts[kind] >= _FEW) | is_edited)
        known = {piece.pair: number for number, piece in self._numbered() if piece.pair is not None}
        for index in np.unique(kind[many]).tolist():
            pair = (int(pairs[index, 0]), int(pairs[index, 1]))
            members = ids[many & (kind == index)]
            most = max(_MOST_INSTANCES, int(rows["triangle_count"][pair[0]]))  # the mesh goes over again for each piece
            if pair in known and len(self._piece(known[pair]).ids) + len(members) <= most:
                self._extend(known[pair], members)
                continue
            center = rows["sphere"][pair[0], :3]
            for cell in cells_of(scene.world_spheres[members, :3], np.ones(len(members)), most):
                self._add(Piece(members[cell], pair, center))
        rest = ids[~many]
        weights = rows["triangle_count"][scene.mesh_ids[rest]] + _OBJECT_WEIGHT
        for cell in cells_of(scene.world_spheres[rest, :3], weights, _MOST_TRIANGLES):
            self._add(Piece(rest[cell], None))

    def _piece(self, number: int) -> Piece:
        return self._sent.get(number) or self._waiting[number]

    def _numbered(self) -> list[tuple[int, Piece]]:
        return [*self._sent.items(), *self._waiting.items()]

    def _add(self, piece: Piece) -> None:
        self._waiting[self._count] = piece
        self._piece_of[piece.ids] = self._count
        self._errors[piece.ids] = self._widths[piece.ids] = 0.0
        self._count += 1

    def _measure(self, numbers: np.ndarray) -> None:
        """Compute the boxes of pieces anew, of those among the numbers that are pieces."""
        for number in numbers.tolist():
            if number in self._sent or number in self._waiting:
                piece = self._piece(number)
                spheres = self._scene.world_spheres[piece.ids]
                piece.lower = (spheres[:, :3] - spheres[:, 3:]).min(axis=0)
                piece.upper = (spheres[:, :3] + spheres[:, 3:]).max(axis=0)

    def _extend(self, number: int, ids: np.ndarray) -> None:
        piece = self._piece(number)
        piece.ids = np.concatenate([piece.ids, ids])
        self._errors[ids] = self._widths[ids] = 0.0
        self._piece_of[ids] = number
        self._move(np.array([number]))

    def _take_out(self, ids: np.ndarray) -> None:
        for number in np.unique(self._piece_of[ids]).tolist():
            piece = self._piece(number)
            piece.ids = np.setdiff1d(piece.ids, ids).astype(np.int32)
            if len(piece.ids) == 0:
                self._drop(number)
            elif number in self._sent and piece.pair is None:
                self._show(number, piece, self._content(piece, self._errors[piece.ids]), at_once=True)
            elif number in self._sent:
                self._move(np.array([number]))
        self._piece_of[ids] = -1

    def _drop(self, number: int) -> None:
        piece = self._sent.pop(number, None) or self._waiting.pop(number)
        for handle in piece.handles:
            handle.remove()

    def _move(self, numbers: np.ndarray) -> None:
        """Send the places of all instances of some pieces again."""
        for number in numbers.tolist():
            piece = self._sent.get(number)
            if piece is None:
                continue
            errors = self._errors[piece.ids]
            content = self._content(piece, errors, has_meshes=False)
            points = content.specks.by_width()
            piece.state = ()
            if points.keys() != piece.points.keys() or content.others.keys() != piece.meshes.keys():
                self._show(number, piece, self._content(piece, errors), at_once=True)
                continue
            self._errors[piece.ids], self._widths[piece.ids] = content.errors, content.widths
            with self._server.atomic():
                for error, handles in piece.meshes.items():
                    rows = self._rows_of(piece, content.others[error])
                    for handle in handles:
                        handle.batched_positions = rows.positions
                        handle.batched_wxyzs = rows.wxyzs
                        handle.batched_scales = rows.scales
                for width, handle in piece.points.items():
                    handle.points = self.frame.points(points[width].positions).astype(np.float32)
                    handle.colors = points[width].colors

    def _rows_of(self, piece: Piece, ids: np.ndarray) -> InstanceRows:
        return InstanceRows.of(self.frame.matrices(self._scene.world_from_local[ids]), piece.center)

    def _send(self, number: int) -> None:
        """Send a piece as cameras are now, unless it was sent before and is hardly simpler now."""
        is_new = number in self._waiting
        piece = self._sent[number] = self._waiting.pop(number) if is_new else self._sent[number]
        urgency = 0.0 if is_new else self._urgency(piece)
        if urgency is None:  # cameras have moved since
            return
        allowed, sizes = self._allowed(piece.ids), self._sizes_of(piece.ids)
        content = self._content(piece, with_margin(allowed, sizes))
        piece.drawn = float(drawn_counts(allowed, sizes, self.coarseness).sum())
        piece.state = ()
        if urgency < 1.0 or content.cost <= WORTH_IT * piece.cost:
            self._show(number, piece, content)

    def _content(self, piece: Piece, errors: np.ndarray, *, has_meshes: bool = True) -> Content:
        """Return what a piece is sent as if its objects may be off by (k,) errors, for cameras as they are now."""
        widest = widest_points(self._allowed(piece.ids), self.coarseness)
        piece.eye = self._looks[0].position if self._looks else np.zeros(3)
        planes = self._view.settings.section.planes_about(self.frame.origin)
        planes[:, 3] *= self.frame.scale
        cuts = planes if self._is_cut[piece.ids].any() else planes[:0]
        return content_of(self._scene, self.frame, piece, errors, widest, piece.eye, cuts=cuts, has_meshes=has_meshes)

    def _show(self, number: int, piece: Piece, content: Content, *, at_once: bool = False) -> None:
        """Send a piece, in place of what was sent of it before, which goes a moment later or `at_once`."""
        scene, old = self._scene, piece.handles
        self._versions += 1
        name = f"/scene/{number}.{self._versions}"
        shadowless: Any = {"cast_shadow": False, "receive_shadow": False}
        piece.meshes, piece.points, piece.cost, piece.state = {}, {}, content.cost, ()
        self._errors[piece.ids], self._widths[piece.ids] = content.errors, content.widths
        for group, (error, meshes) in enumerate(content.meshes.items()):
            if piece.pair is None:
                # A section may leave nothing.
                glbs = [glb_of(meshes, scene.materials)] if meshes else []
                piece.meshes[error] = [self._server.scene.add_glb(name, glb, **shadowless) for glb in glbs]
                continue
            rows = self._rows_of(piece, content.others[error])
            piece.meshes[error] = [
                self._server.scene.add_batched_glb(
                    f"{name}.{group}.{part}",
                    glb_of([mesh], scene.materials),
                    batched_wxyzs=rows.wxyzs,
                    batched_positions=rows.positions,
                    batched_scales=rows.scales,
                    lod="off",
                    **shadowless,
                )
                for part, mesh in enumerate(meshes)
            ]
        for place, (width, specks) in enumerate(content.specks.by_width().items()):
            piece.points[width] = self._server.scene.add_point_cloud(
                f"{name}.points{place}",
                self.frame.points(specks.positions),
                specks.colors,
                point_size=width * self.frame.scale / 2.0,  # viser draws twice as much
                precision="float32",
                point_shading="flat",
            )
        for handle in piece.handles if piece.is_hidden else []:
            handle.visible = False
        if at_once:
            for handle in old:
                handle.remove()
        elif old:
            self._leaving.append((time.perf_counter() + _OVERLAP_SECONDS, old))
