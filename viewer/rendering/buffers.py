"""Buffers: depth, objects and normals at every pixel of a picture, as arrays of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import moderngl
import numpy as np

from octoscope.guesses import public
from octoscope.scene import Node, Nodes, Scene
from octoscope.scene.nodes.hierarchy import with_all_below
from octoscope.viewer.frame.frame import FrameData
from octoscope.viewer.rendering.context.opengl import idle_framebuffer, release_framebuffers
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.mesh_drawing import MeshDrawing
from octoscope.viewer.rendering.passes.render_pass import ALL, GBUFFER, GBUFFER_OF_LINES

_HAS = "buffers.depth, buffers.ids and buffers.normals are arrays; buffers.mask(nodes) has the pixels of nodes"


@public(
    *("depth", "ids", "mask", "normals"),
    instead={
        **dict.fromkeys(("color", "image", "picture", "rgb"), "octoscope.render(scene, size), or canvas.render()"),
        **dict.fromkeys(("node_ids", "object_ids", "segmentation"), "it is called ids"),
        **dict.fromkeys(("depths", "z"), "it is called depth"),
        **dict.fromkeys(("keys", "shape", "size"), _HAS),
        "points": "camera.ray_through_pixel(pixel, size), and depth along the camera's view",
    },
)
@dataclass(frozen=True, eq=False, repr=False)
class Buffers:
    """Depth, object and normal at the middle of each pixel, whatever opacity and textures they have; top row first.

    Examples:
        >>> buffers = octoscope.render_buffers(scene, (64, 36))
        >>> pixels = buffers.mask(scene["lighthouse_tower"]).sum()

    Attributes:
        depth: (height, width) float32, distance from the camera along its view, world units; infinite where nothing is.
        ids: (height, width) int32, ids of nodes; -1 where nothing is.
        normals: (height, width, 3) float32, world, of unit length, of the side that is seen; 0 for lines and points,
            and where nothing is.
    """

    depth: np.ndarray
    ids: np.ndarray
    normals: np.ndarray
    scene: Scene | None = None  # whose nodes have the ids, where that is known

    def __getstate__(self) -> dict[str, object]:
        return vars(self) | {"scene": None}  # which cannot be pickled

    def __repr__(self) -> str:
        height, width = self.depth.shape
        return f"Buffers({width} x {height} pixels)"

    if not TYPE_CHECKING:  # which find it themselves

        def __getitem__(self, key: object) -> NoReturn:
            raise TypeError(f"not buffers[{key!r}]: {_HAS}")

    @classmethod
    def empty(cls, size: tuple[int, int]) -> Buffers:
        """Return buffers in which nothing is; `size` in pixels."""
        shape = size[1], size[0]
        return cls(
            np.full(shape, np.inf, dtype=np.float32),
            np.full(shape, -1, dtype=np.int32),
            np.zeros((*shape, 3), dtype=np.float32),
        )

    def mask(self, nodes: Node | Nodes) -> np.ndarray:
        """Return where nodes, or anything below them, are seen: (height, width) bool.

        `ids` has the objects themselves: the id of a group, such as the node of a file, is nowhere in it.

        Raises:
            ValueError: they are nodes of another scene than the one that was drawn.
            IndexError: one was deleted.
        """
        scene = nodes.scene if self.scene is None else self.scene
        return np.isin(self.ids, with_all_below(scene, scene.checked_ids(nodes, alive=True)))

    def put(self, other: Buffers, corner: tuple[int, int]) -> None:
        """Copy smaller buffers into these; `corner` is their upper left one, in pixels from the left and the top."""
        rows, columns = (
            slice(first, first + length) for first, length in zip(corner[::-1], other.ids.shape, strict=True)
        )
        for name in ("depth", "ids", "normals"):
            getattr(self, name)[rows, columns] = getattr(other, name)


def read_buffers(ctx: moderngl.Context, meshes: MeshDrawing, depth: ReversedDepth, frame: FrameData) -> Buffers:
    """Draw the frame that was uploaded last into buffers, and read them."""
    attachments = [ctx.texture(frame.size, 4, dtype="f4"), ctx.texture(frame.size, 1, dtype="f4")]
    depths = depth.texture(frame.size)
    target = ctx.framebuffer(attachments, depths)
    target.use()
    target.clear(0.0, 0.0, 0.0, 0.0, depth=ReversedDepth.FARTHEST)
    with depth.in_use():
        meshes.draw(frame, frame.visible, GBUFFER, ALL)
        meshes.draw(frame, frame.visible, GBUFFER_OF_LINES, ALL)
    width, height = frame.size
    surface, numbers = (
        np.frombuffer(
            target.read(components=count, attachment=index, dtype="f4", alignment=1), dtype=np.float32
        ).reshape(height, width, count)[::-1]
        for index, count in enumerate((4, 1))
    )
    idle_framebuffer(ctx).use()
    release_framebuffers([target])
    ids = numbers[..., 0].astype(np.int32) - 1
    return Buffers(np.where(ids < 0, np.float32(np.inf), surface[..., 3]), ids, surface[..., :3].copy())
