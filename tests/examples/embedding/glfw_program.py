"""Draw a scene in a plain GLFW window of one's own; drag to orbit, click to hear what is there."""

import glfw

import octoscope

SCENE = octoscope.load("assets/harbour.obj")
BUTTONS = ("left", "right", "middle")


def open_window():
    if not glfw.init():
        raise SystemExit("no display: GLFW cannot open a window")
    glfw.window_hint(glfw.CONTEXT_VERSION_MAJOR, 3)
    glfw.window_hint(glfw.CONTEXT_VERSION_MINOR, 3)
    glfw.window_hint(glfw.OPENGL_PROFILE, glfw.OPENGL_CORE_PROFILE)
    glfw.window_hint(glfw.OPENGL_FORWARD_COMPAT, True)
    window = glfw.create_window(640, 480, "A harbour", None, None)
    if not window:
        raise SystemExit("no display, or no OpenGL 3.3 on it")
    glfw.make_context_current(window)
    return window


def main():
    window = open_window()
    view = octoscope.Embedded(SCENE)

    def on_button(_, button, action, modifiers):
        place = glfw.get_cursor_pos(window)
        if action == glfw.PRESS:
            view.mouse_press(*place, BUTTONS[button])
        elif hit := view.mouse_release(*place, BUTTONS[button]):
            print(hit.node.name, flush=True)

    glfw.set_mouse_button_callback(window, on_button)
    glfw.set_cursor_pos_callback(window, lambda _, x, y: view.mouse_move(x, y))
    glfw.set_scroll_callback(window, lambda _, dx, dy: view.scroll(*glfw.get_cursor_pos(window), dy))
    while not glfw.window_should_close(window):
        size = glfw.get_framebuffer_size(window)
        is_better_to_come = view.draw(viewport=(0, 0, *size), pixel_ratio=glfw.get_window_content_scale(window)[0])
        glfw.swap_buffers(window)
        glfw.wait_events_timeout(0.01 if is_better_to_come else 0.2)
    view.release()
    glfw.terminate()


if __name__ == "__main__":
    main()
