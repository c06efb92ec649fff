"""MeshDrawing: the draw calls over a scene's meshes, and the programs, vertex arrays and commands behind them.

From OpenGL 4.3 on one multi-draw-indirect call draws an element of all meshes. Before, each draw of a DrawList is a
call: a mesh that several nodes show, or a run of neighbours that one node each shows.
"""

from __future__ import annotations

from itertools import accumulate

import moderngl
import numpy as np

from octoscope.scene import Meshes
from octoscope.viewer.frame.frame import DOT_SIZE, SURFACES, DrawList, FrameData
from octoscope.viewer.frame.instances import high_low
from octoscope.viewer.frame.look.lighting import USUAL_DIRECTION
from octoscope.viewer.frame.look.shading import Shading
from octoscope.viewer.frame.section import MOST_PLANES
from octoscope.viewer.rendering.context.opengl import clip_distances, color_texture, has_indirect_draws, set_matrix
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.context.shader_library import program_of
from octoscope.viewer.rendering.passes.light_target import LightTarget
from octoscope.viewer.rendering.passes.shadow_maps import TILES_DEFINE
from octoscope.viewer.rendering.resources.gpu_caps import GpuCaps
from octoscope.viewer.rendering.resources.gpu_environment import GpuEnvironment, irradiance_define
from octoscope.viewer.rendering.resources.gpu_scene import TEXELS_PER_MATERIAL, TEXELS_PER_ROW, GpuScene
from octoscope.viewer.rendering.resources.texture_layers import MOST_ARRAYS

_MODES = {
    "triangle": moderngl.TRIANGLES,
    "coarse": moderngl.TRIANGLES,
    "cap": moderngl.TRIANGLES,
    "line": moderngl.LINES,
    "point": moderngl.POINTS,
    "edge": moderngl.LINES,
}
# Behind those of maps; no layers are drawn with them.
_LIGHT_UNIT, _ROW_UNITS = 12, {"received_row_depths": 14, "received_row_shares": 15}
_SHADOW_UNIT = 12  # no program has both
_COMMAND_BYTES = 20
_NO_COMMANDS = np.empty((0, 5), dtype=np.uint32)
# Parts of a list that can be drawn alone, with the shader's defines for them.
_PARTS = {
    "all": (),
    "opaque": (),
    "opaque parts": ("OPAQUE_PARTS",),
    "translucent": ("TRANSLUCENT",),
    "layer": ("PEEL",),
    "behind layers": ("TRANSLUCENT", "PEEL"),
}
# Where shaders find depths of what was drawn before; OpenGL 3.3 has at least 16 units.
DEPTH_UNITS = {"last_layer": 15, "opaque_depth": 14, "scene_depth": 13}
_ACTIVE_NODES_UNIT = 13  # no program has both these and the depths

# Elements that have a front and a back, and kinds of drawing that show it; shadows are cast by both.
_CULLED = ("triangle", "coarse")
_LIT = ("lit", "fast", "fast at corners")
_CULLING = (*_LIT, "buffers", "objects")

# Constants of Python that mesh.glsl and what it includes share.
_SHARED_DEFINES = (
    f"MOST_PLANES {MOST_PLANES}",
    f"MOST_ARRAYS {MOST_ARRAYS}",
    f"TEXELS_PER_ROW {TEXELS_PER_ROW}",
    f"TEXELS_PER_MATERIAL {TEXELS_PER_MATERIAL}",
    f"KEY_DIRECTION vec3{USUAL_DIRECTION}",
    TILES_DEFINE,
)

_KIND_DEFINES = {
    "lit": (),
    "fast": ("FAST",),
    "fast at corners": ("FAST", "AT_CORNERS"),
    "unlit": ("UNLIT",),
    "bounded": ("UNLIT", "BOUNDED"),
    "solid": ("SOLID",),
    "objects": ("OBJECTS",),
    "buffers": ("MODE", "BUFFERS"),
    "caster": ("UNLIT", "CASTER"),
    "line buffers": ("UNLIT", "MODE", "BUFFERS"),
}


class MeshDrawing:
    """Draws lists of a frame, element by element, into the framebuffer in use and with the state that is set.

    Args:
        ctx: to draw with.
        depth: in use while something is drawn.
        indirect: whether to use multi-draw-indirect; None uses it where the context has it.

    Attributes:
        is_indirect: True if it is used.
        environment: the card's copy of it.
    """

    def __init__(self, ctx: moderngl.Context, depth: ReversedDepth, *, indirect: bool | None = None) -> None:
        self._ctx = ctx
        self._depth = depth
        self.is_indirect = has_indirect_draws(ctx) if indirect is None else indirect
        self._gpu_scene = GpuScene(ctx)
        self._caps = GpuCaps(ctx)
        self.environment = GpuEnvironment(ctx)
        self._arrays: dict[tuple[moderngl.Program, str], moderngl.VertexArray] = {}
        self._commands = ctx.buffer(reserve=_COMMAND_BYTES)
        self._whole_lists: tuple[DrawList, ...] = ()  # of the last `upload`, if all of their meshes were there
        # First node id of each list, and first command of each list and element, in the buffers of the last `upload`.
        self._first_instances: dict[DrawList, int] = {}
        self._first_commands: dict[tuple[DrawList, str], int] = {}
        self._notes: list[str] = []  # on what the mode of the last `upload` cannot show
        self._drawable: dict[tuple[DrawList, str], np.ndarray] = {}  # commands whose meshes are uploaded

    def release(self) -> None:
        """Delete the vertex arrays and the copy of the scene."""
        self._forget_arrays()
        self._commands.release()
        self._gpu_scene.release()
        self._caps.release()
        self.environment.release()

    @property
    def messages(self) -> list[str]:
        """A line about each kind of thing of the last `upload` that this card cannot show as it is."""
        return self._gpu_scene.messages + self._notes

    @property
    def has_pending_uploads(self) -> bool:
        """True if the last `upload` left meshes or textures out for lack of time."""
        return self._gpu_scene.has_pending_uploads

    def upload_pending(self, seconds: float | None) -> None:
        """Upload more of the meshes and textures that `upload` left out.

        Raises:
            MemoryError, moderngl.Error: they do not fit.
        """
        if self._gpu_scene.meshes.has_pending_uploads:
            self._gpu_scene.meshes.upload_pending(seconds)
        else:
            self._gpu_scene.textures.upload_pending(seconds)
            self._gpu_scene.maps.upload_pending(seconds)

    def upload_meshes(self, meshes: Meshes, seconds: float | None) -> bool:
        """Upload meshes of the scene, within a time limit unless it is None; return whether all are on the card.

        Raises:
            MemoryError, moderngl.Error: they do not fit.
        """
        if self._gpu_scene.meshes.update(meshes, None, None, seconds):
            self._forget_arrays()
        return not self._gpu_scene.meshes.has_pending_uploads

    def _forget_arrays(self) -> None:
        """Release the vertex arrays, whose buffers were replaced."""
        for array in self._arrays.values():
            array.release()
        self._arrays = {}

    def upload(self, frame: FrameData, seconds: float | None = None) -> None:
        """Upload what a frame's lists need and is not on the card yet.

        Args:
            frame: the next to be drawn.
            seconds: time limit for meshes and textures, after which the rest is not drawn; None: no limit.

        Raises:
            MemoryError, moderngl.Error: it does not fit.
        """
        gpu = self._gpu_scene
        gpu.update_materials(frame.materials, frame.materials_revision, waits=seconds is None)
        stale = gpu.meshes.update(frame.meshes, frame.polygon_edges, frame.detail_levels, seconds)
        stale |= self._caps.update(frame.caps, frame.meshes)
        lists = (frame.visible, frame.selected, frame.active, frame.hovered)
        gpu.update_instances(frame.instances)
        if stale:
            self._forget_arrays()
        lacks_uvs = not (gpu.meshes.has_uvs or self.has_pending_uploads) and frame.shading.mode.define == "UV"
        self._notes = ["no mesh has texture coordinates, which the UV checker would show"] if lacks_uvs else []
        is_whole = not gpu.meshes.has_pending_uploads
        if is_whole and lists == self._whole_lists:
            return  # as for each sample and layer of one picture
        self._whole_lists = lists if is_whole else ()
        gpu.update_node_ids(*(draws.nodes for draws in lists))
        counts = [draws.count for draws in lists]
        self._first_instances = dict(zip(lists, [0, *accumulate(counts[:-1])], strict=True))
        self._drawable = {
            (draws, element): commands if element == "cap" else gpu.meshes.drawable(element, commands)
            for draws in lists
            for element, commands in draws.commands.items()
        }
        if self.is_indirect:
            self._write_commands()

    def draw(
        self,
        frame: FrameData,
        draws: DrawList,
        kind: str,
        *elements: str,
        part: str = "all",
        solid_color: tuple[float, float, float, float] | None = None,
        seen_luminance: tuple[float, float] | None = None,
        is_numbered: bool = False,
        is_active: bool = False,
        depth_scale: tuple[float, float] | None = (1.0, 1.0),
        light: LightTarget | None = None,
        least_opacity: float = 0.0,
    ) -> int:
        """Draw elements of a list of the frame that was uploaded last.

        Args:
            frame: the one that was uploaded last.
            draws: one of its lists.
            kind: "lit", or lit more simply, "fast" at each pixel or "fast at corners" of triangles, all three as the
                frame's mode shows surfaces; "unlit" (in the materials' colours alone, if the mode has no others for
                lines), "bounded" (the same, all within `seen_luminance`), "solid" (in `solid_color`), "caster" (what is
                as opaque as `least_opacity`, into depth), "objects" (the numbers by which outline.glsl tells objects
                apart), or "buffers" and "line buffers" (what viewer.rendering.buffers reads, of triangles and of other
                elements).
            *elements: of viewer.frame.frame.INDICES_OF.
            part: "all" objects; the "opaque" ones; or of the translucent objects the "opaque parts", what is
                "translucent", of that the next "layer" of depth_peeling.py, or all "behind layers" that
                were drawn. Where the kind is "solid", parts of translucent objects are whole objects.
            solid_color: for "solid", linear, with opacity.
            seen_luminance: for "unlit" and "bounded", as of Backdrop: bounds for colours that nobody chose.
            light: that reaches surfaces, for "lit" in modes that are dimmed; None: all of it does.
            least_opacity: for "caster".
            is_numbered: for all but "solid" and "objects": also draws the numbers of "objects" into a second target.
            is_active: for "objects", marks them as those that were selected last.
            depth_scale: for "objects", pixels of the scene's depths to one that is drawn, in width and height; None,
                for dots alone: the depth test is the scene's, and leaves nothing that the scene hides.

        Returns:
            The number of draw calls.
        """
        parts = {element: self._part(draws, element, part) for element in elements}
        there = {element: commands for element, commands in parts.items() if commands.start < commands.stop}
        calls = self._draw_dots(frame, draws, is_active, depth_scale) if kind == "objects" and draws.dot_count else 0
        if not there:
            return calls
        if is_numbered:
            self._gpu_scene.update_active_nodes(frame.active.nodes, len(frame.instances))
        for element, commands in there.items():
            width = _line_width(frame, element)
            planes = 0 if element == "cap" else len(frame.section)
            defines = ("CAP",) if element == "cap" else ("SECTION",) if planes else ()
            if light is not None and kind == "lit" and frame.shading.mode.is_dimmed:
                defines += _received(light, part)
            defines += ("NUMBERED",) if is_numbered else ()
            defines += (irradiance_define(frame.environment.environment),) if kind in _LIT else ()
            if self._gpu_scene.has_single_sided and frame.shading.culls and element in _CULLED and kind in _CULLING:
                defines += ("SINGLE_SIDED",)
            program = self._program(kind, part, frame.shading, *_stroke_defines(frame, element), *defines)
            self._set_uniforms(program, frame)
            if light is not None:
                _use_light(program, light, frame)
            if kind == "caster":
                program["least_opacity"] = least_opacity
            if solid_color is not None:
                program["solid_color"] = solid_color
            if seen_luminance is not None and "seen_luminance" in program:
                program["seen_luminance"] = seen_luminance
            if kind == "objects":
                program["is_active"] = is_active
                program["scene_depth_per_pixel"] = depth_scale
            if "line_width" in program:
                program["line_width"] = width
            is_exact = element in SURFACES and kind != "objects"
            matrix = frame.clip_from_relative if is_exact else frame.clip_from_relative_nearer
            set_matrix(program, "clip_from_relative", matrix)
            with clip_distances(self._ctx, planes):
                calls += self._draw_element(program, frame, draws, element, commands)
        return calls

    def _part(self, draws: DrawList, element: str, part: str) -> slice:
        """Return the range of commands of a list that draws a part of it."""
        commands = self._drawable.get((draws, element), _NO_COMMANDS)
        if part == "all":
            return slice(0, len(commands))
        first_translucent = int(np.searchsorted(commands[:, 4], draws.opaque_count))
        return slice(0, first_translucent) if part == "opaque" else slice(first_translucent, len(commands))

    def _draw_element(
        self, program: moderngl.Program, frame: FrameData, draws: DrawList, element: str, part: slice
    ) -> int:
        array = self._array(program, element)
        if self.is_indirect:
            first = self._first_commands[draws, element] + part.start
            array.render_indirect(self._commands, _MODES[element], part.stop - part.start, first)
            return 1
        commands = self._drawable[draws, element][part]
        is_lone = frame.instances.is_lone[draws.nodes[commands[:, 4]]]
        first_id = self._first_instances[draws]
        in_node = program["in_node"]
        assert isinstance(in_node, moderngl.Attribute)
        for (index_count, instance_count, first_index, _, first), lone in zip(
            commands.tolist(), is_lone.tolist(), strict=True
        ):
            if not lone:  # a lone node's mesh knows its node by itself
                array.bind(
                    in_node.location, "i", self._gpu_scene.node_ids, "1u4", offset=4 * (first_id + first), divisor=1
                )
            array.render(_MODES[element], index_count, first=first_index, instances=instance_count)
        return len(commands)

    def _draw_dots(
        self, frame: FrameData, draws: DrawList, is_active: bool, depth_scale: tuple[float, float] | None
    ) -> int:
        """Draw the numbers of the objects that are dots; return the number of draw calls."""
        defines = ("DOTS",) if depth_scale is not None else ("DOTS", "IN_FRONT")
        program = self._program("objects", "all", frame.shading, *defines)
        self._set_uniforms(program, frame)
        set_matrix(program, "clip_from_relative", frame.clip_from_relative_nearer)
        program["is_active"] = is_active
        if depth_scale is not None:
            program["scene_depth_per_pixel"] = depth_scale
        program["point_size"] = DOT_SIZE * frame.pixel_ratio
        key = (program, "dot")
        if key not in self._arrays:
            self._arrays[key] = self._ctx.vertex_array(program, [(self._gpu_scene.node_ids, "1u4", "in_node")])
        first = self._first_instances[draws] + draws.count - draws.dot_count
        self._arrays[key].render(moderngl.POINTS, draws.dot_count, first=first)
        return 1

    def _write_commands(self) -> None:
        """Write the commands of all lists and elements into one buffer, one after another."""
        parts = []
        self._first_commands = {}
        count = 0
        for (draws, element), commands in self._drawable.items():
            self._first_commands[draws, element] = count
            parts.append(commands + np.array([0, 0, 0, 0, self._first_instances[draws]], dtype=np.uint32))
            count += len(commands)
        if count:
            if count * _COMMAND_BYTES > self._commands.size:
                self._commands.orphan(2 * count * _COMMAND_BYTES)
            self._commands.write(np.concatenate(parts))

    def _program(self, kind: str, part: str, shading: Shading, *more: str) -> moderngl.Program:
        """Return the program for what the scene has: only scenes with textures, say, pay for them.

        Args:
            kind: as of `draw`.
            part: as of `draw`.
            shading: of the frame.
            *more: further defines of mesh.glsl.
        """
        mode = shading.mode
        if kind in _LIT and mode.define and not mode.is_lit:
            kind = "lit"  # the modes of modes.glsl are fast as they are
        defines = [*self._depth.defines, *more, *_KIND_DEFINES[kind]]
        is_surface = kind in _LIT
        if (is_surface or kind == "buffers") and self._gpu_scene.meshes.smooth and not shading.is_flat:
            defines.append("SMOOTH")
        if mode.define and (is_surface or (kind == "unlit" and mode.colors_lines)):
            defines += (mode.define,) if mode.is_lit else ("MODE", mode.define)
        if "MODE" not in defines and kind not in ("solid", "objects"):
            if self._gpu_scene.textures.places:
                defines += ("TEXTURED", f"ARRAYS {len(self._gpu_scene.textures.arrays)}")
            if kind == "lit" and self._gpu_scene.maps.places:
                defines += ("MAPPED", f"MAP_ARRAYS {len(self._gpu_scene.maps.arrays)}")
            if self._gpu_scene.has_turned and (self._gpu_scene.textures.places or self._gpu_scene.maps.places):
                defines += ("TURNED", "SECOND_UVS") if self._gpu_scene.has_second_uvs else ("TURNED",)
            if self._gpu_scene.has_wraps:
                defines.append("WRAPPED")
            if kind == "lit" and self._gpu_scene.has_coats:
                defines.append("COATED")
            if kind != "lit" and is_surface and self._gpu_scene.has_metals:
                defines.append("METALS")
            if self._gpu_scene.has_emission:
                defines.append("EMISSIVE")
            if self._gpu_scene.meshes.colored:
                defines.append("COLORED")
            defines += _PARTS[part]
        elif kind == "solid" and part == "layer":
            defines += _PARTS[part]
        program = program_of(self._ctx, "mesh.glsl", *_SHARED_DEFINES, *defines)
        for name, unit in DEPTH_UNITS.items():
            if name in program:
                program[name] = unit
        return program

    def _array(self, program: moderngl.Program, element: str) -> moderngl.VertexArray:
        key = (program, element)
        if key not in self._arrays:
            gpu = self._gpu_scene
            is_cap = element == "cap"
            content = [
                (self._caps.vertices if is_cap else gpu.meshes.vertices, *gpu.meshes.vertex_layout(program)),
                (gpu.node_ids, "1u4/i", "in_node"),
            ]
            second_uvs = self._caps.second_uvs if is_cap else gpu.meshes.second_uvs
            if "in_second_uv" in program and second_uvs is not None:  # without one the attribute is zero
                content.append((second_uvs, "2f4", "in_second_uv"))
            indices = self._caps.indices if is_cap else gpu.meshes.indices[element]
            self._arrays[key] = self._ctx.vertex_array(program, content, indices)
        return self._arrays[key]

    def _set_uniforms(self, program: moderngl.Program, frame: FrameData) -> None:
        gpu = self._gpu_scene
        for name, unit, texture in (
            ("instances", 0, gpu.instance_texture),
            ("materials", 1, gpu.material_texture),
            ("lone_nodes", 2, gpu.lone_node_texture),
            ("active_nodes", _ACTIVE_NODES_UNIT, gpu.active_node_texture),
        ):
            if name in program:
                program[name] = unit
                texture.use(unit)
        self._set_light(program, frame)
        if "textures_0" in program:
            for name, unit in gpu.textures.use("textures", 4):
                if name in program:
                    program[name] = unit
        if "maps_0" in program:
            for name, unit in gpu.maps.use("maps", 8):
                if name in program:
                    program[name] = unit
        program["camera_high"], program["camera_low"] = map(tuple, high_low(frame.camera_position))
        if "section" in program:  # planes that are not there keep everything
            section = np.pad(frame.section, ((0, MOST_PLANES - len(frame.section)), (0, 0)))
            program["section"] = [tuple(plane) for plane in section.tolist()]
        if "view_from_relative" in program:
            set_matrix(program, "view_from_relative", frame.view_from_relative)
        if "relative_from_view" in program:
            set_matrix(program, "relative_from_view", frame.view_from_relative.T)
        if "seen_depths" in program:
            program["seen_depths"] = frame.seen_depths
        if "is_parallel" in program:
            program["is_parallel"] = not frame.clip_from_relative[3, :3].any()
        if "rim" in program:
            matcap = frame.shading.matcap
            program["dark"], program["bright"] = (*matcap.dark, matcap.mirror), (*matcap.bright, matcap.stripes)
            program["highlight"] = *matcap.highlight, matcap.exponent
            program["rim"] = *matcap.rim, matcap.rim_exponent
        if "point_size" in program:
            program["point_size"] = frame.strokes.point_size * frame.pixel_ratio
        if "picture_size" in program:
            program["picture_size"] = frame.size
        if "focus_distance" in program:
            program["focus_distance"] = frame.focus_distance

    def _set_light(self, program: moderngl.Program, frame: FrameData) -> None:
        """Set the uniforms of light.glsl."""
        if "mirrored" in program:
            program["mirrored"] = 3
            program["texel"] = self.environment.use(frame.environment.environment, 3)
        if "environment_from_view" in program:
            set_matrix(program, "environment_from_view", frame.environment.environment_from_view)
        if "key_light" in program:
            lighting = frame.lighting
            program["key_direction"] = tuple(lighting.in_view(frame.view_from_relative.astype(float)).tolist())
            program["key_light"] = lighting.strength
        if "mean_visibility" in program:
            program["mean_visibility"] = frame.lighting.mean_visibility


def _received(light: LightTarget, part: str) -> tuple[str, ...]:
    """Return the define of received_light.glsl for a part of a list."""
    if part == "opaque":
        return ("RECEIVED_LIGHT",)
    return ("RECEIVED_SHADOW",) if light.shadow_maps.views else ()


def _use_light(program: moderngl.Program, light: LightTarget, frame: FrameData) -> None:
    """Bind the light that reaches surfaces to the samplers of a program with received_light.glsl."""
    if "received_light" in program:
        color_texture(light.light).use(_LIGHT_UNIT)
        program["received_light"] = _LIGHT_UNIT
        for index, (name, unit) in enumerate(_ROW_UNITS.items()):
            color_texture(light.rows, index).use(unit)
            program[name] = unit
        program["received_scale"] = tuple(np.divide(light.size, frame.size).tolist())
    if "shadow_maps" in program:
        light.shadow_maps.use(program, _SHADOW_UNIT, frame)
        program["shadow_strength"] = frame.lighting.shadow


def _line_width(frame: FrameData, element: str) -> float:
    """Return the width of an element's lines in pixels, 1 or more; 0 for elements without lines."""
    if element not in ("line", "edge"):
        return 0.0
    return max(1.0, (frame.strokes.line_width if element == "line" else 1.0) * frame.pixel_ratio)


def _stroke_defines(frame: FrameData, element: str) -> tuple[str, ...]:
    """Return the defines of mesh.glsl for the shape of lines and points.

    OpenGL's own lines are drawn faster, but need not be wider than a pixel.
    """
    if _line_width(frame, element) > 1.0:
        return ("WIDE",)
    return ("ROUND",) if element == "point" and frame.strokes.round_points else ()
