"""FrameData: everything that the renderer needs for one picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from octoscope.scene import Material, Meshes
from octoscope.scene.cutting.caps import Caps
from octoscope.scene.mesh.polygon_edges import PolygonEdges
from octoscope.viewer.frame.annotations import Annotations
from octoscope.viewer.frame.detail.detail_levels import DetailLevels
from octoscope.viewer.frame.instances import Instances
from octoscope.viewer.frame.look.backdrop import Backdrop
from octoscope.viewer.frame.look.environment import PlacedEnvironment
from octoscope.viewer.frame.look.lighting import Lighting
from octoscope.viewer.frame.look.shading import Shading, Strokes

# The elements of a mesh in drawing order, and the indices that each has; edges, those of polygons, are an overlay.
INDICES_OF = {"triangle": 3, "coarse": 3, "cap": 3, "line": 2, "point": 1, "edge": 2}
SURFACES = ("triangle", "coarse", "cap")
_NO_COMMANDS = np.empty((0, 5), dtype=np.uint32)
DOT_SIZE = 2.0  # logical pixels, of an outlined object that is too small to be seen


@dataclass(frozen=True, eq=False)
class DrawList:
    """Nodes and the indexed draws over them.

    Every element of INDICES_OF has its own index pool on the GPU and its own draws, over the same nodes. A mesh that
    several nodes show is a draw of its own, with those nodes as its instances. Meshes that one node alone shows are
    told apart by their vertices: such neighbours in the pool are one draw.
    """

    nodes: np.ndarray  # (k,) int32 node ids in drawing order
    # by element, (c, 5) uint32, as glMultiDrawElementsIndirect takes them: index count, instance count, first index,
    # base vertex (0), place of the first instance in `nodes`. An element that is not drawn has none.
    commands: Mapping[str, np.ndarray]
    opaque_count: int  # number of opaque nodes, which come first; no draw mixes the two kinds
    back_culled_count: int  # number of them, the very first, whose back faces cannot be seen; no draw mixes these
    # returns the commands of all triangles for places in `nodes`, (p,) ascending
    surfaces_of: Callable[[np.ndarray], Mapping[str, np.ndarray]]
    dot_count: int = 0  # number of nodes, the last ones, that no draw is for: they are dots of DOT_SIZE

    @property
    def count(self) -> int:
        """Number of nodes."""
        return len(self.nodes)

    def drawn(self, element: str) -> int:
        """Return the number of triangles, lines, points or edges that are drawn in all."""
        if element not in self.commands:
            return 0
        commands = self.commands[element]
        return int((commands[:, 0] // INDICES_OF[element] * commands[:, 1].astype(np.int64)).sum())

    @property
    def triangle_count(self) -> int:
        """Number of triangles that are drawn in all."""
        return sum(map(self.drawn, SURFACES))

    def with_surfaces(self, is_kept: np.ndarray) -> DrawList:
        """Return the same list with the triangles of some nodes alone, but with all lines, points and edges.

        Args:
            is_kept: (opaque_count,) bool; translucent nodes are kept.
        """
        translucent_count = self.count - self.dot_count - self.opaque_count
        is_kept = np.concatenate([is_kept, np.ones(translucent_count, dtype=bool)])
        others = {name: part for name, part in self.commands.items() if name not in SURFACES}
        return replace(self, commands={**others, **self.surfaces_of(np.flatnonzero(is_kept))})

    def in_pieces(self, most: int) -> list[DrawList]:
        """Return lists that draw the same, one after another, with less than twice `most` triangles each.

        One instance of a mesh that others show, too, is never cut. The last list has everything besides the meshes' own
        opaque triangles.
        """
        commands = self.commands.get("triangle", _NO_COMMANDS)
        opaque, translucent = np.split(commands, [np.searchsorted(commands[:, 4], self.opaque_count)])
        cut = _cut(opaque, most)
        pieces_of = (np.cumsum(cut[:, 0].astype(np.int64) // 3 * cut[:, 1]) - 1) // most
        *before, last = np.split(cut, np.flatnonzero(np.diff(pieces_of)) + 1)
        rest = replace(self, commands={**self.commands, "triangle": np.concatenate([last, translucent])})
        return [*(replace(self, commands={"triangle": piece}) for piece in before), rest]


def _cut(commands: np.ndarray, most: int) -> np.ndarray:
    """Cut draws, (c, 5) as DrawList.commands, to `most` triangles, or one instance each."""
    counts, instances = commands[:, :2].astype(np.int64).T
    is_one = instances == 1
    # A part is so many triangles of one instance, or so many instances.
    step = np.where(is_one, most, np.maximum(most // np.maximum(counts // 3, 1), 1))
    parts = -(-np.where(is_one, counts // 3, instances) // step)
    of = np.repeat(np.arange(len(commands)), parts)
    begins = (np.arange(len(of)) - np.repeat(np.cumsum(parts) - parts, parts)) * step[of]
    cut = commands[of]
    whole = is_one[of]
    cut[whole, 0] = 3 * np.minimum(step[of], counts[of] // 3 - begins)[whole]
    cut[whole, 2] += (3 * begins[whole]).astype(np.uint32)
    cut[~whole, 1] = np.minimum(step[of], instances[of] - begins)[~whole]
    cut[~whole, 4] += begins[~whole].astype(np.uint32)
    return cut


@dataclass(frozen=True)
class GroundGrid:
    """The ground: a level grid of lines, relative to the camera."""

    height: float  # of the ground, relative to the camera
    cell_size: float  # world units between two lines
    # upright (x, z) of the camera's position within ten cells, so that lines stay put far from the origin
    phase: tuple[float, float]
    fade_distance: float  # distance from the camera at which the lines have vanished
    # whether it is seen from above, and so behind all of the scene, as nothing lies below it; from below it is in front
    # of all
    is_behind: bool


@dataclass(frozen=True, eq=False)
class ShadowCascade:
    """A range of depths along the view that has shadow maps of its own. "Relative" means relative to the camera."""

    end: float  # the depth up to which it reaches, from that of the one before, world units
    casters: DrawList  # objects that may cast a shadow on what is seen in it
    corners: np.ndarray  # (8, 3) float64, relative, of a box around all that may be in shadow


@dataclass(frozen=True, eq=False)
class Occluders:
    """Objects and ground that keep light from the surfaces in a picture.

    "Relative" means relative to the camera, as in FrameCamera.
    """

    cascades: tuple[ShadowCascade, ...]  # near ones first; empty: there are no shadows
    # lower and upper upright x and z of the part of the ground that light may be kept off, about the camera; None: none
    ground: tuple[float, float, float, float] | None
    radius: float  # up to which surfaces occlude each other, world units; 0: there is no ambient occlusion


@dataclass(frozen=True, eq=False)
class FrameCamera:
    """The camera of a picture. "Relative" means relative to its position, along the world's axes."""

    clip_from_relative: np.ndarray  # (4, 4) float32, with reversed depth
    clip_from_relative_nearer: np.ndarray  # (4, 4) float32, for lines and points: the same with slightly smaller depths
    view_from_relative: np.ndarray  # (3, 3) float32 rotation
    # (3, 3) float32 rotation, of a frame whose Y is up; its second column is the direction up
    relative_from_upright: np.ndarray
    position: np.ndarray  # (3,) float64, world
    focus_distance: float  # of the camera's pivot, world units

    @property
    def clip_from_upright(self) -> np.ndarray:
        """(4, 4) float32, with reversed depth: of the camera's surroundings turned so that Y is up."""
        clip_from_upright = self.clip_from_relative.copy()
        clip_from_upright[:, :3] = clip_from_upright[:, :3] @ self.relative_from_upright
        return clip_from_upright


@dataclass(frozen=True, eq=False)
class FrameScene:
    """Transforms, meshes and materials that draw lists refer to; they stay on the graphics card between pictures."""

    instances: Instances  # world transforms of all nodes, by node id
    meshes: Meshes  # the scene's, which only grow
    materials: Sequence[Material]  # the scene's
    materials_revision: int  # the scene's count of changes of materials in their places
    polygon_edges: PolygonEdges | None  # of the meshes; None draws none
    # of the meshes, in which "coarse" triangles are drawn; None where there are none of them
    detail_levels: DetailLevels | None
    caps: Caps  # faces where objects are cut open, drawn as they are


class OutlinedLists(NamedTuple):
    """Objects that are outlined, drawn or not; none is in two of the lists."""

    selected: DrawList  # but for the active ones
    active: DrawList  # those of what was selected last, which are outlined in a colour of their own
    hovered: DrawList  # outlined thinly


_NO_NODES = DrawList(np.empty(0, np.int32), {}, 0, 0, lambda places: {})
NO_OUTLINES = OutlinedLists(_NO_NODES, _NO_NODES, _NO_NODES)


@dataclass(frozen=True, eq=False)
class Look:
    """The way in which a picture shows what is in it."""

    backdrop: Backdrop  # colours of background and ground
    lighting: Lighting  # the key light, and what dims light
    environment: PlacedEnvironment  # the light from all around
    shading: Shading  # the way in which surfaces are shown
    strokes: Strokes  # sizes of lines and points
    # nearest and farthest depth of the objects in sight, along the view, world units; (0, 1) unless the mode shows
    # depth
    seen_depths: tuple[float, float]


@dataclass(frozen=True, eq=False)
class HelperLines:
    """Lines that are no part of the scene."""

    cells: np.ndarray  # (m, 8) float32 octree cells: relative centre, half size, sRGB colour, opacity
    frozen_frustum: np.ndarray  # (8, 3) float32 relative corners, in the order of Frustum.corners, or (0, 3)
    # by name of SHAPES, (k, 12) float32 as placed_shapes returns it: what is drawn around objects
    shapes: Mapping[str, np.ndarray]

    def __bool__(self) -> bool:
        return bool(len(self.cells) or len(self.frozen_frustum) or self.shapes)


@dataclass(frozen=True, eq=False)
class FrameData:
    """One picture."""

    size: tuple[int, int]  # width and height in framebuffer pixels
    pixel_ratio: float  # framebuffer pixels to one in which widths of lines and sizes of points are given
    camera: FrameCamera  # that sees it
    scene: FrameScene  # what the lists refer to
    visible: DrawList  # the objects that are drawn
    outlined: OutlinedLists  # the objects that are outlined
    look: Look  # how all of it is shown
    # (p, 4) float32 planes about the camera's position; of objects only what satisfies n . p + d >= 0 for all of them
    # is drawn.
    section: np.ndarray
    grid: GroundGrid | None  # the ground, or None
    helpers: HelperLines  # octree cells and other lines in the scene
    annotations: Annotations | None  # drawn over everything, or None
    leaves_out_hidden: bool  # whether triangles of `visible` that others hide may be left out
    occluders: Occluders | None = None  # what keeps light from surfaces; None: nothing does
    # left, lower, width and height of the part of the picture that objects are in, pixels from its lower left corner;
    # None: all of it
    scissor: tuple[int, int, int, int] | None = None


@dataclass(frozen=True, eq=False)
class ViewportFrame:
    """The picture of one viewport and its place in the whole picture."""

    frame: FrameData
    corner: tuple[int, int]  # upper left corner in the whole picture, framebuffer pixels, y down
