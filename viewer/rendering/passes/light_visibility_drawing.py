"""LightVisibilityDrawing: the share of light that reaches the surface at each pixel.

Each sample sees the key light from another point of its disc, and looks for horizons in other directions: the mean of
some is soft and has no noise. The passes over the scene then read it at each pixel, however many samples they have.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import moderngl

from octoscope.viewer.frame.frame import DrawList, FrameData
from octoscope.viewer.frame.occluders import light_axes, shadow_views
from octoscope.viewer.rendering.context.opengl import color_texture, set_matrix
from octoscope.viewer.rendering.context.quads import Quads
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.passes.light_target import LightTarget
from octoscope.viewer.rendering.passes.mesh_drawing import MeshDrawing
from octoscope.viewer.rendering.passes.render_pass import FACETS, OPAQUE, OPAQUE_PARTS, SHADOW_CASTERS
from octoscope.viewer.rendering.passes.shadow_maps import MAPS, TILES_DEFINE, ShadowMaps

_DEPTH_CLAMP = 0x864F  # shadow casters nearer to the light than the map reaches are drawn at its border
_ANY_DEPTH = 1e38  # world units
_LONGEST_WALK = 0.3  # of a search for horizons, as a share of the picture's height


class LightVisibilityDrawing:
    """Draws the light that reaches surfaces."""

    def __init__(self, ctx: moderngl.Context, meshes: MeshDrawing, depth: ReversedDepth, quads: Quads) -> None:
        self._ctx = ctx
        self._meshes = meshes
        self._depth = depth
        self._quads = quads

    def samples(
        self, frame: FrameData, target: LightTarget, count: int, most: int | None, seconds: float | None = None
    ) -> Iterator[None]:
        """Draw the light that reaches the surfaces of a frame with occluders, piece by piece.

        Args:
            frame: to draw, not jittered.
            target: of the frame's size.
            count: of samples, whose mean it is.
            most: triangles in a piece; None: all at once.
            seconds: time limit for meshes that are not uploaded yet, as of MeshDrawing.upload.

        Yields:
            None, after each piece.
        """
        occluders = frame.occluders
        assert occluders is not None
        target.sums.use()
        target.sums.clear()
        for index, piece in enumerate(_pieces(frame.visible, most)):
            self._meshes.upload(replace(frame, visible=piece), seconds)
            self._draw_surfaces(replace(frame, visible=piece), target.surfaces, clears=index == 0)
            yield
        camera_axes = frame.camera.view_from_relative.astype(float)
        axes = light_axes(frame.look.lighting.in_world(camera_axes), camera_axes)
        maps, start = target.shadow_maps, -_ANY_DEPTH
        ends = [*(each.end for each in occluders.cascades[:-1]), _ANY_DEPTH]
        for cascade, end in zip(occluders.cascades or (None,), ends, strict=True):
            views = [] if cascade is None else shadow_views(axes, cascade.corners, count * MAPS)
            for number in range(count):
                maps.views = views[number::count]  # from all over the light's disc
                for tile in range(len(maps.views)):
                    assert cascade is not None
                    least_opacity = (number + count * tile + 0.5) / (count * MAPS)
                    for index, piece in enumerate(_pieces(cascade.casters, most)):
                        part = replace(frame, visible=piece)
                        self._meshes.upload(part, seconds)
                        self._draw_map(part, maps, tile, least_opacity, clears=tile + index == 0)
                        yield
                self._add_sample(frame, target, (start, end), number, count)
                yield
            start = end
        self._blur(frame, target, count)

    def _draw_surfaces(self, frame: FrameData, surfaces: moderngl.Framebuffer, *, clears: bool) -> None:
        """Draw normals and depths of what is opaque and was uploaded."""
        surfaces.use()
        if clears:
            surfaces.clear(0.0, 0.0, 0.0, 0.0, depth=ReversedDepth.FARTHEST)
        with self._depth.in_use():
            self._meshes.draw(frame, frame.visible, FACETS, OPAQUE)

    def _draw_map(self, frame: FrameData, maps: ShadowMaps, tile: int, least_opacity: float, *, clears: bool) -> None:
        """Draw what casts shadows and was uploaded, as the key light sees it, into a tile.

        What is translucent is in a share of the maps that is its opacity.
        """
        camera = replace(frame.camera, clip_from_relative=maps.views[tile].clip_from_relative)
        look = replace(frame.look, shading=replace(frame.look.shading, culls_back_faces=False))
        frame = replace(frame, camera=camera, look=look)
        maps.begin_tile(tile, clears=clears)  # only after the upload, which may draw into textures
        self._ctx.enable_direct(_DEPTH_CLAMP)
        with self._depth.in_use():
            draws = frame.visible
            self._meshes.draw(frame, draws, FACETS, OPAQUE)
            self._meshes.draw(frame, draws, SHADOW_CASTERS, OPAQUE_PARTS, least_opacity=least_opacity)
        self._ctx.disable_direct(_DEPTH_CLAMP)

    def _add_sample(
        self, frame: FrameData, target: LightTarget, depths: tuple[float, float], number: int, count: int
    ) -> None:
        """Add a sample, a number of so many, to the sums of a target where depths along the view are in a range."""
        occluders = frame.occluders
        assert occluders is not None
        occlusion = ["OCCLUSION"] if occluders.radius > 0.0 else []
        shadow = ["SHADOW", TILES_DEFINE] if target.shadow_maps.views else []
        quad = self._quads.of("light_visibility.glsl", *shadow, *occlusion)
        program = quad.program
        color_texture(target.surfaces).use(0)
        program["surfaces"] = 0
        program["range"] = depths
        program["picture_size"] = target.size
        clip_from_view = frame.camera.clip_from_relative.astype(float)
        clip_from_view[:, :3] = clip_from_view[:, :3] @ frame.camera.view_from_relative.T
        program["lens"] = (
            1.0 / clip_from_view[0, 0],
            1.0 / clip_from_view[1, 1],
            -clip_from_view[3, 2],
            clip_from_view[3, 3],
        )
        if "is_parallel" in program:
            program["is_parallel"] = not frame.camera.clip_from_relative[3, :3].any()
        relative_from_view = frame.camera.view_from_relative.T
        set_matrix(program, "relative_from_view", relative_from_view)
        set_matrix(program, "upright_from_view", frame.camera.relative_from_upright.T @ relative_from_view)
        has_ground = occluders.ground is not None and frame.grid is not None
        program["height_above_ground"] = -frame.grid.height if has_ground and frame.grid is not None else -1.0
        program["ground_part"] = occluders.ground or (0.0,) * 4
        if target.shadow_maps.views:
            target.shadow_maps.use(program, 1, frame)
        if occluders.radius > 0.0:
            program["sample_number"] = number, count
            assert isinstance(target.surfaces.depth_attachment, moderngl.Texture)
            target.surfaces.depth_attachment.use(2)
            program["depths"] = 2
            (c, d), (w2, w3) = clip_from_view[2:, 2:]
            program["from_clip"] = w3, -d, w2, -c
            program["radius"] = occluders.radius
            program["longest_walk"] = _LONGEST_WALK * target.size[1]
        target.sums.use()
        self._ctx.enable_only(moderngl.BLEND)
        self._ctx.blend_func = moderngl.ONE, moderngl.ONE
        quad.render()
        self._ctx.enable_only(moderngl.NOTHING)

    def _blur(self, frame: FrameData, target: LightTarget, count: int) -> None:
        """Make the light of a target, and its rows, of its sums over so many samples."""
        assert frame.occluders is not None
        quad = self._quads.of("light_shares.glsl")
        color_texture(target.sums).use(0)
        quad.program["sums"] = 0
        quad.program["count"] = count
        quad.program["radius"] = frame.occluders.radius
        quad.program["fade_distance"] = 1.0 if frame.grid is None else frame.grid.fade_distance
        quad.program["dimming"] = frame.look.lighting.occlusion, frame.look.lighting.shadow
        target.light.use()
        self._ctx.enable_only(moderngl.NOTHING)
        quad.render()
        rows = self._quads.of("light_rows.glsl")
        for unit, name in enumerate(("light", "depths")):
            color_texture(target.light, unit).use(unit)
            rows.program[name] = unit
        target.rows.use()
        rows.render()


def _pieces(draws: DrawList, most: int | None) -> list[DrawList]:
    return [draws] if most is None else draws.in_pieces(most)
