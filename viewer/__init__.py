"""Everything with a picture or a user: camera, renderer, window, panels, command line.

In import order: what stands lower imports what stands above it, never the other way.

    window/      the platform: window, keys, pointer, clipboard.
    settings/    what is kept between runs.
    camera/      an immutable camera and pure functions to the next one.
    frame/       what one picture shows, without OpenGL.
    rendering/   OpenGL: draws it.
    editing/     the editor, the selection, background jobs, messages.
    document/    the scene as a file: open, save, autosave, watch.
    tools/       pointer and keys over the picture become edits.
    commands/    the table of everything a user can run.
    ui/          Dear ImGui: panels, dialogs, overlays.
    app/         the running program, and the API for scripts.
    benchmarks/  what `octoscope bench` runs.
    cli/         one file a shell command.
"""

from __future__ import annotations

from importlib import import_module

_MADE_IN = {  # imported when they are first asked for: the modules of a window and of OpenGL take a while to load
    "DrawError": "viewer.rendering.renderer",
    "NoOpenGL": "viewer.rendering.offscreen",
    "Window": "viewer.app.scripting",
    "WindowUnavailable": "viewer.window.window",
    "render": "viewer.rendering.stills",
    "show": "viewer.app.scripting",
}

__all__ = list(_MADE_IN)


def __getattr__(name: str) -> object:
    if name not in _MADE_IN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MADE_IN[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
