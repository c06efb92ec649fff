"""Everything with a picture or a user: camera, renderer, window, panels, command line.

In import order: what stands lower imports what stands above it, never the other way.

    window/      the platform: window, keys, pointer, clipboard.
    settings/    what is kept between runs.
    camera/      an immutable camera and pure functions to the next one.
    frame/       what one picture shows, without OpenGL.
    rendering/   OpenGL: draws it.
    editing/     the editor, the selection, background jobs, messages.
    streaming/   a tileset larger than memory, as far as the cameras need it.
    document/    the scene as a file: open, save, autosave, watch.
    tools/       pointer and keys over the picture become edits.
    commands/    the table of everything a user can run.
    ui/          Dear ImGui: panels, dialogs, overlays.
    web/         the scene in browsers, by viser.
    app/         the running program, and the API for scripts.
    benchmarks/  what `octoscope bench` runs.
    cli/         one file a shell command.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scene.on_demand import on_demand

if TYPE_CHECKING:  # the same names, for type checkers
    from viewer.app.scripting import Window as Window
    from viewer.app.scripting import show as show
    from viewer.frame.look.lighting import Lighting as Lighting
    from viewer.frame.look.lighting import world_light as world_light
    from viewer.rendering.canvas import Canvas as Canvas
    from viewer.rendering.context.offscreen import NoOpenGL as NoOpenGL
    from viewer.rendering.renderer import DrawError as DrawError
    from viewer.rendering.stills import render as render
    from viewer.rendering.stills import render_buffers as render_buffers
    from viewer.window.window import WindowUnavailable as WindowUnavailable

__getattr__, __dir__ = on_demand(
    __name__,
    {
        "Canvas": "viewer.rendering.canvas",
        "DrawError": "viewer.rendering.renderer",
        "Lighting": "viewer.frame.look.lighting",
        "NoOpenGL": "viewer.rendering.context.offscreen",
        "Window": "viewer.app.scripting",
        "WindowUnavailable": "viewer.window.window",
        "render": "viewer.rendering.stills",
        "render_buffers": "viewer.rendering.stills",
        "show": "viewer.app.scripting",
        "world_light": "viewer.frame.look.lighting",
    },
)
__all__ = __dir__()
