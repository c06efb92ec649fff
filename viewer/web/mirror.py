"""SceneMirror: keeps what browsers show equal to the scene.

A scene is sent to browsers in pieces. A mesh that several objects show is one piece: the mesh once, as GLB, and a row
for each object; many thousands of objects are divided by cells of an octree. Objects with a mesh of their own are
joined, those of one cell to one piece, as a browser is slow at many things and quick at large ones. The octree says
which pieces the browser's camera sees: these go first, then the nearest. A joined piece whose objects are so far away
that they cover a pixel or two is sent as boxes, and whole when a camera comes nearer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from viser import ViserServer

from octree import Frustum
from scene import Scene
from scene.bake import transformed
from viewer.web.geometry import (
    BrowserFrame,
    InstanceRows,
    boxes,
    by_material,
    can_be_instances,
    cells_of,
    glb_of,
    with_overrides,
)

_FEW = 3  # objects with one mesh: fewer are joined with others
_MOST_TRIANGLES = 60_000  # of a joined piece
_MOST_INSTANCES = 20_000  # of a piece: 0.8 MB, which go over again when one of them moves
_OBJECT_WEIGHT = 30  # an object counts as so many triangles more: 2,000 objects are as much as a cell may hold
_COARSE_PX = 1.5  # objects no larger than this radius in a browser's picture are boxes, which differ by less
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
        handles: viser's, one for each material; empty before it is sent.
        is_coarse: whether joined objects were sent as boxes.
    """

    ids: np.ndarray
    pair: tuple[int, int] | None
    center: np.ndarray = field(default_factory=lambda: np.zeros(3))
    handles: list[Any] = field(default_factory=list)
    is_coarse: bool = False


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
        self._is_lit_for_metal: bool | None = None  # as it was sent
        self._due: list[tuple[int, bool]] = []  # pieces to be sent, the last one first, and whether as boxes
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
        shown = np.zeros(scene.row_count, dtype=bool)
        shown[scene.index.shown_ids()] = True
        was_replaced, self._meshes = self._meshes is not scene.meshes, scene.meshes
        pairs = np.stack([scene.mesh_ids[changed], scene.material_overrides[changed]], axis=1)
        has_moved = np.any(scene.world_from_local[changed] != self._world[changed], axis=(1, 2))
        has_changed = np.any(pairs != self._pairs[changed], axis=1) | was_replaced
        self._world[changed], self._pairs[changed] = scene.world_from_local[changed], pairs
        there = self._piece_of[changed] >= 0
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

    def send(self, frustum: Frustum | None, position: np.ndarray, pixels: float = np.inf) -> bool:
        """Send pieces for a moment: those that a camera sees first, of these the nearest; return if any are left.

        Args:
            frustum: of the browser's camera, world; None: it sees everything.
            position: (3,) of that camera, world.
            pixels: of its picture to a radian in the middle; infinite: nothing is sent as boxes.
        """
        seen_from = (None if frustum is None else frustum.planes.tobytes(), *position.tolist(), pixels)
        state = (seen_from, self._count, self._revision)
        if state != self._ordered_for:
            self._ordered_for = state
            self._due = self._in_order(frustum, position, pixels)
        deadline = time.perf_counter() + _SENDING_SECONDS
        while self._due:
            number, is_coarse = self._due.pop()
            if number in self._waiting or number in self._sent:
                self._send(number, is_coarse=is_coarse)
            if time.perf_counter() > deadline:
                break
        return bool(self._due)

    def _in_order(self, frustum: Frustum | None, position: np.ndarray, pixels: float) -> list[tuple[int, bool]]:
        """Return the pieces that are to be sent, the last one first, and whether each is to be boxes; as `send`."""
        coarse = [number for number, piece in self._sent.items() if piece.is_coarse]
        if not self._waiting and not coarse:
            return []
        index, spheres = self._scene.index, self._scene.world_spheres
        seen = index.shown_ids() if frustum is None else index.cull(frustum)
        is_seen = np.zeros(self._count, dtype=bool)
        is_seen[self._piece_of[seen][self._piece_of[seen] >= 0]] = True
        inside = np.flatnonzero(self._piece_of >= 0)
        nearest = np.full(self._count, np.inf)
        distances = np.linalg.norm(spheres[inside, :3] - position, axis=1) - spheres[inside, 3]
        np.minimum.at(nearest, self._piece_of[inside], distances)
        sizes = np.zeros(self._count)
        with np.errstate(invalid="ignore", over="ignore"):  # at the eye, in an infinite picture
            radii_px = spheres[inside, 3] / np.maximum(distances, 1e-300) * pixels
        np.maximum.at(sizes, self._piece_of[inside], np.nan_to_num(radii_px, nan=np.inf))
        due = [*self._waiting, *(number for number in coarse if sizes[number] > _COARSE_PX)]
        order = sorted(due, key=lambda number: (not is_seen[number], nearest[number]), reverse=True)
        return [(number, bool(sizes[number] <= _COARSE_PX)) for number in order]

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
        pairs, kind, counts = np.unique(self._pairs[ids], axis=0, return_inverse=True, return_counts=True)
        kind = kind.ravel()
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
                self._show_joined(number, piece)
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
        """Send the transforms of all instances of some pieces again."""
        for number in numbers.tolist():
            piece = self._sent.get(number)
            if piece is None:
                continue
            rows = self._rows_of(piece)
            with self._server.atomic():
                for handle in piece.handles:
                    handle.batched_positions = rows.positions
                    handle.batched_wxyzs = rows.wxyzs
                    handle.batched_scales = rows.scales

    def _rows_of(self, piece: Piece) -> InstanceRows:
        return InstanceRows.of(self.frame.matrices(self._scene.world_from_local[piece.ids]), piece.center)

    def _send(self, number: int, *, is_coarse: bool) -> None:
        piece = self._sent[number] = self._waiting.pop(number) if number in self._waiting else self._sent[number]
        if piece.pair is None:
            piece.is_coarse = is_coarse
            self._show_joined(number, piece)
            return
        scene, (mesh_id, override) = self._scene, piece.pair
        to_center = np.eye(4)
        to_center[:3, 3] = -piece.center
        batch = with_overrides(transformed(scene.meshes, np.array([mesh_id]), to_center[None]), np.array([override]))
        rows = self._rows_of(piece)
        for part, mesh in enumerate(by_material(batch)):
            handle = self._server.scene.add_batched_glb(
                f"/scene/{number}.{part}",
                glb_of([mesh], scene.materials),
                batched_wxyzs=rows.wxyzs,
                batched_positions=rows.positions,
                batched_scales=rows.scales,
                lod="off",
                cast_shadow=False,
                receive_shadow=False,
            )
            piece.handles.append(handle)

    def _show_joined(self, number: int, piece: Piece) -> None:
        """Send a piece of joined objects, in place of what was sent of it before."""
        scene = self._scene
        matrices = self.frame.matrices(scene.world_from_local[piece.ids])
        mesh_ids, overrides = scene.mesh_ids[piece.ids], scene.material_overrides[piece.ids]
        meshes = (
            boxes(scene.meshes, mesh_ids, matrices)
            if piece.is_coarse
            else transformed(scene.meshes, mesh_ids, matrices)
        )
        batch = with_overrides(meshes, overrides)
        glb = glb_of(by_material(batch), scene.materials)
        piece.handles = [self._server.scene.add_glb(f"/scene/{number}", glb, cast_shadow=False, receive_shadow=False)]
