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
from octoscope.viewer.rendering.context.opengl import (
    back_face_culling,
    clip_distances,
    color_texture,
    has_indirect_draws,
    set_matrix,
)
from octoscope.viewer.rendering.context.reversed_depth import ReversedDepth
from octoscope.viewer.rendering.context.shader_library import program_of
from octoscope.viewer.rendering.passes.light_target import LightTarget
from octoscope.viewer.rendering.passes.render_pass import LIT, OPAQUE_WITH_IDS, UNLIT, MeshProgram, RenderPass
from octoscope.viewer.rendering.passes.shadow_maps import TILES_DEFINE
from octoscope.viewer.rendering.resources.gpu_caps import GpuCaps
from octoscope.viewer.rendering.resources.gpu_environment import GpuEnvironment, irradiance_defines
from octoscope.viewer.rendering.resources.gpu_scene import MATERIAL_DEFINES, GpuScene
from octoscope.viewer.rendering.resources.texture_layers import MOST_ARRAYS

_MODES = {
    "triangle": moderngl.TRIANGLES,
    "coarse": moderngl.TRIANGLES,
    "cap": moderngl.TRIANGLES,
    "line": moderngl.LINES,
    "point": moderngl.POINTS,
    "edge": moderngl.LINES,
    "dot": moderngl.POINTS,
}
# Behind those of maps; no layers are drawn with them.
_LIGHT_UNIT, _ROW_UNITS = 12, {"received_row_depths": 14, "received_row_shares": 15}
_SHADOW_UNIT = 12  # no program has both
_COMMAND_BYTES = 20
_FEW_BYTES = 2**20  # of textures, of which it does not help to take fewer
_NO_COMMANDS = np.empty((0, 5), dtype=np.uint32)
# Where shaders find depths of what was drawn before; OpenGL 3.3 has at least 16 units.
DEPTH_UNITS = {"last_layer": 15, "opaque_depth": 14, "scene_depth": 13}
_ACTIVE_NODES_UNIT = 13  # no program has both these and the depths

_CULLED = ("triangle", "coarse")  # elements that have a front and a back

# Constants of Python that mesh.glsl and what it includes share.
_SHARED_DEFINES = (
    f"MOST_PLANES {MOST_PLANES}",
    f"MOST_ARRAYS {MOST_ARRAYS}",
    *MATERIAL_DEFINES,
    f"KEY_DIRECTION vec3{USUAL_DIRECTION}",
    TILES_DEFINE,
)


class MeshDrawing:
    """Draws lists of a frame, element by element, into the framebuffer in use.

    Args:
        indirect: whether to use multi-draw-indirect; None uses it where the context has it.
    """

    def __init__(self, ctx: moderngl.Context, depth: ReversedDepth, *, indirect: bool | None = None) -> None:
        self._ctx = ctx
        self._depth = depth
        self.is_indirect = has_indirect_draws(ctx) if indirect is None else indirect  # True if it is used
        self._gpu_scene = GpuScene(ctx)
        self._caps = GpuCaps(ctx)
        self.environment = GpuEnvironment(ctx)  # the card's copy of it
        self._arrays: dict[tuple[moderngl.Program, str], moderngl.VertexArray] = {}
        self._commands = ctx.buffer(reserve=_COMMAND_BYTES)
        self._whole_lists: tuple[DrawList, ...] = ()  # of the last `upload`, if all of their meshes were there
        # First node id of each list, and first command of each list and element, in the buffers of the last `upload`.
        self._first_instances: dict[DrawList, int] = {}
        self._first_commands: dict[tuple[DrawList, str], int] = {}
        self._largest_point = ctx.info["GL_POINT_SIZE_RANGE"][1]  # pixels
        self._notes: list[str] = []  # on what the mode of the last `upload` cannot show
        self._drawable: dict[tuple[DrawList, str], np.ndarray] = {}  # commands whose meshes are uploaded

    def release(self) -> None:
        """Delete the vertex arrays and the copy of the scene."""
        self._forget_arrays()
        self._commands.release()
        self._gpu_scene.release()
        self._caps.release()
        self.environment.release()

    def begin_anew(self, *, shrinks_textures: bool) -> bool:
        """Delete the copy of the scene, for the next `upload` to make another: parts of it may have had no memory.

        Args:
            shrinks_textures: whether textures are to take a quarter of the memory.

        Returns:
            whether that is less memory than before.
        """
        gpu = self._gpu_scene
        largest = max(gpu.textures.byte_count, gpu.maps.byte_count)
        if shrinks_textures and largest <= _FEW_BYTES:
            return False
        self._forget_arrays()
        gpu.release()
        self._gpu_scene = GpuScene(self._ctx, largest // 4 if shrinks_textures else gpu.textures.most_bytes)
        self._whole_lists = ()
        return True

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
        gpu.update_materials(frame.scene.materials, frame.scene.materials_revision, waits=seconds is None)
        stale = gpu.meshes.update(frame.scene.meshes, frame.scene.polygon_edges, frame.scene.detail_levels, seconds)
        stale |= self._caps.update(frame.scene.caps, frame.scene.meshes)
        lists = (frame.visible, *frame.outlined)
        gpu.update_instances(frame.scene.instances)
        if stale:
            self._forget_arrays()
        lacks_uvs = not (gpu.meshes.has_uvs or self.has_pending_uploads) and frame.look.shading.mode.define == "UV"
        self._notes = ["no mesh has texture coordinates, which the UV checker would show"] if lacks_uvs else []
        largest = self._largest_point
        if "point" in frame.visible.commands and _point_size(frame, "point") > largest:
            self._notes.append(f"points are shown {largest:g} pixels wide: this graphics card has no larger ones")
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
        mesh_program: MeshProgram,
        render_pass: RenderPass,
        *,
        light: LightTarget | None = None,
        **uniforms: float | tuple[float, ...],
    ) -> int:
        """Draw a list of the frame that was uploaded last, tested against the depth of the framebuffer in use.

        Args:
            frame: the one that was uploaded last.
            draws: one of its lists.
            mesh_program: how fragments get their colours.
            render_pass: which objects and fragments are drawn, and how they are blended.
            light: that reaches surfaces in full light, in modes that are dimmed; None: all of it does.
            **uniforms: of the program, besides those that follow from the frame.

        Returns:
            The number of draw calls.
        """
        ranges = {element: self._range(draws, element, render_pass) for element in mesh_program.elements}
        there = {element: commands for element, commands in ranges.items() if commands.start < commands.stop}
        if not there:
            return 0
        self._ctx.enable_only(moderngl.DEPTH_TEST | moderngl.PROGRAM_POINT_SIZE)
        if render_pass.blending is not None:
            self._ctx.enable(moderngl.BLEND)
            self._ctx.blend_func = render_pass.blending
        if render_pass is OPAQUE_WITH_IDS:
            self._gpu_scene.update_active_nodes(frame.outlined.active.nodes, len(frame.scene.instances))
        calls = 0
        for element, commands in there.items():
            planes = 0 if element in ("cap", "dot") else len(frame.section)
            defines = [*_element_defines(frame, element), *render_pass.defines, *(["SECTION"] if planes else [])]
            if light is not None and mesh_program.has_full_light and frame.look.shading.mode.is_dimmed:
                defines += _received(light, render_pass)
            if mesh_program.is_lit:
                defines += irradiance_defines(frame.look.environment.environment)
            if self._gpu_scene.has_single_sided and frame.look.shading.culls and element in _CULLED:
                defines.append("SINGLE_SIDED")
            program = self._program(mesh_program, frame.look.shading, *defines)
            self._set_uniforms(program, frame, element)
            if light is not None:
                _use_light(program, light, frame)
            for name, value in uniforms.items():
                program[name] = value
            is_exact = element in SURFACES and not mesh_program.draws_ids
            matrix = frame.camera.clip_from_relative if is_exact else frame.camera.clip_from_relative_nearer
            set_matrix(program, "clip_from_relative", matrix)
            with clip_distances(self._ctx, planes):
                for part, culls in self._split(draws, element, commands):
                    with back_face_culling(self._ctx, culls):
                        calls += self._draw_element(program, frame, draws, element, part)
        return calls

    def _range(self, draws: DrawList, element: str, render_pass: RenderPass) -> slice:
        """Return the range of commands of a list that a pass draws, or of its nodes that are dots."""
        if element == "dot":
            return slice(draws.count - draws.dot_count, draws.count)
        commands = self._drawable.get((draws, element), _NO_COMMANDS)
        if render_pass.are_opaque is None:
            return slice(0, len(commands))
        first_translucent = int(np.searchsorted(commands[:, 4], draws.opaque_count))
        return slice(0, first_translucent) if render_pass.are_opaque else slice(first_translucent, len(commands))

    def _split(self, draws: DrawList, element: str, commands: slice) -> list[tuple[slice, bool]]:
        """Split a range of commands into one without back faces and one with them; empty ones are left out."""
        if element != "triangle" or draws.back_culled_count == 0:
            return [(commands, False)]
        first_others = int(np.searchsorted(self._drawable[draws, element][:, 4], draws.back_culled_count))
        middle = min(max(first_others, commands.start), commands.stop)
        parts = [(slice(commands.start, middle), True), (slice(middle, commands.stop), False)]
        return [part for part in parts if part[0].start < part[0].stop]

    def _draw_element(
        self, program: moderngl.Program, frame: FrameData, draws: DrawList, element: str, part: slice
    ) -> int:
        array = self._array(program, element)
        if element == "dot":
            array.render(_MODES[element], draws.dot_count, first=self._first_instances[draws] + part.start)
            return 1
        if self.is_indirect:
            first = self._first_commands[draws, element] + part.start
            array.render_indirect(self._commands, _MODES[element], part.stop - part.start, first)
            return 1
        commands = self._drawable[draws, element][part]
        is_lone = frame.scene.instances.is_lone[draws.nodes[commands[:, 4]]]
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

    def _program(self, mesh_program: MeshProgram, shading: Shading, *more: str) -> moderngl.Program:
        """Return a program for what the scene has: only scenes with textures, say, pay for them."""
        mode, gpu = shading.mode, self._gpu_scene
        if mesh_program.is_lit and mode.define and not mode.is_lit:
            mesh_program = LIT  # the modes of modes.glsl are fast as they are
        defines = [*self._depth.defines, *more, *mesh_program.defines]
        if mesh_program.has_normals and gpu.meshes.smooth and not shading.is_flat:
            defines.append("SMOOTH")
        if mode.define and (mesh_program.is_lit or (mesh_program.defines == UNLIT.defines and mode.colors_lines)):
            defines += (mode.define,) if mode.is_lit else ("MODE", mode.define)
        if "MODE" not in defines and mesh_program.reads_materials:
            if gpu.textures.places:
                defines += ("TEXTURED", f"ARRAYS {len(gpu.textures.arrays)}")
            if mesh_program.has_full_light and gpu.maps.places:
                defines += ("MAPPED", f"MAP_ARRAYS {len(gpu.maps.arrays)}")
            if gpu.has_turned and (gpu.textures.places or gpu.maps.places):
                defines += ("TURNED", "SECOND_UVS") if gpu.has_second_uvs else ("TURNED",)
            needed = {
                "WRAPPED": gpu.has_wraps,
                "COATED": gpu.has_coats and mesh_program.has_full_light,
                "METALS": gpu.has_metals and "FAST" in defines,
                "EMISSIVE": gpu.has_emission,
                "COLORED": gpu.meshes.colored,
            }
            defines += [define for define, is_needed in needed.items() if is_needed]
        return program_of(self._ctx, "mesh.glsl", *_SHARED_DEFINES, *defines)

    def _array(self, program: moderngl.Program, element: str) -> moderngl.VertexArray:
        key = (program, element)
        if key not in self._arrays:
            gpu = self._gpu_scene
            if element == "dot":
                self._arrays[key] = self._ctx.vertex_array(program, [(gpu.node_ids, "1u4", "in_node")])
                return self._arrays[key]
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

    def _set_uniforms(self, program: moderngl.Program, frame: FrameData, element: str) -> None:
        gpu, names = self._gpu_scene, set(program)  # moderngl goes over all of them for each that is looked up
        for name, unit, texture in (
            ("instances", 0, gpu.instance_texture),
            ("materials", 1, gpu.material_texture),
            ("lone_nodes", 2, gpu.lone_node_texture),
            ("active_nodes", _ACTIVE_NODES_UNIT, gpu.active_node_texture),
        ):
            if name in names:
                program[name] = unit
                texture.use(unit)
        if "textures_0" in names:
            for name, unit in gpu.textures.use("textures", 4):
                if name in names:
                    program[name] = unit
        if "maps_0" in names:
            for name, unit in gpu.maps.use("maps", 8):
                if name in names:
                    program[name] = unit
        matcap, lighting, environment = frame.look.shading.matcap, frame.look.lighting, frame.look.environment
        camera_high, camera_low = high_low(frame.camera.position)
        planes = [tuple(plane) for plane in frame.section.tolist()]
        uniforms = {
            **DEPTH_UNITS,
            "camera_high": tuple(camera_high),
            "camera_low": tuple(camera_low),
            "section": planes + [(0.0,) * 4] * (MOST_PLANES - len(planes)),  # which keep everything
            "is_parallel": not frame.camera.clip_from_relative[3, :3].any(),
            "picture_size": frame.size,
            "focus_distance": frame.camera.focus_distance,
            "seen_depths": frame.look.seen_depths,
            "seen_luminance": frame.look.backdrop.seen_luminance,
            "point_size": _point_size(frame, element),
            "line_width": _line_width(frame, element),
            "dark": (*matcap.dark, matcap.mirror),
            "bright": (*matcap.bright, matcap.stripes),
            "highlight": (*matcap.highlight, matcap.exponent),
            "rim": (*matcap.rim, matcap.rim_exponent),
            "key_light": lighting.strength,
            "key_direction": tuple(lighting.in_view(frame.camera.view_from_relative.astype(float)).tolist()),
            "mean_visibility": lighting.mean_visibility,
        }
        matrices = {
            "view_from_relative": frame.camera.view_from_relative,
            "relative_from_view": frame.camera.view_from_relative.T,
            "environment_from_view": environment.environment_from_view,
        }
        for name in names:
            if name in uniforms:
                program[name] = uniforms[name]
            elif name in matrices:
                set_matrix(program, name, matrices[name])
        if "irradiance" in names:  # else it is a constant
            program["irradiance"] = [tuple(color) for color in environment.environment.irradiance.tolist()]
        if "mirrored" in names:
            program["mirrored"] = 3
            program["texel"] = self.environment.use(environment.environment, 3)


def _received(light: LightTarget, render_pass: RenderPass) -> tuple[str, ...]:
    """Return the define of received_light.glsl for a pass."""
    if render_pass.are_opaque:
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
        program["shadow_strength"] = frame.look.lighting.shadow


def _line_width(frame: FrameData, element: str) -> float:
    """Return the width of an element's lines in pixels, 1 or more; 0 for elements without lines."""
    if element not in ("line", "edge"):
        return 0.0
    return max(1.0, (frame.look.strokes.line_width if element == "line" else 1.0) * frame.pixel_ratio)


def _point_size(frame: FrameData, element: str) -> float:
    """Return the width of an element's points in pixels."""
    return (DOT_SIZE if element == "dot" else frame.look.strokes.point_size) * frame.pixel_ratio


def _element_defines(frame: FrameData, element: str) -> tuple[str, ...]:
    """Return the defines of mesh.glsl for an element.

    OpenGL's own lines are drawn faster, but need not be wider than a pixel.
    """
    if element in ("cap", "dot"):
        return ("CAP",) if element == "cap" else ("DOTS",)
    if _line_width(frame, element) > 1.0:
        return ("WIDE",)
    return ("ROUND",) if element == "point" and frame.look.strokes.round_points else ()
