"""Draw a scene over what a program of moderngl-window draws; drag to orbit, click to hear what is there."""

import moderngl
import moderngl_window
import numpy as np

import octoscope

BUTTONS = {1: "left", 2: "right", 3: "middle"}
VERTEX = "#version 330\nin vec2 place; void main() { gl_Position = vec4(place, 0.0, 1.0); }"
FRAGMENT = "#version 330\nout vec4 color; void main() { color = vec4(0.9, 0.6, 0.1, 1.0); }"


class Harbour(moderngl_window.WindowConfig):
    gl_version = (3, 3)
    title = "A harbour"
    window_size = (640, 480)
    aspect_ratio = None

    def __init__(self, **options):
        super().__init__(**options)
        corners = self.ctx.buffer(np.array([(-1, -1), (1, -1), (0, 1)], dtype=np.float32))
        program = self.ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
        self.triangle = self.ctx.vertex_array(program, corners, "place")
        self.view = octoscope.Embedded(octoscope.load("assets/harbour.obj"), transparent=True, grid=False)

        self.pointer = 0, 0

    def on_render(self, time, frame_time):
        self.ctx.clear(0.1, 0.2, 0.4)
        self.ctx.enable_only(moderngl.NOTHING)
        self.triangle.render()
        self.view.draw(self.ctx.screen, (0, 0, *self.wnd.buffer_size), pixel_ratio=self.wnd.pixel_ratio)

    def on_mouse_position_event(self, x, y, dx, dy):
        self.pointer = x, y

    def on_mouse_press_event(self, x, y, button):
        self.view.mouse_press(x, y, BUTTONS[button])

    def on_mouse_drag_event(self, x, y, dx, dy):
        self.view.mouse_move(x, y)

    def on_mouse_release_event(self, x, y, button):
        if hit := self.view.mouse_release(x, y, BUTTONS[button]):
            print(hit.node.name, flush=True)

    def on_mouse_scroll_event(self, x_offset, y_offset):
        self.view.scroll(*self.pointer, y_offset)

    def on_close(self):
        self.view.release()


if __name__ == "__main__":
    moderngl_window.run_window_config(Harbour)
