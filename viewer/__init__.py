"""Everything with a picture or a person: camera, frame, renderer, window, panels, command line.

For scripts: `show` opens a window on a scene, `Window` is one to hold on to, `render` draws a picture without one.
"""

from __future__ import annotations

from importlib import import_module

_MADE_IN = {  # imported when they are first asked for: the modules of a window and of OpenGL take a while to load
    "DrawError": "viewer.renderer",
    "NoOpenGL": "viewer.offscreen",
    "Window": "viewer.scripting",
    "WindowUnavailable": "viewer.window",
    "render": "viewer.stills",
    "show": "viewer.scripting",
}

__all__ = list(_MADE_IN)


def __getattr__(name: str) -> object:
    if name not in _MADE_IN:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MADE_IN[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
