"""ImguiBackend: connects Dear ImGui to the window and the graphics card.

This module owns one Dear ImGui context together with every OpenGL object needed to draw it. It exists because Dear
ImGui 1.92 changed how font textures reach the graphics card (the library asks for textures to be created, updated and
destroyed while it runs), and because the back ends shipped with imgui-bundle draw through PyOpenGL, which would go
behind moderngl's back.

It knows nothing about windows: the owner of the window translates its events into the calls below.
"""

import ctypes
import functools
import math
import string
from collections.abc import Callable, Iterable
from typing import Any

import moderngl
import numpy as np
from imgui_bundle import imgui

_VERTEX_SHADER = """
#version 330 core

uniform vec2 display_position;
uniform vec2 display_size;

in vec2 in_position;
in vec2 in_texture_coordinate;
in vec4 in_color;

out vec2 texture_coordinate;
out vec4 color;

void main() {
    vec2 fraction = (in_position - display_position) / display_size;  // (0, 0) is the top left corner
    gl_Position = vec4(2.0 * fraction.x - 1.0, 1.0 - 2.0 * fraction.y, 0.0, 1.0);
    texture_coordinate = in_texture_coordinate;
    color = in_color;
}
"""

_FRAGMENT_SHADER = """
#version 330 core

uniform sampler2D color_texture;

in vec2 texture_coordinate;
in vec4 color;

layout(location = 0) out vec4 fragment_color;

void main() {
    fragment_color = color * texture(color_texture, texture_coordinate);
}
"""

# The memory layout of ImDrawVert: position, texture coordinate, and a colour with straight (not premultiplied) alpha.
_VERTEX_FORMAT = "2f4 2f4 4f1"
_VERTEX_ATTRIBUTES = ("in_position", "in_texture_coordinate", "in_color")
_INDEX_TYPE = np.uint16 if imgui.INDEX_SIZE == 2 else np.uint32

# Straight alpha on the colours; the target's own alpha accumulates coverage, so that screenshots keep a sound alpha.
_BLEND_FUNCTION = (moderngl.SRC_ALPHA, moderngl.ONE_MINUS_SRC_ALPHA, moderngl.ONE, moderngl.ONE_MINUS_SRC_ALPHA)

_NAVIGATION = int(imgui.ConfigFlags_.nav_enable_keyboard)
PICTURE_TEXTURE_ID = 2**31 - 1  # stands for the picture that `render` gets; larger than any OpenGL name

_INITIAL_BUFFER_SIZE = 1 << 16
_ANY_TIME, _NO_TIME = (1e6, 2e6), (0.0, 0.5)  # seconds within which Dear ImGui sees a double click, and its delay
_MOST_IMAGE_BYTES = 48 * 2**20  # of images that are cached; a frame shows fewer
_LARGEST_THUMBNAIL = 160  # pixels a side; mipmaps of one take a processor that draws 20 ms
_TOOLTIP_SECONDS = 0.15  # for which the mouse rests, and a while more, before a tooltip comes
_SMALLEST_DELTA_SECONDS = 1e-4  # Dear ImGui insists on time moving forward

_MODIFIER_BY_KEY: dict[imgui.Key, imgui.Key] = {
    getattr(imgui.Key, f"{side}_{name}"): getattr(imgui.Key, f"mod_{name}")
    for side in ("left", "right")
    for name in ("shift", "ctrl", "alt")
}
# Most names differ only in case; these are the others.
_IMGUI_NAME_BY_WINDOW_NAME = {
    **{name: f"{name.lower()}_arrow" for name in ("LEFT", "RIGHT", "UP", "DOWN")},
    **{f"NUMBER_{digit}": f"_{digit}" for digit in string.digits},
    **{f"NUMPAD_{digit}": f"keypad{digit}" for digit in string.digits},
}


class ImguiBackend:
    """One Dear ImGui context, fed with window events and drawn with moderngl.

    A frame is `new_frame`, then any `imgui` calls that describe the interface, then `render`. Event coordinates are
    logical window pixels with the origin at the top left. Several instances may live side by side; `new_frame` makes
    its own context the current one.
    """

    def __init__(self, ctx: moderngl.Context, load_fonts: Callable[[imgui.ImFontAtlas], None] | None = None) -> None:
        self._context = imgui.create_context()
        imgui.set_current_context(self._context)  # create_context leaves an older context current
        self._closed = False
        # The opacity of colour fields: Dear ImGui leaves it 0 until something was disabled once.
        self._context.disabled_alpha_backup = imgui.get_style().alpha

        self._io = imgui.get_io()
        self._io.set_ini_filename(None)
        flags = imgui.BackendFlags_
        self._io.backend_flags |= flags.renderer_has_textures | flags.renderer_has_vtx_offset
        self._io.config_flags |= imgui.ConfigFlags_.docking_enable
        self._io.config_input_text_cursor_blink = False  # nothing is redrawn while nothing happens
        self._io.config_windows_move_from_title_bar_only = True
        self._io.config_drag_click_to_input_text = True  # as in all other number fields: a click begins typing
        # Scalable fonts: Dear ImGui rasterises their glyphs on demand at the framebuffer's own resolution.
        if load_fonts is None:
            self._io.fonts.add_font_default_vector()
        else:
            load_fonts(self._io.fonts)
        self._releasing_keyboard = False

        self._use(ctx)

    def _use(self, ctx: moderngl.Context) -> None:
        """Make the OpenGL objects, but for textures."""
        platform_io = imgui.get_platform_io()
        platform_io.renderer_texture_max_width = ctx.info["GL_MAX_TEXTURE_SIZE"]
        platform_io.renderer_texture_max_height = ctx.info["GL_MAX_TEXTURE_SIZE"]

        self._ctx: Any = ctx  # moderngl's annotations are wrong about blending
        self._textures: dict[int, moderngl.Texture] = {}  # by OpenGL name, which is also Dear ImGui's texture id
        # made by `image_of`, by the id of the pixels, the one that was shown last comes last
        self._images: dict[int, tuple[np.ndarray, moderngl.Texture]] = {}
        self._program = ctx.program(vertex_shader=_VERTEX_SHADER, fragment_shader=_FRAGMENT_SHADER)
        self._program["color_texture"] = 0
        self._vertex_buffer = ctx.buffer(reserve=_INITIAL_BUFFER_SIZE, dynamic=True)
        self._index_buffer = ctx.buffer(reserve=_INITIAL_BUFFER_SIZE, dynamic=True)
        self._vertex_array = ctx.vertex_array(
            self._program,
            [(self._vertex_buffer, _VERTEX_FORMAT, *_VERTEX_ATTRIBUTES)],
            index_buffer=self._index_buffer,
            index_element_size=4,
        )

    def move_to(self, ctx: moderngl.Context) -> None:
        """Draw with another OpenGL context in place of one that was lost with all of its objects; this ends a frame."""
        self.make_current()
        for texture_data in imgui.get_platform_io().textures:
            texture_data.set_tex_id(0)
            texture_data.set_status(imgui.ImTextureStatus.want_create)
        self._use(ctx)
        self.end_frame()

    def join_clipboard(self, copy: Callable[[str], None], paste: Callable[[], str]) -> None:
        """Connect text fields to the system's clipboard."""
        self.make_current()
        imgui.get_platform_io().platform_set_clipboard_text_fn = lambda _, text: copy(text)
        imgui.get_platform_io().platform_get_clipboard_text_fn = lambda _: paste()

    def make_current(self) -> None:
        """Make this context the current one of Dear ImGui."""
        imgui.set_current_context(self._context)

    def close_popups(self) -> None:
        """Close all menus and popups, and take the keyboard from a text field."""
        if imgui.get_current_context().open_popup_stack.size():
            imgui.internal.close_popup_to_level(0, False)
        imgui.internal.clear_active_id()

    # Events

    def mouse_position(self, x: float, y: float) -> None:
        """Move the mouse, logical pixels."""
        self._context.style.hover_stationary_delay = _TOOLTIP_SECONDS
        self._io.add_mouse_pos_event(x, y)

    def mouse_button(self, button: int, pressed: bool, *, again: bool | None = None) -> None:
        """Press or release 0 left, 1 right, 2 middle; `again`: whether it completes a double click (None: by time)."""
        if again is not None:
            self._io.mouse_double_click_time, self._io.mouse_single_click_delay = _ANY_TIME if again else _NO_TIME
        self._io.add_mouse_button_event(button, pressed)

    def mouse_wheel(self, x_offset: float, y_offset: float) -> None:
        """Scroll; a positive `y_offset` scrolls up."""
        self._io.add_mouse_wheel_event(x_offset, y_offset)

    def key(self, key: imgui.Key, pressed: bool) -> None:
        """Press or release a key. Dear ImGui makes repeats itself.

        A modifier key also switches its modifier: window systems report the modifiers from before the event.
        """
        self._io.add_key_event(key, pressed)
        if pressed:  # no tooltip until the mouse moves: it would lie over what the key opens
            self._context.hover_item_unlocked_stationary_id = self._context.hover_window_unlocked_stationary_id = 0
            self._context.style.hover_stationary_delay = math.inf
        modifier = _MODIFIER_BY_KEY.get(key)
        if modifier is not None:
            self._io.add_key_event(modifier, pressed)

    def character(self, text: str) -> None:
        """Type text. Control characters may be passed on; Dear ImGui ignores them."""
        self._io.add_input_characters_utf8(text)

    def lose_focus(self) -> None:
        """Note that the window has lost the focus: all keys and buttons are released with the next frame.

        Dear ImGui assumes by itself that the focus is back; an event about it in the same frame would undo this one.
        """
        self._io.add_focus_event(False)

    @property
    def active_field(self) -> int:
        """Dear ImGui's id of the text field that had the keyboard in the last frame, or 0.

        Dear ImGui's own answer is one frame older, from before the key that ends the typing.
        """
        active_id = self._context.active_id
        in_field = active_id == self._context.input_text_state.id_
        return active_id if in_field and not self._releasing_keyboard else 0

    @property
    def navigates(self) -> bool:
        """True if Tab has brought the ring to a field or button, which takes keys."""
        context = self._context
        has_ring = context.nav_cursor_visible and context.nav_id != 0 and context.nav_window is not None
        return bool(self._io.config_flags & _NAVIGATION and has_ring and not self._releasing_keyboard)

    def let_keys_navigate(self, on: bool) -> None:
        """Have Tab and the arrows go to all fields and buttons, and Space press these, from the next frame on."""
        flags = self._io.config_flags
        self._io.config_flags = flags | _NAVIGATION if on else flags & ~_NAVIGATION

    @property
    def has_open_list(self) -> bool:
        """True while a menu or the list of a choice is open, which arrows and Enter walk, and Esc closes."""
        popups = self._context.open_popup_stack
        window = popups[popups.size() - 1].window if popups.size() else None
        return window is not None and not window.flags & imgui.WindowFlags_.no_nav_inputs and not self.active_field

    @property
    def is_in_menu(self) -> bool:
        """True while a menu or the list of a choice is described, such as when a command is run from it."""
        window = self._context.current_window
        return window is not None and bool(window.flags & imgui.WindowFlags_.popup)

    @property
    def has_panel(self) -> bool:
        """True if a panel or box has been clicked or opened last, so that Tab goes to its fields."""
        window = self._context.nav_window  # at first that around all panels
        is_panel = window is not None and not window.flags & imgui.WindowFlags_.no_nav_focus
        return is_panel and not self._releasing_keyboard

    @property
    def wants_keyboard(self) -> bool:
        """True if keys are for a text field, or for what has the ring."""
        return self.active_field != 0 or self.navigates

    @property
    def has_events_left(self) -> bool:
        """True if events wait for further frames: Dear ImGui takes press and release in two."""
        return self._context.input_events_queue.size() > 0

    def release_keyboard(self) -> None:
        """Take the keyboard from a text field, whose text is accepted, and from the panel that has the focus."""
        self._releasing_keyboard = self.wants_keyboard or self.has_panel

    # Frames

    def new_frame(self, window_size: tuple[int, int], framebuffer_size: tuple[int, int], delta_seconds: float) -> None:
        """Begin a frame and make this context current. A minimised window may have a size of zero."""
        imgui.set_current_context(self._context)
        self._io.display_size = imgui.ImVec2(*window_size)
        self._io.display_framebuffer_scale = imgui.ImVec2(
            framebuffer_size[0] / window_size[0] if window_size[0] > 0 else 1.0,
            framebuffer_size[1] / window_size[1] if window_size[1] > 0 else 1.0,
        )
        self._io.delta_time = max(delta_seconds, _SMALLEST_DELTA_SECONDS)
        imgui.new_frame()
        if self._releasing_keyboard:
            self._releasing_keyboard = False
            imgui.internal.clear_active_id()
            imgui.set_window_focus(None)

    def end_frame(self) -> imgui.ImDrawData:
        """End the frame, draw nothing, and return what there is to draw."""
        imgui.set_current_context(self._context)
        imgui.render()
        draw_data = imgui.get_draw_data()
        for texture_data in draw_data.textures:
            self._update_texture(texture_data)
        return draw_data

    def render(self, target: moderngl.Framebuffer, picture: moderngl.Texture | None = None) -> None:
        """End the frame and draw it over the first colour attachment of `target`, which is left bound.

        All state that matters is set here, and a plain baseline is left behind rather than the state found: blending,
        depth test and face culling off, moderngl's default blend function, polygons filled, no scissor, and the
        target's viewport covering all of it. Texture unit 0 is left with a texture of ours and no sampler object. Only
        the target's colour mask is neither set nor changed.

        Args:
            picture: shown by images with PICTURE_TEXTURE_ID; None leaves them out.
        """
        draw_data = self.end_frame()
        # The target's own size is no guide: moderngl's default framebuffer does not follow the window's size.
        width = round(draw_data.display_size.x * draw_data.framebuffer_scale.x)
        height = round(draw_data.display_size.y * draw_data.framebuffer_scale.y)
        target.use()
        target.viewport = (0, 0, width, height)
        target.scissor = None  # type: ignore[assignment]  # moderngl's annotation lacks None
        self._ctx.enable_only(moderngl.BLEND)
        self._ctx.blend_func = _BLEND_FUNCTION
        self._ctx.blend_equation = moderngl.FUNC_ADD
        self._ctx.wireframe = False
        self._ctx.clear_samplers(0, 1)  # a sampler object on our texture unit would override the texture's filter
        if width > 0 and height > 0:
            self._draw(draw_data, target, width, height, picture)
        target.scissor = None  # type: ignore[assignment]  # moderngl's annotation lacks None
        self._ctx.disable(moderngl.BLEND)
        self._ctx.blend_func = moderngl.DEFAULT_BLENDING

    def close(self) -> None:
        """Release every OpenGL object and destroy the Dear ImGui context. Closing again does nothing."""
        if self._closed:
            return
        self._closed = True
        imgui.set_current_context(self._context)
        for texture_data in imgui.get_platform_io().textures:
            self._destroy_texture(texture_data)
        for _, texture in self._images.values():
            texture.release()
        self._io.backend_flags &= ~imgui.BackendFlags_.renderer_has_textures
        del self._io  # it points into the context: now an event is an error instead of a crash
        imgui.destroy_context(self._context)

        self._vertex_array.release()
        self._index_buffer.release()
        self._vertex_buffer.release()
        self._program.release()

    # Textures

    def image_of(self, pixels: np.ndarray) -> imgui.ImTextureRef:
        """Return pixels, (h, w, 4) uint8, top row first, as an image for this frame; the array must not be changed."""
        known = self._images.pop(id(pixels), None)
        if known is not None:
            self._images[id(pixels)] = known
            return imgui.ImTextureRef(known[1].glo)
        while sum(array.nbytes for array, _ in self._images.values()) + pixels.nbytes > _MOST_IMAGE_BYTES:
            if not self._images:
                break
            _, oldest = self._images.pop(next(iter(self._images)))
            del self._textures[oldest.glo]
            oldest.release()
        texture = self._ctx.texture(pixels.shape[1::-1], 4, np.ascontiguousarray(pixels))
        texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
        if max(pixels.shape) > _LARGEST_THUMBNAIL:  # it is shown much smaller than it is
            texture.build_mipmaps()
            texture.filter = (moderngl.LINEAR_MIPMAP_LINEAR, moderngl.LINEAR)
        texture.repeat_x = texture.repeat_y = False
        self._textures[texture.glo] = texture
        self._images[id(pixels)] = pixels, texture
        return imgui.ImTextureRef(texture.glo)

    def _update_texture(self, texture_data: imgui.ImTextureData) -> None:
        """Do what Dear ImGui asks for one of its textures, and tell it so."""
        status = texture_data.status
        if status == imgui.ImTextureStatus.want_create:
            texture = self._ctx.texture((texture_data.width, texture_data.height), 4, _pixels(texture_data))
            texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            texture.repeat_x = texture.repeat_y = False
            self._textures[texture.glo] = texture
            texture_data.set_tex_id(texture.glo)
            texture_data.set_status(imgui.ImTextureStatus.ok)
        elif status == imgui.ImTextureStatus.want_updates:
            texture = self._textures[texture_data.tex_id]
            pixels = _pixels(texture_data)
            for area in texture_data.updates:
                block = pixels[area.y : area.y + area.h, area.x : area.x + area.w]
                texture.write(np.ascontiguousarray(block), viewport=(area.x, area.y, area.w, area.h))
            texture_data.set_status(imgui.ImTextureStatus.ok)
        elif status == imgui.ImTextureStatus.want_destroy and texture_data.unused_frames > 0:
            self._destroy_texture(texture_data)

    def _destroy_texture(self, texture_data: imgui.ImTextureData) -> None:
        texture = self._textures.pop(texture_data.tex_id, None)
        if texture is not None:
            texture.release()
        texture_data.set_tex_id(0)
        texture_data.set_status(imgui.ImTextureStatus.destroyed)

    # Drawing

    def _draw(
        self,
        draw_data: imgui.ImDrawData,
        target: moderngl.Framebuffer,
        width: int,
        height: int,
        picture: moderngl.Texture | None,
    ) -> None:
        draw_lists = [draw_list for draw_list in draw_data.cmd_lists if draw_list.idx_buffer.size() > 0]
        if not draw_lists:
            return
        vertices, indices, first_indices = _merge_draw_lists(draw_lists)
        _replace_contents(self._vertex_buffer, vertices)
        _replace_contents(self._index_buffer, indices)
        self._program["display_position"] = tuple(draw_data.display_pos)
        self._program["display_size"] = tuple(draw_data.display_size)

        left, top = draw_data.display_pos
        x_scale, y_scale = draw_data.framebuffer_scale
        bound_texture_id = None
        for draw_list, first_index in zip(draw_lists, first_indices, strict=True):
            for command in draw_list.cmd_buffer:
                # Clip rectangles are in logical pixels from the top left, scissors in framebuffer pixels from the
                # bottom left.
                x_low, y_low, x_high, y_high = command.clip_rect
                x_begin = max(math.floor((x_low - left) * x_scale), 0)
                y_begin = max(math.floor((y_low - top) * y_scale), 0)
                x_end = min(math.ceil((x_high - left) * x_scale), width)
                y_end = min(math.ceil((y_high - top) * y_scale), height)
                if command.elem_count == 0 or x_begin >= x_end or y_begin >= y_end:
                    continue
                texture_id = command.get_tex_id()
                if texture_id != bound_texture_id:
                    texture = picture if texture_id == PICTURE_TEXTURE_ID else self._textures[texture_id]
                    if texture is None:  # no picture yet
                        continue
                    texture.use(0)
                    bound_texture_id = texture_id
                target.scissor = (x_begin, height - y_end, x_end - x_begin, y_end - y_begin)
                self._vertex_array.render(
                    moderngl.TRIANGLES, vertices=command.elem_count, first=first_index + command.idx_offset
                )


def _pixels(texture_data: imgui.ImTextureData) -> np.ndarray:
    return texture_data.get_pixels_array().reshape(texture_data.height, texture_data.width, 4)


def _merge_draw_lists(draw_lists: Iterable[imgui.ImDrawList]) -> tuple[bytes, np.ndarray, list[int]]:
    """Return all vertices and all indices of the lists, each in one array, and where the indices of each list begin.

    The merged indices are 32 bit and count from the very first vertex: moderngl does not offer OpenGL's base vertex.
    """
    vertex_pieces, index_pieces, first_indices = [], [], []
    vertex_count = index_count = 0
    for draw_list in draw_lists:
        vertex_buffer, index_buffer = draw_list.vtx_buffer, draw_list.idx_buffer
        vertices = ctypes.string_at(vertex_buffer.data_address(), vertex_buffer.size() * imgui.VERTEX_SIZE)
        raw_indices = ctypes.string_at(index_buffer.data_address(), index_buffer.size() * imgui.INDEX_SIZE)
        indices = np.frombuffer(raw_indices, _INDEX_TYPE).astype(np.uint32)
        indices += vertex_count
        for command in draw_list.cmd_buffer:
            if command.vtx_offset:
                indices[command.idx_offset : command.idx_offset + command.elem_count] += command.vtx_offset
        vertex_pieces.append(vertices)
        index_pieces.append(indices)
        first_indices.append(index_count)
        vertex_count += vertex_buffer.size()
        index_count += index_buffer.size()
    return b"".join(vertex_pieces), np.concatenate(index_pieces), first_indices


def _replace_contents(buffer: moderngl.Buffer, data: bytes | np.ndarray) -> None:
    """Write `data` to fresh storage, so that the driver need not wait for earlier draws, growing it when too small."""
    size = data.nbytes if isinstance(data, np.ndarray) else len(data)
    buffer.orphan(buffer.size if size <= buffer.size else 2 * size)
    buffer.write(data)


@functools.cache
def imgui_key_from_name(name: str) -> imgui.Key | None:
    """Return the Dear ImGui key of a name of `viewer.window.keys`; None where there is none."""
    return imgui.Key.__members__.get(_IMGUI_NAME_BY_WINDOW_NAME.get(name, name.lower()))
