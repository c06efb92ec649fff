"""Occluders: what keeps light from the surfaces in a picture, and the views for the key light's shadow maps.

A shadow map shows what the key light sees, without perspective, of the box that holds all that may be in shadow.
Objects between the box and the light are drawn into it, too, whether the camera sees them or not. Pictures that reach
from near to far, as those of a street, have several boxes, each for a range of depths (cascaded shadow maps: Zhang et
al., "Parallel-Split Shadow Maps for Large-scale Virtual Environments", 2006).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from octoscope.octree import Frustum
from octoscope.scene.geometry.pyrr_transforms import affine_of_linear, normalized, orthographic
from octoscope.scene.geometry.rotations import axes_along
from octoscope.viewer.camera.camera import BOX_EDGES, Camera, box_corners
from octoscope.viewer.frame.frame import DrawList, GroundGrid, Occluders, ShadowCascade
from octoscope.viewer.frame.look.lighting import Lighting
from octoscope.viewer.frame.projection import with_reversed_depth

LIGHT_RADIUS_RAD = 0.05  # of the key light's disc: ten times the sun's, as of a lamp in a studio
_FEWEST_DIRECTIONS = 16  # of all of the disc: fewer are as near to each other, so that each is not seen by itself
_LOWEST_LIGHT = 0.2  # height of a unit direction to the light: shadows on the ground end where a lower one's would
_RADIUS_SHARE = 0.35  # of the size of a usual object, up to which surfaces occlude each other
_FLATTEST = 1e-4  # a box's least side, as a share of its longest
_ROUNDING = 1e-9  # of the largest coordinate
_CASCADES = 4  # at most
_CASCADE_STEP = 4.0  # ratio of the depths at which a cascade ends and begins, at most; only the first may be longer
_GOLDEN_ANGLE = math.pi * (3.0 - math.sqrt(5.0))

Bounds = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class ShadowView:
    """One direction of the key light, with the part of the scene that its map shows."""

    clip_from_relative: np.ndarray  # (4, 4) float32, with reversed depth: 1 nearest to the light
    width: float  # of the map, world units; the larger of its two sides


def find_occluders(
    light: Lighting,
    camera: Camera,
    frustum: Frustum,
    *,
    seen: np.ndarray,
    radii: np.ndarray,
    bounds: Bounds,
    grid: GroundGrid | None,
    shadow_casters_in: Callable[[Frustum], DrawList],
) -> Occluders | None:
    """Find what keeps light from the surfaces in a picture.

    Args:
        seen: (k, 4) spheres of the objects in the picture, world.
        radii: (s,) of the spheres of all objects that are shown.
        bounds: the world box of the scene.
        shadow_casters_in: returns the objects that a frustum meets.

    Returns:
        Occluders, or None if no light is kept off.
    """
    position = camera.position
    to_light = light.in_world(camera.axes)
    radius = occlusion_radius(radii) if light.occlusion > 0.0 else 0.0
    scene = box_corners(*bounds) - position
    upright = camera.world_from_upright
    ground = None if grid is None else ground_part(to_light @ upright, scene @ upright, grid.height, radius)
    cascades: list[ShadowCascade] = []
    if light.shadow > 0.0:
        axes = light_axes(to_light, camera.axes)
        centers, seen_radii = seen[:, :3] - position, seen[:, 3]
        rectangle = np.empty((0, 3))
        if ground is not None and grid is not None:
            left, near, right, far = ground
            rectangle = np.array([(x, grid.height, z) for x in (left, right) for z in (near, far)]) @ upright.T
        places = np.concatenate([scene, rectangle])
        box = places.min(axis=0), places.max(axis=0)
        depths = -centers @ camera.axes[2]
        for part in depth_slices(frustum, camera, corners_in_sight(frustum, box, position)):
            start, end = depth_range(part, camera)
            is_in = (depths - seen_radii <= end) & (depths + seen_radii >= start)
            receivers = [bounds_along(axes, centers[is_in], seen_radii[is_in])] if is_in.any() else []
            if len(rectangle):
                receivers.append(bounds_along(axes, rectangle))
            if receivers:
                lowers, uppers = zip(*receivers, strict=True)
                in_sight = corners_in_sight(part, box, position)
                corners = shadowed_box(axes, (np.min(lowers, axis=0), np.max(uppers, axis=0)), in_sight)
                if corners is not None:
                    casters = shadow_casters_in(shadow_caster_frustum(axes, corners, scene, position))
                    cascades.append(ShadowCascade(end, casters, corners))
    if not cascades and radius == 0.0:
        return None
    return Occluders(tuple(cascades), ground, radius)


def depth_range(part: Frustum, camera: Camera) -> tuple[float, float]:
    """Return the depths along a camera's view at which a frustum of it begins and ends, world units."""
    depths = (camera.position - part.origin - part.corners) @ camera.axes[2]
    return float(depths.min()), float(depths.max())


def depth_slices(frustum: Frustum, camera: Camera, in_sight: np.ndarray) -> list[Frustum]:
    """Divide a frustum by depth, near slices first, so that each looks about equally large from end to end.

    The last is all of the frustum, which is hardly larger: translucent surfaces at any depth are looked up in its maps.

    Args:
        frustum: what the camera sees.
        camera: of the picture; without perspective there is one slice.
        in_sight: (n, 3) relative corners of the space that is seen.
    """
    start, end = depth_range(frustum, camera)
    depths = -in_sight @ camera.axes[2]
    nearest, farthest = max(float(depths.min()), start), min(float(depths.max()), end)
    if camera.orthographic or not 0.0 < nearest < farthest:
        return [frustum]
    ratio = farthest / nearest
    count = min(max(math.ceil(math.log(ratio, _CASCADE_STEP)), 1), _CASCADES)
    step = min(ratio ** (1.0 / count), _CASCADE_STEP)
    borders = [start, *(farthest / step**number for number in range(count - 1, 0, -1))]
    return [*(_depth_slice(frustum, camera, *each) for each in pairwise(borders)), frustum]


def _depth_slice(frustum: Frustum, camera: Camera, start: float, end: float) -> Frustum:
    """Return the part of a frustum between two depths along a camera's view, world units."""
    nearest, farthest = depth_range(frustum, camera)
    near, far = frustum.corners.reshape(2, 4, 3)
    corners = [near + (depth - nearest) / (farthest - nearest) * (far - near) for depth in (start, end)]
    planes = frustum.planes.copy()
    planes[4, 3] += nearest - start
    planes[5, 3] += end - farthest
    return replace(frustum, corners=np.concatenate(corners), planes=planes)


def occlusion_radius(radii: np.ndarray) -> float:
    """Return up to which distance surfaces of objects occlude each other, world units.

    Args:
        radii: (k,) of the objects' spheres. Large ones count more than small ones, by their size: a floor does not hide
            that there are chairs on it, nor do nails in the chairs.
    """
    total = float(radii.sum())
    return _RADIUS_SHARE * float(np.square(radii).sum()) / total if total > 0.0 else 0.0


def bounds_along(axes: np.ndarray, points: np.ndarray, radii: np.ndarray | float = 0.0) -> Bounds:
    """Return (3,) least and greatest coordinates of spheres, (k, 3) and their radii, along axes, (3, 3) rows."""
    along = points @ axes.T
    margin = np.broadcast_to(np.asarray(radii, dtype=float), len(points))[:, None]
    return (along - margin).min(axis=0), (along + margin).max(axis=0)


def light_axes(to_light: np.ndarray, camera_axes: np.ndarray) -> np.ndarray:
    """Return (3, 3) rows: two unit vectors across the key light, which turn with the camera, and the direction to it.

    Whichever axis of the world points up, the texels of shadow maps lie in the same way in the picture.

    Args:
        to_light: (3,) unit direction, world.
        camera_axes: (3, 3) right, up and back of the camera, world, a row each.
    """
    return axes_along(camera_axes @ to_light) @ camera_axes


def corners_in_sight(frustum: Frustum, box: Bounds, position: np.ndarray) -> np.ndarray:
    """Return (n, 3) relative corners of the part of a box that a frustum holds; those of the frustum if it holds none.

    A corner of what two solids with flat faces have in common lies on an edge of one of them, where it enters or leaves
    the other.

    Args:
        box: around all that may be seen, relative, along the world's axes.
        position: (3,) of the camera, world.
    """
    sight = frustum.corners + (frustum.origin - position)
    boxed = box_corners(*box)
    room = _ROUNDING * np.abs([sight, boxed]).max()  # for rounding, and for boxes that are flat
    of_box = np.block([[np.eye(3), room - box[0][:, None]], [-np.eye(3), room + box[1][:, None]]])
    of_sight = frustum.planes.copy()
    of_sight[:, 3] += of_sight[:, :3] @ (position - frustum.origin) + room
    found = np.concatenate([_ends_inside(sight[BOX_EDGES], of_box), _ends_inside(boxed[BOX_EDGES], of_sight)])
    return found if len(found) else sight


def _ends_inside(segments: np.ndarray, planes: np.ndarray) -> np.ndarray:
    """Return (n, 3) ends of the parts of (s, 2, 3) segments that lie inside (p, 4) planes (Liang and Barsky, 1984)."""
    first, last = (segments[:, end] @ planes[:, :3].T + planes[:, 3] for end in (0, 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        crossing = first / (first - last)
    enters = np.where(last > first, crossing, 0.0).max(axis=1, initial=0.0)
    leaves = np.where(last < first, crossing, 1.0).min(axis=1, initial=1.0)
    is_inside = (enters <= leaves) & ~((first < 0.0) & (last < 0.0)).any(axis=1)
    starts, ways = segments[is_inside, 0], segments[is_inside, 1] - segments[is_inside, 0]
    return np.concatenate([starts + share[is_inside, None] * ways for share in (enters, leaves)])


def shadowed_box(axes: np.ndarray, receivers: Bounds, in_sight: np.ndarray) -> np.ndarray | None:
    """Return the (8, 3) relative corners of a box around what may be in shadow, or None if nothing may be.

    Args:
        receivers: bounds, along `axes`, of what may be seen, relative.
        in_sight: (n, 3) relative corners of the space that the camera sees.
    """
    seen = bounds_along(axes, in_sight)
    lower, upper = np.maximum(receivers[0], seen[0]), np.minimum(receivers[1], seen[1])
    sides = upper - lower
    if not (np.isfinite(sides).all() and (sides >= 0.0).all() and sides.max() > 0.0):
        return None
    margin = np.maximum(_FLATTEST * sides.max() - sides, 0.0) + 1e-3 * sides.max()
    return box_corners(lower - margin, upper + margin) @ axes


def shadow_caster_frustum(axes: np.ndarray, corners: np.ndarray, scene: np.ndarray, position: np.ndarray) -> Frustum:
    """Return the frustum of all that may cast a shadow into a box.

    Args:
        corners: (8, 3) of the box, relative.
        scene: (8, 3) corners of a box around the whole scene, relative.
        position: (3,) of the camera, world.
    """
    lower, upper = bounds_along(axes, corners)
    upper[2] = max(upper[2], float((scene @ axes[2]).max()))
    # Other points of the light's disc see past the box's sides, by more the farther a shadow caster is from it.
    aside = (upper[2] - lower[2]) * math.tan(1.5 * LIGHT_RADIUS_RAD)
    lower[:2] -= aside
    upper[:2] += aside
    return Frustum.from_matrix(_clip_of_box(axes, lower, upper), position)


def shadow_views(middle: np.ndarray, corners: np.ndarray, count: int) -> list[ShadowView]:
    """Return maps for directions spread evenly over the key light's disc, or over its middle if they are few.

    Args:
        corners: (8, 3) of the box that the maps show, relative.
    """
    right, up, to_light = middle
    views = []
    for number in range(count):
        # A sunflower's seeds (Vogel, "A better way to construct the sunflower head", 1979).
        offset = math.tan(LIGHT_RADIUS_RAD) * math.sqrt((number + 0.5) / max(count, _FEWEST_DIRECTIONS))
        angle = number * _GOLDEN_ANGLE
        direction = to_light + offset * (math.cos(angle) * right + math.sin(angle) * up)
        axes = axes_along(normalized(direction), middle)
        lower, upper = bounds_along(axes, corners)
        sides = upper - lower
        lower[:2] -= 0.01 * sides[:2].max()  # room for what is looked up beside a place
        upper[:2] += 0.01 * sides[:2].max()
        upper[2] += 0.01 * sides[2]
        clip = with_reversed_depth(_clip_of_box(axes, lower, upper))
        views.append(ShadowView(clip.astype(np.float32), float(sides[:2].max()) * 1.02))
    return views


def ground_part(
    to_light: np.ndarray, scene: np.ndarray, ground_height: float, radius: float
) -> tuple[float, float, float, float] | None:
    """Return the part of the ground that a scene may keep light off, as Occluders has it.

    Args:
        to_light: (3,) unit direction, upright.
        scene: (8, 3) corners of a box around the whole scene, upright, about the camera.
        ground_height: relative to the camera.
    """
    if ground_height >= 0.0:  # it is seen from below
        return None
    footprint = scene[:, (0, 2)]
    if to_light[1] > 0.0:
        heights = np.maximum(scene[:, 1] - ground_height, 0.0)[:, None]
        shadow = footprint - heights * to_light[[0, 2]] / max(float(to_light[1]), _LOWEST_LIGHT)
        footprint = np.concatenate([footprint, shadow])
    (left, near), (right, far) = footprint.min(axis=0) - 2.0 * radius, footprint.max(axis=0) + 2.0 * radius
    return float(left), float(near), float(right), float(far)


def _clip_of_box(axes: np.ndarray, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
    """Return the (4, 4) float64 matrix to OpenGL's clip space of a box along axes, seen from its upper third side."""
    return orthographic(lower, upper) @ affine_of_linear(axes)
