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
    features/    folders that can be taken away: panels, tools and commands beside the core.
    app/         the running program, and the API for scripts.
    cli/         one file a shell command.
"""

from __future__ import annotations

from octoscope.on_demand import on_demand

__getattr__, __dir__ = on_demand(__name__, __file__)
__all__ = __dir__()
