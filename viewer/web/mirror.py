"""SceneMirror: keeps what browsers show equal to the scene.

A scene is sent to browsers in pieces. A mesh that several objects show is one piece: the mesh once, as GLB, and a row
for each object; many thousands of objects are divided by cells of an octree. Objects with a mesh of their own are
joined, those of one cell to one piece, as a browser is slow at many things and quick at large ones. The octree says
which pieces the browser's camera sees: these go first, then the nearest. A piece that is far away is sent simplified,
with points in place of objects that cover a pixel or two, and again when a camera comes nearer or goes far away; not
so in a scene of few triangles.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from viser import ViserServer

from octree import Frustum
from scene import MeshData, Scene
from scene.bake import transformed
from scene.formats.tiles.geometry import TileGeometry
from viewer.web.detail import (
    Look,
    Specks,
    are_narrow,
    distances_of,
    errors_of,
    point_width,
    simpler,
    specks_of,
    with_margin,
)
from viewer.web.geometry import (
    BrowserFrame,
    InstanceRows,
    by_material,
    can_be_instances,
    cells_of,
    glb_of,
    with_overrides,
)

_FEW = 3  # objects with one mesh: fewer are joined with others
_MOST_TRIANGLES = 60_000  # of a joined piece
_MOST_INSTANCES = 5_000  # of a piece: 0.2 MB, which go over again when one of them moves
_OBJECT_WEIGHT = 30  # an object counts as so many triangles more: 2,000 objects are as much as a cell may hold
_MOST_WHOLE = 50_000  # triangles of a scene of which nothing is simplified: any machine draws them
_TOO_FINE = 4.0  # times what may be off in a picture: what is off by less is made simpler
_WORTH_IT = 0.7  # of what a browser has to draw: what takes more than this is not worth to be sent again
_OVERLAP_SECONDS = 0.5  # for which the old look of a piece stays, until browsers have unpacked the new one
_SKY_COLOR, _GROUND_COLOR = (235, 240, 255), (120, 110, 100)
_SKY_LIGHT = 1.5  # its strength, beside viser's own lights
_SENDING_SECONDS = 0.05  # between two looks at what else there is to do


@dataclass(eq=False)
class Piece:
    """A part of the scene that is sent at once.

    Attributes:
        ids: (k,) int32 nodes.
        pair: mesh and material override that all of them have, if they are instances; None: they are joined.
        center: (3,) local point that the vertices of an instances' mesh are about.
        lower: (3,) corner of the box around its objects' spheres, world.
        upper: (3,) the other one.
        meshes: viser's handles of what is not points, one for each material of instances; empty before it is sent.
        points: viser's handle of the points in place of tiny objects, or None.
        cost: triangles and points that a browser draws.
        error: how far what was sent may be off, world units; 0: it is the scene's own.
        tried: the error for which a simpler look was made last, whether it was sent or not.
    """

    ids: np.ndarray
    pair: tuple[int, int] | None
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    lower: np.ndarray = field(default_factory=lambda: np.zeros(3))
    upper: np.ndarray = field(default_factory=lambda: np.zeros(3))
    meshes: list[Any] = field(default_factory=list)
    points: Any = None
    cost: int = 0
    error: float = 0.0
    tried: float = 0.0

    @property
    def handles(self) -> list[Any]:
        """All of viser's handles."""
        return self.meshes if self.points is None else [*self.meshes, self.points]


class _Content(NamedTuple):
    """The points and meshes that a piece is sent as.

    Attributes:
        specks: points in place of tiny nodes.
        others: (k,) int32 the other nodes.
        meshes: of the others, one for each material: in the browser's frame if they are joined; those of one instance.
        cost: as of Piece.
        error: as of Piece.
    """

    specks: Specks
    others: np.ndarray
    meshes: list[MeshData]
    cost: int
    error: float


class SceneMirror:
    """The copy of a scene that a viser server holds for its browsers.

    Args:
        server: to show it.
        scene: to be shown.

    Attributes:
        frame: the frame of everything that is sent.
    """

    def __init__(self, server: ViserServer, scene: Scene) -> None:
        self.frame = BrowserFrame.around(scene.index.bounds())
        self._server = server
        self._scene = scene
        self._count = 0  # of pieces so far: the number of the next one
        self._waiting: dict[int, Piece] = {}  # by number, not sent yet
        self._sent: dict[int, Piece] = {}
        self._piece_of = np.empty(0, dtype=np.int64)  # (n,) number of the piece by node id, -1 in none
        self._world = np.empty((0, 4, 4))  # as it was sent
        self._pairs = np.empty((0, 2), dtype=np.int64)  # mesh and material override, as they were sent
        self._revision = self._materials_revision = -1
        self._meshes = scene.meshes
        self._is_light = True  # few triangles are shown
        self._is_lit_for_metal: bool | None = None  # as it was sent
        self._due: list[tuple[int, float]] = []  # pieces to be sent, the last one first, and how far they may be off
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
        if self._materials_revision != scene.materials_revision and self._revision >= 0:
            self._drop_all()
        self._materials_revision = scene.materials_revision
        revision = scene.world_revision
        if revision == self._revision:
            return
        changed = scene.changed_since(self._revision)
        self._revision = revision
        self._set_lights()
        self._grow()
        shown_ids = scene.index.shown_ids()
        shown = np.zeros(scene.row_count, dtype=bool)
        shown[shown_ids] = True
        self._is_light = bool(scene.meshes.rows["triangle_count"][scene.mesh_ids[shown_ids]].sum() <= _MOST_WHOLE)
        was_replaced, self._meshes = self._meshes is not scene.meshes, scene.meshes
        pairs = np.stack([scene.mesh_ids[changed], scene.material_overrides[changed]], axis=1)
        has_moved = np.any(scene.world_from_local[changed] != self._world[changed], axis=(1, 2))
        has_changed = np.any(pairs != self._pairs[changed], axis=1) | was_replaced
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

    def _set_lights(self) -> None:
        """Light the scene by viser's own lights, without shadows, and by what its materials need beside these.

        Metal mirrors an environment and is dark without one. Where there is no metal, light from the sky and from the
        ground takes a third of the time, in a browser without a graphics card.
        """
        has_metal = any(material.metallic > 0.0 for material in self._scene.materials)
        if has_metal == self._is_lit_for_metal:
            return
        self._is_lit_for_metal = has_metal
        lit = self._server.scene
        lit.configure_default_lights(cast_shadow=False)
        lit.configure_environment_map("warehouse" if has_metal else None)
        lit.add_light_hemisphere(
            "/sky",
            sky_color=_SKY_COLOR,
            ground_color=_GROUND_COLOR,
            intensity=_SKY_LIGHT,
            position=(0.0, 0.0, 1.0) if self._scene.up_axis == "z" else (0.0, 1.0, 0.0),  # where the sky is
            visible=not has_metal,
        )

    def send(self, frustum: Frustum | None, looks: list[Look]) -> bool:
        """Send pieces for a moment; return if any are left.

        Those that a camera sees go first. Of these, new ones go from the nearest on, then those that are off most.

        Args:
            frustum: of the browser's camera that has moved last, world; None: it sees everything.
            looks: of all browsers, one or more, first that of this camera.
        """
        seen_from = [(look.position.tobytes(), look.pixels) for look in looks]
        state = (None if frustum is None else frustum.planes.tobytes(), *seen_from, self._count, self._revision)
        if state != self._ordered_for:
            self._ordered_for = state
            self._due = self._in_order(frustum, looks)
        deadline = time.perf_counter() + _SENDING_SECONDS
        while self._due:
            number, error = self._due.pop()
            if number in self._waiting or number in self._sent:
                self._send(number, error)
            if time.perf_counter() > deadline:
                break
        while self._leaving and self._leaving[0][0] < time.perf_counter():
            for handle in self._leaving.pop(0)[1]:
                handle.remove()
        return bool(self._due)

    def _in_order(self, frustum: Frustum | None, looks: list[Look]) -> list[tuple[int, float]]:
        """Return the pieces that are to be sent, the last one first, and how far each may be off; as `send`."""
        pieces = dict(self._numbered())
        boxes = np.array([(piece.lower, piece.upper) for piece in pieces.values()]).reshape(-1, 2, 3)
        allowed = np.zeros(len(boxes)) if self._is_light else errors_of(boxes[:, 0], boxes[:, 1], looks)
        errors = dict(zip(pieces, allowed.tolist(), strict=True))
        due = [
            number
            for number, piece in pieces.items()
            if number in self._waiting or errors[number] < piece.error or errors[number] > _TOO_FINE * piece.tried
        ]
        if not due:
            return []
        index = self._scene.index
        seen = index.shown_ids() if frustum is None else index.cull(frustum)
        is_seen = np.zeros(self._count, dtype=bool)
        is_seen[self._piece_of[seen][self._piece_of[seen] >= 0]] = True
        far = dict(zip(pieces, distances_of(boxes[:, 0], boxes[:, 1], looks[0].position).tolist(), strict=True))

        def urgency(number: int) -> tuple[bool, bool, float]:
            """Return a key that puts what browsers have nothing of before what is off in their pictures."""
            sent = self._sent.get(number)
            place = far[number] if sent is None else errors[number] / sent.error if sent.error > 0.0 else np.inf
            return not is_seen[number], sent is not None, place

        return [(number, with_margin(errors[number])) for number in sorted(due, key=urgency, reverse=True)]

    def _all(self) -> list[Piece]:
        return [*self._sent.values(), *self._waiting.values()]

    def _grow(self) -> None:
        more = self._scene.row_count - len(self._piece_of)
        if more > 0:
            self._piece_of = np.concatenate([self._piece_of, np.full(more, -1)])
            self._world = np.concatenate([self._world, np.zeros((more, 4, 4))])
            self._pairs = np.concatenate([self._pairs, np.full((more, 2), -1)])

    def _put_in(self, ids: np.ndarray) -> None:
        """Put nodes that are in no piece into pieces."""
        if len(ids) == 0:
            return
        scene, rows = self._scene, self._scene.meshes.rows
        mesh_ids = scene.mesh_ids[ids]
        plain = can_be_instances(scene.world_from_local[ids])
        plain &= (rows["line_count"][mesh_ids] == 0) & (rows["point_count"][mesh_ids] == 0)
        _, firsts, kind, counts = np.unique(
            self._pairs[ids] @ (len(scene.materials) + 1, 1), return_index=True, return_inverse=True, return_counts=True
        )
        pairs = self._pairs[ids[firsts]]
        is_first = not self._sent and not self._waiting
        many = plain & ((counts[kind] >= _FEW) | (not is_first))  # what was edited will be edited again
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
        self._piece_of[ids] = number
        self._move(np.array([number]))

    def _take_out(self, ids: np.ndarray) -> None:
        """Take nodes out of their pieces."""
        for number in np.unique(self._piece_of[ids]).tolist():
            piece = self._piece(number)
            piece.ids = np.setdiff1d(piece.ids, ids).astype(np.int32)
            if len(piece.ids) == 0:
                self._drop(number)
            elif number in self._sent and piece.pair is None:
                self._show(number, piece, self._content(piece, piece.error), at_once=True)
            elif number in self._sent:
                self._move(np.array([number]))
        self._piece_of[ids] = -1

    def _drop(self, number: int) -> None:
        piece = self._sent.pop(number, None) or self._waiting.pop(number)
        for handle in piece.handles:
            handle.remove()

    def _drop_all(self) -> None:
        for number in [*self._sent, *self._waiting]:
            self._drop(number)
        self._piece_of[:] = -1
        self._revision = -1

    def _move(self, numbers: np.ndarray) -> None:
        """Send the places of all instances of some pieces again."""
        for number in numbers.tolist():
            piece = self._sent.get(number)
            if piece is None:
                continue
            content = self._content(piece, piece.error, has_meshes=False)
            has_points = len(content.specks.positions) > 0
            if has_points != (piece.points is not None) or bool(len(content.others)) != bool(piece.meshes):
                self._show(number, piece, self._content(piece, piece.error), at_once=True)
                continue
            with self._server.atomic():
                if piece.meshes:
                    rows = self._rows_of(piece, content.others)
                    for handle in piece.meshes:
                        handle.batched_positions = rows.positions
                        handle.batched_wxyzs = rows.wxyzs
                        handle.batched_scales = rows.scales
                if piece.points is not None:
                    piece.points.points = self.frame.points(content.specks.positions).astype(np.float32)
                    piece.points.colors = content.specks.colors

    def _rows_of(self, piece: Piece, ids: np.ndarray) -> InstanceRows:
        return InstanceRows.of(self.frame.matrices(self._scene.world_from_local[ids]), piece.center)

    def _send(self, number: int, error: float) -> None:
        """Send a piece that may be off by so much, unless it was sent before and is hardly simpler now."""
        piece = self._waiting.get(number)
        content = self._content(piece or self._sent[number], error)
        if piece is not None:
            del self._waiting[number]
            self._sent[number] = piece
        else:
            piece = self._sent[number]
            piece.tried = error
            if error > piece.error and content.cost > _WORTH_IT * piece.cost:
                return
        self._show(number, piece, content)
        piece.tried = error

    def _content(self, piece: Piece, error: float, *, has_meshes: bool = True) -> _Content:
        """Return what a piece is sent as if it may be off by so much; without its meshes if they are not needed."""
        scene = self._scene
        is_tiny = are_narrow(scene, piece.ids, error)
        specks, others = specks_of(scene, piece.ids[is_tiny], error), piece.ids[~is_tiny]
        cost = len(specks.positions)
        if not has_meshes or len(others) == 0:
            return _Content(specks, others, [], cost, error)
        if piece.pair is None:
            batch = transformed(
                scene.meshes, scene.mesh_ids[others], self.frame.matrices(scene.world_from_local[others])
            )
            batch = with_overrides(batch, scene.material_overrides[others])
            most, times, scales = error * self.frame.scale, 1, None
        else:
            mesh_id, override = piece.pair
            to_center = np.eye(4)
            to_center[:3, 3] = -piece.center
            batch = transformed(scene.meshes, np.array([mesh_id]), to_center[None])
            batch = with_overrides(batch, np.array([override]))
            most, times = error, len(others)
            scales = np.linalg.norm(scene.world_from_local[others, :3, :3], axis=1).max(axis=0)
        whole = TileGeometry.of(batch, np.arange(len(batch)))
        geometry = simpler(whole, most, scales)
        is_whole = not is_tiny.any() and geometry.element_count >= whole.element_count
        cost += times * geometry.element_count
        return _Content(specks, others, by_material(geometry), cost, 0.0 if is_whole else error)

    def _show(self, number: int, piece: Piece, content: _Content, *, at_once: bool = False) -> None:
        """Send a piece, in place of what was sent of it before, which goes a moment later or `at_once`."""
        scene, old = self._scene, piece.handles
        self._versions += 1
        name = f"/scene/{number}.{self._versions}"
        shadowless: Any = {"cast_shadow": False, "receive_shadow": False}
        piece.meshes, piece.points, piece.cost, piece.error = [], None, content.cost, content.error
        if content.meshes and piece.pair is None:
            piece.meshes = [self._server.scene.add_glb(name, glb_of(content.meshes, scene.materials), **shadowless)]
        elif content.meshes:
            rows = self._rows_of(piece, content.others)
            piece.meshes = [
                self._server.scene.add_batched_glb(
                    f"{name}.{part}",
                    glb_of([mesh], scene.materials),
                    batched_wxyzs=rows.wxyzs,
                    batched_positions=rows.positions,
                    batched_scales=rows.scales,
                    lod="off",
                    **shadowless,
                )
                for part, mesh in enumerate(content.meshes)
            ]
        if len(content.specks.positions):
            piece.points = self._server.scene.add_point_cloud(
                f"{name}.points",
                self.frame.points(content.specks.positions),
                content.specks.colors,
                point_size=point_width(content.error) * self.frame.scale / 2.0,  # viser draws twice as much
                precision="float32",
                point_shading="flat",
            )
        if at_once:
            for handle in old:
                handle.remove()
        elif old:
            self._leaving.append((time.perf_counter() + _OVERLAP_SECONDS, old))
